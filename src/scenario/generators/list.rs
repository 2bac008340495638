//! Bodies written out one by one.

use super::entry::{Entry, Group};
use crate::base::error::Result;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::generator::{Generate, Generator, Take};
use crate::model::scenario::{ListItem, Scenario, ShapeSpec};
use crate::scenario::common::TURN;
use crate::scenario::shape::turn;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

pub(super) const ENTRY: Entry = Entry::new(
    "list",
    "bodies written out one by one",
    &[Key::tables("body", BODY)
        .required()
        .says("a body of the list")
        .eg("[{ position_m = [0, 0, 0], radius_m = 1.0 }]")],
    read,
);

/// Keys of a body.
const BODY: &[Key] = &[
    Key::vector("position_m", D::Length).required().says("mass centre").eg("[0, 0, 0]"),
    Key::positive("radius_m", D::Length)
        .without("required for spheres")
        .says("radius; a shape with a size of its own has none")
        .eg("1.0"),
    Key::vector("velocity_m_s", D::Speed).or_zero().says("velocity").eg("[0, 0, -1]"),
    Key::vector("spin_rad_s", D::AngularSpeed).or_zero().says("angular velocity").eg("[0, 0, 0.1]"),
    TURN.says("rotation vector that turns the shape, in degrees"),
];

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "list")]
struct List {
    /// the bodies
    items: Vec<ListItem>,
}

fn read(t: &Table, group: &Group) -> Generator {
    let sized = group.shape.is_some_and(ShapeSpec::sized);
    let items: Vec<ListItem> = t.tables("body").iter().map(|t| item(t, group.shape.is_some(), sized)).collect();
    if items.is_empty() {
        t.fault("body", "the list is empty", "add a body, such as { position_m = [0, 0, 0], radius_m = 1.0 }");
    }
    Generator::new(List { items })
}

/// `shaped`: the body is a polyhedron; `sized`: one whose shape has a size of its own.
fn item(t: &Table, shaped: bool, sized: bool) -> ListItem {
    let item = ListItem {
        position_m: t.vector("position_m"),
        radius_m: if sized { 0.0 } else { t.value("radius_m") },
        velocity_m_s: t.vector("velocity_m_s"),
        spin_rad_s: t.vector("spin_rad_s"),
        orientation: turn(t),
        material: None,
    };
    if sized && t.has("radius_m") {
        t.fault("radius_m", "conflicts with a shape that has a size of its own", "remove it");
    }
    if !shaped && t.has("turn_deg") {
        t.fault("turn_deg", "has no effect on a sphere", "remove it, or give the group a shape");
    }
    t.close();
    item
}

impl Generate for List {
    fn count(&self) -> usize {
        self.items.len()
    }

    fn takes_sized_shapes(&self) -> bool {
        true
    }

    fn place(&self, _: &Scenario, _: usize, _: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
        self.items.iter().cloned().for_each(|body| to.take(body));
        Ok(())
    }
}
