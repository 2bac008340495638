//! The soft-sphere engine in f64 and SI on one core: the scheme of the GPU engine from its equations, for any ratio of
//! sizes, as a yardstick and for small studies.
//!
//! Leapfrog: velocities are half a step behind positions; dashpots see the velocity predicted for the instant. Central
//! field and self-gravity are held over k steps, taken at x + v (k - 1) dt / 2.

use super::framed::Framed;
use super::watch::watch;
use crate::base::error::{Error, Result};
use crate::base::units::Units;
use crate::engine::gpu::scales::MOTION_MAX;
use crate::engine::saved::{misfit, value, values};
use crate::engine::{ADVANCE_S, Engine, refuse, spun};
use crate::gpu::layout::control;
use crate::model::body::Bodies;
use crate::model::scenario::{Scenario, Wall};
use crate::model::snapshot::{Added, Snapshot};
use crate::physics::contacts::{Moving, Touch, effective_radius, ended, touch_pairs, touch_walls};
use crate::physics::frame::coupling;
use crate::physics::gravity::fields::Fields;
use crate::physics::laws::pairs::Laws;
use crate::physics::surface::footprint::SLOTS;
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::SurfaceTouch;
use glam::DVec3;
use std::time::Instant;

/// Soft spheres in f64.
pub struct ReferenceEngine {
    pub(crate) bodies: Bodies,
    pub(crate) walls: Vec<Wall>,
    pub(crate) ground: Option<Ground>,
    pub(crate) laws: Laws,
    pub(crate) gravity: Fields,
    pub(crate) dt: f64,
    pub(crate) overlap_max: f64,
    pub(crate) speed_max: f64,
    pub(crate) step: u64,
    gravity_next: u64,
    pub(crate) moving: Vec<Moving>,
    pub(crate) pairs: Vec<Touch>,
    pub(crate) wall_touches: Vec<Touch>,
    pub(crate) surface_touches: Vec<SurfaceTouch>,
    /// lost by channel (normal, sliding, rolling, twisting), work of walls (J)
    pub(crate) totals: [f64; 5],
    /// the frame that all this is in, if it is not inertial space
    pub(crate) frame: Option<Framed>,
}

