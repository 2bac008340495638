//! The table of keys as a page of Markdown.

use super::join;
use super::key::{Bounds, Default, Key, Kind, Word};
use crate::base::readable;
use std::fmt::Write;

/// A table of keys that is still to be printed.
struct Part {
    /// path of the table; empty at the root
    path: String,
    /// as it is typed: `[run]`, `[[bodies]]`, `bodies.shape = { ... }`
    title: String,
    says: &'static str,
    keys: &'static [Key],
}

/// The reference of all keys: a table a section, in the order of the keys.
pub(crate) fn markdown(keys: &'static [Key]) -> String {
    let mut text = String::new();
    let mut parts = vec![Part { path: String::new(), title: "At the top of the file".into(), says: "", keys }];
    let mut printed = vec![];
    while !parts.is_empty() {
        let part = parts.remove(0);
        let mut inner = vec![];
        let section = section(&part, &mut inner);
        // keys that several words share are printed once
        if !printed.contains(&section) {
            text += &section;
            printed.push(section);
        }
        inner.append(&mut parts);
        parts = inner;
    }
    text.trim_end().to_owned() + "\n"
}

/// One section; tables within it are put into `inner`.
fn section(part: &Part, inner: &mut Vec<Part>) -> String {
    let mut text = format!("### {}\n\n", part.title);
    if !part.says.is_empty() {
        let _ = writeln!(text, "{}.\n", sentence(part.says));
    }
    rows(part, part.keys, inner, &mut text);
    words(part, part.keys, inner, &mut text);
    text
}

/// The table of keys themselves.
fn rows(part: &Part, keys: &'static [Key], inner: &mut Vec<Part>, text: &mut String) {
    let plain: Vec<&Key> = keys.iter().filter(|k| !matches!(k.kind, Kind::Branch(_)) && !is_part(k)).collect();
    if !plain.is_empty() {
        *text += "| key | value | default | meaning | example |\n| --- | --- | --- | --- | --- |\n";
        for key in plain {
            let cells = [value(&key.kind), default(key.default), sentence(key.says) + ".", code(key.example)];
            let _ = writeln!(text, "| `{}` | {} |", key.name, cells.join(" | "));
        }
        text.push('\n');
    }
    for key in keys {
        inner.extend(key.kind.each().iter().flat_map(|kind| of_kind(part, key, kind)));
    }
}

/// What the words of choices mean, and the keys that come with them.
fn words(part: &Part, keys: &'static [Key], inner: &mut Vec<Part>, text: &mut String) {
    for key in keys {
        let words = key.kind.words();
        let list: Vec<String> = words.iter().map(|w| format!("- {}: {}.\n", typed(key, w), w.says)).collect();
        if words.len() > 1 && !matches!(key.kind, Kind::Branch(_)) {
            let _ = writeln!(text, "{}", list.concat());
        }
        for word in words.iter().filter(|w| !w.keys.is_empty()) {
            let _ = writeln!(text, "With {}:\n", typed(key, word));
            rows(part, word.keys, inner, text);
            self::words(part, word.keys, inner, text);
        }
    }
}

fn typed(key: &Key, word: &Word) -> String {
    match key.kind {
        Kind::Branch(_) => format!("`{}`", word.word),
        _ => format!("`{} = \"{}\"`", key.name, word.word),
    }
}

/// True of keys that are sections alone, without a row of their own.
fn is_part(key: &Key) -> bool {
    matches!(key.kind, Kind::Table(_) | Kind::Tables(_) | Kind::Named(_)) && key.example.is_empty()
}

/// The section of a table that a key holds.
fn of_kind(part: &Part, key: &Key, kind: &Kind) -> Option<Part> {
    let path = join(&part.path, key.name);
    let inline = !key.example.is_empty();
    let (keys, title) = match kind {
        Kind::Table(keys) if inline => (*keys, format!("`{path} = {{ ... }}`")),
        Kind::Table(keys) => (*keys, format!("`[{path}]`")),
        Kind::Tables(keys) if inline => (*keys, format!("`{path} = [{{ ... }}, ...]`")),
        Kind::Tables(keys) | Kind::SettingsWith(keys) => (*keys, format!("`[[{path}]]`")),
        Kind::Named(keys) => (*keys, format!("`[{path}.NAME]`")),
        _ => return None,
    };
    Some(Part { path, title, says: key.says, keys })
}

/// What a key holds, for people.
fn value(kind: &Kind) -> String {
    let each = |kind: &Kind| match kind {
        Kind::Number(dimension, bounds) => ["number", dimension.unit(), &limits(*bounds)]
            .iter()
            .filter(|t| !t.is_empty())
            .map(|t| (*t).to_owned())
            .collect::<Vec<_>>()
            .join(", "),
        Kind::Count(least, u64::MAX) => format!("whole number from {least}"),
        Kind::Count(least, most) => format!("whole number, {least} to {}", readable::whole(*most)),
        Kind::Flag => "`true` or `false`".into(),
        Kind::Text => "string".into(),
        Kind::Name => "name".into(),
        Kind::Choice(words) => words.iter().map(|w| code(&format!("\"{}\"", w.word))).collect::<Vec<_>>().join(", "),
        Kind::Vector(dimension) => with_unit("three numbers", dimension.unit()),
        Kind::Points(dimension) => with_unit("list of points", dimension.unit()),
        Kind::Numbers(dimension) => with_unit("list of numbers", dimension.unit()),
        Kind::NumbersOr(dimension, word) => {
            with_unit("number", dimension.unit()) + &format!(", above 0, or `\"{word}\"`; or a list of these")
        }
        Kind::Pairs => "list of pairs of numbers".into(),
        Kind::Texts => "list of strings".into(),
        Kind::Table(_) | Kind::Named(_) => "table".into(),
        Kind::Tables(_) | Kind::SettingsWith(_) => "list of tables".into(),
        Kind::Settings => "keys of the scenario".into(),
        Kind::Either(_) | Kind::Branch(_) => String::new(),
    };
    let mut texts: Vec<String> = kind.each().iter().map(each).collect();
    texts.dedup();
    texts.join("; or ")
}

fn with_unit(what: &str, unit: &str) -> String {
    if unit.is_empty() { what.to_owned() } else { format!("{what}, {unit}") }
}

fn limits(bounds: Bounds) -> String {
    let shown = readable::number;
    match bounds {
        Bounds::Any => String::new(),
        Bounds::Positive => "above 0".into(),
        Bounds::NotNegative => "0 or more".into(),
        Bounds::Within(low, high) => format!("{} to {}", shown(low), shown(high)),
        Bounds::UpTo(high) => format!("above 0, up to {}", shown(high)),
    }
}

fn default(default: Default) -> String {
    match default {
        Default::Required => "required".into(),
        Default::Number(number) => readable::number(number),
        Default::Count(count) => readable::whole(count),
        Default::Flag(flag) => code(&flag.to_string()),
        Default::Word(word) => code(&format!("\"{word}\"")),
        Default::Zero => "`[0, 0, 0]`".into(),
        Default::Says(text) => text.into(),
    }
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{text}`") }
}

/// The text with a capital, unless a symbol such as `k_N` begins it.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let word = text.chars().nth(1).is_some_and(char::is_alphabetic) || text.starts_with("a ");
    letters.next().filter(|_| word).map_or(text.to_owned(), |first| first.to_uppercase().chain(letters).collect())
}
