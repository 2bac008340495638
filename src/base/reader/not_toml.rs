//! Faults of a text that is not TOML.

use super::join;
use crate::base::fault::Fault;
use toml_edit::TomlError;

/// The fault of a text that is not TOML.
pub(crate) fn not_toml(file: &str, text: &str, error: &TomlError) -> Fault {
    let line = error.span().map_or(1, |s| 1 + text[..s.start.min(text.len())].matches('\n').count());
    let twice = (error.message() == "duplicate key").then(|| given_twice(text, line)).flatten();
    twice.unwrap_or_else(|| Fault::new(error.message())).file(file).line(line)
}

/// The fault of a key or table of line number `line` that a line above has too.
fn given_twice(text: &str, line: usize) -> Option<Fault> {
    let lines: Vec<&str> = text.lines().take(line).map(str::trim).collect();
    let (last, above) = lines.split_last()?;
    let header = |l: &str| l.trim_start_matches('[').split(']').next().map(|name| name.trim().to_owned());
    let table = |l: &str| if l.starts_with('[') { header(l) } else { None };
    let of_line = |l: &str| l.split('=').next().map(|key| key.trim().to_owned());
    let (name, before) = match table(last) {
        Some(name) => (name.clone(), above.iter().rposition(|l| table(l).as_ref() == Some(&name))),
        None => {
            let key = of_line(last)?;
            let first = above.iter().rposition(|l| l.starts_with('[')).map_or(0, |k| k + 1);
            let within = above[..first].last().and_then(|l| table(l));
            let same = |l: &&str| of_line(l).as_ref() == Some(&key);
            let before = above[first..].iter().rposition(same).map(|k| first + k);
            (join(within.as_deref().unwrap_or_default(), &key), before)
        }
    };
    let what = format!("is in line {} already", before? + 1);
    Some(Fault::new(what).key(name).remedy("remove one of the two"))
}
