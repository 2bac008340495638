//! Finds the point from which a run goes on: the newest checkpoint that is whole, with all that it counts on.

use super::checkpoint::{Head, State};
use super::{checkpoint, parts, series};
use crate::base::error::{Error, Result};
use crate::base::{checksums, disk};
use crate::model::stored::frames::{folder_of, list_frames, number_of};
use crate::model::stored::names::FRAMES;
use std::path::{Path, PathBuf};

/// The point from which a run goes on.
#[derive(Debug)]
pub struct Point {
    /// the checkpoint
    pub path: PathBuf,
    /// what it says of itself
    pub head: Head,
    /// what it holds
    pub state: State,
    /// newer checkpoints, and what is wrong with each or with the files it counts on
    pub passed_over: Vec<(PathBuf, String)>,
}

/// Finds it; `damaged_frames`: frames may be as they are, as long as the series is whole.
pub fn point(run: &Path, damaged_frames: bool) -> Result<Point> {
    let mut passed_over = vec![];
    for path in checkpoint::list(run).into_iter().rev() {
        match checkpoint::read(&path) {
            Ok((head, state)) => match missing(run, &head, damaged_frames) {
                None => return Ok(Point { path, head, state, passed_over }),
                Some(what) => passed_over.push((path, what)),
            },
            Err(e) => passed_over.push((path, e.to_string())),
        }
    }
    Err(Error::Data(nothing(run, &passed_over)))
}

/// What a checkpoint counts on and the run does not have.
fn missing(run: &Path, head: &Head, damaged_frames: bool) -> Option<String> {
    let series = series::fault(&run.join(series::FILE), head.rows, &head.series);
    let frame = |k: usize| checksums::fault(&folder_of(run, k));
    series.or_else(|| if damaged_frames { None } else { (0..head.frames).find_map(frame) })
}

fn nothing(run: &Path, passed_over: &[(PathBuf, String)]) -> String {
    let run = run.display();
    let restart =
        format!("`breccia resume {run} --restart` makes the run again from the scenario and the inputs that it keeps");
    if passed_over.is_empty() {
        return format!("{run}: there is no checkpoint; {restart}");
    }
    let line = |(path, what): &(PathBuf, String)| format!("\n  {}: {what}", path.display());
    let lines: String = passed_over.iter().map(line).collect();
    format!(
        "{run}: there is no valid checkpoint with all its rows and frames:{lines}\n{restart}; if only frames are damaged, `--damaged-frames` goes on and leaves them as they are"
    )
}

impl Point {
    /// Removes the newer checkpoints and frames of a run: what they count on is about to be made again.
    pub fn settle(&self, run: &Path) -> Result<()> {
        for (path, _) in &self.passed_over {
            std::fs::remove_file(path).map_err(|e| Error::io(path, e))?;
        }
        let is_newer = |frame: &&PathBuf| number_of(frame).is_some_and(|k| k >= self.head.frames);
        let frames = if run.join(FRAMES).is_dir() { list_frames(run)? } else { vec![] };
        frames.iter().filter(is_newer).try_for_each(|frame| disk::remove(frame))
    }
}

/// Removes what a run that was cut off was about to write.
pub fn tidy(run: &Path) -> Result<()> {
    for name in parts::under_way() {
        disk::remove(&run.join(name).with_extension("tmp"))?;
    }
    for folder in [FRAMES, checkpoint::FOLDER, super::inputs::FOLDER] {
        for entry in std::fs::read_dir(run.join(folder)).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|e| e == "tmp") {
                disk::remove(&entry.path())?;
            }
        }
    }
    Ok(())
}
