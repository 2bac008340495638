//! Every WGSL pass against its truth on the CPU: for tests and for `breccia verify` on the user's own GPU.
//!
//! A check fills named buffers, runs one pass (or one block of passes), reads back and compares. One file per family;
//! a new pass needs a new entry in the list of its family, or `tests/passes.rs` fails.

pub mod blocks;
pub mod cloud;
pub mod contacts;
pub mod gravity;
pub mod list;
pub mod neighbours;
pub mod step;
pub mod walls;

use super::harness::Harness;
use super::invariants::Sound;
use crate::error::Result;
use crate::gpu::Gpu;
use crate::pipeline::link::Sources;
use std::fmt::Debug;

/// A comparison of one or more passes with the truth.
pub struct Check {
    /// stems of the passes that it covers
    pub passes: &'static [&'static str],
    /// what is compared
    pub what: &'static str,
    /// what the error is
    pub unit: &'static str,
    /// largest error allowed; 0 where results are integers
    pub bound: f64,
    /// why this bound
    pub reason: &'static str,
    /// fills, runs, compares
    pub compare: fn(&mut Harness, &mut Tally) -> Result<()>,
}

/// What a check found.
#[derive(Debug, Clone)]
pub struct Measured {
    /// inputs tried
    pub cases: usize,
    /// worst error, in the check's unit
    pub error: f64,
    /// where the worst error is; empty without any
    pub worst: String,
    /// the error is within the bound
    pub passed: bool,
}

impl Check {
    /// An exact comparison.
    const fn exact(
        passes: &'static [&'static str],
        what: &'static str,
        compare: fn(&mut Harness, &mut Tally) -> Result<()>,
    ) -> Check {
        Check { passes, what, unit: "values differ", bound: 0.0, reason: "integers and copies are exact", compare }
    }

    /// Runs it on a device. Errors: of the device, or of shaders that `sources` gives and that do not compile.
    pub fn run(&self, gpu: &Gpu, sources: &Sources) -> Result<Measured> {
        let mut tally = Tally::default();
        (self.compare)(&mut Harness::with_sources(gpu, sources.clone()), &mut tally)?;
        let passed = tally.cases > 0 && tally.error <= self.bound;
        Ok(Measured { cases: tally.cases, error: tally.error, worst: tally.worst, passed })
    }
}

/// Families of checks by name, in the order of a step.
pub const FAMILIES: &[(&str, &[Check])] = &[
    ("blocks", blocks::CHECKS),
    ("neighbours", neighbours::CHECKS),
    ("contacts", contacts::CHECKS),
    ("walls", walls::CHECKS),
    ("gravity", gravity::CHECKS),
    ("step", step::CHECKS),
];

/// All checks.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    FAMILIES.iter().flat_map(|f| f.1)
}

/// Keeps the worst of what a check compares. Values that should be equal count one each, so that any of them breaks a
/// bound below one.
#[derive(Debug, Default)]
pub struct Tally {
    cases: usize,
    case: String,
    error: f64,
    worst: String,
}

impl Tally {
    /// A new input.
    pub fn case(&mut self, name: impl Into<String>) {
        self.cases += 1;
        self.case = name.into();
    }

    /// Values that should be the same; counts those that differ.
    pub fn equal<T: PartialEq + Debug>(&mut self, what: &str, got: &[T], wanted: &[T]) {
        let differ = |(g, w): &(usize, (&T, &T))| (w.0 != w.1).then_some(*g);
        let places: Vec<usize> = got.iter().zip(wanted).enumerate().filter_map(|p| differ(&p)).collect();
        if got.len() != wanted.len() {
            self.broken(format!("{what}: {} values, not {}", got.len(), wanted.len()));
        }
        if let Some(&first) = places.first() {
            if self.error < 1.0 {
                self.worst = format!("{}: {what}[{first}] = {:?}, not {:?}", self.case, got[first], wanted[first]);
            }
            self.error += places.len() as f64;
        }
    }

    /// Something that must hold.
    pub fn hold(&mut self, sound: Sound) {
        if let Err(text) = sound {
            self.broken(text);
        }
    }

    fn broken(&mut self, text: String) {
        if self.error < 1.0 {
            self.worst = format!("{}: {text}", self.case);
        }
        self.error += 1.0;
    }

    /// An error in the check's unit; one that is no number counts as infinite.
    pub fn off(&mut self, what: &str, place: usize, error: f64) {
        let error = if error.is_nan() { f64::INFINITY } else { error };
        if error > self.error {
            self.error = error;
            self.worst = format!("{}: {what}[{place}]", self.case);
        }
    }
}
