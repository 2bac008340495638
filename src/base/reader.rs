//! Walks a TOML document, takes typed values by key, and collects every fault with file, line and key.

mod lists;

use super::quantity::{Dimension, parse};
use glam::DVec3;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use toml_edit::{Document, Item, TableLike, Value};

/// Longest length: squares and cubes of it are still numbers.
pub const LENGTH_MAX_M: f64 = 1e15;

/// How units are given.
const SI: &str = "A bare number is SI, others are strings such as \"2.3 g/cm^3\"";

/// Keys whose value decides which other keys a table takes.
const CHOOSERS: [&str; 2] = ["kind", "generator"];

/// Most faults that are listed; in a longer list most have one cause.
const FAULTS_MAX: usize = 100;
/// Longest word that is compared with known ones (bytes).
const NAME_MAX: usize = 200;
/// Longest text of a fault (characters): a value may be as long as the file.
const TEXT_MAX: usize = 2000;

/// A document being read.
pub struct Reader<'a> {
    file: &'a str,
    /// where the lines of the text begin, the first one aside
    lines: Vec<usize>,
    overrides: BTreeMap<String, Value>,
    used_overrides: RefCell<BTreeSet<String>>,
    faults: RefCell<Vec<(usize, String)>>,
    /// faults beyond the list
    more: Cell<usize>,
}

/// A table of the document, with the keys that were asked for.
pub struct Table<'a> {
    reader: &'a Reader<'a>,
    table: Option<&'a dyn TableLike>,
    /// `material.0` and `material.rock`
    paths: Vec<String>,
    line: usize,
    asked: RefCell<BTreeSet<String>>,
}

impl<'a> Reader<'a> {
    /// A reader of `text`; `overrides` are `path=value` as given to `--set`.
    pub fn new(file: &'a str, text: &'a str, overrides: &[String]) -> Reader<'a> {
        let reader = Reader {
            file,
            lines: text.match_indices('\n').map(|(at, _)| at + 1).collect(),
            overrides: BTreeMap::new(),
            used_overrides: RefCell::default(),
            faults: RefCell::default(),
            more: Cell::default(),
        };
        let mut map = BTreeMap::new();
        for o in overrides {
            let Some((path, value)) = o.split_once('=') else {
                reader.fault(0, format!("--set {o}: write key=value"));
                continue;
            };
            // A word that is not a TOML value is meant as a string.
            let parsed = value.trim().parse::<Value>().unwrap_or_else(|_| Value::from(value.trim()));
            if map.insert(path.trim().to_owned(), parsed).is_some() {
                reader.fault(0, format!("--set {}: stands twice; keep one", path.trim()));
            }
        }
        Reader { overrides: map, ..reader }
    }

    /// The root table.
    pub fn root(&'a self, document: &'a Document<String>) -> Table<'a> {
        Table {
            reader: self,
            table: Some(document.as_table()),
            paths: vec![String::new()],
            line: 1,
            asked: RefCell::default(),
        }
    }

    /// Notes a fault at a line (0: none).
    pub fn fault(&self, line: usize, text: String) {
        if self.is_full() {
            return self.more.set(self.more.get() + 1);
        }
        let at = if line == 0 { self.file.to_owned() } else { format!("{}:{line}", self.file) };
        self.faults.borrow_mut().push((line, format!("{at}: {}", cut(text))));
    }

    /// True if further faults are counted, but not listed.
    fn is_full(&self) -> bool {
        self.faults.borrow().len() >= FAULTS_MAX
    }

    fn line(&self, span: Option<std::ops::Range<usize>>) -> Option<usize> {
        span.map(|s| 1 + self.lines.partition_point(|start| *start <= s.start))
    }

    /// Faults in order of line, the first [`FAULTS_MAX`] that were met; overrides that met no key are faults too.
    pub fn finish(&self) -> Vec<String> {
        for path in self.overrides.keys().filter(|k| !self.used_overrides.borrow().contains(*k)) {
            self.fault(0, format!("--set {path}: no such key; see docs/user/scenarios.md"));
        }
        let mut faults = self.faults.take();
        faults.sort_by_key(|f| f.0);
        let more = (self.more.get() > 0).then(|| format!("{}: and {} more faults", self.file, self.more.get()));
        faults.into_iter().map(|f| f.1).chain(more).collect()
    }
}

/// The text, or its first characters.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(TEXT_MAX) {
        text.truncate(end);
        text += " ...";
    }
    text
}

impl<'a> Table<'a> {
    /// Dotted path, for messages.
    pub fn path(&self, key: &str) -> String {
        join(self.paths.last().map_or("", String::as_str), key)
    }

