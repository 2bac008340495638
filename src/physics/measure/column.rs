//! A column of the series: what it is called, what it means, when a run has it, and how its value is found.

use super::measured::Measured;
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
    /// with a judge of its steps
    Judged,
    /// for walls with a velocity or a servo
    WallMoves,
    /// without an asteroid
    NoAsteroid,
    /// with an asteroid
    Asteroid,
    /// with an asteroid that rotates
    AsteroidTurns,
    /// with an asteroid that moves freely
    AsteroidFree,
}

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
    pub(super) fn names<'a>(&'a self, owner: &'a str) -> impl Iterator<Item = String> + 'a {
        self.value.components().iter().map(move |c| self.name.replace('*', c).replace("NAME", owner))
    }

    /// Names of the components, with `NAME` for that of a wall or region.
    pub fn patterns(&self) -> Vec<String> {
        self.names("NAME").collect()
    }
}

impl Value {
    /// What the components are called; one empty name for a number.
    pub(super) const fn components(&self) -> &'static [&'static str] {
        match self {
            Value::One(_) | Value::OfWall(_) | Value::OfRegion(_) => &[""],
            Value::Xyz(_) | Value::OfWallXyz(_) => &["x", "y", "z"],
            Value::Xyzw(_) => &["x", "y", "z", "w"],
            Value::Tensor(_) => &["xx", "yy", "zz", "xy", "xz", "yz"],
        }
    }

    /// Appends the numbers; `owner`: the index of the wall or region.
    pub(super) fn push(&self, m: &Measured, owner: usize, row: &mut Vec<f64>) {
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
    pub(super) fn holds(self, scenario: &Scenario, owner: usize) -> bool {
        let motion = scenario.asteroid.as_ref().map_or(Motion::Fixed, |a| a.motion);
        match self {
            When::Always => true,
            When::ContactDynamics => scenario.method.contact_dynamics().is_some(),
            When::Judged => scenario.method.contact_dynamics().is_some_and(|c| c.judge_every.is_some()),
            When::WallMoves => scenario.walls[owner].moves(),
            When::NoAsteroid => scenario.asteroid.is_none(),
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
            When::Judged => "`judge_every`",
            When::WallMoves => "walls that move",
            When::NoAsteroid => "no asteroid",
            When::Asteroid => "asteroid",
            When::AsteroidTurns => "asteroid that rotates",
            When::AsteroidFree => "free asteroid",
        }
    }
}
