//! An entry of the list of generators.

use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::generator::Generator;
use crate::model::scenario::{Material, ShapeSpec};
use std::path::Path;

/// A generator as `[[bodies]]` names it.
#[derive(Clone, Copy)]
pub(in crate::scenario) struct Entry {
    /// its name, what it does and its keys
    pub word: Word,
    /// reads its keys
    pub read: fn(&Table, &Group) -> Generator,
}

/// What else the group of bodies says.
pub(in crate::scenario) struct Group<'a> {
    /// from which paths count
    pub folder: &'a Path,
    /// shape of its bodies; `None`: spheres
    pub shape: Option<&'a ShapeSpec>,
    /// all materials, which bodies may name
    pub materials: &'a [Material],
    /// of the scenario
    pub seed: u64,
}

impl Entry {
    /// A generator that `generator = "name"` chooses; `says` what it does, without a full stop.
    pub(crate) const fn new(
        name: &'static str,
        says: &'static str,
        keys: &'static [Key],
        read: fn(&Table, &Group) -> Generator,
    ) -> Entry {
        Entry { word: Word::with(name, says, keys), read }
    }
}
