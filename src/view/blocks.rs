//! Arrays for the page as bytes: the length of a header, the header as JSON, and the arrays one after another.
//!
//! All numbers have four bytes, the lowest first. The header names each array with its type and its length, in order.

use crate::base::error::{Error, Result};
use serde_json::{Value, json};

/// Arrays and what is said of them.
#[derive(Debug, Default)]
pub struct Blocks {
    about: Value,
    list: Vec<Value>,
    bytes: Vec<u8>,
}

impl Blocks {
    /// No array yet; `about` is an object that goes into the header.
    pub fn about(about: Value) -> Blocks {
        Blocks { about, ..Blocks::default() }
    }

    /// Adds an array of floats.
    pub fn floats(self, name: &str, values: impl IntoIterator<Item = f32>) -> Blocks {
        self.add(name, "f32", values.into_iter().map(f32::to_le_bytes))
    }

    /// Adds an array of whole numbers.
    pub fn whole(self, name: &str, values: impl IntoIterator<Item = u32>) -> Blocks {
        self.add(name, "u32", values.into_iter().map(u32::to_le_bytes))
    }

    fn add(mut self, name: &str, kind: &str, values: impl Iterator<Item = [u8; 4]>) -> Blocks {
        let before = self.bytes.len();
        values.for_each(|v| self.bytes.extend(v));
        self.list.push(json!({ "name": name, "type": kind, "length": (self.bytes.len() - before) / 4 }));
        self
    }

    /// All of it.
    pub fn into_bytes(self) -> Result<Vec<u8>> {
        let header = json!({ "about": self.about, "arrays": self.list });
        let mut header = serde_json::to_vec(&header).map_err(|e| Error::Data(e.to_string()))?;
        // arrays start at a multiple of four bytes
        header.resize(header.len().next_multiple_of(4), b' ');
        let mut bytes = (header.len() as u32).to_le_bytes().to_vec();
        bytes.extend(header);
        bytes.extend(self.bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_follow_a_header_that_names_them() {
        let blocks = Blocks::about(json!({ "time_s": 1.5 })).floats("a", [1.0, -2.0]).whole("b", [7]);
        let bytes = blocks.into_bytes().unwrap();
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        assert_eq!(length % 4, 0);
        let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
        assert_eq!(header["about"]["time_s"], 1.5);
        assert_eq!(header["arrays"][0], json!({ "name": "a", "type": "f32", "length": 2 }));
        assert_eq!(header["arrays"][1], json!({ "name": "b", "type": "u32", "length": 1 }));
        assert_eq!(bytes[4 + length..], [0, 0, 128, 63, 0, 0, 0, 192, 7, 0, 0, 0]);
    }
}
