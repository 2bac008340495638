//! Reads `[[region]]`: boxes in which bodies are counted.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::scenario::Region;

/// Keys of `[[region]]`.
pub(super) const KEYS: &[Key] = &[
    Key::name("name")
        .without("region")
        .says("name in the series, and of the quantity NAME_bodies_final")
        .eg("\"chute\""),
    Key::vector("min_m", D::Length).required().says("lowest corner").eg("[-1, -1, 0]"),
    Key::vector("max_m", D::Length).required().says("highest corner").eg("[1, 1, 2]"),
];

pub(super) fn region(t: &Table) -> Region {
    let region = Region {
        name: t.name("name").unwrap_or_else(|| "region".into()),
        min_m: t.vector("min_m"),
        max_m: t.vector("max_m"),
    };
    if t.has("min_m") && t.has("max_m") && region.min_m.cmpge(region.max_m).any() {
        t.fault("max_m", "is not above min_m in every component", "exchange the components that are not");
    }
    t.close();
    region
}
