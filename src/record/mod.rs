//! A run as a whole: its loop ([`mod@run`]), the files that it leaves ([`files`]), what can be said of it before it starts
//! ([`mod@check`]), and what its directory tells ([`summary`]). What it measures is in [`crate::physics::measure`].
//!
//! This floor imports from [`crate::engine`] and below.

mod asteroid_warnings;
pub mod check;
pub mod disk_use;
pub mod files;
mod idle;
pub mod material_estimate;
mod refusals;
mod rigid_warnings;
pub mod run;
mod sound;
pub mod summary;
pub mod warnings;
