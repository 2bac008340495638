//! What contact dynamics will do worse than it might.

use crate::base::readable::{number, percent, quantity};
use crate::geometry::clump::Clump;
use crate::geometry::polyhedron::{ConvexPolyhedron, Face};
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::physics::laws::keys::{COHESION_FORCE, Keyed};
use glam::DVec3;

/// Part of the smallest radius that a body may move in a step before a run says so.
const WAY_SAID_FROM: f64 = 0.3;
/// Ratio of the largest to the smallest radius up to which the default tolerance does.
const RATIO_AT_DEFAULT: f64 = 5.0;
/// The default tolerance, and the least that the key takes.
const DEFAULT: f64 = 1e-3;
const LEAST: f64 = 1e-6;
/// Normals, and planes over the radius, that differ by less are the same.
const ALIKE: f64 = 1e-6;
/// A tolerance up to so many times the needed one passes: the rule is no sharper.
const NEAR: f64 = 1.5;

/// All of them; none for soft spheres.
pub(super) fn of(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Vec<String> {
    if scenario.method.contact_dynamics().is_none() {
        return vec![];
    }
    let all = [
        long_step(scenario, bodies, dt_s),
        mixed_sizes(scenario, bodies),
        cohesive_parts(scenario, bodies),
        seams(bodies),
        hollow(scenario, bodies),
    ];
    all.into_iter().flatten().collect()
}

/// Cohesion of bodies of several convex parts, each of which holds by points of its own.
fn cohesive_parts(scenario: &Scenario, bodies: &Bodies) -> Option<String> {
    let shapes = &bodies.polyhedra.as_ref()?.shapes;
    let parts = shapes.iter().map(|shape| shape.parts.len()).max()?;
    let coheres = scenario.materials.iter().any(|m| COHESION_FORCE.of(m) > 0.0);
    (coheres && parts > 1).then(|| {
        format!(
            "material: bodies are of up to {parts} convex parts, and each part that touches holds with cohesion_force_n at one to four points of its own, so the same body holds more the more parts it is cut into; take fewer parts, or a smaller force"
        )
    })
}

/// Clumps with faces of two parts in one plane and side by side: what slides over the seam between them is stopped.
fn seams(bodies: &Bodies) -> Option<String> {
    let mut clumps = bodies.polyhedra.iter().flat_map(|p| p.shapes.iter());
    let is_seamed = |clump: &Clump| {
        let near_m = ALIKE * clump.radius_m;
        let any = |a: &ConvexPolyhedron, b: &ConvexPolyhedron, sign: f64| {
            let alike = |f: &Face, g: &Face| {
                f.normal.distance(sign * g.normal) < ALIKE && (f.offset_m - sign * g.offset_m).abs() < near_m
            };
            a.faces.iter().any(|f| b.faces.iter().any(|g| alike(f, g)))
        };
        // faces that meet, and faces that go on beyond where they meet
        let parts = &clump.parts;
        parts.iter().enumerate().any(|(k, a)| parts[..k].iter().any(|b| any(a, b, -1.0) && any(a, b, 1.0)))
    };
    clumps.any(is_seamed).then(|| {
        "bodies: parts of a shape have faces in one plane, and a body that slides over the seam between them is stopped; take one convex part where bodies slide: docs/method/polyhedra.md#seams-and-near-misses".to_owned()
    })
}

/// Clumps that pull others to a place that is empty.
fn hollow(scenario: &Scenario, bodies: &Bodies) -> Option<String> {
    let pulls = scenario.gravity.iter().any(|g| g.kind() == "self");
    let is_inside = |part: &ConvexPolyhedron| part.faces.iter().all(|f| f.offset_m > -ALIKE * part.radius_m);
    let mut clumps = bodies.polyhedra.iter().flat_map(|p| p.shapes.iter());
    (pulls && clumps.any(|clump| !clump.parts.iter().any(is_inside))).then(|| {
        "gravity: the mass centre of a shape is outside its parts, and bodies pull each other as points at their mass centres: what comes near that place is pulled far too hard; take convex bodies, or keep others out of it".to_owned()
    })
}

/// Bodies that pass others within a step: they are taken to move straight on in it, points of polyhedra that turn likewise.
fn long_step(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Option<String> {
    let free = scenario.walls.is_empty() && scenario.asteroid.is_none();
    let common = if free { bodies.mean_by_mass(&bodies.velocity_m_s) } else { DVec3::ZERO };
    let speed = |k: usize| bodies.velocity_m_s[k].distance(common) + bodies.turning_speed_m_s(k);
    let fastest_m_s = (0..bodies.len()).map(speed).fold(0.0, f64::max);
    let least_m = bodies.smallest_radius_m();
    let way = fastest_m_s * dt_s / least_m;
    (way > WAY_SAID_FROM).then(|| {
        format!(
            "run.time_step_s: at {} a body, or a corner of one, moves {} of the smallest radius in a step, in which it is taken to go straight on; collisions will be coarse, and {} would be a twentieth of it",
            quantity(fastest_m_s, "m/s"),
            percent(way),
            quantity(0.05 * least_m / fastest_m_s, "s")
        )
    })
}

/// Bodies of such different sizes that the residual, which is of velocities, says little of the large ones: light bodies have
/// nearly all of it. Measured: boulders sink through grains of a tenth of their radius at 1e-3, not at 1e-4, and through grains
/// of a fiftieth until 1e-6.
fn mixed_sizes(scenario: &Scenario, bodies: &Bodies) -> Option<String> {
    let tolerance = scenario.method.contact_dynamics()?.tolerance;
    let ratio = bodies.largest_radius_m() / bodies.smallest_radius_m();
    let needed = DEFAULT * (RATIO_AT_DEFAULT / ratio).powi(3);
    let way_out = match needed {
        least if least >= LEAST => format!("{} or less keeps it, and may need a larger iterations_max", number(least)),
        _ => format!("the least there is, {}, is not known to keep it", number(LEAST)),
    };
    (tolerance > NEAR * needed).then(|| {
        let [ratio, tolerance] = [ratio, tolerance].map(number);
        format!(
            "contact_dynamics.tolerance: the largest body has {ratio} times the radius of the smallest, and with {tolerance} it may sink through them; {way_out}"
        )
    })
}
