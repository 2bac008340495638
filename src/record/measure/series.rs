//! One row of the series: energies, momenta, contacts, packing, shape, stress.

use super::grains::kinetic;
use super::{frame, grains};
use crate::base::eigen::principal;
use crate::base::units::G;
use crate::geometry::touching::{TOUCH_TOLERANCE, touching_pairs};
use crate::model::scenario::{AsteroidSpec, GravitySource, Motion, Region, Scenario, Wall};
use crate::model::snapshot::{Added, Contact, Snapshot, WallMotion};
use crate::physics::measure::whole;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What later rows are compared with; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Baseline {
    set: bool,
    energy_j: f64,
    momentum: [f64; 3],
    angular: [f64; 3],
    /// largest sum of |p| so far (kg m/s)
    momentum_scale: f64,
    /// largest sum of |r x p| + |I w| so far (kg m2/s)
    angular_scale: f64,
    /// of bodies and a free asteroid together
    total: frame::TotalBaseline,
}

impl Baseline {
    /// Takes what something outside gave the bodies for no drift.
    pub fn add(&mut self, added: &Added) {
        self.energy_j += added.energy_j;
        self.momentum = (DVec3::from_array(self.momentum) + added.momentum).to_array();
        self.angular = (DVec3::from_array(self.angular) + added.angular).to_array();
    }
}

/// Names of the columns, units included, walls and regions of this scenario behind those of all runs.
pub fn columns(scenario: &Scenario) -> Vec<String> {
    let rigid: &[&str] = if scenario.method.contact_dynamics().is_some() { RIGID } else { &[] };
    let mut list: Vec<String> = FIXED.iter().chain(rigid).map(|c| (*c).to_owned()).collect();
    for wall in &scenario.walls {
        for part in ["force_x_n", "force_y_n", "force_z_n", "torque_x_n_m", "torque_y_n_m", "torque_z_n_m"] {
            list.push(format!("wall.{}.{part}", wall.name));
        }
        for part in if wall.moves() { MOTION } else { &[] } {
            list.push(format!("wall.{}.{part}", wall.name));
        }
    }
    for region in &scenario.regions {
        list.extend([bodies_column(region), format!("region.{}.mass_kg", region.name)]);
    }
    list.extend(grains::columns(scenario).iter().copied().chain(frame::columns(scenario)).map(str::to_owned));
    list
}

/// Name of the column that counts the bodies of a region.
pub fn bodies_column(region: &Region) -> String {
    format!("region.{}.bodies", region.name)
}

const FIXED: &[&str] = &[
    "step",
    "time_s",
    "kinetic_translational_j",
    "kinetic_rotational_j",
    "elastic_j",
    "gravitational_j",
    "dissipated_normal_j",
    "dissipated_sliding_j",
    "dissipated_rolling_j",
    "dissipated_twisting_j",
    "wall_work_j",
    "energy_residual_j",
    "momentum_x_kg_m_s",
    "momentum_y_kg_m_s",
    "momentum_z_kg_m_s",
    "momentum_drift",
    "angular_momentum_x_kg_m2_s",
    "angular_momentum_y_kg_m2_s",
    "angular_momentum_z_kg_m2_s",
    "angular_momentum_drift",
    "angular_momentum_orbital_x_kg_m2_s",
    "angular_momentum_orbital_y_kg_m2_s",
    "angular_momentum_orbital_z_kg_m2_s",
    "angular_momentum_spin_x_kg_m2_s",
    "angular_momentum_spin_y_kg_m2_s",
    "angular_momentum_spin_z_kg_m2_s",
    "contacts",
    "coordination",
    "coordination_touching",
    "contacts_pulling",
    "coordination_geometric",
    "overlap_max",
    "packing_sphere",
    "packing_ellipsoid",
    "diameter_m",
    "semi_axis_a_m",
    "semi_axis_b_m",
    "semi_axis_c_m",
    "half_mass_radius_m",
    "stress_xx_pa",
    "stress_yy_pa",
    "stress_zz_pa",
    "stress_xy_pa",
    "stress_xz_pa",
    "stress_yz_pa",
    "stress_1_pa",
    "stress_2_pa",
    "stress_3_pa",
    "pressure_pa",
    "virial_residual",
    "speed_max_m_s",
    "tree_net_force",
];

