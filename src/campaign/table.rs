//! `campaign.csv`: a row a case, made from what is on disk alone, so that it can be made again at any time.

use super::cell::{Cell, line, varied};
use super::column::Computed;
use super::kept::KeptRow;
use super::known::{ERROR, FIRST, OF_RUN, PROVENANCE};
use super::model::{Campaign, Case};
use super::paths::run_of;
use super::status::{Status, look};
use crate::base::disk::write_atomic;
use crate::base::error::Result;
use crate::physics::measure::outcome::QUANTITIES;
use crate::record::files::manifest::Manifest;
use crate::record::files::quantities::Quantities;
use crate::record::files::sessions;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// Columns, and a row for each case.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// names
    pub columns: Vec<String>,
    /// as many cells as columns
    pub rows: Vec<Vec<Cell>>,
}

/// A row as it grows: what all rows have, then what only some have.
struct Row {
    fixed: Vec<Cell>,
    shown: BTreeMap<String, f64>,
    provenance: [Cell; 2],
    error: Option<String>,
}

impl Table {
    /// Names of two finished cases that differ by their seed alone and show the same in every column: one run, counted twice.
    pub fn alike(&self) -> Option<[String; 2]> {
        let place = |name: &str| self.columns.iter().position(|c| c == name);
        let apart = [place("case")?, place("name")?, place("seed")?];
        let mut seen = HashMap::new();
        let done = (0..self.rows.len()).filter(|k| self.is_any(*k, &[Status::Done]));
        done.map(|k| &self.rows[k]).find_map(|row| {
            let shown = row.iter().enumerate().filter(|(k, _)| !apart.contains(k));
            let text: Vec<String> = shown.map(|(_, cell)| format!("{cell:?}")).collect();
            let name = row[apart[1]].shown();
            seen.insert(text, name.clone()).map(|first| [first, name])
        })
    }

    /// Reads what the cases left.
    pub fn read(campaign: &Campaign, directory: &Path) -> Result<Table> {
        let rows: Vec<Row> = campaign.cases.iter().map(|c| row(campaign, directory, c)).collect::<Result<_>>()?;
        let shown = shown_columns(&rows);
        let fixed = FIRST.map(str::to_owned).into_iter();
        let of_run = OF_RUN.map(str::to_owned);
        let columns = fixed.chain(campaign.columns.iter().cloned()).chain(of_run).chain(shown.iter().cloned());
        let columns: Vec<String> = columns.collect();
        let computed: Vec<&Computed> = campaign.computed.iter().filter(|c| c.in_table).collect();
        let cells = |r: Row| {
            let value = |name: &String| r.shown.get(name).map_or(Cell::Empty, |v| Cell::Number(*v));
            let mut cells: Vec<Cell> = r.fixed.into_iter().chain(shown.iter().map(value)).collect();
            let number = |name: &str| cells[columns.iter().position(|c| c == name)?].number();
            let more: Vec<Cell> = computed.iter().map(|c| c.value(number).map_or(Cell::Empty, Cell::Number)).collect();
            cells.extend(more);
            cells.extend(r.provenance);
            cells.push(r.error.map_or(Cell::Empty, Cell::Text));
            cells
        };
        let rows = rows.into_iter().map(cells).collect();
        let more =
            computed.iter().map(|c| c.name.clone()).chain(PROVENANCE.map(str::to_owned)).chain([ERROR.to_owned()]);
        Ok(Table { columns: columns.iter().cloned().chain(more).collect(), rows })
    }

    /// True if the case of a row has ended, done or failed, or if the table does not say.
    pub(super) fn has_ended(&self, row: usize) -> bool {
        self.is_any(row, &[Status::Done, Status::Kept, Status::Failed])
    }

    /// True if any case was measured.
    pub(super) fn has_measured(&self) -> bool {
        (0..self.rows.len()).any(|row| self.is_any(row, &[Status::Done, Status::Kept]))
    }

    /// True if the case of a row has one of these statuses, or if the table does not say.
    pub(super) fn is_any(&self, row: usize, statuses: &[Status]) -> bool {
        let status = self.columns.iter().position(|c| c == "status").map(|k| self.rows[row][k].shown());
        status.is_none_or(|status| statuses.iter().any(|s| s.name() == status))
    }

