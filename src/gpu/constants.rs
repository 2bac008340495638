//! Numbers that both the host and the shaders state. A constant of WGSL has the name that it has here, in the file that the
//! table names; `tests/passes/layout.rs` asks naga for each.

use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS, WINDOW_BITS};
use crate::geometry::direction_cells::LISTED_MAX;
use crate::geometry::narrow::manifold;

/// A constant of a WGSL file.
#[derive(Debug)]
pub struct Shared {
    /// the file, without its ending
    pub file: &'static str,
    /// name on both sides
    pub name: &'static str,
    /// its value here
    pub value: f64,
}

/// 2^-bits.
const fn unit(bits: i32) -> f64 {
    1.0 / (1u64 << bits) as f64
}

macro_rules! shared {
    ($($file:literal { $($(#[$doc:meta])* $name:ident: $ty:ty = $value:expr;)+ })+) => {
        $($($(#[$doc])* pub const $name: $ty = $value;)+)+

        /// All constants that both sides state.
        pub const SHARED: &[Shared] =
            &[$($(Shared { file: $file, name: stringify!($name), value: $name as f64 },)+)+];
    };
}

shared! {
    "math/position" {
        /// one unit of a window of positions (L)
        WINDOW_UNIT: f64 = unit(WINDOW_BITS);
        /// one unit of a window of displacements (L)
        MOTION_UNIT: f64 = unit(DISPLACEMENT_BITS - MOTION_SHIFT);
        /// one unit of a displacement (L)
        DISPLACEMENT_UNIT: f64 = unit(DISPLACEMENT_BITS);
        /// one unit of a position (L)
        POSITION_UNIT: f64 = unit(POSITION_BITS);
        /// low bits that a window of positions leaves out
        WINDOW_SHIFT: i32 = POSITION_BITS - WINDOW_BITS;
        /// low bits that a window of displacements leaves out
        MOTION_SHIFT: i32 = 21;
    }
    "contact_dynamics/shape" {
        /// sides of a face of a polyhedron at most
        SIDES_MAX: u32 = 12;
    }
    "contact_dynamics/farthest_corner" {
        /// corners in the row of a cell of directions
        LISTED: u32 = LISTED_MAX as u32;
    }
    "contact_dynamics/solve_contacts" {
        /// iterations between two looks at the residual, at most
        SWEEPS_MAX: u32 = 8;
        /// looks at the residual of a dispatch
        GROUP_LOOKS: u32 = 4;
    }
    "state/control" {
        /// asks for a new list of neighbours
        REQUEST_REBUILD: u32 = 1;
        /// this step does not run
        PHASE_PAUSED: u32 = 0;
        /// this step runs
        PHASE_RUNS: u32 = 1;
        /// it runs, and is the first of the run
        PHASE_FIRST: u32 = 2;
        /// contact dynamics is between steps
        SOLVER_WAITS: u32 = 0;
        /// its contacts are known
        SOLVER_FOUND: u32 = 1;
        /// its contacts are being solved
        SOLVER_ITERATES: u32 = 2;
        /// its contacts are solved
        SOLVER_DONE: u32 = 3;
        /// its contacts take colours
        SOLVER_COLOURS: u32 = 4;
        /// its contacts are known, and its bodies were kicked before
        SOLVER_FOUND_AGAIN: u32 = 5;
        /// pairs lack room
        OVERFLOW_PAIRS: u32 = 1;
        /// contacts lack room
        OVERFLOW_CONTACTS: u32 = 2;
        /// fewer colours are recorded than contacts take
        OVERFLOW_COLOURS: u32 = 3;
        /// facets near bodies lack room
        OVERFLOW_FACETS: u32 = 4;
        /// a body has more neighbours than single invocations sort
        OVERFLOW_CROWDED: u32 = 5;
        /// facets near wide bodies lack room
        OVERFLOW_WIDE_FACETS: u32 = 6;
        /// a body meets too many facets for one invocation
        OVERFLOW_WIDE: u32 = 7;
        /// how far the rounding of a step is from that of the last (2^-32)
        ROUNDING_STEP: u32 = 0x9e37_79b1;
        /// bits of fault words; [`control`](super::layout::control) says what each means
        FAULT_NON_FINITE: u32 = 1;
        /// see [`control::OVERSPEED`](super::layout::control::OVERSPEED)
        FAULT_OVERSPEED: u32 = 2;
        /// see [`control::OVERLAP`](super::layout::control::OVERLAP)
        FAULT_OVERLAP: u32 = 4;
        /// see [`control::RANGE`](super::layout::control::RANGE)
        FAULT_RANGE: u32 = 8;
        /// see [`control::TREE`](super::layout::control::TREE)
        FAULT_TREE: u32 = 16;
        /// see [`control::BUDGET`](super::layout::control::BUDGET)
        FAULT_BUDGET: u32 = 32;
        /// see [`control::SURFACE`](super::layout::control::SURFACE)
        FAULT_SURFACE: u32 = 64;
        /// see [`control::CROWD`](super::layout::control::CROWD)
        FAULT_CROWD: u32 = 128;
        /// see [`control::LISTED`](super::layout::control::LISTED)
        FAULT_LISTED: u32 = 256;
        /// see [`control::CORNERS`](super::layout::control::CORNERS)
        FAULT_CORNERS: u32 = 512;
        /// see [`control::TURN`](super::layout::control::TURN)
        FAULT_TURN: u32 = 1024;
        /// see [`control::PLATE`](super::layout::control::PLATE)
        FAULT_PLATE: u32 = 2048;
    }
    "state/manifold" {
        /// contact points of a pair of bodies, or of a body and a wall, at most
        POINTS: u64 = manifold::POINTS;
    }
    "state/view" {
        /// the owner of a pixel that shows nothing; as a depth it is +infinity
        NOBODY: u32 = f32::INFINITY.to_bits();
    }
    "neighbours/gates" {
        /// a new list of neighbours is due
        GATE_REBUILD: u32 = 1;
        /// held gravity is due
        GATE_GRAVITY: u32 = 2;
        /// contacts are to be found
        GATE_DETECT: u32 = 4;
        /// contacts are to be set up
        GATE_SOLVE: u32 = 8;
        /// an iteration is due
        GATE_ITERATE: u32 = 16;
        /// a step is to be closed
        GATE_CLOSE: u32 = 32;
        /// contacts lack colours
        GATE_COLOUR: u32 = 64;
        /// colours are to be listed
        GATE_LIST: u32 = 128;
        /// fields are to act on velocities
        GATE_KICK: u32 = 256;
        /// gated dispatches of a step, at most
        SLOTS_MAX: u64 = 256;
    }
    "neighbours/incidence" {
        /// neighbours of a body, at most
        NEIGHBOURS_MAX: usize = 50_000;
        /// walls of a run, at most: every body goes over them one by one
        WALLS_MAX: usize = 8192;
        /// contacts of a body with all its parts, at most
        CONTACTS_MAX: u32 = 60_000;
        /// contacts of a wall that answers to force, at most
        PLATE_CONTACTS_MAX: u32 = 3_840_000;
    }
    "math/turns" {
        /// turns of the loops of an invocation, at most, where no constant bounds them one by one
        TURNS_MAX: u32 = 60_000;
    }
    "math/dispatch" {
        /// largest workgroup count in one dimension that every WebGPU device takes; a row of a split grid
        GROUPS_MAX: u32 = 65_535;
    }
    "neighbours/row" {
        /// neighbours that a body's row holds
        ROW_MAX: u64 = 16;
    }
    "neighbours/search" {
        /// bodies in the cells around a body, at most
        CROWD_MAX: u32 = 28_000;
        /// these cells, at most
        CELLS_MAX: u32 = 10_000;
    }
    "neighbours/room" {
        /// levels of coarse cells
        ROOM_LEVELS: u32 = 4;
        /// bit of a coarse cell that holds several bodies
        ROOM_SHARED: u32 = 1 << 31;
    }
    "gravity/sum_direct" {
        /// bodies that a direct sum takes: software devices end loops at 65,535 turns in all, and a sum makes 20 for 64 bodies
        DIRECT_MAX: usize = 180_000;
    }
    "gravity/sum_faces" {
        /// faces that an invocation sums, at most: software devices end loops at 65,535 turns
        SLICE_MAX: u32 = 1 << 15;
    }
    "gravity/multipole" {
        /// bit of a child that is a single body
        LEAF: u32 = 1 << 31;
        /// nodes of at most so many bodies are summed body by body
        SUMMED: u32 = 8;
        /// sorted bodies that walk the tree together
        GROUP: u32 = 32;
        /// bodies of a block, blocks of the next larger one
        BLOCK: u32 = 8;
    }
    "gravity/walk_tree" {
        /// times that a walk takes nodes from its stack in one round, at most
        STEPS: u32 = 500;
    }
    "gravity/sum_imbalance" {
        /// bodies whose net force one workgroup sums
        SHARE: u32 = 1024;
    }
    "contact_dynamics/dynamics" {
        /// names of features are this and up to 23 bits
        FEATURE: u32 = 0x4000_0000;
    }
    "contact_dynamics/colours" {
        /// colours of contacts that there are
        COLOURS: u32 = 63;
        /// bits of a colour above the name of a feature
        COLOUR_BITS: u32 = COLOURS << 23;
    }
    "soft_sphere/sum_reaction" {
        /// sums of a step's reaction, which add up to the whole
        REACTION_PARTS: u64 = 8;
    }
    "surface/footprint" {
        /// contacts of a body with an asteroid's surface, at most
        SLOTS: u64 = 4;
    }
    "surface/facet" {
        /// facets of a window, whose buffer takes 128 MiB
        FACES: u64 = 1_198_372;
    }
    "surface/find_wide_facets" {
        /// boxes that an invocation looks at for a wide body
        WIDE_RUN: u64 = 256;
    }
    "surface/lanes" {
        /// invocations that share a wide body's facets
        WIDE_LANES: u64 = 256;
        /// facets of each of them, at most
        WIDE_SHARE_MAX: u64 = 800;
    }
}
