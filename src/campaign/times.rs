//! `wall_times.csv`: how long every process of a campaign took. Kept apart from what repeats byte by byte.

use super::former;
use super::model::Case;
use super::paths::WALL_TIMES;
use crate::base::error::{Error, Result};
use crate::base::input;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Its first line.
const HEAD: &str = "case,name,command,exit_code,wall_s\n";

/// What every case took to run, by its name (s). Measuring does not count.
pub fn spent(directory: &Path) -> Result<BTreeMap<String, f64>> {
    let path = directory.join(WALL_TIMES);
    let text = if path.exists() { input::read_data_text(&path)? } else { String::new() };
    let mut spent = BTreeMap::new();
    for cells in text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()) {
        if let [_, name, "run" | "resume", _, wall] = cells[..] {
            *spent.entry(former::name(name)).or_insert(0.0) += wall.parse::<f64>().unwrap_or(0.0);
        }
    }
    Ok(spent)
}

/// Appends a row: what ran, its exit code (empty after a signal) and its wall time.
pub fn note(directory: &Path, case: &Case, command: &str, code: Option<i32>, wall_s: f64) -> Result<()> {
    let path = directory.join(WALL_TIMES);
    let code = code.map_or(String::new(), |c| c.to_string());
    let text = format!("{},{},{command},{code},{wall_s:.3}\n", case.index, case.name);
    // Of several processes that come at once one makes the file.
    let make = || match File::options().append(true).create_new(true).open(&path) {
        Ok(mut made) => made.write_all(HEAD.as_bytes()),
        Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(e) => Err(e),
    };
    // One write, so that rows of processes of one machine do not mix.
    let append = || File::options().append(true).open(&path)?.write_all(text.as_bytes());
    make().and_then(|()| append()).map_err(|e| Error::io(path, e))
}
