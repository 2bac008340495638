//! The directory of a run: one process at a time works in it, and no finished run is replaced unasked.

use super::lock::{Hold, Lock};
use super::manifest::Manifest;
use super::quantities;
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A run directory that this process holds. The system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    _lock: Lock,
}

impl RunDirectory {
    /// For a new run. Refuses a directory that another process works in, and one that holds a run unless `overwrite`.
    pub fn create(path: &Path, overwrite: bool, patience: Duration) -> Result<RunDirectory> {
        std::fs::create_dir_all(path).map_err(|e| Error::io(path, e))?;
        let foreign = ["series.csv", "scenario.toml", "settings.json", "resolved.json", "frames", "checkpoint"];
        if let Some(name) = foreign.iter().find(|name| path.join(name).exists())
            && !path.join("manifest.json").exists()
            && !overwrite
        {
            return Err(Error::Usage(format!(
                "{}: holds a `{name}` that belongs to no run; choose another --out, or give --overwrite",
                path.display()
            )));
        }
        let directory = RunDirectory::hold(path, patience)?;
        if let Ok(manifest) = Manifest::read(path) {
            if !overwrite {
                let status = if manifest.status == "running" { "cut off" } else { manifest.status.as_str() };
                return Err(Error::Usage(format!(
                    "{}: holds a run ({status}); choose another --out, go on with `breccia resume`, or give --overwrite",
                    path.display()
                )));
            }
            directory.clear()?;
        }
        Ok(directory)
    }

    /// For going on with the run that is there. Refuses a directory that another process works in, after
    /// `patience`.
    pub fn resume(path: &Path, patience: Duration) -> Result<RunDirectory> {
        Manifest::read(path).map_err(|e| Error::Data(format!("{e}; give the directory of a run")))?;
        RunDirectory::hold(path, patience)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn hold(path: &Path, patience: Duration) -> Result<RunDirectory> {
        let lock = Lock::take(path, Hold::Alone, patience)?;
        Ok(RunDirectory { path: path.to_owned(), _lock: lock })
    }

    /// Removes what a run before left and a new one would not replace.
    fn clear(&self) -> Result<()> {
        for part in ["frames", "shapes", "checkpoint", "pictures", "plots", "analysis", "export"] {
            let path = self.path.join(part);
            if path.exists() {
                std::fs::remove_dir_all(&path).map_err(|e| Error::io(&path, e))?;
            }
        }
        let shown = self.path.join(quantities::FILE);
        if shown.exists() { std::fs::remove_file(&shown).map_err(|e| Error::io(&shown, e)) } else { Ok(()) }
    }
}
