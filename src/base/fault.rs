//! A fault of a file that a user wrote: where it is, what is wrong, and what to do about it. Faults are written out for
//! people here and nowhere else.

use serde::Serialize;
use std::fmt;
use std::path::Path;

/// One fault. Fields that are not known are `None`, in JSON `null`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// what the fault was found in, such as the case of a campaign
    pub context: Option<String>,
    /// the file as it was named on the command line
    pub file: Option<String>,
    /// line of the file, from 1
    pub line: Option<usize>,
    /// path of the key, such as `material.0.density_kg_m3`, or another spot within the file
    pub key: Option<String>,
    /// true if the value was given by `--set` and not by the file
    pub set: bool,
    /// what is wrong
    pub what: String,
    /// what to do about it, as an instruction
    pub remedy: Option<String>,
}

impl Fault {
    /// A fault without a spot and a remedy.
    pub fn new(what: impl Into<String>) -> Fault {
        Fault { what: what.into(), ..Fault::default() }
    }

    /// The fault with what to do about it; an empty text counts as none.
    pub fn remedy(self, remedy: impl Into<String>) -> Fault {
        let remedy = Some(remedy.into()).filter(|text| !text.is_empty());
        Fault { remedy, ..self }
    }

    /// The fault in this file.
    pub fn file(self, file: impl Into<String>) -> Fault {
        Fault { file: Some(file.into()), ..self }
    }

    /// The fault in the file or folder of this path.
    pub fn path(self, path: impl AsRef<Path>) -> Fault {
        self.file(path.as_ref().display().to_string())
    }

    /// The fault at this line.
    pub fn line(self, line: usize) -> Fault {
        Fault { line: Some(line), ..self }
    }

    /// The fault at this key.
    pub fn key(self, key: impl Into<String>) -> Fault {
        Fault { key: Some(key.into()), ..self }
    }

    /// The fault of a value that `--set` gave.
    pub fn by_set(self) -> Fault {
        Fault { set: true, ..self }
    }

    /// The fault found in this case, step or whatever else the file was read for.
    pub fn context(self, context: impl Into<String>) -> Fault {
        Fault { context: Some(context.into()), ..self }
    }
}

/// `context: file:line: key: what; remedy`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(context) = &self.context {
            write!(f, "{context}: ")?;
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{file}:{line}: ")?,
            (Some(file), None) => write!(f, "{file}: ")?,
            (None, Some(line)) => write!(f, "line {line}: ")?,
            (None, None) => {}
        }
        if let Some(key) = &self.key {
            write!(f, "{}{key}: ", if self.set { "--set " } else { "" })?;
        }
        f.write_str(&self.what)?;
        self.remedy.iter().try_for_each(|remedy| write!(f, "; {remedy}"))
    }
}

/// What kind of error faults are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FaultKind {
    /// what the user wrote is wrong
    #[default]
    Usage,
    /// a file does not hold what it should
    Data,
    /// what the user wants does not fit the device or the machine
    Capacity,
}

/// All faults that were found, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// what kind of error they are
    pub kind: FaultKind,
    /// those that are listed
    pub list: Vec<Fault>,
    /// how many more there are
    pub more: usize,
}

impl Faults {
    /// Faults of what the user wrote.
    pub fn of(list: Vec<Fault>) -> Faults {
        Faults { list, ..Faults::default() }
    }

    /// The same faults of words that were typed, which have no file and no lines.
    pub fn of_words(self) -> Faults {
        let bare = |fault| Fault { file: None, line: None, ..fault };
        Faults { list: self.list.into_iter().map(bare).collect(), ..self }
    }
}

/// One line a fault.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (k, fault) in self.list.iter().enumerate() {
            write!(f, "{}{fault}", if k > 0 { "\n" } else { "" })?;
        }
        if self.more > 0 {
            write!(f, "\nand {} more faults", self.more)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_written_with_all_that_is_known() {
        let fault = Fault::new("must be above 0").file("a.toml").line(3).key("run.duration_s").remedy("raise it");
        assert_eq!(fault.to_string(), "a.toml:3: run.duration_s: must be above 0; raise it");
        assert_eq!(Fault::new("is empty").file("a.toml").remedy("").to_string(), "a.toml: is empty");
        assert_eq!(Fault::new("x").file("a.toml").key("seed").by_set().to_string(), "a.toml: --set seed: x");
        let faults = Faults { more: 2, ..Faults::of(vec![fault.clone(), fault]) };
        assert_eq!(faults.to_string().lines().count(), 3);
    }
}
