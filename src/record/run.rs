//! The run loop: drives an engine from event to event, writes rows, frames and checkpoints, judges the end.

mod save;

use super::files::checkpoint::Head;
use super::files::manifest::Manifest;
use super::files::quantities::Quantities;
use super::files::series::Series;
use super::measure::energy_guard::{SAID_FROM, drift};
use super::measure::outcome::{Events, Verdict, judge, outcome};
use super::measure::series::{Baseline, columns, measure};
use crate::base::error::{Error, Result};
use crate::engine::Engine;
use crate::model::body::Bodies;
use crate::model::scenario::{Scenario, SpinUp};
use crate::model::stored::frames::{folder_of, write_frame};
use crate::model::stored::shapes;
use crate::physics::laws::pairs::pair_laws;
use crate::physics::time_step::TimeStep;
use save::Held;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A run directory and how far to go.
pub struct RunOptions<'a> {
    /// run directory
    pub out: PathBuf,
    /// set by a signal: finish the batch, write a checkpoint, stop
    pub stop: &'a AtomicBool,
    /// stop with a checkpoint once this many steps are done
    pub stop_at_step: Option<u64>,
    /// called after every batch: step, steps, simulated time, contacts
    pub progress: &'a mut dyn FnMut(&Progress),
}

/// The state of a run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Progress {
    /// steps done
    pub step: u64,
    /// steps in all
    pub steps: u64,
    /// simulated time (s)
    pub time_s: f64,
    /// contacts in the last row
    pub contacts: f64,
}

/// How a run ended.
#[derive(Debug, Serialize)]
pub enum Ended {
    /// all steps done; what was expected and what came
    Done(Vec<Verdict>),
    /// stopped with a valid checkpoint at this step
    Stopped(u64),
}

/// What the host carries from row to row; part of every checkpoint.
#[derive(Default, Serialize, Deserialize)]
struct Carried {
    baseline: Baseline,
    events: Events,
    /// rotations added so far
    spins: u32,
    /// what the guard on the energy ledger said, once
    #[serde(default)]
    drift: Option<String>,
}

/// Steps of a run.
pub fn steps_of(scenario: &Scenario, dt_s: f64) -> u64 {
    (scenario.run.duration_s / dt_s).ceil() as u64
}

/// A new manifest for a run about to start.
pub fn manifest(scenario: &Scenario, hash: &str, bodies: &Bodies, step: &TimeStep, engine: &dyn Engine) -> Manifest {
    Manifest {
        version: env!("CARGO_PKG_VERSION").into(),
        scenario: scenario.name.clone(),
        scenario_hash: hash.into(),
        seed: scenario.seed,
        engine: engine.describe(),
        law: law_name(scenario, bodies),
        bodies: bodies.len(),
        time_step_s: step.dt_s,
        time_step_reason: step.reason.clone(),
        steps: steps_of(scenario, step.dt_s),
        collision: None,
        status: "running".into(),
        ended: String::new(),
        warnings: vec![],
        timing: None,
    }
}

/// Name of the law between bodies of the first material.
fn law_name(scenario: &Scenario, bodies: &Bodies) -> String {
    pair_laws(scenario, bodies).first().map_or("signorini_coulomb".into(), |law| law.label().into_owned())
}

/// Runs from the engine's present step to the end, to `stop_at_step`, or until `stop` is set.
pub fn run<'a>(
    scenario: &'a Scenario,
    engine: &'a mut dyn Engine,
    manifest: &mut Manifest,
    options: RunOptions<'a>,
    resume: Option<Head>,
) -> Result<Ended> {
    let result = Session::open(scenario, engine, manifest, options, resume).and_then(Session::go);
    let (status, ended) = match &result {
        Ok((Ended::Done(_), note, _)) => ("done", note.clone()),
        Ok((Ended::Stopped(step), ..)) => {
            ("stopped", format!("checkpoint at step {step}; go on with `breccia resume`"))
        }
        Err((e, _)) if e.is_disk_full() => {
            ("stopped", format!("disk full: {e}; free some space and go on with `breccia resume`"))
        }
        Err((e, _)) => ("failed", e.to_string()),
    };
    let out = match &result {
        Ok((.., out)) | Err((_, out)) => out.clone(),
    };
    manifest.status = status.into();
    manifest.ended = ended;
    let written = manifest.write_last(&out);
    let ended = result.map_err(|e| e.0)?.0; // what ended the run matters more than that it cannot be told
    written.map(|()| ended)
}

