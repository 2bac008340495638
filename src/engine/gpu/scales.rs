//! Units of a run on a GPU, and what they let bodies do in a step.

use super::parts::rigid;
use crate::base::units::Units;
use crate::model::body::Bodies;
use crate::model::scenario::{Method, Scenario};
use crate::physics::scales::speed_m_s;

/// Largest displacement per step (L): half of what a displacement window can hold for a difference.
pub const MOTION_MAX: f32 = 1.0 / 128.0;

/// Farthest that bodies may start, walls may reach and an asteroid may have a vertex from the origin (L), so that differences
/// of box coordinates are words.
pub(super) const REACH_MAX: f64 = 8.0e6;

/// Smallest and largest radius of what the neighbour list holds: bodies, or parts of clumps about the mass centre (m).
pub(super) fn radii(bodies: &Bodies) -> [f64; 2] {
    let mut range = [f64::INFINITY, 0.0f64];
    let mut take = |r: f64| range = [range[0].min(r), range[1].max(r)];
    match &bodies.polyhedra {
        None => bodies.radius_m.iter().for_each(|r| take(*r)),
        Some(p) => p.shapes.iter().flat_map(|s| &s.parts).for_each(|part| take(part.radius_m)),
    }
    range
}

/// Units of a run.
pub(crate) fn units(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Units {
    let mut units = Units::new(radii(bodies)[1], bodies.mass_kg.iter().copied().fold(0.0, f64::max), dt_s);
    if scenario.asteroid.is_none() && scenario.rotating_frame_rad_s().is_none() {
        // An asteroid's mass centre and a frame's axis are at the origin: there is nothing to shift.
        units.anchor_m = bodies.position_m.first().copied().unwrap_or_default();
    }
    if scenario.method != Method::SoftSphere {
        // Large steps: what bodies may move in one is a part of L.
        let length_m = speed_m_s(scenario, bodies) * dt_s / f64::from(MOTION_MAX);
        units.length_m = units.length_m.max(length_m.max(f64::MIN_POSITIVE).log2().ceil().exp2());
    }
    units
}

/// Half the skin of the neighbour list as it is typed (m).
pub(super) fn typed_skin_half_m(scenario: &Scenario, bodies: &Bodies) -> f64 {
    0.5 * scenario.neighbours.skin_radii * radii(bodies)[1]
}

/// Half the skin of the neighbour list (L). A step of contact dynamics meets whoever closes within it, so that its list holds
/// all whom the largest displacement brings within reach.
pub(super) fn skin_half(scenario: &Scenario, bodies: &Bodies, units: &Units) -> f32 {
    let typed = typed_skin_half_m(scenario, bodies) / units.length_m;
    let least = match scenario.method {
        Method::SoftSphere => 0.0,
        Method::ContactDynamics(_) => {
            0.5 * rigid::reach_m(scenario, bodies) / units.length_m + 1.01 * 3f64.sqrt() * f64::from(MOTION_MAX)
        }
    };
    typed.max(least) as f32
}

/// Largest speed near others (m/s): relative velocities of contacts must fit a window of 2^-6 L a step.
pub(super) fn speed_max_m_s(units: &Units) -> f64 {
    f64::from(MOTION_MAX) * units.length_m / units.time_s
}
