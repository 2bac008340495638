import package::state::manifold::{Manifold, ManifoldPoint, PairPlane, POINTS};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::body::{BodyView, Orientation};
import package::math::position::{window_difference, WINDOW_UNIT};
import package::math::turn::{turn_f32, turned};
import package::contact_dynamics::outline::{outline_add, outline_count, outline_gap, outline_level, outline_lowest, outline_names, outline_place, outline_reduce, outline_start};
import package::contact_dynamics::seen_face::{Face, axes_about, corner_at, corner_of, face_of, level_of};
import package::contact_dynamics::facing::{facing};
import package::contact_dynamics::shape::{SIDES_MAX, SLOPE, SNAP, shape_side, shape_vector};
import package::math::dispatch::{linear_id};

// The points that represent the contact of two polyhedra across their common plane (Sanchez et al. 2021, Fig. 3): the
// overlap of a face of one and a face of the other, seen along the normal. One point, two of an edge on a face, or up to
// four of face on face: three do not carry a box wherever it rests stably.
//
// The outline of the overlap follows the sides of one face, the clipped one. A side enters the other, clipping face by one
// of its sides and leaves it by another; the part between is in the outline (Cyrus and Beck 1978). From where the outline
// leaves to where it comes back it follows the clipping face, through its corners. Nothing but the outline is kept.
var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read> body_turn: array<Orientation>;
var<storage, read> pair_body: array<Pair>;
var<storage, read> pair_plane: array<PairPlane>;
var<storage, read_write> pair_manifold: array<Manifold>;
var<storage, read_write> candidate_count: array<u32>;

// Sides are moved out by this part of the smaller radius: a corner that lies on a side, as those of equal boxes on each
// other do, is the same corner in every step whatever rounding says.
const SIDE_SLACK: f32 = 1.0e-4;
// A gap less than the outline's by so many slacks was missed by it. `verify` finds the climb good to 2e-5 of both radii.
const MISSED: f32 = 2.0;
// No side.
const NONE: u32 = 0xffffffffu;

// The part of a side of the clipped face that is inside the clipping one.
struct Piece {
    enters: f32, // parts of the side's length
    leaves: f32,
    entered: u32, // by these sides of the clipping face, or NONE
    left: u32,
    outside: bool,
}

fn corner_name(corner: u32, own: bool) -> u32 {
    return select((1u << 20u) | corner, corner << 10u, own);
}

fn crossing_name(clipped: Face, side: u32, clipping: Face, other: u32, with_i: bool) -> u32 {
    let edge = shape_side(clipped.sides.first + side).edge;
    let across = shape_side(clipping.sides.first + other).edge;
    return (2u << 20u) | (select(edge, across, with_i) << 10u) | select(across, edge, with_i);
}

