//! Events that rows do not show: first contacts, extremes, rest.

use super::aggregates::Aggregate;
use super::bounce::{Bounce, Stand, relative_m_s};
use super::clusters::{Cluster, clusters};
use super::links::by_force;
use super::momentum::orbital_size;
use super::rest::Rest;
use super::walls::gone_s;
use crate::model::scenario::Scenario;
use crate::model::snapshot::Snapshot;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Quantities by clusters.
pub(super) const CLUSTER_SHARES: [&str; 2] = ["largest_cluster_mass_share", "second_cluster_mass_share"];
/// Clusters have one body in so many at least, 50 of 10,000 as in Guidos et al. 2024, and two.
const CLUSTER_SHARE: usize = 200;
const CLUSTER_LEAST: usize = 2;

/// What consecutive snapshots show that rows do not; goes into the checkpoint.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Events {
    before: Option<Pair>,
    /// first contact of bodies 0 and 1: time (s) and approach speed (m/s)
    pub(super) contact: Option<(f64, f64)>,
    /// that contact has been, and neither is known
    #[serde(default)]
    contact_unknown: bool,
    /// first contact of body 0 with body 1, if there are two, or with wall 0
    #[serde(default)]
    pub(super) bounce: Bounce,
    /// first and last speed of body 0 along wall 0 (m/s)
    pub(super) first_along: Option<f64>,
    pub(super) last_along: f64,
    /// of body 0 (rad/s)
    pub(super) spin: f64,
    /// of body 0 (m/s)
    pub(super) speed: f64,
    /// speed of the slowest body (m/s)
    pub(super) slowest: f64,
    /// first and last position of the last body (m)
    pub(super) last_body: Option<(DVec3, DVec3)>,
    /// last and largest force on wall 0 (N)
    pub(super) wall_force: Option<(f64, f64)>,
    pub(super) mean_diameter_m: f64,
    pub(super) bodies: usize,
    #[serde(default)]
    pub(super) rest: Rest,
    /// shares of the mass of the two heaviest clusters at the end
    #[serde(default)]
    pub(super) cluster_shares: Option<[f64; 2]>,
    /// what the bodies' orbital angular momentum could be at most, in the first row (kg m2/s)
    #[serde(default)]
    pub(super) orbital_size: Option<f64>,
}

/// Relative state of bodies 0 and 1.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pair {
    time_s: f64,
    distance_m: f64,
    speed_m_s: f64,
    acceleration_m_s2: f64,
    /// distance times the speed across it, in inertial space
    #[serde(default)]
    around_m2_s: f64,
}

impl Events {
    /// Why the run ends now, before its duration.
    pub fn at_rest(&self, scenario: &Scenario) -> Option<String> {
        self.rest.reached(scenario.run.stop_when?)
    }

    /// Takes what the last snapshot alone shows: shares of clusters, if the scenario expects some, since they take a while.
    pub fn end(&mut self, s: &Snapshot, scenario: &Scenario) {
        if !scenario.expect.iter().any(|e| CLUSTER_SHARES.contains(&e.quantity.as_str())) {
            return;
        }
        let s = s.in_inertial_space();
        let least = (s.bodies.len() / CLUSTER_SHARE).max(CLUSTER_LEAST);
        let found = clusters(&s, &by_force(&s), least);
        let total_kg = s.bodies.total_mass_kg();
        let share = |c: Cluster| Aggregate::of(&s, total_kg, c.indices).mass_share;
        let mut shares: Vec<f64> = found.into_iter().map(share).collect();
        shares.sort_by(|a, b| b.total_cmp(a));
        self.cluster_shares = Some([0, 1].map(|rank| shares.get(rank).copied().unwrap_or(0.0)));
    }

