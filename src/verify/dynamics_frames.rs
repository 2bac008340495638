//! Contacts as the iterations need them: frames, arms, gaps, cohesion, what a step asks of the normal velocity.

use super::cloud::{CODE, Cloud, pairs, random, vector};
use super::harness::Harness;
use super::laws::windows;
use super::walls::{STEP, bodies, overlap, walls};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS};
use crate::engine::gpu::parts::rigid::set_axes;
use crate::engine::gpu::parts::walls::state_of;
use crate::gpu::constants::{FEATURE, MOTION_SHIFT};
use crate::gpu::elements::contact::{ContactBody, ContactFrame, ContactSide, RigidLaw};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::Pair;
use crate::gpu::elements::wall::WallState;
use crate::gpu::layout::{DynamicsParams, Params};
use crate::physics::frame::step::Turn;
use glam::{DVec3, IVec3, Mat3, Vec3};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_frames",
    compares: "Axes, lever arms, gaps, cohesion and the wanted normal velocity of contacts of spheres, against f64.",
    bounds: "A few tens of operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["make_contacts"],
        what: "frames, arms, gaps, bias, velocities of pairs",
        unit: UNIT,
        bound: BOUND,
        reason: REASON,
        compare: pair_contacts,
    },
    Check {
        passes: &["make_wall_contacts"],
        what: "frames, arms, gaps, bias, velocities at planes",
        unit: UNIT,
        bound: BOUND,
        reason: REASON,
        compare: wall_contacts,
    },
    Check {
        passes: &["make_wall_contacts"],
        what: "the same at planes that a turning frame carries along",
        unit: UNIT,
        bound: BOUND,
        reason: "as above: what the frame carries is a whole number, and cancels before anything is rounded",
        compare: carried_contacts,
    },
];

pub(super) const UNIT: &str = "of the terms' sizes, gaps with 1e-4 L";
pub(super) const BOUND: f64 = 1e-6;
pub(super) const REASON: &str = "about 10 operations at 6e-8; gaps are good to 5e-11 L, see contacts and walls";

/// Settings of the checks.
pub const DYNAMICS: DynamicsParams = DynamicsParams {
    back_x: IVec3::ZERO,
    back_shift: 0,
    back_y: IVec3::ZERO,
    back_z: IVec3::ZERO,
    back_rest: Mat3::ZERO,
    rotation: Vec3::ZERO,
    tolerance: 1e-3,
    recovery: 0.2,
    recovery_max: 1e-5,
    velocity_floor: 0.0,
    momentum: 0.9,
    iterations_max: 100,
    stop_on_budget: 0,
    candidate_count: 0,
    contact_capacity: 0,
    earlier: 0,
    anchor_max: 0.01,
    alert: 0.005,
    reach_max: 0.0,
    momentum_first: 0,
    look_every: 8,
    colour_capacity: 0,
};

/// A wall as the passes have it.
pub struct Plane {
    /// in `wall_plane`
    pub state: WallState,
}

impl Plane {
    /// Away from the wall.
    pub fn normal(&self) -> DVec3 {
        DVec3::from_array(self.state.normal.map(f64::from)) * (-30f64).exp2()
    }

    /// Displacement window before the step.
    pub fn motion(&self) -> [u32; 4] {
        let [x, y, z] = self.state.window();
        [x, y, z, 0]
    }

    /// The plane after a servo has kicked it by a displacement [2^-58 L], with its point some steps back.
    fn kicked(mut self, kick: i64) -> Plane {
        let (point, old) = (self.state.point(), self.velocity());
        let moved = |k: usize| i128::from(old[k]) * i128::from(STEP) - i128::from(5 * (old[k] + kick));
        self.state.step = STEP - 5;
        self.state.set_velocity(old.map(|v| v + kick));
        self.state.set_point([0, 1, 2].map(|k| point[k] + (moved(k) >> 20) as i64));
        self
    }

    /// Displacement per step (2^-58 L).
    pub(super) fn velocity(&self) -> [i64; 3] {
        self.state.velocity()
    }
}

/// The walls that bodies are tried on; the last one has a servo.
pub fn planes() -> Vec<Plane> {
    let mut planes: Vec<_> = walls().iter().map(|w| Plane { state: state_of(w, &CODE, 0.0) }).collect();
    if let Some(plane) = planes.pop() {
        planes.push(plane.kicked(CODE.displacement(2e-4)));
    }
    planes
}

