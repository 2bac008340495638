//! `breccia resume`.

use super::run::{Common, drive};
use super::signals::stop_flag;
use breccia::base::error::Result;
use breccia::record::run::{ResumeOptions, Resumed, Run};
use std::path::PathBuf;

/// Go on from the newest valid checkpoint of a run
#[derive(clap::Args)]
pub(super) struct Args {
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
pub(super) fn run(args: Args) -> Result<u8> {
    stop_flag()?;
    let limit = args.common.limit();
    let Args { kept_inputs, damaged_frames, restart, .. } = args;
    let options = ResumeOptions { kept_inputs, damaged_frames, restart, session: args.common.session() };
    let run = Run::resume_with(&args.dir, options.clone())?;
    if let Some(resumed) = run.resumed() {
        announce(resumed, run.steps());
    }
    drive(run, &args.common, &options, limit)
}

fn announce(resumed: &Resumed, steps: u64) {
    for (newer, what) in &resumed.passed_over {
        eprintln!("passed over {}: {what}", newer.display());
    }
    let left = steps.saturating_sub(resumed.step);
    eprintln!("resume {} at step {}, {left} steps to go", resumed.path.display(), resumed.step);
    for fault in &resumed.written_again {
        eprintln!("made again: {fault}");
    }
}
