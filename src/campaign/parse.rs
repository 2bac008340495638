//! Reads a campaign file. All faults are reported at once, with file, line, key and remedy.

use super::expand::{Factor, Row, cases, columns, count, text};
use super::model::Campaign;
use super::{analysis, plot};
use crate::base::error::{Error, Result};
use crate::base::reader::{Reader, Table, nearest};
use crate::scenario::built_in;
use crate::scenario::paths::stem;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use toml_edit::{Array, Value};

/// Most cases of a campaign: as many as a scheduler's array holds, few enough that a typing error is reported at once.
const CASES_MAX: usize = 100_000;
/// Most keys that vary.
const COLUMNS_MAX: usize = 100;
/// Keys of the scenario and their values.
type Keys = Vec<(String, Value)>;

/// Campaign from TOML text; `file` is named in messages.
pub fn parse(text: &str, file: &str) -> Result<Campaign> {
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|e| {
        let line = e.span().map_or(1, |s| 1 + text[..s.start.min(text.len())].matches('\n').count());
        Error::Usage(format!("{file}:{line}: {}", e.message()))
    })?;
    let reader = Reader::new(file, text, &[]);
    let root = reader.root(&document);
    if root.count("format", None, 1..=u64::MAX) > 1 {
        root.fault("format", "this program reads format 1");
    }
    let scenario = scenario(&root, Path::new(file).parent().unwrap_or(Path::new("")));
    let common = root.table("set").flat(&[]);
    let factors = factors(&root);
    unique_keys(&root, &common, &factors);
    let known = count(&factors).filter(|n| *n <= CASES_MAX);
    if known.is_none() {
        root.fault("grid", format!("makes more than {CASES_MAX} cases; leave out some values"));
    }
    let (columns, analysis) = (columns(&factors), analysis::read(&root));
    if columns.len() > COLUMNS_MAX {
        root.fault(
            "case",
            format!(
                "{} different keys vary; at most {COLUMNS_MAX} are taken, each is a column of the table",
                columns.len()
            ),
        );
    }
    let known = known.filter(|_| columns.len() <= COLUMNS_MAX);
    let campaign = Campaign {
        file: file.into(),
        text: text.into(),
        name: root.name("name").unwrap_or_else(|| stem(&root, file)),
        title: root.text("title").unwrap_or_default(),
        scenario,
        engine: root.choice("engine", &["gpu", "reference"], Some("gpu")),
        plots: plot::read(&root, &plot::Known::new(&columns, analysis.as_ref())),
        columns,
        cases: known.map_or(vec![], |_| cases(&common, &factors)),
        analysis,
    };
    root.close();
    let faults = reader.finish();
    if faults.is_empty() { Ok(campaign) } else { Err(Error::Usage(faults.join("\n"))) }
}

/// The scenario as `breccia run` takes it: a file counted from the campaign's folder, or the name of a built-in one.
fn scenario(root: &Table, folder: &Path) -> String {
    let Some(given) = root.text("scenario") else {
        if !root.has("scenario") {
            root.fault(
                "scenario",
                "is missing: a file, counted from this file's folder, or the name of a built-in one",
            );
        }
        return String::new();
    };
    let path = folder.join(&given);
    if path.is_file() {
        return path.to_string_lossy().into_owned();
    }
    let names: Vec<String> = built_in().into_iter().map(|b| b.name).collect();
    if !names.contains(&given) {
        let hint = nearest(&given, names.iter().map(String::as_str));
        root.fault("scenario", format!("\"{given}\": no file {} and no built-in scenario; {hint}", path.display()));
    }
    given
}

/// Typed cases, then what varies together, then the grid.
fn factors(root: &Table) -> Vec<Factor> {
    let typed = root.tables("case");
    let together = root.tables("together");
    let grid = root.table("grid");
    let mut factors = vec![];
    if !typed.is_empty() {
        factors.push(typed_cases(&typed));
    }
    factors.extend(together.iter().map(zipped));
    let grid_keys = grid.flat(&[]);
    if root.has("grid") && grid_keys.is_empty() {
        root.fault("grid", "is empty; write \"key.of.the.scenario\" = [value, value, ...]");
    }
    for (key, value) in grid_keys {
        let rows = list(&grid, &key, &value).map_or(vec![], |l| l.iter().cloned().collect());
        let row = |value: Value| Row { label: None, set: vec![(key.clone(), value)] };
        factors.push(Factor { name: None, rows: rows.into_iter().map(row).collect() });
    }
    if factors.is_empty() {
        root.fault("grid", "nothing varies; add a [grid], [[together]] or [[case]]");
    }
    factors
}

