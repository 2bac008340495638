//! Shapes: meshes, generators and bodies of any form.

#![allow(unreachable_pub, reason = "a test program shows nothing to others")]

#[path = "../common/mod.rs"]
mod common;

mod alpha_shape;
mod asteroid_shapes;
mod containers;
mod generators;
mod made_bodies;
mod mesh;
mod mesh_command;
mod mesh_crossing;
mod mesh_formats;
mod mesh_remesh;
mod real_shapes;
mod shape;
mod site;