struct Session<'a, 'm> {
    scenario: &'a Scenario,
    engine: &'a mut dyn Engine,
    options: RunOptions<'a>,
    manifest: &'m mut Manifest,
    steps: u64,
    series: Series,
    rows: Vec<Vec<f64>>,
    carried: Carried,
    frames: usize,
    last_checkpoint: Instant,
    /// the run starts, and does not go on
    fresh: bool,
    /// folders of frames that may not be on the disk yet
    loose: Vec<PathBuf>,
    held: Held,
}

type Outcome<T> = std::result::Result<T, (Error, PathBuf)>;

impl<'a, 'm> Session<'a, 'm> {
    fn open(
        scenario: &'a Scenario,
        engine: &'a mut dyn Engine,
        manifest: &'m mut Manifest,
        options: RunOptions<'a>,
        resume: Option<Head>,
    ) -> Outcome<Session<'a, 'm>> {
        let out = options.out.clone();
        let fresh = resume.is_none();
        let open = || -> Result<_> {
            manifest.write(&out)?;
            let path = out.join("series.csv");
            match resume {
                None => Ok((Series::create(&path, &columns(scenario))?, vec![], Carried::default(), 0)),
                Some(head) => {
                    let (series, rows) = Series::resume(&path, &columns(scenario), head.rows)?;
                    let carried =
                        serde_json::from_value(head.host).map_err(|e| Error::Data(format!("checkpoint: {e}")))?;
                    Ok((series, rows, carried, head.frames))
                }
            }
        };
        let (series, rows, carried, frames) = open().map_err(|e| (e, out))?;
        manifest.warnings.extend(carried.drift.clone());
        Ok(Session {
            scenario,
            engine,
            steps: manifest.steps,
            manifest,
            options,
            series,
            rows,
            carried,
            frames,
            last_checkpoint: Instant::now(),
            fresh,
            loose: vec![],
            held: Held::default(),
        })
    }

    /// Also what the manifest says of the end of a run that is done.
    fn go(mut self) -> Outcome<(Ended, String, PathBuf)> {
        let out = self.options.out.clone();
        match self.walk() {
            Ok(ended) => Ok((ended, self.note(), out)),
            Err(e) => {
                self.rescue(&e);
                Err((e, out))
            }
        }
    }

    fn at_rest(&self) -> Option<String> {
        self.carried.events.at_rest(self.scenario)
    }

    fn note(&self) -> String {
        let missed = || format!("not at rest by run.duration_s = {}", self.scenario.run.duration_s);
        self.scenario.run.stop_when.map_or_else(String::new, |_| self.at_rest().unwrap_or_else(missed))
    }

    fn walk(&mut self) -> Result<Ended> {
        let steps = self.steps;
        if self.fresh {
            self.checkpoint()?; // before all else, so that there is something to go on from whatever comes
        }
        self.spin_if_due()?;
        self.write_due()?;
        while self.engine.step() < steps && self.at_rest().is_none() {
            let target = self.next_event();
            while self.engine.step() < target {
                if self.options.stop.load(Ordering::SeqCst) {
                    return self.stop();
                }
                self.engine.advance(target)?;
                self.report();
                if self.engine.step() < target {
                    self.checkpoint_if_due()?;
                }
            }
            self.spin_if_due()?;
            self.write_due()?;
            // After the row: measuring it changes the state that a checkpoint holds.
            self.checkpoint_if_due()?;
            if self.options.stop_at_step.is_some_and(|s| self.engine.step() >= s) && self.engine.step() < steps {
                return self.stop();
            }
        }
        self.checkpoint()?;
        let found = outcome(&self.rows, &self.carried.events, self.scenario);
        let verdicts = judge(self.scenario, &found);
        Quantities::new(&found, &verdicts).write(&self.options.out)?;
        Ok(Ended::Done(verdicts))
    }

    fn stop(&mut self) -> Result<Ended> {
        self.checkpoint()?;
        Ok(Ended::Stopped(self.engine.step()))
    }

