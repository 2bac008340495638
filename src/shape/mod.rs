//! Convex polyhedra: made from points, from a mesh or at random, with their mass properties.
mod facets;
pub mod generate;
mod hull;
pub mod mass;
pub mod polyhedron;
pub mod solids;
