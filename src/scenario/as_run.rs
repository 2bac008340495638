//! A scenario as it was run, as one text: each `--set` in its place, and other paths where its own counted from a folder.

use super::keys;
use super::parse;
use crate::base::error::{Error, Result};
use crate::base::reader::{Reader, not_toml, typed};
use crate::model::scenario::{Scenario, Source};
use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

/// The text of `scenario`, which was read from `source`; `paths` are keys of files and runs that it names, and where these
/// are instead.
pub fn text(source: &Source, scenario: &Scenario, paths: &[(String, String)]) -> Result<String> {
    let mut document: DocumentMut = source.text.parse().map_err(|e| not_toml(&source.file, &source.text, &e))?;
    let root = document.as_table_mut();
    // before the values that these keys went with are gone
    for key in behind(source)? {
        remove(root, &key);
    }
    // names last: other keys are set by those of the text
    let set = || source.set.iter().filter_map(|set| set.split_once('=')).map(|(key, value)| (key.trim(), value));
    let is_name = |key: &str| key.ends_with(".name");
    for (key, value) in set().filter(|(key, _)| !is_name(key)).chain(set().filter(|(key, _)| is_name(key))) {
        place(root, key, typed(value));
    }
    for (key, path) in paths {
        place(root, key, Value::from(path.as_str()));
    }
    if !root.contains_key("name") {
        // else the name would be that of the new file
        place(root, "name", Value::from(scenario.name.as_str()));
    }
    Ok(document.to_string())
}

/// An error unless one text may hold what `--set` makes of a scenario, so that a run can keep it.
pub fn refuse_untold(scenario: &Scenario) -> Result<()> {
    let Some(source) = scenario.source.as_ref().filter(|source| !source.set.is_empty()) else { return Ok(()) };
    let text = text(source, scenario, &[])?;
    // in any order of what has a name: a text may hold expectations in another one
    let told = |read: Result<Scenario>| {
        let mut read = read.ok()?;
        read.expect.sort_by(|a, b| a.quantity.cmp(&b.quantity));
        serde_json::to_string(&read).ok()
    };
    let alone = told(Source { text, set: vec![], ..source.clone() }.parse(&[]));
    if alone.is_some() && alone == told(source.parse(&source.set)) {
        return Ok(());
    }
    let list = source.set.join(", ");
    Err(Error::Usage(format!(
        "{}: no one file means the same as it does with --set {list}; write these into a copy of it",
        source.file
    )))
}

/// Keys of the text that go with words which `--set` has replaced.
fn behind(source: &Source) -> Result<Vec<String>> {
    let document = toml_edit::Document::parse(source.text.clone());
    let document = document.map_err(|e| not_toml(&source.file, &source.text, &e))?;
    let reader = Reader::new(&source.file, &source.text, &source.set);
    parse::read(&reader.root(&document, keys::KEYS), &source.folder, source.law.as_deref());
    Ok(reader.behind())
}

/// What is left of a path behind one of these names.
fn within<'a>(path: &'a str, name: &str) -> Option<&'a str> {
    path.strip_prefix(name)?.strip_prefix('.')
}

/// The key of a table that a path begins with, the longest if there are several.
fn first(table: &dyn TableLike, path: &str) -> Option<String> {
    let begins = |key: &&str| path == *key || within(path, key).is_some();
    table.iter().map(|(key, _)| key).filter(begins).max_by_key(|key| key.len()).map(str::to_owned)
}

/// The table that a path leads into, of a list or a table alone, with what is left of the path.
fn into<'a>(item: &'a mut Item, path: &'a str) -> Option<(&'a mut dyn TableLike, &'a str)> {
    if item.is_array_of_tables() || item.is_array() {
        return into_list(item, path);
    }
    item.as_table_like_mut().map(|table| (table, path))
}

