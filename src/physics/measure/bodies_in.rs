//! Bodies in the regions of a scenario.

use super::columns::{Column, Value, When};
use super::series::Measured;
use crate::model::scenario::Region;

/// Columns of each region.
pub(super) const COLUMNS: &[Column] = &[
    Column {
        name: "region.NAME.bodies",
        unit: "",
        meaning: "bodies whose centres are in the `[[region]]`",
        when: When::Always,
        value: Value::OfRegion(|m, k| f64::from(inside(m, k).0)),
    },
    Column {
        name: "region.NAME.mass_kg",
        unit: "kg",
        meaning: "mass of these bodies",
        when: When::Always,
        value: Value::OfRegion(|m, k| inside(m, k).1),
    },
];

/// Name of the column that counts the bodies of a region.
pub(super) fn bodies_column(region: &Region) -> String {
    COLUMNS[0].name.replace("NAME", &region.name)
}

/// Number and mass of the bodies in a region.
fn inside(m: &Measured, region: usize) -> (u32, f64) {
    let (b, region) = (&m.s.bodies, &m.scenario.regions[region]);
    let inside = (0..b.len()).filter(|k| region.holds(b.position_m[*k]));
    inside.fold((0, 0.0), |(n, kg), k| (n + 1, kg + b.mass_kg[k]))
}
