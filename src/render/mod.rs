//! Pictures and plots of a run directory.
//!
//! A [`scene`] says what is shown in which colours, the [`camera`] from where; [`picture`] draws it on the GPU by
//! `pipelines/render.toml`; [`facets`] are the surface of an
//! [`asteroid`], [`map`] a quantity on one; [`figure`] adds [`walls`], force [`chains`], scales and time; [`movie`] strings figures
//! together; [`plots`] draws the series, [`panels`] the table of a campaign and [`arrows`] velocity fields.

pub mod arrows;
pub mod asteroid;
pub mod brush;
pub mod camera;
pub mod chains;
pub mod colour;
pub mod facets;
pub mod figure;
pub mod map;
pub mod marks;
pub mod movie;
pub mod panels;
pub mod picture;
pub mod plots;
mod plots_asteroid;
pub mod scale;
pub mod scene;
pub mod text;
pub mod walls;
