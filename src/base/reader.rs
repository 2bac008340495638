//! Walks a TOML document along a table of keys, takes typed values, and collects every fault with file, line and key.

pub(crate) mod completion;
mod hints;
pub(crate) mod key;
mod lines;
mod lists;
mod not_toml;
pub(crate) mod reference;
pub(crate) mod schema;
mod table;
mod values;

pub(crate) use hints::nearest;
pub(crate) use lines::line_of;
pub(crate) use not_toml::not_toml;

use crate::base::fault::{Fault, Faults};
use hints::Known;
use key::Key;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use toml_edit::{Document, TableLike, Value};

/// Longest length: squares and cubes of it are still numbers.
pub(crate) const LENGTH_MAX_M: f64 = 1e15;

/// Most faults that are listed; in a longer list most have one cause.
pub(crate) const FAULTS_MAX: usize = 100;
/// Longest text of a fault (characters): a value may be as long as the file.
const TEXT_MAX: usize = 2000;

/// A document being read.
pub(crate) struct Reader<'a> {
    file: &'a str,
    /// where the lines of the text begin, the first one aside
    lines: Vec<usize>,
    overrides: BTreeMap<String, Value>,
    used_overrides: RefCell<BTreeSet<String>>,
    /// keys that `--set` may name, for hints
    known: RefCell<Known>,
    /// keys of the file that go with a word that `--set` has replaced
    behind: RefCell<Vec<String>>,
    /// keys that were read, by their path in the table of keys; none: nobody asks
    asked: Option<RefCell<BTreeSet<String>>>,
    faults: RefCell<Vec<Fault>>,
    /// faults beyond the list
    more: Cell<usize>,
}

/// A table of the document, read along its keys.
pub struct Table<'a> {
    reader: &'a Reader<'a>,
    table: Option<&'a dyn TableLike>,
    /// `material.0` and `material.rock`
    paths: Vec<String>,
    line: usize,
    /// keys that it takes: its own, and those of the words that were chosen in it
    sections: RefCell<Vec<Section>>,
}

/// Keys of a table, and where they are in the table of keys.
#[derive(Clone)]
struct Section {
    at: Arc<str>,
    keys: &'static [Key],
    /// they go with a word of a key whose word is unknown: nobody knows whether they belong here
    guessed: bool,
}

impl<'a> Reader<'a> {
    /// A reader of `text`; `overrides` are `path=value` as given to `--set`.
    pub(crate) fn new(file: &'a str, text: &'a str, overrides: &[String]) -> Reader<'a> {
        let reader = Reader {
            file,
            lines: text.match_indices('\n').map(|(at, _)| at + 1).collect(),
            overrides: BTreeMap::new(),
            used_overrides: RefCell::default(),
            known: RefCell::default(),
            behind: RefCell::default(),
            asked: None,
            faults: RefCell::default(),
            more: Cell::default(),
        };
        let mut map = BTreeMap::new();
        for o in overrides {
            let fault = |what: &str, remedy: &str| {
                reader.note(Fault::new(what).remedy(remedy).file(file).key(o.trim()).by_set());
            };
            let Some((path, value)) = o.split_once('=') else {
                fault("has no value", "write key=value");
                continue;
            };
            if map.insert(path.trim().to_owned(), typed(value)).is_some() {
                fault("sets a key that another --set has set already", "remove one of the two");
            }
        }
        for path in map.keys() {
            let within = format!("{path}.");
            let mut inner = map.range(within.clone()..);
            if let Some((inner, _)) = inner.next().filter(|(inner, _)| inner.starts_with(&within)) {
                let what = format!("sets a table, and another --set the key {inner} in it");
                reader.note(Fault::new(what).remedy("write the key into the table").file(file).key(path).by_set());
            }
        }
        Reader { overrides: map, ..reader }
    }

    /// The reader, which notes what keys are read.
    #[cfg(test)]
    pub(crate) fn recording(self) -> Reader<'a> {
        Reader { asked: Some(RefCell::default()), ..self }
    }

    /// The keys that were read, as [`reference::paths`] lists them.
    #[cfg(test)]
    pub(crate) fn asked(&self) -> BTreeSet<String> {
        self.asked.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// The root table, which has these keys.
    pub(crate) fn root(&'a self, document: &'a Document<String>, keys: &'static [Key]) -> Table<'a> {
        Table {
            reader: self,
            table: Some(document.as_table()),
            paths: vec![String::new()],
            line: 1,
            sections: RefCell::new(vec![Section { at: "".into(), keys, guessed: false }]),
        }
    }

    /// Keys of the file that have no meaning, since `--set` has replaced the word that they go with.
    pub(crate) fn behind(&self) -> Vec<String> {
        self.behind.take()
    }

    /// Keeps a fault.
    fn note(&self, fault: Fault) {
        if self.is_full() {
            return self.more.set(self.more.get() + 1);
        }
        self.faults.borrow_mut().push(Fault { what: cut(fault.what), remedy: fault.remedy.map(cut), ..fault });
    }

    /// True if further faults are counted, but not listed.
    fn is_full(&self) -> bool {
        self.faults.borrow().len() >= FAULTS_MAX
    }

    fn line(&self, span: Option<std::ops::Range<usize>>) -> Option<usize> {
        span.map(|s| 1 + self.lines.partition_point(|start| *start <= s.start))
    }

    /// Faults in order of line, the first [`FAULTS_MAX`] that were met; overrides that met no key are faults too.
    pub(crate) fn finish(&self) -> Faults {
        for path in self.overrides.keys().filter(|k| !self.used_overrides.borrow().contains(*k)) {
            let known = self.known.borrow();
            let (what, remedy) = match known.has(path) {
                // by its number and by its name, such as material.0 and material.rock
                true => ("sets a key that another --set has set already", "remove one of the two".to_owned()),
                false if self.is_full() => ("unknown key", String::new()),
                false => ("unknown key", known.nearest(path)),
            };
            self.note(Fault::new(what).remedy(remedy).file(self.file).key(path).by_set());
        }
        let mut list = self.faults.take();
        list.sort_by_key(|f| f.line);
        Faults { more: self.more.get(), ..Faults::of(list) }
    }
}

/// The value that `--set` gives: TOML, and a word that is none is meant as a string.
pub(crate) fn typed(value: &str) -> Value {
    value.trim().parse().unwrap_or_else(|_| Value::from(value.trim()))
}

/// The text, or its first characters.
fn cut(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(TEXT_MAX) {
        text.truncate(end);
        text += " ...";
    }
    text
}

/// The path of a key below the path of its table; of the table itself without a key.
fn join(head: &str, key: &str) -> String {
    match (head, key) {
        ("", one) | (one, "") => one.to_owned(),
        _ => format!("{head}.{key}"),
    }
}
