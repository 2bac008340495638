//! Lists, and whole tables of keys that only their user knows.

use super::{Dimension, Table};
use toml_edit::{Item, Value};

impl Table<'_> {
    /// All values of the table but `but`, those of tables within it by dotted keys, in the order of the file.
    pub fn flat(&self, but: &[&str]) -> Vec<(String, Value)> {
        let mut list = vec![];
        for key in self.keys().into_iter().filter(|k| !but.contains(&k.as_str())) {
            self.asked.borrow_mut().insert(key.clone());
            if let Some(item) = self.table.and_then(|t| t.get(&key)) {
                self.flatten(&key, item, &mut list);
            }
        }
        list
    }

    fn flatten(&self, key: &str, item: &Item, list: &mut Vec<(String, Value)>) {
        match (item.as_table_like(), item) {
            (Some(table), _) => table.iter().for_each(|(k, i)| self.flatten(&format!("{key}.{k}"), i, list)),
            (None, Item::Value(value)) => list.push((key.to_owned(), value.clone())),
            _ => self.fault(key, "is a list of tables; values are wanted"),
        }
    }

    /// A list of strings; none if the key is not there.
    pub fn texts(&self, key: &str) -> Option<Vec<String>> {
        let (value, _) = self.get(key)?;
        let list = value.as_array().and_then(|a| a.iter().map(|v| v.as_str().map(str::to_owned)).collect());
        if list.is_none() {
            self.fault(key, format!("{} is no list of strings", value.to_string().trim()));
        }
        list
    }

    /// A list of pairs of numbers; empty if the key is not there.
    pub fn pairs(&self, key: &str) -> Vec<[f64; 2]> {
        let Some((value, _)) = self.get(key) else { return vec![] };
        let number = |v: &Value| self.convert(v, Dimension::Pure).ok();
        let pair = |v: &Value| match v.as_array()?.iter().map(number).collect::<Vec<_>>()[..] {
            [Some(x), Some(y)] => Some([x, y]),
            _ => None,
        };
        let list = value.as_array().and_then(|a| a.iter().map(pair).collect::<Option<Vec<_>>>());
        list.unwrap_or_else(|| {
            self.fault(key, "is no list of pairs of numbers; write [[x, y], [x, y], ...]");
            vec![]
        })
    }
}
