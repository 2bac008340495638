//! The columns of `series.csv`: header, rows and the table in docs/user/output.md are made from [`TABLE`].
//!
//! A new column is one more entry of a section. Code that reads a column finds its index with [`column()`], or checks its name
//! with [`checked`], in a constant: an unknown name does not compile.

use super::column::{Column, Value};
use super::measured::Measured;
use super::table::{BODIES, CONTACTS, ENERGY, MOMENTUM, REGIONS, ROTATION, SOLVER, STRESS, WALLS};
use super::table_asteroid::{ASTEROID, GRAINS};
use crate::model::scenario::Scenario;

/// All columns in the order of a row.
pub const TABLE: &[&[Column]] =
    &[ENERGY, MOMENTUM, CONTACTS, BODIES, STRESS, SOLVER, ROTATION, WALLS, REGIONS, GRAINS, ASTEROID];

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

/// Index in a row of a column that every run has, or every run of contact dynamics. Other columns have no fixed index:
/// look them up in [`columns`]. Unknown names panic, at compile time if the call is in a constant.
pub const fn column(name: &str) -> usize {
    let (mut index, mut k) = (0, 0);
    while k < TABLE.len() {
        let mut c = 0;
        while c < TABLE[k].len() {
            let (column, mut part) = (&TABLE[k][c], 0);
            let components = column.value.components();
            while part < components.len() {
                if matches(column.name, components[part], name) {
                    return index;
                }
                index += 1;
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

/// True of a column that a scenario may have; walls and regions have any names.
pub fn is_known(name: &str) -> bool {
    let of = |pattern: &str, component: &str| match pattern.split_once("NAME") {
        None => matches(pattern, component, name),
        Some((before, after)) => {
            let inner = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(&*after.replace('*', component)));
            inner.is_some_and(|owner| !owner.is_empty())
        }
    };
    TABLE.iter().copied().flatten().any(|c| c.value.components().iter().any(|component| of(c.name, component)))
}

/// The name itself, if [`TABLE`] has it. Called in a constant, an unknown name does not compile.
pub const fn checked(name: &'static str) -> &'static str {
    column(name);
    name
}
