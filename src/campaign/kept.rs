//! A kept table: rows of finished cases in a file of their own (`breccia sweep --keep FILE`), which stand for these cases
//! where the directory of their runs is gone. A row is taken only while its recipe is that of the case.

use super::cell::{Cell, line, varied};
use super::former;
use super::known::{ERROR, OF_RUN, RECIPE, WALL};
use super::model::{Campaign, Case};
use super::paths::run_of;
use super::status::{Status, look};
use super::table::Table;
use super::times;
use crate::base::disk::write_new;
use crate::base::error::{Error, Result};
use crate::base::fault::{Fault, Faults};
use crate::base::{input, json};
use crate::physics::measure::outcome::{QUANTITIES, of_a_region};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Columns of the table that no kept row needs.
const LEFT_OUT: [&str; 2] = ["status", ERROR];
/// Columns that are words, even where they read as numbers: `000_1`.
const WORDS: [&str; 4] = ["name", "program", "engine", RECIPE];

/// A row of another directory's table: cells by their columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeptRow {
    cells: BTreeMap<String, String>,
}

impl KeptRow {
    fn path(run: &Path) -> PathBuf {
        run.join("kept.json")
    }

    /// The row that stands for a case.
    pub fn read(run: &Path) -> Result<Option<KeptRow>> {
        json::read_if_there(&KeptRow::path(run))
    }

    fn write(&self, run: &Path) -> Result<()> {
        std::fs::create_dir_all(run).map_err(|e| Error::io(run, e))?;
        json::write(&KeptRow::path(run), self)
    }

    fn forget(run: &Path) -> Result<()> {
        let path = KeptRow::path(run);
        if path.exists() { std::fs::remove_file(&path).map_err(|e| Error::io(path, e)) } else { Ok(()) }
    }

    /// True if it was made by one of these recipes, those of its case.
    fn is_of(&self, recipes: &[String; 2]) -> bool {
        self.cells.get(RECIPE).is_some_and(|r| recipes.contains(r))
    }

    /// What is in a column.
    pub fn cell(&self, column: &str) -> Cell {
        match self.cells.get(column).filter(|text| !text.is_empty()) {
            Some(text) if WORDS.contains(&column) => Cell::Text(text.clone()),
            Some(text) => varied(text),
            None => Cell::Empty,
        }
    }

    /// Columns with a number.
    pub fn numbers(&self) -> impl Iterator<Item = (String, f64)> {
        let names = self.cells.keys().filter(|name| *name != WALL);
        names.filter_map(|name| Some((name.clone(), self.cell(name).number()?)))
    }
}

/// A table whose rows stand for cases.
#[derive(Debug)]
pub struct Kept {
    file: PathBuf,
    /// of all cases: what is written, and what else is taken
    recipes: Vec<[String; 2]>,
    rows: BTreeMap<String, KeptRow>,
}

impl Kept {
    /// Reads a table; without the file there are no rows yet. Refuses rows of other cases than these. `recipes`: of the cases.
    pub fn read(file: &Path, campaign: &Campaign, recipes: Vec<[String; 2]>) -> Result<Kept> {
        refuse_folder(file)?;
        let rows = rows_of(file, campaign, &recipes)?;
        Ok(Kept { file: file.to_owned(), recipes, rows })
    }

    /// True if it has a row of the case.
    pub fn has(&self, case: &Case) -> bool {
        self.rows.contains_key(&case.name)
    }

    /// Lets the rows stand for the cases that are not done in a directory, and no others.
    pub fn place(&self, campaign: &Campaign, directory: &Path) -> Result<()> {
        for case in &campaign.cases {
            let run = run_of(directory, case);
            match self.rows.get(&case.name) {
                Some(row) => row.write(&run)?,
                None => KeptRow::forget(&run)?,
            }
        }
        Ok(())
    }

