//! `SHA256SUMS`: what the files of a folder hold, as `sha256sum --check` reads it.

use super::error::{Error, Result};
use super::input;
use super::sha256::of_file;
use std::path::Path;

/// Name of the file.
pub const FILE: &str = "SHA256SUMS";
/// Its last line, a comment: a file cut between two lines lacks it.
const END: &str = "# end\n";

/// Writes the checksums of all files of a folder into that folder.
pub fn write(folder: &Path) -> Result<()> {
    let fault = |e| Error::io(folder, e);
    let entries: std::io::Result<Vec<_>> = std::fs::read_dir(folder).map_err(fault)?.collect();
    let mut names: Vec<String> =
        entries.map_err(fault)?.iter().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|n| n != FILE);
    names.sort();
    let line = |name: &String| -> Result<String> { Ok(format!("{}  {name}\n", of(&folder.join(name))?)) };
    let lines: Result<String> = names.iter().map(line).collect();
    let path = folder.join(FILE);
    std::fs::write(&path, lines? + END).map_err(|e| Error::io(path, e))
}

/// The first thing that is wrong with a folder of [`write()`], if anything is.
pub fn fault(folder: &Path) -> Option<String> {
    let fault = |what: &str, path: &Path| Some(format!("{}: {what}", path.display()));
    let list = folder.join(FILE);
    let Ok(text) = input::read_data_text(&list) else { return fault("is missing or unreadable", &list) };
    let Some(text) = text.strip_suffix(END) else { return fault("is cut short", &list) };
    text.lines().find_map(|line| {
        let Some((sum, name)) = line.split_once("  ").filter(|(_, name)| !name.contains(['/', '\\'])) else {
            return fault("is damaged", &list);
        };
        let path = folder.join(name);
        match of(&path) {
            Err(_) => fault("is missing or unreadable", &path),
            Ok(found) if found != sum => fault("is damaged: its checksum differs", &path),
            Ok(_) => None,
        }
    })
}

fn of(path: &Path) -> Result<String> {
    of_file(path, |_| Ok(())).map(|(sum, _)| sum)
}
