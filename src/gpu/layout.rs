//! Uniform blocks as the host fills them in, bodies as it makes them, and the faults that shaders report.

use super::constants::{MOTION_SHIFT, WINDOW_SHIFT};
use super::elements::body::{BodyState, BodyView};
use crate::base::units::DISPLACEMENT_BITS;
use crate::uniform;
use glam::{DVec3, IVec3, Mat3, UVec3, UVec4, Vec3, Vec4};

uniform! {
    /// `Params` of `wgsl/state/params.wgsl`.
    struct Params {
        /// uniform field (L/T2)
        uniform_gravity: Vec3,
        /// half the skin (L)
        skin_half: f32,
        /// bodies
        body_count: u32,
        /// walls: planes and blocks
        wall_count: u32,
        /// materials
        material_count: u32,
        /// pairs that the buffers hold
        pair_capacity: u32,
        /// size of the hash table less one
        hash_mask: u32,
        /// levels of the grid
        level_count: u32,
        /// largest overlap over the smaller radius
        overlap_max: f32,
        /// largest displacement per step (L)
        motion_max: f32,
        /// cell size of a level (L/64)
        level_cell: [UVec4; 2],
        /// largest radius of a level (L)
        level_radius: [Vec4; 2],
        /// steps between evaluations of held gravity
        gravity_every: u32,
        /// gated dispatches
        slot_count: u32,
        /// bodies, then further parts of clumps
        part_count: u32,
        /// 1: bodies may touch a surface, else 0
        has_surface: u32,
        /// facets that all bodies' lists hold together
        surface_capacity: u32,
        /// material of the surface
        surface_material: u32,
        /// steps in which the frame turns steadily; 0: it does not turn
        frame_interval: u32,
        /// steps that `frame_reaction` holds; 0: nothing is summed
        reaction_slots: u32,
        /// unit of its impulses (2^-bits M L/T)
        impulse_bits: u32,
        /// unit of its torque impulses (2^-bits M L2/T)
        torque_bits: u32,
        /// from this radius on a body's facets are shared out over invocations (L)
        wide_radius: f32,
        /// such bodies
        wide_count: u32,
        /// facets that their lists hold together
        wide_capacity: u32,
        /// runs of boxes that are looked at for them
        wide_runs: u32,
    }
}

/// A body as the host fills it in: one part of `body_state` and one of `body_view`.
#[derive(Debug, Clone, Copy, Default)]
pub struct BodyWords {
    /// (2^-38 L)
    pub position: [i64; 3],
    /// displacement per step (2^-58 L)
    pub velocity: [i64; 3],
    /// (2^-58 /T)
    pub spin: [i64; 3],
    /// (L), a multiple of 2^-24
    pub radius: f32,
    /// (1/M)
    pub inverse_mass: f32,
    /// row of the law table
    pub material: u32,
}

impl BodyWords {
    /// Its element of `body_state`.
    pub fn state(&self) -> BodyState {
        let BodyWords { position, velocity, spin, .. } = *self;
        BodyState { position, velocity, spin }
    }

    /// The spin as passes see it: in f32 (1/T).
    pub fn seen_spin(&self) -> DVec3 {
        let unit = (-f64::from(DISPLACEMENT_BITS)).exp2();
        DVec3::from_array(self.spin.map(|w| f64::from(rounded(w)) * unit))
    }

    /// Its element of `body_view`: the windows as the shaders form them.
    pub fn view(&self) -> BodyView {
        let position = self.position.map(|x| (x >> WINDOW_SHIFT) as u32);
        BodyView {
            position,
            radius: self.radius,
            velocity: self.velocity.map(|v| (v >> MOTION_SHIFT) as u32),
            inverse_mass: self.inverse_mass,
            spin: self.seen_spin().as_vec3().to_array(),
            material_and_tail: with_tail(self.material, self.position),
            anchor: position,
            clump_or_room: 0,
        }
    }
}

