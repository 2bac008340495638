//! Where a scenario was read, so that faults that are found later name the file and the line of their key too.

use crate::base::fault::Fault;
use std::collections::{BTreeMap, BTreeSet};

/// The file of a scenario and the lines of its keys.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    /// as it was named; empty of a scenario that was built in code
    pub file: String,
    /// line of each key, by its path with numbers and by its path with names
    pub lines: BTreeMap<String, usize>,
    /// keys that `--set` gave
    pub set: BTreeSet<String>,
}

impl Origin {
    /// A fault of a key; its line is that of the key, or of the nearest table around it that the file has.
    pub fn fault(&self, key: &str, what: impl Into<String>, remedy: impl Into<String>) -> Fault {
        let fault = Fault::new(what).remedy(remedy);
        let fault = if key.is_empty() { fault } else { fault.key(key) };
        let fault = if self.file.is_empty() { fault } else { fault.file(&self.file) };
        if self.set.contains(key) {
            return fault.by_set();
        }
        let mut around = std::iter::successors(Some(key), |path| Some(path.rsplit_once('.')?.0));
        match around.find_map(|path| self.lines.get(path)) {
            Some(line) => fault.line(*line),
            None => fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_the_file_lacks_is_found_at_its_table() {
        let lines = BTreeMap::from([("run".to_owned(), 2), ("run.duration_s".to_owned(), 3)]);
        let origin = Origin { file: "a.toml".into(), lines, set: BTreeSet::from(["seed".to_owned()]) };
        let place = |key: &str| origin.fault(key, "x", "").to_string();
        assert_eq!(place("run.duration_s"), "a.toml:3: run.duration_s: x");
        assert_eq!(place("run.time_step_s"), "a.toml:2: run.time_step_s: x");
        assert_eq!(place("bodies"), "a.toml: bodies: x");
        assert_eq!(place("seed"), "a.toml: --set seed: x");
    }
}
