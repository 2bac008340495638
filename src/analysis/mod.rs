//! Post-processing of the frames of a run; every quantity with definition, unit and source: docs/user/analysis.md.
//!
//! [`links`] say which bodies touch, [`aggregates`] which hang together; the rest measures such a part of a frame:
//! [`rotation`], the [`envelope`] ([`alpha_shape`] of [`delaunay`] tetrahedra of points on each [`surface`]), [`stress`],
//! [`velocity`]. [`clusters`] also take in what cannot escape, from peaks of the [`smoothing`]; a [`cluster_report`] measures
//! them, [`tracks`] know them again from frame to frame. [`strain`] counts by [`sizes`]; [`over_time`] sets frames side by
//! side. [`force_chains`] are the contacts as lines. On an asteroid [`surface_field`] gives gravity and slope,
//! [`safety_map`] where its regolith slides or sheds. A [`report`] puts together what was asked about a frame, and writes
//! the files.

pub mod aggregates;
pub mod alpha_shape;
pub mod cluster_report;
pub mod clusters;
pub mod compact;
pub mod delaunay;
pub mod envelope;
pub mod force_chains;
pub mod links;
pub mod orbit;
pub mod outcome;
pub mod over_time;
pub mod report;
pub mod rotation;
pub mod safety_map;
pub mod sizes;
pub mod smoothing;
pub mod strain;
pub mod stress;
pub mod surface;
pub mod surface_field;
pub mod tracks;
pub mod velocity;
