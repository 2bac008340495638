//! Lists, and whole tables of keys that only their user knows.

use super::key::{Bounds, Kind};
use super::{Table, join};
use crate::base::quantity::Dimension;
use glam::DVec3;
use toml_edit::{Item, Value};

impl Table<'_> {
    /// All values of the table that are not its own keys, those of tables within it by dotted keys, in the order of the
    /// file. A table in braces is a value, and a list of tables is one in either spelling.
    pub fn settings(&self) -> Vec<(String, Value)> {
        let mut list = vec![];
        for key in self.keys() {
            let own = self.sections.borrow().iter().any(|s| s.keys.iter().any(|k| k.name == key));
            if let Some(item) = self.table.filter(|_| !own).and_then(|t| t.get(&key)) {
                self.flatten(&key, item, &mut list);
            }
        }
        list
    }

    fn flatten(&self, key: &str, item: &Item, list: &mut Vec<(String, Value)>) {
        let whole = item.as_inline_table().is_some_and(|table| !table.is_dotted());
        match (item.as_table_like().filter(|_| !whole), item) {
            (Some(table), _) => table.iter().for_each(|(k, i)| self.flatten(&join(key, k), i, list)),
            (None, item) => list.extend(item.clone().into_value().ok().map(|value| (key.to_owned(), value))),
        }
    }

    /// A list that must be there, each item converted; a fault says what it is not.
    fn list<T>(&self, name: &str, what: &str, item: impl Fn(&Value) -> Option<T>) -> Vec<T> {
        let Some(value) = self.get(name) else {
            if !self.has(name) {
                self.missing(name);
            }
            return vec![];
        };
        let list = value.as_array().and_then(|a| a.iter().map(item).collect::<Option<Vec<T>>>());
        list.unwrap_or_else(|| {
            self.wrong(name, &value, what);
            vec![]
        })
    }

    /// A list of strings; none if the key is not there.
    pub fn texts(&self, name: &str) -> Option<Vec<String>> {
        self.has(name).then(|| self.list(name, "a list of strings", |v| v.as_str().map(str::to_owned)))
    }

    /// A list of pairs of numbers, which must be there.
    pub fn pairs(&self, name: &str) -> Vec<[f64; 2]> {
        self.list(name, "a list of pairs of numbers", |v| numbers(v, Dimension::Pure)?.try_into().ok())
    }

    /// A list of points, which must be there.
    pub fn points(&self, name: &str) -> Vec<DVec3> {
        let dimension = self.key(name).kind.dimension().unwrap_or(Dimension::Pure);
        let three = |v: &Value| v.as_array().filter(|list| list.len() == 3).cloned();
        let points = self.list(name, "a list of points [x, y, z]", three);
        let number = |v: &Value| self.number(name, v, dimension, Bounds::Any);
        let point = |list: &toml_edit::Array| {
            let list: Option<Vec<f64>> = list.iter().map(number).collect();
            list?.try_into().ok().map(DVec3::from_array)
        };
        points.iter().map_while(point).collect()
    }

    /// A list of numbers, which must be there.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        let dimension = self.key(name).kind.dimension().unwrap_or(Dimension::Pure);
        let values = self.list(name, "a list of numbers", |v| Some(v.clone()));
        let list: Option<Vec<f64>> = values.iter().map(|v| self.number(name, v, dimension, Bounds::Any)).collect();
        list.unwrap_or_default()
    }

    /// A positive number, or a list of them, at least one; none stands for the word that the key takes in place of a number.
    pub fn numbers_or(&self, name: &str) -> Vec<Option<f64>> {
        let key = self.key(name);
        let (Some(value), Kind::NumbersOr(dimension, word)) = (self.get(name), key.kind) else { return vec![] };
        let given: Vec<&Value> = value.as_array().map_or(vec![&value], |list| list.iter().collect());
        if given.is_empty() {
            self.fault(name, "is an empty list", format!("write `{name} = {}`, for example", key.example));
        }
        let one = |v: &&Value| match v.as_str() {
            Some(text) if text == word => Some(None),
            _ => self.number(name, v, dimension, Bounds::Positive).map(Some),
        };
        given.iter().filter_map(one).collect()
    }
}

fn numbers(list: &Value, dimension: Dimension) -> Option<Vec<f64>> {
    list.as_array()?.iter().map(|v| super::values::convert(v, dimension).ok()).collect()
}