    /// These of its columns.
    pub(super) fn of(&self, columns: &[&str]) -> Table {
        let kept: Vec<usize> =
            (0..self.columns.len()).filter(|k| columns.contains(&self.columns[*k].as_str())).collect();
        let of = |row: &Vec<Cell>| kept.iter().map(|k| row[*k].clone()).collect();
        Table {
            columns: kept.iter().map(|k| self.columns[*k].clone()).collect(),
            rows: self.rows.iter().map(of).collect(),
        }
    }

    /// Writes it as a file of this name.
    pub fn write(&self, directory: &Path, name: &str) -> Result<PathBuf> {
        let header = self.columns.iter().map(|c| Cell::Text(c.clone())).collect::<Vec<_>>();
        let text: String = std::iter::once(&header).chain(&self.rows).map(|cells| line(cells)).collect();
        let path = directory.join(name);
        write_atomic(&path, text.as_bytes())?;
        Ok(path)
    }
}

fn row(campaign: &Campaign, directory: &Path, case: &Case) -> Result<Row> {
    let run = run_of(directory, case);
    let found = look(&run);
    let word = |text: &str| Cell::Text(text.to_owned());
    let mut fixed = vec![Cell::Number(case.index as f64), word(&case.name), word(found.status.name())];
    fixed.extend(case.values.iter().map(|v| v.as_ref().map_or(Cell::Empty, |v| varied(v))));
    if found.status == Status::Kept
        && let Some(kept) = KeptRow::read(&run)?
    {
        return Ok(kept_row(campaign, fixed, &kept));
    }
    let of_run = found.manifest.as_ref().map(|m| [m.bodies as f64, m.time_step_s, steps(&run, m, found.status) as f64]);
    fixed.extend(of_run.map_or(vec![Cell::Empty; 3], |m| m.map(Cell::Number).to_vec()));
    let (mut shown, mut error) = (BTreeMap::new(), found.failure.map(|f| f.error));
    let mut missed = Cell::Empty;
    if found.status == Status::Done {
        let quantities = Quantities::read(&run)?;
        missed = Cell::Number(quantities.expect.iter().filter(|v| !v.ok).count() as f64);
        shown.extend(quantities.quantities.into_iter().filter_map(|(name, value)| Some((name, value?))));
        if let Some(analysis) = &campaign.analysis {
            match analysis.measured_row(&run) {
                Ok(row) => shown.extend(row),
                Err(text) => error = Some(text),
            }
        }
    }
    fixed.push(missed);
    let provenance = found.manifest.map_or([Cell::Empty, Cell::Empty], |m| [m.version, m.engine].map(Cell::Text));
    Ok(Row { fixed, shown, provenance, error })
}

/// Steps of a run: those it took once it is done, which are fewer than planned where `run.stop_when` ended it.
fn steps(run: &Path, manifest: &Manifest, status: Status) -> u64 {
    let taken = || Some(sessions::read(run).ok()?.last()?.to_step);
    (status == Status::Done).then(taken).flatten().unwrap_or(manifest.steps)
}

/// A row that another directory's table had: what it shows is all that is not fixed and not computed here again.
fn kept_row(campaign: &Campaign, mut fixed: Vec<Cell>, kept: &KeptRow) -> Row {
    fixed.extend(OF_RUN.map(|column| kept.cell(column)));
    let computed = |name: &String| campaign.computed.iter().any(|c| c.name == *name);
    let of_all = |name: &String| name == "case" || OF_RUN.contains(&name.as_str()) || campaign.columns.contains(name);
    let shown = kept.numbers().filter(|(name, _)| !of_all(name) && !computed(name)).collect();
    let [program, engine] = PROVENANCE.map(|column| kept.cell(column));
    Row { fixed, shown, provenance: [program, engine], error: None }
}

/// What any row shows: quantities in their usual order, then what was measured, part by part.
fn shown_columns(rows: &[Row]) -> Vec<String> {
    let rank = |name: &String| QUANTITIES.iter().position(|q| q.name == name).unwrap_or(QUANTITIES.len());
    let mut names: Vec<String> = rows.iter().flat_map(|r| r.shown.keys().cloned()).collect();
    names.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.cmp(b)));
    names.dedup();
    names
}
