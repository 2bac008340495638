//! Opens a run: from a scenario to its bodies, engine, manifest and directory.

use super::carried::Carried;
use super::opened::Resumed;
use super::options::{IntoScenario, RunOptions, SessionOptions};
use super::store::Store;
use super::{Run, failure};
use crate::base::disk::write_atomic;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::base::steps::steps_until;
use crate::base::version::version;
use crate::engine::Engine;
use crate::engine::open::{EngineKind, in_f64, on_gpu};
use crate::engine::resolved::resolved;
use crate::gpu::device::Gpu;
use crate::gpu::threads;
use crate::model::body::Bodies;
use crate::model::scenario::{Scenario, Source};
use crate::model::stored::resolved as resolved_file;
use crate::physics::laws::pairs::pair_laws;
use crate::physics::measure::columns::columns;
use crate::record::check::{Estimate, check};
use crate::record::files::checkpoint::Head;
use crate::record::files::directory::RunDirectory;
use crate::record::files::inputs::{self, Input};
use crate::record::files::manifest::Manifest;
use crate::record::files::series::{self, Series};
use crate::record::files::sessions::{Adapter, Present};
use crate::record::files::settings;
use crate::record::files::status::RunStatus;
use crate::record::files::timing::Timed;
use crate::record::idle;
use crate::record::warnings::contact_warning;
use crate::scenario::as_run;
use crate::scenario::generate::arranged;
use crate::scenario::inputs::Sums;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// A run that has everything but its directory.
pub(super) struct Start {
    pub scenario: Scenario,
    resolved: Scenario,
    pub engine: Box<dyn Engine>,
    pub manifest: Manifest,
    pub bodies: Bodies,
    /// of what the scenario names
    sums: Sums,
    adapter: Option<Adapter>,
    session: Present,
}

impl Start {
    pub(super) fn new(mut scenario: Scenario, engine: EngineKind, options: &SessionOptions) -> Result<Start> {
        options.check(engine)?;
        let session = Present::begin();
        let mut sums = Sums::default();
        // Taken before the inputs are read, so that a change in between is noticed when they are kept. If one cannot be
        // read, `arranged` has the better message.
        let hash = sums.fingerprint(&scenario);
        let (bodies, collision) = arranged(&mut scenario)?;
        let Estimate { time_step: step, mut warnings, .. } = check(&scenario, &bodies)?;
        warnings.extend(contact_warning(&scenario, collision.as_ref()));
        warnings.extend(idle::of_engine(&scenario, engine));
        let (mut opened, adapter) = open_engine(engine, &scenario, options, &bodies, step.dt_s)?;
        if options.timing {
            opened.time_phases();
        }
        let software = adapter.as_ref().is_some_and(|a| a.software);
        let resolved = resolved(engine, &scenario, &bodies, step.dt_s, software);
        let threads = adapter.as_ref().and_then(|a| a.threads);
        let manifest =
            Manifest { collision, threads, warnings, ..manifest(&scenario, hash?, &bodies, &step.reason, &*opened) };
        Ok(Start { scenario, resolved, engine: opened, manifest, bodies, sums, adapter, session })
    }

    /// Notes the inputs, and writes `resolved.toml` and `resolved.json`, in which they have the names that the run keeps them
    /// by.
    pub(super) fn resolve(&mut self, run: &Path, inputs: &[Input]) -> Result<()> {
        if let Some(source) = &self.scenario.source {
            let text = as_run::text(source, &self.scenario, &inputs::as_typed(inputs))?;
            write_atomic(&run.join(settings::AS_RUN_FILE), text.as_bytes())?;
        }
        inputs::tell(inputs, &mut self.resolved);
        json::write(&run.join(resolved_file::FILE), &self.resolved)
    }

