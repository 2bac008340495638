//! `breccia run`, and how it and `breccia resume` start and end.

use super::common::{Device, Source, heading};
use super::expect::Expect;
use super::impact;
use super::limit::{Limit, wall_time};
use super::mesa;
use super::show::Show;
use super::signals::{stop_at_end_of_input, stop_flag};
use breccia::base::error::Result;
use breccia::base::exit_code;
use breccia::base::json;
use breccia::base::readable::{number, quantity, within};
use breccia::base::shell;
use breccia::engine::open::EngineKind;
use breccia::physics::measure::outcome::Verdict;
use breccia::record::run::{Ended, ResumeOptions, Run, RunOptions, SessionOptions};
use breccia::scenario::load;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Run a scenario
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Run directory (default: runs/NAME)
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace a run that is there
    #[arg(long)]
    overwrite: bool,
    /// What computes; `resume` goes on with the same
    #[arg(long, value_enum, default_value_t = Engine::Gpu)]
    engine: Engine,
    /// With every so many rows of the series, judge in f64 how well the last step was solved: --set
    /// contact_dynamics.judge_every=ROWS
    #[arg(long, value_name = "ROWS")]
    judge: Option<u32>,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
pub(super) struct Common {
    #[command(flatten)]
    device: Device,
    /// Stop with a checkpoint once this many steps are done (exit code 75)
    #[arg(long)]
    stop_at_step: Option<u64>,
    /// Stop with a checkpoint after this much wall time (exit code 75): "90 min", 1.5h, 01:30:00, or seconds
    #[arg(long, value_name = "DURATION", value_parser = wall_time)]
    max_walltime: Option<Duration>,
    /// What a missed expectation does: fail ends with exit code 1, warn and off with 0 [default: fail; warn where --set changes
    /// more than the output]
    #[arg(long, value_enum)]
    expect: Option<Expect>,
    /// Stop with a checkpoint when standard input ends, for programs that drive runs (exit code 75)
    #[arg(long)]
    stop_at_eof: bool,
    /// Progress and result as JSON lines
    #[arg(long)]
    json: bool,
    /// Measure where the time of steps goes: detection, gravity, solver; reported at the end and in timing.json
    #[arg(long)]
    timing: bool,
}

/// How long a run whose driver has gone may need to end: one batch of steps and a checkpoint.
const PATIENCE: Duration = Duration::from_secs(60);

impl Common {
    /// Who drives runs may start one while the one that another driver has left is about to stop.
    fn patience(&self) -> Duration {
        if self.stop_at_eof { PATIENCE } else { Duration::ZERO }
    }

    pub(super) fn session(&self) -> SessionOptions {
        SessionOptions {
            patience: self.patience(),
            timing: self.timing,
            stop_at_step: self.stop_at_step,
            before_device: Some(mesa::suit_run),
            ..self.device.session()
        }
    }

    /// Begins to count the wall time.
    pub(super) fn limit(&self) -> Option<Limit> {
        Limit::start(self.max_walltime, "`breccia resume` goes on")
    }
}

/// What computes a run.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Engine {
    /// WGSL passes on a GPU, or on a software adapter
    Gpu,
    /// Everything in f64 on one CPU core: slow, for any ratio of sizes, and to check the GPU against
    Reference,
}

impl From<Engine> for EngineKind {
    fn from(engine: Engine) -> EngineKind {
        match engine {
            Engine::Gpu => EngineKind::Gpu,
            Engine::Reference => EngineKind::Reference,
        }
    }
}

