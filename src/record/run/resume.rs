//! Takes a run up again from its directory.

use super::Run;
use super::open::Start;
use super::opened::Resumed;
use super::options::ResumeOptions;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::{checksums, disk};
use crate::model::output::Constants;
use crate::model::snapshot::Snapshot;
use crate::model::stored::frame_arrays::FOLDER;
use crate::model::stored::frames::write_constants;
use crate::model::stored::shapes;
use crate::record::files::directory::RunDirectory;
use crate::record::files::inputs;
use crate::record::files::manifest::Manifest;
use crate::record::files::recover::{self, Point};
use crate::record::files::settings::{Opened, SOURCE_FILE};
use std::path::Path;

impl Run {
    /// Takes up the run in this directory at its newest valid checkpoint.
    pub fn resume(directory: impl AsRef<Path>) -> Result<Run> {
        Run::resume_with(directory, ResumeOptions::default())
    }

    /// Takes it up with these options.
    pub fn resume_with(directory: impl AsRef<Path>, options: ResumeOptions) -> Result<Run> {
        let (dir, session) = (directory.as_ref(), &options.session);
        let directory = RunDirectory::resume(dir, session.patience)?;
        let Opened { scenario, settings, inputs } = Opened::read(dir)?;
        let Some(inputs) = inputs else {
            return Err(Fault::new("is missing: the run was made by another version, which kept no inputs")
                .remedy("make it again with `breccia run`")
                .file(dir.join(inputs::FILE).display().to_string())
                .data());
        };
        if !options.kept_inputs {
            inputs::unchanged(dir, &inputs)?;
        }
        let law = Manifest::read_if_there(dir).ok().flatten().map(|before| before.law);
        let start = || -> Result<Start> {
            let mut start = Start::new(scenario, settings.engine, session)?;
            start.manifest.inputs = inputs::sums(&inputs);
            // the copy of an own law has no name of its own
            law.into_iter().for_each(|law| start.manifest.law = law);
            Ok(start)
        };
        if options.restart {
            let mut start = start()?;
            directory.restart()?;
            start.resolve(dir, &inputs)?;
            let mut run = start.run(session.stop_at_step, None);
            run.attach(directory, None)?;
            return Ok(run);
        }
        let point = recover::point(dir, options.damaged_frames)?;
        let mut start = start()?;
        let resumed = restore(&mut start, dir, &point)?;
        let (before, now, step) = (point.head.engine.clone(), start.manifest.engine.clone(), point.head.step);
        let mut run = start.run(session.stop_at_step, Some(resumed));
        run.attach(directory, Some(point.head))?;
        if before != now {
            let text = format!("from step {step} on the run goes on with other arithmetic: {now}; before, {before}");
            run.warn(&text, "for results that repeat, resume it where it began, or begin it again with --restart")?;
        }
        Ok(run)
    }
}

/// Gives the engine the state of a checkpoint.
fn restore(start: &mut Start, run: &Path, point: &Point) -> Result<Resumed> {
    let (path, head) = (point.path.display(), &point.head);
    if head.scenario != start.manifest.scenario_hash {
        return Err(Fault::new(format!("belongs to another scenario than {SOURCE_FILE}, settings.json and inputs"))
            .remedy(format!(
                "restore those files, or make the run of what is there with `breccia resume {} --restart`",
                run.display()
            ))
            .file(path.to_string())
            .into());
    }
    start.engine.restore(&point.state).map_err(|e| match e {
        Error::Data(what) => Fault::new(what).file(path.to_string()).data(),
        other => other,
    })?;
    if start.engine.step() != head.step {
        let (found, said) = (start.engine.step(), head.step);
        return Err(Fault::new(format!("holds the state of step {found}, but its head says step {said}"))
            .remedy("run again")
            .file(path.to_string())
            .data());
    }
    // The checkpoint may bring another solver than the one that suits this device.
    start.manifest.engine = start.engine.describe();
    let written_again = if head.frames > 0 { unchanging(start, run)? } else { vec![] };
    point.settle(run)?;
    let passed_over = point.passed_over.clone();
    Ok(Resumed { path: point.path.clone(), step: head.step, passed_over, written_again })
}

/// Writes again what frames count on and is damaged or missing: shapes, and what never changes of the bodies. Says what was
/// wrong.
fn unchanging(start: &Start, run: &Path) -> Result<Vec<String>> {
    let mut faults = vec![];
    let folder = run.join(shapes::FOLDER);
    if let Some(polyhedra) = &start.bodies.polyhedra
        && let Some(fault) = checksums::fault(&folder)
    {
        shapes::write(run, polyhedra)?;
        disk::sync_tree(&folder)?;
        faults.push(fault);
    }
    let folder = run.join(FOLDER);
    if start.scenario.output.form.constants == Constants::Once
        && let Some(fault) = checksums::fault(&folder)
    {
        // not of the engine: it would give its losses, which belong to the next row
        write_constants(run, &Snapshot { bodies: start.bodies.clone(), ..Snapshot::default() })?;
        disk::sync_tree(&folder)?;
        faults.push(fault);
    }
    Ok(faults)
}
