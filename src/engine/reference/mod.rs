//! Engines in f64 on one core: the schemes of the GPU engines from their equations, and solvers of rigid contacts.

pub mod coloured;
pub mod contact_dynamics;
pub mod dynamics;
pub(crate) mod framed;
pub mod jacobi;
pub mod local;
pub mod nsgs;
pub mod range;
pub(crate) mod snapshot;
pub mod soft_sphere;
pub mod solution;
pub mod splitting;
pub(crate) mod surface;
pub(crate) mod watch;
