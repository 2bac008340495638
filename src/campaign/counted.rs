//! Which cases count for an `[[expect]]`, and what they show.

use super::cell::{Cell, distinct};
use super::known::ERROR;
use super::model::{Expected, Within};
use super::status::Status;
use super::table::Table;

/// The cases that count.
pub(super) struct Counted {
    /// x, where there is one, and y
    pub cases: Vec<[f64; 2]>,
    /// the block of each, all 0 where they are not paired
    pub blocks: Vec<usize>,
    /// ended without one of them
    pub missing: usize,
    /// those of them that failed or could not be measured; the others do not show it
    pub unmeasured: usize,
    /// those of them that a kept table has, which may be older than the quantity
    pub kept: usize,
    /// not ended
    pub left: usize,
}

impl Expected {
    /// Those of the rows of a table.
    pub(super) fn counted(&self, table: &Table) -> Counted {
        let column = |name: &str| table.columns.iter().position(|c| c == name);
        let number = |row: &[Cell], name: &str| row[column(name)?].number();
        let is_at = |row: &[Cell]| self.at.iter().all(|(name, value)| column(name).is_some_and(|k| row[k] == *value));
        let law = self.law.along();
        let along = |row: &[Cell]| law.map_or(Some(0.0), |a| a.place(&row[column(&a.x)?]));
        let ordered = law.is_some_and(|a| !a.order.is_empty());
        let pair = law.and_then(|a| column(a.paired_by.as_deref()?));
        let pairs = distinct(table.rows.iter().filter_map(|row| Some(row[pair?].clone())));
        let block = |row: &[Cell]| pair.and_then(|k| pairs.iter().position(|p| *p == row[k])).unwrap_or(0);
        let has = |row: &[Cell], status: Status| column("status").is_some_and(|k| row[k].shown() == status.name());
        let failed = |row: &[Cell]| column(ERROR).is_some_and(|k| row[k] != Cell::Empty) || has(row, Status::Failed);
        let mut counted = Counted { cases: vec![], blocks: vec![], missing: 0, unmeasured: 0, kept: 0, left: 0 };
        for (k, row) in table.rows.iter().enumerate().filter(|(_, row)| is_at(row)) {
            let ended = table.has_ended(k);
            // what a failed case would have shown is not known
            let holds = |o: &Within| number(row, &o.column).map_or(!ended || failed(row), |value| o.holds(value));
            if !self.only.iter().all(holds) || (ordered && along(row).is_none()) {
                continue;
            }
            match along(row).zip(number(row, &self.y)) {
                _ if !ended => counted.left += 1,
                Some((x, y)) => {
                    counted.cases.push([x, y]);
                    counted.blocks.push(block(row));
                }
                None => {
                    counted.missing += 1;
                    counted.unmeasured += usize::from(failed(row));
                    counted.kept += usize::from(has(row, Status::Kept));
                }
            }
        }
        counted
    }
}
