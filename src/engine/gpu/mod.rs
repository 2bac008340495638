//! Engines on the GPU: what a pipeline file cannot say.

pub(crate) mod capacity;
pub mod contact_dynamics;
pub mod core;
mod drain;
mod faults;
mod grow;
pub mod iterations;
pub mod limits;
pub mod parts;
mod phases;
pub mod prepare;
pub(crate) mod readback;
mod rhythm;
mod rigid_snapshot;
mod save;
pub mod scales;
mod snapshot;
pub mod soft_sphere;
mod sound;
mod spin_up;
pub(crate) mod start;
pub(crate) mod words;
