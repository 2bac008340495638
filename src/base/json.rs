//! Values as JSON, in files and for people.

use super::disk::write_atomic;
use super::error::{Error, Result};
use super::input;
use crate::base::fault::Fault;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The text of a value, indented.
pub fn pretty(value: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|e| Error::Data(e.to_string()))
}

/// Writes it as a file that is either old or new and whole.
pub fn write(path: &Path, value: &(impl Serialize + ?Sized)) -> Result<()> {
    write_atomic(path, (pretty(value)? + "\n").as_bytes())
}

/// Reads a file. An error names the path of what does not fit.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = input::read_data_text(path)?;
    serde_json::from_str(&text).map_err(|e| Fault::new(e.to_string()).path(path).data())
}
