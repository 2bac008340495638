// The point of a simplex of up to four points that is closest to the origin: every part is tried, which is short and
// holds for flat and doubled points too.

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

// v with x in component k. FXC, one of the compilers on DirectX, gives up loops that store to a component by number.
fn with_component(v: vec4<f32>, k: u32, x: f32) -> vec4<f32> {
    return select(v, vec4<f32>(x), vec4<u32>(k) == vec4<u32>(0u, 1u, 2u, 3u));
}

fn closest_to_origin(corner: array<vec3<f32>, 4>, count: u32) -> Closest {
    var points = corner;
    var best = Closest(points[0], 3.0e38, vec4<f32>(1.0, 0.0, 0.0, 0.0), false);
    for (var k = 0u; k < min(count, 4u); k++) {
        let none = vec4<f32>(0.0);
        best = offer(best, points[k], with_component(none, k, 1.0), true);
        for (var l = k + 1u; l < min(count, 4u); l++) {
            let t = line_weight(points[k], points[l]);
            let two = with_component(with_component(none, k, 1.0 - t), l, t);
            best = offer(best, points[k] + t * (points[l] - points[k]), two, t > 0.0 && t < 1.0);
            for (var m = l + 1u; m < min(count, 4u); m++) {
                let w = triangle_weights(points[k], points[l], points[m]);
                let three = with_component(with_component(with_component(none, k, w.x), l, w.y), m, w.z);
                let foot = w.x * points[k] + w.y * points[l] + w.z * points[m];
                best = offer(best, foot, three, min(w.x, min(w.y, w.z)) > 0.0);
            }
        }
    }
    if (count == 4u) {
        best.inside = beyond(points[0], points[1], points[2], points[3]) && beyond(points[0], points[1], points[3], points[2])
            && beyond(points[0], points[2], points[3], points[1]) && beyond(points[1], points[2], points[3], points[0]);
    }
    return best;
}
