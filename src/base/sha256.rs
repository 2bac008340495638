//! SHA-256 of bytes and files, as text.

use super::error::Result;
use super::input::each_block;
use sha2::{Digest, Sha256};
use std::path::Path;

/// sha-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// sha-256 and size of a file (bytes), each block of which also goes to `take`.
pub(crate) fn of_file(path: &Path, mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<(String, u64)> {
    let (mut sum, mut bytes) = (Sha256::new(), 0);
    each_block(path, |block| {
        sum.update(block);
        bytes += block.len() as u64;
        take(block)
    })?;
    Ok((hexadecimal(&sum.finalize()), bytes))
}

/// Bytes in hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
