//! What an unknown word probably was meant to be.

use super::join;
use super::key::{Key, Kind};

/// Longest word that is compared with known ones (bytes).
const NAME_MAX: usize = 200;
/// Likeness from which a word is offered.
const LIKE: f64 = 0.75;
/// Letters from which a word is taken for the beginning of others.
const LETTERS_MIN: usize = 3;
/// Words that are offered at once, at most.
const OFFERED_MAX: usize = 4;

/// Paths of keys that `--set` may name, as far as tables were read.
#[derive(Default)]
pub(super) struct Known(Vec<String>);

impl Known {
    /// Takes up the keys of a table; the last of its paths has names instead of numbers.
    pub(super) fn add<'b>(&mut self, paths: &[String], keys: impl Iterator<Item = &'b str>) {
        let Some(path) = paths.last() else { return };
        self.0.extend(keys.map(|key| join(path, key)));
    }

    /// Whether it is one of them.
    pub(super) fn has(&self, path: &str) -> bool {
        self.0.iter().any(|known| known == path)
    }

    /// The key that a path is nearest to.
    pub(super) fn nearest(&self, path: &str) -> String {
        if let Some(offered) = begun(path, self.0.iter().map(String::as_str)) {
            return offered;
        }
        match closest(path, self.0.iter().map(String::as_str)) {
            Some((_, known)) if path.strip_prefix(known).is_some_and(|below| below.starts_with('.')) => {
                let below = |path: &String| {
                    path.strip_prefix(known)
                        .and_then(|p| p.strip_prefix('.')?.chars().next())
                        .is_some_and(|c| !c.is_ascii_digit())
                };
                if self.0.iter().any(below) {
                    return format!("`{known}` has no such key or entry here; `breccia scenarios keys` lists all keys");
                }
                format!("`{known}` has no such entry in this file; add the entry to the file")
            }
            Some((likeness, known)) if likeness > LIKE => format!("did you mean `{known}`?"),
            _ => "`breccia scenarios keys` lists all keys".into(),
        }
    }
}

/// The known words that begin with this one, if they are few.
fn begun<'b>(word: &str, known: impl Iterator<Item = &'b str>) -> Option<String> {
    let long = word.rsplit('.').next().is_some_and(|last| last.len() >= LETTERS_MIN);
    let goes_on = |k: &&str| k.strip_prefix(word).is_some_and(|rest| !rest.is_empty() && !rest.starts_with('.'));
    let offered: Vec<String> = known.filter(goes_on).map(|k| format!("`{k}`")).collect();
    let (last, others) = offered.split_last()?;
    let others = if others.is_empty() { String::new() } else { others.join(", ") + " or " };
    (long && offered.len() <= OFFERED_MAX).then(|| format!("did you mean {others}{last}?"))
}

/// The likeliest of the known words, with its likeness from 0 to 1.
pub(super) fn closest<'b>(word: &str, known: impl Iterator<Item = &'b str>) -> Option<(f64, &'b str)> {
    // beyond the length of any name nothing is alike, and the comparison takes the product of both lengths
    let likeness = |k: &str| if word.len() > NAME_MAX { 0.0 } else { strsim::jaro_winkler(word, k) };
    known.map(|k| (likeness(k), k)).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// What to write instead of an unknown word: the nearest known one, or the list of them; empty if there are none.
pub(crate) fn nearest<'b>(word: &str, known: impl Iterator<Item = &'b str>) -> String {
    let known: Vec<&str> = known.collect();
    if let Some(offered) = begun(word, known.iter().copied()) {
        return offered;
    }
    match closest(word, known.iter().copied()) {
        Some((score, name)) if score > LIKE => format!("did you mean `{name}`?"),
        _ if known.is_empty() => String::new(),
        _ => format!("choose one of: {}", known.join(", ")),
    }
}

/// The key whose other words have a key of this name, and those words: `generator = "lattice"`.
pub(super) fn belongs<'b>(keys: &[&'b Key], name: &str) -> Option<(&'b Key, String)> {
    let of = |key: &&'b Key| {
        let words: Vec<&str> =
            key.kind.words().iter().filter(|w| w.keys.iter().any(|k| k.name == name)).map(|w| w.word).collect();
        if words.is_empty() {
            return None;
        }
        let text = match key.kind {
            Kind::Branch(_) => words.join(" or "),
            _ => {
                format!("{} = {}", key.name, words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" or "))
            }
        };
        Some((*key, text))
    };
    keys.iter().find_map(of)
}