    /// Writes the rows of all cases that are done and measured by `table`, and those of all others that the file has by now:
    /// another campaign of the same cases may have added some.
    pub fn write(&self, campaign: &Campaign, table: &Table, directory: &Path) -> Result<()> {
        let _turn = turn_of(&self.file);
        let mut rows = self.rows.clone();
        rows.extend(rows_of(&self.file, campaign, &self.recipes)?);
        let spent = times::spent(directory)?;
        let error = table.columns.iter().position(|c| c == ERROR);
        let shown: Vec<usize> =
            (0..table.columns.len()).filter(|k| !LEFT_OUT.contains(&table.columns[*k].as_str())).collect();
        let foreign = foreign_columns(&rows, table);
        let columns = shown.iter().map(|k| table.columns[*k].as_str()).chain([RECIPE, WALL]);
        let header = columns.clone().chain(foreign.iter().copied());
        let mut lines = vec![header.map(|c| Cell::Text(c.into())).collect::<Vec<_>>()];
        for (index, (case, row)) in campaign.cases.iter().zip(&table.rows).enumerate() {
            let whole = error.is_none_or(|k| row[k] == Cell::Empty);
            let kept = rows.get(&case.name);
            let as_kept =
                |column| kept.and_then(|k| k.cells.get(column)).map_or(Cell::Empty, |c| Cell::Text(c.clone()));
            // What the table says and not what the disk does by now: its row is of the same instant.
            let mut cells: Vec<Cell> = if table.is_any(index, &[Status::Done]) && whole {
                let wall = spent.get(&case.name).map_or(Cell::Empty, |s| Cell::Number((10.0 * s).round() / 10.0));
                let own = [Cell::Text(self.recipes[case.index][0].clone()), wall];
                shown.iter().map(|k| row[*k].clone()).chain(own).collect()
            } else if kept.is_some() {
                columns.clone().map(as_kept).collect()
            } else {
                continue;
            };
            cells.extend(foreign.iter().copied().map(as_kept));
            lines.push(cells);
        }
        write_new(&self.file, lines.iter().map(|cells| line(cells)).collect::<String>().as_bytes(), true)
    }
}

/// The rows of a table by the names of their cases, none without the file. Refuses rows of other cases than these, of which it would
/// take away what they stand for.
fn rows_of(file: &Path, campaign: &Campaign, recipes: &[[String; 2]]) -> Result<BTreeMap<String, KeptRow>> {
    let rows = if file.exists() { read(file)? } else { BTreeMap::new() };
    let cases: BTreeMap<&str, &Case> = campaign.cases.iter().map(|case| (case.name.as_str(), case)).collect();
    let fault = |(name, row): (&String, &KeptRow)| {
        let what = match cases.get(name.as_str()) {
            None => format!("row `{name}`: the campaign has no such case"),
            Some(case) if !row.is_of(&recipes[case.index]) => others(name),
            Some(_) => return None,
        };
        let remedy = "keep in another file, or take the row out so that the case runs again";
        Some(Fault::new(what).remedy(remedy).path(file))
    };
    Faults::of(rows.iter().filter_map(fault).collect()).check()?;
    need_numbers(file, campaign, &rows)?;
    Ok(rows)
}

/// Columns of rows that are not the campaign's, such as notes of who keeps them.
fn foreign_columns<'a>(rows: &'a BTreeMap<String, KeptRow>, table: &Table) -> BTreeSet<&'a str> {
    let own = |name: &&str| LEFT_OUT.contains(name) || [RECIPE, WALL].contains(name);
    let all = rows.values().flat_map(|row| row.cells.keys()).map(String::as_str);
    all.filter(|name| !own(name) && !table.columns.iter().any(|c| c == name)).collect()
}

/// Held while a table is read and written again, by the lock of its folder: the table itself is another file each time. Nothing
/// where a system does not lock folders.
fn turn_of(file: &Path) -> Option<File> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).ok().filter(|folder| folder.lock().is_ok())
}

/// Refuses a file whose folder is missing, before anything runs.
fn refuse_folder(file: &Path) -> Result<()> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty() && !f.is_dir());
    let refused = |folder: &Path| Fault::new("is no folder").remedy("make it, or choose another --keep").path(folder);
    folder.map_or(Ok(()), |folder| Err(refused(folder).into()))
}

