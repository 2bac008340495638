//! Which format a file has.

use super::plate;
use super::rows::{rows, words};
use crate::base::error::{Fault, Result};
use serde::Serialize;
use std::path::Path;

/// Formats of surfaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Wavefront OBJ, and radar models of PDS
    Obj,
    /// PLY, text or binary
    Ply,
    /// STL, text or binary
    Stl,
    /// plate models of PDS: a row of counts, vertices, plates
    Plate,
    /// implicitly connected quadrilaterals (Gaskell)
    Icq,
}

impl Format {
    /// Names that [`Format::named`] knows.
    pub const NAMES: [&str; 5] = ["obj", "ply", "stl", "plate", "icq"];

    /// A format by its name.
    pub fn named(name: &str) -> Option<Format> {
        let all = [Format::Obj, Format::Ply, Format::Stl, Format::Plate, Format::Icq];
        Format::NAMES.iter().position(|n| *n == name).map(|k| all[k])
    }

    /// Guesses by the end of the file's name; for others, such as `.tab` and `.txt`, by what the file holds.
    pub fn guess(name: &str, bytes: &[u8]) -> Result<Format> {
        let end = Path::new(name).extension().map(|e| e.to_string_lossy().to_lowercase());
        if let Some(format) = end.and_then(|e| Format::named(&e)) {
            return Ok(format);
        }
        let text = String::from_utf8_lossy(bytes);
        let first = rows(&text).next().and_then(|(_, line)| words(line).next()).unwrap_or_default();
        match first {
            "ply" => Ok(Format::Ply),
            "solid" => Ok(Format::Stl),
            "v" | "o" | "g" => Ok(Format::Obj),
            _ => by_counts(&text).ok_or_else(|| {
                let remedy = format!("give the format: {}", Format::NAMES.join(", "));
                Fault::new("neither name nor content show the format").remedy(remedy).file(name).data()
            }),
        }
    }
}

/// Tables of numbers by their counts, comments before `v` as OBJ.
fn by_counts(text: &str) -> Option<Format> {
    if rows(text).map(|(_, l)| l.trim_start()).find(|l| !l.starts_with('#'))?.starts_with("v ") {
        return Some(Format::Obj);
    }
    let rows: Vec<(usize, &str)> = rows(text).collect();
    let (head, counts) = plate::head(&rows)?;
    match counts[..] {
        // of plates a second count follows the vertices, and rows may have their number
        [n] => {
            let second = usize::try_from(n).ok().and_then(|n| rows.get(head.checked_add(n)?.checked_add(1)?));
            let plates = second.is_some_and(|(_, l)| words(l).count() == 1);
            let numbered = rows.get(head + 1).is_some_and(|(_, l)| words(l).count() == 4);
            Some(if plates || numbered { Format::Plate } else { Format::Icq })
        }
        _ => Some(Format::Plate),
    }
}
