//! An array of a frame as a quantity that colours bodies.

use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::model::snapshot::Snapshot;
use crate::model::stored::arrays::Array;
use crate::model::stored::frame_arrays::{BODIES, CONSTANTS};
use crate::model::stored::frame_files::FrameFiles;
use std::path::Path;

/// Names of components.
const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// An array with a row for each body: its numbers, one component, or the size of its vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    name: &'static str,
    unit: &'static str,
    width: usize,
    component: Option<usize>,
}

fn arrays() -> impl Iterator<Item = &'static Array<Snapshot>> {
    CONSTANTS.iter().chain(BODIES).filter(|a| a.rows == "n")
}

impl Column {
    /// Reads `mass`, `velocity` or `velocity.z`; none for anything else.
    pub fn parse(text: &str) -> Option<Column> {
        let (name, component) = text.split_once('.').map_or((text, None), |(name, component)| (name, Some(component)));
        let array = arrays().find(|a| a.name == name)?;
        let component = match component {
            Some(letter) => {
                Some(COMPONENTS.iter().position(|c| *c == letter).filter(|k| array.width > 1 && *k < array.width)?)
            }
            None => None,
        };
        Some(Column { name: array.name, unit: array.unit, width: array.width, component })
    }

    /// Names of all, for hints.
    pub fn names() -> Vec<String> {
        let of = |a: &Array<Snapshot>| {
            let parts = if a.width > 1 { &COMPONENTS[..a.width] } else { &[] };
            std::iter::once(a.name.to_owned())
                .chain(parts.iter().map(|c| format!("{}.{c}", a.name)))
                .collect::<Vec<_>>()
        };
        arrays().flat_map(of).collect()
    }

    /// Name and unit.
    pub fn title(&self) -> (String, String) {
        let component = self.component.map(|k| format!(" {}", COMPONENTS[k])).unwrap_or_default();
        (format!("{}{component}", self.name), self.unit.to_owned())
    }

    /// Whether its numbers depend on the axes in which they are given.
    pub fn has_axes(&self) -> bool {
        self.width > 1
    }

    /// Its value of each body of a frame, whose files these are.
    pub fn read(&self, frame: &Path, files: &FrameFiles) -> Result<Vec<f64>> {
        let (values, shape) = files.numbers(self.name)?;
        if shape.iter().skip(1).product::<usize>() != self.width {
            let what = format!("`{}` has no rows of {} numbers", self.name, self.width);
            return Err(Fault::new(what).path(frame).data());
        }
        let value = |row: &[f64]| match self.component {
            Some(k) => row[k],
            None if self.width == 1 => row[0],
            None => row.iter().map(|v| v * v).sum::<f64>().sqrt(),
        };
        Ok(values.chunks_exact(self.width).map(value).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_arrays_of_bodies_and_their_components() {
        let title = |text: &str| Column::parse(text).map(|c| c.title());
        assert_eq!(title("velocity.z"), Some(("velocity z".into(), "m/s".into())));
        assert_eq!(title("spin"), Some(("spin".into(), "rad/s".into())));
        assert_eq!(title("mass"), Some(("mass".into(), "kg".into())));
        for wrong in ["wall_travel", "mass.x", "velocity.w", "velocity.", "speedy"] {
            assert_eq!(Column::parse(wrong), None, "{wrong}");
        }
        assert!(Column::names().iter().all(|name| Column::parse(name).is_some()));
    }
}
