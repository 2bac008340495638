//! Every WGSL pass against its truth on the CPU: for tests and for `breccia verify` on the user's own GPU.
//!
//! A check fills named buffers, runs one pass (or one block of passes), reads back and compares. One file per family;
//! a new pass needs a new entry in the list of its family, or `tests/passes/passes.rs` fails.
//!
//! This floor imports from [`crate::render`] and below; only tests and the command line import it.

pub mod balance;
pub mod blocks;
pub mod cloud;
pub mod contacts;
pub mod crowds;
pub mod dynamics_axes;
pub mod dynamics_clumps;
pub mod dynamics_colours;
pub mod dynamics_detect;
pub mod dynamics_frames;
pub mod dynamics_gates;
pub mod dynamics_lists;
pub mod dynamics_manifolds;
pub mod dynamics_plates;
pub mod dynamics_points;
pub mod dynamics_shapes;
pub mod dynamics_solve;
pub mod dynamics_spin;
pub mod dynamics_split;
pub mod dynamics_step;
pub mod dynamics_sweeps;
pub mod dynamics_system;
pub mod dynamics_walls;
pub mod entries;
pub mod faces;
mod facet_windows;
pub mod facets;
pub mod families;
pub mod functions;
pub mod gravity;
mod grounds;
pub mod harness;
pub mod invariants;
pub mod laws;
pub mod list;
pub mod neighbours;
pub mod pictures;
pub mod room;
pub mod shade;
pub mod step;
pub mod step_frame;
pub mod surface;
mod surface_lists;
pub mod tree;
pub mod trees;
pub mod walk;
pub mod wall_blocks;
pub mod walls;
pub mod wide;

use crate::base::error::Result;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::verify::harness::Harness;
use crate::verify::invariants::Sound;
use std::fmt::Debug;

/// A comparison of one or more passes with the truth.
pub struct Check {
    /// stems of the passes that it covers
    pub passes: &'static [&'static str],
    /// what is compared
    pub what: &'static str,
    /// of the error; empty where all values must be equal
    pub unit: &'static str,
    /// largest error allowed; 0 where all values must be equal
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
    /// values that should be equal and are not, and rules that do not hold
    pub wrong: usize,
    /// worst error, in the check's unit
    pub error: f64,
    /// where the first wrong value is, or the worst error; empty without any
    pub worst: String,
    /// nothing is wrong, and the error is within the bound
    pub passed: bool,
}

impl Check {
    /// The bound in words.
    pub fn limit(&self) -> String {
        if self.bound == 0.0 { "equal".into() } else { format!("{:.1e} {}", self.bound, self.unit).trim_end().into() }
    }

    /// An exact comparison.
    const fn exact(
        passes: &'static [&'static str],
        what: &'static str,
        compare: fn(&mut Harness, &mut Tally) -> Result<()>,
    ) -> Check {
        Check { passes, what, unit: "", bound: 0.0, reason: "integers and copies are exact", compare }
    }

    /// Runs it on a device. Errors: of the device, or of shaders that `sources` gives and that do not compile.
    pub fn run(&self, gpu: &Gpu, sources: &Sources) -> Result<Measured> {
        let mut tally = Tally::default();
        (self.compare)(&mut Harness::with_sources(gpu, sources.clone()), &mut tally)?;
        let Tally { cases, wrong, error, worst, .. } = tally;
        Ok(Measured { cases, wrong, error, worst, passed: cases > 0 && wrong == 0 && error <= self.bound })
    }
}

/// Checks of passes that belong together: an argument of `breccia verify`, and a row of the table in
/// docs/method/verify.md.
pub struct Family {
    /// what `breccia verify` takes as an argument
    pub name: &'static str,
    /// what is compared with what
    pub compares: &'static str,
    /// why the bounds are what they are
    pub bounds: &'static str,
    /// its checks
    pub checks: &'static [Check],
}

impl Family {
    /// Stems of the passes that it covers, each once, in the order of its checks.
    pub fn passes(&self) -> Vec<&'static str> {
        let mut passes = vec![];
        for pass in self.checks.iter().flat_map(|c| c.passes) {
            if !passes.contains(pass) {
                passes.push(*pass);
            }
        }
        passes
    }
}

/// Counts what is wrong and keeps the worst error of what a check compares.
#[derive(Debug, Default)]
pub struct Tally {
    cases: usize,
    case: String,
    wrong: usize,
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
        if got.len() != wanted.len() {
            self.broken(1, || format!("{what}: {} values, not {}", got.len(), wanted.len()));
        }
        let pairs = || got.iter().zip(wanted).enumerate().filter(|(_, (g, w))| g != w);
        if let Some((index, (got, wanted))) = pairs().next() {
            self.broken(pairs().count(), || format!("{what}[{index}] = {got:?}, not {wanted:?}"));
        }
    }

    /// Values of the first form of a pass, once those of all forms have the same bits; elements are whole words.
    pub fn one_of<T: bytemuck::NoUninit>(&mut self, what: &str, forms: Vec<Vec<T>>) -> Vec<T> {
        let mut forms = forms.into_iter();
        let first = forms.next().unwrap_or_default();
        let words = |rows: &[T]| bytemuck::cast_slice::<T, u32>(rows).to_vec();
        forms.for_each(|form| self.equal(&format!("{what}, words"), &words(&form), &words(&first)));
        first
    }

    /// Something that must hold.
    pub fn hold(&mut self, sound: Sound) {
        if let Err(text) = sound {
            self.broken(1, || text);
        }
    }

    fn broken(&mut self, count: usize, text: impl FnOnce() -> String) {
        if self.wrong == 0 {
            self.worst = format!("{}: {}", self.case, text());
        }
        self.wrong += count;
    }

    /// An error in the check's unit; NaN counts as infinite.
    pub fn off(&mut self, what: &str, index: usize, error: f64) {
        let error = if error.is_nan() { f64::INFINITY } else { error };
        if error > self.error {
            self.error = error;
            if self.wrong == 0 {
                self.worst = format!("{}: {what}[{index}]", self.case);
            }
        }
    }
}
