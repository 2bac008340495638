//! What a campaign says of columns in conditions has an effect: faults of those that no case fulfils.

use super::cell::{Cell, listed};
use super::model::{Conditions, Plot, Within};
use super::varied::{AS_NUMBERS, Varied};
use crate::base::reader::Table;

impl Varied<'_> {
    /// The faults of curves of plots, which plots of the table and those against time have.
    pub(super) fn refuse_idle_curves<'p>(&self, tables: &[Table], plots: impl Iterator<Item = &'p Plot>) {
        for (t, plot) in tables.iter().zip(plots) {
            for (c, curve) in t.tables("curve").iter().zip(&plot.curves) {
                self.refuse_where(c, "where", &curve.only, &plot.panels);
            }
        }
    }

    /// The faults of conditions that only plots of the table have.
    pub(super) fn refuse_idle(&self, tables: &[Table], plots: &[Plot]) {
        for (t, plot) in tables.iter().zip(plots) {
            if let Some(fit) = &plot.fit {
                self.refuse_where(t, "fit_where", &fit.only, &plot.panels);
            }
            for (o, within) in t.tables("only").iter().zip(&plot.only) {
                self.refuse_limits(o, within);
            }
            if let (Some(s), Some(split)) = (t.table_if("split"), &plot.split) {
                self.numbers(&s, &split.column);
            }
        }
    }

    /// Panels of a value: the column must have panels, and a case that value.
    fn refuse_where(&self, t: &Table, key: &str, only: &Conditions, panels: &[String]) {
        for (column, value) in only {
            let values = self.values(self.cases.iter(), column);
            if !panels.contains(column) {
                t.fault(key, format!("{column} has no panels of its own"), "name it in `panels`, or remove it");
            } else if !values.is_empty() && !values.contains(value) {
                let remedy = format!("its values are {}", listed(&values));
                t.fault(key, format!("no case has {column} = {}", value.shown()), remedy);
            }
        }
    }

    /// Limits of a column that varies: some case must be within them.
    pub(super) fn refuse_limits(&self, t: &Table, within: &Within) {
        let Some(numbers) = self.numbers(t, &within.column) else { return };
        if !numbers.is_empty() && !numbers.iter().any(|v| within.holds(*v)) {
            let what = format!("no case has {} within these limits", within.column);
            t.fault(
                "column",
                what,
                format!("its values are {}", listed(&self.values(self.cases.iter(), &within.column))),
            );
        }
    }

    /// The numbers of a column that varies, none of a column that is known after the runs alone; a fault if it has words alone, or one that begins with a number.
    fn numbers(&self, t: &Table, column: &str) -> Option<Vec<f64>> {
        let values = self.values(self.cases.iter(), column);
        let numbers: Vec<f64> = values.iter().filter_map(Cell::number).collect();
        let mut words = values.iter().filter_map(|value| if let Cell::Text(word) = value { Some(word) } else { None });
        let quantity =
            |word: &&String| word.trim_start_matches(['+', '-', '.']).starts_with(|c: char| c.is_ascii_digit());
        match words.find(|word| numbers.is_empty() || quantity(word)) {
            Some(word) => {
                let beside = if numbers.is_empty() { "" } else { " beside numbers" };
                let what = format!("\"{word}\" of {column} is a word{beside}, and a limit needs numbers");
                t.fault("column", what, AS_NUMBERS);
                None
            }
            None => Some(numbers),
        }
    }
}
