import package::contact_dynamics::simplex::{simplex_count, simplex_weigh};
import package::state::pair::{Pair};

// How far the search for the common plane of two polyhedra is, and how its tasks begin.

// Tasks of a search, in this order. To the common plane.
const CLIMB: u32 = 0u;
// Near a sharp edge the climb may stop at the face behind it: an overlap counts if no plane separates the bodies.
const PART: u32 = 1u;
// The planes of all faces, for a deep overlap, and a climb from the best of them if it is better.
const ALL_FACES: u32 = 2u;
const CLIMB_ON: u32 = 3u;
// The planes of faces at the corners found whose normals are all but the one found.
const NEAR_FACES: u32 = 4u;
const DONE: u32 = 5u;
// With the task of a climb: the planes through three of its last corners.
const CORNERS: u32 = 8u;

struct Bodies {
    pair: Pair,
    apart: vec3<f32>,
    size: f32, // both radii
    clearance: f32,
    far: f32, // a gap beyond this ends a climb
}

// The best plane so far, and the link: where it leaves i, from the centre of i, and its name.
struct Found {
    normal: vec3<f32>,
    gap: f32,
    arm: vec3<f32>,
    feature: u32,
}

struct Search {
    task: u32,
    normal: vec3<f32>,
    trying: bool, // the normal
    found: Found,
    held: vec3<f32>, // how far i is lifted; of three corners, the weights of the origin's foot; the normal to be near
    before: f32,     // gap at the last lift, or before all faces
    lifts: u32,      // lifts; how often three corners are tried
    next: u32,       // steps done; the next three corners, or face
}

// A climb from the plane found: to the common plane, or to one that parts the bodies if there is one.
fn climb_from_here(before: Search, task: u32) -> Search {
    var s = before;
    s.task = task;
    s.normal = s.found.normal;
    s.trying = true;
    s.found.gap = select(-3.0e38, s.found.gap, task == PART);
    simplex_count = 0u;
    simplex_weigh(vec4<f32>(0.0));
    s.held = vec3<f32>(0.0);
    s.before = -3.0e38;
    s.lifts = 0u;
    s.next = 0u;
    return s;
}

// A walk over the planes of faces.
fn faces_from_here(before: Search, task: u32) -> Search {
    var s = before;
    s.task = task;
    s.held = s.found.normal;
    s.before = s.found.gap;
    s.next = 0u;
    return s;
}
