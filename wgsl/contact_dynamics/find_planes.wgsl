import package::contact_dynamics::dynamics::{FEATURE};
import package::contact_dynamics::farthest_corner::{highest_corner};
import package::contact_dynamics::plane_climb::{climb_step};
import package::contact_dynamics::plane_faces::{next_face};
import package::contact_dynamics::plane_link::{linked};
import package::contact_dynamics::plane_search::{ALL_FACES, Bodies, CLIMB, CLIMB_ON, CORNERS, DONE, Found, NEAR_FACES, PART, Search, climb_from_here, faces_from_here};
import package::contact_dynamics::shape::{shape_vector};
import package::contact_dynamics::simplex::{simplex_lane, simplex_position, simplex_weigh, triangle_weights, without};
import package::math::dispatch::{linear_id};
import package::math::position::{window_difference, WINDOW_UNIT};
import package::math::turn::{turn_f32, turned, turned_back};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::state::body::{BodyView, Orientation};
import package::state::control::{FAULT_CORNERS};
import package::state::control_atomic::{ControlAtomic};
import package::state::manifold::{PairImpulses, PairPlane};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::shape::{ShapePart};

// The common plane of every pair of convex polyhedra (Cundall 1988): the normal of the largest gap, by support
// evaluations alone, from the plane of the step before. The gap along n is the least n.c over the differences c of
// corners of i and j. With i lifted along n until it is clear of j, the algorithm of Gilbert, Johnson and Keerthi (1988)
// never meets the origin inside; the shortest link of the lifted bodies is the next n. It ends where the link is its own
// direction, for bodies apart as for bodies that overlap.
//
// All that is tried is a gap along a normal, by a support evaluation of each body. One loop does these, and `Search`
// says what the next is for: pairs keep step with each other wherever in their search they are.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> body_turn: array<Orientation>;
var<storage, read> pair_body: array<Pair>;
var<storage, read_write> pair_history: array<PairImpulses>;
var<storage, read_write> pair_plane: array<PairPlane>;
var<storage, read> shape_part: array<ShapePart>;

// Clearance of the lifted bodies as a part of the smaller radius: wide enough for the link to have a direction in f32.
const CLEARANCE: f32 = 0.02;
// Turns of a normal besides those that loops add: its own, and one that ends each loop.
const STEP_TURNS: u32 = 7u;
// An overlap deeper than this part of both radii is held against the planes of all faces.
const DEEP: f32 = 1.0e-3;
// The foot of the origin may lie so far outside a face of the differences, as a part of it.
const EDGE: f32 = 1.0e-3;

struct Support {
    corner: u32,
    point: vec3<f32>, // from the body's centre, in inertial axes
}

// The corner of a body that is farthest in a direction. The body is read each time: kept, it would cost registers.
fn support(body: u32, direction: vec3<f32>) -> Support {
    let turn = turn_f32(body_turn[body].quaternion);
    let part = shape_part[body];
    let corner = highest_corner(part, turned_back(turn, direction));
    return Support(corner, turned(turn, shape_vector(part.first_point + corner)));
}

// What follows a climb.
fn climb_done(before: Search, b: Bodies) -> Search {
    var s = before;
    s.task &= ~CORNERS;
    // around the origin the climb that parts has no link
    if (s.task != PART || s.found.gap >= 0.0) {
        s.found = linked(s.found, b.pair.i);
    }
    if (s.task == CLIMB && s.found.gap < 0.0) {
        s = climb_from_here(s, PART);
    } else {
        let deep = s.task == PART && s.found.gap < -DEEP * b.size;
        s = faces_from_here(s, select(NEAR_FACES, ALL_FACES, deep));
    }
    return s;
}

// The next plane through three corners: all but the fourth, the third, the second, the first.
fn next_corners(before: Search, b: Bodies) -> Search {
    var s = before;
    let t = s.next;
    if (t < s.lifts) {
        let p = simplex_position(select(0u, 1u, t == 3u));
        let q = simplex_position(select(1u, 2u, t >= 2u));
        let r = simplex_position(select(2u, 3u, t >= 1u));
        let across = cross(q - p, r - p);
        let square = dot(across, across);
        let weights = triangle_weights(p, q, r);
        let least = min(weights.x, min(weights.y, weights.z));
        s.trying = square > 1.0e-10 * b.size * b.size * b.size * b.size && least > -EDGE;
        s.normal = across * inverseSqrt(square) * select(-1.0, 1.0, dot(across, s.found.normal) >= 0.0);
        s.held = weights;
        s.next = t + 1u;
    } else {
        s = climb_done(s, b);
    }
    return s;
}

// The common plane, from one near it.
fn common_plane(b: Bodies, start: Found) -> Found {
    var s: Search;
    s.found = start;
    s = climb_from_here(s, CLIMB);
    for (; s.task != DONE && turns < TURNS_MAX;) {
        turns += STEP_TURNS;
        if (s.trying) {
            let at_i = support(b.pair.i, -s.normal);
            let at_j = support(b.pair.j, s.normal);
            let difference = b.apart + at_i.point - at_j.point;
            let gap = dot(s.normal, difference);
            if (gap > s.found.gap) {
                s.found.normal = s.normal;
                s.found.gap = gap;
                if ((s.task & CORNERS) != 0u) {
                    simplex_weigh(without(s.held, 4u - s.next));
                }
            }
            if (s.task < ALL_FACES || s.task == CLIMB_ON) {
                s = climb_step(s, b, difference, (at_i.corner << 16u) | at_j.corner);
            }
        }
        if ((s.task & CORNERS) != 0u) {
            s = next_corners(s, b);
        }
        if (s.task == ALL_FACES || s.task == NEAR_FACES) {
            s = next_face(s, b);
        }
    }
    return s.found;
}

// Finds the common plane of pair p, and lists the pair if it is within reach.
fn find(p: u32) {
    let pair = pair_body[p];
    let radius_i = body_view[pair.i].radius;
    let radius_j = body_view[pair.j].radius;
    let size = radius_i + radius_j;
    let apart = vec3<f32>(window_difference(body_view[pair.i].position, body_view[pair.j].position)) * WINDOW_UNIT;
    let distance = max(length(apart), 1.0e-12);
    let reach = pair_plane[p].reach;
    var found = Found(apart / distance, distance - size, vec3<f32>(0.0), FEATURE);
    let before = pair_history[p].normal;
    if (dot(before, before) > 0.5) {
        found.normal = before;
    }
    found = common_plane(Bodies(pair, apart, size, CLEARANCE * min(radius_i, radius_j), reach), found);
    // rows that were read are written by another index, as far as a compiler sees: it holds no addresses through the search
    let row = p + atomicLoad(&control.zero);
    pair_history[row].normal = found.normal;
    if (turns >= TURNS_MAX || cut_short(atomicLoad(&control.zero), turns)) {
        atomicOr(&control.fault_body, FAULT_CORNERS);
        atomicMin(&control.fault_index, pair.i);
    }
    if (found.gap < reach) {
        pair_plane[row].normal = found.normal;
        pair_plane[row].gap = found.gap;
        pair_plane[row].middle = found.arm - 0.5 * found.gap * found.normal;
        pair_plane[row].feature = found.feature;
        pair_plane[atomicAdd(&control.listed_count, 1u)].within = row + 1u;
    }
}

@compute @workgroup_size(64)
fn find_planes(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    simplex_lane = l;
    if (k < min(params.pair_capacity, atomicLoad(&control.near_count))) {
        find(pair_plane[k].near);
    }
}
