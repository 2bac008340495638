//! THE table of buffers: name, element stride, length rule, dimension, life. Nothing else declares a GPU buffer.
//!
//! Dimensions are written in code units: length L, time step T, mass M (see `units.rs`).

pub use super::counts::Counts;

use super::blocks::gravity::tree;
use super::constants::{FACES, REACTION_PARTS, ROW_MAX, SLOTS};
use super::elements::body::{
    BodyInertia, BodyLeader, BodyLoad, BodyMoment, BodyPush, BodyState, BodyView, BodyWeight, Field, Orientation,
};
use super::elements::cell::{CellEntry, CellRange};
use super::elements::contact::{
    BodyColours, ColourEntry, ContactBody, ContactFrame, ContactImpulse, ContactScale, Residual, RigidLaw,
};
use super::elements::control::Control;
use super::elements::face::{FaceCorner, FaceMoments, FaceNode, FacePart, FaceSide};
use super::elements::facet::{FacetMeeting, Listed, SurfaceFace, SurfaceNode, SurfaceTouch};
use super::elements::frame::{FrameRow, Reaction};
use super::elements::gravity::{Balance, Branch, Imbalance, Source, SourceMoments, TreeNode, TreeScale, TreeTarget};
use super::elements::manifold::{Manifold, PairImpulses, PairPlane, WallImpulses};
use super::elements::pair::{Dissipation, Pair, PairMemory, PairResult, WallMemory, WallResult};
use super::elements::picture::{BodyPlanes, Facet, PixelPatch, Plane, Sphere, Vertex};
use super::elements::shape::ShapePart;
use super::elements::wall::{PlateDrive, WallState};
use super::elements::work::{PairArgs, WorkArgs, WorkSlot};
use super::layout::{AsteroidParams, DynamicsParams, GravityParams, Params, View};
use super::uniform;

/// What becomes of a buffer between steps and at a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// written by the host, constant during a run
    Constant,
    /// changes, and goes into the checkpoint
    State,
    /// written before it is read in every use
    Scratch,
}

/// Stride of a buffer whose elements the shader of the run declares: a whole number of words.
pub const OPEN: u32 = 0;
/// Bytes of a word.
const WORD: u64 = 4;

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct BufferSpec {
    /// name, as WGSL variables bind it
    pub name: &'static str,
    /// bytes of one element; [`OPEN`] if shaders may declare elements of their own
    pub stride: u32,
    /// the same in a run of contact dynamics, where it keeps something else
    pub stride_rigid: u32,
    /// number of elements, of an open buffer of words
    pub length: fn(&Counts) -> u64,
    /// features of the runs that have it; others have `least` of it
    pub features: &'static [&'static str],
    /// physical dimension
    pub dimension: &'static str,
    /// life
    pub life: Life,
    /// bytes that a checkpoint has of it at least
    pub least: u64,
}

const fn row(
    name: &'static str,
    stride: u32,
    length: fn(&Counts) -> u64,
    dimension: &'static str,
    life: Life,
) -> BufferSpec {
    BufferSpec { name, stride, stride_rigid: stride, length, features: &[], dimension, life, least: 0 }
}

impl BufferSpec {
    /// The same, but with elements of `stride` bytes in contact dynamics.
    const fn or_rigid(self, stride: u32) -> BufferSpec {
        BufferSpec { stride_rigid: stride, ..self }
    }

    /// The same, for runs alone that have all of these [features](super::features).
    const fn only(self, features: &'static [&'static str]) -> BufferSpec {
        BufferSpec { features, ..self }
    }

    /// The same, with so many bytes where a run has no element of it.
    const fn least(self, bytes: u64) -> BufferSpec {
        BufferSpec { least: bytes, ..self }
    }
}

/// Bytes of an element.
const fn size<T>() -> u32 {
    size_of::<T>() as u32
}

use Life::{Constant, Scratch, State};

