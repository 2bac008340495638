//! Keys that several tables have.

use crate::base::reader::Table;
use crate::model::scenario::Material;

/// Most bodies of one generator, and of all: more than any device holds, few enough that a typing error is reported at
/// once.
pub(super) const COUNT_MAX: u64 = 20_000_000;

pub(super) fn material_index(t: &Table, materials: &[Material]) -> usize {
    let Some(name) = t.text("material") else {
        if materials.len() > 1 {
            t.fault("material", "is missing; there are several");
        }
        return 0;
    };
    let found = materials.iter().position(|m| m.name == name);
    found.unwrap_or_else(|| {
        t.fault(
            "material",
            format!("no material is called \"{name}\"; {}", t.hint(&name, materials.iter().map(|m| m.name.as_str()))),
        );
        0
    })
}

/// Bodies of a generator.
pub(super) fn count(t: &Table) -> usize {
    t.count("count", None, 1..=COUNT_MAX) as usize
}