// Above 0 if p is left of the line from a to b.
fn left_of(a: vec2<f32>, b: vec2<f32>, p: vec2<f32>) -> f32 {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

fn piece_of(clipping: Face, here: vec2<f32>, there: vec2<f32>, slack: f32) -> Piece {
    let first = corner_at(clipping, 0u);
    var piece = Piece(0.0, 1.0, NONE, NONE, false);
    var a = first;
    for (var s = 0u; s < min(clipping.sides.count, SIDES_MAX); s++) {
        var b = first;
        if (s + 1u < clipping.sides.count) {
            b = corner_at(clipping, s + 1u);
        }
        let spare = slack * distance(a, b);
        let start = left_of(a, b, here) + spare;
        let stop = left_of(a, b, there) + spare;
        let part = min(start / select(1.0, start - stop, start != stop), 1.0);
        if (start < 0.0 && stop >= 0.0 && part >= piece.enters) {
            piece.enters = part;
            piece.entered = s;
        }
        if (start >= 0.0 && stop < 0.0 && part <= piece.leaves) {
            piece.leaves = part;
            piece.left = s;
        }
        piece.outside = piece.outside || (start < 0.0 && stop < 0.0);
        a = b;
    }
    piece.outside = piece.outside || piece.enters > piece.leaves;
    return piece;
}

// Whether the clipped face covers the clipping one, of whose inside no side of it has a part: a corner tells.
fn covers(clipped: Face, clipping: Face, slack: f32) -> bool {
    let corner = corner_at(clipping, 0u);
    var inside = true;
    var a = corner_at(clipped, clipped.sides.count - 1u);
    for (var s = 0u; s < min(clipped.sides.count, SIDES_MAX); s++) {
        let b = corner_at(clipped, s);
        inside = inside && left_of(a, b, corner) <= 0.5 * slack * distance(a, b);
        a = b;
    }
    return inside;
}

// How many corners of the clipping face lie between the side that the outline left by and the side it comes back by, in
// descending order.
fn corners_between(left: u32, entered: u32, count: u32) -> u32 {
    return select(left + count - entered, left - entered, left >= entered);
}

// The outline of the overlap of two faces, the clipping one of i if `with_i`. The clipped one runs the other way round.
fn overlap(clipped: Face, clipping: Face, with_i: bool, slack: f32, reach: f32) {
    let sides = clipped.sides.count;
    let others = clipping.sides.count;
    var apart = true; // no side so far has a part inside
    var left = NONE; // the side of the clipping face that the outline left by, while it is outside
    var entered = NONE; // the side that it first came in by, if it started outside
    for (var k = 0u; k < min(sides + 1u, SIDES_MAX + 1u); k++) {
        // corners of the clipping face, from this one down, then the ends of the piece
        var between = 0u;
        var from_corner = left;
        var ends = 0u;
        var start = vec2<f32>(0.0);
        var stop = vec2<f32>(0.0);
        var names = vec2<u32>(0u);
        if (k < sides) {
            let here = corner_at(clipped, k);
            let there = corner_at(clipped, select(k + 1u, 0u, k + 1u == sides));
            let piece = piece_of(clipping, here, there, slack);
            if (!piece.outside) {
                apart = false;
                ends = select(2u, 1u, piece.left == NONE);
                start = here + piece.enters * (there - here);
                stop = here + piece.leaves * (there - here);
                names = vec2<u32>(corner_name(corner_of(clipped, k), !with_i), 0u);
                if (piece.entered != NONE) {
                    names.x = crossing_name(clipped, k, clipping, piece.entered, with_i);
                }
                if (piece.left != NONE) {
                    names.y = crossing_name(clipped, k, clipping, piece.left, with_i);
                }
                if (piece.entered != NONE && left != NONE) {
                    between = corners_between(left, piece.entered, others);
                } else if (piece.entered != NONE && entered == NONE) {
                    entered = piece.entered;
                }
                left = piece.left;
            }
        } else if (left != NONE && entered != NONE) {
            between = corners_between(left, entered, others);
        } else if (apart && covers(clipped, clipping, slack)) {
            from_corner = others - 1u;
            between = others;
        }
        // with an end or two at most one corner less than all
        for (var m = 0u; m < min(between + ends, SIDES_MAX + 1u); m++) {
            var place = select(stop, start, vec2<bool>(m == between));
            var name = select(names.y, names.x, m == between);
            if (m < between) {
                let c = select(from_corner + others - m, from_corner - m, from_corner >= m);
                place = corner_at(clipping, c);
                name = corner_name(corner_of(clipping, c), with_i);
            }
            outline_add(place, name, reach, 2.0 * slack);
        }
    }
}

@compute @workgroup_size(32)
fn clip_manifolds(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 32u);
    if (k >= params.pair_capacity || pair_plane[k].within == 0u) {
        return;
    }
    let p = pair_plane[k].within - 1u;
    let reach = pair_plane[p].reach;
    let i = pair_body[p].i;
    let j = pair_body[p].j;
    let slack = SIDE_SLACK * min(body_view[i].radius, body_view[j].radius);
    let centre_j = vec3<f32>(window_difference(body_view[j].position, body_view[i].position)) * WINDOW_UNIT;
    let turn_i = turn_f32(body_turn[i].quaternion);
    let turn_j = turn_f32(body_turn[j].quaternion);
    let normal = pair_plane[p].normal;
    let own = facing(i, turn_i, -normal, reach);
    let other = facing(j, turn_j, normal, reach);
    // a small preference, so that rounding does not choose between faces that are both parallel
    let with_i = own.cosine >= other.cosine - 1.0e-5;
    let cosine = select(other.cosine, own.cosine, with_i);
    let clipping_turn = select(turn_j, turn_i, vec4<bool>(with_i));
    var clipping: Face;
    pair_manifold[p].normal = normal;
    outline_start(l, vec3<f32>(0.0));
    if (cosine > cos(SLOPE)) {
        let row = select(other.face, own.face, with_i);
        var axes = axes_about(select(normal, -normal, vec3<bool>(with_i)));
        if (1.0 - cosine < SNAP) {
            axes = axes_about(turned(clipping_turn, shape_vector(row)));
            pair_manifold[p].normal = select(axes.up, -axes.up, vec3<bool>(with_i));
        }
        let zero = vec3<f32>(0.0);
        let clipping_centre = select(centre_j, zero, vec3<bool>(with_i));
        clipping = face_of(select(j, i, with_i), clipping_turn, clipping_centre, row, axes);
        let level = level_of(clipping, row, clipping_turn, clipping_centre, axes.up);
        // it waits in the pair's row, to be read if there is an outline: kept, it would cost registers
        pair_manifold[p].points[0].arm = level;
        let clipped_turn = select(turn_i, turn_j, vec4<bool>(with_i));
        let clipped_centre = select(zero, centre_j, vec3<bool>(with_i));
        let clipped_row = select(own.face, other.face, with_i);
        let clipped = face_of(select(i, j, with_i), clipped_turn, clipped_centre, clipped_row, axes);
        outline_start(l, level_of(clipped, clipped_row, clipped_turn, clipped_centre, axes.up) - level);
        overlap(clipped, clipping, with_i, slack, reach);
        outline_level();
    }
    // The closest point may lie outside the faces that were clipped, on a neighbour all but parallel: it counts anyway.
    let aside = outline_lowest().z > pair_plane[p].gap + MISSED * slack;
    pair_manifold[p].kind = outline_reduce(slack, select(POINTS, POINTS - 1u, aside));
    let level = pair_manifold[p].points[0].arm;
    for (var k = 0u; k < min(outline_count, POINTS); k++) {
        let place = outline_place(k);
        // no point is closer than the plane says
        let gap = max(outline_gap(place), pair_plane[p].gap - MISSED * slack);
        let height = level.z + dot(level.xy, place) + 0.5 * gap;
        let up = cross(clipping.u, clipping.v);
        let arm = turned(clipping_turn, place.x * clipping.u + place.y * clipping.v + height * up);
        pair_manifold[p].points[k] = ManifoldPoint(arm, gap);
    }
    var names = outline_names();
    if (aside) {
        pair_manifold[p].points[outline_count] = ManifoldPoint(pair_plane[p].middle, pair_plane[p].gap);
        names = select(names, vec4<u32>(pair_plane[p].feature), vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(outline_count));
    }
    pair_manifold[p].names = names;
    candidate_count[p] = outline_count + select(0u, 1u, aside);
}
