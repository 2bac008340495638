//! Bodies from a table, one a row: x y z radius [vx vy vz [wx wy wz]], from .npy or .csv, which may also name materials.

use super::entry::{Entry, Group};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::header::{cells, is_name, names_in_comment, unread};
use crate::base::input;
use crate::base::quantity::{Dimension, in_name};
use crate::base::readable::number;
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

/// Numbers of a row: with neither motion, with a velocity, with a spin too.
const COUNTS: [usize; 3] = [4, 7, 10];

/// What is wrong with a table, or with a row of it.
fn bad(what: impl Into<String>) -> Fault {
    let remedy = "give every row the columns x y z radius [vx vy vz [wx wy wz]], 4, 7 or 10 numbers with commas between \
                  them, in SI or in the units that a line of names gives";
    Fault::new(what).remedy(remedy)
}

fn arrays(path: &str, to: &mut dyn Take) -> Result<()> {
    let (data, shape) = read_f64(Path::new(path))?;
    let refused = |what: String| Err(bad(what).file(path).data());
    let [rows, columns] = shape[..] else {
        return refused(format!("is an array of the shape {shape:?}, and not of rows and columns"));
    };
    if !COUNTS.contains(&columns) {
        return refused(format!("is an array of the shape {shape:?}, with {columns} columns"));
    }
    if rows == 0 {
        return Err(empty(path));
    }
    to.reserve(rows);
    for (k, values) in data.chunks(columns).enumerate() {
        to.take(row(values).map_err(|what| bad(what).file(path).key(format!("row {}", k + 1)).data())?);
    }
    Ok(())
}

fn empty(path: &str) -> Error {
    Fault::new("holds no bodies").remedy("write a row for each body, or remove the group").file(path).data()
}

/// `materials`: those that rows may name; without them names in rows do not count.
fn text(path: &str, materials: Option<&[Material]>, to: &mut dyn Take) -> Result<()> {
    let text = input::read_data_text(Path::new(path))?;
    let text = text.trim_start_matches('\u{feff}');
    to.reserve(text.lines().count());
    let filled = (1..).zip(text.lines());
    let mut filled = filled.filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')).peekable();
    let own = filled.next_if(|(_, line)| is_header(line)).map(|(number, line)| (number, cells(line).collect()));
    let columns = filled.peek().map_or(0, |(_, row)| row.split(',').count());
    let named: Option<(usize, Vec<&str>)> = own.or_else(|| names_in_comment(text, is_column));
    if let Some(fault) = unread(text, named.as_ref().map(|n| &n.1[..]), columns, is_column) {
        return Err(fault.file(path).data());
    }
    let mut head = match named {
        Some((number, names)) => header(&names).map_err(|what| bad(what).file(path).line(number).data())?,
        None => Head::default(),
    };
    if filled.peek().is_none() {
        return Err(empty(path));
    }
    for (number, line) in filled {
        to.take(head.body(line, materials).map_err(|fault| fault.file(path).line(number).data())?);
    }
    Ok(())
}

fn named(cell: &str, materials: &[Material]) -> std::result::Result<usize, Box<Fault>> {
    let name = cell.trim().trim_matches('"').trim();
    materials.iter().position(|m| m.name == name).ok_or_else(|| {
        let remedy = "add a [[material]] of that name, or give the group a material for all its bodies";
        Box::new(Fault::new(format!("the scenario has no material `{name}`")).remedy(remedy))
    })
}

fn nameless() -> Fault {
    Fault::new("the table has no column `material`, and the scenario has several materials")
        .remedy("give the group a material for all its bodies, or add the column as the last one")
}

/// Reads the numbers of a line; tells how many there are.
fn numbers(line: &str, values: &mut [f64; WIDTH]) -> std::result::Result<usize, String> {
    let mut count = 0;
    for cell in line.split(',') {
        let Some(value) = values.get_mut(count) else { return Err(format!("the row has more than {WIDTH} numbers")) };
        *value = cell.trim().parse().map_err(|_| format!("`{}` is not a number", cell.trim()))?;
        count += 1;
    }
    Ok(count)
}

/// True of a line of names.
fn is_header(line: &str) -> bool {
    line.contains(',') && cells(line).all(is_name)
}

