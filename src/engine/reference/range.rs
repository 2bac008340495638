//! Where f64 tells positions apart.

use crate::base::error::Result;
use crate::base::readable::{number, quantity};
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;

/// Most of the smallest radius that two positions next to each other may be apart.
const SPACING_MAX: f64 = 1e-8;

/// Refuses bodies so far from the origin that their overlaps and their ways in a step would be rounded away.
pub fn refuse(scenario: &Scenario, bodies: &Bodies) -> Result<()> {
    let farthest_m = bodies.position_m.iter().map(|p| p.abs().max_element()).fold(0.0, f64::max);
    let least_m = bodies.smallest_radius_m();
    let spacing_m = farthest_m * f64::EPSILON;
    if spacing_m <= SPACING_MAX * least_m {
        return Ok(());
    }
    let what = format!(
        "a body is {} from the origin, where f64 has a position every {}: more than {} of the smallest radius",
        quantity(farthest_m, "m"),
        quantity(spacing_m, "m"),
        number(SPACING_MAX)
    );
    Err(scenario.fault("bodies", what, "move the bodies towards the origin").into())
}
