//! The line of a key, for faults that are found after a file was read.

use toml_edit::{Document, Item, TableLike, Value};

/// Line, from 1, of the key at this path, or of the nearest table around it. Tables of a list answer to their number and to
/// their name.
pub(crate) fn line_of(text: &str, path: &str) -> Option<usize> {
    let document = Document::parse(text.to_owned()).ok()?;
    let span = find(document.as_table(), path)?;
    Some(1 + text[..span.start.min(text.len())].matches('\n').count())
}

type Span = std::ops::Range<usize>;

fn find(table: &dyn TableLike, path: &str) -> Option<Span> {
    let (head, rest) = path.split_once('.').unwrap_or((path, ""));
    let (key, item) = table.get_key_value(head)?;
    let here = item.span().or_else(|| key.span());
    if let Some(inner) = item.as_table_like() {
        return find(inner, rest).or(here);
    }
    let (index, rest) = rest.split_once('.').unwrap_or((rest, ""));
    match entry(item, index) {
        Some((inner, span)) => find(inner, rest).or(span).or(here),
        None => here,
    }
}

/// The table of this number or name in a list of tables.
fn entry<'a>(item: &'a Item, index: &str) -> Option<(&'a dyn TableLike, Option<Span>)> {
    let is_meant = |(k, table): (usize, &dyn TableLike)| {
        k.to_string() == index || table.get("name").and_then(Item::as_str) == Some(index)
    };
    if let Some(tables) = item.as_array_of_tables() {
        let found = tables.iter().enumerate().find(|(k, t)| is_meant((*k, *t)))?.1;
        return Some((found, found.span()));
    }
    let tables = item.as_array()?.iter().enumerate();
    let found = |(k, value): (usize, &'a Value)| Some((k, value.as_inline_table()?, value.span()));
    let (_, table, span) = tables.filter_map(found).find(|(k, t, _)| is_meant((*k, *t)))?;
    Some((table, span))
}

#[cfg(test)]
mod tests {
    use super::line_of;

    #[test]
    fn a_key_that_the_file_lacks_is_found_at_its_table() {
        let text = "format = 1\n[run]\nduration_s = 2\n[[wall]]\nname = \"floor\"\n[[wall]]\nname = \"lid\"\nkind = \"plane\"\n";
        let at = |path: &str| line_of(text, path);
        assert_eq!(at("run.duration_s"), Some(3));
        assert_eq!(at("run.time_step_s"), Some(2));
        assert_eq!(at("wall.1.kind"), Some(8));
        assert_eq!(at("wall.lid.kind"), Some(8));
        assert_eq!(at("wall.floor.kind"), Some(4));
        assert_eq!(at("bodies.0.count"), None);
    }
}
