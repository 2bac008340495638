//! Contact dynamics of spheres in f64 and SI on one core, as an engine: [`Dynamics`] at the positions of detection, so that
//! any theta is its theta = 1, with the sources, laws and settings of a scenario. The yardstick of the GPU, for any ratio of
//! sizes.

use super::dynamics::{Dynamics, RigidLaw, Taken, Touch};
use super::solution::{Driver, Solution, Stop, StopReason};
use super::{coloured, jacobi, nsgs};
use crate::base::error::{Error, Result};
use crate::base::steps::steps_until;
use crate::engine::gpu::iterations::Iterations;
use crate::engine::saved::{misfit, value, values};
use crate::engine::{ADVANCE_S, Engine, refuse, spun};
use crate::gpu::layout::control;
use crate::model::body::Bodies;
use crate::model::scenario::{ContactDynamics, ContactSolver, OnBudget, Scenario};
use crate::model::snapshot::{Added, Contact, Dissipated, Snapshot, Solved, WallContact};
use crate::physics::frame::axes::Axes;
use crate::physics::gravity::fields::Fields;
use crate::physics::laws::keys::{self, Keyed};
use crate::physics::scales::{cohesion_range_least_m, velocity_floor_m_s};
use crate::physics::start;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use std::time::Instant;

/// Iterations between two looks at the residual with `solver = "auto"`, which is sequential Gauss-Seidel here.
const LOOK_EVERY: usize = 4;

/// What moves of a body.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
struct Moving {
    /// where contacts are found next (m)
    position: DVec3,
    velocity: DVec3,
    spin: DVec3,
    /// acceleration by held gravity (m/s2)
    held: DVec3,
}

/// How steps were solved since a row took it; mirrors [`Solved`].
#[repr(C)]
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
struct Counts {
    steps: u64,
    iterations: u64,
    iterations_worst: u32,
    over_budget: u32,
    residual: f64,
    residual_worst: f64,
}

/// Rigid spheres in f64.
pub struct RigidReference {
    dynamics: Dynamics,
    fields: Fields,
    solver: ContactSolver,
    on_budget: OnBudget,
    /// what detection is ahead of the instant (s)
    ahead_s: f64,
    step: u64,
    gravity_next: u64,
    counts: Counts,
    /// by material, and the first step in which their cohesion acts
    laws: Vec<RigidLaw>,
    cohesion_step: u64,
}

impl RigidReference {
    /// Opens a run of `bodies` with these settings at the time step `dt_s`. Fails without bodies, and for polyhedra.
    pub fn new(scenario: &Scenario, settings: &ContactDynamics, bodies: &Bodies, dt_s: f64) -> Result<RigidReference> {
        refuse(scenario, bodies)?;
        if bodies.polyhedra.is_some() {
            let what = "the reference engine steps spheres alone";
            return Err(scenario.fault("bodies", what, "use --engine gpu for polyhedra").into());
        }
        if scenario.has_servo() {
            let what = "the reference engine moves no walls by force";
            return Err(scenario.fault("wall", what, "use --engine gpu").into());
        }
        let (driver, look) = iterations(settings.solver);
        let ahead_s = (1.0 - settings.theta) * dt_s;
        let fields = Fields::of(scenario)?;
        let axes = Axes::of(scenario, dt_s);
        let start = axes.map_or_else(|| bodies.clone(), |axes| axes.in_inertial_space(bodies));
        let mut dynamics = Dynamics::new(start, RigidLaw::default(), dt_s);
        let b = &mut dynamics.bodies;
        b.position_m.iter_mut().zip(&b.velocity_m_s).for_each(|(x, v)| *x += ahead_s * *v);
        if let Some(turn) = axes.map(|axes| axes.to_detection()) {
            let lists = [&mut b.position_m, &mut b.velocity_m_s, &mut b.spin_rad_s];
            lists.into_iter().flatten().for_each(|v| *v = turn * *v);
        }
        dynamics.axes = axes;
        dynamics.walls = scenario.walls.clone();
        dynamics.field_m_s2 = fields.uniform;
        dynamics.held_m_s2 = vec![DVec3::ZERO; bodies.len()];
        dynamics.recovery = settings.recovery;
        dynamics.recovery_max_m_s = settings.recovery_speed_m_s.unwrap_or(f64::INFINITY);
        dynamics.driver = driver;
        dynamics.stop = Stop {
            tolerance: settings.tolerance,
            floor_m_s: velocity_floor_m_s(scenario, bodies, dt_s),
            iterations_max: settings.iterations_max as usize,
            check_every: look,
            ..Stop::default()
        };
        dynamics.time_s = ahead_s;
        dynamics.range_least_m = cohesion_range_least_m(bodies);
        Ok(RigidReference {
            dynamics,
            fields,
            solver: settings.solver,
            on_budget: settings.on_budget,
            ahead_s,
            step: 0,
            gravity_next: 0,
            counts: Counts::default(),
            laws: scenario.materials.iter().map(law).collect(),
            cohesion_step: steps_until(settings.cohesion_from_s, dt_s),
        })
    }

