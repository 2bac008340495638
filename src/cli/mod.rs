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
mod expect;
mod export;
mod field;
mod gpus;
mod impact;
mod info;
mod limit;
mod man;
mod mesa;
mod mesh;
mod mesh_make;
mod mesh_remesh;
mod pack;
mod plan;
mod render;
mod report;
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
mod sweep_slurm;
mod verify;
mod view;
mod wall_time;

use breccia::base::error::{Error, Result};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
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
    Info(info::Args),
    Check(check::Args),
    Scenarios(scenarios::Args),
    Plan(plan::Args),
    Bench(bench::Args),
    View(view::Args),
    Report(report::Args),
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
    Man(man::Args),
}

/// Parses the command line, runs the subcommand and turns an error into its exit code.
pub(crate) fn main() -> ExitCode {
    mesa::quieten();
    let json = std::env::args_os().any(|a| a == "--json");
    if json {
        print::for_machines();
    }
    log(json);
    // ends the program if a shell asks what may follow
    clap_complete::CompleteEnv::with_factory(Cli::command).complete();
    let parsed = numbers(Cli::command()).try_get_matches().and_then(|found| Cli::from_arg_matches(&found));
    let result = match parsed {
        Ok(cli) => run(cli.command),
        Err(e) if json && e.use_stderr() => Err(Error::Usage(words(&e))),
        Err(e) => e.exit(),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(e) => {
            match json {
                true => println!("{}", e.json()),
                false => eprintln!("error: {e}"),
            }
            ExitCode::from(e.exit_code())
        }
    }
}

/// The command line with options that take `-1` for a value, not for an option: each says itself what it takes.
fn numbers(command: clap::Command) -> clap::Command {
    let takes = |arg: clap::Arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg };
    command.mut_args(takes).mut_subcommands(numbers)
}

/// Has warnings of the library on standard error, with `--json` as lines of JSON.
fn log(json: bool) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "breccia=info,warn".into());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false); // it would panic without a reader
    if json { log.json().flatten_event(true).init() } else { log.init() }
}

/// What is wrong with a command line, in one line, without colours and the help on it.
fn words(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let about = ["\n\nUsage:", "\n\nFor more information"]
        .iter()
        .fold(text.as_str(), |text, end| text.split(end).next().unwrap_or(text));
    let words: Vec<&str> = about.trim_start_matches("error: ").split_whitespace().collect();
    words.join(" ")
}

fn run(command: Command) -> Result<u8> {
    match command {
        Command::Run(args) => run::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Info(args) => info::run(args),
        Command::Check(args) => check::run(args),
        Command::Scenarios(args) => scenarios::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Plan(args) => plan::run(args),
        Command::View(args) => view::run(args),
        Command::Report(args) => report::run(args),
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
        Command::Man(args) => man::run(args, Cli::command()),
    }
}
