//! Lines of numbers, as tables and lists of points have them.

use glam::DVec3;

/// Lines that hold something, with their numbers from 1; commas count as blanks.
pub(super) fn rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.trim_start_matches('\u{feff}').lines()).filter(|(_, l)| !l.trim().is_empty())
}

/// The words of a line.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty())
}

/// The first three of the words as a point, if they are finite numbers.
pub(super) fn point<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<DVec3> {
    let mut next = || words.next()?.parse().ok().filter(|x: &f64| x.is_finite());
    Some(DVec3::new(next()?, next()?, next()?))
}

/// All words of a line as whole numbers from 0 on, if they are, and at most four.
pub(super) fn counts(line: &str) -> Option<Vec<u64>> {
    let numbers: Option<Vec<u64>> = words(line).take(5).map(|w| w.parse().ok()).collect();
    numbers.filter(|n| n.len() <= 4)
}
