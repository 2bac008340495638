//! Arrays of a state that an engine saved, as both kinds of engines read them back.

use crate::base::error::{Error, Result};
use bytemuck::AnyBitPattern;

/// An array that is not as a run leaves it.
pub(super) fn misfit(name: &str, what: &str) -> Error {
    Error::Data(format!(
        "the checkpoint's `{name}` does not fit this scenario: {what}; take another checkpoint of the run, or run again"
    ))
}

/// The bytes of an array.
pub(super) fn array<'a>(state: &'a [(String, Vec<u8>)], name: &str) -> Result<&'a [u8]> {
    let found = state.iter().find(|(n, _)| n == name).map(|(_, bytes)| bytes.as_slice());
    found.ok_or_else(|| {
        Error::Data(format!("the checkpoint lacks `{name}`; it was written by another engine or version"))
    })
}

/// The values of an array, of the given length if there is one.
pub(super) fn values<T: AnyBitPattern>(
    state: &[(String, Vec<u8>)],
    name: &str,
    length: Option<usize>,
) -> Result<Vec<T>> {
    let bytes = array(state, name)?;
    if bytes.len() % size_of::<T>() != 0 || length.is_some_and(|n| bytes.len() != n * size_of::<T>()) {
        return Err(misfit(name, &format!("it has {} bytes", bytes.len())));
    }
    Ok(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
}

/// The one value of an array.
pub(super) fn value<T: AnyBitPattern>(state: &[(String, Vec<u8>)], name: &str) -> Result<T> {
    Ok(values(state, name, Some(1))?[0])
}
