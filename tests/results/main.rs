//! What is made of a run: series, frames, analysis, exports and pictures.

#![allow(unreachable_pub, reason = "a test program shows nothing to others")]

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod analyze;
mod analyze_polyhedra;
mod clusters;
mod clusters_command;
mod compression;
mod damage;
mod export;
mod frame_events;
mod left_out;
mod orbits;
mod output;
mod output_forms;
mod page;
mod recorded;
mod recorded_shapes;
mod render;
mod render_asteroid;
mod render_options;
mod render_polyhedra;
mod view;
