//! What a whole run shows, by name; `[expect]` compares with it.

use super::rest::Rest;
use super::series::{bodies_column, columns};
use crate::model::scenario::{Region, Scenario};
use crate::model::snapshot::Snapshot;
use crate::physics::measure::aggregates::aggregates;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What consecutive snapshots show that rows do not; goes into the checkpoint.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Events {
    before: Option<Pair>,
    contact: Option<(f64, f64)>,
    first_normal: Option<f64>,
    last_normal: f64,
    first_along: Option<f64>,
    last_along: f64,
    spin: f64,
    speed: f64,
    slowest: f64,
    last_body: Option<(DVec3, DVec3)>,
    aggregate: usize,
    wall_force: Option<(f64, f64)>,
    mean_diameter_m: f64,
    bodies: usize,
    #[serde(default)]
    rest: Rest,
}

/// Relative state of bodies 0 and 1.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Pair {
    time_s: f64,
    distance_m: f64,
    speed_m_s: f64,
    acceleration_m_s2: f64,
}

impl Events {
    /// Why the run ends now, before its duration.
    pub fn at_rest(&self, scenario: &Scenario) -> Option<String> {
        self.rest.reached(scenario.run.stop_when?)
    }

    /// Takes notice of a snapshot.
    pub fn observe(&mut self, s: &Snapshot, scenario: &Scenario) {
        let b = &s.bodies;
        let (Some(v), Some(w)) = (b.velocity_m_s.first(), b.spin_rad_s.first()) else {
            return;
        };
        (self.spin, self.speed) = (w.length(), v.length());
        self.rest.observe(s, scenario.run.stop_when);
        self.whole(s);
        let relative = if let Some(wall) = scenario.walls.first() {
            let on_wall = s.wall_contacts.iter().filter(|c| c.wall == 0);
            let force = on_wall.map(|c| c.force_n.dot(wall.normal)).sum::<f64>();
            self.wall_force = Some((force, self.wall_force.map_or(force, |w| w.1.max(force))));
            let along = *v - wall.normal * v.dot(wall.normal);
            self.last_along = along.length();
            self.first_along.get_or_insert(along.length());
            v.dot(wall.normal)
        } else if b.len() == 2 {
            let d = b.position_m[1] - b.position_m[0];
            let u = (b.velocity_m_s[1] - b.velocity_m_s[0]).dot(d) / d.length();
            self.pair(s, d, u);
            u
        } else {
            return;
        };
        self.first_normal.get_or_insert(relative);
        self.last_normal = relative;
    }

    /// What all bodies show together.
    fn whole(&mut self, s: &Snapshot) {
        let b = &s.bodies;
        self.slowest = b.velocity_m_s.iter().map(|v| v.length()).fold(f64::INFINITY, f64::min);
        let now = b.position_m[b.len() - 1];
        self.last_body = Some((self.last_body.map_or(now, |l| l.0), now));
        self.bodies = b.len();
        self.mean_diameter_m = 2.0 * b.radius_m.iter().sum::<f64>() / b.len() as f64;
        let links: Vec<[u32; 2]> = s.contacts.iter().map(|c| [c.i, c.j]).collect();
        self.aggregate = aggregates(s, &links).first().map_or(0, |a| a.bodies);
    }

    fn pair(&mut self, s: &Snapshot, d: DVec3, speed: f64) {
        let touch = s.bodies.radius_m[0] + s.bodies.radius_m[1];
        if let (None, Some(before)) = (self.contact, self.before)
            && d.length() <= touch
        {
            self.contact = Some(before.meets(touch));
        }
        let pull = match s.self_acceleration_m_s2.as_slice() {
            [a, b] => (*b - *a).dot(d) / d.length(),
            _ => 0.0,
        };
        if d.length() > touch {
            self.before =
                Some(Pair { time_s: s.time_s, distance_m: d.length(), speed_m_s: speed, acceleration_m_s2: pull });
        }
    }
}

