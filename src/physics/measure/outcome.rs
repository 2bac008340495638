//! What a whole run shows, by name; `[expect]` compares with it.
//!
//! [`QUANTITIES`] is the one table: the names that `[expect]` accepts, `quantities.json`, the tables of campaigns and
//! docs/user/output.md are made from it. A new quantity is one more entry.

use super::columns::{checked, columns};
use super::events::{CLUSTER_SHARES, Events};
use super::frame_events::FAILED;
use super::table::bodies_column;
use crate::model::scenario::{Region, Scenario};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The name of a column; an unknown one does not compile.
macro_rules! of {
    ($name:literal) => {
        const { checked($name) }
    };
}

/// A quantity of a whole run.
pub struct Quantity {
    /// name, with `NAME` for that of a region
    pub name: &'static str,
    /// unit; empty for counts and ratios
    pub unit: &'static str,
    /// what it means
    pub meaning: &'static str,
    /// how it is found
    value: Amount,
}

/// The function that finds a quantity; `None`: the run does not show it.
enum Amount {
    OfRun(fn(&Whole) -> Option<f64>),
    OfRegion(fn(&Whole, &Region) -> Option<f64>),
}

const fn of_run(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&Whole) -> Option<f64>,
) -> Quantity {
    Quantity { name, unit, meaning, value: Amount::OfRun(value) }
}

