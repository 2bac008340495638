import package::state::manifold::{Manifold, ManifoldPoint, PairPlane, POINTS};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::body::{BodyView, Orientation};
import package::contact_dynamics::dynamics::{FEATURE, NOTHING};
import package::state::shape::{ShapePart};
import package::math::position::{window_difference, WINDOW_UNIT};
import package::math::turn::{turn_f32, turned};
import package::contact_dynamics::outline::{OUTLINE_MAX, outline_count, outline_lane, outline_position, outline_gap, outline_name, outline_names, outline_put, outline_within, outline_reduce};
import package::contact_dynamics::shape::{SLOPE, ShapeSide, facing, face_sides, shape_side, shape_vector};
import package::math::dispatch::{linear_id};

// The points that represent the contact of two polyhedra across their common plane (Sanchez et al. 2021, Fig. 3): the
// face of one is clipped by the sides of the face of the other, seen along the normal (Sutherland and Hodgman 1974).
// One point, two of an edge on a face, or up to four of face on face: three do not carry a box wherever it rests
// stably.
var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read> body_turn: array<Orientation>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> pair_plane: array<PairPlane>;
var<storage, read_write> pair_manifold: array<Manifold>;
var<storage, read> shape_part: array<ShapePart>;
var<storage, read_write> candidate_count: array<u32>;

// Sides are moved out by this part of the smaller radius: a corner that lies on a side, as those of equal boxes on each
// other do, is the same corner in every step whatever rounding says.
const SIDE_SLACK: f32 = 1.0e-4;
// A normal this close to the clipping face's is that face's: exact to rounding, where the climb is not.
const SNAP: f32 = 2.0e-6;

// A gap less than the outline's by so many slacks was missed by it: more than the climb is uncertain by.
const MISSED: f32 = 4.0;

struct Clipper {
    body: u32,
    turn: vec4<f32>,
    centre: vec3<f32>, // from the centre of i
    face: u32,
    own: bool, // is i
}

fn side_data(c: Clipper, side: u32) -> ShapeSide {
    let sides = face_sides(c.face);
    return shape_side(sides.first + side % sides.count);
}

fn corner_position(c: Clipper, corner: u32) -> vec3<f32> {
    return c.centre + turned(c.turn, shape_vector(shape_part[c.body].first_point + corner));
}

fn side_count(c: Clipper) -> u32 {
    return face_sides(c.face).count;
}

fn corner_name(corner: u32, own: bool) -> u32 {
    return FEATURE | select((1u << 20u) | corner, corner << 10u, own);
}

fn edges_name(own: u32, other: u32) -> u32 {
    return FEATURE | (2u << 20u) | (own << 10u) | other;
}

// Starts the outline with the face of `c`; the name of a corner carries, until the end, the side that leaves it.
fn start_outline(c: Clipper) {
    outline_count = min(side_count(c), OUTLINE_MAX);
    for (var s = 0u; s < min(outline_count, OUTLINE_MAX); s++) {
        let data = side_data(c, s);
        outline_put(s, corner_position(c, data.corner), bitcast<f32>(FEATURE | data.edge), corner_name(data.corner, c.own));
    }
}

// Keeps the part of the outline inside one side of the clipping face. outline_gap holds the edge that leaves a corner
// (bits), of the clipped body, or with the top bit of the 23 of the clipping one. In place: of a convex outline one corner
// more is left than was read, at most, so the next one is held. For a second way out, by rounding, there is no room.
fn cut_outline(c: Clipper, side: u32, up: vec3<f32>, slack: f32) {
    let data = side_data(c, side);
    let a = corner_position(c, data.corner);
    let next = side_data(c, side + 1u).corner;
    let b = corner_position(c, next);
    let inward = normalize(cross(up, b - a));
    let old = outline_count;
    let first = outline_position(0u);
    var there = first;
    var leaving_there = bitcast<u32>(outline_gap(0u));
    var name_there = outline_name(0u);
    var stop = dot(inward, there - a) + slack;
    var made = 0u;
    for (var k = 0u; k < min(old, OUTLINE_MAX); k++) {
        let here = there;
        let leaving = leaving_there;
        let name_here = name_there;
        let start = stop;
        there = first;
        if (k + 1u < old) {
            there = outline_position(k + 1u);
            leaving_there = bitcast<u32>(outline_gap(k + 1u));
            name_there = outline_name(k + 1u);
        }
        stop = dot(inward, there - a) + slack;
        if (start >= 0.0 && made < OUTLINE_MAX) {
            outline_put(made, here, bitcast<f32>(leaving), name_here);
            made += 1u;
        }
        if ((start >= 0.0) != (stop >= 0.0) && made < min(k + 2u, OUTLINE_MAX)) {
            let crossing = here + (start / (start - stop)) * (there - here);
            let edge = leaving & 0x3ffu;
            var name = edges_name(select(edge, data.edge, c.own), select(data.edge, edge, c.own));
            if ((leaving & 0x400000u) != 0u) {
                // two sides of the clipping face: their corner
                name = corner_name(select(next, data.corner, distance(crossing, a) < distance(crossing, b)), c.own);
            }
            outline_put(made, crossing, bitcast<f32>(select(leaving, FEATURE | 0x400000u | data.edge, start >= 0.0)), name);
            made += 1u;
        }
    }
    outline_count = made;
}

