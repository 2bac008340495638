//! Measures of recorded runs. `docs/user/analysis.md` defines every quantity, with unit and source.
//!
//! A part of a frame is measured by its [`rotation`], its [`envelope`] ([`alpha_shape`] of [`delaunay`] tetrahedra of points on
//! each [`surface`]), its [`stress`] and its [`velocity`] field. [Clusters](crate::physics::measure::clusters) contain what cannot
//! escape; a [`cluster_report`] measures them, and [`tracks`] follow them from frame to frame. [`strain`] counts by [`sizes`],
//! and [`force_chains`] draw the contacts as lines. [`compression`] measures what two plates do to an aggregate, and
//! [`damage`] which contacts break and whether they hang together as cracks. About an
//! asteroid [`orbits`] tell which bodies return and which escape, [`surface_field`] gives gravity and slope, and [`safety_map`]
//! where its regolith slides or sheds; [`field`] gives gravity at any [`points`]. A [`report`] collects what was asked about a
//! frame and writes the files, and [`applies`] says which options change what.
//!
//! This floor imports from [`crate::record`] and below.

pub mod alpha_shape;
pub mod applies;
pub mod cluster_report;
pub mod compression;
pub mod damage;
pub mod delaunay;
pub mod envelope;
pub mod fabric;
pub mod field;
pub mod force_chains;
pub mod orbit;
pub mod orbits;
pub mod outcome;
pub mod points;
pub mod report;
pub mod rotation;
pub mod safety_map;
pub mod sizes;
pub mod strain;
pub mod stress;
pub mod surface;
pub mod surface_field;
pub mod tracks;
pub mod velocity;