/// `[[case]]`: each table is a choice.
fn typed_cases(tables: &[Table]) -> Factor {
    let row = |t: &Table| {
        let row = Row { label: t.text("label"), set: t.flat(&["label"]) };
        if row.set.is_empty() {
            t.fault("label", "this case sets no key of the scenario; add one, or remove the case");
        }
        t.close();
        row
    };
    let rows: Vec<Row> = tables.iter().map(row).collect();
    let labelled = rows.iter().any(|r| r.label.is_some());
    if let Some(k) = rows.iter().position(|r| r.label.is_none()).filter(|_| labelled) {
        tables[k].fault("label", "is missing here and given in other cases; label all or none");
    }
    let mut firsts = HashMap::new();
    for (k, row) in rows.iter().enumerate() {
        let first = *firsts.entry(sorted(&row.set)).or_insert(k);
        if first < k {
            tables[k].fault("label", format!("cases {first} and {k} set the same; remove one"));
        }
    }
    Factor { name: labelled.then(|| "label".to_owned()), rows }
}

/// Keys and values in an order of their own.
fn sorted(keys: &Keys) -> Vec<String> {
    let mut list: Vec<String> = keys.iter().map(|(k, v)| format!("{k}={}", text(v))).collect();
    list.sort();
    list
}

/// `[[together]]`: the first values of all keys, the second ones, and so on.
fn zipped(t: &Table) -> Factor {
    let (name, labels) = (t.name("name"), t.texts("labels"));
    match (&name, &labels) {
        (None, Some(_)) => t.fault("name", "is missing: what the labels tell, a column of the table"),
        (Some(_), None) => t.fault("labels", "are missing: one for each row, for the column `name`"),
        _ => {}
    }
    let keys = t.flat(&["name", "labels"]);
    let lists: Vec<(&String, Array)> =
        keys.iter().filter_map(|(key, value)| Some((key, simultaneous(t, key, value)?))).collect();
    let length = lists.first().map_or(0, |l| l.1.len());
    if keys.is_empty() {
        t.fault("name", "sets no key of the scenario; write \"key.of.the.scenario\" = [value, value, ...]");
    }
    for (key, values) in lists.iter().filter(|l| l.1.len() != length) {
        t.fault(key, format!("has {} values, `{}` has {length}; they vary together", values.len(), lists[0].0));
    }
    if let Some(labels) = labels.as_ref().filter(|l| l.len() != length && length > 0) {
        t.fault("labels", format!("are {}, for {length} values of `{}`", labels.len(), lists[0].0));
    }
    let whole = lists.iter().all(|l| l.1.len() == length) && labels.as_ref().is_none_or(|l| l.len() == length);
    let row = |k: usize| Row {
        label: labels.as_ref().map(|l| l[k].clone()),
        set: lists.iter().filter_map(|(key, values)| Some(((*key).clone(), values.get(k)?.clone()))).collect(),
    };
    Factor { name, rows: (0..length).filter(|_| whole).map(row).collect() }
}

/// Values of a key of the grid: no two are the same.
fn list(t: &Table, key: &str, value: &Value) -> Option<Array> {
    let list = simultaneous(t, key, value)?;
    let texts: Vec<String> = list.iter().map(text).collect();
    let mut seen = HashSet::new();
    if let Some(twice) = texts.iter().find(|text| !seen.insert(text.as_str())) {
        t.fault(key, format!("{twice} stands twice; keep one"));
    }
    Some(list)
}

/// Values of a key, at least one.
fn simultaneous(t: &Table, key: &str, value: &Value) -> Option<Array> {
    match value.as_array() {
        Some(list) if list.is_empty() => t.fault(key, "holds no value; write [value, value, ...]"),
        Some(list) => return Some(list.clone()),
        None => t.fault(key, format!("{} is no list of values; write [{}]", text(value), text(value))),
    }
    None
}

/// Every key is set in one place, and no column has the name of another.
fn unique_keys(root: &Table, common: &Keys, factors: &[Factor]) {
    let of = |f: &Factor| {
        let mut keys: Vec<String> =
            f.rows.iter().flat_map(|r| &r.set).map(|s| s.0.clone()).chain(f.name.clone()).collect();
        keys.sort();
        keys.dedup();
        keys
    };
    let all = std::iter::once(common.iter().map(|s| s.0.clone()).collect()).chain(factors.iter().map(of));
    let mut seen = HashSet::new();
    for keys in all.collect::<Vec<Vec<String>>>() {
        for key in keys {
            if seen.contains(&key) {
                root.fault("grid", format!("`{key}` stands in two of [set], [[case]], [[together]], [grid]; keep one"));
            }
            seen.insert(key);
        }
    }
}