/// The uniform of bodies and planes; `capacity`: of pairs.
pub(super) fn with_planes(cloud: &Cloud, capacity: usize) -> Params {
    let (wall_count, pair_capacity) = (planes().len() as u32, capacity as u32);
    Params { wall_count, pair_capacity, material_count: 2, ..cloud.params() }
}

/// Fills what passes over bodies and planes read besides contacts.
pub fn fill_planes(h: &mut Harness, cloud: &Cloud, params: &Params) -> Result<()> {
    let planes = planes();
    let words = Control { step: STEP, ..Control::default() };
    h.uniform("params", params)?;
    h.fill("control", &[words])?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    h.fill("wall_plane", &planes.iter().map(|p| p.state).collect::<Vec<_>>())
}

/// Laws of two materials: all four differ, and 1 on 2 from 2 on 1.
pub(super) const LAWS: [RigidLaw; 4] = [
    RigidLaw { friction: 0.3, restitution: 0.0, cohesion: 0.0, range: 0.0 },
    RigidLaw { friction: 0.8, restitution: 0.5, cohesion: 2e-3, range: 1e-3 },
    RigidLaw { friction: 0.0, restitution: 1.0, cohesion: 1e-3, range: 0.0 },
    RigidLaw { friction: 1e3, restitution: 0.7, cohesion: 3e-3, range: 5e-3 },
];

/// Gaps (L): overlaps, just touching, apart, far, and 1e-8 L inside and outside the ranges of cohesion.
pub(super) fn gap(random: &mut rand_pcg::Pcg64Mcg) -> f64 {
    let size = 10f64.powf(random.random_range(-8.0..-4.0));
    let edges = [-size, size, 0.02 * random.random::<f64>(), 1e-3 - 1e-8, 1e-3 + 1e-8, 5e-3 - 1e-8, 5e-3 + 1e-8];
    edges[random.random_range(0..edges.len())]
}

/// A contact in f64.
#[derive(Default)]
pub(super) struct Frame {
    pub normal: DVec3,
    pub law: RigidLaw,
    pub gap: f64,
    pub arms: [DVec3; 2],
    pub spins: [DVec3; 2],
    /// relative velocities of the centres, before the step and free
    pub velocities: [DVec3; 2],
    /// by which the frame turns in a step, and the second body with it
    pub turns: DVec3,
}

/// Bodies and frame of a contact that a pass must make.
pub(super) type Made = (ContactBody, Frame);

impl Frame {
    /// The bias: an open gap may close; of a penetration a share comes back; a shock, if it happens within the step, comes
    /// back with the coefficient of restitution (Sanchez et al. 2021, eq. 10).
    fn bias(&self, d: &DynamicsParams, before: f64) -> f64 {
        let back = (f64::from(d.recovery) * self.gap).max(-f64::from(d.recovery_max));
        let still = if self.gap > 0.0 { self.gap } else { back };
        match f64::from(self.law.restitution) {
            e if e > 0.0 && before < 0.0 && self.gap + before < 0.0 => still.min(e * before),
            _ => still,
        }
    }

    fn compare(&self, t: &mut Tally, c: usize, found: &ContactFrame) {
        let turning = (self.spins[0] - self.turns).cross(self.arms[0]) - self.spins[1].cross(self.arms[1]);
        let turned = |k: usize| (self.spins[k].length() + self.turns.length()) * self.arms[k].length();
        let speeds = self.velocities.map(|v| v.length() + turned(0) + turned(1));
        let [before, free] = self.velocities.map(|velocity| velocity + turning);
        let along = before.dot(self.normal);
        // Whether the gap closes within the step, rounding may decide.
        let tie = (self.gap + along).abs() < 1e-10;
        let bias = if tie { found.sides[1].extra.into() } else { self.bias(&DYNAMICS, along) };
        let attracts = self.gap <= self.law.range.into();
        t.equal("friction of contact", &[found.friction], &[self.law.friction]);
        t.equal("cohesion of contact", &[found.sides[0].extra], &[if attracts { self.law.cohesion } else { 0.0 }]);
        t.off("normal of contact", c, in_f64(found.normal).distance(self.normal));
        let longest = self.arms[0].length().max(self.arms[1].length());
        for side in 0..2 {
            t.off("arm of contact", c, in_f64(found.sides[side].arm).distance(self.arms[side]) / longest);
        }
        let size = self.gap.abs() + 1e-4;
        t.off("gap of contact", c, (f64::from(found.gap) - self.gap).abs() / size);
        t.off("bias of contact", c, (f64::from(found.sides[1].extra) - bias).abs() / (size + speeds[0]));
        t.off("velocity before", c, in_f64(found.before).distance(before) / speeds[0]);
        t.off(
            "free velocity",
            c,
            in_f64(found.free).distance(free + bias * self.normal) / (speeds[1] + bias.abs() + size),
        );
    }
}