impl Pair {
    /// Instant and approach speed at which the distance is `touch`, going on from here under a pull ~ 1/r^2.
    fn meets(&self, touch: f64) -> (f64, f64) {
        let gm = -self.acceleration_m_s2 * self.distance_m * self.distance_m;
        let speed_at = |r: f64| (self.speed_m_s.powi(2) + 2.0 * gm * (1.0 / r - 1.0 / self.distance_m)).max(0.0).sqrt();
        // dt = dr / v, by Simpson: the fall is smooth over one interval of the series.
        let n = 2000;
        let h = (self.distance_m - touch) / f64::from(n);
        let slowness = |k: i32| 1.0 / speed_at(touch + h * f64::from(k)).max(1e-300);
        let sum: f64 = (0..=n)
            .map(|k| {
                slowness(k)
                    * if k == 0 || k == n {
                        1.0
                    } else if k % 2 == 1 {
                        4.0
                    } else {
                        2.0
                    }
            })
            .sum();
        (self.time_s + sum * h / 3.0, speed_at(touch))
    }
}

/// Evaluates every quantity that this run has.
pub fn outcome(rows: &[Vec<f64>], events: &Events, scenario: &Scenario) -> BTreeMap<String, f64> {
    let known = of_rows(rows, events, scenario).into_iter().map(|(name, value)| (name.to_owned(), value));
    let place = |region: &Region| columns(scenario).iter().position(|c| *c == bodies_column(region));
    let count = |region: &Region| Some((region.quantity(), *rows.last()?.get(place(region)?)?));
    known.chain(scenario.regions.iter().filter_map(count)).collect()
}

fn of_rows(rows: &[Vec<f64>], events: &Events, scenario: &Scenario) -> BTreeMap<&'static str, f64> {
    let mut out = BTreeMap::new();
    // By the names of this run's columns, since their order differs between methods.
    let names = columns(scenario);
    let place = |name: &str| names.iter().position(|c| c == name);
    let get = |row: &Vec<f64>, name: &str| place(name).and_then(|k| row.get(k)).copied().unwrap_or(f64::NAN);
    let values = |name: &str| {
        let place = place(name);
        rows.iter().map(|r| place.and_then(|k| r.get(k)).copied().unwrap_or(f64::NAN)).collect::<Vec<_>>()
    };
    if rows.is_empty() {
        return out;
    }
    let tail = |name: &str| {
        let list = values(name).split_off(rows.len() - rows.len().div_ceil(4));
        list.iter().sum::<f64>() / list.len() as f64
    };
    let largest = |list: &[f64]| list.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    let kinetic = values("kinetic_translational_j");
    let peak = (0..rows.len()).max_by(|a, b| kinetic[*a].total_cmp(&kinetic[*b])).unwrap_or(0);
    out.insert("kinetic_peak_time_s", get(&rows[peak], "time_s"));
    out.insert("coordination_final", tail("coordination"));
    let near = tail("coordination_geometric");
    if near.is_finite() {
        out.insert("coordination_geometric_final", near);
    }
    out.insert("packing_final", tail("packing_sphere"));
    out.insert("packing_ellipsoid_final", tail("packing_ellipsoid"));
    out.insert("diameter_final_m", tail("diameter_m"));
    out.insert("pressure_final_pa", tail("pressure_pa"));
    out.insert("virial_residual_final", tail("virial_residual"));
    out.insert("momentum_drift", largest(&values("momentum_drift")));
    out.insert("angular_momentum_drift", largest(&values("angular_momentum_drift")));
    out.insert("overlap_max", largest(&values("overlap_max")));
    out.insert("speed_max_tail_m_s", largest(&values("speed_max_m_s")[rows.len() / 2..]));
    let lost: f64 = ["normal", "sliding", "rolling", "twisting"]
        .iter()
        .map(|c| get(&rows[rows.len() - 1], &format!("dissipated_{c}_j")))
        .sum();
    if lost > 0.0 {
        out.insert("energy_residual", largest(&values("energy_residual_j")) / lost);
    }
    let total = |r: &Vec<f64>| {
        ["kinetic_translational_j", "kinetic_rotational_j", "elastic_j", "gravitational_j"]
            .iter()
            .map(|c| get(r, c))
            .sum::<f64>()
    };
    let first = total(&rows[0]);
    if first != 0.0 {
        out.insert("energy_drift", rows.iter().map(|r| ((total(r) - first) / first).abs()).fold(0.0, f64::max));
    }
    let half = values("half_mass_radius_m");
    if let Some(k) = (1..rows.len()).find(|k| half[*k] <= 0.5 * half[0]) {
        let (a, b) = (get(&rows[k - 1], "time_s"), get(&rows[k], "time_s"));
        out.insert("half_radius_time_s", a + (b - a) * (half[k - 1] - 0.5 * half[0]) / (half[k - 1] - half[k]));
    }
    let axes = values("semi_axis_a_m").into_iter().zip(values("semi_axis_c_m"));
    if let Some(k) = axes.map(|(a, c)| a - c).position(|d| d > 3.0 * events.mean_diameter_m) {
        out.insert("divergence_time_s", get(&rows[k], "time_s"));
    }
    let over: f64 = values("solver_over_budget").iter().sum();
    if over.is_finite() {
        out.insert("solver_over_budget", over);
    }
    add_of_asteroid(&mut out, rows, events, scenario);
    add_events(&mut out, events);
    out
}