@compute @workgroup_size(32)
fn clip_manifolds(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, l, 32u);
    outline_lane = l;
    if (p >= params.pair_capacity) {
        return;
    }
    if (pair_plane[p].gap >= NOTHING) {
        candidate_count[p] = 0u;
        return;
    }
    let plane = pair_plane[p];
    let reach = plane.reach;
    let i = pair_body[p].i;
    let j = pair_body[p].j;
    let slack = SIDE_SLACK * min(body_view[i].radius, body_view[j].radius);
    let centre_j = vec3<f32>(window_difference(body_view[j].position, body_view[i].position)) * WINDOW_UNIT;
    let turn_i = turn_f32(body_turn[i].quaternion);
    let turn_j = turn_f32(body_turn[j].quaternion);
    var normal = plane.normal;
    let own = facing(i, turn_i, -normal, reach);
    let other = facing(j, turn_j, normal, reach);
    var face_i = Clipper(i, turn_i, vec3<f32>(0.0), own.face, true);
    var face_j = Clipper(j, turn_j, centre_j, other.face, false);
    // a small preference, so that rounding does not choose between faces that are both parallel
    let with_i = own.cosine >= other.cosine - 1.0e-5;
    var clipping = face_j;
    var clipped = face_i;
    var up = normal;
    var cosine = other.cosine;
    if (with_i) {
        clipping = face_i;
        clipped = face_j;
        up = -normal;
        cosine = own.cosine;
    }
    outline_count = 0u;
    if (cosine > cos(SLOPE)) {
        let face_normal = turned(clipping.turn, shape_vector(clipping.face));
        if (1.0 - cosine < SNAP) {
            up = face_normal;
            normal = select(face_normal, -face_normal, with_i);
        }
        start_outline(clipped);
        let sides = side_count(clipping);
        for (var s = 0u; s < min(sides, OUTLINE_MAX); s++) {
            cut_outline(clipping, s, up, slack);
        }
        let base = corner_position(clipping, side_data(clipping, 0u).corner);
        let tilt = 1.0 / dot(face_normal, up);
        for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
            let position = outline_position(k);
            let gap = dot(face_normal, position - base) * tilt;
            outline_put(k, position - 0.5 * gap * up, gap, outline_name(k));
        }
        outline_within(normal, reach, SLOPE, 2.0 * slack);
    }
    // The closest point may lie outside the faces that were clipped, on a neighbour all but parallel: it counts anyway.
    var least = NOTHING;
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        least = min(least, outline_gap(k));
    }
    let aside = least > plane.gap + MISSED * slack;
    let kind = outline_reduce(normal, slack, select(POINTS, POINTS - 1u, aside));
    if (aside) {
        outline_put(outline_count, plane.middle, plane.gap, plane.feature);
        outline_count += 1u;
    }
    pair_manifold[p].normal = normal;
    pair_manifold[p].kind = kind;
    for (var k = 0u; k < min(outline_count, POINTS); k++) {
        pair_manifold[p].points[k] = ManifoldPoint(outline_position(k), outline_gap(k));
    }
    pair_manifold[p].names = outline_names();
    candidate_count[p] = outline_count;
}
