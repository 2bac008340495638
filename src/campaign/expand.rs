//! From factors to cases: every row of a factor with every row of the others, the last factor varying fastest.

use super::model::Case;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use toml_edit::Value;

/// What varies together: one of these rows in each case.
#[derive(Debug, Clone, Default)]
pub struct Factor {
    /// column of the rows' labels; none: without labels
    pub name: Option<String>,
    /// at least one
    pub rows: Vec<Row>,
}

/// One choice of a factor.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// for the name of the case and the table
    pub label: Option<String>,
    /// keys of the scenario and their values
    pub set: Vec<(String, Value)>,
}

/// Longest name of a directory (characters).
const NAME_MAX: usize = 100;

/// Number of cases of these factors; none if there are more than can be counted.
pub fn count(factors: &[Factor]) -> Option<usize> {
    factors.iter().try_fold(1usize, |n, f| n.checked_mul(f.rows.len()))
}

/// What varies: the label of each factor, then its keys as they first come.
pub fn columns(factors: &[Factor]) -> Vec<String> {
    let names = |f: &Factor| {
        let keys = f.rows.iter().flat_map(|r| &r.set).map(|s| s.0.clone());
        f.name.iter().cloned().chain(keys).collect::<Vec<_>>()
    };
    let mut seen = HashSet::new();
    factors.iter().flat_map(names).filter(|name| seen.insert(name.clone())).collect()
}

/// All cases; `common`: keys that all of them set.
pub fn cases(common: &[(String, Value)], factors: &[Factor]) -> Vec<Case> {
    let columns = columns(factors);
    let total = count(factors).unwrap_or(0);
    let keys = factors.iter().flat_map(|f| &f.rows).flat_map(|r| &r.set).map(|s| s.0.as_str());
    let keys: Vec<&str> = keys.collect::<BTreeSet<_>>().into_iter().collect();
    let short: BTreeMap<&str, &str> = keys.iter().map(|key| (*key, short(key, &keys))).collect();
    let case = |index: usize| {
        let rows = chosen(factors, index);
        let varied = rows.iter().flat_map(|(_, r)| &r.set);
        let set = common.iter().chain(varied.clone()).map(|(k, v)| format!("{k}={}", text(v))).collect();
        let label = |column: &String| {
            rows.iter().find(|(f, _)| f.name.as_ref() == Some(column)).and_then(|(_, r)| r.label.clone())
        };
        let value = |c: &String| varied.clone().find(|(k, _)| k == c).map(|(_, v)| cell(v)).or_else(|| label(c));
        let parts = rows.iter().flat_map(|(_, row)| parts(row, &short));
        let name: String = std::iter::once(format!("{index:03}")).chain(parts).collect::<Vec<_>>().join("_");
        let name = name.chars().map(safe).take(NAME_MAX).collect();
        Case { index, name, set, values: columns.iter().map(value).collect() }
    };
    (0..total).map(case).collect()
}

/// The row of each factor in a case.
fn chosen(factors: &[Factor], index: usize) -> Vec<(&Factor, &Row)> {
    let mut rest = index;
    let mut rows: Vec<_> = factors
        .iter()
        .rev()
        .map(|f| {
            let row = &f.rows[rest % f.rows.len()];
            rest /= f.rows.len();
            (f, row)
        })
        .collect();
    rows.reverse();
    rows
}

/// What a row adds to the name: its label, or its keys, shortened as far as they remain distinct.
fn parts(row: &Row, names: &BTreeMap<&str, &str>) -> Vec<String> {
    match &row.label {
        Some(label) => vec![label.clone()],
        None => row.set.iter().map(|(key, value)| format!("{}-{}", names[key.as_str()], shown(value))).collect(),
    }
}

/// The fewest last parts of a key's path that no other key ends in.
pub fn short<'a>(key: &'a str, keys: &[&str]) -> &'a str {
    let starts = key.rmatch_indices('.').map(|(at, _)| &key[at + 1..]);
    let ends = |other: &str, tail: &str| other == tail || other.ends_with(&format!(".{tail}"));
    starts.into_iter().find(|tail| !keys.iter().any(|k| *k != key && ends(k, tail))).unwrap_or(key)
}

/// Letters that any file system, shell, makefile and table takes as they are.
pub fn safe(c: char) -> char {
    match c {
        ' ' => '_',
        c if c.is_ascii_alphanumeric() || "._+-".contains(c) => c,
        _ => '-',
    }
}

/// A value as TOML, in one line.
pub fn text(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(text).collect::<Vec<_>>().join(", ")),
        Value::InlineTable(table) => {
            let pairs: Vec<_> = table.iter().map(|(k, v)| format!("{k} = {}", text(v))).collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        Value::String(s) => Value::from(s.value().as_str()).to_string(),
        // the shortest text that reads back to the same bits, and as no whole number
        Value::Float(v) => format!("{:?}", v.value()),
        other => other.clone().decorated("", "").to_string(),
    }
}

/// A value for a cell of the table: as for people, whole numbers without the underscores that they were typed with.
pub fn cell(value: &Value) -> String {
    match value {
        Value::Integer(v) => v.value().to_string(),
        Value::Array(list) => list.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => shown(other),
    }
}

/// A value for people: a string without its quotes, a list without its brackets.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(s) => s.value().clone(),
        Value::Array(list) => list.iter().map(shown).collect::<Vec<_>>().join(" "),
        other => text(other),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::{Cell, varied};
    use super::{Factor, Row, cases, cell};
    use toml_edit::Value;

    #[test]
    fn underscores_of_numbers_go_and_those_of_words_stay() {
        let of = |text: &str| varied(&cell(&text.parse::<Value>().expect("a value")));
        assert_eq!([of("10_000"), of("1_0.5")], [10_000.0, 10.5].map(Cell::Number));
        assert_eq!(of("\"10_20\""), Cell::Text("10_20".into()));
        assert_eq!(of("\"200\""), Cell::Number(200.0));
        assert_eq!(of("[1_0, 2]"), Cell::Text("10 2".into()));
    }

    /// A case is found again in a campaign that has grown by its name.
    #[test]
    fn names_do_not_depend_on_the_number_of_cases() {
        let names = |count: i64| -> Vec<String> {
            let row = |seed| Row { label: None, set: vec![("seed".into(), Value::from(seed))] };
            let factor = Factor { name: None, rows: (0..count).map(row).collect() };
            cases(&[], &[factor]).into_iter().map(|case| case.name).collect()
        };
        let (few, many) = (names(3), names(1001));
        assert_eq!(few, ["000_seed-0", "001_seed-1", "002_seed-2"]);
        assert_eq!((&many[..3], many[1000].as_str()), (&few[..], "1000_seed-1000"));
    }
}