/// What runs with an asteroid have.
fn add_of_asteroid(out: &mut BTreeMap<&'static str, f64>, rows: &[Vec<f64>], events: &Events, scenario: &Scenario) {
    let names = columns(scenario);
    let list = |name: &str| -> Option<Vec<f64>> {
        let place = names.iter().position(|c| c == name)?;
        Some(rows.iter().map(|r| r[place]).collect())
    };
    for name in ["total_momentum_drift", "total_angular_momentum_drift"] {
        if let Some(list) = list(name) {
            out.insert(name, list.iter().fold(0.0, |a: f64, b| a.max(b.abs())));
        }
    }
    let ends = |name: &str| list(name).map(|l| [l[0], l[l.len() - 1]]);
    if let Some([_, last]) = ends("kinetic_relative_j") {
        out.insert("kinetic_per_body_final_j", last / events.bodies as f64);
    }
    if let Some([_, last]) = ends("lofted_bodies") {
        out.insert("lofted_final_bodies", last);
    }
    if let Some([first, last]) = ends("latitude_mean_deg") {
        out.insert("latitude_change_deg", last - first);
    }
    if let Some([first, last]) = ends("longitude_mean_deg") {
        out.insert("longitude_change_deg", (last - first + 180.0).rem_euclid(360.0) - 180.0);
    }
}

fn add_events(out: &mut BTreeMap<&'static str, f64>, events: &Events) {
    out.insert("spin_final_rad_s", events.spin);
    out.insert("speed_final_m_s", events.speed);
    out.insert("speed_min_final_m_s", events.slowest);
    if let Some(share) = events.rest.kinetic_share {
        out.insert("kinetic_share_final", share);
    }
    out.insert("largest_aggregate_bodies", events.aggregate as f64);
    if let Some((last, most)) = events.wall_force {
        out.insert("wall_force_final_n", last);
        out.insert("wall_force_max_n", most);
    }
    if let Some((first, last)) = events.last_body {
        out.insert("displacement_last_m", first.distance(last));
    }
    if let Some((time, speed)) = events.contact {
        out.insert("contact_time_s", time);
        out.insert("contact_speed_m_s", speed);
    }
    if let Some(first) = events.first_normal.filter(|f| *f < 0.0) {
        out.insert("restitution_normal", -events.last_normal / first);
    }
    if let Some(first) = events.first_along.filter(|f| *f > 0.0) {
        out.insert("tangential_velocity_ratio", events.last_along / first);
    }
}

/// One expectation and what came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Verdict {
    /// name
    pub quantity: String,
    /// measured; `None` if the run does not show it
    pub value: Option<f64>,
    /// wanted
    pub expected: f64,
    /// allowed deviation in the units of the value
    pub tolerance: f64,
    /// within it
    pub ok: bool,
    /// where the number comes from
    pub source: String,
}

/// Compares with `[expect]`.
pub fn judge(scenario: &Scenario, found: &BTreeMap<String, f64>) -> Vec<Verdict> {
    let verdict = |e: &crate::model::scenario::Expectation| {
        let value = found.get(e.quantity.as_str()).copied();
        let tolerance = if e.absolute { e.tolerance } else { e.tolerance * e.value.abs() };
        let ok = value.is_some_and(|v| (v - e.value).abs() <= tolerance);
        Verdict { quantity: e.quantity.clone(), value, expected: e.value, tolerance, ok, source: e.source.clone() }
    };
    scenario.expect.iter().map(verdict).collect()
}
