//! Files that a user names are read here and nowhere else. Only regular files are, up to a size for their kind, so that
//! a pipe does not hang a command and a device or a sparse file does not fill the memory.

use super::error::{Error, Result};
use crate::base::fault::Fault;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

/// Environment variable with the largest size of any file (MiB), in the place of the sizes here.
pub const LIMIT: &str = "BRECCIA_INPUT_MAX_MIB";

/// Bytes of a MiB.
const MIB: u64 = 1 << 20;
/// Bytes that are read at a time where a file is not needed as a whole.
const BLOCK: usize = 1 << 20;
/// Most of a scenario or a campaign (MiB): a list of 300,000 bodies. Parsed with the line of every value, a file takes
/// about 60 times its size: a gigabyte.
const TEXT_MIB: u64 = 16;
/// Most of a surface, a table or a series (MiB): forty million facets as OBJ.
const DATA_MIB: u64 = 4096;
/// Most of what runs leave, a checkpoint or an array of a frame (MiB): that of twenty million bodies and their contacts.
const STATE_MIB: u64 = 65536;

/// What a file holds; its limit follows from its name.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    bytes(path, limit_mib(path))
}

/// Gives what a file holds to `take`, a block at a time, so that a large one needs little memory.
pub fn each_block(path: &Path, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<()> {
    let (most_mib, fault) = (raised(limit_mib(path))?, |e| Error::io(path, e));
    regular(path, &std::fs::metadata(path).map_err(fault)?, most_mib)?;
    let mut file = File::open(path).map_err(fault)?;
    let (mut block, mut all) = (vec![0; BLOCK], 0);
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                all += count as u64;
                fits(path, all, most_mib)?;
                take(&block[..count])?;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(fault(e)),
        }
    }
}

fn limit_mib(path: &Path) -> u64 {
    let state = path.extension().is_some_and(|e| e == "npy" || e == "npz" || e == "ckpt");
    if state { STATE_MIB } else { DATA_MIB }
}

/// The text of a file of data: a table, a series, JSON.
pub fn read_data_text(path: &Path) -> Result<String> {
    utf8(path, read(path)?)
}

/// The text of a scenario or a campaign.
pub fn read_text(path: &Path) -> Result<String> {
    utf8(path, bytes(path, TEXT_MIB)?)
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|e| {
        let valid = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + valid.iter().filter(|b| **b == b'\n').count();
        Error::Data(format!(
            "{}:{line}: is not UTF-8 text; is this the right file, and saved as UTF-8?",
            path.display()
        ))
    })
}

fn bytes(path: &Path, most_mib: u64) -> Result<Vec<u8>> {
    let most_mib = raised(most_mib)?;
    // Before it is opened: opening a pipe waits for its other end.
    let size = regular(path, &std::fs::metadata(path).map_err(|e| Error::io(path, e))?, most_mib)?;
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    regular(path, &file.metadata().map_err(|e| Error::io(path, e))?, most_mib)?;
    let mut bytes = Vec::with_capacity(size as usize);
    let most = most_mib.saturating_mul(MIB);
    // A file may grow while it is read, and files of the system report no size.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    fits(path, bytes.len() as u64, most_mib)?;
    Ok(bytes)
}

/// The limit that the environment gives, else this one (MiB).
fn raised(most_mib: u64) -> Result<u64> {
    let Some(given) = std::env::var_os(LIMIT) else { return Ok(most_mib) };
    let number = given.to_str().and_then(|g| g.trim().parse().ok()).filter(|n| *n > 0);
    number.ok_or_else(|| {
        let given = given.to_string_lossy();
        Error::Usage(format!("{LIMIT}={given}: write the largest size of a file as a whole number of MiB, or unset it"))
    })
}

/// Size of a regular file that may be read (bytes).
fn regular(path: &Path, of: &Metadata, most_mib: u64) -> Result<u64> {
    let refused = |what: &str| Err(Fault::new(what).path(path).data());
    if of.is_dir() {
        return refused("is a directory; name a file");
    }
    if !of.is_file() {
        return refused(
            "is not a regular file but a pipe, a device or a socket; copy what it gives into a file, and name that",
        );
    }
    fits(path, of.len(), most_mib)
}

fn fits(path: &Path, size: u64, most_mib: u64) -> Result<u64> {
    if size <= most_mib.saturating_mul(MIB) {
        return Ok(size);
    }
    let wanted = size.div_ceil(MIB);
    Err(Fault::new(format!("has {wanted} MiB or more, and at most {most_mib} MiB are read of a file of this kind"))
        .remedy(format!("is it the right file? {LIMIT}={wanted} in the environment lets it pass"))
        .path(path)
        .data())
}
