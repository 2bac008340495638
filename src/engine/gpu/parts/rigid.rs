//! What contact dynamics alone needs on the GPU: settings, laws of pairs of materials, inertia.

use super::super::scales::typed_skin_half_m;
use super::orientation::Turning;
use super::polyhedra::part_count;
use super::turning_frame::rows::whole_and_rest;
use super::{Fill, Part};
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::readable::number;
use crate::base::reader::key::Key;
use crate::base::units::{RADIUS_BITS, Units};
use crate::gpu::buffer_table::Counts;
use crate::gpu::elements::body::BodyInertia;
use crate::gpu::elements::contact::RigidLaw;
use crate::gpu::layout::{DynamicsParams, Params};
use crate::model::body::Bodies;
use crate::model::scenario::{ContactDynamics, Method, OnBudget, SKIN_RADII_MAX, Scenario, Servo, Wall};
use crate::physics::frame::axes::Axes;
use crate::physics::frame::step::Turn;
use crate::physics::laws::keys::{self, Keyed};
use crate::physics::scales::{cohesion_range_least_m, velocity_floor_m_s};
use glam::IVec3;

/// Gap below which a pair is a candidate, over the sum of the radii.
const ALERT: f64 = 0.005;
/// What the skin must be wider than, over the reach of contacts: bodies move while the list is in use.
const SKIN_PER_REACH: f64 = 1.2;

/// What contact dynamics has beyond soft spheres; empty for these.
#[derive(Default)]
pub struct RigidPart {
    /// uniform; all 0 for soft spheres
    pub params: DynamicsParams,
    /// by pair of materials
    pub laws: Vec<RigidLaw>,
    /// of bodies, then of walls
    inertia: Vec<BodyInertia>,
    /// its turning frame
    pub axes: Option<Axes>,
}

/// Makes room for contacts, and for a turning frame.
pub(crate) fn counts(scenario: &Scenario, bodies: &Bodies, counts: Counts) -> Counts {
    if scenario.method == Method::SoftSphere {
        return counts;
    }
    let counts = counts.with_contacts((4 * part_count(bodies)).max(64));
    if Axes::of(scenario, 1.0).is_some() { counts.with_turning_axes() } else { counts }
}

impl RigidPart {
    /// Of a run with these common parameters and counts; the solver's are the caller's.
    pub(crate) fn new(
        scenario: &Scenario,
        bodies: &Bodies,
        order: &[u32],
        units: &Units,
        turning: &Turning,
        params: &Params,
        counts: &Counts,
    ) -> Result<RigidPart> {
        let Method::ContactDynamics(settings) = &scenario.method else { return Ok(RigidPart::default()) };
        let axes = Axes::of(scenario, units.time_s);
        let mut params = dynamics_params(settings, scenario, bodies, units, params)?;
        axes.iter().for_each(|axes| set_axes(&mut params, &axes.step()));
        params.candidate_count = counts.of("candidate") as u32;
        params.contact_capacity = counts.of("contact") as u32;
        let inertia = inertia_rows(scenario, bodies, order, units, turning);
        Ok(RigidPart { params, laws: rigid_laws(scenario, bodies, units), inertia, axes })
    }
}

impl Part for RigidPart {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.uniform("dynamics", &self.params)?;
        to.write("rigid_law", &self.laws)?;
        to.write("body_inertia", &self.inertia)
    }
}

/// Settings in code units; capacities, the frame's rotation and what depends on the solver are the caller's.
fn dynamics_params(
    settings: &ContactDynamics,
    scenario: &Scenario,
    bodies: &Bodies,
    units: &Units,
    params: &Params,
) -> Result<DynamicsParams> {
    let reach_m = reach_m(scenario, bodies);
    refuse_thin_skin(scenario, bodies)?;
    let skin_m = f64::from(params.skin_half) * units.length_m;
    let range_m = range_m(scenario);
    Ok(DynamicsParams {
        tolerance: settings.tolerance as f32,
        recovery: settings.recovery as f32,
        recovery_max: settings.recovery_speed_m_s.map_or(f32::MAX, |v| (v * units.time_s / units.length_m) as f32),
        velocity_floor: (velocity_floor_m_s(scenario, bodies, units.time_s) * units.time_s / units.length_m) as f32,
        stop_on_budget: u32::from(settings.on_budget == OnBudget::Stop),
        earlier: ((1.0 - settings.theta) * f64::from(1u32 << 30)).round() as i32,
        anchor_max: ((skin_m - 0.5 * reach_m) / units.length_m) as f32,
        alert: ALERT as f32,
        reach_max: (range_m / units.length_m) as f32,
        ..DynamicsParams::default()
    })
}

/// The largest range of cohesion (m).
fn range_m(scenario: &Scenario) -> f64 {
    scenario.materials.iter().map(|m| keys::COHESION_RANGE.of(m)).fold(0.0, f64::max)
}

/// How far contacts of bodies at rest reach (m).
pub(crate) fn reach_m(scenario: &Scenario, bodies: &Bodies) -> f64 {
    let radius_max = bodies.largest_radius_m();
    range_m(scenario).max(2.0 * ALERT * radius_max)
}

