//! Bodies that overlap at the start.

use crate::geometry::levels::Levels;
use crate::model::body::Bodies;
use crate::model::placed::gap_m;
use crate::model::scenario::Scenario;

/// Pairs that are compared for each body. Spheres of one size that only touch have 6. A heap at one position has half as many as
/// there are bodies, and is refused long before.
const PAIRS: usize = 64;

/// Two bodies, and how deep they overlap over the smaller radius.
pub(crate) type Overlap = (usize, usize, f64);

/// True if the generator has kept all bodies apart: spheres of one group that is not moved against another.
pub(crate) fn is_apart(scenario: &Scenario) -> bool {
    match &scenario.bodies[..] {
        [group] => group.shape.is_none() && group.generator.places_at_random(),
        _ => false,
    }
}

/// The pair that overlaps most; of very many pairs the first that overlaps by more than `allowed`.
pub(crate) fn worst_overlap(bodies: &Bodies, allowed: f64) -> Option<Overlap> {
    let mut levels = Levels::new(&bodies.radius_m);
    let mut worst: Option<Overlap> = None;
    let mut left = PAIRS.saturating_mul(bodies.len()).saturating_add(PAIRS * PAIRS);
    for j in 0..bodies.len() {
        let (centre, radius) = (bodies.position_m[j], bodies.radius_m[j]);
        levels.near(centre, radius, |i| {
            // bodies of any shape are within their spheres
            if centre.distance_squared(bodies.position_m[i]) < (radius + bodies.radius_m[i]).powi(2) {
                left = left.saturating_sub(1);
                let ratio = -gap_m(bodies, i, j, 0.0) / bodies.radius_m[i].min(radius);
                if ratio > worst.map_or(0.0, |w| w.2) {
                    worst = Some((i, j, ratio));
                }
            }
            left > 0 || worst.is_none_or(|w| w.2 <= allowed)
        });
        if left == 0 && worst.is_some_and(|w| w.2 > allowed) {
            return worst;
        }
        levels.put(j, centre, radius);
    }
    worst
}
