//! Lines of tables of text that name the columns.

use super::fault::Fault;

/// Known names that make a comment a line of names.
const NAMED_LEAST: usize = 2;

/// The cells of a line, without the quotes around them.
pub(crate) fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|c| c.trim().trim_matches('"').trim())
}

/// True of a cell that may name a column; `nan` and `inf` are numbers.
pub(crate) fn is_name(cell: &str) -> bool {
    cell.starts_with(char::is_alphabetic) && cell.parse::<f64>().is_err()
}

/// The first line of names among the comments above the rows of a table, by its number, as numpy.savetxt writes it behind a
/// `#`: single words with commas between them, with a unit in brackets or without, several of them `known`, or words with
/// blanks between them, all of them `known`. Other comments are prose.
pub(crate) fn names_in_comment(text: &str, known: impl Fn(&str) -> bool) -> Option<(usize, Vec<&str>)> {
    above(text).find_map(|(k, line)| Some((k, names(line, &known)?)))
}

/// Comments above the rows, by their numbers, without their `#`.
fn above(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines()).take_while(|(_, line)| line.trim().is_empty() || line.starts_with('#'));
    lines.map(|(k, line)| (k, line.trim_start_matches('#')))
}

/// Lengths other than metres, as comments write them: words of any case, units as they are.
const LENGTH_WORDS: [&str; 21] = [
    "kilometre",
    "kilometres",
    "kilometer",
    "kilometers",
    "centimetre",
    "centimetres",
    "centimeter",
    "centimeters",
    "millimetre",
    "millimetres",
    "millimeter",
    "millimeters",
    "micron",
    "microns",
    "feet",
    "foot",
    "inches",
    "inch",
    "miles",
    "mile",
    "parsecs",
];
const LENGTH_UNITS: [&str; 8] = ["km", "Km", "KM", "cm", "mm", "ft", "AU", "pc"];
/// Units that are words of some language too: they count behind a bracket, a slash, a `_` or "in ".
const LENGTH_MAYBE: [&str; 5] = ["um", "mi", "au", "in", "CM"];

/// The length in a comment that is not the metre, if there is one. One behind a number, as in "to 1 mm", is not that of the rows.
fn other_length(line: &str) -> Option<&str> {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let starts = line.char_indices().filter(|(at, c)| is_letter(*c) && !line[..*at].ends_with(is_letter));
    let words = starts.map(|(at, _)| (&line[..at], line[at..].split(|c| !is_letter(c)).next().unwrap_or_default()));
    let told = |(before, word): &(&str, &str)| {
        let counted = before.trim_end().ends_with(|c: char| c.is_ascii_digit()) && !before.ends_with('_');
        let marked = before.ends_with(['[', '(', '/', '_']) || before.ends_with("in ");
        let known = LENGTH_UNITS.contains(word) || LENGTH_WORDS.contains(&word.to_lowercase().as_str());
        !counted && (known || marked && LENGTH_MAYBE.contains(word))
    };
    words.into_iter().find(told).map(|(_, word)| word)
}

/// The fault of a comment above the rows that may change what they mean, and would be lost if it were passed over: one with a length
/// that is not the metre, where the line of `names` has no units or there is none, or without such a line one that looks like it,
/// of as many single words as a row has `columns`.
pub(crate) fn unread(
    text: &str,
    names: Option<&[&str]>,
    columns: usize,
    known: impl Fn(&str) -> bool,
) -> Option<Box<Fault>> {
    if names.is_some_and(|names| names.iter().any(|name| name.contains(['_', '[', '(']))) {
        return None;
    }
    let unit = |line: &str| Some(format!("the comment speaks of `{}`", other_length(line)?));
    let like_names = |line: &str| {
        let looks = names.is_none() && looks_like_names(line, columns, &known);
        looks.then(|| format!("the comment `{}` looks like names of columns", line.trim()))
    };
    let first = |has: &dyn Fn(&str) -> Option<String>| above(text).find_map(|(k, line)| Some((k, has(line)?)));
    let (line, what) = first(&unit).or_else(|| first(&like_names))?;
    let remedy = "write the names above the rows as in `x_km,y_km,z_km`, each with its unit, or reword the comment if the numbers are in metres";
    Some(Box::new(Fault::new(what).remedy(remedy).line(line)))
}

fn looks_like_names(line: &str, columns: usize, known: impl Fn(&str) -> bool) -> bool {
    let cells: Vec<_> = cells(line).collect();
    let blank: Vec<_> = line.split_whitespace().collect();
    let is_one = |cell: &&str| is_name(cell) && !cell.contains(char::is_whitespace);
    let known_but_for_case = blank.iter().filter(|word| known(&word.to_lowercase())).count();
    cells.len() == columns && cells.iter().all(is_one) || blank.len() == columns && known_but_for_case >= NAMED_LEAST
}

/// Gives the names that a line holds, or `None` where it is prose.
fn names(line: &str, known: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let words: Vec<_> = line.split_whitespace().collect();
    if words.len() >= NAMED_LEAST && words.iter().all(|word| known(word)) {
        return Some(words);
    }
    let is_word = |cell: &&str| !cell.split(['[', '(']).next().unwrap_or_default().trim().contains(char::is_whitespace);
    let cells: Vec<_> = cells(line).collect();
    let several = cells.iter().filter(|cell| known(cell)).count() >= NAMED_LEAST;
    (several && cells.iter().all(is_word)).then_some(cells)
}
