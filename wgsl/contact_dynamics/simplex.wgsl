import package::math::turns::{turns, TURNS_MAX};

// The point of a simplex of up to four points that is closest to the origin: every part is tried, which is short and
// holds for flat and doubled points too.
// Each invocation has its own in workgroup memory, where numbers cost no registers: 5 KiB.
const SIMPLEX_LANES: u32 = 64u;

struct SimplexPoint {
    position: vec3<f32>,
    corners: u32, // which corners the point is a difference of
}

var<workgroup> simplex_point: array<SimplexPoint, 256>;
// Weights of the points in the link found last; all 0: there is none.
var<workgroup> simplex_weights: array<f32, 256>;
var<private> simplex_lane: u32;
var<private> simplex_count: u32;

fn simplex_row(k: u32) -> u32 {
    return (k & 3u) * SIMPLEX_LANES + simplex_lane;
}

fn simplex_position(k: u32) -> vec3<f32> {
    return simplex_point[simplex_row(k)].position;
}

fn simplex_corners(k: u32) -> u32 {
    return simplex_point[simplex_row(k)].corners;
}

fn simplex_weight(k: u32) -> f32 {
    return simplex_weights[simplex_row(k)];
}

fn simplex_weigh(weights: vec4<f32>) {
    simplex_weights[simplex_lane] = weights.x;
    simplex_weights[SIMPLEX_LANES + simplex_lane] = weights.y;
    simplex_weights[2u * SIMPLEX_LANES + simplex_lane] = weights.z;
    simplex_weights[3u * SIMPLEX_LANES + simplex_lane] = weights.w;
}

// The part that holds the closest point.
struct Part {
    square: f32,        // of the point
    weights: vec3<f32>, // of the part's points, above 0
    name: u32,          // rows of these points in order, two bits each; above them how many they are
    inside: bool,       // the origin is inside a tetrahedron
}

fn offer(best: Part, point: vec3<f32>, weights: vec3<f32>, name: u32) -> Part {
    let square = dot(point, point);
    var result = best;
    if (square < best.square) {
        result = Part(square, weights, name, best.inside);
    }
    return result;
}

// Weight of b in the foot of the origin on a line; outside 0 to 1 where it is beyond the ends.
fn line_weight(a: vec3<f32>, b: vec3<f32>) -> f32 {
    let along = b - a;
    let square = dot(along, along);
    return select(-1.0, -dot(a, along) / max(square, 1.0e-37), square > 0.0);
}

// Weights of the corners of a triangle in the foot of the origin on its plane; negative where the foot is outside.
fn triangle_weights(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> vec3<f32> {
    let normal = cross(b - a, c - a);
    let square = dot(normal, normal);
    let parts = vec3<f32>(dot(cross(b, c), normal), dot(cross(c, a), normal), dot(cross(a, b), normal));
    // a flat triangle has no plane: its sides are tried anyway
    let longest = max(dot(b - a, b - a), max(dot(c - a, c - a), dot(c - b, c - b)));
    return select(vec3<f32>(-1.0), parts / max(square, 1.0e-37), square > 1.0e-10 * longest * longest);
}

fn beyond(p: vec3<f32>, q: vec3<f32>, r: vec3<f32>, inner: vec3<f32>) -> bool {
    let normal = cross(q - p, r - p);
    return dot(normal, p) * dot(normal, p - inner) > 0.0;
}

// The points of part x, two bits each from bit 2x on: a point, then the sides and the faces that it is the first of.
const PARTS: u32 = 14u;
const FIRST: u32 = 0xe954000u;
const SECOND: u32 = 0xfba7a54u;
const THIRD: u32 = 0xfbe7ee4u;

// Of the simplex moved by `lift`. The order decides between parts as close.
fn closest_part(lift: vec3<f32>) -> Part {
    var best = Part(3.0e38, vec3<f32>(1.0, 0.0, 0.0), 1u << 6u, simplex_count == 4u);
    for (var part = 0u; part < PARTS && turns < TURNS_MAX; part++) {
        turns += 1u;
        let k = (FIRST >> (2u * part)) & 3u;
        let l = (SECOND >> (2u * part)) & 3u;
        let m = (THIRD >> (2u * part)) & 3u;
        if (m < simplex_count) {
            let p = simplex_position(k) + lift;
            if (m == k) {
                best = offer(best, p, vec3<f32>(1.0, 0.0, 0.0), k | (1u << 6u));
            } else {
                let q = simplex_position(l) + lift;
                if (m == l) {
                    let t = line_weight(p, q);
                    if (t > 0.0 && t < 1.0) {
                        best = offer(best, p + t * (q - p), vec3<f32>(1.0 - t, t, 0.0), k | (l << 2u) | (2u << 6u));
                    }
                } else {
                    let r = simplex_position(m) + lift;
                    let w = triangle_weights(p, q, r);
                    if (min(w.x, min(w.y, w.z)) > 0.0) {
                        best = offer(best, w.x * p + w.y * q + w.z * r, w, k | (l << 2u) | (m << 4u) | (3u << 6u));
                    }
                    // of four, the point that is left
                    best.inside = best.inside && beyond(p, q, r, simplex_position(6u - k - l - m) + lift);
                }
            }
        }
    }
    return best;
}

// Its point.
fn closest_point(part: Part, lift: vec3<f32>) -> vec3<f32> {
    let p = simplex_position(part.name & 3u) + lift;
    let q = simplex_position((part.name >> 2u) & 3u) + lift;
    let w = part.weights;
    var point = p;
    if (part.name >> 6u == 2u) {
        point = p + w.y * (q - p);
    }
    if (part.name >> 6u == 3u) {
        point = w.x * p + w.y * q + w.z * (simplex_position((part.name >> 4u) & 3u) + lift);
    }
    return point;
}

// Three weights in order, with a 0 at index k.
fn without(w: vec3<f32>, k: u32) -> vec4<f32> {
    let first = select(w.x, 0.0, k == 0u);
    let second = select(select(w.x, w.y, k > 1u), 0.0, k == 1u);
    let third = select(select(w.y, w.z, k > 2u), 0.0, k == 2u);
    return vec4<f32>(first, second, third, select(w.z, 0.0, k == 3u));
}

// One point more, as the last, where there is room.
fn simplex_put(position: vec3<f32>, corners: u32) {
    if (simplex_count < 4u) {
        simplex_point[simplex_row(simplex_count)] = SimplexPoint(position, corners);
        simplex_count += 1u;
    }
}

// Only the part with the closest point stays: it is the link.
fn simplex_reduce(part: Part) {
    simplex_point[simplex_row(0u)] = simplex_point[simplex_row(part.name & 3u)];
    simplex_point[simplex_row(1u)] = simplex_point[simplex_row((part.name >> 2u) & 3u)];
    simplex_point[simplex_row(2u)] = simplex_point[simplex_row((part.name >> 4u) & 3u)];
    simplex_weigh(vec4<f32>(part.weights, 0.0));
    simplex_count = part.name >> 6u;
}