/// Columns of contact dynamics alone.
const RIGID: &[&str] = &[
    "coordination_by_kind",
    "solver_iterations_mean",
    "solver_iterations_max",
    "solver_residual",
    "solver_residual_max",
    "solver_over_budget",
];

/// Columns of a wall that moves.
const MOTION: &[&str] = &["travel_m", "speed_m_s"];

/// Place of a column that runs of every method have, or that contact dynamics has in its rows. In a run of any kind take
/// the place in [`columns`].
pub fn column(name: &str) -> usize {
    FIXED.iter().chain(RIGID).position(|c| *c == name).unwrap_or(usize::MAX)
}

/// Measures one instant. The first call sets the baseline.
pub fn measure(s: &Snapshot, scenario: &Scenario, baseline: &mut Baseline) -> Vec<f64> {
    let (centre, drift) = whole::centre(s);
    let radius = whole::enclosing_radius_m(s, centre);
    let mut row = vec![s.step as f64, s.time_s];
    let mechanical = energies(s, scenario, baseline, &mut row);
    momenta(s, centre, baseline, &mut row);
    contacts(s, &mut row);
    shape(s, centre, radius, &mut row);
    stress(s, centre, drift, radius, &mut row);
    row.push(s.bodies.velocity_m_s.iter().map(|v| v.length()).fold(0.0, f64::max));
    row.push(s.tree_net_force);
    if scenario.method.contact_dynamics().is_some() {
        row.push(coordination_by_kind(s));
        solver(s, &mut row);
    }
    walls(s, scenario, &mut row);
    regions(s, scenario, &mut row);
    grains::measure(s, scenario, &mut row);
    frame::measure(s, scenario, mechanical, &mut baseline.total, &mut row);
    baseline.set = true;
    row
}

fn gravitational(s: &Snapshot, scenario: &Scenario) -> f64 {
    let mass = &s.bodies.mass_kg;
    let self_part: f64 = s.self_potential_j_kg.iter().zip(mass).map(|(p, m)| 0.5 * p * m).sum();
    let external = |g: &GravitySource| -> f64 {
        s.bodies
            .position_m
            .iter()
            .zip(mass)
            .map(|(p, m)| match g {
                GravitySource::Uniform { acceleration_m_s2 } => -m * acceleration_m_s2.dot(*p),
                GravitySource::Central { gm_m3_s2, position_m } => {
                    -m * s.central_gm_m3_s2.unwrap_or(*gm_m3_s2) / p.distance(*position_m)
                }
                GravitySource::UniformSphere { density_kg_m3, radius_m, position_m } => {
                    let gm = 4.0 / 3.0 * std::f64::consts::PI * G * density_kg_m3 * radius_m.powi(3);
                    let gm = s.central_gm_m3_s2.unwrap_or(gm);
                    let r = p.distance(*position_m);
                    let inside = -gm * (1.5 - 0.5 * (r / radius_m).powi(2)) / radius_m;
                    m * if r < *radius_m { inside } else { -gm / r }
                }
                GravitySource::RotatingFrame { rotation_rad_s } => -0.5 * m * rotation_rad_s.cross(*p).length_squared(),
                GravitySource::SelfGravity { .. } | GravitySource::Asteroid { .. } => 0.0,
            })
            .sum()
    };
    let asteroid: f64 = s.asteroid_potential_j_kg.iter().zip(mass).map(|(p, m)| p * m).sum();
    self_part + asteroid + scenario.gravity.iter().map(external).sum::<f64>() + centrifugal(s, scenario)
}

/// Potential of the frame of an asteroid that turns steadily (J).
fn centrifugal(s: &Snapshot, scenario: &Scenario) -> f64 {
    let Some(AsteroidSpec { motion: Motion::Rotating, rotation_rad_s, .. }) = &scenario.asteroid else { return 0.0 };
    let bodies = s.bodies.position_m.iter().zip(&s.bodies.mass_kg);
    bodies.map(|(x, mass)| -0.5 * mass * rotation_rad_s.cross(*x).length_squared()).sum()
}