/// All quantities.
pub const QUANTITIES: &[Quantity] = &[
    of_run("kinetic_peak_time_s", "s", "time of the largest translational kinetic energy", |w| {
        let kinetic = w.values(of!("kinetic_translational_j"))?;
        w.time_s((0..kinetic.len()).rev().max_by(|a, b| kinetic[*a].total_cmp(&kinetic[*b]))?)
    }),
    of_run("kinetic_peak_j", "J", "largest kinetic energy of any row, translational and rotational", |w| {
        kinetic_j(w)?.into_iter().max_by(f64::total_cmp)
    }),
    of_run(
        "kinetic_fall_time_s",
        "s",
        "time from that row to the first one with less than a tenth of its energy",
        kinetic_fall_time_s,
    ),
    of_run(
        "coordination_by_kind_final",
        "",
        "`coordination_by_kind`, mean of the last quarter; contact dynamics",
        |w| w.tail(of!("coordination_by_kind")).filter(|z| z.is_finite()),
    ),
    of_run("coordination_final", "", "`coordination`, mean of the last quarter of the rows", |w| {
        w.tail(of!("coordination"))
    }),
    of_run(
        "coordination_geometric_final",
        "",
        "`coordination_geometric`, which both methods share, mean of the last quarter; spheres only",
        |w| w.tail(of!("coordination_geometric")).filter(|near| near.is_finite()),
    ),
    of_run("packing_final", "", "`packing_sphere`, mean of the last quarter", |w| w.tail(of!("packing_sphere"))),
    of_run("packing_ellipsoid_final", "", "`packing_ellipsoid`, mean of the last quarter", |w| {
        w.tail(of!("packing_ellipsoid"))
    }),
    of_run("diameter_final_m", "m", "`diameter_m`, mean of the last quarter", |w| w.tail(of!("diameter_m"))),
    of_run("pressure_final_pa", "Pa", "`pressure_pa`, mean of the last quarter", |w| w.tail(of!("pressure_pa"))),
    of_run("virial_residual_final", "", "`virial_residual`, mean of the last quarter", |w| {
        w.tail(of!("virial_residual")).filter(|residual| residual.is_finite())
    }),
    of_run("momentum_drift", "", "largest `momentum_drift` in any row", |w| w.largest(of!("momentum_drift"))),
    of_run("angular_momentum_drift", "", "largest `angular_momentum_drift` in any row", |w| {
        w.largest(of!("angular_momentum_drift"))
    }),
    of_run(
        "energy_residual",
        "",
        "largest `energy_residual_j`, of either sign, over the energy that was dissipated",
        energy_residual,
    ),
    of_run(
        "energy_drift",
        "",
        "largest change of the total energy over its first value; what `[spin_up]` adds counts too",
        energy_drift,
    ),
    of_run("contact_time_s", "s", "time of the first contact of bodies 0 and 1, of two spheres without walls", |w| {
        Some(w.of_pair(w.events.contact)?.0)
    }),
    of_run("contact_speed_m_s", "m/s", "their approach speed at that time", |w| Some(w.of_pair(w.events.contact)?.1)),
    of_run(
        "restitution_normal",
        "",
        "normal speed after the first contact over that before it, of two spheres, or of body 0 and wall 0, [as rows show \
         them](#restitution); none without a contact, or before it ends",
        |w| w.events.bounce.restitution(),
    ),
    of_run("tangential_velocity_ratio", "", "last speed of body 0 along wall 0, relative to it, over its first", |w| {
        let along = w.of_wall(w.events.first_along);
        Some(w.events.last_along / along.filter(|f| *f > 0.0)?)
    }),
    of_run("spin_final_rad_s", "rad/s", "last spin of body 0", |w| Some(w.events.spin)),
    of_run("speed_final_m_s", "m/s", "last speed of body 0", |w| Some(w.events.speed)),
    of_run("speed_max_tail_m_s", "m/s", "largest speed of any body in the last half of the rows", |w| {
        let speeds = w.values(of!("speed_max_m_s"))?;
        largest(&speeds[speeds.len() / 2..])
    }),
    of_run("total_momentum_drift", "", "largest `total_momentum_drift` in any row; free asteroids only", |w| {
        w.largest(of!("total_momentum_drift"))
    }),
    of_run(
        "total_angular_momentum_drift",
        "",
        "largest `total_angular_momentum_drift` in any row; free asteroids only",
        |w| w.largest(of!("total_angular_momentum_drift")),
    ),
    of_run("kinetic_per_body_final_j", "J", "`kinetic_relative_j` over the number of bodies, in the last row", |w| {
        Some(w.ends(of!("kinetic_relative_j"))?[1] / w.events.bodies as f64)
    }),
    of_run("lofted_final_bodies", "", "`lofted_bodies` in the last row", |w| Some(w.ends(of!("lofted_bodies"))?[1])),
    of_run("latitude_change_deg", "deg", "last `latitude_mean_deg` less the first", |w| {
        let [first, last] = w.ends(of!("latitude_mean_deg"))?;
        Some(last - first)
    }),
    of_run("longitude_change_deg", "deg", "last `longitude_mean_deg` less the first, -180 to 180", |w| {
        let [first, last] = w.ends(of!("longitude_mean_deg"))?;
        Some((last - first + 180.0).rem_euclid(360.0) - 180.0)
    }),
    of_run("overlap_max", "", "largest `overlap_max` in any row", |w| w.largest(of!("overlap_max"))),
    of_run("speed_min_final_m_s", "m/s", "last speed of the slowest body", |w| Some(w.events.slowest)),
    of_run("displacement_last_m", "m", "distance of the last body from its first position, in the last row", |w| {
        let (first, last) = w.events.last_body?;
        Some(first.distance(last))
    }),
    of_run("largest_aggregate_bodies", "", "`largest_aggregate_bodies` of the last row", |w| {
        w.values(of!("largest_aggregate_bodies"))?.pop()
    }),
    of_run(
        CLUSTER_SHARES[0],
        "",
        "mass of the heaviest cluster over that of all bodies, in the last row, 0 without one; clusters have 0.5 % of the \
         bodies, and two, at least; only where `[expect]` names this or the next",
        |w| Some(w.events.cluster_shares?[0]),
    ),
    of_run(CLUSTER_SHARES[1], "", "the same of the second heaviest cluster", |w| Some(w.events.cluster_shares?[1])),
    of_run(
        "divergence_time_s",
        "s",
        "time of the first row in which the longest and the shortest semi-axis differ by more than three mean diameters",
        divergence_time_s,
    ),
    of_run(
        "spin_over_critical_max",
        "",
        "largest `spin_over_critical` in any row of a pile that is whole: `largest_aggregate_mass_share` is 0.9 or more; none if no row is",
        spin_over_critical_max,
    ),
    of_run("solver_over_budget", "", "steps that ended above the tolerance, sum over all rows", |w| {
        Some(w.values(of!("solver_over_budget"))?.iter().sum::<f64>()).filter(|over| over.is_finite())
    }),
    of_run("wall_force_final_n", "N", "force of the bodies that pushes wall 0 back, in the last row", |w| {
        Some(w.of_wall(w.events.wall_force)?.0)
    }),
    of_run("wall_force_max_n", "N", "the largest such force in any row", |w| Some(w.of_wall(w.events.wall_force)?.1)),
    of_run(
        "kinetic_share_final",
        "",
        "kinetic energy about the mass centre over the size of self-gravity's potential energy, in the last row",
        |w| w.events.rest.kinetic_share,
    ),
    of_run("contacts_from_s", "s", "time of the first row with contacts between bodies", |w| {
        w.time_s(w.values(of!("contacts"))?.iter().position(|c| *c > 0.0)?)
    }),
    of_run("dissipation_tenth_time_s", "s", "time at which a tenth of all that the run dissipates is lost", |w| {
        dissipation_time_s(w, 0.1)
    }),
    of_run("dissipation_nine_tenths_time_s", "s", "time at which nine tenths of it are lost", |w| {
        dissipation_time_s(w, 0.9)
    }),
    of_run(
        "angular_momentum_orbital_ratio_final",
        "",
        "size of the bodies' orbital angular momentum about their mass centre, in the last row over the first; none where the first is zero but for rounding",
        angular_momentum_orbital_ratio,
    ),
    of_run("half_radius_time_s", "s", "time at which the half-mass radius is half its first value", half_radius_time_s),
    Quantity {
        name: "NAME_bodies_final",
        unit: "",
        meaning: "bodies in the region NAME, in the last row",
        value: Amount::OfRegion(|w, region| w.rows.last()?.get(w.index_of(&bodies_column(region))?).copied()),
    },
];