impl ReferenceEngine {
    /// Opens a run of `bodies` at the time step `dt_s`. Fails without bodies.
    pub fn new(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<ReferenceEngine> {
        refuse(scenario, bodies)?;
        let fields = Fields::of(scenario)?;
        let largest = bodies.largest_radius_m();
        Ok(ReferenceEngine {
            walls: scenario.walls.clone(),
            ground: Ground::of(scenario)?,
            laws: Laws::new(scenario, bodies, dt_s),
            gravity: fields,
            dt: dt_s,
            overlap_max: scenario.guards.overlap_max,
            speed_max: f64::from(MOTION_MAX) * Units::new(largest, 1.0, dt_s).length_m / dt_s,
            step: 0,
            gravity_next: 0,
            moving: (0..bodies.len()).map(|k| Moving::at_start(bodies, k)).collect(),
            pairs: vec![],
            wall_touches: vec![],
            surface_touches: vec![],
            totals: [0.0; 5],
            frame: coupling(scenario, dt_s)?.map(Framed::new),
            bodies: bodies.clone(),
        })
    }

    /// Self-gravity and central field (m/s2, J/kg) where the bodies will be after `ahead` (s) at their present velocity.
    pub(crate) fn field(&self, ahead: f64) -> [Vec<(DVec3, f64)>; 2] {
        let positions: Vec<DVec3> = self.moving.iter().map(|m| m.position + m.velocity * ahead).collect();
        self.gravity.at(&positions, &self.bodies.mass_kg)
    }

    fn hold_gravity(&mut self) {
        if self.step < self.gravity_next {
            return;
        }
        self.gravity_next = self.step + self.gravity.every;
        let [own, central] = self.field(0.5 * (self.gravity.every - 1) as f64 * self.dt);
        for (k, m) in self.moving.iter_mut().enumerate() {
            m.held = own[k].0 + central[k].0;
        }
    }

    /// Force (N) and torque (N m) of the contacts on every body.
    fn gather(&self) -> Vec<(DVec3, DVec3)> {
        let mut sum = vec![(DVec3::ZERO, DVec3::ZERO); self.bodies.len()];
        let mut add = |k: u32, force: DVec3, torque: DVec3| {
            sum[k as usize].0 += force;
            sum[k as usize].1 += torque;
        };
        for t in &self.pairs {
            add(t.i, t.result.force, t.result.torque_i);
            add(t.j, -t.result.force, t.result.torque_j);
        }
        for t in &self.wall_touches {
            add(t.i, t.result.force, t.result.torque_i);
        }
        for t in &self.surface_touches {
            add(t.i, t.result.force, t.result.torque_i);
        }
        sum
    }

    /// Changes of velocity (m/s) and spin (rad/s) of every body in a step, with these held fields (m/s2).
    pub(crate) fn loads(&self, held: impl Fn(usize) -> DVec3) -> Vec<(DVec3, DVec3)> {
        let one = |(k, (force, torque)): (usize, (DVec3, DVec3))| {
            let a = force / self.bodies.mass_kg[k] + held(k) + self.gravity.uniform;
            (a * self.dt, torque / self.bodies.sphere_moment_kg_m2(k) * self.dt)
        };
        self.gather().into_iter().enumerate().map(one).collect()
    }

    fn fault(&self, body: u32, (fault, what): control::Fault) -> Error {
        let who = format!("body {}", self.bodies.id[body as usize]);
        if control::is_of_speed(fault) {
            return Error::guard_step(self.step, &who, what, self.dt);
        }
        if control::is_of_force(fault) {
            return Error::guard_force(self.step, &who, what, self.dt);
        }
        Error::guard(self.step, &who, what, self.dt, self.overlap_max)
    }

    /// Books what contacts that have ended lose by that.
    fn release(&mut self, pairs: &[Touch], wall_touches: &[Touch], surface_touches: &[SurfaceTouch]) {
        let (radius, material) = (&self.bodies.radius_m, &self.bodies.material);
        let between = |t: &Touch| {
            let (a, b) = (t.i as usize, t.j as usize);
            let law = self.laws.of(material[a] as usize, material[b] as usize);
            let overlap = radius[a] + radius[b] - self.moving[a].position.distance(self.moving[b].position);
            law.end(effective_radius(radius[a], radius[b]), t.overlap, overlap, &t.result.springs)
        };
        let time_s = self.step as f64 * self.dt;
        let at_wall = |t: &Touch| {
            let (k, wall) = (t.i as usize, &self.walls[t.j as usize]);
            let law = self.laws.of(material[k] as usize, wall.material);
            let overlap = radius[k] - wall.height_m(self.moving[k].position, time_s);
            law.end(radius[k], t.overlap, overlap, &t.result.springs)
        };
        let left = |t: &&Touch| self.taken_along(t).is_none();
        let of_pairs = ended(&self.pairs, pairs).map(between);
        let of_walls = ended(&self.wall_touches, wall_touches).filter(left).map(at_wall);
        let on_surface = self.left_surface(surface_touches).map(|[a, b, c]| [0.0, a, b, c]);
        let lost: Vec<_> = of_pairs.chain(of_walls).chain(on_surface).collect();
        let taken = ended(&self.wall_touches, wall_touches).filter_map(|t| self.taken_along(t)).sum::<f64>();
        self.totals[4] -= taken;
        for (total, channel) in self.totals.iter_mut().zip(0..4) {
            *total += lost.iter().map(|l| l[channel]).sum::<f64>();
        }
    }

    /// Energy that a contact held when its wall was removed (J); `None`: the wall is still there, or the body had left
    /// it.
    fn taken_along(&self, t: &Touch) -> Option<f64> {
        let (k, wall) = (t.i as usize, &self.walls[t.j as usize]);
        let overlap = self.bodies.radius_m[k] - wall.height_m(self.moving[k].position, self.step as f64 * self.dt);
        let law = self.laws.of(self.bodies.material[k] as usize, wall.material);
        let gone = overlap > 0.0 && !wall.stands(self.step, self.dt);
        gone.then(|| law.energy(self.bodies.radius_m[k], overlap, t.overlap, &t.result.springs))
    }

    fn touch(&mut self) -> Result<()> {
        let times = (self.step, self.dt);
        let (bodies, moving) = (&self.bodies, &self.moving);
        let pairs = touch_pairs(&self.laws, bodies, moving, &self.pairs, self.dt);
        let wall_touches = touch_walls(&self.laws, bodies, &self.walls, moving, &self.wall_touches, times);
        let surface_touches = self.on_surface();
        self.release(&pairs, &wall_touches, &surface_touches);
        (self.pairs, self.wall_touches, self.surface_touches) = (pairs, wall_touches, surface_touches);
        let radius = &self.bodies.radius_m;
        let smaller = |t: &Touch| radius[t.i as usize].min(radius[t.j as usize]);
        let in_pair = self.pairs.iter().find(|t| t.overlap > self.overlap_max * smaller(t));
        let in_wall = self.wall_touches.iter().find(|t| t.overlap > self.overlap_max * radius[t.i as usize]);
        if let Some(t) = in_pair.or(in_wall) {
            return Err(self.fault(t.i, control::OVERLAP));
        }
        if let Some((body, fault)) = self.sunk() {
            return Err(self.fault(body, fault));
        }
        let results = self.pairs.iter().chain(&self.wall_touches).map(|t| &t.result);
        for result in results.chain(self.surface_touches.iter().map(|t| &t.result)) {
            for (total, lost) in self.totals.iter_mut().zip(result.dissipated) {
                *total += lost;
            }
        }
        for t in &self.wall_touches {
            self.totals[4] += t.result.force.dot(self.walls[t.j as usize].velocity_m_s) * self.dt;
        }
        Ok(())
    }

    /// Kick and drift in inertial space.
    fn drift(&mut self, loads: &[(DVec3, DVec3)]) {
        // The first step kicks by half: velocities come in at the instant, and go on at the half step.
        let part = if self.step == 0 { 0.5 } else { 1.0 };
        for (m, (kick, turn)) in self.moving.iter_mut().zip(loads) {
            m.velocity += part * *kick;
            m.spin += part * *turn;
            m.position += m.velocity * self.dt;
            m.velocity_now = m.velocity + 0.5 * *kick;
            m.spin_now = m.spin + 0.5 * *turn;
        }
    }

    fn one_step(&mut self) -> Result<()> {
        self.hold_gravity();
        self.touch()?;
        let loads = self.loads(|k| self.moving[k].held);
        if let Some(k) = loads.iter().position(|(kick, turn)| !(*kick + *turn).is_finite()) {
            return Err(self.fault(k as u32, control::NON_FINITE));
        }
        match &mut self.frame {
            Some(frame) => frame.step((self.step, self.dt), &self.bodies, &mut self.moving, &loads),
            None => self.drift(&loads),
        }
        self.step += 1;
        watch(self).map_or(Ok(()), |(k, fault)| Err(self.fault(k as u32, fault)))
    }
}

impl Engine for ReferenceEngine {
    fn time_step_s(&self) -> f64 {
        self.dt
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
        Ok(super::snapshot::take(self))
    }

