//! Keeps pages inside their run: a link in the directory may lead to any file of the user, and a report is given to others.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use std::path::{Path, PathBuf};

/// A run directory, from the root of the file system and without links.
#[derive(Debug)]
pub struct Fence(PathBuf);

impl Fence {
    /// Around a directory.
    pub fn around(directory: &Path) -> Result<Fence> {
        directory.canonicalize().map(Fence).map_err(|e| Error::io(directory, e))
    }

    /// An error if this is a link that leads out of the run.
    pub fn file(&self, path: &Path) -> Result<()> {
        let Ok(of) = std::fs::symlink_metadata(path) else { return Ok(()) };
        if !of.is_symlink() || path.canonicalize().is_ok_and(|to| to.starts_with(&self.0)) {
            return Ok(());
        }
        let remedy = "put a copy of what it leads to in its place, if you trust where the run comes from";
        Err(Fault::new("is a link out of the run, and a page shows nothing else").remedy(remedy).path(path).data())
    }

    /// An error if this, or anything below it, is such a link.
    pub fn folder(&self, path: &Path) -> Result<()> {
        self.file(path)?;
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let below = entry.path();
            match entry.file_type() {
                Ok(of) if of.is_dir() => self.folder(&below)?,
                _ => self.file(&below)?,
            }
        }
        Ok(())
    }
}
