//! The columns of `series.csv`: one table, from which header, rows and the table in docs/user/output.md are made.
//!
//! An entry has a name with its unit, a sentence on what it means, a condition, and a function of what was [`Measured`].
//! Entries are next to the code that measures them; [`TABLE`] has them in the order of a row. A new column is one more
//! entry. Code that reads a column names it with [`crate::column_name`], which does not compile for an unknown name.

use super::series::Measured;
use super::{bodies_in, contact_counts, energy, frame, grains, momentum, solver, stress, walls};
use crate::model::scenario::{Motion, Scenario};
use glam::{DQuat, DVec3};

/// A column, or the components of a vector.
pub struct Column {
    /// name in the header; `*` is the component, `NAME` the name of the wall or region
    pub name: &'static str,
    /// unit; empty for counts and ratios
    pub unit: &'static str,
    /// what it means
    pub meaning: &'static str,
    /// when a run has it
    pub when: When,
    /// how it is measured
    pub value: Value,
}

/// The function that gives the value of a column, or one for all components.
pub enum Value {
    /// a number
    One(fn(&Measured) -> f64),
    /// components x, y, z
    Xyz(fn(&Measured) -> DVec3),
    /// components x, y, z, w of a quaternion
    Xyzw(fn(&Measured) -> DQuat),
    /// components xx, yy, zz, xy, xz, yz of a symmetric tensor
    Tensor(fn(&Measured) -> [f64; 6]),
    /// a number of each wall
    OfWall(fn(&Measured, usize) -> f64),
    /// components x, y, z of each wall
    OfWallXyz(fn(&Measured, usize) -> DVec3),
    /// a number of each region
    OfRegion(fn(&Measured, usize) -> f64),
}

/// When a run has a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// in every run
    Always,
    /// with the method contact dynamics
    ContactDynamics,
    /// for walls with a velocity or a servo
    WallMoves,
    /// with an asteroid
    Asteroid,
    /// with an asteroid that rotates
    AsteroidTurns,
    /// with an asteroid that moves freely
    AsteroidFree,
}

/// All columns in the order of a row.
pub const TABLE: &[&[Column]] = &[
    energy::COLUMNS,
    momentum::COLUMNS,
    contact_counts::COLUMNS,
    stress::COLUMNS,
    solver::COLUMNS,
    walls::COLUMNS,
    bodies_in::COLUMNS,
    grains::COLUMNS,
    frame::COLUMNS,
];

impl Column {
    /// A number that every run has.
    pub(super) const fn one(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        value: fn(&Measured) -> f64,
    ) -> Column {
        Column { name, unit, meaning, when: When::Always, value: Value::One(value) }
    }

    /// A vector that every run has.
    pub(super) const fn xyz(
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
        value: fn(&Measured) -> DVec3,
    ) -> Column {
        Column { name, unit, meaning, when: When::Always, value: Value::Xyz(value) }
    }

    /// The same column under this condition.
    pub(super) const fn when(self, when: When) -> Column {
        Column { when, ..self }
    }

    /// Names of the components, with this wall or region.
    fn names<'a>(&'a self, owner: &'a str) -> impl Iterator<Item = String> + 'a {
        self.value.components().iter().map(move |c| self.name.replace('*', c).replace("NAME", owner))
    }

    /// Names of the components, with `NAME` for that of a wall or region.
    pub fn patterns(&self) -> Vec<String> {
        self.names("NAME").collect()
    }
}

impl Value {
    /// What the components are called; one empty name for a number.
    const fn components(&self) -> &'static [&'static str] {
        match self {
            Value::One(_) | Value::OfWall(_) | Value::OfRegion(_) => &[""],
            Value::Xyz(_) | Value::OfWallXyz(_) => &["x", "y", "z"],
            Value::Xyzw(_) => &["x", "y", "z", "w"],
            Value::Tensor(_) => &["xx", "yy", "zz", "xy", "xz", "yz"],
        }
    }

    /// Appends the numbers; `owner`: the index of the wall or region.
    fn push(&self, m: &Measured, owner: usize, row: &mut Vec<f64>) {
        match self {
            Value::One(f) => row.push(f(m)),
            Value::Xyz(f) => row.extend(f(m).to_array()),
            Value::Xyzw(f) => row.extend(f(m).to_array()),
            Value::Tensor(f) => row.extend(f(m)),
            Value::OfWall(f) | Value::OfRegion(f) => row.push(f(m, owner)),
            Value::OfWallXyz(f) => row.extend(f(m, owner).to_array()),
        }
    }
}

