//! Bodies from a table, one a row: x y z radius [vx vy vz [wx wy wz]], from .npy or .csv, which may also name materials.

use super::entry::{Entry, Group};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::input;
use crate::base::quantity::{Dimension, in_name};
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::generator::{Generate, Generator, Keeps, SourcePath, Take};
use crate::model::scenario::{ListItem, Material, Scenario};
use crate::model::stored::frames::read_f64;
use crate::scenario::take::at_rest;
use glam::DVec3;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::path::Path;

pub(super) const ENTRY: Entry = Entry::new(
    "file",
    "rows of a table, a .csv or .npy file with the columns x y z radius [vx vy vz [wx wy wz]] [material]",
    &[Key::text("path").required().says("the table, counted from the folder of the scenario").eg("\"bodies.csv\"")],
    read,
);

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "file")]
struct File {
    /// path, relative to the scenario
    path: String,
    /// bodies keep the materials that their rows name; else all have that of the group
    keep_materials: bool,
}

fn read(t: &Table, group: &Group) -> Generator {
    let path = group.folder.join(t.text("path").unwrap_or_default()).to_string_lossy().into_owned();
    let keep_materials = !is_array(&path) && !t.has("material");
    Generator::new(File { path, keep_materials })
}

fn is_array(path: &str) -> bool {
    path.ends_with(".npy")
}

impl Generate for File {
    fn keeps(&self) -> Keeps {
        Keeps { materials: self.keep_materials, ..Keeps::default() }
    }

    fn sources(&mut self) -> Vec<SourcePath<'_>> {
        vec![SourcePath { key: "path".into(), path: &mut self.path, run: false }]
    }

    /// The bodies of the table in order.
    fn place(&self, scenario: &Scenario, _: usize, _: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        let materials = self.keep_materials.then_some(&scenario.materials[..]);
        if is_array(&self.path) { arrays(&self.path, to) } else { text(&self.path, materials, to) }
    }
}

/// Names of the columns and what they measure.
pub(in crate::scenario) const COLUMNS: [(&str, Dimension); 10] = [
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

/// The last column of a .csv, if there is one more.
pub(in crate::scenario) const MATERIAL: &str = "material";

/// Most cells of a row, but for the material.
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

/// `materials`: those that rows may name; without them names in rows do not count.
fn text(path: &str, materials: Option<&[Material]>, to: &mut dyn Take) -> Result<()> {
    let text = input::read_data_text(Path::new(path))?;
    to.reserve(text.lines().count());
    let filled = (1..).zip(text.trim_start_matches('\u{feff}').lines());
    let filled = filled.filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    let mut head = Head { units: [1.0; WIDTH], materials: false };
    for (index, (number, line)) in filled.enumerate() {
        if index == 0 && is_header(line) {
            head = header(line).map_err(|what| bad(path, number, &what))?;
            continue;
        }
        if let (true, Some([_, _, ..])) = (!head.materials, materials) {
            return Err(nameless(path, number));
        }
        let mut values = [0.0; WIDTH];
        let (cells, name) = match line.rsplit_once(',') {
            Some((cells, name)) if head.materials => (cells, Some(name)),
            _ => (line, None),
        };
        let count = numbers(cells, &mut values).ok_or_else(|| {
            let what = "a cell is not a number, cells are not separated by commas, or there are more than 10";
            bad(path, number, what)
        })?;
        values.iter_mut().zip(head.units).for_each(|(value, unit)| *value *= unit);
        let mut body =
            row(&values[..count]).ok_or_else(|| bad(path, number, "the row does not have the right numbers"))?;
        if let (Some(name), Some(materials)) = (name, materials) {
            body.material = Some(named(name, materials).ok_or_else(|| unknown(path, number, name))?);
        }
        to.take(body);
    }
    Ok(())
}

fn named(cell: &str, materials: &[Material]) -> Option<usize> {
    let name = cell.trim().trim_matches('"').trim();
    materials.iter().position(|m| m.name == name)
}

fn unknown(path: &str, row: usize, name: &str) -> Error {
    let what = format!("the scenario has no material `{}`", name.trim());
    let remedy = "add a [[material]] of that name, or give the group a material for all its bodies";
    Fault::new(what).remedy(remedy).file(path).line(row).into()
}

fn nameless(path: &str, row: usize) -> Error {
    let what = "the table has no column `material`, and the scenario has several materials";
    let remedy = "give the group a material for all its bodies, or add the column as the last one";
    Fault::new(what).remedy(remedy).file(path).line(row).into()
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

/// What the first line of a .csv says.
struct Head {
    /// SI value of the unit of each column
    units: [f64; WIDTH],
    /// the last column names materials
    materials: bool,
}

/// Reads it; `Err`: what a column is called, where that is not its name with a unit of its kind.
fn header(line: &str) -> std::result::Result<Head, String> {
    let mut head = Head { units: [1.0; WIDTH], materials: false };
    let count = cells(line).count();
    for (k, cell) in cells(line).enumerate() {
        if k + 1 == count && cell == MATERIAL {
            head.materials = true;
            break;
        }
        let Some((name, dimension)) = COLUMNS.get(k) else {
            return Err(format!("column {} is one more than there can be", k + 1));
        };
        let short = if *name == "radius" { "r" } else { *name };
        let unit = [*name, short].into_iter().find_map(|name| in_name(cell.strip_prefix(name)?, *dimension));
        head.units[k] = unit.ok_or_else(|| {
            let unit = si(*dimension);
            format!(
                "column {} is called `{cell}` instead of `{name}`, or `{name}` with a unit, such as `{name}_{unit}`",
                k + 1
            )
        })?;
    }
    Ok(head)
}

/// The SI unit as names have it.
pub(in crate::scenario) fn si(dimension: Dimension) -> &'static str {
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
