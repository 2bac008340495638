//! Pipelines: a step is a list of passes in TOML, linked, reflected and checked before any GPU work.
//!
//! [`link`] puts WGSL files together, [`reflect`] reads what a shader binds, [`mod@file`] reads the TOML,
//! [`mod@plan`] checks it against the buffer table, [`table`] shows it, [`run`] records it. [`perturb`] makes shaders
//! as wrong as the specification allows, for `breccia verify`.

mod check;
pub mod file;
pub mod link;
pub mod perturb;
pub mod plan;
pub mod reassociate;
pub mod reflect;
pub mod run;
pub mod table;
