//! Reads a campaign file. All faults are listed at once, with file, line, key and remedy.

use super::expand::{Factor, Row, cases, columns, count, text};
use super::known::{Known, is_taken, refuse_constant};
use super::model::Campaign;
use super::varied::Varied;
use super::{analysis, column, expect, picture, plot, time_plot};
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::reader::key::{Key, Kind, Word};
use crate::base::reader::{Reader, Table, nearest, not_toml, reference, schema};
use crate::scenario::bundled::built_in;
use crate::scenario::paths::stem;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use toml_edit::{Array, Value};

/// Most cases of a campaign: as many as a scheduler's array holds, few enough that a typing error is reported at once.
const CASES_MAX: usize = 100_000;
/// Most keys that vary.
const COLUMNS_MAX: usize = 100;
/// Keys of the scenario and their values.
type Keys = Vec<(String, Value)>;

/// The table of all keys of a campaign.
const KEYS: &[Key] = &[
    Key::count("format", 1, u64::MAX).required().says("version of the format, which is 1").eg("1"),
    Key::name("name").without("name of the file").says("name of the directory, runs/NAME").eg("\"friction\""),
    Key::text("title").without("empty").says("title for people").eg("\"Packing against friction\""),
    Key::text("scenario")
        .required()
        .says("a file, counted from the folder of the campaign, or the name of a built-in scenario")
        .eg("\"accretion_small\""),
    Key::choice("engine", &[Word::new("gpu", "runs on a GPU"), Word::new("reference", "runs in f64 on one CPU core")])
        .or_word("gpu")
        .says("what computes")
        .eg("\"reference\""),
    Key::flag("timing").says("measures where the wall time of the steps goes, into timing.csv").eg("true"),
    Key::with_kind("set", Kind::Settings)
        .says("values of keys of the scenario, for all cases")
        .eg("{ \"run.duration_s\" = \"20 min\" }"),
    Key::with_kind("grid", Kind::Settings)
        .says("a list of values for each of some keys of the scenario; all combinations are cases")
        .eg("{ seed = [1, 2, 3] }"),
    Key::with_kind("together", Kind::SettingsWith(TOGETHER))
        .says("lists of values, all of the same length, for keys that vary together"),
    Key::with_kind("case", Kind::SettingsWith(CASE))
        .says("values of keys of the scenario for one choice typed by hand"),
    Key::table("analysis", analysis::KEYS)
        .says("what is measured of the last frame of every finished case, and of others at chosen instants"),
    Key::tables("column", column::KEYS).says("a column that is computed from others"),
    Key::tables("expect", expect::KEYS).says("what the finished cases must show together"),
    Key::tables("plot", plot::KEYS).says("a picture of the table"),
    Key::tables("time_plot", time_plot::KEYS).says("a picture of the series of all finished cases against time"),
    Key::tables("picture", picture::KEYS).says("panels of the bodies of some cases at some instants"),
];

const TOGETHER: &[Key] = &[
    Key::name("name").says("column of the labels in the table; with labels alone").eg("\"grip\""),
    Key::with_kind("labels", Kind::Texts).says("a label for each row; with a name alone").eg("[\"smooth\", \"rough\"]"),
];

const CASE: &[Key] = &[Key::text("label").says("label of the case; all cases have one, or none").eg("\"rough\"")];

/// The reference of all keys, in Markdown.
pub fn keys_reference() -> String {
    reference::markdown(KEYS)
}

/// The JSON schema of a campaign, for editors.
pub fn json_schema() -> String {
    let schema = schema::schema("Breccia campaign", KEYS);
    serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n"
}

/// Campaign from TOML text; `file` is named in messages.
pub fn parse(text: &str, file: &str) -> Result<Campaign> {
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|e| not_toml(file, text, &e))?;
    if document.contains_key("run") && !document.contains_key("scenario") {
        return Err(Fault::new("is a scenario, not a campaign")
            .remedy("`breccia run` runs it")
            .path(Path::new(file))
            .into());
    }
    let reader = Reader::new(file, text, &[]);
    let campaign = read(&reader.root(&document, KEYS), text, file);
    reader.finish().check()?;
    Ok(campaign)
}

