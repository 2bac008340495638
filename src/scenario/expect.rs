//! Reads `[expect]`: quantities that a run must reproduce.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::scenario::{Expectation, Region, Wanted};
use crate::physics::measure::outcome;
use std::collections::BTreeSet;

/// Keys of `[expect.QUANTITY]`.
pub(super) const KEYS: &[Key] = &[VALUE, TOLERANCE, TOLERANCE_ABSOLUTE, SOURCE];

/// The number that is expected.
pub const VALUE: Key = Key::number("value", D::Pure).required().says("expected value").eg("0.64");
/// How far from it a number may be, over it.
pub const TOLERANCE: Key =
    Key::positive("tolerance", D::Pure).without("see tolerance_absolute").says("deviation over the value").eg("0.02");
/// The same in its unit.
pub const TOLERANCE_ABSOLUTE: Key = Key::positive("tolerance_absolute", D::Pure)
    .without("see tolerance")
    .says("deviation in the unit of the value")
    .eg("1e-6");
/// Where it comes from.
pub const SOURCE: Key =
    Key::text("source").required().says("where the number comes from").eg("\"Song et al. 2024, Fig. 7\"");

/// The quantities that the run must reproduce.
pub(super) fn expect(root: &Table, regions: &[Region]) -> Vec<Expectation> {
    let known: BTreeSet<String> = outcome::names(regions).into_iter().collect();
    let mut list = vec![];
    for (quantity, e) in root.named("expect") {
        if !known.contains(&quantity) {
            let remedy = e.hint(&quantity, known.iter().map(String::as_str));
            e.fault("", format!("unknown quantity `{quantity}`"), remedy);
        }
        list.push(Expectation { wanted: wanted(&e), source: source(&e), quantity });
        e.close();
    }
    list
}

/// A number and how far from it another may be.
pub fn wanted(e: &Table) -> Wanted {
    let absolute = e.has("tolerance_absolute");
    if absolute && e.has("tolerance") {
        e.fault("tolerance", "conflicts with tolerance_absolute", "remove one of the two");
    }
    let key = if absolute { "tolerance_absolute" } else { "tolerance" };
    let value = e.value("value");
    if !absolute && e.has("value") && value == 0.0 {
        e.fault("tolerance", "is relative to a value of 0 and allows nothing", "give tolerance_absolute instead");
    }
    Wanted { value, tolerance: e.value(key), absolute }
}

/// Where an expectation comes from.
pub fn source(e: &Table) -> String {
    let source = e.text("source").unwrap_or_default();
    if source.is_empty() && e.has("source") {
        e.fault("source", "is empty", "say where the number comes from");
    }
    source
}
