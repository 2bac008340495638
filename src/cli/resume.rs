//! `breccia resume`.

use super::recorded::{Recorded, SOURCE_FILE, recorded};
use super::run::{Common, Start};
use super::signals::stop_flag;
use breccia::base::error::{Error, Result};
use breccia::base::{checksums, disk};
use breccia::model::stored::shapes;
use breccia::record::files::directory::RunDirectory;
use breccia::record::files::recover::Point;
use breccia::record::files::{inputs, recover};
use std::path::{Path, PathBuf};

/// Go on from the newest valid checkpoint of a run
#[derive(clap::Args)]
pub struct Args {
    /// Run directory
    dir: PathBuf,
    /// Go on with the inputs that the run keeps where the originals have changed
    #[arg(long)]
    kept_inputs: bool,
    /// Leave damaged frames from before the checkpoint as they are
    #[arg(long, conflicts_with = "restart")]
    damaged_frames: bool,
    /// Begin again at step 0 with the scenario and the inputs that the run keeps; all else that it left is removed
    #[arg(long)]
    restart: bool,
    #[command(flatten)]
    common: Common,
}

/// `breccia resume`.
pub fn run(args: Args) -> Result<u8> {
    stop_flag()?;
    let dir = &args.dir;
    let directory = RunDirectory::resume(dir, args.common.patience())?;
    let Recorded { scenario, settings, inputs } = recorded(dir)?;
    let Some(inputs) = inputs else {
        return Err(Error::Data(format!(
            "{}: is missing: the run was made by another version, which kept no inputs; make it again with `breccia run`",
            dir.join(inputs::FILE).display()
        )));
    };
    if !args.kept_inputs {
        inputs::unchanged(dir, &inputs)?;
    }
    let changed = !settings.set.is_empty();
    if args.restart {
        let mut start = Start::new(&scenario, settings.engine, &args.common)?;
        directory.restart()?;
        start.resolve(dir, &inputs)?;
        return start.go(&directory, &args.common, None, changed);
    }
    let point = recover::point(dir, args.damaged_frames)?;
    let mut start = Start::new(&scenario, settings.engine, &args.common)?;
    restore(&mut start, dir, &point)?;
    start.go(&directory, &args.common, Some(point.head), changed)
}

/// Takes up a run at a checkpoint.
fn restore(start: &mut Start, run: &Path, point: &Point) -> Result<()> {
    let (path, head) = (point.path.display(), &point.head);
    if head.scenario != start.manifest.scenario_hash {
        return Err(Error::Usage(format!(
            "{path}: belongs to another scenario than {SOURCE_FILE}, settings.json and inputs; restore those files, or make the run of what is there with `breccia resume {} --restart`",
            run.display()
        )));
    }
    start.engine.restore(&point.state).map_err(|e| match e {
        Error::Data(what) => Error::Data(format!("{path}: {what}")),
        other => other,
    })?;
    if start.engine.step() != head.step {
        let (found, said) = (start.engine.step(), head.step);
        return Err(Error::Data(format!(
            "{path}: holds the state of step {found}, but its head says step {said}; run again"
        )));
    }
    // The checkpoint may bring another solver than the one that suits this device.
    start.manifest.engine = start.engine.describe();
    for (newer, what) in &point.passed_over {
        eprintln!("passed over {}: {what}", newer.display());
    }
    let left = start.manifest.steps.saturating_sub(head.step);
    eprintln!("resume {path} at step {}, {left} steps to go", head.step);
    let folder = run.join(shapes::FOLDER);
    if let Some(polyhedra) = start.polyhedra.as_ref().filter(|_| head.frames > 0)
        && let Some(fault) = checksums::fault(&folder)
    {
        eprintln!("made again: {fault}");
        shapes::write(run, polyhedra)?;
        disk::sync_tree(&folder)?;
    }
    point.settle()
}
