//! The complete state of a run in one file: head, named arrays, a checksum of each. Written atomically, two kept.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::input;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"BRECCIA5";
/// Name of the last block, which is empty: a file cut between two blocks has every checksum right but lacks it.
const END: &str = "end of checkpoint";
/// Name of the first block.
const HEAD: &str = "head";
/// Longest head that is read by itself (bytes).
const HEAD_MAX: usize = 1 << 26;

/// What a checkpoint says about itself.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub struct Head {
    /// steps done
    pub step: u64,
    /// number of frames written
    pub frames: usize,
    /// number of series rows written
    pub rows: usize,
    /// sha-256 of the header of the series and these rows
    pub series: String,
    /// hash of the resolved scenario
    pub scenario: String,
    /// engine that wrote it
    pub engine: String,
    /// running sums of the host, as JSON
    pub host: serde_json::Value,
}

/// Folder of the checkpoints in a run directory.
pub const FOLDER: &str = "checkpoint";

/// Named arrays.
pub type State = Vec<(String, Vec<u8>)>;

/// Writes `checkpoint/<step>.ckpt` and removes all but the newest two.
pub fn write(run: &Path, head: &Head, state: &State) -> Result<PathBuf> {
    let dir = run.join(FOLDER);
    crate::base::disk::make_folder(&dir)?;
    let head_text = serde_json::to_vec(head).map_err(|e| Error::Data(e.to_string()))?;
    let mut bytes = MAGIC.to_vec();
    block(&mut bytes, HEAD.as_bytes(), &head_text);
    for (name, data) in state {
        block(&mut bytes, name.as_bytes(), data);
    }
    block(&mut bytes, END.as_bytes(), &[]);
    let path = dir.join(format!("{:010}.ckpt", head.step));
    crate::base::disk::write_atomic(&path, &bytes)?;
    let mut old = list(run);
    old.truncate(old.len().saturating_sub(2));
    for path in old {
        std::fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
    }
    Ok(path)
}

fn block(out: &mut Vec<u8>, name: &[u8], data: &[u8]) {
    out.extend((name.len() as u32).to_le_bytes());
    out.extend(name);
    out.extend((data.len() as u64).to_le_bytes());
    out.extend(data);
    let mut hash = crc32fast::Hasher::new();
    hash.update(name);
    hash.update(data);
    out.extend(hash.finalize().to_le_bytes());
}

/// Removes all checkpoints but the newest, and what a cut-off write left: which ones exist depends on the clock.
pub fn keep_newest(run: &Path) -> Result<()> {
    let newest = list(run).pop();
    for entry in std::fs::read_dir(run.join(FOLDER)).into_iter().flatten().flatten() {
        let path = entry.path();
        if Some(&path) != newest.as_ref() {
            std::fs::remove_file(&path).map_err(|e| Error::io(&path, e))?;
        }
    }
    Ok(())
}

/// True if [`keep_newest`] would remove nothing.
pub fn is_tidy(run: &Path) -> bool {
    std::fs::read_dir(run.join(FOLDER)).map_or(true, |entries| entries.count() <= 1)
}

/// Checkpoint files of a run, oldest first.
pub fn list(run: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(run.join(FOLDER)).into_iter().flatten().flatten();
    let mut list: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "ckpt")).collect();
    list.sort();
    list
}

/// What a checkpoint says of itself, without its state; none if that cannot be read.
pub fn head(path: &Path) -> Option<Head> {
    let mut file = std::fs::File::open(path).ok()?;
    let mut next = |count: usize| {
        let mut bytes = vec![0; count];
        file.read_exact(&mut bytes).ok().map(|()| bytes)
    };
    next(MAGIC.len()).filter(|magic| magic == MAGIC.as_slice())?;
    let name = u32::from_le_bytes(next(4)?.try_into().ok()?) as usize;
    next(name.min(HEAD.len() + 1)).filter(|name| name == HEAD.as_bytes())?;
    let length = u64::from_le_bytes(next(8)?.try_into().ok()?);
    let bytes = next(usize::try_from(length).ok().filter(|n| *n <= HEAD_MAX)?)?;
    serde_json::from_slice(&bytes).ok()
}

/// Reads a checkpoint, refusing anything damaged.
pub fn read(path: &Path) -> Result<(Head, State)> {
    let bytes = input::read(path)?;
    let bad = |what: &str| Fault::new(what).path(path).data();
    if bytes.len() < MAGIC.len() {
        return Err(bad("is cut short"));
    }
    let mut rest = bytes.strip_prefix(MAGIC.as_slice()).ok_or_else(|| bad("is not a checkpoint of this version"))?;
    let mut blocks = vec![];
    while !rest.is_empty() {
        let (entry, next) = unblock(rest).ok_or_else(|| bad("is cut short or damaged"))?;
        blocks.push(entry);
        rest = next;
    }
    blocks.pop().filter(|b| b.0 == END).ok_or_else(|| bad("is cut short"))?;
    let mut blocks = blocks.into_iter();
    let head = blocks.next().filter(|b| b.0 == HEAD).ok_or_else(|| bad("has no head"))?;
    let head = serde_json::from_slice(&head.1).map_err(|e| bad(&format!("head: {e}")))?;
    Ok((head, blocks.collect()))
}

type Unblocked<'a> = ((String, Vec<u8>), &'a [u8]);

fn unblock(bytes: &[u8]) -> Option<Unblocked<'_>> {
    let (length, rest) = bytes.split_at_checked(4)?;
    let (name, rest) = rest.split_at_checked(u32::from_le_bytes(length.try_into().ok()?) as usize)?;
    let (length, rest) = rest.split_at_checked(8)?;
    let (data, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(length.try_into().ok()?)).ok()?)?;
    let (sum, rest) = rest.split_at_checked(4)?;
    let mut hash = crc32fast::Hasher::new();
    hash.update(name);
    hash.update(data);
    let whole = hash.finalize() == u32::from_le_bytes(sum.try_into().ok()?);
    whole.then(|| ((String::from_utf8_lossy(name).into_owned(), data.to_vec()), rest))
}
