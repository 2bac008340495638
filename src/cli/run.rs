//! `breccia run`, and how it and `breccia resume` start and end.

use super::common::{Device, Source, heading};
use super::impact;
use super::recorded::Settings;
use super::show::Show;
use super::signals::{stop_at_end_of_input, stop_flag};
use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::engine::gpu::iterations::settled;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::engine::gpu::sources::self_gravity;
use breccia::engine::reference::contact_dynamics;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::engine::reference::soft_sphere::ReferenceEngine;
use breccia::model::body::{Bodies, Polyhedra};
use breccia::model::scenario::{GravitySource, Method, Scenario, SelfGravityMethod};
use breccia::model::stored::resolved;
use breccia::physics::laws::pairs;
use breccia::physics::time_step::time_step;
use breccia::record::check::check;
use breccia::record::files::checkpoint::Head;
use breccia::record::files::directory::RunDirectory;
use breccia::record::files::inputs;
use breccia::record::files::manifest::Manifest;
use breccia::record::measure::outcome::Verdict;
use breccia::record::run::{Ended, RunOptions, manifest, run as run_loop};
use breccia::scenario;
use breccia::scenario::generate::arranged;
use breccia::scenario::inputs::Sums;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Run a scenario
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Run directory (default: runs/NAME)
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace a run that is there
    #[arg(long)]
    overwrite: bool,
    /// What computes; `resume` goes on with the same
    #[arg(long, value_enum, default_value_t = EngineKind::Gpu)]
    engine: EngineKind,
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
    /// Stop with a checkpoint when standard input ends, for programs that drive runs (exit code 75)
    #[arg(long)]
    stop_at_eof: bool,
    /// Progress and result as JSON lines
    #[arg(long)]
    json: bool,
    /// Measure where the time of steps goes: detection, gravity, solver; reported at the end and in manifest.json
    #[arg(long)]
    timing: bool,
}

/// How long a run whose driver has gone may need to end: one batch of steps and a checkpoint.
const PATIENCE: Duration = Duration::from_secs(60);

impl Common {
    /// Who drives runs may start one while the one that another driver has left is about to stop.
    pub(super) fn patience(&self) -> Duration {
        if self.stop_at_eof { PATIENCE } else { Duration::ZERO }
    }
}

/// What computes a run.
#[derive(Clone, Copy, Default, PartialEq, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EngineKind {
    /// WGSL passes on a GPU, or on a software adapter
    #[default]
    Gpu,
    /// Everything in f64 on one CPU core: slow, for any ratio of sizes, and to check the GPU against
    Reference,
}

impl EngineKind {
    /// Refuses options that mean nothing to this engine.
    fn fits(self, common: &Common) -> Result<()> {
        let device = &common.device;
        let named = device.gpu.is_some() || device.require_gpu || device.shader_dir.is_some();
        if self == EngineKind::Reference && named {
            let text = "the reference engine uses no GPU; leave out --gpu, --require-gpu and --shader-dir";
            return Err(Error::Usage(text.into()));
        }
        if self == EngineKind::Reference && common.timing {
            return Err(Error::Usage("--timing: the reference engine does not time its phases; leave it out".into()));
        }
        Ok(())
    }

    /// The scenario with what this engine makes of everything that is left to it; `software`: on a software adapter.
    fn resolved(self, scenario: &Scenario, bodies: &Bodies, dt_s: f64, software: bool) -> Scenario {
        let mut scenario = scenario.clone();
        scenario.materials = pairs::settled(&scenario, bodies);
        let method = match self {
            EngineKind::Gpu => self_gravity(&scenario, bodies.len()),
            EngineKind::Reference => Some(SelfGravityMethod::Direct),
        };
        scenario.run.time_step_s = Some(dt_s);
        let settings = match self {
            EngineKind::Gpu => settled(&scenario, bodies, software),
            EngineKind::Reference => contact_dynamics::settled(&scenario),
        };
        if let Some(settings) = settings {
            scenario.method = Method::ContactDynamics(settings);
        }
        let held = scenario.held_steps();
        for source in &mut scenario.gravity {
            match (source, method) {
                (GravitySource::SelfGravity { method: typed, update_every }, Some(method)) => {
                    (*typed, *update_every) = (method, Some(held));
                }
                (GravitySource::Asteroid { sum, update_every }, _) => {
                    let surface = scenario.asteroid.as_ref().and_then(|a| a.surface().ok());
                    *sum = surface.map_or(*sum, |s| sum.decided(s.triangles.len()));
                    *update_every = Some(held);
                }
                _ => {}
            }
        }
        scenario
    }

