//! What the page says of a run: what it is, how far it has come, which frames it has, its series.

use super::run::Run;
use crate::base::error::{Error, Result};
use crate::base::json;
use crate::model::stored::frames::{has_frames, list_frames, number_of, read_time};
use crate::record::files::{lock, manifest, series, sessions};
use crate::record::summary::{pace, status};
use crate::render::colour::{ColourMap, bytes};
use crate::render::viewpoint::{USUAL, vector};
use serde_json::json;
use std::io::{Read, Seek, SeekFrom};

/// Steps of a map of colours, as pages draw them.
const STEPS: u32 = 256;

/// The run as `breccia info --json` tells it, and what the page needs to draw it.
pub fn about(run: &Run) -> Result<String> {
    let maps = ColourMap::NAMES.map(|(name, map)| (name, table(map)));
    let eye = vector(USUAL).map(|d| d.to_array());
    let given = run.given()?;
    json::pretty(&json!({
        "name": run.directory.canonicalize().ok().as_deref().unwrap_or(&run.directory).file_name().map(|n| n.to_string_lossy()),
        "summary": run.summary()?,
        "given": given.key,
        "promised": given.resolved.as_ref().map_or(&[][..], |r| &r.expect),
        "maps": serde_json::Map::from_iter(maps.map(|(name, table)| (name.to_owned(), json!(table)))),
        "eye": eye,
        "asteroid": given.asteroid.as_ref().map(|a| a.surface.name.clone()),
        "walls": !given.walls().is_empty(),
        "materials": given.materials(),
    }))
}

fn table(map: ColourMap) -> Vec<u8> {
    (0..STEPS).flat_map(|k| bytes(map.colour(f64::from(k) / f64::from(STEPS - 1)))).collect()
}

/// Whether the run goes on, how fast, and whether it is still the same.
pub fn state(run: &Run) -> Result<String> {
    for name in [manifest::FILE, sessions::FILE, lock::FILE] {
        run.file(name)?;
    }
    json::pretty(&json!({ "status": status(&run.directory)?, "pace": pace(&run.directory)?, "given": run.key()? }))
}

/// Frames from the number `first` on, with their instants; those that are being written or damaged are left out.
pub fn frames(run: &Run, first: usize) -> Result<String> {
    let list = if has_frames(&run.directory) { list_frames(&run.directory)? } else { vec![] };
    let one = |path: &std::path::PathBuf| {
        let frame = number_of(path).filter(|number| *number >= first)?;
        let (step, time_s) = read_time(&run.folder(frame).ok()?).ok()?;
        Some(json!({ "frame": frame, "step": step, "time_s": time_s }))
    };
    Ok(json!(list.iter().filter_map(one).collect::<Vec<_>>()).to_string())
}

/// The series from a byte on, whole lines alone.
pub fn series(run: &Run, from: u64) -> Result<Vec<u8>> {
    let path = run.file(series::FILE)?;
    if !path.exists() {
        return Ok(vec![]);
    }
    let mut bytes = vec![];
    let read = std::fs::File::open(&path).and_then(|mut file| {
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut bytes)
    });
    read.map_err(|e| Error::io(&path, e))?;
    bytes.truncate(bytes.iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1));
    Ok(bytes)
}
