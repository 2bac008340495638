// The point of a simplex of up to four points that is closest to the origin: every part is tried, which is short and
// holds for flat and doubled points too. Points have names, not numbers: what is read by number is kept in memory.

struct Simplex {
    a: vec3<f32>,
    b: vec3<f32>,
    c: vec3<f32>,
    d: vec3<f32>,
    corners: vec4<u32>, // which corners the points are differences of
    count: u32,
}

struct Closest {
    point: vec3<f32>,
    square: f32,
    weights: vec4<f32>, // of the points; 0: not of the part that holds the point
    inside: bool,       // the origin is inside a tetrahedron
}

fn offer(best: Closest, point: vec3<f32>, weights: vec4<f32>, valid: bool) -> Closest {
    let square = dot(point, point);
    let better = valid && square < best.square;
    return Closest(
        select(best.point, point, better),
        select(best.square, square, better),
        select(best.weights, weights, better),
        best.inside,
    );
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

// The side from p to q; `first` and `second`: 1 at the places of p and q.
fn offer_side(best: Closest, p: vec3<f32>, q: vec3<f32>, first: vec4<f32>, second: vec4<f32>, valid: bool) -> Closest {
    let t = line_weight(p, q);
    return offer(best, p + t * (q - p), (1.0 - t) * first + t * second, valid && t > 0.0 && t < 1.0);
}

// The face p, q, r; `outside`: the place of the fourth point.
fn offer_face(best: Closest, p: vec3<f32>, q: vec3<f32>, r: vec3<f32>, outside: u32, valid: bool) -> Closest {
    let w = triangle_weights(p, q, r);
    let foot = w.x * p + w.y * q + w.z * r;
    return offer(best, foot, without(w, outside), valid && min(w.x, min(w.y, w.z)) > 0.0);
}

// Three weights in order, with a 0 at place k.
fn without(w: vec3<f32>, k: u32) -> vec4<f32> {
    let first = select(w.x, 0.0, k == 0u);
    let second = select(select(w.x, w.y, k > 1u), 0.0, k == 1u);
    let third = select(select(w.y, w.z, k > 2u), 0.0, k == 2u);
    return vec4<f32>(first, second, third, select(w.z, 0.0, k == 3u));
}

fn closest_to_origin(s: Simplex, lift: vec3<f32>) -> Closest {
    let a = s.a + lift;
    let b = s.b + lift;
    let c = s.c + lift;
    let d = s.d + lift;
    let at_a = vec4<f32>(1.0, 0.0, 0.0, 0.0);
    let at_b = at_a.yxyy;
    let at_c = at_a.yyxy;
    let at_d = at_a.yyyx;
    let two = s.count > 1u;
    let three = s.count > 2u;
    let four = s.count > 3u;
    // the order decides between parts as close
    var best = offer(Closest(a, 3.0e38, at_a, false), a, at_a, true);
    best = offer_side(best, a, b, at_a, at_b, two);
    best = offer_face(best, a, b, c, 3u, three);
    best = offer_face(best, a, b, d, 2u, four);
    best = offer_side(best, a, c, at_a, at_c, three);
    best = offer_face(best, a, c, d, 1u, four);
    best = offer_side(best, a, d, at_a, at_d, four);
    best = offer(best, b, at_b, two);
    best = offer_side(best, b, c, at_b, at_c, three);
    best = offer_face(best, b, c, d, 0u, four);
    best = offer_side(best, b, d, at_b, at_d, four);
    best = offer(best, c, at_c, three);
    best = offer_side(best, c, d, at_c, at_d, four);
    best = offer(best, d, at_d, four);
    best.inside = four && beyond(a, b, c, d) && beyond(a, b, d, c) && beyond(a, c, d, b) && beyond(b, c, d, a);
    return best;
}

// With one point more, where there is room; as the last.
fn simplex_with(s: Simplex, point: vec3<f32>, corners: u32) -> Simplex {
    let here = vec4<u32>(0u, 1u, 2u, 3u) == vec4<u32>(s.count);
    return Simplex(
        select(s.a, point, here.x),
        select(s.b, point, here.y),
        select(s.c, point, here.z),
        select(s.d, point, here.w),
        select(s.corners, vec4<u32>(corners), here),
        min(s.count + 1u, 4u),
    );
}

// What is left of a simplex without the points of weight 0, and the weights of its points.
struct Kept {
    simplex: Simplex,
    weights: vec4<f32>,
}

// Without the point at one place if it counts and has no weight; `after`: this place and those behind it.
fn dropped(kept: Kept, weight: f32, place: u32, after: vec4<bool>) -> Kept {
    let s = kept.simplex;
    let drop = place < s.count && !(weight > 0.0);
    let moved = after & vec4<bool>(drop);
    let points = Simplex(
        select(s.a, s.b, moved.x),
        select(s.b, s.c, moved.y),
        select(s.c, s.d, moved.z),
        s.d,
        select(s.corners, s.corners.yzww, moved),
        s.count - select(0u, 1u, drop),
    );
    return Kept(points, select(kept.weights, vec4<f32>(kept.weights.yzw, 0.0), moved));
}

fn without_idle(s: Simplex, weights: vec4<f32>) -> Kept {
    var kept = Kept(s, weights);
    kept = dropped(kept, weights.w, 3u, vec4<bool>(false, false, false, true));
    kept = dropped(kept, weights.z, 2u, vec4<bool>(false, false, true, true));
    kept = dropped(kept, weights.y, 1u, vec4<bool>(false, true, true, true));
    return dropped(kept, weights.x, 0u, vec4<bool>(true));
}