    /// The engine at its start, and what the header says about its device.
    fn open(
        self,
        common: &Common,
        scenario: &Scenario,
        bodies: &Bodies,
        dt_s: f64,
    ) -> Result<(Box<dyn Engine>, OnDevice)> {
        if self == EngineKind::Reference {
            let engine: Box<dyn Engine> = match &scenario.method {
                Method::SoftSphere => Box::new(ReferenceEngine::new(scenario, bodies, dt_s)?),
                Method::ContactDynamics(c) => Box::new(RigidReference::new(scenario, c, bodies, dt_s)?),
            };
            return Ok((engine, OnDevice::default()));
        }
        let gpu = common.device.open()?;
        let device = OnDevice { software: gpu.is_software(), why: gpu.why.clone() };
        let sources = common.device.sources();
        let engine: Box<dyn Engine> = match scenario.method {
            Method::SoftSphere => Box::new(SoftSphere::new(gpu, scenario, bodies, dt_s, sources)?),
            Method::ContactDynamics(_) => Box::new(ContactDynamics::new(gpu, scenario, bodies, dt_s, sources)?),
        };
        Ok((engine, device))
    }
}

/// What the header of a run says about the device, besides its name.
#[derive(Default)]
struct OnDevice {
    /// a software adapter
    software: bool,
    /// why it was taken; empty for an engine without a device
    why: String,
}

/// `breccia run`.
pub fn run(args: Args) -> Result<u8> {
    stop_flag()?;
    let source = scenario::source(&args.source.scenario)?;
    let scenario = source.parse(&args.source.set)?;
    let mut start = Start::new(&scenario, args.engine, &args.common)?;
    let inputs = inputs::of(&scenario, &mut start.sums)?;
    let out = args.out.unwrap_or_else(|| Path::new("runs").join(&scenario.name));
    // Only now, when the run can start, may it replace another.
    let directory = RunDirectory::create(&out, args.overwrite, args.common.patience())?;
    let (file, folder) = (source.file, Some(source.folder));
    let settings = Settings { file, folder, set: args.source.set, engine: args.engine };
    settings.write(&out, &source.text)?;
    inputs::keep(&out, &inputs)?;
    start.resolve(&out, &inputs)?;
    let changed = !settings.set.is_empty();
    start.go(&directory, &args.common, None, changed)
}

/// A run that has everything but its directory.
pub(super) struct Start<'a> {
    scenario: &'a Scenario,
    resolved: Scenario,
    pub(super) engine: Box<dyn Engine>,
    pub(super) manifest: Manifest,
    pub(super) polyhedra: Option<Polyhedra>,
    /// of what the scenario names
    sums: Sums,
    device: OnDevice,
}