    fn spin(&mut self, rad_s: DVec3, only: Option<&[usize]>) -> Result<Added> {
        let of = |k: usize| (self.bodies.mass_kg[k], self.moving[k].position);
        let (spun, centre) = spun(self.bodies.len(), only, of);
        let mut added = Added::default();
        for k in (0..self.bodies.len()).filter(|k| spun[*k]) {
            let (inertia, kg) = (self.bodies.inertia_kg_m2(k), self.bodies.mass_kg[k]);
            let m = &mut self.moving[k];
            let change = added.rotate(rad_s, m.position - centre, kg, inertia, [m.velocity, m.spin]);
            m.velocity += change;
            m.velocity_now += change;
            m.spin += rad_s;
            m.spin_now += rad_s;
        }
        Ok(added)
    }

    fn save(&mut self) -> Result<Vec<(String, Vec<u8>)>> {
        let words = [self.step, self.gravity_next];
        Ok([
            ("words", bytemuck::bytes_of(&words)),
            ("totals", bytemuck::bytes_of(&self.totals)),
            ("moving", bytemuck::cast_slice(&self.moving)),
            ("pairs", bytemuck::cast_slice(&self.pairs)),
            ("wall_touches", bytemuck::cast_slice(&self.wall_touches)),
            ("surface_touches", bytemuck::cast_slice(&self.surface_touches)),
        ]
        .map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))
        .into_iter()
        .chain(self.frame.iter().flat_map(Framed::saved))
        .collect())
    }

    fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        let (bodies, walls) = (self.bodies.len(), self.walls.len());
        let words: [u64; 2] = value(state, "words")?;
        let totals: Vec<f64> = values(state, "totals", Some(self.totals.len()))?;
        let moving = values(state, "moving", Some(bodies))?;
        let (pairs, wall_touches) = (values(state, "pairs", None)?, values(state, "wall_touches", None)?);
        let within =
            |list: &[Touch], others: usize| list.iter().all(|t| (t.i as usize) < bodies && (t.j as usize) < others);
        let surface_touches: Vec<SurfaceTouch> = values(state, "surface_touches", None)?;
        let on_surface =
            |t: &SurfaceTouch| (t.i as usize) < bodies && (t.slot as usize) < SLOTS && self.ground.is_some();
        for (name, sound) in [
            ("pairs", within(&pairs, bodies)),
            ("wall_touches", within(&wall_touches, walls)),
            ("surface_touches", surface_touches.iter().all(on_surface)),
        ] {
            if !sound {
                return Err(misfit(name, "a contact is of something that is not there"));
            }
        }
        if let Some(frame) = &mut self.frame {
            frame.restore(state)?;
        }
        (self.step, self.gravity_next) = (words[0], words[1]);
        self.totals.copy_from_slice(&totals);
        (self.moving, self.pairs, self.wall_touches) = (moving, pairs, wall_touches);
        self.surface_touches = surface_touches;
        Ok(())
    }

    fn describe(&self) -> String {
        "soft spheres, f64 reference on one CPU core".into()
    }
}
