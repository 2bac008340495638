//! One file per subcommand.

mod doctor;
mod gpus;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Gpus(gpus::Args),
    Doctor(doctor::Args),
}

/// Parses the command line, runs the subcommand and turns an error into its exit code.
pub fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Gpus(args) => gpus::run(args),
        Command::Doctor(args) => doctor::run(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(e.exit_code())
        }
    }
}