/// Reads all tables; the faults are with the reader.
fn read(root: &Table, text: &str, file: &str) -> Campaign {
    root.refuse_other_format();
    let timing = timing(root);
    let scenario = scenario(root, Path::new(file).parent().unwrap_or(Path::new("")));
    let common = root.table("set").settings();
    let factors = factors(root);
    unique_keys(root, &common, &factors);
    let known = count(&factors).filter(|n| *n <= CASES_MAX);
    if known.is_none() {
        root.fault("grid", format!("makes more than {CASES_MAX} cases"), "remove some values");
    }
    let (columns, analysis) = (columns(&factors), analysis::read(root));
    if columns.len() > COLUMNS_MAX {
        let what = format!("{} keys vary, more than the {COLUMNS_MAX} columns that a table may have", columns.len());
        root.fault("case", what, "vary fewer keys");
    }
    let known = known.filter(|_| columns.len() <= COLUMNS_MAX);
    let mut known_columns = Known::new(&columns, analysis.as_ref());
    let computed = column::read(root, &mut known_columns);
    known_columns.add(super::timing::columns().into_iter().filter(|_| timing));
    let cases = known.map_or(vec![], |_| cases(&common, &factors));
    let varied = Varied { columns: &columns, cases: &cases };
    let plots = plot::read(root, &known_columns);
    varied.refuse_words_along(&root.tables("plot"), &plots);
    let time_plots = time_plot::read(root, &known_columns, &computed, analysis.as_ref());
    varied.refuse_idle(&root.tables("plot"), &plots);
    varied.refuse_idle_curves(&root.tables("plot"), plots.iter());
    varied.refuse_idle_curves(&root.tables("time_plot"), time_plots.iter().map(|p| &p.plot));
    varied.refuse_words_in(&root.tables("column"), &computed);
    let campaign = Campaign {
        file: file.into(),
        text: text.into(),
        name: root.name("name").unwrap_or_else(|| stem(root, file)),
        title: root.text("title").unwrap_or_default(),
        scenario,
        engine: root.choice("engine").to_owned(),
        timing,
        expect: expect::read(root, &known_columns, &varied),
        plots,
        time_plots,
        pictures: picture::read(root, &known_columns, &varied),
        computed,
        columns,
        cases,
        analysis,
    };
    let tables: Vec<Table> = ["plot", "time_plot", "picture"].iter().flat_map(|key| root.tables(key)).collect();
    let plots = campaign.plots.iter().chain(campaign.time_plots.iter().map(|p| &p.plot)).map(|p| &p.name);
    plot::names_of_their_own(&tables, plots.chain(campaign.pictures.iter().map(|p| &p.name)).map(String::as_str));
    root.close();
    campaign
}

/// Whether the phases of the steps are timed, which the reference engine has not.
fn timing(root: &Table) -> bool {
    let timing = root.flag("timing");
    if timing && root.choice("engine") == "reference" {
        root.fault("timing", "the reference engine does not time its phases", "remove it, or take engine = \"gpu\"");
    }
    timing
}

