//! Columns of the series of a run with an asteroid: how its grains lie on it, and whether they are at rest.

use super::aggregates::components;
use super::energy::kinetic;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::model::snapshot::Snapshot;
use glam::{DVec2, DVec3};

/// How the bodies lie on an asteroid, in its own frame; all zero without one.
#[derive(Default)]
pub struct Grains {
    /// relative to the asteroid, spins included (J)
    pub(super) kinetic_j: f64,
    pub(super) on_surface: usize,
    pub(super) lofted: usize,
    /// latitude and longitude
    pub(super) position_deg: [f64; 2],
}

/// Measures them.
pub(super) fn measure(s: &Snapshot, scenario: &Scenario) -> Grains {
    if scenario.asteroid.is_none() {
        return Grains::default();
    }
    let (translation, rotation) = kinetic(&s.bodies);
    // The surface has the number after the last wall.
    let touching = touching(s, scenario.walls.len() as u32);
    let on_surface = touching.iter().filter(|t| **t).count();
    let lofted = aloft(s, &touching).len();
    Grains { kinetic_j: translation + rotation, on_surface, lofted, position_deg: mean_position_deg(&s.bodies) }
}

/// Whether each body touches the wall `surface`.
fn touching(s: &Snapshot, surface: u32) -> Vec<bool> {
    let mut touching = vec![false; s.bodies.len()];
    s.wall_contacts.iter().filter(|c| c.wall == surface).for_each(|c| touching[c.body as usize] = true);
    touching
}

/// Indices of the bodies that are not connected to the wall `surface`, directly or through contacts with others.
pub fn lofted(s: &Snapshot, surface: u32) -> Vec<usize> {
    aloft(s, &touching(s, surface))
}

fn aloft(s: &Snapshot, touching: &[bool]) -> Vec<usize> {
    let links: Vec<[u32; 2]> = s.contacts.iter().map(|c| [c.i, c.j]).collect();
    components(s.bodies.len(), &links).into_iter().filter(|c| c.iter().all(|k| !touching[*k])).flatten().collect()
}

/// Latitude over the plane across z, the mean by mass; longitude from x towards y of the mean of the bodies' meridians.
fn mean_position_deg(b: &Bodies) -> [f64; 2] {
    let weighed = |k: usize| {
        let (mass, up) = (b.mass_kg[k], b.position_m[k].try_normalize().unwrap_or(DVec3::ZERO));
        (mass, mass * up.z.asin(), mass * up.truncate().try_normalize().unwrap_or(DVec2::ZERO))
    };
    let sum = (0..b.len())
        .map(weighed)
        .fold((0.0, 0.0, DVec2::ZERO), |(m, l, e), (mass, angle, east)| (m + mass, l + angle, e + east));
    [(sum.1 / sum.0).to_degrees(), sum.2.y.atan2(sum.2.x).to_degrees()]
}