/// Refuses a list whose skin, as it is typed, does not hold the contacts of bodies at rest.
pub(crate) fn refuse_thin_skin(scenario: &Scenario, bodies: &Bodies) -> Result<()> {
    if typed_skin_half_m(scenario, bodies) <= 0.5 * SKIN_PER_REACH * reach_m(scenario, bodies) {
        let radius_max = bodies.largest_radius_m();
        return Err(thin_skin(scenario, range_m(scenario), radius_max).into());
    }
    Ok(())
}

/// Why the neighbour list's skin does not hold what a step needs, and what does; `range_m`: the largest range of cohesion.
fn thin_skin(scenario: &Scenario, range_m: f64, radius_max: f64) -> Fault {
    let skin = scenario.neighbours.skin_radii;
    let least = SKIN_PER_REACH * (range_m / radius_max).max(2.0 * ALERT);
    if range_m <= 2.0 * ALERT * radius_max {
        let what = format!("{skin} is too thin for contact dynamics");
        return scenario.fault("neighbours.skin_radii", what, format!("raise it above {}", number(least)));
    }
    let longest = |skin: f64| skin / SKIN_PER_REACH * radius_max;
    let remedy = if least < SKIN_RADII_MAX {
        let [least, most] = [least, longest(skin)].map(number);
        format!("raise neighbours.skin_radii above {least}, or lower the range below {most} m")
    } else {
        let most = number(longest(SKIN_RADII_MAX));
        format!("lower it below {most} m, with neighbours.skin_radii = {SKIN_RADII_MAX}, the largest that is allowed")
    };
    let [range, radius] = [range_m, radius_max].map(number);
    let what =
        format!("{range} m is too long for a neighbour list with a skin of {skin} of the largest radius, {radius} m");
    let material = scenario.materials.iter().find(|m| keys::COHESION_RANGE.of(m) == range_m);
    scenario.fault(&format!("material.{}.cohesion_range_m", material.map_or("0", |m| &m.name)), what, remedy)
}

/// The turning frame's rotation in a step.
pub(crate) fn set_axes(dynamics: &mut DynamicsParams, turn: &Turn) {
    let (rows, shift, rest) = whole_and_rest(turn.back());
    [dynamics.back_x, dynamics.back_y, dynamics.back_z] = rows.map(IVec3::from);
    (dynamics.back_shift, dynamics.back_rest) = (shift, rest.as_mat3());
    dynamics.rotation = turn.vector.as_vec3();
}

/// Friction, restitution, cohesion (M L/T) and its range (L) of every pair of materials: means, as for soft spheres. Radii are
/// rounded, and contacts are closed as far as they are solved: a shorter range than the least would leave it to the last bit
/// whether a closed contact pulls.
fn rigid_laws(scenario: &Scenario, bodies: &Bodies, units: &Units) -> Vec<RigidLaw> {
    // four units of radii
    let least = (cohesion_range_least_m(bodies) / units.length_m).max((2.0 - f64::from(RADIUS_BITS)).exp2()) as f32;
    let law = |a: usize, b: usize| {
        let [one, other] = [a, b].map(|k| &scenario.materials[k]);
        let both = |key: &Key| key.of(one) + key.of(other);
        let [friction, restitution, cohesion, range] = [
            both(&keys::FRICTION_SLIDING),
            both(&keys::RESTITUTION_NORMAL),
            both(&keys::COHESION_FORCE) * units.force(),
            both(&keys::COHESION_RANGE) / units.length_m,
        ]
        .map(|sum| (0.5 * sum) as f32);
        RigidLaw { friction, restitution, cohesion, range: range.max(least) }
    };
    let count = scenario.materials.len();
    (0..count * count).map(|k| law(k / count, k % count)).collect()
}

/// 1/mass and the root of the inverse inertia of every body in memory order, then of walls: they move along their normal, if
/// they have a mass, and never else.
fn inertia_rows(
    scenario: &Scenario,
    bodies: &Bodies,
    order: &[u32],
    units: &Units,
    turning: &Turning,
) -> Vec<BodyInertia> {
    let row = |(index, k): (usize, &u32)| {
        let k = *k as usize;
        let inverse = units.mass_kg / bodies.mass_kg[k];
        if let Some(row) = turning.inertia(index, inverse as f32) {
            return row;
        }
        let radius = f64::from(units.radius(bodies.radius_m[k]));
        let root = ((2.5 * inverse).sqrt() / radius) as f32;
        BodyInertia { inverse_mass: inverse as f32, xx: root, yy: root, zz: root, ..BodyInertia::default() }
    };
    let inverse = |servo: &Servo| (units.mass_kg / servo.mass_kg) as f32;
    let wall = |w: &Wall| BodyInertia {
        inverse_mass: w.servo.as_ref().map_or(0.0, inverse),
        wall: 1.0,
        ..BodyInertia::default()
    };
    order.iter().enumerate().map(row).chain(scenario.walls.iter().map(wall)).collect()
}
