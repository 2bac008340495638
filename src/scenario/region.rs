//! Reads `[[region]]`: boxes and spheres in which bodies are counted.

use super::wall::corners;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::scenario::{Extent, Region};

/// Keys of `[[region]]`.
pub(super) const KEYS: &[Key] = &[
    Key::name("name")
        .without("region")
        .says("name in the series, and of the quantity NAME_bodies_final")
        .eg("\"chute\""),
    Key::choice(
        "kind",
        &[
            Word::with(
                "box",
                "along the axes",
                &[
                    Key::vector("min_m", D::Length).required().says("lowest corner").eg("[-1, -1, 0]"),
                    Key::vector("max_m", D::Length).required().says("highest corner").eg("[1, 1, 2]"),
                ],
            ),
            Word::with(
                "sphere",
                "about a point",
                &[
                    Key::vector("position_m", D::Length).or_zero().says("its middle").eg("[0, 0, 5]"),
                    Key::positive("radius_m", D::Length).required().says("its radius").eg("2"),
                ],
            ),
        ],
    )
    .or_word("box")
    .says("its form")
    .eg("\"sphere\""),
];

pub(super) fn region(t: &Table) -> Region {
    let extent = match t.choice("kind") {
        "sphere" => Extent::Sphere { position_m: t.vector("position_m"), radius_m: t.value("radius_m") },
        _ => {
            let [min_m, max_m] = corners(t);
            Extent::Box { min_m, max_m }
        }
    };
    let region = Region { name: t.name_in_list("name").unwrap_or_else(|| "region".into()), extent };
    t.close();
    region
}
