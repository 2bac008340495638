//! What a run leaves on disk: [`frames`] and [`shapes`] in .npy, the [`series`] in CSV, the [`checkpoint`], the [`manifest`], what
//! the run showed ([`quantities`]), as [`json`]; all in one [`directory`], held by a [`lock`]. Frames read back as [`recorded`] instants, and what a run used as [`resolved`]; [`export`]
//! makes of them what ParaView ([`vtp`]) and OVITO ([`xyz`]) open.

pub mod checkpoint;
pub mod directory;
pub mod export;
pub mod frames;
pub mod json;
pub mod lock;
pub mod manifest;
pub mod quantities;
pub mod recorded;
pub mod resolved;
pub mod series;
pub mod shapes;
pub mod vtp;
pub mod xyz;

use crate::error::{Error, Result};
use std::io::Write;
use std::path::Path;

/// Writes a file so that it is either old or new and whole, also after a crash: temporary file, sync, rename.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = path.with_extension("tmp");
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)?;
        if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            std::fs::File::open(parent)?.sync_all()?;
        }
        Ok(())
    };
    write().map_err(|e| Error::io(path, e))
}
