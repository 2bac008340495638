import package::contact_dynamics::farthest_corner::{highest_corner};
import package::contact_dynamics::shape::{CornerFaces, FACE_ROWS, corner_faces, corner_face, shape_vector};
import package::state::manifold::{PairImpulses, PairPlane};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::control::{FAULT_CORNERS};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView, Orientation};
import package::state::shape::{ShapePart};
import package::contact_dynamics::dynamics::{FEATURE};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::math::position::{window_difference, WINDOW_UNIT};
import package::math::turn::{turn_f32, turned, turned_back};
import package::contact_dynamics::simplex::{closest_part, closest_point, triangle_weights, without, simplex_count, simplex_lane, simplex_corners, simplex_position, simplex_put, simplex_reduce, simplex_weigh, simplex_weight};
import package::math::dispatch::{linear_id};

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
const STEPS_MAX: u32 = 40u;
// Turns of a normal besides those that loops add: its own, and one that ends each loop.
const STEP_TURNS: u32 = 7u;
// Heights that count as equal, as a part of both radii: some times rounding.
const EQUAL: f32 = 3.0e-7;
// An overlap deeper than this part of both radii is held against the planes of all faces.
const DEEP: f32 = 1.0e-3;
// A normal this close to a face's, where a climb ends that found no three corners of it, is tried as the face's.
const SNAP: f32 = 2.0e-6;
// Normals that differ by less are the same.
const SAME: f32 = 1.0e-6;
// The foot of the origin may lie so far outside a face of the differences, as a part of it.
const EDGE: f32 = 1.0e-3;

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

struct Support {
    corner: u32,
    point: vec3<f32>, // from the body's centre, in inertial axes
}

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

// The corner of a body that is farthest in a direction. The body is read each time: kept, it would cost registers.
fn support(body: u32, direction: vec3<f32>) -> Support {
    let turn = turn_f32(body_turn[body].quaternion);
    let part = shape_part[body];
    let corner = highest_corner(part, turned_back(turn, direction));
    return Support(corner, turned(turn, shape_vector(part.first_point + corner)));
}

// Names what the link leaves and meets: a corner of i, a corner of j, or two edges.
fn link_feature(own: vec2<u32>, other: vec2<u32>) -> u32 {
    var name = (2u << 20u) | (((own.x * 37u + own.y) & 0x3ffu) << 10u) | ((other.x * 37u + other.y) & 0x3ffu);
    if (other.x == other.y) {
        name = (1u << 20u) | other.x;
    }
    if (own.x == own.y) {
        name = own.x << 10u;
    }
    return FEATURE | name;
}

// The link in the making: lowest and highest corner of each body.
struct Link {
    arm: vec3<f32>,
    own: vec2<u32>,
    other: vec2<u32>,
}

fn with_point(before: Link, k: u32, turn: vec4<f32>, first: u32) -> Link {
    var link = before;
    let weight = simplex_weight(k);
    if (weight != 0.0) {
        let own = simplex_corners(k) >> 16u;
        let other = simplex_corners(k) & 0xffffu;
        link.arm += weight * turned(turn, shape_vector(first + own));
        if (weight > 0.0) {
            link.own = vec2<u32>(min(link.own.x, own), max(link.own.y, own));
            link.other = vec2<u32>(min(link.other.x, other), max(link.other.y, other));
        }
    }
    return link;
}

