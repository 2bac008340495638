//! Arrays of a saved state.

use crate::base::error::{Error, Result};
use bytemuck::Pod;

/// A named array of a saved state, of the given length if there is one.
pub(crate) fn block<T: Pod>(state: &[(String, Vec<u8>)], name: &str, length: Option<usize>) -> Result<Vec<T>> {
    let (_, bytes) = state.iter().find(|(n, _)| n == name).ok_or_else(|| {
        Error::Data(format!("the checkpoint lacks `{name}`; it was written by another engine or version"))
    })?;
    if bytes.len() % size_of::<T>() != 0 || length.is_some_and(|n| bytes.len() != n * size_of::<T>()) {
        return Err(Error::Data(format!("the checkpoint's `{name}` does not fit this scenario")));
    }
    Ok(bytemuck::pod_collect_to_vec(bytes))
}
