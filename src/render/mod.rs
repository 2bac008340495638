//! Pictures and plots of a run directory.
//!
//! A [`scene`] says what is shown in which colours, the [`camera`] from where; [`picture`] draws it on the GPU by
//! `pipelines/render.toml`; [`figure`] adds scales and time; [`movie`] strings figures together; [`plots`] draws the
//! series.

pub mod arrows;
pub mod camera;
pub mod colour;
pub mod figure;
pub mod movie;
pub mod picture;
pub mod plots;
pub mod scale;
pub mod scene;
pub mod text;