    /// The run, before its first step or at a checkpoint.
    pub(super) fn run(self, stop_at_step: Option<u64>, resumed: Option<Resumed>) -> Run {
        Run {
            scenario: self.scenario,
            engine: self.engine,
            manifest: self.manifest,
            adapter: self.adapter,
            session: self.session,
            store: None,
            stop_at_step,
            resumed,
            timed: None,
            begun: false,
            rows: vec![],
            carried: Carried::default(),
            frames: 0,
            failed: None,
        }
    }
}

fn open_engine(
    engine: EngineKind,
    scenario: &Scenario,
    options: &SessionOptions,
    bodies: &Bodies,
    dt_s: f64,
) -> Result<(Box<dyn Engine>, Option<Adapter>)> {
    if engine == EngineKind::Reference {
        return Ok((in_f64(scenario, bodies, dt_s)?, None));
    }
    let gpu = options.open_gpu(scenario, bodies)?;
    let adapter = adapter(&gpu);
    Ok((on_gpu(gpu, scenario, bodies, dt_s, options.sources())?, Some(adapter)))
}

fn adapter(gpu: &Gpu) -> Adapter {
    let info = &gpu.info;
    Adapter {
        name: info.name.clone(),
        kind: format!("{:?}", info.device_type),
        backend: format!("{:?}", info.backend),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        pci: Some(info.device_pci_bus_id.clone()).filter(|pci| !pci.is_empty()),
        software: gpu.is_software(),
        threads: threads::taken(info),
        why: gpu.why.clone(),
    }
}

/// The manifest of a run about to start; `reason`: where its time step comes from.
fn manifest(scenario: &Scenario, hash: String, bodies: &Bodies, reason: &str, engine: &dyn Engine) -> Manifest {
    Manifest {
        version: version().into(),
        scenario: scenario.name.clone(),
        scenario_hash: hash,
        inputs: BTreeMap::new(),
        seed: scenario.seed,
        engine: engine.describe(),
        threads: None,
        law: law_name(scenario, bodies),
        bodies: bodies.len(),
        time_step_s: engine.time_step_s(),
        time_step_reason: reason.into(),
        steps: steps_until(scenario.run.duration_s, engine.time_step_s()),
        collision: None,
        status: RunStatus::Running,
        ended: String::new(),
        warnings: vec![],
    }
}

/// Name of the law between bodies of the first material.
fn law_name(scenario: &Scenario, bodies: &Bodies) -> String {
    pair_laws(scenario, bodies).first().map_or("signorini_coulomb".into(), |law| law.label().into_owned())
}

/// How a run is opened.
impl Run {
    /// Opens a run in memory on the fastest GPU: of a [`Scenario`], of the path of its file, or of the name of a built-in
    /// one.
    pub fn open(scenario: impl IntoScenario) -> Result<Run> {
        Run::open_with(scenario, RunOptions::default())
    }

    /// Opens a run with these options.
    pub fn open_with(scenario: impl IntoScenario, options: RunOptions) -> Result<Run> {
        let scenario = scenario.into_scenario()?;
        // As it is now: a start lets walls touch the bodies.
        let source = options.directory.as_ref().map(|_| unchanged(&scenario)).transpose()?;
        let (engine, session) = (options.engine, &options.session);
        let mut start = Start::new(scenario, engine, session)?;
        let (Some(out), Some(source)) = (&options.directory, source) else {
            return Ok(start.run(session.stop_at_step, None));
        };
        let inputs = inputs::of(&start.scenario, &mut start.sums)?;
        start.manifest.inputs = inputs::sums(&inputs);
        if options.overwrite {
            inputs::refuse_replaced(out, &inputs)?;
        }
        // Only now, when the run can start, may it replace another.
        let directory = RunDirectory::create(out, options.overwrite, session.patience)?;
        settings::write(out, &source, engine)?;
        inputs::keep(out, &inputs)?;
        start.resolve(out, &inputs)?;
        let mut run = start.run(session.stop_at_step, None);
        run.attach(directory, None)?;
        Ok(run)
    }

