//! Engines on the GPU: what a pipeline file cannot say.

pub mod layout;
pub mod prepare;
mod save;
mod snapshot;
pub mod soft_sphere;
