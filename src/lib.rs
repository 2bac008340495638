//! Granular asteroids on any GPU: soft-sphere contacts and self-gravity on wgpu.
//!
//! # Floors
//!
//! A module imports only from those above it in this list; `tests/cli/floors.rs` checks that.
//!
//! | floor | what it holds |
//! |---|---|
//! | [`base`] | errors, units, files of users, numbers with units |
//! | [`geometry`] | polyhedra, meshes, contact planes between convex bodies |
//! | [`model`] | plain data: the checked scenario, bodies, snapshots |
//! | [`physics`] | laws, fields and measures in f64 |
//! | [`scenario`] | reads a scenario and makes its bodies |
//! | [`gpu`] | device, table of buffers, pipelines, blocks of passes |
//! | [`engine`] | engines on the GPU, and in f64 on the CPU |
//! | [`record`] | the loop of a run, its measures and files |
//! | [`analysis`] | measures of recorded runs |
//! | [`render`] | pictures, plots and exports |
//! | [`campaign`] | many runs of one scenario |
//! | [`mod@bench`] | speed |
//! | [`verify`] | every pass against its truth |
//!
//! # One time step, in the order in which it happens
//!
//! 1. [`engine::gpu::soft_sphere`] submits a batch of steps. `pipelines/soft_sphere.toml` lists the passes of a step, and
//!    [`gpu::pipeline`] has linked, reflected and checked them at the start.
//! 2. `wgsl/neighbours/decide_work.wgsl` sees what is due and opens the gates of the next two stages.
//! 3. Neighbours, when a body has left half the skin: `hash_cells`, a radix sort ([`gpu::blocks::radix_sort`]),
//!    `find_neighbours` twice around a scan ([`gpu::blocks::scan`]), `link_pairs`, `carry_history`.
//! 4. Gravity, every k steps: `place_sources`, then [`gpu::blocks::gravity`] by direct sum or tree, `add_central`, the faces of
//!    an asteroid; held in between.
//! 5. `wgsl/soft_sphere/apply_contacts.wgsl`: force and torques of every pair, by the law in `wgsl/laws/`; `apply_walls` and
//!    `apply_surface` likewise.
//! 6. `wgsl/soft_sphere/integrate_bodies.wgsl`: gather, kick, drift in fixed point.
//!
//! [`scenario`] reads and checks what to do, [`record::run`] goes from event to event, [`record::measure`] measures in f64 and
//! [`record::files`] writes. [`mod@engine::reference`] steps the same scheme in f64; [`physics`] holds the truths that tests
//! compare with. For rigid contacts [`physics::rigid`] states the problem of a step and judges its solutions, and
//! [`engine::reference::dynamics`] solves it in f64.
#![warn(missing_docs)]

pub mod analysis;
pub mod base;
pub mod bench;
pub mod campaign;
pub mod engine;
pub mod geometry;
pub mod gpu;
pub mod model;
pub mod physics;
pub mod record;
pub mod render;
pub mod scenario;
pub mod verify;
