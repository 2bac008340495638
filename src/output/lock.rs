//! A directory held by a process. The system lets go of it when the process ends, however it ends.

use crate::error::{Error, Result};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The lock file of a directory, held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Why a lock was not given.
enum Refusal {
    /// the process that holds it, as it says itself
    Held(String),
    Fault(Error),
}

impl Lock {
    /// Held by no other process.
    pub fn alone(directory: &Path) -> Result<Lock> {
        take(directory, File::try_lock).map_err(|r| refused(directory, r))
    }

    /// Held by none alone; others may share it.
    pub fn shared(directory: &Path) -> Result<Lock> {
        take(directory, File::try_lock_shared).map_err(|r| refused(directory, r))
    }

    /// As [`Lock::alone`], but a process that holds it is given so long to end.
    pub fn patient(directory: &Path, patience: Duration) -> Result<Lock> {
        let begun = Instant::now();
        loop {
            match take(directory, File::try_lock) {
                Err(Refusal::Held(_)) if begun.elapsed() < patience => std::thread::sleep(Duration::from_millis(50)),
                end => return end.map_err(|r| refused(directory, r)),
            }
        }
    }
}

fn refused(directory: &Path, refusal: Refusal) -> Error {
    match refusal {
        Refusal::Held(by) => Error::Usage(format!(
            "{}: process {by} is running there; choose another --out, or wait for it",
            directory.display()
        )),
        Refusal::Fault(error) => error,
    }
}

fn file(directory: &Path) -> PathBuf {
    directory.join("lock")
}

fn take(
    directory: &Path,
    lock: fn(&File) -> std::result::Result<(), TryLockError>,
) -> std::result::Result<Lock, Refusal> {
    let name = file(directory);
    let fault = |e| Refusal::Fault(Error::io(&name, e));
    let mut held = File::options().read(true).write(true).create(true).truncate(false).open(&name).map_err(fault)?;
    match lock(&held) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Only to say who it is: some systems do not let others read a locked file.
            let _ = held.read_to_string(&mut holder);
            return Err(Refusal::Held(holder.trim().to_owned()));
        }
        // A file system without locks: nothing to be held, as before locks existed.
        Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(e)) => return Err(fault(e)),
    }
    held.set_len(0).and_then(|()| held.rewind()).and_then(|()| writeln!(held, "{}", std::process::id())).map_err(fault)?;
    Ok(Lock { _file: held })
}