impl<'a> Start<'a> {
    pub(super) fn new(scenario: &'a Scenario, kind: EngineKind, common: &Common) -> Result<Start<'a>> {
        kind.fits(common)?;
        let mut sums = Sums::default();
        // This comes before anything else reads them, so that a change in the meantime is noticed when they are copied.
        // `arranged` reports what cannot be read.
        let hash = sums.fingerprint(scenario);
        let (bodies, collision) = arranged(scenario)?;
        let warnings = check(scenario, &bodies)?.warnings;
        let step = time_step(scenario, &bodies);
        let (engine, device) = kind.open(common, scenario, &bodies, step.dt_s)?;
        let mut manifest = manifest(scenario, &hash?, &bodies, &step, &*engine);
        manifest.collision = collision;
        let resolved = kind.resolved(scenario, &bodies, step.dt_s, device.software);
        manifest.warnings = warnings;
        Ok(Start { scenario, resolved, engine, manifest, polyhedra: bodies.polyhedra, sums, device })
    }

    /// Writes `resolved.json`, in which inputs have the names under which the run keeps them.
    pub(super) fn resolve(&mut self, run: &Path, inputs: &[inputs::Input]) -> Result<()> {
        inputs::tell(inputs, &mut self.resolved);
        json::write(&run.join(resolved::FILE), &self.resolved)
    }

    pub(super) fn go(
        mut self,
        directory: &RunDirectory,
        common: &Common,
        from: Option<Head>,
        changed: bool,
    ) -> Result<u8> {
        if !common.json {
            self.announce();
        }
        if common.stop_at_eof {
            stop_at_end_of_input();
        }
        let mut show = Show::new(common.json, self.manifest.bodies, self.engine.step());
        let options = RunOptions {
            out: directory.path().to_owned(),
            stop: stop_flag()?,
            stop_at_step: common.stop_at_step,
            progress: &mut |p| show.update(p),
        };
        if common.timing {
            self.engine.time_phases();
        }
        let ended = run_loop(self.scenario, &mut *self.engine, &mut self.manifest, options, from);
        show.close();
        if let Some(timing) = self.engine.timing() {
            show.timing(&timing);
            self.manifest.timing = Some(timing);
            self.manifest.write(directory.path())?;
        }
        let ended = ended?;
        if matches!(ended, Ended::Done(_)) && !self.manifest.ended.is_empty() {
            eprintln!("  {}", self.manifest.ended);
        }
        finish(&ended, directory.path(), common.json, changed)
    }

    fn announce(&self) {
        let (scenario, m) = (self.scenario, &self.manifest);
        eprintln!("{}", heading(scenario));
        eprintln!("  bodies: {}; {} steps of {:.6e} s: {}", m.bodies, m.steps, m.time_step_s, m.time_step_reason);
        eprintln!("  law {}; {}", m.law, m.engine);
        for line in m.collision.iter().flat_map(impact::lines) {
            eprintln!("  {line}");
        }
        m.warnings.iter().for_each(|text| eprintln!("  WARNING: {text}"));
        if !self.device.why.is_empty() {
            eprintln!("  device chosen: {}", self.device.why);
        }
        if self.device.software {
            eprintln!("  WARNING: this is a software adapter, not a GPU; expect a small fraction of a GPU's speed");
        }
    }
}

/// Prints how a run ended; `changed`: keys were changed by `--set`.
fn finish(ended: &Ended, out: &Path, json: bool, changed: bool) -> Result<u8> {
    if json {
        println!("{}", serde_json::json!({ "out": out, "ended": ended }));
    }
    match ended {
        Ended::Stopped(step) => {
            eprintln!("stopped at step {step} with a checkpoint; go on with: breccia resume {}", out.display());
            Ok(75)
        }
        Ended::Done(verdicts) => {
            let missed = verdicts.iter().any(|v| !v.ok);
            if !json {
                verdicts.iter().for_each(print_verdict);
                if missed && changed {
                    eprintln!("the expectations are those of the scenario without --set");
                }
                println!("results: {}", out.display());
            }
            Ok(u8::from(missed))
        }
    }
}

fn print_verdict(v: &Verdict) {
    let value = v.value.map_or("not shown by this run".into(), |x| format!("{x:.6e}"));
    let mark = if v.ok { "ok  " } else { "MISS" };
    println!("{mark} {} = {value}, expected {:.6e} +- {:.1e} ({})", v.quantity, v.expected, v.tolerance, v.source);
}