/// The table.
pub static TABLE: &[BufferSpec] = &[
    row("params", uniform::size::<Params>(), |_| 1, "uniform parameters", Constant),
    row("control", size::<Control>(), |_| 1, "step counters and flags; contacts by colour", State),
    row("work_slot", size::<WorkSlot>(), |c| c.of("slot"), "gate, workgroups x, y of gated dispatches, 1 if over contacts", Constant),
    row("work_args", size::<WorkArgs>(), |c| c.of("slot"), "indirect arguments of gated dispatches", Scratch),
    row("pair_args", size::<PairArgs>(), |_| 1, "indirect arguments over pairs", State),
    // bodies
    row(
        "body_state",
        size::<BodyState>(),
        |c| c.of("part"),
        "position [2^-38 L], displacement [2^-58 L/T], spin [2^-58 /T]",
        State,
    ),
    row(
        "body_view",
        size::<BodyView>(),
        |c| c.of("part"),
        "position window, radius; velocity window, 1/mass; spin, material; anchor, of a clump's part its body and one, of a \
         soft sphere its room [L]",
        State,
    ),
    row("body_gravity", size::<Field>(), |c| c.of("body"), "held acceleration [L/T2], potential [L2/T2]", State),
    row("body_self_pull", 4, |c| c.of("body"), "size of self-gravity at the last evaluation, over G [M/L2]", State)
        .only(&["gravity_tree"]),
    row("body_field", size::<Field>(), |c| c.of("body"), "self-gravity at the present instant, for measuring", Scratch),
    // turning frames of soft spheres: empty in an inertial one
    row(
        "frame_row",
        size::<FrameRow>(),
        |c| 2 * c.of("frame_leg"),
        "steps of an interval: the first, the others",
        State,
    ),
    row(
        "frame_reaction",
        size::<Reaction>(),
        |c| REACTION_PARTS * c.of("reaction"),
        "impulse [M L/T], torque impulse [M L2/T] by step in several sums, whole numbers of what sum_bits says",
        State,
    ),
    row(
        "body_load",
        size::<BodyLoad>(),
        |c| c.of("body"),
        "acceleration [L/T2]; change of spin [1/T2]",
        Scratch,
    ).only(&["soft_spheres", "turning_frame"]),
    row(
        "body_weight",
        size::<BodyWeight>(),
        |c| c.of("body"),
        "mass [M] and moment of inertia [M L2]",
        Constant,
    ).only(&["soft_spheres", "turning_frame"]),
    // neighbour search
    row("cell_key", 4, |c| c.of("part"), "hash of the cell and level", Scratch),
    row("cell_body", 4, |c| c.of("part"), "body, sorted by cell key", Scratch),
    row("cell_entry", size::<CellEntry>(), |c| c.of("part"), "coarse position [L/64], body and level, sorted by cell key", Scratch),
    row("cell_range", size::<CellRange>(), |c| c.of("hash"), "first and last entry of a cell key", Scratch),
    row("room_cell", 4, |c| c.of("room"), "keys of coarse cells that hold bodies", Scratch).only(&["soft_spheres"]),
    row("neighbour_count", 4, |c| c.of("part"), "neighbours of a body", Scratch),
    row("neighbour_row", 4, |c| ROW_MAX * c.of("part"), "neighbours of a body as they are found", Scratch).only(&["uncrowded"]),
    row("upper_count", 4, |c| c.of("part"), "neighbours of higher index", Scratch),
    // neighbours as entries of all bodies: empty unless some body has very many
    row("entry_count", 4, |c| c.of("part"), "entries that a body makes", Scratch).only(&["crowded"]),
    row("entry_offset", 4, |c| c.of("part_next"), "first of them", Scratch).only(&["crowded"]),
    row("entry_key", 4, |c| 2 * c.of("entry"), "body and neighbour, low and high word", Scratch).only(&["crowded"]),
    row("entry_load", 4, |c| c.of("entry"), "what the sort moves along: where an entry stood", Scratch).only(&["crowded"]),
    row("pair_offset_next", 4, |c| c.of("part") + 1, "first pair of a body, being built", Scratch),
    row("incident_offset", 4, |c| c.of("part") + 1, "first incidence of a body", State),
    row("incident_body", 4, |c| 2 * c.of("pair"), "neighbours of a body, ascending", Scratch),
    row("incident_pair", 4, |c| 2 * c.of("pair"), "2 pair + side", State),
    // contacts
    row("pair_offset", 4, |c| c.of("part") + 1, "first pair of a body", State),
    row("pair_body", size::<Pair>(), |c| c.of("pair"), "the two bodies, ascending", State),
    row(
        "pair_history",
        size::<PairMemory>(),
        |c| c.of("pair"),
        "sliding [L], twist; rolling, last overlap; or impulses of contact points [M L/T], feature",
        State,
    )
    .or_rigid(size::<PairImpulses>()),
    row("pair_offset_prev", 4, |c| c.of("part") + 1, "the list before", Scratch),
    row("pair_body_prev", size::<Pair>(), |c| c.of("pair"), "the list before", Scratch),
    row("pair_history_prev", size::<PairMemory>(), |c| c.of("pair"), "the list before", Scratch).or_rigid(size::<PairImpulses>()),
    row(
        "pair_result",
        size::<PairResult>(),
        // software devices take two words at a time
        |c| c.of("pair").next_multiple_of(2),
        "force on the first [M L/T2]; torques on both",
        State,
    ).only(&["soft_spheres"]),
    row(
        "pair_dissipated",
        size::<Dissipation>(),
        |c| c.of("pair"),
        "energy lost by slot [M L2/T2]: normal, sliding, rolling, twisting; a slot is of a pair, of eight, or of a workgroup",
        State,
    ),
    row(
        "contact_law",
        OPEN,
        |c| c.of("law") * c.of("law_constant"),
        "constants of a pair of materials, by the law's own struct",
        Constant,
    ).only(&["soft_spheres"]),
    // contact dynamics: empty in a run of soft spheres
    row("dynamics", uniform::size::<DynamicsParams>(), |_| 1, "uniform parameters of contact dynamics", Constant),
    row("rigid_law", size::<RigidLaw>(), |c| c.of("law"), "friction, restitution, cohesion [M L/T], its range [L]", Constant),
    row("body_inertia", size::<BodyInertia>(), |c| c.of("body_all"), "1/mass, root of the inverse inertia, 1 if a wall", State).only(&["contact_dynamics"]),
    row("body_moment", size::<BodyMoment>(), |c| c.of("body"), "principal moments over the largest; the largest [M L2]", Constant).only(&["polyhedra"]),
    row("shape_part", size::<ShapePart>(), |c| c.of("part"), "points, faces, radius [L] of a part", Constant).only(&["polyhedra"]),
    row("shape_data", 16, |c| c.of("shape_data"), "points, faces, sides of shapes", Constant),
    row("pair_plane", size::<PairPlane>(), |c| c.of("pair"), "common plane, gap [L]; link's middle; reach [L]", Scratch).only(&["polyhedra"]),
    row(
        "pair_manifold",
        size::<Manifold>(),
        |c| c.of("pair"),
        "normal, kind; contact points from the first body [L], gap [L]; their names",
        Scratch,
    ).only(&["polyhedra"]),
    row("wall_manifold", size::<Manifold>(), |c| c.of("part_wall"), "the same of a body and a wall", Scratch).only(&["polyhedra"]),
    row("body_turn", size::<Orientation>(), |c| c.of("part"), "orientation [2^-30]", State).only(&["polyhedra"]),
    row("body_angular", size::<[i64; 3]>(), |c| c.of("body"), "angular momentum over the largest moment [2^-58 /T]", State).only(&["polyhedra"]),
    row("body_part", 4, |c| c.of("body") + 1, "first of a body's further parts", Constant).only(&["contact_dynamics"]),
    row("body_push", size::<BodyPush>(), |c| c.of("body_all"), "velocity [L/T] and spin [1/T] by impulses", Scratch).only(&["contact_dynamics"]),
    row("body_split", 4, |c| c.of("body_all"), "spectral count of a body's contacts", Scratch).only(&["contact_dynamics"]),
    row(
        "body_shown",
        size::<BodyState>(),
        |c| c.of("body_all"),
        "body_state at the instant of the velocities",
        Scratch,
    ).only(&["contact_dynamics"]),
    row("candidate_count", 4, |c| c.of("candidate"), "contacts of a pair, then of a part and a wall", Scratch).only(&["contact_dynamics"]),
    row("contact_offset", 4, |c| c.of("candidate") + 1, "first contact of a candidate", Scratch).only(&["contact_dynamics"]).least(4),
    row("body_contact_count", 4, |c| c.of("body_all"), "contacts of a body", Scratch).only(&["contact_dynamics"]),
    row("body_contact_offset", 4, |c| c.of("body_all") + 1, "first of a body's contacts", State).only(&["contact_dynamics"]).least(4),
    row("body_contact", 4, |c| 2 * c.of("contact"), "2 contact + side", Scratch),
    row("contact_body", size::<ContactBody>(), |c| c.of("contact"), "both bodies, candidate, feature", Scratch),
    row(
        "contact_frame",
        size::<ContactFrame>(),
        |c| c.of("contact"),
        "normal, friction; arm [L], cohesion [M L/T]; arm, bias [L/T]; free velocity, gap [L]; velocity before",
        Scratch,
    ),
    row("contact_scale", size::<ContactScale>(), |c| c.of("contact"), "step lengths [M]; Delassus diagonal [1/M]", Scratch),
    row("contact_impulse", size::<ContactImpulse>(), |c| c.of("contact"), "impulse on the first and the guess of it [M L/T]", Scratch),
    row("body_colours", size::<BodyColours>(), |c| c.of("body"), "colours of a body's contacts, a bit each", Scratch).only(&["sweeps"]),
    row("body_leader", size::<BodyLeader>(), |c| c.of("body"), "highest proposal of even and odd rounds", Scratch).only(&["sweeps"]),
    row("colour_count", 4, |_| 64, "contacts by colour, then the next index of each", Scratch).only(&["sweeps"]),
    row("colour_list", size::<ColourEntry>(), |c| c.of("contact"), "contact, bodies, 1 if the second moves, scale; by colour", Scratch).only(&["sweeps"]),
    row("contact_residual", size::<Residual>(), |c| c.of("contact"), "residual and size squared [L2/T2]", Scratch),
    row("residual_partial", size::<Residual>(), |c| c.of("contact").div_ceil(64), "sums of contact_residual", Scratch),
    // walls
    row(
        "wall_plane",
        size::<WallState>(),
        |c| c.of("wall"),
        "point [2^-38 L], material, step; displacement [2^-58 L/T], its window before; normal, axes [2^-30], end; halves [2^-38 L]",
        State,
    )
    .least(16),
    row("plate_drive", size::<PlateDrive>(), |c| c.of("wall"), "velocity by a servo's force in a step, largest speed [L/T]", Constant).only(&["plates"]),
    row(
        "wall_history",
        size::<WallMemory>(),
        |c| c.of("part_wall"),
        "as pair_history, and last the work",
        State,
    )
    .or_rigid(size::<WallImpulses>())
    .least(16),
    row(
        "wall_result",
        size::<WallResult>(),
        |c| c.of("part_wall") + c.of_feature("surface", "body"),
        "force on the body, overlap; torque; then of the surface on every body",
        State,
    ).only(&["soft_spheres"])
    .least(16),
    row("wall_dissipated", size::<Dissipation>(), |c| c.of("part_wall"), "as pair_dissipated", State).least(16),
    // the surface of an asteroid: empty without one
    row(
        "surface_node",
        size::<SurfaceNode>(),
        |c| c.of("surface_node").max(1),
        "boxes of facets [L/64]: least, node after the subtree; largest, facets of a leaf",
        Constant,
    ),
    row(
        "surface_face",
        size::<SurfaceFace>(),
        |c| c.of("facet").min(FACES),
        "facets of the first window: corner [2^-38 L]; normal, its rest, normals of the sides [2^-30]; cotangents",
        Constant,
    ),
    row(
        "surface_face_second",
        size::<SurfaceFace>(),
        |c| c.of("facet").saturating_sub(FACES).min(FACES),
        "facets of the second window",
        Constant,
    ).only(&["second_window"]),
    row("surface_face_third", size::<SurfaceFace>(), |c| c.of("facet").saturating_sub(2 * FACES), "all other facets", Constant)
        .only(&["third_window"]),
    row("surface_count", 4, |c| c.of("body"), "facets near a body", Scratch).only(&["surface"]),
    row("surface_offset", 4, |c| c.of("body") + 1, "first facet of a body, being built", State).only(&["surface"]).least(4),
    row(
        "surface_list",
        size::<Listed>(),
        |c| c.of("body") + 1 + c.of("facet_list"),
        "bodies at the ground with the entry of their first facet; facets near bodies",
        State,
    ).only(&["surface"]).least(16),
    row("surface_meeting", size::<FacetMeeting>(), |c| c.of("facet_list"), "normal or direction; overlap, R - h [L]; share", Scratch).only(&["surface"]),
    row("ground_mark", 4, |c| c.of("body"), "1 of bodies at the ground", Scratch).only(&["surface"]),
    row("ground_offset", 4, |c| c.of("body") + 1, "bodies at the ground before a body", Scratch).only(&["surface"]),
    row("ground_args", size::<PairArgs>(), |_| 1, "indirect arguments over bodies at the ground", State).only(&["surface"]),
    row("facet_args", size::<PairArgs>(), |_| 1, "indirect arguments over the facets near bodies", State).only(&["surface"]),
    row("wide_facets", 4, |c| c.of("wide_run"), "facets near a wide body in a run of boxes", Scratch),
    row("wide_offset", 4, |c| c.of("wide_run") + 1, "first of them, being built", State),
    row(
        "wide_list",
        size::<Listed>(),
        |c| match c.of("wide") {
            0 => 0,
            wide => wide + 1 + c.of("wide_list"),
        },
        "every wide body with the entry of its first facet; facets near them",
        State,
    ),
    row("wide_meeting", size::<FacetMeeting>(), |c| c.of("wide_list"), "as surface_meeting, of wide bodies", Scratch),
    row(
        "surface_touch",
        size::<SurfaceTouch>(),
        |c| SLOTS * c.of("body"),
        "sliding [L], twist; rolling, weight; normal, overlap; force; torque; losses of a contact",
        State,
    ).only(&["surface"])
    .least(16),
    // gravity
    row("gravity_params", uniform::size::<GravityParams>(), |_| 1, "uniform parameters of gravity", Constant),
    row("measure_params", uniform::size::<GravityParams>(), |_| 1, "the same, for the present instant", Constant),
    row("gravity_extent", 4, |_| 4, "largest coarse distance from body 0", Scratch),
    row("tree_position", size::<Source>(), |c| c.of("body"), "position, mass [M]; rest of the position", Scratch),
    row("tree_scale", size::<TreeScale>(), |_| 1, "length of one unit of a position [L], shift", Scratch),
    // gravity tree: empty unless a tree is asked for
    row("tree_key", 4, |c| 2 * c.of("body"), "Hilbert key, low and high word", Scratch).only(&["gravity_tree"]),
    row("tree_index", 4, |c| c.of("body"), "body, sorted by key", Scratch).only(&["gravity_tree"]),
    row("tree_source", size::<Source>(), |c| c.of("body"), "tree_position, sorted by key", Scratch).only(&["gravity_tree"]),
    row("tree_node", size::<TreeNode>(), |c| c.of("body"), "left, right, first, last", Scratch).only(&["gravity_tree"]),
    row(
        "tree_block",
        size::<SourceMoments>(),
        |c| tree::block_count(c.of("body")),
        "moments of aligned blocks of sorted bodies",
        Scratch,
    ).only(&["gravity_tree"]),
    row("tree_branch", size::<Branch>(), |c| c.of("body"), "moments and links of a node", Scratch).only(&["gravity_tree"]),
    row("tree_target", size::<TreeTarget>(), |c| tree::group_count(c.of("body")), "box of a group, strictness", Scratch).only(&["gravity_tree"]),
    row("tree_field", size::<Field>(), |c| c.of("body"), "field over G, sorted", Scratch).only(&["gravity_tree"]),
    row(
        "tree_partial",
        size::<Imbalance>(),
        |c| tree::partial_count(c.of("body")),
        "net force, torque, weights of a run",
        Scratch,
    ).only(&["gravity_tree"]),
    row(
        "tree_balance",
        size::<Balance>(),
        |_| 1,
        "net force and torque taken out of the field, share of the forces",
        Scratch,
    ),
    // field of the asteroid: empty unless one attracts
    row("asteroid_params", uniform::size::<AsteroidParams>(), |_| 1, "uniform parameters of the asteroid's field", Constant),
    row(
        "face_corner",
        size::<FaceCorner>(),
        |c| c.of("face"),
        "corner, a side, lengths of two [radii of the asteroid]",
        Constant,
    ),
    row(
        "face_side",
        size::<FaceSide>(),
        |c| c.of("face"),
        "another side, its length, normal, twice the area",
        Constant,
    ),
    row(
        "face_node",
        size::<FaceNode>(),
        |c| c.of("face_node"),
        "centre, reach, charge and third moment of a node; links",
        Constant,
    ),
    row("face_first", size::<FaceMoments>(), |c| c.of("face_node"), "first moments, xx of the second", Constant),
    row("face_second", size::<FaceMoments>(), |c| c.of("face_node"), "second moments, yy, xy, xz, yz", Constant),
    row("face_partial", size::<FacePart>(), |c| c.of("face_partial"), "sum over a slice of the faces", Scratch),
    row(
        "body_pull",
        size::<Field>(),
        |c| c.of("body"),
        "the asteroid's acceleration at the present instant",
        Scratch,
    ).only(&["asteroid_field"]),
    // pictures: empty in a run
    row("picture_view", uniform::size::<View>(), |_| 1, "uniform camera [scene radius]", Constant),
    row("shadow_view", uniform::size::<View>(), |_| 1, "uniform camera in the sun [scene radius]", Constant),
    row("picture_sphere", size::<Sphere>(), |c| c.of("picture_body"), "centre, radius [scene radius]", Constant),
    row("picture_face", size::<BodyPlanes>(), |c| c.of("picture_body"), "first plane, how many; none of a sphere", Constant),
    row(
        "picture_plane",
        size::<Plane>(),
        |c| c.of("picture_plane"),
        "outward normal to the camera, distance from the centre",
        Constant,
    ),
    row("shadow_plane", size::<Plane>(), |c| c.of("picture_plane"), "the same to the sun [scene radius]", Constant),
    row("picture_tint", 4, |c| c.of("picture_body"), "square roots of red, green, blue", Constant),
    row("picture_patch", size::<PixelPatch>(), |c| c.of("picture_patch"), "body; first x, y; width, height", Constant),
    row("shadow_patch", size::<PixelPatch>(), |c| c.of("shadow_patch"), "the same in the sun's picture", Constant),
    row("picture_vertex", size::<Vertex>(), |c| c.of("picture_vertex"), "corners of facets [scene radius], 0", Constant),
    row("picture_facet", size::<Facet>(), |c| c.of("picture_facet"), "corners; square roots of red, green, blue", Constant),
    row("picture_facet_patch", size::<PixelPatch>(), |c| c.of("picture_facet_patch"), "facet; first x, y; width, height", Constant),
    row("shadow_facet_patch", size::<PixelPatch>(), |c| c.of("shadow_facet_patch"), "the same in the sun's picture", Constant),
    row("picture_depth", 4, |c| c.of("picture_sample"), "distance of what is nearest [scene radius]", Scratch),
    row("picture_owner", 4, |c| c.of("picture_sample"), "body seen, or facet behind all bodies", Scratch),
    row("shadow_depth", 4, |c| c.of("shadow_sample"), "distance from the sun's plane [scene radius]", Scratch),
    row("picture_light", 4, |c| c.of("picture_sample"), "square roots of red, green, blue; covered", Scratch),
    row("picture", 4, |c| c.of("picture"), "sRGB and alpha", Scratch),
];

/// The row of that name.
pub fn spec(name: &str) -> Option<&'static BufferSpec> {
    TABLE.iter().find(|s| s.name == name)
}

impl BufferSpec {
    /// Bytes of one element for these counts.
    pub fn element(&self, counts: &Counts) -> u64 {
        u64::from(if counts.has("contact_dynamics") { self.stride_rigid } else { self.stride })
    }

    /// Size for these counts (bytes).
    pub fn bytes(&self, counts: &Counts) -> u64 {
        let element = self.element(counts).max(if self.stride == OPEN { WORD } else { 0 });
        let there = self.features.iter().all(|feature| counts.has(feature));
        (element * if there { (self.length)(counts) } else { 0 }).max(self.least)
    }

    /// Bytes on the device: a shader that binds it wants one element at least.
    pub fn room(&self, counts: &Counts) -> u64 {
        self.bytes(counts).max(self.element(counts)).max(16)
    }
}
