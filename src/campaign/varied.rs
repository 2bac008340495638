//! What varies from case to case, which is known before any run.

use super::cell::{Cell, distinct, varied};
use super::column::Computed;
use super::model::{Case, Plot};
use crate::base::reader::Table;

/// The way out where words stand for numbers.
pub(super) const AS_NUMBERS: &str = "give the values of that key as numbers in the unit of its name";

/// The columns that vary, and their values in the cases.
pub(super) struct Varied<'a> {
    pub columns: &'a [String],
    pub cases: &'a [Case],
}

impl Varied<'_> {
    /// The value of a column in a case; none if the column is known after the runs alone.
    pub(super) fn value(&self, case: &Case, column: &str) -> Option<Cell> {
        if column == "case" {
            return Some(Cell::Number(case.index as f64));
        }
        let k = self.columns.iter().position(|c| c == column)?;
        Some(case.values[k].as_ref().map_or(Cell::Empty, |text| varied(text)))
    }

    /// All values of a column in these cases.
    pub(super) fn values<'b>(&self, cases: impl Iterator<Item = &'b Case>, column: &str) -> Vec<Cell> {
        distinct(cases.filter_map(|case| self.value(case, column)))
    }

    /// The first value of a column that is a word. A column of numbers has none.
    fn word(&self, column: &str) -> Option<String> {
        self.values(self.cases.iter(), column).into_iter().find_map(|value| match value {
            Cell::Text(word) => Some(word),
            _ => None,
        })
    }

    /// The faults of plots that need numbers along their axis and get words, such as "50 cm/s".
    pub(super) fn refuse_words_along(&self, tables: &[Table], plots: &[Plot]) {
        for (t, plot) in tables.iter().zip(plots).filter(|(_, plot)| plot.fit.is_some() || plot.logarithmic[0]) {
            if let Some((column, word)) = plot.x.iter().find_map(|x| Some((x, self.word(x)?))) {
                t.fault(
                    "x",
                    format!("\"{word}\" of {column} is a word, and a fit and decades need numbers"),
                    AS_NUMBERS,
                );
            }
        }
    }

    /// The faults of computed columns of the table that need numbers and get words.
    pub(super) fn refuse_words_in(&self, tables: &[Table], computed: &[Computed]) {
        for (t, new) in tables.iter().zip(computed).filter(|(_, new)| new.in_table) {
            if let Some((column, word)) = new.needs().find_map(|name| Some((name, self.word(name)?))) {
                let what = format!("\"{word}\" of {column} is a word, and an expression needs numbers");
                t.fault("expression", what, AS_NUMBERS);
            }
        }
    }
}