/// The scenario as `breccia run` takes it: a file counted from the campaign's folder, or the name of a built-in one.
fn scenario(root: &Table, folder: &Path) -> String {
    let Some(given) = root.text("scenario") else {
        return String::new();
    };
    let path = folder.join(&given);
    if path.is_file() {
        return path.to_string_lossy().into_owned();
    }
    let names: Vec<String> = built_in().into_iter().map(|b| b.name).collect();
    if !names.contains(&given) {
        let hint = nearest(&given, names.iter().map(String::as_str));
        root.fault(
            "scenario",
            format!("there is no file {} and no built-in scenario \"{given}\"", path.display()),
            hint,
        );
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
    let grid_keys = grid.settings();
    if root.has("grid") && grid_keys.is_empty() {
        root.fault("grid", "is empty", "write \"key.of.the.scenario\" = [value, value, ...]");
    }
    for (key, value) in grid_keys {
        let rows = list(&grid, &key, &value).map_or(vec![], |l| l.iter().cloned().collect());
        let row = |value: Value| Row { label: None, set: vec![(key.clone(), value)] };
        factors.push(Factor { name: None, rows: rows.into_iter().map(row).collect() });
    }
    if factors.is_empty() {
        root.fault("grid", "nothing varies", "add a [grid], [[together]] or [[case]]");
    }
    factors
}

/// `[[case]]`: each table is a choice.
fn typed_cases(tables: &[Table]) -> Factor {
    let row = |t: &Table| {
        let row = Row { label: t.text("label"), set: t.settings() };
        if row.set.is_empty() {
            t.fault("label", "this case sets no key of the scenario", "add a key, or remove the case");
        }
        row
    };
    let rows: Vec<Row> = tables.iter().map(row).collect();
    let labelled = rows.iter().any(|r| r.label.is_some());
    if let Some(k) = rows.iter().position(|r| r.label.is_none()).filter(|_| labelled) {
        tables[k].fault("label", "is missing here and given in other cases", "label all cases or none");
    }
    for (t, label) in tables.iter().zip(&rows).filter_map(|(t, row)| Some((t, row.label.as_deref()?))) {
        refuse_empty(t, "label", label);
    }
    let labels: Vec<&str> = rows.iter().filter_map(|row| row.label.as_deref()).collect();
    tables.first().into_iter().for_each(|t| refuse_alike(t, "label", &labels));
    for [first, k] in repeated(&rows) {
        tables[k].fault("label", format!("cases {first} and {k} set the same"), "remove one of the two");
    }
    Factor { name: labelled.then(|| "label".to_owned()), rows }
}

/// The fault of a label that is empty. Labels may repeat: they name groups of cases.
fn refuse_empty(t: &Table, key: &str, label: &str) {
    if label.trim().is_empty() {
        t.fault(key, "a label is empty", "write a word or more");
    }
}

/// The fault of labels that are one number and written in two ways, such as 1.1 and 1.10: the table would not tell them apart.
fn refuse_alike(t: &Table, key: &str, labels: &[&str]) {
    let number = |text: &str| text.parse::<f64>().ok().filter(|v| v.is_finite());
    let alike = |k: usize| {
        let same = |other: &&&str| **other != labels[k] && number(other) == number(labels[k]);
        number(labels[k]).and_then(|_| labels[..k].iter().find(same)).map(|first| [*first, labels[k]])
    };
    if let Some([first, second]) = (0..labels.len()).find_map(alike) {
        t.fault(key, format!("\"{first}\" and \"{second}\" are one number"), "write them alike, or as words");
    }
}

/// Rows that set the same as an earlier one: the first of them, and itself.
fn repeated(rows: &[Row]) -> Vec<[usize; 2]> {
    let mut firsts = HashMap::new();
    let pairs = rows.iter().enumerate().map(|(k, row)| [*firsts.entry(sorted(&row.set)).or_insert(k), k]);
    pairs.filter(|[first, k]| first < k).collect()
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
        (None, Some(_)) => t.fault("name", "is missing", "add the name of the column of the labels"),
        (Some(_), None) => t.fault("labels", "are missing", "add a label for each row, or remove the name"),
        _ => {}
    }
    let keys = t.settings();
    let is_key = |name: &str| keys.iter().any(|(key, _)| key == name);
    if let Some(name) = name.as_ref().filter(|name| is_taken(name) || is_key(name)) {
        t.fault("name", format!("\"{name}\" is the name of another column"), "give it a name of its own");
    }
    refuse_constant(t, name.as_deref());
    labels.iter().flatten().for_each(|label| refuse_empty(t, "labels", label));
    refuse_alike(t, "labels", &labels.iter().flatten().map(String::as_str).collect::<Vec<_>>());
    let lists: Vec<(&String, Array)> =
        keys.iter().filter_map(|(key, value)| Some((key, simultaneous(t, key, value)?))).collect();
    let length = lists.first().map_or(0, |l| l.1.len());
    if keys.is_empty() {
        let remedy = "write \"key.of.the.scenario\" = [value, value, ...]";
        t.fault("name", "these lists set no key of the scenario", remedy);
    }
    for (key, values) in lists.iter().filter(|l| l.1.len() != length) {
        let what = format!("has {} values, but `{}` has {length}", values.len(), lists[0].0);
        t.fault(key, what, "give as many values, since both vary together");
    }
    if let Some(labels) = labels.as_ref().filter(|l| l.len() != length && length > 0) {
        let what = format!("there are {} labels for {length} values of `{}`", labels.len(), lists[0].0);
        t.fault("labels", what, "give a label for each value");
    }
    let whole = lists.iter().all(|l| l.1.len() == length) && labels.as_ref().is_none_or(|l| l.len() == length);
    let row = |k: usize| Row {
        label: labels.as_ref().map(|l| l[k].clone()),
        set: lists.iter().filter_map(|(key, values)| Some(((*key).clone(), values.get(k)?.clone()))).collect(),
    };
    let rows: Vec<Row> = (0..length).filter(|_| whole).map(row).collect();
    for [first, k] in repeated(&rows) {
        let what = format!("values {first} and {k} of all lists are the same");
        t.fault(&rows[k].set[0].0, what, "remove one of the two");
    }
    Factor { name, rows }
}