/// The bodies after a kick that is nearly the same for all, so that only exact differences keep what differs.
pub(super) fn kicked(cloud: &Cloud, seed: u64) -> Cloud {
    let (mut cloud, mut random) = (cloud.clone(), random(seed));
    for body in &mut cloud.bodies {
        let kick = DVec3::new(5e-3, -3e-3, 1e-3) + 1e-7 * vector(&mut random);
        body.velocity = [0, 1, 2].map(|k| body.velocity[k] + CODE.displacement(kick[k]));
    }
    cloud
}

pub(super) fn spin(cloud: &Cloud, b: usize) -> DVec3 {
    cloud.bodies[b].seen_spin()
}

/// Velocity less another (L per step), from the exact difference.
pub(super) fn exact(a: [i64; 3], b: [i64; 3]) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|k| (a[k] - b[k]) as f64)) * (-f64::from(DISPLACEMENT_BITS)).exp2()
}

fn pair_frame(cloud: &Cloud, after: &Cloud, p: usize) -> Frame {
    let (a, b) = (&cloud.bodies[2 * p], &cloud.bodies[2 * p + 1]);
    let (i, j) = (a.view(), b.view());
    let between = windows(&i.position, &j.position, 30);
    let (normal, radii) = (between.normalize(), [f64::from(a.radius), f64::from(b.radius)]);
    let gap = between.length() - radii[0] - radii[1];
    Frame {
        normal,
        law: LAWS[(2 * a.material + b.material) as usize],
        gap,
        // Both reach the middle of the gap.
        arms: [-(radii[0] + 0.5 * gap) * normal, (radii[1] + 0.5 * gap) * normal],
        spins: [spin(cloud, 2 * p), spin(cloud, 2 * p + 1)],
        velocities: apart(cloud, after, p, |b| b),
        turns: DVec3::ZERO,
    }
}

/// Relative velocities of the centres of pair `p`, before the step and free, the latter those of the bodies that `owner`
/// gives its rows.
pub(super) fn apart(cloud: &Cloud, after: &Cloud, p: usize, owner: fn(usize) -> usize) -> [DVec3; 2] {
    let [before_i, before_j] = [2 * p, 2 * p + 1].map(|b| cloud.bodies[b].view().velocity);
    let [free_i, free_j] = [2 * p, 2 * p + 1].map(|b| after.bodies[owner(b)].velocity);
    [windows(&before_i, &before_j, 37), exact(free_i, free_j)]
}

/// Relative velocities of row `b` and a plane, before the step and, of its `body`, free.
pub(super) fn apart_from(cloud: &Cloud, after: &Cloud, [b, body]: [usize; 2], plane: &Plane) -> [DVec3; 2] {
    let before = windows(&cloud.bodies[b].view().velocity, &plane.motion(), 37);
    [before, exact(after.bodies[body].velocity, plane.velocity())]
}

/// Offsets of the contacts that `points` gives every candidate, behind `before` others.
pub(super) fn offsets(before: usize, count: usize, points: impl Fn(usize) -> u32) -> Vec<u32> {
    let mut offset = vec![0; before + 1];
    for k in 0..count {
        offset.push(offset[before + k] + points(k));
    }
    offset
}

/// What is in the buffers before a pass.
const NOBODY: ContactBody = ContactBody { i: 7, j: 7, candidate: 7, feature: 7 };
const SIDE: ContactSide = ContactSide { arm: [7.0; 3], extra: 7.0 };
const UNTOUCHED: ContactFrame = ContactFrame {
    normal: [7.0; 3],
    friction: 7.0,
    sides: [SIDE; 2],
    free: [7.0; 3],
    gap: 7.0,
    before: [7.0; 3],
    pad: 7,
};