/// Refuses a word where the program writes numbers. Columns of who keeps the file may hold anything.
fn need_numbers(file: &Path, campaign: &Campaign, rows: &BTreeMap<String, KeptRow>) -> Result<()> {
    let measured = |name: &str| campaign.analysis.as_ref().is_some_and(|a| a.may_have(name));
    let computed = |name: &str| campaign.computed.iter().any(|c| c.name == name);
    let quantity = |name: &str| QUANTITIES.iter().any(|q| q.name == name) || of_a_region(name);
    let known = |name: &str| quantity(name) || OF_RUN.contains(&name) || name == WALL;
    let counts = |name: &str| known(name) || computed(name) || measured(name);
    let fault = |name: &str, row: &KeptRow, column: &str| {
        let Cell::Text(text) = row.cell(column) else { return None };
        let what = format!("row `{name}`: `{column}` is {text:?}, and a number is wanted");
        Some(Fault::new(what).remedy("restore it, or take the row out so that the case runs again").path(file))
    };
    let of_row = |(name, row): (&String, &KeptRow)| {
        let columns: Vec<&String> = row.cells.keys().filter(|column| counts(column)).collect();
        columns.into_iter().filter_map(|column| fault(name, row, column)).collect::<Vec<_>>()
    };
    Faults::of(rows.iter().flat_map(of_row).collect()).check()
}

fn others(name: &str) -> String {
    format!("row `{name}`: its scenario, settings or inputs were others")
}

/// Refuses rows that stand for cases in a directory since an earlier call, if their recipes are not those of the cases any more.
/// `recipes`: asked for where there are such rows.
pub fn check_placed(
    campaign: &Campaign,
    directory: &Path,
    recipes: impl FnOnce() -> Result<Vec<[String; 2]>>,
) -> Result<()> {
    let runs = campaign.cases.iter().map(|case| (case, run_of(directory, case)));
    let kept = runs.filter(|(_, run)| look(run).status == Status::Kept);
    let row = |(case, run): (_, PathBuf)| Ok(KeptRow::read(&run)?.map(|row| (case, row, run)));
    let rows: Vec<_> = kept.map(row).filter_map(Result::transpose).collect::<Result<_>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    let recipes = recipes()?;
    let changed = rows.iter().filter(|(case, row, _)| !row.is_of(&recipes[case.index]));
    let remedy = "give --keep FILE without this row, so that the case runs again";
    let fault = |(case, _, run): &(&Case, KeptRow, PathBuf)| {
        Fault::new(others(&case.name)).remedy(remedy).path(KeptRow::path(run))
    };
    Faults::of(changed.map(fault).collect()).check()
}

/// The rows of a table by the names of their cases.
fn read(file: &Path) -> Result<BTreeMap<String, KeptRow>> {
    let text = input::read_data_text(file)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let fault = |e: csv::Error| Fault::new(e.to_string()).remedy("take a table that --keep wrote").path(file).data();
    let columns: Vec<String> = reader.headers().map_err(fault)?.iter().map(str::to_owned).collect();
    if let Some(column) = ["name", RECIPE].into_iter().find(|c| !columns.iter().any(|have| have == c)) {
        let what = format!("has no column `{column}`");
        return Err(Fault::new(what).remedy("take a table that --keep wrote").path(file).data());
    }
    let mut rows = BTreeMap::new();
    for record in reader.records() {
        let mut cells: BTreeMap<String, String> =
            columns.iter().cloned().zip(record.map_err(fault)?.iter().map(former::path)).collect();
        let name = former::name(&cells["name"]);
        cells.insert("name".into(), name.clone());
        if rows.insert(name.clone(), KeptRow { cells }).is_some() {
            let what = format!("has more than one row `{name}`");
            return Err(Fault::new(what).remedy("leave one of them").path(file).data());
        }
    }
    Ok(rows)
}

/// True if the case needs no run any more.
pub fn is_settled(directory: &Path, case: &Case) -> bool {
    matches!(look(&run_of(directory, case)).status, Status::Done | Status::Kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_read_as_numbers_are_words() {
        let cells = [
            ("name", "000_1"),
            ("seed", "1"),
            ("program", "0.2"),
            ("packing_final", "0.5"),
            ("wall_s", "3"),
            ("x", ""),
        ];
        let row = KeptRow { cells: cells.map(|(k, v)| (k.to_owned(), v.to_owned())).into() };
        assert_eq!(row.cell("name"), Cell::Text("000_1".into()));
        assert_eq!((row.cell("seed"), row.cell("x")), (Cell::Number(1.0), Cell::Empty));
        assert_eq!(row.numbers().map(|(name, _)| name).collect::<Vec<_>>(), ["packing_final", "seed"]);
    }
}
