//! `[[expect]]`: what the cases of a campaign must show together.

use super::known::Known;
use super::model::{Expected, ExpectedLaw as Law};
use super::plot;
use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Kind, Word};
use crate::scenario::expect::{SOURCE, TOLERANCE, TOLERANCE_ABSOLUTE, VALUE, source, wanted};

/// Keys of `[[expect]]`.
pub(super) const KEYS: &[Key] = &[
    Key::text("y").required().says("column that is judged").eg("\"packing_final\""),
    Key::choice(
        "law",
        &[
            Word::with(
                "mean",
                "the mean of all cases is a value, within the tolerance and two standard errors",
                &[VALUE, TOLERANCE, TOLERANCE_ABSOLUTE],
            ),
            Word::with("each", "every case has a value", &[VALUE, TOLERANCE, TOLERANCE_ABSOLUTE]),
            Word::with("above", "every case is above a limit", &[LIMIT]),
            Word::with("below", "every case is below a limit", &[LIMIT]),
            Word::with("rises", "y grows with x: the slope of a line is two standard errors above zero", &[X, ORDER]),
            Word::with("falls", "y falls with x: the slope of a line is two standard errors below zero", &[X, ORDER]),
            Word::with(
                "level",
                "y does not depend on x: a line changes by no more than the tolerance and two standard errors",
                &[X, CHANGE],
            ),
            Word::with(
                "power",
                "y goes as x to a power, within the tolerance and two standard errors of a line through the logarithms",
                &[X, VALUE, TOLERANCE, TOLERANCE_ABSOLUTE],
            ),
        ],
    )
    .says("what is expected")
    .eg("\"falls\""),
    Key::with_kind("where", Kind::Settings)
        .without("all cases")
        .says("columns that vary, and their values in the cases that count")
        .eg("{ set = \"1.1\" }"),
    Key::tables("only", plot::ONLY)
        .says("leaves out cases whose number in a column is missing or outside of limits")
        .eg("[{ column = \"bodies\", above = 100 }]"),
    SOURCE,
];

const X: Key =
    Key::text("x").required().says("column along which y changes, the last parts of a key are enough").eg("\"bodies\"");
const ORDER: Key = Key::with_kind("order", Kind::Texts)
    .without("x has numbers")
    .says("values of x that are no numbers, in their order; other cases do not count")
    .eg("[\"parallel\", \"antiparallel\"]");
const LIMIT: Key = Key::number("limit", D::Pure).required().says("the limit").eg("2.2");
const CHANGE: Key = Key::positive("tolerance", D::Pure)
    .required()
    .says("largest change of the line over the range of x, over the mean of y")
    .eg("0.1");

/// Reads all of them.
pub(super) fn read(root: &Table, known: &Known) -> Vec<Expected> {
    root.tables("expect").iter().map(|t| expected(t, known)).collect()
}

fn expected(t: &Table, known: &Known) -> Expected {
    let y = t.text("y").map_or(String::new(), |name| known.shown(t, "y", &name));
    let x = || t.text("x").map_or(String::new(), |name| known.varied(t, "x", &name));
    let law = match t.choice("law") {
        "mean" => Law::Mean(wanted(t)),
        "each" => Law::Each(wanted(t)),
        "level" => Law::Level { x: x(), tolerance: t.value("tolerance") },
        "power" => Law::Power { x: x(), exponent: wanted(t) },
        word @ ("above" | "below") => Law::Side { limit: t.value("limit"), above: word == "above" },
        word => Law::Slope { x: x(), order: order(t), rises: word == "rises" },
    };
    let expected = Expected {
        y,
        law,
        only: t.tables("only").iter().map(|o| plot::within(o, known)).collect(),
        at: plot::conditions_on(t, "where", |only, name| known.before(only, name, name)),
        source: source(t),
    };
    t.close();
    expected
}

/// Values of x in their order.
fn order(t: &Table) -> Vec<String> {
    let order = t.texts("order").unwrap_or_default();
    if order.len() == 1 {
        t.fault("order", "has one value", "give two or more, in their order");
    }
    order
}
