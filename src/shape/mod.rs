//! Convex polyhedra and clumps of them: made from points, from a mesh or at random, with their mass properties.
pub mod clump;
pub mod convex;
mod facets;
pub mod generate;
pub mod geodesic;
mod hull;
mod loops;
pub mod mass;
pub mod mesh;
pub mod polyhedron;
pub mod solids;
pub mod surface;