/// A material with what the windows of a position leave out, as `with_tail` of `wgsl/math/position.wgsl` has it.
pub fn with_tail(material_and_tail: u32, position: [i64; 3]) -> u32 {
    let tails = (0..3).map(|axis| (position[axis] as u32 & 255) << (8 * (axis + 1)));
    tails.fold(material_and_tail & 255, |all, tail| all | tail)
}

/// A 64-bit integer in f32 as `f32_from64` of `wgsl/math/wide.wgsl` rounds it: each word by itself, then their sum.
pub fn rounded(x: i64) -> f32 {
    let size = x.unsigned_abs();
    let f = (size >> 32) as f32 * 4_294_967_296.0 + size as u32 as f32;
    if x < 0 { -f } else { f }
}

uniform! {
    /// `GravityParams` of `wgsl/state/gravity.wgsl`.
    struct GravityParams {
        /// G [L3/(M T2)]
        gravity_constant: f32,
        /// steps of the holding interval less one
        predict_steps: u32,
        /// bodies
        body_count: u32,
        /// G m of the central body (L3/T2)
        central_gm: f32,
        /// its position, low words
        central_low: UVec3,
        /// of the relative opening criterion; 0: geometric
        accuracy: f32,
        /// its position, high words
        central_high: UVec3,
        /// of the geometric opening criterion
        opening_angle: f32,
        /// of a uniform central body (L); 0: a point
        central_radius: f32,
        /// rotation of the axes in a step (2^-30) where velocities are those of inertial space, else 0
        carry: IVec3,
    }
}

uniform! {
    /// `AsteroidParams` of `wgsl/state/face.wgsl`.
    struct AsteroidParams {
        /// G rho times the asteroid's radius (L/T2)
        pull: f32,
        /// radii in one L
        per_length: f32,
        /// accuracy of the tree times the volume (radii)
        strictness: f32,
        /// squared radius of the sphere of equal volume (radii)
        round_square: f32,
        /// faces
        face_count: u32,
        /// nodes of their tree
        node_count: u32,
        /// faces that one invocation sums
        slice_faces: u32,
        /// slices of all faces; 1: the tree
        slice_count: u32,
    }
}

uniform! {
    /// `DynamicsParams` of `wgsl/contact_dynamics/dynamics.wgsl`.
    struct DynamicsParams {
        /// first row of E^T - 1, E the turning frame's rotation in a step, in units of 2^-back_shift
        back_x: IVec3,
        /// its unit
        back_shift: u32,
        /// second row
        back_y: IVec3,
        /// third row
        back_z: IVec3,
        /// columns of what is left of it
        back_rest: Mat3,
        /// rotation vector of the frame in a step
        rotation: Vec3,
        /// residual at which a step is solved
        tolerance: f32,
        /// share of a penetration that a step takes back
        recovery: f32,
        /// at most so much of it (L/T)
        recovery_max: f32,
        /// residual velocity that never matters (L/T)
        velocity_floor: f32,
        /// beta of the first iterations
        momentum: f32,
        /// iterations of a step at most
        iterations_max: u32,
        /// 1: a step over the budget ends the run
        stop_on_budget: u32,
        /// pairs that the buffers hold, then parts of bodies times walls
        candidate_count: u32,
        /// contacts that the buffers hold
        contact_capacity: u32,
        /// (1 - theta) in 2^-30
        earlier: i32,
        /// a body that has moved so far, less its last step, asks for a new list (L)
        anchor_max: f32,
        /// gap below which a pair is a candidate, over the sum of the radii
        alert: f32,
        /// largest range of cohesion (L)
        reach_max: f32,
        /// how many the first iterations are
        momentum_first: u32,
        /// iterations between two looks at the residual
        look_every: u32,
        /// colours that sweeps are recorded for; 0: Jacobi
        colour_capacity: u32,
    }
}

