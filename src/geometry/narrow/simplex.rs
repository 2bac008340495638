//! The point of a simplex that is closest to the origin.

use glam::DVec3;

/// Finds the point of the hull of up to 4 points that is closest to the origin, and the points that it lies between (a
/// bit each). Every face of the simplex is tried, which is short and holds for flat and doubled points too. If it lies
/// between all 4, the origin is inside.
pub(super) fn closest(points: &[DVec3]) -> (DVec3, u32) {
    let mut best = (DVec3::INFINITY, 0);
    let mut offer = |point: DVec3, set: u32| {
        if point.length_squared() < best.0.length_squared() {
            best = (point, set);
        }
    };
    for (k, a) in points.iter().enumerate() {
        offer(*a, 1 << k);
        for (l, b) in points.iter().enumerate().skip(k + 1) {
            if let Some(p) = on_line(*a, *b) {
                offer(p, 1 << k | 1 << l);
            }
            for (m, c) in points.iter().enumerate().skip(l + 1) {
                if let Some(p) = on_triangle(*a, *b, *c) {
                    offer(p, 1 << k | 1 << l | 1 << m);
                }
            }
        }
    }
    match points {
        [a, b, c, d] if holds_origin(*a, *b, *c, *d) => (DVec3::ZERO, 15),
        _ => best,
    }
}

/// The origin's foot on a line, if it is between the points.
fn on_line(a: DVec3, b: DVec3) -> Option<DVec3> {
    let along = b - a;
    let t = -a.dot(along) / along.length_squared();
    (t > 0.0 && t < 1.0).then(|| a + t * along)
}

/// The origin's foot on a plane, if it is inside the triangle.
fn on_triangle(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let normal = (b - a).cross(c - a);
    let inside = [(a, b), (b, c), (c, a)].iter().all(|(p, q)| p.cross(*q).dot(normal) > 0.0);
    inside.then(|| normal * (normal.dot(a) / normal.length_squared()))
}

fn holds_origin(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> bool {
    let side = |p: DVec3, q: DVec3, r: DVec3, inner: DVec3| {
        let normal = (q - p).cross(r - p);
        normal.dot(p) * normal.dot(p - inner) > 0.0
    };
    side(a, b, c, d) && side(a, b, d, c) && side(a, c, d, b) && side(b, c, d, a)
}
