//! Tables of a document: their faults, the keys that they take, what `--set` gives them, and the tables within them.

use super::key::{Default, Key, Kind, Word};
use super::{Section, Table, hints, join, nearest};
use crate::base::fault::Fault;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;
use toml_edit::{Item, TableLike, Value};

/// Stands in for a key that the table of keys lacks, which only a fault of the program can ask for.
static UNKNOWN: Key = Key::text("");

impl<'a> Table<'a> {
    /// Dotted path, for messages.
    pub fn path(&self, key: &str) -> String {
        join(self.paths.last().map_or("", String::as_str), key)
    }

    /// Name of the document, for messages.
    pub fn file(&self) -> &str {
        self.reader.file
    }

    /// A fault about a key of this table: what is wrong, and what to do about it. Keys that may not belong here, since a word
    /// is unknown, are not judged.
    pub fn fault(&self, key: &str, what: impl Into<String>, remedy: impl Into<String>) {
        if self.is_guessed(key) {
            return;
        }
        let fault = Fault::new(what).remedy(remedy);
        // an item of a list is given with the list
        let list = key.rsplit_once('.').map_or(key, |(list, _)| list);
        if let Some((path, _)) = self.overridden(key) {
            self.reader.used_overrides.borrow_mut().insert(path.clone());
            return self.reader.note(fault.file(self.reader.file).key(path).by_set());
        }
        if let Some((path, _)) = self.overridden(list) {
            self.reader.used_overrides.borrow_mut().insert(path.clone());
            let item = key.strip_prefix(list).unwrap_or_default();
            return self.reader.note(fault.file(self.reader.file).key(path + item).by_set());
        }
        if self.is_set() {
            return self.reader.note(fault.file(self.reader.file).key(self.path(key)).by_set());
        }
        let line = self.table.and_then(|t| t.get_key_value(key).or_else(|| t.get_key_value(list)));
        let line = line.and_then(|(k, i)| self.reader.line(i.span().or(k.span())));
        self.reader.note(fault.file(self.reader.file).line(line.unwrap_or(self.line)).key(self.path(key)));
    }

    /// True if nothing is wrong with a key so far: what stands in for a wrong value need not be judged.
    pub fn is_sound(&self, key: &str) -> bool {
        let path = self.path(key);
        let wrong = |k: &str| k.strip_prefix(&path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        !self.reader.faults.borrow().iter().any(|fault| fault.key.as_deref().is_some_and(wrong))
    }

    /// True if `--set` gives this table, or one that it is in, as a whole.
    pub(super) fn is_set(&self) -> bool {
        let ends = |path: &String| {
            let within = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
            within.into_iter().any(|end| self.reader.overrides.contains_key(&path[..end]))
        };
        self.paths.iter().any(ends)
    }

    /// The table that `--set` puts in the place of a key, which is noted as used.
    pub(super) fn set_table(&self, key: &str) -> Option<&'a dyn TableLike> {
        let (path, value) = self.overridden(key)?;
        let table = value.as_inline_table()?;
        self.reader.used_overrides.borrow_mut().insert(path);
        Some(table)
    }

    /// True if the key belongs here with words alone that nobody typed.
    pub(super) fn is_guessed(&self, key: &str) -> bool {
        let sections = self.sections.borrow();
        let mut own = sections.iter().filter(|s| s.keys.iter().any(|k| k.name == key)).peekable();
        own.peek().is_some() && own.all(|s| s.guessed)
    }

    /// Takes up keys that a file declares which a key of this table names.
    pub fn declare(&self, file: &str, keys: &'static [Key]) {
        self.sections.borrow_mut().push(Section { at: file.into(), keys, guessed: false });
    }

    /// A fault of a file that a key of this table names.
    pub fn fault_of_file(&self, key: &str, fault: Fault) {
        self.reader.note(fault.context(format!("{}: {}", self.reader.file, self.path(key))));
    }