    /// Name of the document, for messages.
    pub fn file(&self) -> &str {
        self.reader.file
    }

    /// A fault about a key of this table.
    pub fn fault(&self, key: &str, text: impl AsRef<str>) {
        let line =
            self.table.and_then(|t| t.get_key_value(key)).and_then(|(k, i)| self.reader.line(i.span().or(k.span())));
        // A key that has been reported counts as known.
        self.reader.used_overrides.borrow_mut().extend(self.overridden(key).map(|(path, _)| path));
        self.reader.fault(line.unwrap_or(self.line), format!("{}: {}", self.path(key), text.as_ref()));
    }

    /// What `--set` gives the key, and the path by which.
    fn overridden(&self, key: &str) -> Option<(String, &'a Value)> {
        let mut paths = self.paths.iter().map(|head| join(head, key));
        paths.find_map(|path| self.reader.overrides.get(&path).map(|value| (path, value)))
    }

    /// True if the file gives the key a word, and `--set` another.
    fn replaced(&self, key: &str) -> bool {
        let typed = self.table.and_then(|t| t.get(key)).and_then(Item::as_str);
        let set = self.overridden(key).and_then(|(_, value)| value.as_str());
        typed.is_some() && set.is_some() && typed != set
    }

    fn get(&self, key: &str) -> Option<(Value, usize)> {
        self.asked.borrow_mut().insert(key.to_owned());
        if let Some((path, value)) = self.overridden(key) {
            self.reader.used_overrides.borrow_mut().insert(path);
            return Some((value.clone(), self.line));
        }
        let item = self.table?.get(key)?;
        let line = self.reader.line(item.span()).unwrap_or(self.line);
        match item {
            Item::Value(v) => Some((v.clone(), line)),
            _ => {
                self.fault(key, "is a table; a value is wanted");
                None
            }
        }
    }

