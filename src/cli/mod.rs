//! One file per subcommand.

#[macro_use]
mod print;
mod analyze;
mod analyze_print;
mod asteroid;
mod bench;
mod check;
mod common;
mod complete;
mod doctor;
mod export;
mod field;
mod gpus;
mod impact;
mod mesh;
mod mesh_make;
mod mesh_remesh;
mod pack;
mod plan;
mod render;
mod resume;
mod run;
mod safety_map;
mod scenarios;
mod shape_picture;
mod show;
mod signals;
mod surface;
mod sweep;
mod sweep_show;
mod threads;
mod verify;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(version = breccia::base::version::version(), about, after_help = breccia::base::exit_code::help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Resume(resume::Args),
    Check(check::Args),
    Scenarios(scenarios::Args),
    Plan(plan::Args),
    Bench(bench::Args),
    Render(render::Args),
    Analyze(Box<analyze::Args>),
    Export(export::Args),
    Mesh(mesh::Args),
    Pack(pack::Args),
    Surface(surface::Args),
    Field(field::Args),
    Sweep(sweep::Args),
    Gpus(gpus::Args),
    Doctor(doctor::Args),
    Verify(verify::Args),
}

/// Parses the command line, runs the subcommand and turns an error into its exit code.
pub(crate) fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "breccia=info,warn".into()),
        )
        .with_writer(std::io::stderr)
        .log_internal_errors(false) // it would panic without a reader
        .init();
    // ends the program if a shell asks what may follow
    clap_complete::CompleteEnv::with_factory(Cli::command).complete();
    let result = match Cli::parse().command {
        Command::Run(args) => run::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Check(args) => check::run(args),
        Command::Scenarios(args) => scenarios::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Plan(args) => plan::run(args),
        Command::Render(args) => render::run(args),
        Command::Analyze(args) => analyze::run(*args),
        Command::Export(args) => export::run(args),
        Command::Mesh(args) => mesh::run(args),
        Command::Pack(args) => pack::run(args),
        Command::Surface(args) => surface::run(args),
        Command::Field(args) => field::run(args),
        Command::Sweep(args) => sweep::run(args),
        Command::Gpus(args) => gpus::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Verify(args) => verify::run(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            if std::env::args_os().any(|a| a == "--json") {
                println!("{}", e.json());
            }
            eprintln!("error: {e}");
            ExitCode::from(e.exit_code())
        }
    }
}
