//! Values as JSON, in files and for people.

use super::disk::write_atomic;
use super::error::{Error, Result};
use super::input;
use crate::base::fault::Fault;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use std::path::{Path, PathBuf};

/// The text of a value, indented.
pub fn pretty(value: &(impl Serialize + ?Sized)) -> Result<String> {
    serde_json::to_string_pretty(value).map_err(|e| Error::Data(e.to_string()))
}

/// A path for JSON, which holds text alone: one that is no text has marks in it, where serde would give an error.
pub fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A path as [`text`] has it, for `serialize_with`.
pub fn as_text<S: Serializer>(path: &Path, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.serialize_str(&text(path))
}

/// The same of several.
pub fn as_texts<S: Serializer>(paths: &[PathBuf], to: S) -> std::result::Result<S::Ok, S::Error> {
    to.collect_seq(paths.iter().map(|path| text(path)))
}

/// Writes it as a file that is either old or new and whole.
pub fn write(path: &Path, value: &(impl Serialize + ?Sized)) -> Result<()> {
    write_atomic(path, (pretty(value)? + "\n").as_bytes())
}

/// Reads a file if it is there. One that is there and cannot be read is an error.
pub fn read_if_there<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if matches!(path.try_exists(), Ok(false)) { Ok(None) } else { read(path).map(Some) }
}

/// Reads a file. An error names the path of what does not fit.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    read_text(path, |fault| fault)
}

/// The same of a file that nothing else can make again: the error says what to do about that.
pub fn read_or<T: DeserializeOwned>(path: &Path, remedy: &str) -> Result<T> {
    read_text(path, |fault| fault.remedy(remedy))
}

fn read_text<T: DeserializeOwned>(path: &Path, told: impl Fn(Fault) -> Fault) -> Result<T> {
    let text = input::read_data_text(path)?;
    serde_json::from_str(&text).map_err(|e| told(Fault::new(e.to_string())).path(path).data())
}