/// Rows and events of a whole run.
struct Whole<'a> {
    rows: &'a [Vec<f64>],
    columns: Vec<String>,
    walls: usize,
    events: &'a Events,
    /// what a quantity asked for and the run does not have
    lacks: RefCell<Option<String>>,
}

impl<'a> Whole<'a> {
    fn new(rows: &'a [Vec<f64>], events: &'a Events, scenario: &Scenario) -> Whole<'a> {
        Whole { rows, columns: columns(scenario), walls: scenario.walls.len(), events, lacks: RefCell::default() }
    }

    fn index_of(&self, column: &str) -> Option<usize> {
        let index = self.columns.iter().position(|c| c == column);
        if index.is_none() {
            self.lacks.replace(Some(format!("column {column}")));
        }
        index
    }

    /// What an event at wall 0 showed.
    fn of_wall<T>(&self, shown: Option<T>) -> Option<T> {
        if self.walls == 0 {
            self.lacks.replace(Some("wall".into()));
        }
        shown
    }

    /// What an event of two bodies alone showed.
    fn of_pair<T>(&self, shown: Option<T>) -> Option<T> {
        if self.walls > 0 {
            self.lacks.replace(Some("two bodies without walls".into()));
        }
        shown
    }

    /// A column of all rows; `None`: the run does not have it.
    fn values(&self, column: &str) -> Option<Vec<f64>> {
        let index = self.index_of(column)?;
        Some(self.rows.iter().map(|r| r.get(index).copied().unwrap_or(f64::NAN)).collect())
    }

    /// The same of a column that a run may do without.
    fn values_if_any(&self, column: &str) -> Option<Vec<f64>> {
        self.columns.iter().any(|c| c == column).then(|| self.values(column))?
    }

    fn time_s(&self, row: usize) -> Option<f64> {
        self.values(of!("time_s"))?.get(row).copied()
    }

    /// First and last value.
    fn ends(&self, column: &str) -> Option<[f64; 2]> {
        let list = self.values(column)?;
        Some([*list.first()?, *list.last()?])
    }

    /// Mean of the last quarter.
    fn tail(&self, column: &str) -> Option<f64> {
        let mut list = self.values(column)?;
        let list = list.split_off(list.len() - list.len().div_ceil(4));
        Some(list.iter().sum::<f64>() / list.len() as f64)
    }

    fn largest(&self, column: &str) -> Option<f64> {
        largest(&self.values(column)?)
    }
}

