//! Words of a command line, for people to copy.

use std::path::Path;

/// A word as a shell takes it for one.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/+-:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A path as a shell takes it for one word.
pub fn path(path: &Path) -> String {
    quoted(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn blanks_and_quotes_stay_in_one_word() {
        assert_eq!(
            ["runs/a-1.b", "", "a b", "it's", "$(x)"].map(quoted),
            ["runs/a-1.b", "''", "'a b'", "'it'\\''s'", "'$(x)'"]
        );
    }
}
