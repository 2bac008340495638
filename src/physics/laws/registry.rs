//! The one list of contact laws; a new law is a line here. Laws of the user's own are found here too.

use super::{BuiltIn, Entry, Law, hertz_mindlin, hysteretic, linear_spring_dashpot, own};
use crate::model::method::LawName;

/// All laws of this program; the first is the default.
pub const LAWS: &[Entry] = &[linear_spring_dashpot::ENTRY, hysteretic::ENTRY, hertz_mindlin::ENTRY];

/// All laws of this program.
pub fn all() -> impl Iterator<Item = &'static dyn BuiltIn> {
    LAWS.iter().map(|entry| entry.law)
}

/// The law that a scenario names.
pub fn of(name: &LawName) -> &'static dyn Law {
    // only laws of the list and files that were read make names
    let found = match name {
        LawName::BuiltIn(name) => entry(name).map(|entry| entry.law as &dyn Law),
        LawName::File(file) => own::law::of(file).map(|law| law as &dyn Law),
    };
    found.unwrap_or(LAWS[0].law)
}

/// A law of this program by its name.
pub fn entry(name: &str) -> Option<&'static Entry> {
    LAWS.iter().find(|entry| entry.word.word == name)
}
