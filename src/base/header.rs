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
/// `#`. Its cells are single words, with a unit in brackets or without; several of them are `known`. Other comments are prose.
pub(crate) fn names_in_comment(text: &str, known: impl Fn(&str) -> bool) -> Option<(usize, Vec<&str>)> {
    let above = (1..).zip(text.lines()).take_while(|(_, line)| line.trim().is_empty() || line.starts_with('#'));
    let mut lines = above.map(|(number, line)| (number, cells(line.trim_start_matches('#')).collect::<Vec<_>>()));
    let is_word = |cell: &str| !cell.split(['[', '(']).next().unwrap_or_default().trim().contains(char::is_whitespace);
    lines.find(|(_, cells)| {
        cells.iter().all(|cell| is_word(cell)) && cells.iter().filter(|cell| known(cell)).count() >= NAMED_LEAST
    })
}