    /// Takes the events of one more snapshot.
    pub fn observe(&mut self, s: &Snapshot, scenario: &Scenario) {
        let b = &s.bodies;
        let (Some(v), Some(w)) = (b.velocity_m_s.first(), b.spin_rad_s.first()) else {
            return;
        };
        (self.spin, self.speed) = (w.length(), v.length());
        self.rest.observe(s, scenario.run.stop_when);
        self.whole(s);
        if let Some(wall) = scenario.walls.first() {
            let on_wall = s.wall_contacts.iter().filter(|c| c.wall == 0);
            let facing = |k: u32| wall.facing(b.position_m[k as usize], s.time_s).0;
            // the sum of none is -0
            let force = on_wall.map(|c| c.force_n.dot(facing(c.body))).sum::<f64>() + 0.0;
            self.wall_force = Some((force, self.wall_force.map_or(force, |w| w.1.max(force))));
            let of_wall_m_s = wall.servo.map_or(wall.velocity_m_s, |_| DVec3::ZERO);
            let relative_m_s = *v - of_wall_m_s;
            let along = relative_m_s - facing(0) * relative_m_s.dot(facing(0));
            self.last_along = along.length();
            self.first_along.get_or_insert(along.length());
            // a wall that is taken away below a body does not throw it back
            if gone_s(s, wall).is_none() {
                self.bounce.observe(Stand::of_wall(s, wall));
            }
        } else if b.len() == 2 {
            let d = b.position_m[1] - b.position_m[0];
            let u = (b.velocity_m_s[1] - b.velocity_m_s[0]).dot(d) / d.length();
            // the line of centres is the normal of contacts between spheres alone
            if b.polyhedra.is_none() {
                self.pair(s, d, u);
                self.bounce.observe(Stand::of_pair(s, d, u));
            }
            // a later contact would be taken for the first
            self.contact_unknown |= self.contact.is_none() && self.bounce.passed_over();
        }
    }

    /// What all bodies show together.
    fn whole(&mut self, s: &Snapshot) {
        let b = &s.bodies;
        self.slowest = b.velocity_m_s.iter().map(|v| v.length()).fold(f64::INFINITY, f64::min);
        let now = b.position_m[b.len() - 1];
        self.last_body = Some((self.last_body.map_or(now, |l| l.0), now));
        self.bodies = b.len();
        self.orbital_size.get_or_insert_with(|| orbital_size(&s.balanced()));
        self.mean_diameter_m = 2.0 * b.mean_radius_m();
    }

    fn pair(&mut self, s: &Snapshot, d: DVec3, speed: f64) {
        let touch = s.bodies.radius_m[0] + s.bodies.radius_m[1];
        if let (None, Some(before)) = (self.contact, self.before)
            && d.length() <= touch
            && !self.contact_unknown
        {
            // under the pull of others the way to the contact is not known
            self.contact = Some(before.meets(touch)).filter(|(time_s, speed)| time_s.is_finite() && speed.is_finite());
            self.contact_unknown = self.contact.is_none();
        }
        let pull = match s.self_acceleration_m_s2.as_slice() {
            [a, b] => (*b - *a).dot(d) / d.length(),
            _ => 0.0,
        };
        if d.length() > touch {
            self.before = Some(Pair {
                time_s: s.time_s,
                distance_m: d.length(),
                speed_m_s: speed,
                acceleration_m_s2: pull,
                around_m2_s: d.cross(relative_m_s(s, d)).length(),
            });
        }
    }
}

impl Pair {
    /// Instant and approach speed at which the distance is `touch`, going on from here under a pull ~ 1/r^2.
    fn meets(&self, touch: f64) -> (f64, f64) {
        let (far, way) = (self.distance_m, self.distance_m - touch);
        let (gm, around) = (-self.acceleration_m_s2 * far * far, self.around_m2_s.powi(2));
        let square = |r: f64| {
            let fallen = 2.0 * gm * (1.0 / r - 1.0 / far) - around * (r.powi(-2) - far.powi(-2));
            (self.speed_m_s.powi(2) + fallen).max(0.0)
        };
        // dt = dr / v with r = far - way u^2, so that a start at rest is no pole.
        let slowness = |u: f64| 2.0 * way * u / square(far - way * u * u).sqrt();
        let from_rest = || (2.0 * way / (gm / (far * far) - around / far.powi(3))).sqrt();
        let first = if self.speed_m_s == 0.0 { from_rest() } else { 0.0 };
        (self.time_s + simpson(slowness, first), square(touch).sqrt())
    }
}

/// The integral of `f` from 0 to 1, where it is `first` at 0.
fn simpson(f: impl Fn(f64) -> f64, first: f64) -> f64 {
    const PARTS: u32 = 2000;
    let h = 1.0 / f64::from(PARTS);
    let weighed = |k: u32| f(h * f64::from(k)) * if k % 2 == 1 { 4.0 } else { 2.0 };
    (first + (1..PARTS).map(weighed).sum::<f64>() + f(1.0)) * h / 3.0
}
