//! Reads `[[region]]`: boxes in which bodies are counted.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::scenario::Region;

pub(super) fn region(t: &Table) -> Region {
    for key in ["min_m", "max_m"].into_iter().filter(|k| !t.has(k)) {
        t.fault(key, "is missing");
    }
    let corner = |key: &str| t.vector(key, D::Length).unwrap_or_default();
    let region = Region {
        name: t.name("name").unwrap_or_else(|| "region".into()),
        min_m: corner("min_m"),
        max_m: corner("max_m"),
    };
    if t.has("min_m") && t.has("max_m") && region.min_m.cmpge(region.max_m).any() {
        t.fault("max_m", "must lie above min_m in every component");
    }
    t.close();
    region
}
