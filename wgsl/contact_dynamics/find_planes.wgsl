import package::contact_dynamics::shape::{FACE_ROWS, shape_vector};
import package::state::manifold::{PairImpulses, PairPlane};
import package::state::pair::{Pair};
import package::state::params::{Params};
import package::state::control::{FAULT_CORNERS};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView, Orientation};
import package::state::shape::{ShapePart};
import package::contact_dynamics::dynamics::{DynamicsParams, FEATURE};
import package::math::turns::{turns, cut_short};
import package::math::position::{window_difference, WINDOW_UNIT, MOTION_UNIT};
import package::math::turn::{turn_f32, turned, turned_back};
import package::contact_dynamics::outline::{NOTHING};
import package::contact_dynamics::simplex::{closest_to_origin, triangle_weights, with_component};
import package::math::dispatch::{linear_id};

// The common plane of every pair of convex polyhedra (Cundall 1988): the normal of the largest gap, by support
// evaluations alone, from the plane of the step before. The gap along n is the least n.c over the differences c of
// corners of i and j. With i lifted along n until it is clear of j, the algorithm of Gilbert, Johnson and Keerthi (1988)
// never meets the origin inside; the shortest link of the lifted bodies is the next n. It ends where the link is its own
// direction, for bodies apart as for bodies that overlap.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
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
// Corners and faces that an invocation looks at; the steps take 16,000 turns besides.
const SUPPORT_TURNS: u32 = 48000u;
// Heights that count as equal, as a part of both radii: some times rounding.
const EQUAL: f32 = 3.0e-7;
// An overlap deeper than this part of both radii is held against the planes of all faces.
const DEEP: f32 = 1.0e-3;
// A normal this close to a face's, where a climb ends that found no three corners of it, is tried as the face's.
const SNAP: f32 = 2.0e-6;

// The foot of the origin may lie so far outside a face of the differences, as a part of it.
const EDGE: f32 = 1.0e-3;

struct Placed {
    turn: vec4<f32>,
    first: u32,
    count: u32,
}

struct Support {
    corner: u32,
    point: vec3<f32>, // from the body's centre, in inertial axes
}

struct Climb {
    normal: vec3<f32>,
    gap: f32,
    // the link: where it leaves i, from the centre of i, and its name
    arm: vec3<f32>,
    feature: u32,
}

fn placed(body: u32) -> Placed {
    return Placed(turn_f32(body_turn[body].quaternion), shape_part[body].first_point, shape_part[body].point_count);
}

fn support(b: Placed, direction: vec3<f32>) -> Support {
    let local = turned_back(b.turn, direction);
    var best = -3.0e38;
    var corner = 0u;
    for (var k = 0u; k < b.count && turns < SUPPORT_TURNS; k += 2u) {
        turns += 1u;
        let next = min(k + 1u, b.count - 1u);
        let height = dot(shape_vector(b.first + k), local);
        let other = dot(shape_vector(b.first + next), local);
        corner = select(corner, k, height > best);
        best = max(best, height);
        corner = select(corner, next, other > best);
        best = max(best, other);
    }
    return Support(corner, turned(b.turn, shape_vector(b.first + corner)));
}

// Names what the link leaves and meets: a corner of i, a corner of j, or two edges.
fn link_feature(corners: array<vec2<u32>, 4>, weights: vec4<f32>) -> u32 {
    var list = corners;
    var own = vec2<u32>(0xffffffffu, 0u);
    var other = own;
    for (var k = 0u; k < 4u; k++) {
        if (weights[k] > 0.0) {
            own = vec2<u32>(min(own.x, list[k].x), max(own.y, list[k].x));
            other = vec2<u32>(min(other.x, list[k].y), max(other.y, list[k].y));
        }
    }
    var name = (2u << 20u) | (((own.x * 37u + own.y) & 0x3ffu) << 10u) | ((other.x * 37u + other.y) & 0x3ffu);
    if (other.x == other.y) {
        name = (1u << 20u) | other.x;
    }
    if (own.x == own.y) {
        name = own.x << 10u;
    }
    return FEATURE | name;
}

