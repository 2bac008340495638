//! Host mirrors of the structs that soft-sphere shaders read; `tests/passes/layout.rs` compares every offset with naga's.

use super::elements::body::{BodyState, BodyView};
use crate::base::units::DISPLACEMENT_BITS;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// `Params` of `wgsl/state/params.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable, Default)]
pub struct Params {
    /// uniform field (L/T2)
    pub uniform_gravity: [f32; 3],
    /// half the skin (L)
    pub skin_half: f32,
    /// bodies
    pub body_count: u32,
    /// planes
    pub wall_count: u32,
    /// materials
    pub material_count: u32,
    /// pairs that the buffers hold
    pub pair_capacity: u32,
    /// size of the hash table less one
    pub hash_mask: u32,
    /// levels of the grid
    pub level_count: u32,
    /// largest overlap over the smaller radius
    pub overlap_max: f32,
    /// largest displacement per step (L)
    pub motion_max: f32,
    /// cell size of a level (L/64)
    pub level_cell: [u32; 8],
    /// largest radius of a level (L)
    pub level_radius: [f32; 8],
    /// steps between evaluations of held gravity
    pub gravity_every: u32,
    /// gated dispatches
    pub slot_count: u32,
    /// bodies, then further parts of clumps
    pub part_count: u32,
    /// 0: no surface, 1: area-weighted, 2: closest feature
    pub surface_law: u32,
    /// facets that all bodies' lists hold together
    pub surface_capacity: u32,
    /// material of the surface
    pub surface_material: u32,
    /// steps in which the frame turns steadily; 0: it does not turn
    pub frame_interval: u32,
    /// steps that `frame_reaction` holds; 0: nothing is summed
    pub reaction_slots: u32,
    /// unit of its impulses (2^-bits M L/T)
    pub impulse_bits: u32,
    /// unit of its torque impulses (2^-bits M L2/T)
    pub torque_bits: u32,
    /// from this radius on a body's facets are shared out over invocations (L)
    pub wide_radius: f32,
    /// such bodies
    pub wide_count: u32,
    /// facets that their lists hold together
    pub wide_capacity: u32,
    /// runs of boxes that are looked at for them
    pub wide_runs: u32,
    /// to 176 bytes
    pub pad: [u32; 2],
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
    /// its name outside
    pub id: u32,
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
        let BodyWords { position, velocity, spin, id, .. } = *self;
        BodyState { position, velocity, spin, id, ..BodyState::default() }
    }

    /// The spin as passes see it: in f32 (1/T).
    pub fn seen_spin(&self) -> DVec3 {
        let unit = (-f64::from(DISPLACEMENT_BITS)).exp2();
        DVec3::from_array(self.spin.map(|w| f64::from(rounded(w)) * unit))
    }

    /// Its element of `body_view`: the windows as the shaders form them.
    pub fn view(&self) -> BodyView {
        let position = self.position.map(|x| (x >> 8) as u32);
        BodyView {
            position,
            radius: self.radius,
            velocity: self.velocity.map(|v| (v >> 21) as u32),
            inverse_mass: self.inverse_mass,
            spin: self.seen_spin().as_vec3().to_array(),
            material: self.material,
            anchor: position,
            clump_or_room: 0,
        }
    }
}

/// A 64-bit integer in f32 as `f32_from64` of `wgsl/math/wide.wgsl` rounds it: each word by itself, then their sum.
pub fn rounded(x: i64) -> f32 {
    let size = x.unsigned_abs();
    let f = (size >> 32) as f32 * 4_294_967_296.0 + size as u32 as f32;
    if x < 0 { -f } else { f }
}

/// `GravityParams` of `wgsl/gravity/gravity.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable, Default)]
pub struct GravityParams {
    /// G [L3/(M T2)]
    pub gravity_constant: f32,
    /// steps of the holding interval less one
    pub predict_steps: u32,
    /// bodies
    pub body_count: u32,
    /// G m of the central body (L3/T2)
    pub central_gm: f32,
    /// its place, low words
    pub central_low: [u32; 3],
    /// of the relative opening criterion; 0: geometric
    pub accuracy: f32,
    /// its place, high words
    pub central_high: [u32; 3],
    /// of the geometric opening criterion
    pub opening_angle: f32,
    /// of a uniform central body (L); 0: a point
    pub central_radius: f32,
    /// to 64 bytes
    pub pad: [u32; 3],
}

