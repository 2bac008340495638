//! Time steps in which something turns too far: beyond half a rotation the direction of the turn is ambiguous.

use crate::base::fault::Fault;
use crate::base::readable::number;
use crate::model::asteroid::AsteroidSpec;
use crate::model::body::Bodies;
use crate::model::scenario::{Motion, Scenario};
use glam::DVec3;
use std::f64::consts::PI;

/// What turns fastest in a scenario: its name, the key of its rotation, and how fast (rad/s).
struct Fastest {
    name: String,
    way_out: &'static str,
    rad_s: f64,
}

impl Fastest {
    fn asteroid(asteroid: &AsteroidSpec) -> Fastest {
        let rad_s = asteroid.rotation_rad_s.length();
        Fastest { name: "the asteroid".into(), way_out: "turn the asteroid slower", rad_s }
    }
}

/// The fault of a time step that is above half a rotation period: of a body, with what `[spin_up]` adds to it, of the
/// asteroid, or of the frame.
pub(crate) fn fault(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Option<Fault> {
    late_fault(scenario, dt_s).or_else(|| step_fault(scenario, bodies, dt_s))
}

/// The fault of an asteroid that feels its grains less than twice a rotation.
fn late_fault(scenario: &Scenario, dt_s: f64) -> Option<Fault> {
    let asteroid = scenario.asteroid.as_ref()?;
    let Motion::Free { coupling_interval: coupling_interval @ 2.. } = asteroid.motion else { return None };
    let interval_s = f64::from(coupling_interval) * dt_s;
    half_turn_fault(scenario, "asteroid.coupling_interval", interval_s, &Fastest::asteroid(asteroid))
}

fn step_fault(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Option<Fault> {
    half_turn_fault(scenario, "run.time_step_s", dt_s, &fastest(scenario, bodies)?)
}

/// The fault of a key that leaves something turning by more than half a rotation in `span_s`.
fn half_turn_fault(scenario: &Scenario, key: &str, span_s: f64, turning: &Fastest) -> Option<Fault> {
    let Fastest { name, way_out, rad_s } = turning;
    let half_period_s = PI / rad_s;
    (span_s > half_period_s).then(|| {
        let [span, half] = [span_s, half_period_s].map(number);
        let what = format!("{span} s is more than half the rotation period of {name}, {half} s");
        scenario.fault(key, what, format!("lower it, or {way_out}"))
    })
}

fn fastest(scenario: &Scenario, bodies: &Bodies) -> Option<Fastest> {
    let added = spun_up(scenario);
    let of_body = |k: usize| {
        let spin = bodies.spin_rad_s[k];
        added.iter().map(|a| (spin + *a).length()).fold(spin.length(), f64::max)
    };
    let body = (0..bodies.len()).map(|k| (k, of_body(k))).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, rad_s)| {
        let way_out =
            if rad_s > bodies.spin_rad_s[k].length() { "let [spin_up] add less" } else { "let the body turn slower" };
        Fastest { name: format!("body {k}"), way_out, rad_s }
    });
    let frame = scenario.rotating_frame_rad_s().map(|rotation_rad_s| Fastest {
        name: "the rotating frame".into(),
        way_out: "turn the frame slower",
        rad_s: rotation_rad_s.length(),
    });
    let asteroid = scenario.asteroid.iter().map(Fastest::asteroid);
    body.into_iter().chain(frame).chain(asteroid).max_by(|a, b| a.rad_s.total_cmp(&b.rad_s))
}

/// What `[spin_up]` has added to every spin after the first rotation, and at the end of the run (rad/s).
fn spun_up(scenario: &Scenario) -> Vec<DVec3> {
    let Some(spin) = &scenario.spin_up else { return vec![] };
    let more = spin.count(scenario.run.duration_s).saturating_sub(1) as f64;
    vec![spin.initial_rad_s, spin.initial_rad_s + more * spin.increment_rad_s]
}