pub(super) fn fill_contacts(h: &mut Harness, offset: &[u32]) -> Result<usize> {
    let count = offset.last().map_or(0, |n| *n as usize);
    h.uniform("dynamics", &DYNAMICS)?;
    h.fill("contact_offset", offset)?;
    h.fill("rigid_law", &LAWS)?;
    h.fill("contact_frame", &vec![UNTOUCHED; count + 1])?;
    h.fill("contact_body", &vec![NOBODY; count + 1])?;
    Ok(count)
}

/// Compares the contacts that candidates gave, in their order.
pub(super) fn compare(h: &Harness, t: &mut Tally, frames: &[Made]) -> Result<()> {
    let found: Vec<ContactFrame> = h.read("contact_frame")?;
    let mut wanted: Vec<ContactBody> = frames.iter().map(|made| made.0).collect();
    wanted.push(NOBODY);
    t.equal("bodies of contact", &h.read::<ContactBody>("contact_body")?, &wanted);
    for (c, ((_, frame), found)) in frames.iter().zip(&found).enumerate() {
        frame.compare(t, c, found);
    }
    t.equal("frame behind the contacts", &found[frames.len()..], &[UNTOUCHED]);
    Ok(())
}

/// Pairs at all gaps; the last one touches to the bit, where a material with a range of 0 attracts.
pub(super) fn gaps(n: usize, ratio: f64) -> Cloud {
    let mut cloud = pairs(n, ratio, gap, n as u64);
    let [.., a, b] = &mut cloud.bodies[..] else { return cloud };
    (a.radius, b.radius, a.material, b.material) = (0.25, 0.25, 1, 0);
    a.position = [CODE.position(1e4), 0, 0];
    b.position = [CODE.position(1e4), CODE.position(0.5), 0];
    cloud
}

