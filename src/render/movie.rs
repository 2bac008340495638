//! Strings pictures into a movie: by ffmpeg where it is installed, else as an animated GIF.

use crate::base::disk;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Pictures a second.
const RATE: u32 = 15;

/// Makes `movie` from these pictures, `folder`/NNNNNN.png, numbered without a gap from `first`; others that are there,
/// of a call before, are not taken. False, with nothing done, if there is no ffmpeg on the PATH.
pub fn make(folder: &Path, first: usize, pictures: usize, movie: &Path) -> Result<bool> {
    let run = Command::new("ffmpeg")
        .args(["-y", "-loglevel", "error", "-framerate", &RATE.to_string(), "-start_number", &first.to_string(), "-i"])
        .arg(folder.join("%06d.png"))
        .args(["-frames:v", &pictures.to_string()])
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

/// Makes an animated GIF of PNG files, which has 256 colours a picture and needs no other program.
pub fn animate(pictures: &[PathBuf], movie: &Path) -> Result<()> {
    disk::write_new_in_parts(movie, true, |file| {
        let mut encoder = GifEncoder::new_with_speed(file, 10);
        encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        for path in pictures {
            let lost = |e: image::ImageError| io::Error::other(format!("{}: {e}", path.display()));
            let picture = image::open(path).map_err(lost)?.to_rgba8();
            encoder
                .encode_frame(Frame::from_parts(picture, 0, 0, Delay::from_numer_denom_ms(1000, RATE)))
                .map_err(io::Error::other)?;
        }
        Ok(())
    })
}
