//! Engines on the GPU: what a pipeline file cannot say.

pub mod contact_dynamics;
pub mod core;
pub mod frame_rows;
mod frame_snapshot;
mod framed;
pub mod iterations;
pub mod limits;
pub mod parts;
mod phases;
pub mod prepare;
pub(crate) mod readback;
pub(crate) mod rigid;
mod rigid_snapshot;
mod save;
mod snapshot;
pub mod soft_sphere;
mod sound;
pub mod sources;
mod spin_up;