    fn report(&mut self) {
        let step = self.engine.step();
        let contacts = self.rows.last().map_or(0.0, |r| r[super::measure::series::column("contacts")]);
        let time_s = step as f64 * self.engine.time_step_s();
        (self.options.progress)(&Progress { step, steps: self.steps, time_s, contacts });
    }

    /// Step of output number `k` of `count` spread over the run.
    fn step_of(&self, k: usize, count: usize) -> u64 {
        (u128::from(self.steps) * k as u128 / count.max(1) as u128) as u64
    }

    fn next_event(&self) -> u64 {
        let row = self.step_of(self.rows.len(), self.scenario.output.series_rows);
        let frame = self.step_of(self.frames, self.scenario.output.frames);
        let stop = self.options.stop_at_step.filter(|s| *s > self.engine.step()).unwrap_or(u64::MAX);
        row.min(frame).min(stop).min(self.spin_step()).clamp(self.engine.step() + 1, self.steps)
    }

    /// Step before which the next rotation is added.
    fn spin_step(&self) -> u64 {
        let every = |s: &SpinUp| {
            ((s.start_s + s.interval_s * f64::from(self.carried.spins)) / self.engine.time_step_s()).round() as u64
        };
        self.scenario.spin_up.as_ref().map_or(u64::MAX, every)
    }

    fn spin_if_due(&mut self) -> Result<()> {
        let Some(spin) = self.scenario.spin_up.filter(|_| self.engine.step() >= self.spin_step()) else {
            return Ok(());
        };
        let first = self.carried.spins == 0;
        let added = self.engine.spin(if first { spin.initial_rad_s } else { spin.increment_rad_s })?;
        self.carried.baseline.add(&added);
        self.carried.spins += 1;
        Ok(())
    }

    fn write_due(&mut self) -> Result<()> {
        let step = self.engine.step();
        let output = &self.scenario.output;
        let row_due =
            self.rows.len() <= output.series_rows && step >= self.step_of(self.rows.len(), output.series_rows);
        let frame_due = self.frames <= output.frames && step >= self.step_of(self.frames, output.frames);
        if !row_due && !frame_due {
            return Ok(());
        }
        let snapshot = self.engine.snapshot()?;
        let mut ends = false;
        if row_due {
            let row = measure(&snapshot, self.scenario, &mut self.carried.baseline);
            self.carried.events.observe(&snapshot, self.scenario);
            self.series.push(&row)?;
            self.engine.restart_counts()?;
            self.rows.push(row);
            ends = self.at_rest().is_some();
        }
        let drifts = if row_due { self.drift_too_far(ends)? } else { None };
        if frame_due || ends {
            if let Some(polyhedra) = snapshot.bodies.polyhedra.as_ref().filter(|_| self.frames == 0) {
                shapes::write(&self.options.out, polyhedra)?;
                self.loose.push(self.options.out.join(shapes::FOLDER));
            }
            write_frame(&self.options.out, self.frames, &snapshot, output.contacts)?;
            self.loose.push(folder_of(&self.options.out, self.frames));
            self.frames += 1;
        }
        match drifts {
            None => Ok(()),
            Some(guard) => {
                self.checkpoint()?;
                Err(guard)
            }
        }
    }

    /// Judges the energy ledger: what it is by now said once, in the log and in the manifest; the error that stops a run
    /// with such a guard. `ends`: this row is the last.
    fn drift_too_far(&mut self, ends: bool) -> Result<Option<Error>> {
        let step = self.engine.step();
        let found = drift(&self.rows, self.scenario, ends || step >= self.steps);
        let Some(found) = found.filter(|d| d.share > SAID_FROM.min(self.energy_limit())) else { return Ok(None) };
        if self.carried.drift.is_none() {
            let text = found.text();
            tracing::warn!("{text}; the numbers of this run may be wrong: docs/user/scenarios.md#energy-guard");
            self.manifest.warnings.push(text.clone());
            self.manifest.write(&self.options.out)?;
            self.carried.drift = Some(text);
        }
        let limit = self.energy_limit();
        Ok((found.share > limit).then(|| Error::energy(step, &found.text(), limit)))
    }

    fn energy_limit(&self) -> f64 {
        self.scenario.guards.energy_residual_max.unwrap_or(f64::INFINITY)
    }
}
