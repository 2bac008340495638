//! Speeds and accelerations that bodies will have, to order of magnitude, before a run.

use crate::base::units::G;
use crate::geometry::mass::ball_gm_m3_s2;
use crate::model::body::Bodies;
use crate::model::scenario::{GravitySource, Scenario, Wall};
use crate::physics::frame::axes::Axes;
use crate::physics::laws::keys::{COHESION_FORCE, Keyed};
use glam::DVec3;

/// Residual velocity that never matters, over what the field does in a step.
const VELOCITY_FLOOR: f64 = 1e-4;
/// The same over what cohesion may do in a step. Rounding in f32 leaves about 1e-6 of that velocity where cohesion acts alone.
const COHESION_FLOOR: f64 = 4e-6;

/// The shortest range of cohesion of rigid bodies (m): 1e-5 of the largest radius. Contacts are closed only as far as they are
/// solved, and a shorter range would leave it to the last bit whether a closed contact pulls.
pub fn cohesion_range_least_m(bodies: &Bodies) -> f64 {
    1e-5 * bodies.largest_radius_m()
}

/// Change of velocity, root mean square over the contacts, that a step of `dt_s` need not care for (m/s).
pub fn velocity_floor_m_s(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> f64 {
    let cohesion_n = scenario.materials.iter().map(|m| COHESION_FORCE.of(m)).fold(0.0, f64::max);
    let of_cohesion_m_s2 = cohesion_n * bodies.len() as f64 / bodies.total_mass_kg();
    (VELOCITY_FLOOR * pull_m_s2(scenario, bodies)).max(COHESION_FLOOR * of_cohesion_m_s2) * dt_s
}

/// The acceleration by which fields press contacts, to order of magnitude, or what a servo gives its wall if that is less or
/// there are no fields (m/s2). Where nothing is held, bodies fall together, and what acts on all of them alike presses nothing.
pub fn pull_m_s2(scenario: &Scenario, bodies: &Bodies) -> f64 {
    let mass_kg = bodies.total_mass_kg();
    let solid_m = bodies.merged_radius_m();
    let asteroid = gm_and_radius(scenario);
    let held = !scenario.walls.is_empty() || scenario.asteroid.is_some();
    let of = |source: &GravitySource| match source {
        GravitySource::Uniform { acceleration_m_s2 } if held => acceleration_m_s2.length(),
        GravitySource::Uniform { .. } => 0.0,
        GravitySource::SelfGravity { .. } => G * mass_kg / (solid_m * solid_m),
        GravitySource::Central { gm_m3_s2, position_m } => {
            let near = bodies.position_m.iter().map(|p| p.distance_squared(*position_m)).fold(f64::INFINITY, f64::min);
            let near = near.max(solid_m * solid_m);
            let tide = if held { 1.0 } else { 2.0 * solid_m / near.sqrt() };
            gm_m3_s2 / near * tide.min(1.0)
        }
        GravitySource::UniformSphere { density_kg_m3, radius_m, .. } => {
            ball_gm_m3_s2(*density_kg_m3, 1.0) * radius_m.min(solid_m)
        }
        GravitySource::Asteroid { .. } => asteroid.0 / asteroid.1.powi(2),
        GravitySource::RotatingFrame { .. } => 0.0,
    };
    let pull = scenario.gravity.iter().map(of).fold(0.0, f64::max);
    let servos = scenario.walls.iter().filter_map(|w| w.servo.as_ref()).filter(|s| s.force_n != 0.0);
    let servo = servos.map(|s| (s.force_n / s.mass_kg).abs()).reduce(f64::min);
    servo.map_or(pull, |servo| if pull > 0.0 { pull.min(servo) } else { servo })
}

/// G times the mass of the asteroid, if it attracts, and the radius of a sphere of its volume (m3/s2, m); a surface
/// that cannot be made is reported elsewhere.
fn gm_and_radius(scenario: &Scenario) -> (f64, f64) {
    let attracts = scenario.gravity.iter().any(|g| matches!(g, GravitySource::Asteroid { .. }));
    let spec = scenario.asteroid.as_ref().filter(|_| attracts);
    let surface = spec.and_then(|spec| Some((spec.density_kg_m3, spec.surface().ok()?)));
    surface.map_or((0.0, 1.0), |(density, surface)| (G * density * surface.volume_m3, surface.mean_radius_m()))
}

/// Speed of the longest fall onto a wall in the uniform fields (m/s): of the highest body above it.
fn fall_m_s(scenario: &Scenario, bodies: &Bodies) -> f64 {
    let field = scenario.uniform_m_s2();
    let Some(down) = field.try_normalize() else { return 0.0 };
    let onto = |wall: &Wall| {
        let height = |k: usize| {
            let (normal, height_m) = wall.facing(bodies.position_m[k], 0.0);
            let against = -normal.dot(down);
            if against > 0.0 { (height_m - bodies.radius_m[k]) / against } else { 0.0 }
        };
        (0..bodies.len()).map(height).fold(0.0, f64::max)
    };
    let highest_m = scenario.walls.iter().map(onto).fold(0.0, f64::max);
    (2.0 * field.length() * highest_m).sqrt()
}

/// A speed that bodies will hardly pass (m/s): as typed, or twice that of the fastest corner at the start in inertial space, twice that of
/// escape from their own gravity and the asteroid's, and twice that of a fall onto a wall.
pub fn speed_m_s(scenario: &Scenario, bodies: &Bodies) -> f64 {
    let turn = Axes::of(scenario, 1.0).map_or(DVec3::ZERO, |axes| axes.rotation_rad_s);
    let typed = |(v, x): (&DVec3, &DVec3)| (*v + turn.cross(*x)).abs().max_element();
    let typed = bodies.velocity_m_s.iter().zip(&bodies.position_m).map(typed);
    let corners = (0..bodies.len()).map(|k| bodies.turning_speed_m_s(k));
    let typed = typed.zip(corners).map(|(speed, corner)| speed + corner).fold(0.0, f64::max);
    if let Some(speed_max_m_s) = scenario.method.contact_dynamics().and_then(|c| c.speed_max_m_s) {
        return typed.max(speed_max_m_s);
    }
    let mass_kg = bodies.total_mass_kg();
    let solid_m = bodies.merged_radius_m();
    let own = scenario.has_self_gravity();
    let escape = if own { (2.0 * G * mass_kg / solid_m).sqrt() } else { 0.0 };
    let (gm, radius_m) = gm_and_radius(scenario);
    2.0 * typed.max(escape).max((2.0 * gm / radius_m).sqrt()).max(fall_m_s(scenario, bodies))
}