/// The largest size; none if one is not a number, so that what was not measured meets no expectation.
fn largest(list: &[f64]) -> Option<f64> {
    (!list.iter().any(|x| x.is_nan())).then(|| list.iter().fold(0.0f64, |most, x| most.max(x.abs())))
}

fn kinetic_j(w: &Whole) -> Option<Vec<f64>> {
    let [along, around] = [w.values(of!("kinetic_translational_j"))?, w.values(of!("kinetic_rotational_j"))?];
    Some(along.iter().zip(&around).map(|(a, b)| a + b).collect())
}

fn kinetic_fall_time_s(w: &Whole) -> Option<f64> {
    let energy = kinetic_j(w)?;
    // the first of equal ones, as `kinetic_peak_time_s` has it
    let peak = (0..energy.len()).rev().max_by(|a, b| energy[*a].total_cmp(&energy[*b]))?;
    let low = (peak..energy.len()).find(|k| energy[*k] < 0.1 * energy[peak])?;
    Some(w.time_s(low)? - w.time_s(peak)?)
}

/// What was dissipated until each row (J).
fn dissipated_j(w: &Whole) -> Option<Vec<f64>> {
    let channels = [
        of!("dissipated_normal_j"),
        of!("dissipated_sliding_j"),
        of!("dissipated_rolling_j"),
        of!("dissipated_twisting_j"),
    ];
    let parts = channels.iter().map(|c| w.values(c)).collect::<Option<Vec<_>>>()?;
    Some((0..w.rows.len()).map(|row| parts.iter().map(|p| p[row]).sum()).collect())
}

/// Between two rows it grows in proportion to time.
fn dissipation_time_s(w: &Whole, share: f64) -> Option<f64> {
    let lost = dissipated_j(w)?;
    let wanted = share * lost.last().filter(|all| **all > 0.0)?;
    let k = (1..lost.len()).find(|k| lost[*k] >= wanted)?;
    let (a, b) = (w.time_s(k - 1)?, w.time_s(k)?);
    Some(a + (b - a) * (wanted - lost[k - 1]) / (lost[k] - lost[k - 1]))
}

/// Share of what it could be at most up to which an angular momentum counts as rounding of zero.
const ROUNDING: f64 = 1e-9;

/// None where the first value is rounding of zero.
fn angular_momentum_orbital_ratio(w: &Whole) -> Option<f64> {
    let axes = [
        of!("angular_momentum_orbital_x_kg_m2_s"),
        of!("angular_momentum_orbital_y_kg_m2_s"),
        of!("angular_momentum_orbital_z_kg_m2_s"),
    ];
    let ends = axes.iter().map(|c| w.ends(c)).collect::<Option<Vec<_>>>()?;
    let [first, last] = [0, 1].map(|k| ends.iter().map(|e| e[k] * e[k]).sum::<f64>().sqrt());
    let rounding = ROUNDING * w.events.orbital_size.unwrap_or(0.0);
    (first > rounding).then(|| last / first)
}

fn energy_residual(w: &Whole) -> Option<f64> {
    let lost = *dissipated_j(w)?.last()?;
    let residual = w.largest(of!("energy_residual_j"))?;
    (lost > 0.0).then_some(residual / lost)
}

fn energy_drift(w: &Whole) -> Option<f64> {
    let parts = [of!("kinetic_translational_j"), of!("kinetic_rotational_j"), of!("elastic_j"), of!("gravitational_j")];
    let mut parts = parts.iter().map(|c| w.values(c)).collect::<Option<Vec<_>>>()?;
    parts.extend(w.values_if_any(of!("asteroid_kinetic_j")));
    let total = |row: usize| parts.iter().map(|p| p[row]).sum::<f64>();
    let first = total(0);
    let drifts: Vec<f64> = (0..w.rows.len()).map(|row| (total(row) - first) / first).collect();
    largest(&drifts).filter(|_| first != 0.0)
}

