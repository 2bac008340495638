//! Convex polyhedra and clumps of them, made from points, from a mesh or at random, with their mass properties; surfaces of
//! asteroids, from files or made by rule; [`narrow`] finds the contact of two convex bodies.
//!
//! This floor imports from [`crate::base`].

pub mod box_tree;
pub mod clump;
pub mod convex;
pub mod direction_cells;
pub mod facet_tree;
mod facets;
pub mod generate;
pub mod geodesic;
pub mod hilbert;
mod hull;
pub mod inside;
pub mod lbvh;
pub mod levels;
pub mod loops;
pub mod made;
pub mod mass;
pub mod mesh;
pub mod narrow;
pub mod polyhedron;
pub mod ray;
pub mod solids;
pub mod surface;
pub mod touching;