// Climbs from `start`. With `lifting`, to the common plane; without, to a plane that parts the bodies if there is one.
fn climb(i: Placed, j: Placed, apart: vec3<f32>, start: Climb, size: f32, clearance: f32, far: f32, lifting: bool) -> Climb {
    var found = start;
    var normal = start.normal;
    var best_gap = -3.0e38;
    if (!lifting) {
        best_gap = start.gap;
    }
    var lift = 0.0;
    var lift_normal = normal;
    var lifted_gap = -3.0e38;
    var lifts = 0u;
    var last_i = Support(0u, vec3<f32>(0.0));
    var last_j = last_i;
    var corners: array<vec2<u32>, 4>;
    var arms: array<vec3<f32>, 4>;
    var differences: array<vec3<f32>, 4>;
    var count = 0u;
    for (var step = 0u; step < STEPS_MAX; step++) {
        let a = support(i, -normal);
        let b = support(j, normal);
        let difference = apart + a.point - b.point;
        let gap = dot(normal, difference);
        last_i = a;
        last_j = b;
        if (gap > best_gap) {
            best_gap = gap;
            found.normal = normal;
            found.gap = gap;
        }
        if (best_gap > far) {
            break;
        }
        var shortest = false;
        for (var k = 0u; k < min(count, 4u); k++) {
            shortest = shortest || dot(normal, differences[k]) <= gap + EQUAL * size;
        }
        if (lifting && (shortest || lifts == 0u)) {
            if (lifts > 1u && best_gap <= lifted_gap + EQUAL * size) {
                break;
            }
            lifted_gap = best_gap;
            lift_normal = found.normal;
            lift = max(max(clearance, -lifted_gap) - lifted_gap, 0.0);
            lifts += 1u;
        }
        if (!shortest && count < 4u) {
            corners[count] = vec2<u32>(a.corner, b.corner);
            arms[count] = a.point;
            differences[count] = difference;
            count += 1u;
        }
        var lifted = differences;
        for (var k = 0u; k < 4u; k++) {
            lifted[k] += lift * lift_normal;
        }
        let link = closest_to_origin(lifted, count);
        if (link.inside || link.square < EQUAL * EQUAL * size * size) {
            break;
        }
        // only the part around the closest point is kept
        var kept = 0u;
        var weights = vec4<f32>(0.0);
        var arm = vec3<f32>(0.0);
        for (var k = 0u; k < min(count, 4u); k++) {
            if (link.weights[k] > 0.0) {
                corners[kept] = corners[k];
                arms[kept] = arms[k];
                differences[kept] = differences[k];
                weights = with_component(weights, kept, link.weights[k]);
                arm += link.weights[k] * arms[k];
                kept += 1u;
            }
        }
        count = kept;
        found.arm = arm;
        found.feature = link_feature(corners, weights);
        let along = link.point * inverseSqrt(link.square);
        let turned_by = along - normal;
        if (shortest && dot(turned_by, turned_by) < 1.0e-12) {
            break;
        }
        normal = along;
    }
    // The link's direction is as good as the root of rounding. Three corners of the differences name their face: a
    // corner on a face, or an edge across an edge, whose normal is exact. The difference met last is often the third:
    // it was dropped if rounding made it seem no nearer.
    if (count < 4u) {
        corners[count] = vec2<u32>(last_i.corner, last_j.corner);
        arms[count] = last_i.point;
        differences[count] = apart + last_i.point - last_j.point;
    }
    let triples = select(select(0u, 1u, count == 2u), 4u, count == 3u);
    for (var t = 0u; t < min(triples, 4u); t++) {
        // all but the fourth, the third, the second, the first
        let k = vec3<u32>(0u, 1u, 2u) + select(vec3<u32>(0u), vec3<u32>(1u), vec3<u32>(0u, 1u, 2u) >= vec3<u32>(3u - t));
        let a = differences[k.x];
        let b = differences[k.y];
        let c = differences[k.z];
        let across = cross(b - a, c - a);
        let square = dot(across, across);
        let weights = triangle_weights(a, b, c);
        if (square > 1.0e-10 * size * size * size * size && min(weights.x, min(weights.y, weights.z)) > -EDGE) {
            let flat = across * inverseSqrt(square) * select(-1.0, 1.0, dot(across, found.normal) >= 0.0);
            let gap = gap_along(i, j, apart, flat);
            if (gap > found.gap) {
                let arm = weights.x * arms[k.x] + weights.y * arms[k.y] + weights.z * arms[k.z];
                let name = link_feature(array<vec2<u32>, 4>(corners[k.x], corners[k.y], corners[k.z], vec2<u32>(0u)), vec4<f32>(weights, 0.0));
                found = Climb(flat, gap, arm, name);
            }
        }
    }
    return found;
}

