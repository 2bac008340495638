//! `[[expect]]`: what the cases of a campaign must show together.

use super::cell::{Cell, listed, varied};
use super::known::Known;
use super::model::{Along, Case, Expected, ExpectedLaw as Law};
use super::plot;
use super::varied::Varied;
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
            Word::with("mean", "the mean of all cases is a value", &[VALUE, TOLERANCE, TOLERANCE_ABSOLUTE]),
            Word::with("each", "every case has a value", &[VALUE, TOLERANCE, TOLERANCE_ABSOLUTE]),
            Word::with("above", "every case is above a limit", &[LIMIT]),
            Word::with("below", "every case is below a limit", &[LIMIT]),
            Word::with("rises", "y grows with x, as a line through all cases does", &[X, ORDER, PAIRED_BY]),
            Word::with("falls", "y falls with x, as a line through all cases does", &[X, ORDER, PAIRED_BY]),
            Word::with(
                "level",
                "y does not depend on x: a line changes by no more than the tolerance",
                &[X, ORDER, CHANGE, PAIRED_BY],
            ),
            Word::with(
                "power",
                "y goes as x to a power, by a line through the logarithms",
                &[X, VALUE, TOLERANCE, TOLERANCE_ABSOLUTE, PAIRED_BY],
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
const PAIRED_BY: Key = Key::text("paired_by")
    .without("all cases are compared with each other")
    .says("column that varies: cases of one of its values are compared with each other alone")
    .eg("\"bodies.0.path\"");
const LIMIT: Key = Key::number("limit", D::Pure).required().says("the limit").eg("2.2");
const CHANGE: Key = Key::positive("tolerance", D::Pure)
    .required()
    .says("largest change of the line over the range of x, over the mean of y")
    .eg("0.1");

/// Reads all of them.
pub(super) fn read(root: &Table, known: &Known, varied: &Varied) -> Vec<Expected> {
    root.tables("expect").iter().map(|t| expected(t, known, varied)).collect()
}

fn expected(t: &Table, known: &Known, varied: &Varied) -> Expected {
    let y = t.text("y").map_or(String::new(), |name| known.shown(t, "y", &name));
    let law = match t.choice("law") {
        "mean" => Law::Mean(wanted(t)),
        "each" => Law::Each(wanted(t)),
        "level" => Law::Level { along: along(t, known, order(t)), tolerance: t.value("tolerance") },
        "power" => Law::Power { along: along(t, known, vec![]), exponent: wanted(t) },
        word @ ("above" | "below") => Law::Side { limit: t.value("limit"), above: word == "above" },
        word => Law::Slope { along: along(t, known, order(t)), rises: word == "rises" },
    };
    let expected = Expected {
        y,
        law,
        only: t.tables("only").iter().map(|o| plot::within(o, known)).collect(),
        at: plot::conditions_on(t, "where", |only, name| known.before(only, name, name)),
        source: source(t),
    };
    varied.refuse(t, &expected);
    t.tables("only").iter().zip(&expected.only).for_each(|(o, within)| varied.refuse_limits(o, within));
    t.close();
    expected
}

fn along(t: &Table, known: &Known, order: Vec<Cell>) -> Along {
    Along {
        x: t.text("x").map_or(String::new(), |name| known.varied(t, "x", &name)),
        order,
        paired_by: t.text("paired_by").map(|name| known.before(t, "paired_by", &name)),
    }
}

/// Values of x in their order.
fn order(t: &Table) -> Vec<Cell> {
    let order: Vec<Cell> = t.texts("order").unwrap_or_default().iter().map(|text| varied(text)).collect();
    if order.len() == 1 {
        t.fault("order", "has one value", "give two or more, in their order");
    }
    if let Some(twice) = order.iter().enumerate().find_map(|(k, o)| order[..k].contains(o).then_some(o)) {
        t.fault("order", format!("\"{}\" is given twice", twice.shown()), "remove one of the two");
    }
    order
}

impl Varied<'_> {
    /// The fault of an expectation that no case can meet, nor miss.
    fn refuse(&self, t: &Table, expected: &Expected) {
        let is_at = |case: &&Case| {
            expected.at.iter().all(|(column, value)| self.value(case, column).is_none_or(|found| found == *value))
        };
        let cases = || self.cases.iter().filter(is_at);
        if !self.cases.is_empty() && cases().next().is_none() {
            let absent =
                expected.at.iter().find(|(column, value)| !self.values(self.cases.iter(), column).contains(value));
            let (what, remedy) = match absent {
                Some((column, value)) => (
                    format!("no case has {column} = {}", value.shown()),
                    format!("its values are {}", listed(&self.values(self.cases.iter(), column))),
                ),
                None => ("no case has all of these".to_owned(), "remove some of them".to_owned()),
            };
            return t.fault("where", what, remedy);
        }
        if let Some(along) = expected.law.along() {
            self.refuse_along(t, along, &cases().collect::<Vec<_>>());
        }
    }

    /// The fault of a change along x that these cases cannot show.
    fn refuse_along(&self, t: &Table, along: &Along, cases: &[&Case]) {
        let Along { x, order, paired_by } = along;
        let values = self.values(cases.iter().copied(), x);
        if values.is_empty() {
            return; // it is known after the runs alone
        }
        if let Some(absent) = order.iter().find(|o| !values.contains(o)) {
            let what = format!("no case has {x} = {}", absent.shown());
            return t.fault("order", what, format!("its values are {}", listed(&values)));
        }
        let numbers = values.iter().filter(|v| v.number().is_some()).count();
        if order.is_empty() && numbers < values.len() {
            return t.fault("x", format!("{x} has words: {}", listed(&values)), "give them an order = [...]");
        }
        if values.len() < 2 {
            return t.fault("x", format!("{x} does not vary"), "name a column that does");
        }
        // one that does not vary has its fault already
        let Some(column) = paired_by.as_ref().filter(|c| self.columns.contains(c) || *c == "case") else { return };
        let counts: Vec<&Case> = cases
            .iter()
            .copied()
            .filter(|case| self.value(case, x).is_some_and(|v| along.place(&v).is_some()))
            .collect();
        let blocks = self.values(counts.iter().copied(), column);
        let varies = |block: &Cell| {
            let within = counts.iter().copied().filter(|c| self.value(c, column).as_ref() == Some(block));
            self.values(within, x).len() > 1
        };
        if !blocks.iter().any(varies) {
            let what = format!("{x} does not vary among cases of one {column}");
            t.fault("paired_by", what, "name a column whose cases differ in x");
        }
    }
}