    fn hold_gravity(&mut self) {
        if self.step < self.gravity_next {
            return;
        }
        self.gravity_next = self.step + self.fields.every;
        let d = &mut self.dynamics;
        let ahead_s = 0.5 * (self.fields.every - 1) as f64 * d.step_s;
        // The field is held in the axes of the frame, which carry bodies along.
        let relative = |x: DVec3, v: DVec3| d.axes.map_or(v, |axes| axes.relative([v, DVec3::ZERO], x)[0]);
        let ahead = |(x, v): (&DVec3, &DVec3)| *x + ahead_s * relative(*x, *v);
        let positions: Vec<DVec3> = d.bodies.position_m.iter().zip(&d.bodies.velocity_m_s).map(ahead).collect();
        let [own, central] = self.fields.at(&positions, &d.bodies.mass_kg);
        d.held_m_s2 = own.iter().zip(&central).map(|(a, b)| a.0 + b.0).collect();
    }

    fn one_step(&mut self) -> Result<()> {
        self.hold_gravity();
        let cohering = self.step >= self.cohesion_step;
        let bare = |l: &RigidLaw| if cohering { *l } else { RigidLaw { cohesion_n: 0.0, ..*l } };
        self.dynamics.materials = self.laws.iter().map(bare).collect();
        let solution = self.dynamics.step();
        let b = &self.dynamics.bodies;
        let finite = |k: &usize| (b.position_m[*k] + b.velocity_m_s[*k] + b.spin_rad_s[*k]).is_finite();
        let stopped = |k: usize, what: &str| {
            Error::guard_step(self.step, &format!("body {}", b.id[k]), what, self.dynamics.step_s)
        };
        if let Some(k) = (0..b.len()).find(|k| !finite(k)) {
            return Err(stopped(k, control::NON_FINITE.1));
        }
        let step_s = self.dynamics.step_s;
        let turned = b.spin_rad_s.iter().position(|w| w.length() * step_s > std::f64::consts::PI);
        if let Some(k) = turned {
            return Err(stopped(k, control::TURN.1));
        }
        self.count(&solution)?;
        self.step += 1;
        Ok(())
    }

    fn count(&mut self, solution: &Solution) -> Result<()> {
        if solution.impulses.is_empty() {
            self.counts.residual = 0.0;
            return Ok(());
        }
        let (residual, iterations) = (solution.residual(), solution.iterations as u32);
        let c = &mut self.counts;
        c.steps += 1;
        c.iterations += u64::from(iterations);
        c.iterations_worst = c.iterations_worst.max(iterations);
        // Infinite where a step starts from nothing and nothing is to be done.
        c.residual = if residual.is_finite() { residual } else { 0.0 };
        c.residual_worst = c.residual_worst.max(c.residual);
        if solution.reason != StopReason::Converged {
            c.over_budget += 1;
            if self.on_budget == OnBudget::Stop {
                let tolerance = self.dynamics.stop.tolerance as f32;
                return Err(Error::over_budget(self.step, c.residual as f32, tolerance, iterations));
            }
        }
        Ok(())
    }