fn half_radius_time_s(w: &Whole) -> Option<f64> {
    let half = w.values(of!("half_mass_radius_m")).filter(|half| half[0] > 0.0)?;
    let k = (1..half.len()).find(|k| half[*k] <= 0.5 * half[0])?;
    let (a, b) = (w.time_s(k - 1)?, w.time_s(k)?);
    Some(a + (b - a) * (half[k - 1] - 0.5 * half[0]) / (half[k - 1] - half[k]))
}

fn divergence_time_s(w: &Whole) -> Option<f64> {
    let axes = w.values(of!("semi_axis_a_m"))?.into_iter().zip(w.values(of!("semi_axis_c_m"))?);
    w.time_s(axes.map(|(a, c)| a - c).position(|d| d > FAILED * w.events.mean_diameter_m)?)
}

/// Share of the mass from which on an aggregate is the whole pile: what flies off lowers the density of all bodies together, and
/// raises their spin over the critical one, without limit.
pub const WHOLE_FROM: f64 = 0.9;

fn spin_over_critical_max(w: &Whole) -> Option<f64> {
    let spins = w.values(of!("spin_over_critical"))?;
    let shares = w.values(of!("largest_aggregate_mass_share"))?;
    let of_whole: Vec<f64> =
        spins.into_iter().zip(shares).filter(|(_, share)| *share >= WHOLE_FROM).map(|(s, _)| s).collect();
    if of_whole.is_empty() { None } else { largest(&of_whole).filter(|most| most.is_finite()) }
}

/// Names of the quantities that runs of a scenario with these regions may show.
pub fn names(regions: &[Region]) -> Vec<String> {
    let of = |q: &Quantity| match q.value {
        Amount::OfRun(_) => vec![q.name.to_owned()],
        Amount::OfRegion(_) => regions.iter().map(|r| q.of_region(r)).collect(),
    };
    QUANTITIES.iter().flat_map(of).collect()
}

/// True if `name` can be a quantity of a region of some scenario.
pub fn of_a_region(name: &str) -> bool {
    let regional = QUANTITIES.iter().filter(|q| matches!(q.value, Amount::OfRegion(_)));
    regional
        .filter_map(|q| q.name.split_once("NAME"))
        .any(|(head, tail)| name.starts_with(head) && name.ends_with(tail))
}

impl Quantity {
    fn of_region(&self, region: &Region) -> String {
        self.name.replace("NAME", &region.name)
    }
}

/// Evaluates every quantity that this run shows.
pub fn outcome(rows: &[Vec<f64>], events: &Events, scenario: &Scenario) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    if rows.is_empty() {
        return found;
    }
    let whole = Whole::new(rows, events, scenario);
    for q in QUANTITIES {
        match q.value {
            Amount::OfRun(f) => found.extend(f(&whole).map(|v| (q.name.to_owned(), v))),
            Amount::OfRegion(f) => {
                let of = |r: &Region| Some((q.of_region(r), f(&whole, r)?));
                found.extend(scenario.regions.iter().filter_map(of));
            }
        }
    }
    found
}

/// What a run of the scenario lacks to show this quantity, such as `column latitude_mean_deg`.
pub fn lacking(quantity: &str, scenario: &Scenario) -> Option<String> {
    let of_clusters = CLUSTER_SHARES.contains(&quantity);
    if of_clusters && !scenario.expect.iter().any(|e| CLUSTER_SHARES.contains(&e.quantity.as_str())) {
        return Some(format!("[expect.{quantity}], without which it is not measured"));
    }
    let (rows, events) = ([vec![]], Events::default());
    let whole = Whole::new(&rows, &events, scenario);
    let Amount::OfRun(value) = QUANTITIES.iter().find(|q| q.name == quantity)?.value else { return None };
    // The rows are empty, so the value means nothing. What counts is what the quantity asks for.
    value(&whole);
    whole.lacks.take()
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
        let ([expected, tolerance], ok) = (e.wanted.range(), value.is_some_and(|v| e.wanted.holds(v)));
        Verdict { quantity: e.quantity.clone(), value, expected, tolerance, ok, source: e.source.clone() }
    };
    scenario.expect.iter().map(verdict).collect()
}