/// Also the mechanical energy of the bodies. With a free asteroid kinetic energies are those of inertial space, and the ledger
/// holds the asteroid's too.
fn energies(s: &Snapshot, scenario: &Scenario, baseline: &mut Baseline, row: &mut Vec<f64>) -> f64 {
    let free = s.frame.and_then(|f| f.asteroid.map(|a| a.kinetic_j(f.orientation).iter().sum::<f64>()));
    let (translation, rotation) = if free.is_some() { kinetic(&s.inertial()) } else { kinetic(&s.bodies) };
    let elastic: f64 = s.contacts.iter().map(|c| c.elastic_j).chain(s.wall_contacts.iter().map(|c| c.elastic_j)).sum();
    let gravity = gravitational(s, scenario);
    let lost = s.dissipated;
    let channels = [lost.normal_j, lost.sliding_j, lost.rolling_j, lost.twisting_j];
    let mechanical = translation + rotation + elastic + gravity;
    let ledger = mechanical + free.unwrap_or(0.0) + channels.iter().sum::<f64>() - s.wall_work_j;
    if !baseline.set {
        baseline.energy_j = ledger;
    }
    row.extend([translation, rotation, elastic, gravity]);
    row.extend(channels);
    row.extend([s.wall_work_j, ledger - baseline.energy_j]);
    mechanical
}

fn momenta(s: &Snapshot, centre: DVec3, baseline: &mut Baseline, row: &mut Vec<f64>) {
    let (mut p, mut orbital, mut spins, mut p_size, mut l_size) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    // About the mass centre of the start would move with a shift; the bodies' own centre does not.
    for k in 0..s.bodies.len() {
        let part = s.bodies.mass_kg[k] * s.bodies.velocity_m_s[k];
        let (orbit, spin) =
            ((s.bodies.position_m[k] - centre).cross(part), s.bodies.inertia_kg_m2(k) * s.bodies.spin_rad_s[k]);
        p += part;
        orbital += orbit;
        spins += spin;
        p_size += part.length();
        l_size += orbit.length() + spin.length();
    }
    let l = orbital + spins;
    if !baseline.set {
        (baseline.momentum, baseline.angular) = (p.to_array(), l.to_array());
    }
    baseline.momentum_scale = baseline.momentum_scale.max(p_size);
    baseline.angular_scale = baseline.angular_scale.max(l_size);
    let drift = |now: DVec3, then: [f64; 3], scale: f64| {
        if scale > 0.0 { (now - DVec3::from_array(then)).length() / scale } else { 0.0 }
    };
    row.extend(p.to_array());
    row.push(drift(p, baseline.momentum, baseline.momentum_scale));
    row.extend(l.to_array());
    row.push(drift(l, baseline.angular, baseline.angular_scale));
    // Orbital part: Ferrari et al. 2017, eq. 15, about the mass centre.
    row.extend(orbital.to_array().into_iter().chain(spins.to_array()));
}

fn contacts(s: &Snapshot, row: &mut Vec<f64>) {
    let (n, b) = (s.bodies.len(), &s.bodies);
    let mut touched = vec![false; n];
    let (mut count, mut pulling) = (0.0, 0.0);
    let mut largest = 0.0f64;
    for c in &s.contacts {
        if c.touches(b) {
            (touched[c.i as usize], touched[c.j as usize]) = (true, true);
            count += 1.0;
        } else if c.normal_force_n() < 0.0 {
            pulling += 1.0;
        }
        largest = largest.max(c.overlap_m / s.bodies.radius_m[c.i as usize].min(s.bodies.radius_m[c.j as usize]));
    }
    for c in &s.wall_contacts {
        largest = largest.max(c.overlap_m / s.bodies.radius_m[c.body as usize]);
    }
    // For polyhedra, the gaps of all near pairs would cost more than the steps of a row.
    let near = if b.polyhedra.is_some() {
        f64::NAN
    } else {
        touching_pairs(&b.position_m, &b.radius_m, TOUCH_TOLERANCE).len() as f64
    };
    let touching = touched.iter().filter(|t| **t).count();
    row.extend([
        count,
        2.0 * count / n as f64,
        if touching > 0 { 2.0 * count / touching as f64 } else { 0.0 },
        pulling,
        2.0 * near / n as f64,
        largest,
    ]);
}

/// Mean number of contacts of a body with others, a pair of polyhedra counting by what touches what (Sanchez et al. 2021,
/// Fig. 9): face on face at most 3, face on edge at most 2, all else 1, but never more than the points that carry. Faces
/// that are merely near lie on each other at one corner.
fn coordination_by_kind(s: &Snapshot) -> f64 {
    let pairs = s.contacts.chunk_by(|a, b| (a.i, a.j) == (b.i, b.j));
    let count = |points: &[Contact]| {
        let carrying = points.iter().filter(|c| c.touches(&s.bodies)).count();
        carrying.min(points[0].kind as usize)
    };
    2.0 * pairs.map(count).sum::<usize>() as f64 / s.bodies.len() as f64
}

