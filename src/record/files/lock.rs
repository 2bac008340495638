//! A directory held by a process. The system lets go of it when the process ends, however it ends.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Name of the lock in the directory that it holds.
pub const FILE: &str = "lock";

/// A child that another thread starts keeps a lock of this process that was let go, until it is another program.
const CHILD: Duration = Duration::from_secs(1);

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

/// Who else may hold it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// nobody
    Alone,
    /// others that share it
    Shared,
}

impl Lock {
    /// Takes it; a process in the way is given `patience` to end.
    pub fn take(directory: &Path, hold: Hold, patience: Duration) -> Result<Lock> {
        let (begun, own) = (Instant::now(), std::process::id().to_string());
        let granted = |by: &str| if by == own { patience.max(CHILD) } else { patience };
        loop {
            match attempt(directory, hold) {
                Err(Refusal::Held(by)) if begun.elapsed() < granted(&by) => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                end => return end.map_err(|r| refused(directory, r)),
            }
        }
    }
}

/// Who holds the lock of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// a process, as it says itself
    Process(String),
    /// nobody
    Nobody,
    /// the file system has no locks
    Unknown,
}

/// The process that holds the lock of a directory.
pub fn holder(directory: &Path) -> Holder {
    let Ok(file) = File::open(directory.join(FILE)) else { return Holder::Nobody };
    match file.try_lock_shared() {
        Ok(()) => Holder::Nobody,
        Err(TryLockError::WouldBlock) => Holder::Process(said(&file)),
        Err(TryLockError::Error(_)) => Holder::Unknown,
    }
}

/// Who holds a locked file. Only to say who it is: some systems do not let others read it.
fn said(held: &File) -> String {
    String::from_utf8_lossy(&content(held).unwrap_or_default()).trim().to_owned()
}

/// What a lock file begins with: more than a holder writes.
fn content(mut held: &File) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![];
    held.rewind()?;
    held.take(64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn refused(directory: &Path, refusal: Refusal) -> Error {
    match refusal {
        Refusal::Held(by) => Fault::new(format!("process {by} is running there"))
            .remedy("choose another --out, or wait for it")
            .path(directory)
            .into(),
        Refusal::Fault(error) => error,
    }
}

/// Whether a lock file holds what holders write. Some that share it may have written over one another, and a machine that
/// went down may have left zeros: digits and white space in any order.
fn is_ours(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| b.is_ascii_digit() || b.is_ascii_whitespace() || *b == 0)
}

/// The fault of a directory that holds something of the user's own under the name of a run's file.
pub(super) fn foreign(directory: &Path, name: &str) -> Fault {
    Fault::new(format!("holds `{name}`, which no run has left there"))
        .remedy("remove or rename it, or choose another --out; --overwrite removes only what a run has left")
        .path(directory)
}

/// Whether the file system has no locks, or its server none to give, as NFS without a lock manager.
fn is_without_locks(e: &std::io::Error) -> bool {
    let none_to_give = if cfg!(target_os = "linux") { 37 } else { 77 }; // ENOLCK of Linux; of macOS and the BSDs
    e.kind() == std::io::ErrorKind::Unsupported || (cfg!(unix) && e.raw_os_error() == Some(none_to_give))
}

fn attempt(directory: &Path, hold: Hold) -> std::result::Result<Lock, Refusal> {
    let name = directory.join(FILE);
    let fault = |e| Refusal::Fault(Error::io(&name, e));
    let mut held = File::options().read(true).write(true).create(true).truncate(false).open(&name).map_err(fault)?;
    let locked = match hold {
        Hold::Alone => held.try_lock(),
        Hold::Shared => held.try_lock_shared(),
    };
    match locked {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(Refusal::Held(said(&held))),
        // A file system without locks: nothing to be held, as before locks existed.
        Err(TryLockError::Error(e)) if is_without_locks(&e) => {}
        Err(TryLockError::Error(e)) => return Err(fault(e)),
    }
    if !is_ours(&content(&held).map_err(fault)?) {
        return Err(Refusal::Fault(foreign(directory, FILE).into()));
    }
    held.set_len(0)
        .and_then(|()| held.rewind())
        .and_then(|()| writeln!(held, "{}", std::process::id()))
        .map_err(fault)?;
    Ok(Lock { _file: held })
}
