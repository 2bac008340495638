//! The time step of a run, from the contact law and the lightest bodies.

use super::laws::pairs::pair_laws;
use super::laws::{Lightest, TimeScale};
use crate::base::readable::{percent, quantity};
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The automatic time step and what sets it.
#[derive(Debug, Clone, Serialize)]
pub struct TimeStep {
    /// (s)
    pub dt_s: f64,
    /// contact time of the pair that sets it (s); `None` for rigid bodies, and where it depends on the speed
    pub contact_time_s: Option<f64>,
    /// time that steps must be a small fraction of, and its name, by the law; `None` for rigid bodies
    #[serde(skip)]
    pub scale: Option<(f64, Cow<'static, str>)>,
    /// of that pair, m / C_N (s); `None` for rigid bodies, infinite without a dashpot
    #[serde(skip)]
    pub damping_time_s: Option<f64>,
    /// of that pair, by the fastest dashpot of friction (s); infinite without one, and for rigid bodies
    #[serde(skip)]
    pub friction_time_s: f64,
    /// one sentence for people
    pub reason: String,
}

/// What sets the step of the pair of bodies that needs the shortest one, and that pair, for people.
fn shortest(scenario: &Scenario, bodies: &Bodies) -> Option<(TimeScale, String)> {
    let count = scenario.materials.len();
    let laws = pair_laws(scenario, bodies);
    let contacts = contacts_most(scenario, bodies);
    let lightest = first_of(count, bodies, |k, other| bodies.mass_kg[k] < bodies.mass_kg[other]);
    let largest = first_of(count, bodies, |k, other| bodies.radius_m[k] > bodies.radius_m[other]);
    let mut least: Option<(TimeScale, String)> = None;
    let mut take = |pair: &Lightest, materials: [usize; 2], who: &dyn Fn() -> String| {
        let scale = laws.get(materials[0] * count + materials[1]).and_then(|law| law.time_scale(pair));
        if let Some(scale) = scale.filter(|s| least.as_ref().is_none_or(|(least, _)| s.scale_s < least.scale_s)) {
            let who = format!("{}, {}", who(), scale.constants);
            least = Some((scale, who));
        }
    };
    let name = |material: usize| &scenario.materials[material].name;
    let of = |i: usize, j: usize| {
        let masses = [i, j].map(|k| bodies.mass_kg[k]);
        let mass = 1.0 / (1.0 / masses[0] + 1.0 / masses[1]);
        Lightest { mass, masses, radii: [i, j].map(|k| bodies.radius_m[k]), contacts }
    };
    for (a, b) in (0..count).flat_map(|a| (a..count).map(move |b| (a, b))) {
        let (Some(i), Some(j)) = (lightest[a], lightest[b]) else { continue };
        take(&of(i, j), [a, b], &|| match a == b {
            true => format!("two lightest bodies of `{}`", name(a)),
            false => format!("lightest bodies of `{}` and `{}`", name(a), name(b)),
        });
    }
    // Dashpots and springs of friction hold a body by an area that is the wider the larger the other one is.
    for (a, b) in (0..count).flat_map(|a| (0..count).map(move |b| (a, b))) {
        let (Some(i), Some(j)) = (lightest[a], largest[b]) else { continue };
        take(&of(i, j), [a, b], &|| format!("lightest body of `{}` and largest of `{}`", name(a), name(b)));
    }
    // Springs in series are at most twice as stiff at a wall, where the mass is twice as large: only other means, and other
    // restitutions, make a wall decide.
    let walls = fixed(scenario);
    for (a, wall) in (0..count).flat_map(|a| walls.iter().map(move |wall| (a, *wall))) {
        let Some(i) = lightest[a] else { continue };
        let (mass, radius) = (bodies.mass_kg[i], bodies.radius_m[i]);
        let pair = Lightest { mass, masses: [mass, WALL * mass], radii: [radius, WALL * radius], contacts };
        take(&pair, [a, wall], &|| format!("lightest body of `{}` against a wall of `{}`", name(a), name(wall)));
    }
    least
}

/// Of each material the body that comes `before` all others of it.
fn first_of(materials: usize, bodies: &Bodies, before: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let mut first: Vec<Option<usize>> = vec![None; materials];
    for (k, material) in bodies.material.iter().enumerate() {
        let so_far = &mut first[*material as usize];
        if so_far.is_none_or(|other| before(k, other)) {
            *so_far = Some(k);
        }
    }
    first
}

/// Contacts that a body may have at once: with all other bodies and walls, and with facets of an asteroid; in a
/// pile six, the mean of packings without friction, which those with friction stay below.
fn contacts_most(scenario: &Scenario, bodies: &Bodies) -> f64 {
    let facets = if scenario.asteroid.is_some() { FACETS } else { 0 };
    (bodies.len().saturating_sub(1) + scenario.walls.len() + facets).clamp(1, NEIGHBOURS) as f64
}

/// Contacts of a sphere in a pile.
const NEIGHBOURS: usize = 6;
/// Facets of an asteroid that a body rests on, in a corner.
const FACETS: usize = 3;

/// What a wall is next to a body: so much heavier and larger.
const WALL: f64 = 1e12;

/// Materials of walls and of the asteroid.
fn fixed(scenario: &Scenario) -> BTreeSet<usize> {
    let asteroid = scenario.asteroid.iter().map(|asteroid| asteroid.material);
    scenario.walls.iter().map(|wall| wall.material).chain(asteroid).collect()
}

/// The time step as typed, or a fraction of the time that the law names of the pair that needs the shortest, rounded
/// down to 12 significant bits.
pub fn time_step(scenario: &Scenario, bodies: &Bodies) -> TimeStep {
    let found = shortest(scenario, bodies);
    let of = found.as_ref().map(|(s, who)| format!("of {} {} of {who}", s.name, quantity(s.scale_s, "s")));
    let scale_s = found.as_ref().map_or(f64::INFINITY, |(s, _)| s.scale_s);
    let (dt_s, reason) = match (scenario.run.time_step_s, of) {
        (Some(dt_s), None) => (dt_s, "as typed".into()),
        (Some(dt_s), Some(of)) => (dt_s, format!("as typed; {} {of}", percent(dt_s / scale_s))),
        (None, of) => {
            let share = 100.0 * scenario.run.time_step_fraction;
            let dt_s = round_down_12(scenario.run.time_step_fraction * scale_s);
            (dt_s, format!("{share} % {}, rounded down to 12 bits", of.unwrap_or_default()))
        }
    };
    TimeStep {
        dt_s,
        contact_time_s: found.as_ref().and_then(|(s, _)| s.contact_time_s),
        damping_time_s: found.as_ref().map(|(s, _)| s.damping_time_s),
        friction_time_s: found.as_ref().map_or(f64::INFINITY, |(s, _)| s.friction_time_s),
        scale: found.map(|(s, _)| (s.scale_s, s.name)),
        reason,
    }
}

impl TimeStep {
    /// Share of what a collision dissipates that the ledger misses, to order of magnitude: 0.6 (dt C_N/m)^2, of the pair
    /// that sets the step; 0 for rigid bodies.
    pub fn ledger_error(&self) -> f64 {
        self.damping_time_s.map_or(0.0, |time_s| 0.6 * (self.dt_s / time_s).powi(2))
    }
}

fn round_down_12(x: f64) -> f64 {
    let unit = (x.log2().floor() - 11.0).exp2();
    (x / unit).floor() * unit
}