/// Iterations of the steps since the last row, residuals, and steps over the budget.
fn solver(s: &Snapshot, row: &mut Vec<f64>) {
    let w = s.solved.unwrap_or_default();
    let mean = if w.steps > 0 { w.iterations as f64 / f64::from(w.steps) } else { 0.0 };
    row.extend([mean, w.iterations_worst.into(), w.residual, w.residual_worst, w.over_budget.into()]);
}

fn shape(s: &Snapshot, centre: DVec3, r: f64, row: &mut Vec<f64>) {
    let solid = whole::solid_volume_m3(s);
    let volume = |a: f64, b: f64, c: f64| 4.0 / 3.0 * std::f64::consts::PI * a * b * c;
    let [a, b, c] = whole::semi_axes_m(s, centre);
    row.extend([
        solid / volume(r, r, r),
        solid / volume(a, b, c),
        2.0 * r,
        a,
        b,
        c,
        whole::half_mass_radius_m(s, centre),
    ]);
}

/// Stress over the enclosing sphere, and how far 3 P V is from |W| - 2 K (virial theorem).
fn stress(s: &Snapshot, centre: DVec3, drift: DVec3, r: f64, row: &mut Vec<f64>) {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let moment = whole::stress_moment(s);
    let m = moment.to_cols_array_2d();
    let trace = m[0][0] + m[1][1] + m[2][2];
    row.extend(
        [m[0][0], m[1][1], m[2][2], 0.5 * (m[0][1] + m[1][0]), 0.5 * (m[0][2] + m[2][0]), 0.5 * (m[1][2] + m[2][1])]
            .map(|v| v / volume),
    );
    row.extend(principal(moment).0.map(|v| v / volume));
    row.push(trace / (3.0 * volume));
    let w: f64 = (0..s.self_acceleration_m_s2.len())
        .map(|k| -s.bodies.mass_kg[k] * (s.bodies.position_m[k] - centre).dot(s.self_acceleration_m_s2[k]))
        .sum();
    let k2: f64 =
        (0..s.bodies.len()).map(|k| s.bodies.mass_kg[k] * (s.bodies.velocity_m_s[k] - drift).length_squared()).sum();
    row.push(if w > 0.0 { (trace - (w - k2)) / w } else { 0.0 });
}

/// Where a wall is along its normal at this instant.
fn motion(s: &Snapshot, wall: &Wall, index: usize) -> WallMotion {
    let speed_m_s = wall.velocity_m_s.dot(wall.normal);
    let typed = WallMotion { travel_m: speed_m_s * s.time_s, speed_m_s };
    s.wall_motion.get(index).copied().unwrap_or(typed)
}

/// Force and torque (about the wall's point) that the bodies put on each wall, and how it moves.
fn walls(s: &Snapshot, scenario: &Scenario, row: &mut Vec<f64>) {
    for (index, wall) in scenario.walls.iter().enumerate() {
        let now = motion(s, wall, index);
        let servo = if wall.servo.is_some() { now.travel_m * wall.normal } else { DVec3::ZERO };
        let point = wall.point_m + wall.velocity_m_s * s.time_s + servo;
        let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
        for c in s.wall_contacts.iter().filter(|c| c.wall as usize == index) {
            force -= c.force_n;
            torque -= (c.point_m(&s.bodies, wall.normal) - point).cross(c.force_n);
        }
        row.extend(force.to_array());
        row.extend(torque.to_array());
        if wall.moves() {
            row.extend([now.travel_m, now.speed_m_s]);
        }
    }
}

/// Bodies and mass in each region.
fn regions(s: &Snapshot, scenario: &Scenario, row: &mut Vec<f64>) {
    let b = &s.bodies;
    for region in &scenario.regions {
        let inside = (0..b.len()).filter(|k| region.holds(b.position_m[*k]));
        let (count, mass_kg) = inside.fold((0, 0.0), |(n, kg), k| (n + 1, kg + b.mass_kg[k]));
        row.extend([f64::from(count), mass_kg]);
    }
}