/// `AsteroidParams` of `wgsl/gravity/faces.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable, Default)]
pub struct AsteroidParams {
    /// G rho times the asteroid's radius (L/T2)
    pub pull: f32,
    /// radii in one L
    pub per_length: f32,
    /// accuracy of the tree times the volume (radii)
    pub strictness: f32,
    /// squared radius of the sphere of equal volume (radii)
    pub round_square: f32,
    /// faces
    pub face_count: u32,
    /// nodes of their tree
    pub node_count: u32,
    /// faces that one invocation sums
    pub slice_faces: u32,
    /// slices of all faces; 1: the tree
    pub slice_count: u32,
}

/// `DynamicsParams` of `wgsl/contact_dynamics/dynamics.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable, Default)]
pub struct DynamicsParams {
    /// first row of E^T - 1, E the turning frame's rotation in a step, in units of 2^-back_shift
    pub back_x: [i32; 3],
    /// its unit
    pub back_shift: u32,
    /// second row
    pub back_y: [i32; 3],
    /// to 16 bytes
    pub pad0: u32,
    /// third row
    pub back_z: [i32; 3],
    /// to 16 bytes
    pub pad1: u32,
    /// columns of what is left of it
    pub back_rest: [[f32; 4]; 3],
    /// rotation vector of the frame in a step
    pub rotation: [f32; 3],
    /// residual at which a step is solved
    pub tolerance: f32,
    /// share of a penetration that a step takes back
    pub recovery: f32,
    /// at most so much of it (L/T)
    pub recovery_max: f32,
    /// residual velocity that never matters (L/T)
    pub velocity_floor: f32,
    /// beta of the first iterations
    pub momentum: f32,
    /// iterations of a step at most
    pub iterations_max: u32,
    /// 1: a step over the budget ends the run
    pub stop_on_budget: u32,
    /// pairs that the buffers hold, then bodies times walls
    pub candidate_count: u32,
    /// contacts that the buffers hold
    pub contact_capacity: u32,
    /// (1 - theta) in 2^-30
    pub earlier: i32,
    /// a body that has moved so far asks for a new list (L)
    pub anchor_max: f32,
    /// gap below which a pair is a candidate, over the sum of the radii
    pub alert: f32,
    /// largest range of cohesion (L)
    pub reach_max: f32,
    /// how many the first iterations are
    pub momentum_first: u32,
    /// iterations between two looks at the residual
    pub look_every: u32,
    /// colours that sweeps are recorded for; 0: Jacobi
    pub colour_capacity: u32,
    /// to 16 bytes
    pub pad: u32,
}

/// Faults that the control buffer tells of, and colours of contacts.
pub mod control {
    /// colours that there are
    pub const COLOURS: u32 = 63;
    /// A bit of a fault word, and what the body or wall does.
    pub type Fault = (u32, &'static str);
    /// of a body
    pub const NON_FINITE: Fault = (1, "feels a force that is not finite");
    /// of a body
    pub const OVERSPEED: Fault = (2, "moves too fast for this time step");
    /// of a contact
    pub const OVERLAP: Fault = (4, "overlaps another, a wall or the asteroid too much");
    /// of a body
    pub const RANGE: Fault = (8, "has left the range of positions");
    /// of a body's walk
    pub const TREE: Fault = (16, "opens too many nodes of the gravity tree");
    /// of a step
    pub const BUDGET: Fault = (32, "needs more iterations than contact_dynamics.iterations_max");
    /// of a contact
    pub const SURFACE: Fault = (64, "is in the asteroid's surface by more than half its radius");
    /// of a body
    pub const TURN: Fault = (1024, "turns by more than half a rotation in one step");
    /// of a body's neighbours
    pub const CROWD: Fault =
        (128, "has more than 50,000 neighbours, or more than 28,000 bodies in the cells around it");
    /// of a body's contact with the asteroid
    pub const LISTED: Fault = (256, "is near more than 204,800 facets of the asteroid");
    /// of a pair of polyhedra
    pub const CORNERS: Fault = (512, "and a polyhedron next to it have too many corners for one contact search");
    /// of a wall that answers to force
    pub const PLATE: Fault = (2048, "is pushed by more than 3,840,000 contact points");
    /// Faults of sizes, and the remedies.
    pub const SIZES: [(Fault, &str); 5] = [
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
