//! The part of a circle that lies in a triangle, in closed form: over each side the segments and sectors between the
//! circle's centre and that side add up, with sign (S_P of Song et al. 2024, eq. 6, which they take numerically).

use glam::DVec2;

/// A side of a triangle as the circle's centre sees it, in radii of the circle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// distance of the centre from its line, positive on the triangle's side
    pub within: f64,
    /// where it starts along its line, from the centre's foot
    pub start: f64,
    /// where it ends
    pub end: f64,
}

impl Side {
    /// The side from `a` to `b`, both relative to the circle's centre; the triangle is to the left.
    pub fn between(a: DVec2, b: DVec2) -> Side {
        let along = (b - a).normalize();
        Side { within: a.perp_dot(along), start: a.dot(along), end: b.dot(along) }
    }
}

/// Area of the unit circle between its centre, the foot on a line at the distance `within` and the position `t` on it.
fn swept(within: f64, t: f64) -> f64 {
    let far = within.abs();
    let chord = (1.0 - far * far).max(0.0).sqrt();
    let inner = t.clamp(-chord, chord);
    0.5 * within * inner + 0.5 * (t.atan2(far) - inner.atan2(far)).copysign(within * t) * f64::from(within != 0.0)
}

/// Area of the unit circle in the triangle of these sides, over pi.
pub fn share(sides: &[Side; 3]) -> f64 {
    let area: f64 = sides.iter().map(|s| swept(s.within, s.end) - swept(s.within, s.start)).sum();
    (area / std::f64::consts::PI).clamp(0.0, 1.0)
}
