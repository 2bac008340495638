//! Keys that several tables have.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::scenario::Material;

/// Most bodies of one generator, and of all: more than any device holds, few enough that a typing error is reported at once.
pub(super) const COUNT_MAX: u64 = 20_000_000;

/// The material of bodies, walls and surfaces.
pub(super) const MATERIAL: Key = Key::text("material")
    .without("the only one")
    .says("name of the material; required if there are several")
    .eg("\"rock\"");

/// A rotation vector.
pub(super) const TURN: Key =
    Key::vector("turn_deg", D::Pure).or_zero().says("rotation vector, in degrees").eg("[0, 0, 30]");

/// Number of bodies.
pub(super) const COUNT: Key = Key::count("count", 1, COUNT_MAX).required().says("number of bodies").eg("1000");

/// A word that has no keys of its own.
pub(super) const fn word(word: &'static str, says: &'static str) -> Word {
    Word::new(word, says)
}

pub(super) fn material_index(t: &Table, materials: &[Material]) -> usize {
    let Some(name) = t.text("material") else {
        if materials.len() > 1 {
            t.missing("material");
        }
        return 0;
    };
    let found = materials.iter().position(|m| m.name == name);
    found.unwrap_or_else(|| {
        let remedy = t.hint(&name, materials.iter().map(|m| m.name.as_str()));
        t.fault("material", format!("unknown material \"{name}\""), remedy);
        0
    })
}