    /// A run of `bodies` on an engine of your own, which holds as many, in memory or with series, frames and checkpoints in
    /// `directory`, which must not hold a run. Only runs that were opened from a scenario's text can be resumed.
    pub fn with_engine(
        scenario: &Scenario,
        bodies: &Bodies,
        mut engine: Box<dyn Engine>,
        directory: Option<&Path>,
    ) -> Result<Run> {
        let refuse = |what: String| Err(Error::Usage(format!("{}: {what}", scenario.name)));
        let (dt_s, held) = (engine.time_step_s(), engine.snapshot()?.bodies.len());
        if !(dt_s.is_finite() && dt_s > 0.0) {
            return refuse(format!("the engine has a time step of {dt_s} s; it must be above 0"));
        }
        if held != bodies.len() {
            return refuse(format!(
                "the engine holds {held} bodies, and the run is of {}; give it the same",
                bodies.len()
            ));
        }
        let mut sums = Sums::default();
        let hash = sums.fingerprint(scenario)?;
        let manifest = manifest(scenario, hash, bodies, "that of the engine", &*engine);
        let (resolved, bodies) = (scenario.clone(), bodies.clone());
        let (scenario, session) = (scenario.clone(), Present::begin());
        let start = Start { scenario, resolved, engine, manifest, bodies, sums, adapter: None, session };
        let directory = directory.map(|out| RunDirectory::create(out, false, Duration::ZERO)).transpose()?;
        if let Some(directory) = &directory {
            json::write(&directory.path().join(resolved_file::FILE), &start.resolved)?;
        }
        let mut run = start.run(None, None);
        directory.map_or(Ok(()), |directory| run.attach(directory, None))?;
        Ok(run)
    }

    /// Writes to this directory from now on. `from`: the checkpoint that the run goes on from.
    pub(super) fn attach(&mut self, directory: RunDirectory, from: Option<Head>) -> Result<()> {
        let out = directory.path().to_owned();
        // times behind the checkpoint were taken of steps that are computed again
        self.timed = from.as_ref().and_then(|head| Timed::read(&out).ok()?.filter(|t| t.to_step <= head.step));
        let opened = self.manifest.write(&out).and_then(|()| self.series(&out, from));
        let opened = opened.inspect_err(|e| {
            let (status, ended) = failure(e);
            (self.manifest.status, self.manifest.ended) = (status, ended);
            // The error itself matters more than a manifest that cannot be written.
            let _ = self.manifest.write_last(&out);
        });
        self.session.take_up(&out, self.steps_done(), self.adapter.as_ref());
        self.store = Some(Store::new(directory, opened?, self.steps_done()));
        self.note(false);
        Ok(())
    }

    /// The file of the series, with the rows before a checkpoint taken back.
    fn series(&mut self, out: &Path, from: Option<Head>) -> Result<Series> {
        let (path, columns) = (out.join(series::FILE), columns(&self.scenario));
        let Some(head) = from else { return Series::create(&path, &columns) };
        let (series, rows) = Series::resume(&path, &columns, head.rows)?;
        self.carried = serde_json::from_value(head.host).map_err(|e| Error::Data(format!("checkpoint: {e}")))?;
        (self.rows, self.frames) = (rows, head.frames);
        self.manifest.warnings.extend(self.carried.told.iter().cloned());
        Ok(series)
    }
}

/// The text that a scenario was read from, which a run directory keeps; refuses one that says something else by now.
fn unchanged(scenario: &Scenario) -> Result<Source> {
    let refuse = |what: &str| {
        Err(Error::Usage(format!(
            "{}: a run directory keeps the text of its scenario, and this scenario {what}; read it with Scenario::from_toml and change keys with Scenario::with, or leave the directory out",
            scenario.name
        )))
    };
    let Some(source) = &scenario.source else { return refuse("was not read from a text") };
    if !scenario.is_as_read(source)? {
        return refuse("was changed after it was read");
    }
    Ok(source.clone())
}