impl When {
    fn holds(self, scenario: &Scenario, owner: usize) -> bool {
        let motion = scenario.asteroid.as_ref().map_or(Motion::Fixed, |a| a.motion);
        match self {
            When::Always => true,
            When::ContactDynamics => scenario.method.contact_dynamics().is_some(),
            When::WallMoves => scenario.walls[owner].moves(),
            When::Asteroid => scenario.asteroid.is_some(),
            When::AsteroidTurns => motion != Motion::Fixed,
            When::AsteroidFree => matches!(motion, Motion::Free { .. }),
        }
    }

    /// In words, for the documentation.
    pub const fn text(self) -> &'static str {
        match self {
            When::Always => "",
            When::ContactDynamics => "contact dynamics",
            When::WallMoves => "walls that move",
            When::Asteroid => "asteroid",
            When::AsteroidTurns => "asteroid that rotates",
            When::AsteroidFree => "free asteroid",
        }
    }
}

/// Visits the columns of a scenario in order, each with the index and the name of its wall or region.
fn each<'a>(scenario: &'a Scenario, mut visit: impl FnMut(&'static Column, usize, &'a str)) {
    for section in TABLE.iter().copied() {
        let owners: Vec<&str> = match section[0].value {
            Value::OfWall(_) | Value::OfWallXyz(_) => scenario.walls.iter().map(|w| w.name.as_str()).collect(),
            Value::OfRegion(_) => scenario.regions.iter().map(|r| r.name.as_str()).collect(),
            _ => vec![""],
        };
        for (k, owner) in owners.into_iter().enumerate() {
            section.iter().filter(|c| c.when.holds(scenario, k)).for_each(|c| visit(c, k, owner));
        }
    }
}

/// The header of a run's series.
pub fn columns(scenario: &Scenario) -> Vec<String> {
    let mut names = vec![];
    each(scenario, |column, _, owner| names.extend(column.names(owner)));
    names
}

/// The row of what was measured, in the order of [`columns`].
pub(super) fn row(m: &Measured) -> Vec<f64> {
    let mut row = vec![];
    each(m.scenario, |column, owner, _| column.value.push(m, owner, &mut row));
    row
}

/// Place in a row of a column that every run has, or every run of contact dynamics. Other columns have no fixed place:
/// look them up in [`columns`]. Unknown names panic, at compile time if the call is in a constant.
pub const fn column(name: &str) -> usize {
    let (mut place, mut k) = (0, 0);
    while k < TABLE.len() {
        let mut c = 0;
        while c < TABLE[k].len() {
            let (column, mut part) = (&TABLE[k][c], 0);
            let components = column.value.components();
            while part < components.len() {
                if matches(column.name, components[part], name) {
                    return place;
                }
                place += 1;
                part += 1;
            }
            c += 1;
        }
        k += 1;
    }
    panic!("no such column of the series")
}

/// True if `name` is the pattern with `component` in the place of its `*`.
const fn matches(pattern: &str, component: &str, name: &str) -> bool {
    let (pattern, component, name) = (pattern.as_bytes(), component.as_bytes(), name.as_bytes());
    let (mut at, mut k) = (0, 0);
    while k < pattern.len() {
        let piece = if pattern[k] == b'*' { component } else { std::slice::from_ref(&pattern[k]) };
        let mut j = 0;
        while j < piece.len() {
            if at >= name.len() || name[at] != piece[j] {
                return false;
            }
            at += 1;
            j += 1;
        }
        k += 1;
    }
    at == name.len()
}

/// A name that was checked against [`TABLE`]; see [`crate::column_name`].
pub const fn checked(name: &'static str) -> &'static str {
    column(name);
    name
}

/// The name of a column; an unknown one does not compile.
#[macro_export]
macro_rules! column_name {
    ($name:literal) => {
        const { $crate::physics::measure::columns::checked($name) }
    };
}
