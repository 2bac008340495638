//! Lines of tables of text that name the columns.

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
    let above = (1..).zip(text.lines()).take_while(|(_, line)| line.trim().is_empty() || line.starts_with('#'));
    above.map(|(k, line)| (k, line.trim_start_matches('#'))).find_map(|(k, line)| Some((k, names(line, &known)?)))
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
