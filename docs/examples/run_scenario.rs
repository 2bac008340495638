//! Runs a scenario to its end, as `breccia run` does: `cargo run --example run_scenario -- FILE_OR_NAME DIRECTORY`.

use breccia::{Ended, Observer, Progress, Result, Run, RunOptions};
use std::path::Path;

/// Prints how far the run is.
struct Printer;

impl Observer for Printer {
    fn progress(&mut self, progress: &Progress) {
        eprintln!("{} of {} steps, {:.3} s", progress.step, progress.steps, progress.time_s);
    }
}

/// Computes the run. True if it shows all that its scenario expects.
pub fn run_scenario(path_or_name: &str, directory: &Path) -> Result<bool> {
    let options = RunOptions { directory: Some(directory.to_owned()), ..RunOptions::default() };
    let mut run = Run::open_with(path_or_name, options)?;
    match run.go_with(&mut Printer)? {
        Ended::Done(verdicts) => Ok(verdicts.iter().all(|v| v.ok)),
        Ended::Stopped(step) => {
            println!("stopped at step {step}");
            Ok(false)
        }
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "bounce".into());
    let directory = arguments.next().unwrap_or_else(|| "runs/example".into());
    let as_expected = run_scenario(&scenario, Path::new(&directory))?;
    println!("as expected: {as_expected}; results: {directory}");
    Ok(())
}
