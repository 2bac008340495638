//! All checks, family by family.

use super::{
    Check, balance, blocks, contacts, dynamics_axes, dynamics_clumps, dynamics_colours, dynamics_detect,
    dynamics_frames, dynamics_gates, dynamics_lists, dynamics_manifolds, dynamics_plates, dynamics_points,
    dynamics_shapes, dynamics_solve, dynamics_spin, dynamics_split, dynamics_step, dynamics_sweeps, dynamics_walls,
    entries, faces, facets, functions, gravity, neighbours, pictures, room, shade, step, step_frame, surface, tree,
    walk, wall_blocks, walls, wide,
};

/// Families of checks by name, in the order of a step.
pub const FAMILIES: &[(&str, &[Check])] = &[
    ("blocks", blocks::CHECKS),
    ("functions", functions::CHECKS),
    ("neighbours", neighbours::CHECKS),
    ("entries", entries::CHECKS),
    ("room", room::CHECKS),
    ("contacts", contacts::CHECKS),
    ("walls", walls::CHECKS),
    ("wall_blocks", wall_blocks::CHECKS),
    ("surface", surface::CHECKS),
    ("wide", wide::CHECKS),
    ("gravity", gravity::CHECKS),
    ("tree", tree::CHECKS),
    ("walk", walk::CHECKS),
    ("balance", balance::CHECKS),
    ("faces", faces::CHECKS),
    ("step", step::CHECKS),
    ("step_frame", step_frame::CHECKS),
    ("dynamics_gates", dynamics_gates::CHECKS),
    ("dynamics_clumps", dynamics_clumps::CHECKS),
    ("dynamics_detect", dynamics_detect::CHECKS),
    ("dynamics_shapes", dynamics_shapes::CHECKS),
    ("dynamics_manifolds", dynamics_manifolds::CHECKS),
    ("dynamics_walls", dynamics_walls::CHECKS),
    ("dynamics_frames", dynamics_frames::CHECKS),
    ("dynamics_points", dynamics_points::CHECKS),
    ("dynamics_lists", dynamics_lists::CHECKS),
    ("dynamics_split", dynamics_split::CHECKS),
    ("dynamics_solve", dynamics_solve::CHECKS),
    ("dynamics_colours", dynamics_colours::CHECKS),
    ("dynamics_sweeps", dynamics_sweeps::CHECKS),
    ("dynamics_step", dynamics_step::CHECKS),
    ("dynamics_plates", dynamics_plates::CHECKS),
    ("dynamics_spin", dynamics_spin::CHECKS),
    ("dynamics_axes", dynamics_axes::CHECKS),
    ("pictures", pictures::CHECKS),
    ("shade", shade::CHECKS),
    ("facets", facets::CHECKS),
];

/// All checks.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    FAMILIES.iter().flat_map(|f| f.1)
}