// Gap along a normal, by two support evaluations.
fn gap_along(i: Placed, j: Placed, apart: vec3<f32>, normal: vec3<f32>) -> f32 {
    return dot(normal, apart + support(i, -normal).point - support(j, normal).point);
}

fn better(found: Climb, normal: vec3<f32>, gap: f32) -> Climb {
    var result = found;
    if (gap > found.gap) {
        result.normal = normal;
        result.gap = gap;
    }
    return result;
}

// The best of the planes of the faces of one body whose normals have at least `cosine` to the one at the start; `sign`: of
// their outward normals.
fn best_face(i: Placed, j: Placed, body: u32, turn: vec4<f32>, sign: f32, apart: vec3<f32>, start: Climb, cosine: f32) -> Climb {
    let first = shape_part[body].first_face;
    let count = shape_part[body].face_count;
    var found = start;
    for (var f = 0u; f < count && turns < SUPPORT_TURNS; f++) {
        turns += 3u;
        let normal = sign * turned(turn, shape_vector(first + FACE_ROWS * f));
        if (dot(normal, start.normal) >= cosine) {
            found = better(found, normal, gap_along(i, j, apart, normal));
        }
    }
    return found;
}

// The best of the planes of both bodies' faces.
fn best_of_faces(i: Placed, j: Placed, pair: Pair, apart: vec3<f32>, start: Climb, cosine: f32) -> Climb {
    return best_face(i, j, pair.i, i.turn, -1.0, apart, best_face(i, j, pair.j, j.turn, 1.0, apart, start, cosine), cosine);
}

@compute @workgroup_size(64)
fn find_planes(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let p = linear_id(w, n, l, 64u);
    if (p >= params.pair_capacity) {
        return;
    }
    if (p >= atomicLoad(&control.pair_count)) {
        pair_plane[p].normal = vec3<f32>(0.0);
        pair_plane[p].gap = NOTHING;
        return;
    }
    let pair = pair_body[p];
    let radius_i = body_view[pair.i].radius;
    let radius_j = body_view[pair.j].radius;
    let size = radius_i + radius_j;
    let apart = vec3<f32>(window_difference(body_view[pair.i].position, body_view[pair.j].position)) * WINDOW_UNIT;
    let distance = max(length(apart), 1.0e-12);
    let toward = vec3<f32>(window_difference(body_view[pair.j].velocity, body_view[pair.i].velocity)) * MOTION_UNIT;
    let spin_i = length(body_view[pair.i].spin);
    let spin_j = length(body_view[pair.j].spin);
    let approach = length(toward) + spin_i * radius_i + spin_j * radius_j;
    let reach = max(dynamics.alert * size + approach, dynamics.reach_max);
    var found = Climb(apart / distance, distance - size, vec3<f32>(0.0), FEATURE);
    if (found.gap < reach) {
        let before = pair_history[p].normal;
        if (dot(before, before) > 0.5) {
            found.normal = before;
        }
        let i = placed(pair.i);
        let j = placed(pair.j);
        let clearance = CLEARANCE * min(radius_i, radius_j);
        found = climb(i, j, apart, found, size, clearance, reach, true);
        if (found.gap < 0.0) {
            // Near a sharp edge the climb may stop at the face behind it: an overlap counts if no plane separates the
            // bodies.
            let parted = climb(i, j, apart, found, size, clearance, reach, false);
            // around the origin it has no link
            let touching = Climb(parted.normal, parted.gap, found.arm, found.feature);
            found = touching;
            if (parted.gap >= 0.0) {
                found = parted;
            }
        }
        if (found.gap < -DEEP * size) {
            let by_faces = best_of_faces(i, j, pair, apart, found, -2.0);
            if (by_faces.gap > found.gap) {
                found = climb(i, j, apart, by_faces, size, clearance, reach, true);
            }
        }
        found = best_of_faces(i, j, pair, apart, found, 1.0 - SNAP);
        pair_history[p].normal = found.normal;
    }
    if (turns >= SUPPORT_TURNS || cut_short(atomicLoad(&control.zero), turns)) {
        atomicOr(&control.fault_body, FAULT_CORNERS);
        atomicMin(&control.fault_index, pair.i);
    }
    let gap = select(found.gap, NOTHING, found.gap >= reach);
    pair_plane[p] = PairPlane(found.normal, gap, found.arm - 0.5 * found.gap * found.normal, found.feature, reach);
}
