//! Strings pictures into a movie by ffmpeg, where it is installed.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes `movie` from the pictures `folder`/NNNNNN.png, numbered without a gap from `first`. False, with nothing done,
/// if there is no ffmpeg on the PATH.
pub fn make(folder: &Path, first: usize, movie: &Path) -> Result<bool> {
    let run = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-framerate", "15", "-start_number", &first.to_string(), "-i"])
        .arg(folder.join("%06d.png"))
        // H.264 wants even sides and this pixel format to play everywhere.
        .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"])
        .arg(movie)
        .stdin(Stdio::null())
        .output();
    match run {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(Error::io(movie, e)),
        Ok(done) if done.status.success() => Ok(true),
        Ok(done) => Err(Fault::new(format!("ffmpeg failed: {}", String::from_utf8_lossy(&done.stderr).trim()))
            .path(movie)
            .data()),
    }
}