    /// The fault of a key that is not there.
    pub fn missing(&self, key: &str) {
        self.fault(key, "is missing", format!("add `{key} = {}`, for example", self.key(key).example));
    }

    /// The fault of a value of another kind.
    pub(super) fn wrong(&self, key: &str, value: &Value, what: &str) {
        let remedy = match self.key(key).example {
            "" => String::new(),
            example => format!("write `{key} = {example}`, for example"),
        };
        self.fault(key, format!("{} is not {what}", value.to_string().trim()), remedy);
    }

    /// The key of this name, which is noted as read.
    pub(super) fn key(&self, name: &str) -> &'static Key {
        let sections = self.sections.borrow();
        let found = sections.iter().find_map(|s| s.keys.iter().find(|k| k.name == name).map(|key| (s, key)));
        let Some((section, key)) = found else {
            debug_assert!(false, "the table of keys lacks `{}`", self.path(name));
            return &UNKNOWN;
        };
        if let Some(asked) = &self.reader.asked {
            asked.borrow_mut().insert(join(&section.at, name));
        }
        key
    }

    /// Takes up the keys that go with a word, which is typed or `guessed`.
    pub(super) fn choose(&self, key: &'static Key, word: &'static Word, guessed: bool) {
        let mut sections = self.sections.borrow_mut();
        let parent = sections.iter().find(|s| s.keys.iter().any(|k| k.name == key.name));
        let guessed = guessed || parent.is_some_and(|s| s.guessed);
        let at: Arc<str> = format!("{}[{}={}]", parent.map_or("", |s| &*s.at), key.name, word.word).into();
        if sections.iter().all(|s| s.at != at) {
            sections.push(Section { at, keys: word.keys, guessed });
        }
    }

    /// Takes up the keys of a branch, which depends on keys of other tables.
    pub fn branch(&self, name: &str, word: &str) {
        let key = self.key(name);
        if let Some(word) = key.kind.words().iter().find(|w| w.word == word) {
            self.choose(key, word, false);
        }
    }

    /// What `--set` gives the key, and the path by which.
    pub(super) fn overridden(&self, key: &str) -> Option<(String, &'a Value)> {
        let mut paths = self.paths.iter().map(|head| join(head, key));
        paths.find_map(|path| self.reader.overrides.get(&path).map(|value| (path, value)))
    }

    /// True if the file gives the key a word, or leaves it at its default, and `--set` gives another.
    pub(super) fn replaced(&self, key: &Key) -> bool {
        let default = match key.default {
            Default::Word(word) => Some(word),
            _ => None,
        };
        let typed = self.table.and_then(|t| t.get(key.name)).and_then(Item::as_str).or(default);
        let set = self.overridden(key.name).and_then(|(_, value)| value.as_str());
        typed.is_some() && set.is_some() && typed != set
    }

    pub(super) fn get(&self, name: &str) -> Option<Value> {
        self.key(name);
        if let Some((path, value)) = self.overridden(name) {
            self.reader.used_overrides.borrow_mut().insert(path);
            return Some(value.clone());
        }
        match self.table?.get(name)? {
            Item::Value(v) => Some(v.clone()),
            _ => {
                self.fault(name, "is a table where a value is expected", format!("write `{name} = ...`"));
                None
            }
        }
    }

    /// True if the key is there.
    pub fn has(&self, key: &str) -> bool {
        self.key(key);
        self.table.is_some_and(|t| t.contains_key(key)) || self.overridden(key).is_some()
    }

    /// True if the key holds a table, or `--set` reaches inside it; what `--set` puts in its place wins.
    pub fn is_table(&self, key: &str) -> bool {
        if let Some((_, value)) = self.overridden(key) {
            return value.is_inline_table();
        }
        let inside = |p: &String| {
            let head = join(p, key) + ".";
            self.reader.overrides.keys().any(|k| k.starts_with(&head))
        };
        self.table.and_then(|t| t.get(key)).is_some_and(|i| i.is_table_like()) || self.paths.iter().any(inside)
    }

    pub(super) fn child(
        &self,
        key: &Key,
        name: Vec<String>,
        table: Option<&'a dyn TableLike>,
        line: usize,
    ) -> Table<'a> {
        let paths = self.paths.iter().flat_map(|p| {
            let head = join(p, key.name);
            name.iter()
                .map(move |n| if n.is_empty() { head.clone() } else { format!("{head}.{n}") })
                .collect::<Vec<_>>()
        });
        let sections = self.inside(key);
        Table { reader: self.reader, table, paths: paths.collect(), line, sections: RefCell::new(sections) }
    }

    /// The keys of the tables that a key holds.
    pub(super) fn inside(&self, key: &Key) -> Vec<Section> {
        let sections = self.sections.borrow();
        let parent = sections.iter().find(|s| s.keys.iter().any(|k| std::ptr::eq(k, key)));
        let at: Arc<str> = join(parent.map_or("", |s| &*s.at), key.name).into();
        let guessed = parent.is_some_and(|s| s.guessed);
        key.kind.keys().into_iter().map(|keys| Section { at: at.clone(), keys, guessed }).collect()
    }

    /// The fault of a key that should hold a table.
    pub(super) fn not_a_table(&self, key: &Key) {
        let remedy = match key.example {
            "" => format!("write `[{}]`", self.path(key.name)),
            example => format!("write `{} = {example}`, for example", key.name),
        };
        self.fault(key.name, "must be a table", remedy);
    }

    /// A sub-table; empty if it is absent.
    pub fn table(&self, name: &str) -> Table<'a> {
        let key = self.key(name);
        let item = self.table.and_then(|t| t.get(name));
        let table = self.set_table(name).or_else(|| item.and_then(Item::as_table_like));
        if item.is_some() && table.is_none() || self.overridden(name).is_some_and(|(_, v)| !v.is_inline_table()) {
            self.not_a_table(key);
        }
        let line = item.and_then(|i| self.reader.line(i.span())).unwrap_or(self.line);
        self.child(key, vec![String::new()], table, line)
    }

    /// A sub-table, if it is there.
    pub fn table_if(&self, name: &str) -> Option<Table<'a>> {
        if self.is_table(name) {
            return Some(self.table(name));
        }
        if self.has(name) {
            self.not_a_table(self.key(name));
        }
        None
    }

    /// Names that the user chose in the table `name`, in the file or by `--set`, and the table under each.
    pub fn named(&self, name: &str) -> Vec<(String, Table<'a>)> {
        let (key, within) = (self.key(name), self.table(name));
        let each = |chosen: String| {
            let item = within.table.and_then(|t| t.get(&chosen));
            let table = within.set_table(&chosen).or_else(|| item.and_then(Item::as_table_like));
            if table.is_none() && (item.is_some() || within.overridden(&chosen).is_some()) {
                within.fault(&chosen, "must be a table", format!("write `[{}]`", within.path(&chosen)));
            }
            let line = item.and_then(|i| self.reader.line(i.span())).unwrap_or(within.line);
            let child = self.child(key, vec![chosen.clone()], table, line);
            (chosen, child)
        };
        within.keys().into_iter().chain(within.only_set()).map(each).collect()
    }

    /// Keys and tables of this table that `--set` gives and the file does not.
    pub(super) fn only_set(&self) -> BTreeSet<String> {
        let of = |path: &'a String| self.paths.iter().find_map(|head| path.strip_prefix(head)?.strip_prefix('.'));
        let first = |below: &'a str| below.split('.').next().unwrap_or(below).to_owned();
        self.reader.overrides.keys().filter_map(of).map(first).filter(|key| !self.keys().contains(key)).collect()
    }

    /// An array of tables, in either spelling; each also answers to its `name` in `--set`.
    pub fn tables(&self, name: &str) -> Vec<Table<'a>> {
        let key = self.key(name);
        if self.overridden(name).is_some() {
            let there = self.table.is_some_and(|t| t.contains_key(name));
            let remedy = if there { "set the keys of its tables one by one" } else { "add it to the file" };
            self.fault(name, "is a list of tables", remedy);
        }
        let Some(item) = self.table.and_then(|t| t.get(name)) else {
            return vec![];
        };
        let mut list: Vec<(&'a dyn TableLike, Option<usize>)> = vec![];
        if let Some(array) = item.as_array_of_tables() {
            list.extend(array.iter().map(|t| (t as &dyn TableLike, self.reader.line(t.span()))));
        } else if let Some(array) = item.as_array() {
            for value in array {
                match value.as_inline_table() {
                    Some(t) => list.push((t, self.reader.line(value.span()))),
                    None => self.wrong(name, value, "a table"),
                }
            }
        } else {
            self.fault(name, "must be a list of tables", format!("write `[[{}]]`", self.path(name)));
        }
        let each = |(index, (table, line)): (usize, (&'a dyn TableLike, Option<usize>))| {
            let mut names = vec![index.to_string()];
            names.extend(table.get("name").and_then(|n| n.as_str()).map(str::to_owned));
            let set = names.iter().map(|of| format!("{name}.{of}")).find(|path| self.overridden(path).is_some());
            let whole = set.map(|path| {
                let whole = self.set_table(&path);
                if whole.is_none() {
                    self.fault(&path, "must be a table", "write it in braces, or set its keys one by one");
                }
                whole.unwrap_or(table)
            });
            self.child(key, names, Some(whole.unwrap_or(table)), line.unwrap_or(self.line))
        };
        list.into_iter().enumerate().map(each).collect()
    }

    /// Names of the sub-tables and keys present.
    pub fn keys(&self) -> Vec<String> {
        self.table.map_or(vec![], |t| t.iter().map(|(k, _)| k.to_owned()).collect())
    }

    /// Refuses every key that the table does not take, with the nearest one that it takes. Where `--set` has changed a word that
    /// decides which keys there are, those that the file gives the old word stay behind.
    pub fn close(&self) {
        let sections = self.sections.borrow();
        let keys: Vec<&Key> = sections.iter().flat_map(|s| s.keys).collect();
        let names = || keys.iter().filter(|k| !matches!(k.kind, Kind::Branch(_))).map(|k| k.name);
        if !self.reader.overrides.is_empty() {
            self.reader.known.borrow_mut().add(&self.paths, names());
        }
        let foreign = |name: &String| names().all(|known| known != name.as_str());
        for name in self.keys().iter().filter(|name| foreign(name) && self.overridden(name).is_none()) {
            match hints::belongs(&keys, name) {
                Some((key, _)) if self.replaced(key) => self.reader.behind.borrow_mut().push(self.path(name)),
                Some((_, to)) => self.fault(name, format!("belongs to {to}"), "remove it"),
                None => self.fault(name, "unknown key", self.hint(name, names())),
            }
        }
        for name in self.set_here().iter().filter(|name| foreign(name)) {
            if let Some((_, to)) = hints::belongs(&keys, name) {
                self.fault(name, format!("belongs to {to}"), "remove it");
            }
        }
    }

    /// Keys of this table that `--set` gives.
    pub(super) fn set_here(&self) -> BTreeSet<String> {
        let split = |path: &'a String| -> (&'a str, &'a str) { path.rsplit_once('.').unwrap_or(("", path)) };
        let here = self.reader.overrides.keys().map(split).filter(|(head, _)| self.paths.iter().any(|p| p == head));
        here.map(|(_, name)| name.to_owned()).collect()
    }

    /// As [`nearest`]; empty once the list of faults is full.
    pub fn hint<'b>(&self, word: &str, known: impl Iterator<Item = &'b str>) -> String {
        if self.reader.is_full() { String::new() } else { nearest(word, known) }
    }
}