/// `breccia run`.
pub(super) fn run(args: Args) -> Result<u8> {
    stop_flag()?;
    let limit = args.common.limit();
    let judge = args.judge.map(|rows| format!("contact_dynamics.judge_every={rows}"));
    let set: Vec<String> = args.source.set.into_iter().chain(judge).collect();
    let scenario = load(&args.source.scenario, &set)?;
    let out = args.out.unwrap_or_else(|| Path::new("runs").join(&scenario.name));
    let (engine, overwrite) = (args.engine.into(), args.overwrite);
    let session = args.common.session();
    let again = ResumeOptions { session: session.clone(), ..ResumeOptions::default() };
    let run = Run::open_with(scenario, RunOptions { engine, directory: Some(out), overwrite, session })?;
    drive(run, &args.common, &again, limit)
}

/// Computes a run to its end and shows how it goes; `again`: how it is taken up if its device is lost.
pub(super) fn drive(run: Run, common: &Common, again: &ResumeOptions, limit: Option<Limit>) -> Result<u8> {
    if !common.json {
        announce(&run);
    }
    if common.stop_at_eof {
        stop_at_end_of_input();
    }
    let mut show = Show::new(common.json, run.manifest().bodies, run.steps_done(), stop_flag()?, limit);
    let ended = run.go_despite_loss(again, &mut show);
    show.close();
    let (run, ended) = ended?;
    if let Some(timing) = run.timing() {
        show.timing(&timing);
    }
    finish(&ended, &run, common)
}

fn announce(run: &Run) {
    let m = run.manifest();
    eprintln!("{}", heading(run.scenario()));
    eprintln!("  bodies: {}; {} steps of {}: {}", m.bodies, m.steps, quantity(m.time_step_s, "s"), m.time_step_reason);
    eprintln!("  law {}; {}", m.law, m.engine);
    for line in m.collision.iter().flat_map(impact::lines) {
        eprintln!("  {line}");
    }
    m.warnings.iter().for_each(|text| eprintln!("  WARNING: {text}"));
    let Some(adapter) = run.adapter() else { return };
    eprintln!("  device chosen: {}", adapter.why);
    if let Some(threads) = adapter.threads {
        eprintln!("  threads: {threads}");
    }
    if adapter.software {
        eprintln!("  WARNING: this is a software adapter, not a GPU; expect a small fraction of a GPU's speed");
        breccia::gpu::mesa::advice(&adapter.driver).iter().for_each(|text| eprintln!("  {text}"));
    }
}

/// Prints how a run ended, and gives the exit code.
fn finish(ended: &Ended, run: &Run, common: &Common) -> Result<u8> {
    let json = common.json;
    let out = run.typed_directory().unwrap_or(Path::new(""));
    if json {
        println!("{}", serde_json::json!({ "out": json::text(out), "ended": ended }));
    }
    let verdicts = match ended {
        Ended::Stopped(step) => {
            eprintln!("stopped at step {step} with a checkpoint; go on with: breccia resume {}", shell::path(out));
            return Ok(exit_code::STOPPED);
        }
        Ended::Done(verdicts) => verdicts,
    };
    if !run.manifest().ended.is_empty() {
        eprintln!("  {}", run.manifest().ended);
    }
    let changed = Expect::of(run.scenario().source.as_ref().map_or(&[], |s| &s.set));
    let expect = common.expect.unwrap_or(changed);
    if !json {
        if expect != Expect::Off {
            verdicts.iter().for_each(print_verdict);
        }
        if expect == Expect::Warn && verdicts.iter().any(|v| !v.ok) {
            eprintln!(
                "an expectation is missed, exit code 0: {}",
                match common.expect {
                    Some(_) => "--expect warn",
                    None => "it is that of the scenario without --set; --expect fail ends with 1",
                }
            );
        }
        println!("results: {}", out.display());
    }
    Ok(expect.exit_code(verdicts))
}

fn print_verdict(v: &Verdict) {
    let value = v.value.map_or("not measured by this run".into(), |x| within(x, v.tolerance));
    let mark = if v.ok { "ok  " } else { "MISS" };
    let (expected, tolerance) = (within(v.expected, v.tolerance), number(v.tolerance));
    println!("{mark} {} = {value}, expected {expected} +- {tolerance} ({})", v.quantity, v.source);
}