fn pair_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, ratio) in [(1, 1.0), (63, 1.0), (64, 30.0), (65, 3.0), (1000, 10.0)] {
        t.case(format!("{n} pairs, sizes up to 1:{ratio}"));
        let cloud = gaps(n, ratio);
        let after = kicked(&cloud, n as u64);
        let open = |p: usize| p % 3 != 1;
        let offset = [offsets(0, n, |p| open(p).into()), vec![77; 70]].concat();
        h.uniform("params", &Params { pair_capacity: n as u32, material_count: 2, ..cloud.params() })?;
        h.fill("body_state", &after.state())?;
        h.fill("body_view", &cloud.view())?;
        h.fill("pair_body", &(0..n as u32).map(|p| Pair { i: 2 * p, j: 2 * p + 1 }).collect::<Vec<_>>())?;
        fill_contacts(h, &offset[..n + 1])?;
        h.run("make_contacts", (n as u32 + 70).div_ceil(64))?;
        let bodies = |p: u32| ContactBody { i: 2 * p, j: 2 * p + 1, candidate: p, feature: FEATURE };
        let frame = |p: usize| (bodies(p as u32), pair_frame(&cloud, &after, p));
        compare(h, t, &(0..n).filter(|p| open(*p)).map(frame).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Ways of a body that a frame carries (2^-58 L): in the last step, and in the coming one.
fn ways(turn: &Turn, position: [i64; 3]) -> [[i64; 3]; 2] {
    let units = DVec3::from_array(position.map(|x| x as f64)) * f64::from(DISPLACEMENT_BITS - POSITION_BITS).exp2();
    let back = turn.back();
    [-(back * units), back.transpose() * units].map(|way| way.to_array().map(|x| x.round() as i64))
}

fn plus(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [0, 1, 2].map(|k| a[k] + b[k])
}

/// Planes that stand in a frame that turns, for steps like these.
fn turn_planes(h: &mut Harness, turn: &Turn, mut dynamics: DynamicsParams) -> Result<()> {
    let turning = |p: Plane| WallState { turns: 1, ..p.state };
    h.fill("wall_plane", &planes().into_iter().map(turning).collect::<Vec<_>>())?;
    set_axes(&mut dynamics, turn);
    h.uniform("dynamics", &dynamics)
}

/// Has bodies at planes and the planes turn with a frame. What they do in it stays as it was.
pub(super) fn turn_all(h: &mut Harness, cloud: &Cloud, turn: &Turn, dynamics: DynamicsParams) -> Result<()> {
    let mut cloud = cloud.clone();
    for body in &mut cloud.bodies {
        body.velocity = plus(body.velocity, ways(turn, body.position)[0]);
    }
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    turn_planes(h, turn, dynamics)
}

/// Rotation vectors by which frames carry bodies by 0.1 to 6 L a step, 3e5 L from the axis.
pub(super) const TURNS: [DVec3; 3] =
    [DVec3::new(3e-7, 1e-7, -2e-7), DVec3::new(1e-5, -2e-5, 5e-6), DVec3::new(0.0, 0.0, 8e-6)];

/// Contacts of `n` bodies with planes, which stand in a frame that turns by `turn` in a step, if there is one.
fn at_planes(h: &mut Harness, t: &mut Tally, n: usize, turn: Option<Turn>) -> Result<()> {
    let planes = planes();
    let (count, capacity, mut random) = (planes.len(), 5, random(n as u64));
    let gaps: Vec<f64> = (0..n).map(|_| gap(&mut random)).collect();
    let slow = bodies(n, |k| -gaps[k], n as u64);
    let (mut cloud, mut after) = (slow.clone(), kicked(&slow, n as u64));
    let carried_by = |position| turn.map_or([[0; 3]; 2], |turn| ways(&turn, position));
    let carried: Vec<_> = slow.bodies.iter().map(|body| carried_by(body.position)).collect();
    for (b, [before, behind]) in carried.iter().enumerate() {
        cloud.bodies[b].velocity = plus(slow.bodies[b].velocity, *before);
        after.bodies[b].velocity = plus(after.bodies[b].velocity, *behind);
    }
    // Each body at its own plane, and some that are far from another.
    let open = |c: usize| c / n == c % n % count || c.is_multiple_of(7);
    fill_planes(h, &cloud, &with_planes(&cloud, capacity))?;
    h.fill("body_state", &after.state())?;
    fill_contacts(h, &offsets(capacity, count * n, |c| open(c).into()))?;
    if let Some(turn) = &turn {
        turn_planes(h, turn, DYNAMICS)?;
    }
    h.run("make_wall_contacts", (count * n + 70).div_ceil(64) as u32)?;
    let frame = |c: usize| {
        let (b, plane) = (c % n, &planes[c / n]);
        let (body, normal, gap) = (&cloud.bodies[b], plane.normal(), -overlap(&plane.state, &cloud, b));
        let [was, will_be] = of_plane(plane, body.position);
        let [behind, ahead] = [carried_by(was)[0], carried_by(will_be)[1]];
        let before = windows(&body.view().velocity, &plus_window(plane.motion(), behind), 37);
        let frame = Frame {
            normal,
            law: LAWS[2 * body.material as usize + c / n % 2],
            gap,
            arms: [-(f64::from(body.radius) + gap) * normal, DVec3::ZERO],
            spins: [spin(&cloud, b), DVec3::ZERO],
            velocities: [before, exact(after.bodies[b].velocity, plus(plane.velocity(), ahead))],
            turns: turn.map_or(DVec3::ZERO, |turn| turn.vector),
        };
        let [i, j, candidate] = [b, n + c / n, capacity + c].map(|x| x as u32);
        (ContactBody { i, j, candidate, feature: FEATURE }, frame)
    };
    compare(h, t, &(0..count * n).filter(|c| open(*c)).map(frame).collect::<Vec<_>>())
}

/// Where the plane's point that is at a position was a step before, and will be a step later, in the frame's axes.
fn of_plane(plane: &Plane, position: [i64; 3]) -> [[i64; 3]; 2] {
    let way = plane.velocity().map(|v| v >> (DISPLACEMENT_BITS - POSITION_BITS));
    [plus(position, way.map(|w| -w)), plus(position, way)]
}

/// A displacement window plus a way.
fn plus_window(window: [u32; 4], way: [i64; 3]) -> [u32; 4] {
    let [x, y, z] = [0, 1, 2].map(|k| window[k].wrapping_add((way[k] >> MOTION_SHIFT) as u32));
    [x, y, z, window[3]]
}

fn wall_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for n in [1, 21, 22, 500] {
        t.case(format!("{n} bodies"));
        at_planes(h, t, n, None)?;
    }
    Ok(())
}

fn carried_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for vector in TURNS {
        for n in [1, 22, 500] {
            t.case(format!("{n} bodies, turning {vector:?}"));
            at_planes(h, t, n, Some(Turn::new(vector)))?;
        }
    }
    Ok(())
}