    /// True if the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.asked.borrow_mut().insert(key.to_owned());
        self.table.is_some_and(|t| t.contains_key(key)) || self.overridden(key).is_some()
    }

    fn convert(&self, value: &Value, dimension: Dimension) -> Result<f64, String> {
        let number = match value {
            Value::Integer(i) => *i.value() as f64,
            Value::Float(f) => *f.value(),
            Value::String(s) => parse(s.value(), dimension)?,
            other => return Err(format!("{} is no number", other.to_string().trim())),
        };
        match number {
            n if !n.is_finite() => Err(format!("{n} is not finite")),
            n if n.abs() > dimension.most() => {
                let (unit, most) = (dimension.unit(), dimension.most());
                Err(format!("{n:e} {unit} is more than the {most:e} {unit} that are taken; is the unit right? {SI}"))
            }
            n if n != 0.0 && n.abs() < dimension.least() => {
                let (unit, least) = (dimension.unit(), dimension.least());
                Err(format!("{n:e} {unit} is less than the {least:e} {unit} that are taken; is the unit right? {SI}"))
            }
            n => Ok(n),
        }
    }

    /// A number in SI, if the key is there.
    pub fn number(&self, key: &str, dimension: Dimension) -> Option<f64> {
        let (value, _) = self.get(key)?;
        self.convert(&value, dimension).map_err(|e| self.fault(key, e)).ok()
    }

    /// A number that must be there; 1 replaces it so that reading can go on.
    pub fn need(&self, key: &str, dimension: Dimension) -> f64 {
        if !self.has(key) {
            self.fault(key, "is missing");
            return 1.0;
        }
        self.number(key, dimension).unwrap_or(1.0)
    }

    /// A number within bounds, else a fault that names them.
    pub fn within(&self, key: &str, value: f64, low: f64, high: f64) -> f64 {
        if value < low || value > high {
            self.fault(key, format!("{value} is outside [{low}, {high}]"));
        }
        value
    }

    /// A positive number, else a fault.
    pub fn positive(&self, key: &str, value: f64) -> f64 {
        if value <= 0.0 {
            self.fault(key, format!("{value} is not positive"));
        }
        value
    }

    /// A whole number within bounds.
    pub fn count(&self, key: &str, default: Option<u64>, bounds: RangeInclusive<u64>) -> u64 {
        let (least, most) = bounds.into_inner();
        let Some((value, _)) = self.get(key) else {
            if default.is_none() {
                self.fault(key, "is missing");
            }
            return default.unwrap_or(least);
        };
        let text = value.to_string();
        match value.as_integer().map(u64::try_from) {
            Some(Ok(n)) if (least..=most).contains(&n) => n,
            Some(Ok(n)) if n > most => {
                self.fault(key, format!("{n} is more than {most}, the most that is taken"));
                least
            }
            _ => {
                self.fault(key, format!("{} is no whole number of at least {least}", text.trim()));
                least
            }
        }
    }

    /// A string.
    pub fn text(&self, key: &str) -> Option<String> {
        let (value, _) = self.get(key)?;
        match value.as_str() {
            Some(s) => Some(s.to_owned()),
            None => {
                self.fault(key, format!("{} is no string", value.to_string().trim()));
                None
            }
        }
    }

    /// A name that is safe as a part of a path, of a column's title and of `--set`.
    pub fn name(&self, key: &str) -> Option<String> {
        let name = self.text(key)?;
        let plain = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || !name.chars().all(plain) {
            self.fault(key, format!("\"{name}\" is no name; letters, digits, `_` and `-` make one"));
        }
        Some(name)
    }

    /// The string, if the key holds one; another type is not a fault here.
    pub fn text_if(&self, key: &str) -> Option<String> {
        self.get(key)?.0.as_str().map(str::to_owned)
    }

    /// True if the key holds a table, or `--set` reaches inside it; a value that `--set` puts in its place wins.
    pub fn is_table(&self, key: &str) -> bool {
        if self.overridden(key).is_some() {
            return false;
        }
        let inside = |p: &String| {
            let head = join(p, key) + ".";
            self.reader.overrides.keys().any(|k| k.starts_with(&head))
        };
        self.table.and_then(|t| t.get(key)).is_some_and(|i| i.is_table_like()) || self.paths.iter().any(inside)
    }

    /// One of several words; an unknown one is refused, and the nearest read in its place so that the rest of the
    /// table is judged by what was probably meant.
    pub fn choice(&self, key: &str, words: &[&str], default: Option<&str>) -> String {
        match self.text(key) {
            None => {
                if default.is_none() && !self.has(key) {
                    self.fault(key, format!("is missing; one of: {}", words.join(", ")));
                }
                default.unwrap_or(words[0]).to_owned()
            }
            Some(word) if words.contains(&word.as_str()) => word,
            Some(word) => {
                self.fault(key, format!("\"{word}\" is unknown; {}", nearest(&word, words.iter().copied())));
                closest(&word, words.iter().copied()).map_or(words[0], |c| c.1).to_owned()
            }
        }
    }

    /// True or false.
    pub fn flag(&self, key: &str, default: bool) -> bool {
        let Some((value, _)) = self.get(key) else {
            return default;
        };
        value.as_bool().unwrap_or_else(|| {
            self.fault(key, format!("{} is neither true nor false", value.to_string().trim()));
            default
        })
    }

    /// Three numbers.
    pub fn vector(&self, key: &str, dimension: Dimension) -> Option<DVec3> {
        let (value, _) = self.get(key)?;
        let parts = value.as_array().map(|a| a.iter().map(|v| self.convert(v, dimension)).collect::<Vec<_>>());
        match parts.as_deref() {
            Some([Ok(x), Ok(y), Ok(z)]) => return Some(DVec3::new(*x, *y, *z)),
            Some(list) if list.len() == 3 => {
                list.iter().filter_map(|p| p.as_ref().err()).for_each(|e| self.fault(key, e));
            }
            _ => self.fault(key, format!("{} is no list of three numbers", value.to_string().trim())),
        }
        None
    }

    /// Lists of three numbers.
    pub fn vectors(&self, key: &str, dimension: Dimension) -> Vec<DVec3> {
        let Some((value, _)) = self.get(key) else {
            self.fault(key, "is missing");
            return vec![];
        };
        let point = |v: &Value| {
            let parts: Option<Vec<_>> = v.as_array().map(|a| a.iter().map(|x| self.convert(x, dimension)).collect());
            match parts.as_deref() {
                Some([Ok(x), Ok(y), Ok(z)]) => Some(DVec3::new(*x, *y, *z)),
                _ => None,
            }
        };
        let points: Option<Vec<DVec3>> = value.as_array().and_then(|a| a.iter().map(point).collect());
        points.unwrap_or_else(|| {
            self.fault(key, "is no list of points; write [[x, y, z], [x, y, z], ...]");
            vec![]
        })
    }

    /// A list of numbers, which must be there.
    pub fn numbers(&self, key: &str, dimension: Dimension) -> Vec<f64> {
        let Some((value, _)) = self.get(key) else {
            self.fault(key, "is missing");
            return vec![];
        };
        let list = value.as_array().map(|a| a.iter().map(|v| self.convert(v, dimension)).collect::<Result<_, _>>());
        let list = list.unwrap_or_else(|| Err(format!("{} is no list of numbers", value.to_string().trim())));
        list.unwrap_or_else(|e| {
            self.fault(key, e);
            vec![]
        })
    }

    fn child(&self, key: &str, name: Vec<String>, table: Option<&'a dyn TableLike>, line: usize) -> Table<'a> {
        let paths = self.paths.iter().flat_map(|p| {
            let head = join(p, key);
            name.iter()
                .map(move |n| if n.is_empty() { head.clone() } else { format!("{head}.{n}") })
                .collect::<Vec<_>>()
        });
        Table { reader: self.reader, table, paths: paths.collect(), line, asked: RefCell::default() }
    }

    /// A sub-table; empty if it is absent.
    pub fn table(&self, key: &str) -> Table<'a> {
        self.asked.borrow_mut().insert(key.to_owned());
        let item = self.table.and_then(|t| t.get(key));
        let table = item.and_then(Item::as_table_like);
        if item.is_some() && table.is_none() {
            self.fault(key, "is no table");
        }
        let line = item.and_then(|i| self.reader.line(i.span())).unwrap_or(self.line);
        self.child(key, vec![String::new()], table, line)
    }

    /// An array of tables, in either spelling; each also answers to its `name` in `--set`.
    pub fn tables(&self, key: &str) -> Vec<Table<'a>> {
        self.asked.borrow_mut().insert(key.to_owned());
        let Some(item) = self.table.and_then(|t| t.get(key)) else {
            return vec![];
        };
        let mut list: Vec<(&'a dyn TableLike, Option<usize>)> = vec![];
        if let Some(array) = item.as_array_of_tables() {
            list.extend(array.iter().map(|t| (t as &dyn TableLike, self.reader.line(t.span()))));
        } else if let Some(array) = item.as_array() {
            for value in array {
                match value.as_inline_table() {
                    Some(t) => list.push((t, self.reader.line(value.span()))),
                    None => self.fault(key, "holds something that is no table"),
                }
            }
        } else {
            self.fault(key, format!("is no list of tables; write [[{key}]]"));
        }
        let named = |(index, (table, line)): (usize, (&'a dyn TableLike, Option<usize>))| {
            let mut names = vec![index.to_string()];
            names.extend(table.get("name").and_then(|n| n.as_str()).map(str::to_owned));
            self.child(key, names, Some(table), line.unwrap_or(self.line))
        };
        list.into_iter().enumerate().map(named).collect()
    }

    /// Names of the sub-tables and keys present.
    pub fn keys(&self) -> Vec<String> {
        self.table.map_or(vec![], |t| t.iter().map(|(k, _)| k.to_owned()).collect())
    }

    /// Refuses every key that was never asked for, with the nearest known one. Where `--set` has changed what decides which keys
    /// there are, those that the file gives the old choice stay behind.
    pub fn close(&self) {
        let asked = self.asked.borrow();
        if CHOOSERS.iter().any(|key| asked.contains(*key) && self.replaced(key)) {
            return;
        }
        for key in self.keys().iter().filter(|k| !asked.contains(*k)) {
            self.fault(key, format!("unknown key; {}", self.hint(key, asked.iter().map(String::as_str))));
        }
    }

    /// As [`nearest`]; empty once the list of faults is full.
    pub fn hint<'b>(&self, word: &str, known: impl Iterator<Item = &'b str>) -> String {
        if self.reader.is_full() { String::new() } else { nearest(word, known) }
    }
}

/// The path of a key below the path of its table.
fn join(head: &str, key: &str) -> String {
    if head.is_empty() { key.to_owned() } else { format!("{head}.{key}") }
}

/// The likeliest of the known words, with its likeness from 0 to 1.
fn closest<'b>(word: &str, known: impl Iterator<Item = &'b str>) -> Option<(f64, &'b str)> {
    // beyond the length of any name nothing is alike, and the comparison takes the product of both lengths
    let likeness = |k: &str| if word.len() > NAME_MAX { 0.0 } else { strsim::jaro_winkler(word, k) };
    known.map(|k| (likeness(k), k)).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// "did you mean ...", or the list.
pub fn nearest<'b>(word: &str, known: impl Iterator<Item = &'b str>) -> String {
    let known: Vec<&str> = known.collect();
    match closest(word, known.iter().copied()) {
        Some((score, name)) if score > 0.75 => format!("did you mean `{name}`?"),
        _ => format!("known here: {}", known.join(", ")),
    }
}