/// Values of a key of the grid: no two are the same.
fn list(t: &Table, key: &str, value: &Value) -> Option<Array> {
    let list = simultaneous(t, key, value)?;
    // by value, so that 10 and 10.0 are one
    let number = |v: &Value| v.as_float().or_else(|| v.as_integer().map(|i| i as f64));
    let texts: Vec<String> = list.iter().map(|v| number(v).map_or_else(|| text(v), |n| n.to_string())).collect();
    let mut seen = HashSet::new();
    if let Some(twice) = texts.iter().find(|text| !seen.insert(text.as_str())) {
        t.fault(key, format!("{twice} is given twice"), "remove one of the two");
    }
    Some(list)
}

/// Values of a key, at least one.
fn simultaneous(t: &Table, key: &str, value: &Value) -> Option<Array> {
    let whole = |v: &Value| v.as_integer().filter(|i| (*i as f64) as i64 != *i);
    if let Some(large) = value.as_array().and_then(|list| list.iter().find_map(whole)) {
        let what = format!("{large} is beyond 2^53, and a table has no such number");
        t.fault(key, what, "type whole numbers up to 9007199254740992");
    }
    match value.as_array() {
        Some(list) if list.is_empty() => t.fault(key, "is an empty list", "write [value, value, ...]"),
        Some(list) => return Some(list.clone()),
        None => t.fault(key, format!("{} is not a list of values", text(value)), format!("write [{}]", text(value))),
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
    let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    let all = std::iter::once(common.iter().map(|s| s.0.clone()).collect()).chain(factors.iter().map(of));
    let mut seen = BTreeSet::<String>::new();
    for keys in all.collect::<Vec<Vec<String>>>() {
        for key in &keys {
            if let Some(other) = seen.iter().find(|other| within(other, key) || within(key, other)) {
                let what = format!(
                    "`{key}` and `{other}` are given in two of [set], [[case]], [[together]] and [grid], and one is in the other"
                );
                root.fault("grid", what, "remove one of the two, or write one into the other");
            }
        }
        for key in keys {
            if seen.contains(&key) {
                let what = format!("`{key}` is given in two of [set], [[case]], [[together]] and [grid]");
                root.fault("grid", what, "remove one of the two");
            }
            seen.insert(key);
        }
    }
}
