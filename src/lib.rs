//! Granular asteroids on any GPU: soft-sphere contacts and self-gravity on wgpu.
//!
//! # One time step, in the order in which it happens
//!
//! 1. [`solver::soft_sphere`] submits a batch of steps; what a step is stands in `pipelines/soft_sphere.toml`, which
//!    [`pipeline`] has linked, reflected and checked at the start.
//! 2. `wgsl/neighbours/decide_work.wgsl` sees what is due and opens the gates of the next two stages.
//! 3. Neighbours, when a body has left half the skin: `hash_cells`, a radix sort ([`blocks::radix_sort`]),
//!    `find_neighbours` twice around a scan ([`blocks::scan`]), `link_pairs`, `carry_history`.
//! 4. Gravity, every k steps: `place_sources`, then [`gravity`] by direct sum or tree, `add_central`, the faces of an
//!    asteroid; held in between.
//! 5. `wgsl/soft_sphere/apply_contacts.wgsl`: force and torques of every pair, by the law in `wgsl/laws/`; `apply_walls` and
//!    `apply_surface` likewise.
//! 6. `wgsl/soft_sphere/integrate_bodies.wgsl`: gather, kick, drift in fixed point.
//!
//! Around it: [`scenario`] reads and checks what to do, [`run`] goes from event to event, [`diagnostics`] measures in
//! f64, [`output`] writes, [`render`] draws, [`mod@reference`] steps the same scheme in f64 and holds the
//! truths that tests compare with. Rigid contacts: [`contact`] states the problem of a step and judges its solutions,
//! [`reference::dynamics`] and the drivers beside it solve it in f64.
#![warn(missing_docs)]

pub mod address_space;
pub mod analysis;
pub mod bench;
pub mod blocks;
pub mod body;
pub mod campaign;
pub mod contact;
pub mod diagnostics;
pub mod engine;
pub mod error;
pub mod exit_code;
pub mod gpu;
pub mod gravity;
pub mod input;
pub mod output;
pub mod pipeline;
pub mod reference;
pub mod render;
pub mod run;
pub mod scenario;
pub mod shape;
pub mod solver;
pub mod state;
pub mod units;
