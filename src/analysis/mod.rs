//! Post-processing of the frames of a run; every quantity with definition, unit and source: docs/analysis.md.
//!
//! [`links`] say which bodies touch, [`aggregates`] which hang together; the rest measures such a part of a frame:
//! [`rotation`], the [`envelope`] ([`alpha_shape`] of [`delaunay`] tetrahedra of points on each [`surface`]), [`stress`],
//! [`velocity`]. [`force_chains`] are the contacts as lines. On an asteroid [`surface_field`] gives gravity
//! and slope, [`safety_map`] where its regolith slides or sheds. A [`report`] puts together what was asked about a frame, and writes the files.

pub mod aggregates;
pub mod alpha_shape;
pub mod delaunay;
pub mod envelope;
pub mod force_chains;
pub mod links;
pub mod report;
pub mod rotation;
pub mod safety_map;
pub mod stress;
pub mod surface;
pub mod surface_field;
pub mod velocity;
