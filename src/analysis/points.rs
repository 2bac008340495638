//! Points at which a field is wanted: rows of a table, or a grid.

use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::header::{is_name, names_in_comment, unread};
use crate::base::input;
use crate::base::quantity::{Dimension, in_name, parse};
use crate::base::readable::number;
use crate::model::stored::frames::read_f64;
use glam::DVec3;
use std::path::Path;

/// Most points of a grid.
const POINTS_MAX: usize = 50_000_000;

/// Names of the coordinates.
const AXES: [&str; 3] = ["x", "y", "z"];

/// Points at which a field is wanted.
#[derive(Debug)]
pub enum Points {
    /// of a table
    Listed(Vec<DVec3>),
    /// of a grid, by the coordinates along its axes; z fastest
    Grid([Vec<f64>; 3]),
}

impl Points {
    /// How many there are along x, y and z, if they are a grid.
    pub fn sides(&self) -> Option<[usize; 3]> {
        match self {
            Points::Listed(_) => None,
            Points::Grid(axes) => Some(axes.each_ref().map(Vec::len)),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Points::Listed(points) => points.len(),
            Points::Grid(axes) => axes.iter().map(Vec::len).product(),
        }
    }

    /// One of them (m).
    pub fn at(&self, k: usize) -> DVec3 {
        match self {
            Points::Listed(points) => points[k],
            Points::Grid([x, y, z]) => {
                let row = k / z.len();
                DVec3::new(x[row / y.len()], y[row % y.len()], z[k % z.len()])
            }
        }
    }

    /// All of them in order, so many at once.
    pub fn blocks(&self, most: usize) -> impl Iterator<Item = Vec<DVec3>> {
        let count = self.count();
        (0..count).step_by(most).map(move |first| (first..count.min(first + most)).map(|k| self.at(k)).collect())
    }
}

/// The points of a .npy file, an array of three columns (m), or of a .csv file, whose first line may name the columns, behind
/// a `#` too: those that are called x, y and z, with a unit of length or in metres, are taken.
pub fn read_points(path: &Path) -> Result<Vec<DVec3>> {
    let points = if path.extension().is_some_and(|e| e == "npy") { array(path)? } else { text(path)? };
    if points.is_empty() {
        return Err(bad(path, "holds no points").data());
    }
    Ok(points)
}

fn bad(path: &Path, what: impl Into<String>) -> Fault {
    let remedy = "give a .npy array of three columns, or a .csv with the columns x, y and z, such as `x_m,y_m,z_m`";
    Fault::new(what).remedy(remedy).path(path)
}

fn array(path: &Path) -> Result<Vec<DVec3>> {
    let (data, shape) = read_f64(path)?;
    let [_, 3] = shape[..] else {
        return Err(bad(path, format!("is an array of the shape {shape:?}, and not of three columns")).data());
    };
    let points = data.chunks_exact(3).map(DVec3::from_slice);
    let wrong = |k: usize, p: DVec3| {
        let most = number(Dimension::Length.most());
        let what = format!("{p} is no point with coordinates of at most {most} m");
        bad(path, what).key(format!("row {}", k + 1)).data()
    };
    points.enumerate().map(|(k, p)| sound(p).ok_or_else(|| wrong(k, p))).collect()
}

/// A point within the bounds of lengths.
fn sound(p: DVec3) -> Option<DVec3> {
    p.to_array().iter().all(|c| c.abs() <= Dimension::Length.most()).then_some(p)
}

fn text(path: &Path) -> Result<Vec<DVec3>> {
    let text = input::read_data_text(path)?;
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .comment(Some(b'#'))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let (mut columns, mut points) = (None, vec![]);
    for (k, record) in reader.records().enumerate() {
        let record = record.map_err(|e| bad(path, e.to_string()).data())?;
        let line = || line_of(text, &record);
        if k == 0 {
            let commented = names_in_comment(text, is_axis);
            // below names in a comment a word is a cell of a row
            let own = record.iter().any(if commented.is_some() { is_axis } else { is_name });
            let names: Option<(usize, Vec<&str>)> =
                if own { Some((line(), record.iter().collect())) } else { commented };
            if let Some(fault) = unread(text, names.as_ref().map(|n| &n.1[..]), record.len(), is_axis) {
                return Err(fault.path(path).data());
            }
            columns = names.map(|(line, names)| head(path, line, &names)).transpose()?;
            if own {
                continue;
            }
        }
        points.push(point(&record, columns).map_err(|what| bad(path, what).line(line()).data())?);
    }
    Ok(points)
}

