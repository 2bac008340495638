//! Gravity in f64: direct sum, multipoles, homogeneous polyhedra.

pub mod asteroid_field;
pub mod attraction;
mod box_grid;
pub(crate) mod central;
pub mod direct;
pub mod face_potentials;
pub mod face_tree;
pub mod face_walk;
pub mod faces;
pub(crate) mod fields;
pub mod multipole;
