//! Speed: whole steps, neighbour lists, sorts and gravity, each compared with the copy bandwidth that the same device shows in
//! the same run. `breccia bench` and `benches/` call it.
//!
//! [`packing`] is what is stepped. [`step`], [`sort`], [`gravity`], [`polyhedron`], [`hash`] and [`regolith`] measure, [`clock`]
//! times, [`lammps`] writes the packing for another program.
//!
//! This floor imports from [`crate::render`] and below.

pub mod clock;
pub mod compile;
pub mod contacts;
pub mod gravity;
pub mod hash;
pub mod lammps;
pub mod measure;
pub mod packing;
pub mod polyhedron;
pub mod regolith;
pub mod sort;
pub mod step;

use crate::base::error::{Error, Result};
use crate::gpu::buffer_table::Counts;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::plan::Plan;
use clock::Seconds;
use serde::Serialize;
use std::collections::BTreeMap;

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// steps of the settled packing, and its neighbour list
    Step,
    /// radix sort of 32- and 64-bit keys
    Sort,
    /// self-gravity by direct sum and by tree
    Gravity,
    /// self-gravity by tree alone
    Tree,
    /// steps of contact dynamics by each solver
    Contacts,
    /// field of polyhedra by the exact sum and by the tree
    Polyhedron,
    /// neighbour lists by size of the hash table, from a surface to its Hill sphere
    Hash,
    /// steps of grains on an asteroid, by number of facets and coupling interval
    Regolith,
}

impl Part {
    /// What is measured unless parts are chosen.
    pub const ALL: [Part; 4] = [Part::Step, Part::Sort, Part::Gravity, Part::Contacts];
    /// What may be chosen.
    pub const KNOWN: [Part; 8] = [
        Part::Step,
        Part::Sort,
        Part::Gravity,
        Part::Contacts,
        Part::Tree,
        Part::Polyhedron,
        Part::Hash,
        Part::Regolith,
    ];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Part::Step => "step",
            Part::Sort => "sort",
            Part::Gravity => "gravity",
            Part::Tree => "tree",
            Part::Contacts => "contacts",
            Part::Polyhedron => "polyhedron",
            Part::Hash => "hash",
            Part::Regolith => "regolith",
        }
    }
}

/// Device and program that the numbers belong to.
#[derive(Debug, Clone, Serialize)]
pub struct Device {
    /// the driver's name of the device
    pub name: String,
    /// `DiscreteGpu`, `IntegratedGpu`, `VirtualGpu`, `Cpu` (software) or `Other`
    pub kind: String,
    /// `Vulkan`, `Metal` or `Dx12`
    pub backend: String,
    /// driver name and version
    pub driver: String,
    /// threads of the CPU that it computes with, if it is lavapipe
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// version of this program
    pub breccia: &'static str,
    /// what times come from: `timestamps` of the device, or `wall` time of whole submissions
    pub clock: &'static str,
    /// bandwidth of a buffer-to-buffer copy, read plus written (GB/s)
    pub copy_gb_s: f64,
}

/// One thing measured.
#[derive(Debug, Serialize)]
pub struct Row {
    /// what
    pub what: String,
    /// bodies, or keys
    pub count: usize,
    /// median time of one (s)
    pub seconds: f64,
    /// least time (s)
    pub seconds_least: f64,
    /// least CPU time of one, of all threads (s); null where the system does not tell
    pub seconds_cpu: Option<f64>,
    /// `timestamps` or `wall`
    pub clock: &'static str,
    /// work done per second, by the median
    pub rate: f64,
    /// unit of the work
    pub unit: &'static str,
    /// rms error over the rms of the exact value, against a direct sum in f64, where it applies
    pub error_rms: Option<f64>,
    /// its passes; empty where the adapter has no timestamps
    pub passes: Vec<PassRow>,
}

impl Row {
    /// A row of `count` items that does `work` of `unit` in these times.
    fn new(what: String, count: usize, times: Seconds, clock: &'static str, work: f64, unit: &'static str) -> Row {
        let Seconds { median: seconds, least: seconds_least, cpu: seconds_cpu } = times;
        let (rate, error_rms, passes) = (work / seconds, None, vec![]);
        Row { what, count, seconds, seconds_least, seconds_cpu, clock, rate, unit, error_rms, passes }
    }
}

/// All dispatches of one pass.
#[derive(Debug, Serialize)]
pub struct PassRow {
    /// stem of the shader
    pub pass: String,
    /// number of dispatches
    pub dispatches: u32,
    /// all of them (s)
    pub seconds: f64,
    /// bytes moved if each dispatch touches its buffers once; a pass that gathers moves more
    pub bytes: u64,
    /// these bytes over this time (GB/s)
    pub gb_s: f64,
}

/// What could not be measured.
#[derive(Debug, Serialize)]
pub struct Missing {
    /// what
    pub what: String,
    /// bodies, or keys
    pub count: usize,
    /// reason and remedy
    pub why: String,
}

/// All that was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    /// where
    pub device: Device,
    /// results
    pub rows: Vec<Row>,
    /// and what gave none
    pub missing: Vec<Missing>,
}

/// What opens a device; a run of steps keeps the one that it gets.
pub type Open<'a> = dyn Fn() -> Result<Gpu> + 'a;

/// A row, or what could not be measured and why.
pub type Attempt = std::result::Result<Row, (String, Error)>;

/// What one part gave.
pub type Rows = Vec<Attempt>;

/// Rows of the passes of `plan` from their samples, dispatches of one shader together, in order.
fn pass_rows(samples: &[(usize, f64)], plan: &Plan, counts: &Counts) -> Vec<PassRow> {
    let mut by_index: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    samples.iter().for_each(|(index, s)| by_index.entry(*index).or_default().push(*s));
    let mut rows: Vec<PassRow> = vec![];
    for (index, seconds) in by_index {
        let p = &plan.passes[index];
        let at = rows.iter().position(|r| r.pass == p.shader.stem).unwrap_or_else(|| {
            rows.push(PassRow { pass: p.shader.stem.clone(), dispatches: 0, seconds: 0.0, bytes: 0, gb_s: 0.0 });
            rows.len() - 1
        });
        rows[at].dispatches += 1;
        rows[at].seconds += clock::median(seconds);
        rows[at].bytes += plan.moved(p, counts);
    }
    rows.iter_mut().for_each(|r| r.gb_s = r.bytes as f64 / r.seconds.max(1e-12) * 1e-9);
    rows
}
