//! All checks, family by family.

use super::{
    Check, Family, balance, blocks, contacts, crowds, dynamics_axes, dynamics_clumps, dynamics_colours,
    dynamics_detect, dynamics_frames, dynamics_gates, dynamics_lists, dynamics_manifolds, dynamics_plates,
    dynamics_points, dynamics_shapes, dynamics_solve, dynamics_spin, dynamics_split, dynamics_step, dynamics_sweeps,
    dynamics_walls, entries, faces, facets, functions, gravity, neighbours, pictures, room, shade, step, step_frame,
    surface, tree, walk, wall_blocks, walls, wide,
};

/// All families, in the order of a step.
pub const FAMILIES: &[Family] = &[
    blocks::FAMILY,
    functions::FAMILY,
    neighbours::FAMILY,
    entries::FAMILY,
    room::FAMILY,
    contacts::FAMILY,
    walls::FAMILY,
    wall_blocks::FAMILY,
    surface::FAMILY,
    wide::FAMILY,
    gravity::FAMILY,
    tree::FAMILY,
    walk::FAMILY,
    balance::FAMILY,
    faces::FAMILY,
    step::FAMILY,
    step_frame::FAMILY,
    dynamics_gates::FAMILY,
    dynamics_clumps::FAMILY,
    dynamics_detect::FAMILY,
    dynamics_shapes::FAMILY,
    dynamics_manifolds::FAMILY,
    dynamics_walls::FAMILY,
    dynamics_frames::FAMILY,
    dynamics_points::FAMILY,
    dynamics_lists::FAMILY,
    dynamics_split::FAMILY,
    dynamics_solve::FAMILY,
    dynamics_colours::FAMILY,
    dynamics_sweeps::FAMILY,
    crowds::FAMILY,
    dynamics_step::FAMILY,
    dynamics_plates::FAMILY,
    dynamics_spin::FAMILY,
    dynamics_axes::FAMILY,
    pictures::FAMILY,
    shade::FAMILY,
    facets::FAMILY,
];

/// All checks.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    FAMILIES.iter().flat_map(|f| f.checks)
}
