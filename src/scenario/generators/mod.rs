//! Generators of bodies. A generator is one file here and one line in [`GENERATORS`]: its keys, how they are read, and how it
//! makes bodies. Scenarios, their keys in the documentation, the JSON schema and the checks go through that list.

mod container;
pub(super) mod entry;
pub(super) mod file;
mod frame;
mod lattice;
mod list;
mod site;
mod sphere;

use crate::base::reader::key::Word;
use entry::Entry;

/// All generators of this program.
pub(super) const GENERATORS: &[Entry] =
    &[lattice::ENTRY, sphere::ENTRY, list::ENTRY, file::ENTRY, frame::ENTRY, site::ENTRY, container::ENTRY];

/// Their names and keys.
pub(super) const WORDS: [Word; GENERATORS.len()] = words();

const fn words() -> [Word; GENERATORS.len()] {
    let mut list = [GENERATORS[0].word; GENERATORS.len()];
    let mut k = 0;
    while k < GENERATORS.len() {
        list[k] = GENERATORS[k].word;
        k += 1;
    }
    list
}