    fn add_contacts(&self, snapshot: &mut Snapshot) {
        let (n, rate) = (self.dynamics.bodies.len(), 1.0 / self.dynamics.step_s);
        for t in self.dynamics.touches.iter().filter(|t| t.impulse_n_s != DVec3::ZERO) {
            let force_n = rate * t.impulse_n_s;
            let [torque_i_n_m, torque_j_n_m] = [t.arm_i_m.cross(force_n), -t.arm_j_m.cross(force_n)];
            match (t.j as usize).checked_sub(n) {
                Some(wall) => snapshot.wall_contacts.push(WallContact {
                    body: t.i,
                    wall: wall as u32,
                    overlap_m: -t.gap_m,
                    force_n,
                    at_m: self.dynamics.walls[wall].block.map(|_| snapshot.bodies.position_m[t.i as usize] + t.arm_i_m),
                    torque_n_m: torque_i_n_m,
                    ..WallContact::default()
                }),
                None => snapshot.contacts.push(Contact {
                    i: t.i,
                    j: t.j,
                    overlap_m: -t.gap_m,
                    normal: -t.normal,
                    force_n,
                    torque_i_n_m,
                    torque_j_n_m,
                    ..Contact::default()
                }),
            }
        }
    }
}

/// Driver, and iterations between two looks at the residual.
fn iterations(solver: ContactSolver) -> (Driver, usize) {
    let every = Iterations::of(solver).look_every as usize;
    match solver {
        ContactSolver::Auto => (nsgs::diagonal, LOOK_EVERY),
        ContactSolver::Jacobi => (jacobi::spectral, every),
        ContactSolver::GaussSeidel | ContactSolver::GaussSeidelOneGroup => (coloured::solve, every),
    }
}

fn law(m: &crate::model::scenario::Material) -> RigidLaw {
    RigidLaw {
        friction: keys::FRICTION_SLIDING.of(m),
        restitution: keys::RESTITUTION_NORMAL.of(m),
        cohesion_n: keys::COHESION_FORCE.of(m),
        cohesion_range_m: keys::COHESION_RANGE.of(m),
    }
}

impl Engine for RigidReference {
    fn time_step_s(&self) -> f64 {
        self.dynamics.step_s
    }

    fn step(&self) -> u64 {
        self.step
    }