// Takes the link of the simplex.
fn linked(before: Found, i: u32) -> Found {
    let turn = turn_f32(body_turn[i].quaternion);
    let first = shape_part[i].first_point;
    var found = before;
    var link = Link(vec3<f32>(0.0), vec2<u32>(0xffffffffu, 0u), vec2<u32>(0xffffffffu, 0u));
    link = with_point(link, 0u, turn, first);
    link = with_point(link, 1u, turn, first);
    link = with_point(link, 2u, turn, first);
    link = with_point(link, 3u, turn, first);
    if (link.own.x <= link.own.y) {
        found.arm = link.arm;
        found.feature = link_feature(link.own, link.other);
    }
    return found;
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

// A step of a climb, with the difference of corners that its normal has met.
fn climb_step(before: Search, b: Bodies, difference: vec3<f32>, corners: u32) -> Search {
    var s = before;
    let n = s.normal;
    let level = dot(n, difference) + EQUAL * b.size;
    let lower = vec2<f32>(dot(n, simplex_position(0u)), dot(n, simplex_position(1u)));
    let heights = vec4<f32>(lower, dot(n, simplex_position(2u)), dot(n, simplex_position(3u)));
    let there = vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(simplex_count);
    let shortest = any((heights <= vec4<f32>(level)) & there);
    let lifting = s.task != PART && (shortest || s.lifts == 0u);
    var going = !(lifting && s.lifts > 1u && s.found.gap <= s.before + EQUAL * b.size);
    s.next += 1u;
    if (going) {
        if (lifting) {
            s.before = s.found.gap;
            s.held = max(max(b.clearance, -s.before) - s.before, 0.0) * s.found.normal;
            s.lifts += 1u;
        }
        if (!shortest) {
            simplex_put(difference, corners);
        }
        let link = closest_part(s.held);
        going = !(link.inside || link.square < EQUAL * EQUAL * b.size * b.size);
        if (going) {
            // only the part around the closest point is kept
            s.normal = closest_point(link, s.held) * inverseSqrt(link.square);
            simplex_reduce(link);
            let turned_by = s.normal - n;
            going = s.next < STEPS_MAX && !(shortest && dot(turned_by, turned_by) < 1.0e-12);
        }
    }
    if (s.found.gap > b.far) {
        s.task = DONE;
    } else if (!going) {
        // The link's direction is as good as the root of rounding. Three corners of the differences name their face: a
        // corner on a face, or an edge across an edge, whose normal is exact. The difference met last is often the
        // third: it was dropped if rounding made it seem no nearer.
        s.task |= CORNERS;
        s.lifts = select(select(0u, 1u, simplex_count == 2u), 4u, simplex_count == 3u);
        s.next = 0u;
        simplex_put(difference, corners);
    }
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

// Faces of a body that are to be tried: all, or those around its farthest corner in a direction.
fn faces_along(body: u32, direction: vec3<f32>, near: bool) -> CornerFaces {
    let part = shape_part[body];
    var faces = CornerFaces(part.first_face, part.face_count);
    if (near) {
        let local = turned_back(turn_f32(body_turn[body].quaternion), direction);
        faces = corner_faces(part.first_point + highest_corner(part, local));
    }
    return faces;
}

// The next plane of a face that is to be tried: the outward normal of a face of j, the inward one of a face of i.
fn next_face(before: Search, b: Bodies) -> Search {
    var s = before;
    let near = s.task == NEAR_FACES;
    let of_j = faces_along(b.pair.j, s.held, near);
    let of_i = faces_along(b.pair.i, -s.held, near);
    s.trying = false;
    for (; s.next < of_j.count + of_i.count && !s.trying && turns < TURNS_MAX; s.next++) {
        turns += 1u;
        let own = s.next >= of_j.count;
        let k = s.next - select(0u, of_j.count, own);
        let faces = CornerFaces(select(of_j.first, of_i.first, own), 0u);
        var row = faces.first + FACE_ROWS * k;
        if (near) {
            row = corner_face(faces, k);
        }
        let outward = turned(turn_f32(body_turn[select(b.pair.j, b.pair.i, own)].quaternion), shape_vector(row));
        s.normal = select(outward, -outward, own);
        let off = s.normal - s.held;
        let square = dot(off, off);
        s.trying = !near || (square > SAME * SAME && square <= 2.0 * SNAP);
    }
    if (!s.trying) {
        if (near) {
            s.task = DONE;
        } else if (s.found.gap > s.before) {
            s = climb_from_here(s, CLIMB_ON);
        } else {
            s = faces_from_here(s, NEAR_FACES);
        }
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
