//! From TOML to a checked scenario and its bodies: [`parse`] reads and checks, [`generate`] makes the bodies, [`inputs`] are
//! the files that a scenario names.
//!
//! This floor imports from [`crate::physics`] and below.

mod apart;
pub mod as_run;
mod asteroid;
mod bodies;
pub mod bundled;
pub mod collision;
mod common;
pub mod expect;
pub mod generate;
mod generators;
mod gravity;
pub mod inputs;
pub mod keys;
pub mod made;
pub(crate) mod material;
mod method;
mod output;
pub(crate) mod overlap;
pub mod packed;
mod packing;
pub mod parse;
pub(crate) mod paths;
pub mod place;
mod region;
pub(crate) mod rest;
mod settings;
mod shape;
pub mod sizes;
mod source;
mod take;
pub(crate) mod turning;
mod vessel;
mod wall;

use crate::base::error::Result;
use crate::model::scenario::{Scenario, Source};

/// sha-256 of a scenario as it was read, and of what it names: two that say the same have the same, wherever they are.
pub fn fingerprint(scenario: &Scenario) -> Result<String> {
    inputs::Sums::default().fingerprint(scenario)
}

/// Reads and checks a scenario; `overrides` are `path=value`.
pub fn load(path_or_name: &str, overrides: &[String]) -> Result<Scenario> {
    Source::find(path_or_name)?.parse(overrides)
}
