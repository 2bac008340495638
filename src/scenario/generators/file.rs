//! Bodies from a table, one a row: x y z radius [vx vy vz [wx wy wz]], from .npy or .csv.

use super::entry::{Entry, Group};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::input;
use crate::base::quantity::{Dimension, in_name};
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::generator::{Generate, Generator, SourcePath, Take};
use crate::model::scenario::{ListItem, Scenario};
use crate::model::stored::frames::read_f64;
use crate::scenario::take::at_rest;
use glam::DVec3;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::path::Path;

pub(super) const ENTRY: Entry = Entry::new(
    "file",
    "rows of a table, a .csv or .npy file with the columns x y z radius [vx vy vz [wx wy wz]]",
    &[Key::text("path").required().says("the table, counted from the folder of the scenario").eg("\"bodies.csv\"")],
    read,
);

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "file")]
struct File {
    /// path, relative to the scenario
    path: String,
}

fn read(t: &Table, group: &Group) -> Generator {
    Generator::new(File { path: group.folder.join(t.text("path").unwrap_or_default()).to_string_lossy().into_owned() })
}

impl Generate for File {
    fn source(&mut self) -> Option<SourcePath<'_>> {
        Some(SourcePath { path: &mut self.path, run: false })
    }

    /// The bodies of the table in order.
    fn place(&self, _: &Scenario, _: usize, _: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        if self.path.ends_with(".npy") { arrays(&self.path, to) } else { text(&self.path, to) }
    }
}

/// Names of the columns and what they measure.
const COLUMNS: [(&str, Dimension); 10] = [
    ("x", Dimension::Length),
    ("y", Dimension::Length),
    ("z", Dimension::Length),
    ("radius", Dimension::Length),
    ("vx", Dimension::Speed),
    ("vy", Dimension::Speed),
    ("vz", Dimension::Speed),
    ("wx", Dimension::AngularSpeed),
    ("wy", Dimension::AngularSpeed),
    ("wz", Dimension::AngularSpeed),
];

/// Most cells of a row.
const WIDTH: usize = COLUMNS.len();

fn bad(path: &str, row: usize, what: &str) -> Error {
    let remedy = "give the columns x y z radius [vx vy vz [wx wy wz]] in SI, 4, 7 or 10 of them";
    Fault::new(what).remedy(remedy).file(path).line(row).into()
}

fn arrays(path: &str, to: &mut dyn Take) -> Result<()> {
    let (data, shape) = read_f64(Path::new(path))?;
    let [_, columns] = shape.as_slice() else {
        return Err(bad(path, 0, "the array is not two-dimensional"));
    };
    to.reserve(data.len() / (*columns).max(1));
    for (k, values) in data.chunks((*columns).max(1)).enumerate() {
        to.take(row(values).ok_or_else(|| bad(path, k + 1, "the row does not have the right numbers"))?);
    }
    Ok(())
}

fn text(path: &str, to: &mut dyn Take) -> Result<()> {
    let text = input::read_data_text(Path::new(path))?;
    to.reserve(text.lines().count());
    let filled = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let filled = filled.filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    let mut units = [1.0; WIDTH];
    for (index, (number, line)) in filled.enumerate() {
        let mut values = [0.0; WIDTH];
        match numbers(line, &mut values) {
            Some(count) => {
                values.iter_mut().zip(units).for_each(|(value, unit)| *value *= unit);
                to.take(
                    row(&values[..count])
                        .ok_or_else(|| bad(path, number, "the row does not have the right numbers"))?,
                );
            }
            None if index == 0 && is_header(line) => {
                units = header(line).map_err(|what| bad(path, number, &what))?;
            }
            None => {
                let what = "a cell is not a number, cells are not separated by commas, or there are more than 10";
                return Err(bad(path, number, what));
            }
        }
    }
    Ok(())
}

/// How many numbers a line has, if it has nothing else.
fn numbers(line: &str, values: &mut [f64; WIDTH]) -> Option<usize> {
    let mut count = 0;
    for cell in line.split(',') {
        *values.get_mut(count)? = cell.trim().parse().ok()?;
        count += 1;
    }
    Some(count)
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|c| c.trim().trim_matches('"').trim())
}

/// True of a line of names.
fn is_header(line: &str) -> bool {
    line.contains(',') && cells(line).all(|c| c.starts_with(char::is_alphabetic))
}

/// SI value of the unit of each column; `Err`: what a column is called, where that is not its name with a unit of its kind.
fn header(line: &str) -> std::result::Result<[f64; WIDTH], String> {
    let mut units = [1.0; WIDTH];
    for (k, cell) in cells(line).enumerate() {
        let Some((name, dimension)) = COLUMNS.get(k) else {
            return Err(format!("column {} is one more than there can be", k + 1));
        };
        let short = if *name == "radius" { "r" } else { *name };
        let unit = [*name, short].into_iter().find_map(|name| in_name(cell.strip_prefix(name)?, *dimension));
        units[k] = unit.ok_or_else(|| {
            let unit = si(*dimension);
            format!(
                "column {} is called `{cell}` instead of `{name}`, or `{name}` with a unit, such as `{name}_{unit}`",
                k + 1
            )
        })?;
    }
    Ok(units)
}

/// The SI unit as names have it.
fn si(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Speed => "m_s",
        Dimension::AngularSpeed => "rad_s",
        _ => "m",
    }
}

fn row(values: &[f64]) -> Option<ListItem> {
    let vector = |k: usize| DVec3::new(values[k], values[k + 1], values[k + 2]);
    let mut item = match values.len() {
        4 | 7 | 10 if values[3] > 0.0 && values.iter().zip(COLUMNS).all(|(v, (_, d))| v.abs() <= d.most()) => {
            at_rest(vector(0), values[3])
        }
        _ => return None,
    };
    if values.len() >= 7 {
        item.velocity_m_s = vector(4);
    }
    if values.len() == 10 {
        item.spin_rad_s = vector(7);
    }
    Some(item)
}
