//! Post-processing of the frames of a run; every quantity with definition, unit and source: docs/analysis.md.

pub mod alpha_shape;
pub mod delaunay;
pub mod surface;