/// The table of a list that a path leads into, with what is left of the path: nothing if it names the table itself.
fn into_list<'a>(item: &'a mut Item, path: &'a str) -> Option<(&'a mut dyn TableLike, &'a str)> {
    let rest = |index: usize, table: &dyn TableLike| {
        let name = table.get("name").and_then(Item::as_str).map(str::to_owned);
        let behind = |name: &str| if path == name { Some("") } else { within(path, name) };
        behind(&index.to_string()).or_else(|| behind(&name?))
    };
    if item.is_array_of_tables() {
        let mut tables = item.as_array_of_tables_mut()?.iter_mut().enumerate();
        return tables.find_map(|(k, t)| {
            let rest = rest(k, t)?;
            Some((t as &mut dyn TableLike, rest))
        });
    }
    let tables = item.as_array_mut()?.iter_mut().enumerate();
    let mut tables = tables.filter_map(|(k, v)| Some((k, v.as_inline_table_mut()?)));
    tables.find_map(|(k, t)| {
        let rest = rest(k, t)?;
        Some((t as &mut dyn TableLike, rest))
    })
}

/// Puts a table in braces in the place of one in a list.
fn replace(table: &mut dyn TableLike, value: Value) {
    let Value::InlineTable(whole) = value else { return };
    let old: Vec<String> = table.iter().map(|(key, _)| key.to_owned()).collect();
    old.iter().for_each(|key| drop(table.remove(key)));
    whole.into_iter().for_each(|(key, value)| drop(table.insert(&key, Item::Value(value))));
}

/// Gives a key a value; tables on the way are made.
fn place(table: &mut dyn TableLike, path: &str, value: Value) {
    if path.is_empty() {
        return replace(table, value);
    }
    let Some(key) = first(table, path) else {
        let Some((head, rest)) = path.split_once('.') else {
            table.insert(path, Item::Value(value));
            return;
        };
        table.insert(head, Item::Table(Table::new()));
        if let Some(inside) = table.get_mut(head).and_then(Item::as_table_like_mut) {
            place(inside, rest, value);
        }
        return;
    };
    let Some(rest) = within(path, &key) else {
        table.insert(&key, Item::Value(value));
        return;
    };
    let Some(item) = table.get_mut(&key) else { return };
    if let Some((inside, rest)) = into(item, rest) {
        place(inside, rest, value);
    }
}

/// Removes a key.
fn remove(table: &mut dyn TableLike, path: &str) {
    let Some(key) = first(table, path) else { return };
    let Some(rest) = within(path, &key) else {
        table.remove(&key);
        return;
    };
    let Some(item) = table.get_mut(&key) else { return };
    if let Some((inside, rest)) = into(item, rest) {
        remove(inside, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::{place, remove, typed};
    use toml_edit::DocumentMut;

    #[test]
    fn values_go_where_set_means_them() {
        let text = "seed = 1\n[[material]]\nname = \"rock\"\nfriction = 0.1 # of basalt\n[[bodies]]\nshape = { parts = [{ a = 1 }, { a = 2 }] }\n[run]\nx.y = 3\n";
        let mut document: DocumentMut = text.parse().expect("TOML");
        let root = document.as_table_mut();
        for (key, value) in [
            ("seed", "7"),
            ("material.rock.friction", "0.4"),
            ("material.0.density", "2 g/cm^3"),
            ("bodies.0.shape.parts.1.a", "5"),
            ("bodies.0.shape.parts.0", "{ b = 3, c = 4 }"),
            ("run.x.y", "4"),
            ("run.x.z", "{ a = 1 }"),
            ("output.frames", "2"),
        ] {
            place(root, key, typed(value));
        }
        remove(root, "bodies.0.shape.parts.0.c");
        let found: toml::Value = toml::from_str(&document.to_string()).expect("TOML");
        let expected = "seed = 7\n[[material]]\nname = \"rock\"\nfriction = 0.4\ndensity = \"2 g/cm^3\"\n[[bodies]]\nshape.parts = [{ b = 3 }, { a = 5 }]\n[run]\nx.y = 4\nx.z.a = 1\n[output]\nframes = 2\n";
        assert_eq!(found, toml::from_str(expected).expect("TOML"), "{document}");
    }
}
