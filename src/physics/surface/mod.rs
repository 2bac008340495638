//! Contact of spheres with a surface of triangles in f64: one facet, what a sphere feels of many, and the forces.

pub mod circle;
pub mod facet;
pub mod footprint;
pub mod ground;
pub mod shown;
pub mod touch;
