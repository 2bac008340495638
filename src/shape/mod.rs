//! Convex polyhedra and clumps of them: made from points, from a mesh or at random, with their mass properties.
pub mod clump;
pub mod convex;
pub mod face_tree;
mod facets;
pub mod generate;
mod hull;
pub mod inside;
mod loops;
pub mod mass;
pub mod mesh;
pub mod polyhedron;
pub mod solids;
pub mod surface;
