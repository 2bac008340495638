//! Reads `[[bodies]]`: groups of bodies, each made by a generator.

use super::common::{MATERIAL, TURN, material_index};
use super::generators::entry::Group;
use super::generators::{GENERATORS, WORDS};
use super::place::{self, placing};
use super::shape::{self, shape};
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::scenario::*;
use std::path::Path;

/// Keys of `[[bodies]]`.
pub(super) const KEYS: &[Key] = &[
    Key::choice("generator", &WORDS).says("what makes the bodies").eg("\"lattice\""),
    MATERIAL,
    Key::table("shape", shape::KEYS)
        .without("spheres")
        .says("makes the bodies convex polyhedra or clumps of them, with contact dynamics; then every group needs a shape")
        .eg("{ kind = \"grain\" }"),
    Key::choice("about", place::ABOUT)
        .or_word("origin")
        .says("what coordinates and velocities of the group count from")
        .eg("\"mass_centre\""),
    Key::flag("at_rest").says("sets velocities and spins of the bodies to zero").eg("true"),
    Key::not_negative("random_speed_m_s", D::Speed)
        .or(0.0)
        .says("speed that is added to each body, in a random direction of its own")
        .eg("0.05"),
    Key::not_negative("random_spin_rad_s", D::AngularSpeed)
        .or(0.0)
        .says("spin that is added to each body, about a random axis of its own")
        .eg("4e-3"),
    TURN.says("rotation vector that turns the group about its mass centre, in degrees"),
    Key::vector("rotation_rad_s", D::AngularSpeed)
        .or_zero()
        .says("rigid rotation that is added about the mass centre of the group")
        .eg("[0, 0, 1e-4]"),
    Key::table("spin_break_up", place::SPIN_BREAK_UP)
        .says("adds a rotation as a share of the rate at which the equator is weightless")
        .eg("{ fraction = 0.5, axis = [0, 0, 1] }"),
    Key::vector("offset_m", D::Length).or_zero().says("shift of every position").eg("[0, 0, \"1 km\"]"),
    Key::vector("velocity_m_s", D::Speed).or_zero().says("velocity that is added to every body").eg("[0, 0, -1]"),
];

/// One group.
pub(super) fn bodies(t: &Table, materials: &[Material], folder: &Path, seed: u64) -> BodyGroup {
    let shape = shape(t, folder);
    let word = t.choice("generator");
    let entry = GENERATORS.iter().find(|entry| entry.word.word == word).unwrap_or(&GENERATORS[0]);
    let generator = (entry.read)(t, &Group { folder, shape: shape.as_ref(), materials, seed });
    if shape.as_ref().is_some_and(ShapeSpec::sized) && !generator.takes_sized_shapes() {
        t.fault(
            "shape",
            "has a size of its own, which only generator = \"list\" takes",
            "add fit_radius = true, which makes bodies as large as their radii, or take a grain or a regular solid",
        );
    }
    let keeps = generator.keeps();
    if keeps.shapes && shape.is_some() {
        let what = format!("conflicts with generator = \"{word}\", whose bodies have their shapes already");
        t.fault("shape", what, "remove it");
    }
    let group = BodyGroup {
        material: if keeps.materials { 0 } else { material_index(t, materials) },
        generator,
        shape,
        placing: placing(t),
    };
    t.close();
    group
}

/// The fault of bodies on an asteroid that is not there.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    if scenario.asteroid.is_none() && scenario.bodies.iter().any(|g| g.generator.needs_asteroid()) {
        root.fault(
            "bodies",
            "generator = \"site\" places bodies above an asteroid, and there is none",
            "add an [asteroid] section, or choose another generator",
        );
    }
}
