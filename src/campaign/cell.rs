//! The value of a column in a row of the table.

use crate::base::readable::{self, named};
use crate::record::files::series::number;

/// The value of a column in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// nothing: the case does not have it
    Empty,
    /// a word
    Text(String),
    /// a number, in SI where it has a unit
    Number(f64),
}

impl Cell {
    /// Formats a value for people.
    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Text(text) => text.clone(),
            Cell::Number(v) => readable::number(*v),
        }
    }

    /// The value for people, a number with the words and the unit of its column's name, and with all its digits where it would
    /// else read like another one of `values`.
    pub(super) fn named(&self, column: &str, values: &[Cell]) -> String {
        match self {
            Cell::Number(_) => named(column, &self.told_apart(values)),
            _ => self.shown(),
        }
    }

    /// The value for people, with all its digits where it would else read like another one of `values`.
    pub(super) fn told_apart(&self, values: &[Cell]) -> String {
        let alike = values.iter().any(|other| other != self && other.shown() == self.shown());
        match self {
            Cell::Number(v) if alike => v.to_string(),
            _ => self.shown(),
        }
    }

    /// The number, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        if let Cell::Number(v) = self { Some(*v) } else { None }
    }

    fn csv(&self) -> String {
        match self {
            Cell::Empty => String::new(),
            Cell::Number(v) => number(*v),
            Cell::Text(text) if text.contains([',', '"', '\n', '\r']) => format!("\"{}\"", text.replace('"', "\"\"")),
            Cell::Text(text) => text.clone(),
        }
    }
}

/// A line of a table.
pub(super) fn line(cells: &[Cell]) -> String {
    cells.iter().map(Cell::csv).collect::<Vec<_>>().join(",") + "\n"
}

/// A varied value: a number where it is one.
pub fn varied(text: &str) -> Cell {
    let number = text.parse().ok().filter(|v: &f64| v.is_finite());
    number.map_or_else(|| Cell::Text(text.to_owned()), Cell::Number)
}

/// Each value once: numbers by size, then words as they first come.
pub(super) fn distinct(cells: impl Iterator<Item = Cell>) -> Vec<Cell> {
    let mut list: Vec<Cell> = vec![];
    for cell in cells {
        if !list.contains(&cell) {
            list.push(cell);
        }
    }
    let size = |c: &Cell| if let Cell::Number(v) = c { *v } else { f64::INFINITY };
    list.sort_by(|a, b| size(a).total_cmp(&size(b)));
    list
}

/// Values for people, the first of many.
pub(super) fn listed(values: &[Cell]) -> String {
    const MOST: usize = 8;
    let more = if values.len() > MOST { ", ..." } else { "" };
    values.iter().take(MOST).map(Cell::shown).collect::<Vec<_>>().join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::Cell;

    #[test]
    fn numbers_that_read_alike_have_all_their_digits() {
        let values = [20_240_101.0, 20_240_102.0, 0.5].map(Cell::Number);
        let told = values.each_ref().map(|v| v.told_apart(&values));
        assert_eq!(told, ["20240101", "20240102", "0.5"]);
    }
}
