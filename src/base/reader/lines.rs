//! Lines of all keys of a document, for faults that are found after it was read.

use super::{Table, join};
use std::collections::BTreeMap;
use toml_edit::{Item, TableLike};

/// Longest list whose entries are noted one by one; bodies of a list may be hundreds of thousands.
const LIST_MAX: usize = 1000;

impl Table<'_> {
    /// Line of each key below this table; entries of a list answer to their number and to their name.
    pub fn lines(&self) -> BTreeMap<String, usize> {
        let mut lines = BTreeMap::new();
        if let Some(table) = self.table {
            self.note_lines("", table, &mut lines);
        }
        lines
    }

    /// Keys that `--set` gives.
    pub fn overrides(&self) -> impl Iterator<Item = &String> {
        self.reader.overrides.keys()
    }

    fn note_lines(&self, at: &str, table: &dyn TableLike, lines: &mut BTreeMap<String, usize>) {
        for (key, item) in table.iter() {
            let path = join(at, key);
            let span = item.span().or_else(|| table.get_key_value(key).and_then(|(k, _)| k.span()));
            lines.extend(self.reader.line(span).map(|line| (path.clone(), line)));
            if let Some(inner) = item.as_table_like() {
                self.note_lines(&path, inner, lines);
            }
            for (k, (inner, span)) in entries(item).into_iter().enumerate() {
                let name = inner.get("name").and_then(|n| n.as_str()).map(str::to_owned);
                for name in std::iter::once(k.to_string()).chain(name) {
                    let path = join(&path, &name);
                    lines.extend(self.reader.line(span.clone()).map(|line| (path.clone(), line)));
                    self.note_lines(&path, inner, lines);
                }
            }
        }
    }
}

/// The tables of a list and their spans.
fn entries(item: &Item) -> Vec<(&dyn TableLike, Option<std::ops::Range<usize>>)> {
    if let Some(tables) = item.as_array_of_tables() {
        return tables.iter().take(LIST_MAX).map(|t| (t as &dyn TableLike, t.span())).collect();
    }
    let inline = |v| {
        let value: &toml_edit::Value = v;
        value.as_inline_table().map(|t| (t as &dyn TableLike, value.span()))
    };
    item.as_array().map_or(vec![], |a| a.iter().take(LIST_MAX).filter_map(inline).collect())
}
