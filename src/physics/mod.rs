//! Laws, fields and measures in f64, which engines, checks and analysis share.
//!
//! [`laws`] turns materials into the constants of a contact and those into forces, [`mod@time_step`] into the step. [`contacts`] finds who touches whom,
//! [`surface`] what a sphere feels of an asteroid, [`rigid`] states the problem of rigid contacts. [`gravity`] has the fields,
//! [`mod@frame`] the turning frames, [`scales`] how fast things will be, and [`measure`] what a state shows as a whole.
//!
//! This floor knows no GPU. It imports from [`crate::model`] and below.

pub mod contacts;
pub mod frame;
pub mod gravity;
pub mod laws;
pub mod measure;
pub mod rigid;
pub mod scales;
pub(crate) mod start;
pub mod surface;
pub mod time_step;
pub mod turn;
