//! `SHA256SUMS`: what the files of a folder hold, as `sha256sum --check` reads it.

use super::error::{Error, Result};
use super::fault::Fault;
use super::input;
use super::sha256::{of_file, sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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

/// The checksums of a folder, against which what is read of it is held.
#[derive(Debug, Clone)]
pub struct Checksums {
    folder: PathBuf,
    /// by name; none: nothing is known of the files
    sums: Option<BTreeMap<String, String>>,
}

impl Checksums {
    /// Reads those of a folder of [`write()`].
    pub fn read(folder: &Path) -> Result<Checksums> {
        let sums = list(folder).map_err(|what| to_restore(Fault::new(what).path(folder.join(FILE))))?;
        Ok(Checksums { folder: folder.to_owned(), sums: Some(sums) })
    }

    /// The same of a folder that may have none: its files are taken as they are.
    pub fn read_if_there(folder: &Path) -> Result<Checksums> {
        match folder.join(FILE).exists() {
            true => Checksums::read(folder),
            false => Ok(Checksums { folder: folder.to_owned(), sums: None }),
        }
    }

    /// An error unless all files are there.
    pub fn need_files(&self) -> Result<()> {
        let mut paths = self.sums.iter().flat_map(|sums| sums.keys()).map(|name| self.folder.join(name));
        let gone = paths.find(|path| !path.exists());
        gone.map_or(Ok(()), |path| Err(to_restore(Fault::new(GONE).path(path))))
    }

    /// What a file of the folder holds, which must be what was written.
    pub fn file(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.folder.join(name);
        let bytes = input::read(&path)?;
        let Some(sums) = &self.sums else { return Ok(bytes) };
        let what = match sums.get(name) {
            Some(sum) if *sum == sha256(&bytes) => return Ok(bytes),
            Some(_) => DIFFERS.to_owned(),
            None => format!("is not one of the files of {FILE} beside it"),
        };
        Err(to_restore(Fault::new(what).path(path)))
    }
}

const GONE: &str = "is missing or unreadable";
const DIFFERS: &str = "is damaged: its checksum differs";

/// The checksums of a folder by name, or what is wrong with their file.
fn list(folder: &Path) -> std::result::Result<BTreeMap<String, String>, &'static str> {
    let text = input::read_data_text(&folder.join(FILE)).map_err(|_| GONE)?;
    let text = text.strip_suffix(END).ok_or("is cut short")?;
    let pair = |line: &str| {
        let (sum, name) = line.split_once("  ").filter(|(_, name)| !name.contains(['/', '\\']))?;
        Some((name.to_owned(), sum.to_owned()))
    };
    let sums: Option<_> = text.lines().map(pair).collect();
    sums.ok_or("is damaged")
}

fn to_restore(fault: Fault) -> Error {
    let remedy = "choose another frame, restore it from a copy of the run, or make the run again with `breccia resume RUN --restart`";
    fault.remedy(remedy).data()
}

/// The first thing that is wrong with a folder of [`write()`], if anything is.
pub fn fault(folder: &Path) -> Option<String> {
    let known = match list(folder) {
        Ok(known) => known,
        Err(what) => return Some(format!("{}: {what}", folder.join(FILE).display())),
    };
    known.iter().find_map(|(name, sum)| {
        let path = folder.join(name);
        let what = match of(&path) {
            Err(_) => GONE,
            Ok(found) if found != *sum => DIFFERS,
            Ok(_) => return None,
        };
        Some(format!("{}: {what}", path.display()))
    })
}

fn of(path: &Path) -> Result<String> {
    of_file(path, |_| Ok(())).map(|(sum, _)| sum)
}