    fn advance(&mut self, target: u64) -> Result<()> {
        let start = Instant::now();
        while self.step < target && start.elapsed().as_secs_f64() < ADVANCE_S {
            self.one_step()?;
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<Snapshot> {
        let (d, c) = (&self.dynamics, self.counts);
        let mut bodies = d.bodies.clone();
        bodies.position_m.iter_mut().zip(&d.bodies.velocity_m_s).for_each(|(x, v)| *x -= self.ahead_s * *v);
        let [own, _] = self.fields.at(&bodies.position_m, &bodies.mass_kg);
        let Taken { normal_j, sliding_j, wall_work_j } = d.taken;
        let mut snapshot = Snapshot {
            step: self.step,
            time_s: self.step as f64 * d.step_s,
            bodies,
            dissipated: Dissipated { normal_j, sliding_j, ..Dissipated::default() },
            wall_work_j,
            solved: Some(Solved {
                steps: c.steps as u32,
                iterations: c.iterations,
                iterations_worst: c.iterations_worst,
                residual: c.residual,
                residual_worst: c.residual_worst,
                over_budget: c.over_budget,
                judged: None,
            }),
            ..Snapshot::default()
        };
        if self.fields.of_bodies {
            (snapshot.self_acceleration_m_s2, snapshot.self_potential_j_kg) = own.into_iter().unzip();
        }
        snapshot.asteroid_potential_j_kg = self.fields.asteroid_potentials(&snapshot.bodies.position_m);
        if self.step == 0 {
            (snapshot.contacts, snapshot.wall_contacts) = start::rigid(&snapshot.bodies, &d.walls);
        }
        self.add_contacts(&mut snapshot);
        self.dynamics.axes.iter().for_each(|axes| axes.show(&mut snapshot));
        Ok(snapshot)
    }

    /// All is in f64 here.
    fn judge(&mut self) -> Result<Option<f64>> {
        Ok(Some(self.counts.residual))
    }

    fn restart_counts(&mut self) -> Result<()> {
        self.counts = Counts { residual: self.counts.residual, ..Counts::default() };
        Ok(())
    }

    fn spin(&mut self, rad_s: DVec3, only: Option<&[usize]>) -> Result<Added> {
        let axes = self.dynamics.axes;
        let rad_s = axes.map_or(rad_s, |axes| axes.to_detection() * rad_s);
        let (ahead_s, b) = (self.ahead_s, &mut self.dynamics.bodies);
        let shown: Vec<DVec3> = b.position_m.iter().zip(&b.velocity_m_s).map(|(x, v)| *x - ahead_s * *v).collect();
        let (spun, centre) = spun(b.len(), only, |k| (b.mass_kg[k], shown[k]));
        let mut added = Added::default();
        for (k, shown) in shown.into_iter().enumerate().filter(|(k, _)| spun[*k]) {
            let motion = [b.velocity_m_s[k], b.spin_rad_s[k]];
            let motion = axes.map_or(motion, |axes| axes.relative(motion, shown));
            let change = added.rotate(rad_s, shown - centre, b.mass_kg[k], b.inertia_kg_m2(k), motion);
            b.velocity_m_s[k] += change;
            b.spin_rad_s[k] += rad_s;
            b.position_m[k] = shown + ahead_s * b.velocity_m_s[k];
        }
        Ok(axes.map_or(added, |axes| axes.shown(&added)))
    }

    fn save(&mut self) -> Result<Vec<(String, Vec<u8>)>> {
        let (words, d) = ([self.step, self.gravity_next], &self.dynamics);
        let b = &d.bodies;
        let moving = |k: usize| Moving {
            position: b.position_m[k],
            velocity: b.velocity_m_s[k],
            spin: b.spin_rad_s[k],
            held: d.held_m_s2[k],
        };
        let moving: Vec<Moving> = (0..b.len()).map(moving).collect();
        Ok([
            ("rigid_words", bytemuck::bytes_of(&words)),
            ("time", bytemuck::bytes_of(&d.time_s)),
            ("taken", bytemuck::bytes_of(&d.taken)),
            ("counts", bytemuck::bytes_of(&self.counts)),
            ("rigid_moving", bytemuck::cast_slice(&moving)),
            ("touches", bytemuck::cast_slice(&d.touches)),
        ]
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .into())
    }

    fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        let d = &mut self.dynamics;
        let (n, all) = (d.bodies.len(), d.bodies.len() + d.walls.len());
        let words: [u64; 2] = value(state, "rigid_words")?;
        let time_s = value(state, "time")?;
        let taken = value(state, "taken")?;
        let counts = value(state, "counts")?;
        let moving: Vec<Moving> = values(state, "rigid_moving", Some(n))?;
        let touches: Vec<Touch> = values(state, "touches", None)?;
        if !touches.iter().all(|t| (t.i as usize) < n && (t.j as usize) < all) {
            return Err(misfit("touches", "a contact is of something that is not there"));
        }
        (self.step, self.gravity_next, self.counts) = (words[0], words[1], counts);
        (d.time_s, d.taken, d.touches) = (time_s, taken, touches);
        for (k, m) in moving.iter().enumerate() {
            (d.bodies.position_m[k], d.bodies.velocity_m_s[k]) = (m.position, m.velocity);
            (d.bodies.spin_rad_s[k], d.held_m_s2[k]) = (m.spin, m.held);
        }
        Ok(())
    }

    fn describe(&self) -> String {
        let solver = match self.solver {
            ContactSolver::Auto => "sequential Gauss-Seidel",
            ContactSolver::Jacobi => "Jacobi",
            ContactSolver::GaussSeidel | ContactSolver::GaussSeidelOneGroup => "Gauss-Seidel by colours",
        };
        format!("contact dynamics by {solver}, f64 reference on one CPU core")
    }
}
