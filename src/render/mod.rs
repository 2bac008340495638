//! Pictures and plots of a run directory.
//!
//! A [`scene`] says what is shown in which colours, the [`camera`] from where; [`picture`] draws it on the GPU by
//! `pipelines/render.toml`. [`facets`] are the surface of an [`asteroid`] with its [`graticule`], and [`map`] shows a quantity
//! on one. [`figure`] adds [`walls`], force [`chains`], a [`colour_scale`] or [`legend`], and [`lettering`]; [`movie`] joins
//! figures. A [`viewpoint`] is what a user asks for, and a [`sheet`] sets panels side by side: bodies, or their [`flow`].
//! [`plots`] draws the series, [`arrows`] velocity fields, [`over_time`] sets frames side by side. [`mod@export`] writes what
//! ParaView and OVITO open.
//!
//! This floor imports from [`crate::analysis`] and below.

pub mod arrows;
pub mod asteroid;
mod axis;
pub mod brush;
pub mod camera;
pub mod chains;
mod clip;
pub mod colour;
pub mod colour_scale;
pub mod column;
pub mod export;
pub mod facets;
pub mod figure;
pub mod flow;
pub mod graticule;
pub mod left_out;
pub mod legend;
pub mod lettering;
pub mod map;
pub mod marks;
pub mod movie;
pub mod over_time;
mod pdf;
pub mod picture;
pub mod plots;
mod plots_asteroid;
pub mod ruler;
pub mod scale;
pub mod scene;
pub mod sheet;
mod surface_lines;
pub mod text;
pub mod velocity_map;
mod view;
pub mod viewpoint;
pub mod walls;