uniform! {
    /// What the shaders know of a camera; `View` in `wgsl/state/view.wgsl`.
    struct View {
        /// unit vector to the right of the picture
        right: Vec3,
        /// tangent of half the angle, or half the width
        half_width: f32,
        /// unit vector to the top of the picture
        up: Vec3,
        /// 1 with perspective, 0 without
        perspective: f32,
        /// unit vector away from the eye
        forward: Vec3,
        /// reach of the ambient occlusion
        grain: f32,
        /// position of the eye
        eye: Vec3,
        /// half-width of the shadow's edge
        blur: f32,
        /// pixels a side
        size: u32,
        /// patches of bodies to draw
        patch_count: u32,
        /// patches of facets
        facet_patch_count: u32,
        /// bodies: owners from here on are facets
        body_count: u32,
    }
}

/// Faults that the control buffer reports.
pub mod control {
    use crate::gpu::constants::*;

    /// A bit of a fault word, and what the body or wall does.
    pub type Fault = (u32, &'static str);
    /// of a body
    pub const NON_FINITE: Fault = (FAULT_NON_FINITE, "feels a force that is not finite");
    /// of a body
    pub const OVERSPEED: Fault = (FAULT_OVERSPEED, "moves too fast for this time step");
    /// of a contact
    pub const OVERLAP: Fault = (FAULT_OVERLAP, "overlaps another, a wall or the asteroid too much");
    /// of a body
    pub const RANGE: Fault = (FAULT_RANGE, "has left the range of positions");
    /// of a body's walk
    pub const TREE: Fault = (FAULT_TREE, "opens too many nodes of the gravity tree");
    /// of a step
    pub const BUDGET: Fault = (FAULT_BUDGET, "needs more iterations than contact_dynamics.iterations_max");
    /// of a contact
    pub const SURFACE: Fault = (FAULT_SURFACE, "is in the asteroid's surface by more than half its radius");
    /// of a body
    pub const TURN: Fault = (FAULT_TURN, "turns by more than half a rotation in one step");
    /// of a body's neighbours
    pub const CROWD: Fault =
        (FAULT_CROWD, "has more than 50,000 neighbours, or more than 28,000 bodies in the cells around it");
    /// of a body's contact with the asteroid
    pub const LISTED: Fault = (FAULT_LISTED, "is near more than 204,800 facets of the asteroid");
    /// of a pair of polyhedra
    pub const CORNERS: Fault =
        (FAULT_CORNERS, "and a polyhedron next to it have too many corners for one contact search");
    /// of a wall that answers to force
    pub const PLATE: Fault = (FAULT_PLATE, "is pushed by more than 3,840,000 contact points");
    /// Whether faults of a body end with a shorter step: it moves or turns too fast, and overlaps nothing too much.
    pub fn is_of_speed(faults: u32) -> bool {
        faults & (OVERSPEED.0 | TURN.0) != 0 && faults & OVERLAP.0 == 0
    }

    /// Whether faults of a body are of a force alone that is not finite.
    pub fn is_of_force(faults: u32) -> bool {
        faults & NON_FINITE.0 != 0 && faults & OVERLAP.0 == 0 && !is_of_speed(faults)
    }

    /// Faults of sizes, and the remedies.
    pub const SIZES: [(Fault, &str); 6] = [
        (RANGE, "end the run before that by run.duration_s, or leave the body out (docs/method/precision.md)"),
        (PLATE, "let several walls share the load, or take fewer bodies"),
        (CORNERS, "give shapes fewer points"),
        (TREE, "raise the opening_angle or the accuracy of gravity, or sum directly (docs/method/gravity.md)"),
        (CROWD, "lower neighbours.skin_radii, or the ratio of the largest to the smallest radius"),
        (LISTED, "lower neighbours.skin_radii, or take a coarser shape for the asteroid"),
    ];
    /// all of them
    pub const FAULTS: [Fault; 12] =
        [NON_FINITE, OVERSPEED, OVERLAP, RANGE, TREE, BUDGET, SURFACE, CROWD, LISTED, CORNERS, TURN, PLATE];
}