/// SI value of the unit of a column with this name; `None`: it has another name, or a unit that measures something else.
fn unit(cell: &str, name: &str, dimension: Dimension) -> Option<f64> {
    let short = if name == "radius" { "r" } else { name };
    [name, short].into_iter().find_map(|name| in_name(cell.strip_prefix(name)?, dimension))
}

/// True of the name of a column of bodies.
fn is_column(cell: &str) -> bool {
    cell == MATERIAL || COLUMNS.iter().any(|(name, dimension)| unit(cell, name, *dimension).is_some())
}

/// What the rows of a .csv hold.
struct Head {
    /// SI value of the unit of each column
    units: [f64; WIDTH],
    /// the last column names materials
    materials: bool,
    /// cells of every row, and which line says so; `None`: as many as the first row has
    width: Option<(usize, &'static str)>,
}

impl Default for Head {
    fn default() -> Head {
        Head { units: [1.0; WIDTH], materials: false, width: None }
    }
}

/// Reads it from the names of the columns; `Err`: what a column is called, where that is not its name with a unit of its
/// kind, or how many there are, where no body has so many.
fn header(names: &[&str]) -> std::result::Result<Head, String> {
    let mut head = Head { width: Some((names.len(), "the line of names")), ..Head::default() };
    let columns = match names.split_last() {
        Some((&MATERIAL, columns)) => columns,
        _ => names,
    };
    head.materials = columns.len() < names.len();
    for (k, cell) in columns.iter().enumerate() {
        let Some((name, dimension)) = COLUMNS.get(k) else {
            return Err(format!("column {} is one more than there can be", k + 1));
        };
        head.units[k] = unit(cell, name, *dimension).ok_or_else(|| {
            let unit = si(*dimension);
            format!(
                "column {} is called `{cell}` instead of `{name}`, or `{name}` with a unit, such as `{name}_{unit}`",
                k + 1
            )
        })?;
    }
    if !COUNTS.contains(&columns.len()) {
        return Err(format!("names {} columns of numbers", columns.len()));
    }
    Ok(head)
}

impl Head {
    /// The body of a line; `Err`: what is wrong with it.
    fn body(&mut self, line: &str, materials: Option<&[Material]>) -> std::result::Result<ListItem, Box<Fault>> {
        if let (true, Some([_, _, ..])) = (!self.materials, materials) {
            return Err(nameless().into());
        }
        let count = line.split(',').count();
        let (width, who) = *self.width.get_or_insert((count, "the first row"));
        if count != width {
            return Err(bad(format!("the row has {count} cells, and {who} has {width}")).into());
        }
        let (cells, name) = match line.rsplit_once(',') {
            Some((cells, name)) if self.materials => (cells, Some(name)),
            _ => (line, None),
        };
        let mut values = [0.0; WIDTH];
        let count = numbers(cells, &mut values).map_err(bad)?;
        values.iter_mut().zip(self.units).for_each(|(value, unit)| *value *= unit);
        let mut body = row(&values[..count]).map_err(bad)?;
        if let (Some(name), Some(materials)) = (name, materials) {
            body.material = Some(named(name, materials)?);
        }
        Ok(body)
    }
}

/// The SI unit as names have it.
pub(in crate::scenario) fn si(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Speed => "m_s",
        Dimension::AngularSpeed => "rad_s",
        _ => "m",
    }
}

/// The body of a row (SI); `Err`: what is wrong with its numbers.
fn row(values: &[f64]) -> std::result::Result<ListItem, String> {
    if !COUNTS.contains(&values.len()) {
        return Err(format!("the row has {} numbers", values.len()));
    }
    for (value, (name, dimension)) in values.iter().zip(COLUMNS) {
        let (least, most, unit) = (-dimension.most(), dimension.most(), dimension.unit());
        if !(least..=most).contains(value) {
            return Err(format!("{name} is {} {unit}, outside [{}, {}]", number(*value), number(least), number(most)));
        }
    }
    if values[3] <= 0.0 {
        return Err(format!("radius is {} m, and not above 0", number(values[3])));
    }
    let vector = |k: usize| DVec3::new(values[k], values[k + 1], values[k + 2]);
    let mut item = at_rest(vector(0), values[3]);
    if values.len() >= 7 {
        item.velocity_m_s = vector(4);
    }
    if values.len() == 10 {
        item.spin_rad_s = vector(7);
    }
    Ok(item)
}