/// The line of a record, whose position is that of the comments and empty lines above it.
fn line_of(text: &str, record: &csv::StringRecord) -> usize {
    let (before, rest) = text.split_at(record.position().map_or(0, |p| p.byte() as usize));
    let passed = rest.lines().take_while(|line| line.is_empty() || line.starts_with('#'));
    1 + before.matches('\n').count() + passed.count()
}

/// The point of a row; `Err`: what is wrong with it.
fn point(record: &csv::StringRecord, columns: Option<[Column; 3]>) -> std::result::Result<DVec3, String> {
    if columns.is_none() && record.len() != 3 {
        let what = "a row without names of columns has three numbers, x, y and z; name them in the first line";
        return Err(what.into());
    }
    let columns = columns.unwrap_or([0, 1, 2].map(|k| (k, 1.0)));
    let cell = |(at, unit): Column| record.get(at)?.parse::<f64>().ok().map(|value| value * unit);
    let [x, y, z] = columns.map(cell);
    let point = x.zip(y).zip(z).and_then(|((x, y), z)| sound(DVec3::new(x, y, z)));
    point.ok_or_else(|| {
        let (row, most) = (record.iter().collect::<Vec<_>>().join(","), number(Dimension::Length.most()));
        format!("the row `{row}` does not have three coordinates of at most {most} m")
    })
}

/// Where a coordinate is in a row, and the SI value of its unit.
type Column = (usize, f64);

/// SI value of the unit of a column of this coordinate; `None`: it is not one.
fn unit(cell: &str, axis: &str) -> Option<f64> {
    in_name(cell.strip_prefix(axis)?, Dimension::Length)
}

/// True of the name of a coordinate.
fn is_axis(cell: &str) -> bool {
    AXES.iter().any(|axis| unit(cell, axis).is_some())
}

/// Where the coordinates are, by the line of names.
fn head(path: &Path, line: usize, names: &[&str]) -> Result<[Column; 3]> {
    let find = |axis: &str| names.iter().enumerate().find_map(|(k, cell)| Some((k, unit(cell, axis)?)));
    let mut columns = [(0, 1.0); 3];
    for (column, axis) in columns.iter_mut().zip(AXES) {
        *column = find(axis).ok_or_else(|| {
            bad(path, format!("no column is called `{axis}`, with a unit of length or without")).line(line).data()
        })?;
    }
    Ok(columns)
}

/// The points of a grid, z fastest; `text`: `XMIN:XMAX:N,YMIN:YMAX:N,ZMIN:ZMAX:N`, in metres or with units. One number in
/// the place of a range gives a plane or a line.
pub fn grid(text: &str) -> Result<Points> {
    let wrong = |what: String| {
        let remedy = "write it as in -500:500:101,-500:500:101,0 (metres), or \"-1 km:1 km:11,0,0\"";
        Error::Usage(format!("--grid {text}: {what}; {remedy}"))
    };
    let axes: Vec<&str> = text.split(',').collect();
    let [x, y, z] = axes[..] else {
        return Err(wrong(format!("has {} ranges, and not three", axes.len())));
    };
    let [x, y, z] = [axis(x), axis(y), axis(z)];
    let (x, y, z) = (x.map_err(&wrong)?, y.map_err(&wrong)?, z.map_err(&wrong)?);
    let axes = [x, y, z];
    let count = axes.iter().map(Vec::len).fold(1usize, |n, side| n.saturating_mul(side));
    if count > POINTS_MAX {
        return Err(wrong(format!("are {count} points, and at most {POINTS_MAX} are taken")));
    }
    Ok(Points::Grid(axes))
}

/// Coordinates along an axis (m).
fn axis(text: &str) -> std::result::Result<Vec<f64>, String> {
    let length = |part: &str| {
        let value = parse(part, Dimension::Length).map_err(|e| e.join("; "))?;
        let most = Dimension::Length.most();
        if value.abs() <= most { Ok(value) } else { Err(format!("`{part}` is beyond {most} m")) }
    };
    let parts: Vec<&str> = text.split(':').collect();
    match parts[..] {
        [one] => Ok(vec![length(one)?]),
        [from, to, number] => {
            let (from, to) = (length(from)?, length(to)?);
            let number = number.trim().parse::<usize>().ok().filter(|n| (2..=POINTS_MAX).contains(n));
            let number = number.ok_or(format!("`{text}` does not end with a number of points, 2 or more"))?;
            if from >= to {
                return Err(format!("`{text}` does not go upwards"));
            }
            let step = (to - from) / (number - 1) as f64;
            Ok((0..number).map(|k| from + step * k as f64).collect())
        }
        _ => Err(format!("`{text}` is neither a number nor MIN:MAX:N")),
    }
}
