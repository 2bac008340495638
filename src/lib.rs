//! Breccia computes granular asteroids on any GPU: piles, impacts and landslides of up to millions of grains, by soft-sphere
//! contacts or rigid contact dynamics, with self-gravity, walls, and asteroids of any shape. It runs on Vulkan, Metal and
//! DirectX 12 through [wgpu](https://docs.rs/wgpu), and in f64 on the CPU to compare with.
//!
//! # A first run
//!
//! A [`Scenario`] says what is to be computed: materials, bodies, gravity, walls, how long. A [`Run`] computes it.
//!
//! ```
//! use breccia::{EngineKind, Run, RunOptions, Scenario};
//!
//! let scenario = Scenario::load("bounce")?.with("material.rock.restitution_normal", 0.5)?;
//! // `Run::open(&scenario)` takes the fastest GPU; this one needs none.
//! let mut run = Run::open_with(&scenario, RunOptions { engine: EngineKind::Reference, ..Default::default() })?;
//! run.step(run.steps() / 2)?;
//! let half_way = run.snapshot()?;
//! println!("{} s: {} contacts", half_way.time_s, half_way.contacts.len());
//! run.go()?;
//! println!("rows: {} of {} columns", run.rows().len(), run.columns().len());
//! # Ok::<(), breccia::Error>(())
//! ```
//!
//! A scenario comes from a file or from the name of a built-in one ([`Scenario::load`]), or from text
//! ([`Scenario::from_toml`]); [`Scenario::with`] changes a key. With [`RunOptions::directory`] the run writes what
//! `breccia run` writes: a series, frames, checkpoints. [`Run::resume`] takes it up again, bit by bit. An [`Observer`] hears of
//! every row and every frame, and may stop the run. A [`Snapshot`] holds the bodies and contacts of an instant, in SI units
//! and f64. Whatever goes wrong is an [`Error`], whose text names the thing and the way out.
//!
//! Three programs in `docs/examples` show more: run a scenario file to its end, build a scenario in code and read positions,
//! measure a quantity of your own every few steps. What a scenario may say is in `docs/user/scenarios.md`; what is computed,
//! in `docs/method`.
//!
//! # The floors
//!
//! The modules belong to the program: they may change at any time, and these pages leave them out.
//! `RUSTDOCFLAGS="--cfg every_floor" cargo doc` shows them. A module imports only from those above it in this list.
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
//! | [`view`] | the page of a run, served or as one file |
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
//!    `note_neighbours`, a scan ([`gpu::blocks::scan`]), `list_neighbours`, `link_pairs`, `carry_history`.
//! 4. Gravity, every k steps: `place_sources`, then [`gpu::blocks::gravity`] by direct sum or tree, `add_central`, the faces of
//!    an asteroid; held in between.
//! 5. `wgsl/soft_sphere/apply_contacts.wgsl`: force and torques of every pair, by the law in `wgsl/laws/`; `apply_walls` and
//!    `apply_surface` likewise.
//! 6. `wgsl/soft_sphere/integrate_bodies.wgsl`: gather, kick, drift in fixed point.
//!
//! [`scenario`] reads and checks what to do, [`record::run`] goes from event to event, [`physics::measure`] measures in f64 and
//! [`record::files`] writes. [`mod@engine::reference`] steps the same scheme in f64; [`physics`] holds the truths that tests
//! compare with. For rigid contacts [`physics::rigid`] states the problem of a step and judges its solutions, and
//! [`engine::reference::dynamics`] solves it in f64.
#![warn(missing_docs)]

#[cfg_attr(not(every_floor), doc(hidden))]
pub mod analysis;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod base;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod bench;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod campaign;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod engine;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod geometry;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod gpu;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod model;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod physics;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod record;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod render;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod scenario;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod verify;
#[cfg_attr(not(every_floor), doc(hidden))]
pub mod view;

pub use base::error::{Error, Result};
pub use base::fault::{Fault, Faults};
pub use engine::open::EngineKind;
pub use engine::{Engine, Phase, Timing};
pub use geometry::narrow::manifold::Kind;
pub use glam;
pub use gpu::choice::Wish;
pub use model::body::Bodies;
pub use model::deferred::Deferred;
pub use model::scenario::Scenario;
pub use model::snapshot::{Added, Contact, Dissipated, FrameState, Snapshot, Solved, WallContact, WallMotion};
pub use physics::measure::outcome::Verdict;
pub use record::files::manifest::Manifest;
pub use record::files::status::RunStatus;
pub use record::run::{
    Adapter, Ended, IntoScenario, Observer, Progress, ResumeOptions, Resumed, Run, RunOptions, SessionOptions,
};
