//! Walls that answer to force: what their servo, their contacts and their motion make of them.

use super::cloud::{CODE, random, vector};
use super::dynamics_frames::{Plane, planes};
use super::harness::{Harness, filled};
use super::step::{ROUNDING, drifted, fixed};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::DISPLACEMENT_BITS;
use crate::gpu::constants::{MOTION_SHIFT, PLATE_CONTACTS_MAX};
use crate::gpu::elements::body::{BodyInertia, BodyPush};
use crate::gpu::elements::contact::ContactImpulse;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::wall::{PlateDrive, WallState};
use crate::gpu::layout::{Params, control};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_plates",
    compares: "Walls with a servo: kicks, limits of speed, contacts and motion, against the host.",
    bounds: "Motion is in integers; velocities are up to 40 operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["kick_plates"], "servos' kicks along normals in fixed point", kick_plates),
    Check {
        passes: &["kick_plates"],
        what: "speeds that servos keep to",
        unit: "of the speed",
        bound: 1e-6,
        reason: "some five products and sums at 6e-8",
        compare: limits,
    },
    Check {
        passes: &["push_plates"],
        what: "velocity by impulses along the normal",
        unit: "of the sum of the terms' sizes",
        bound: 3e-6,
        reason: "up to 40 sums of products at 6e-8",
        compare: push_plates,
    },
    Check::exact(&["push_plates"], "who has too many contacts", crowded_plates),
    Check::exact(&["move_plates"], "impulses, drift, windows, steps, faults in fixed point", move_plates),
];

/// Walls, and those that no pass may touch.
const WALLS: usize = 70;
const SPARE: usize = 60;

fn walls(count: usize) -> Vec<Plane> {
    let mut planes: Vec<Plane> = vec![];
    while planes.len() < count {
        planes.extend(self::planes());
    }
    planes.truncate(count);
    planes
}

fn states(planes: &[Plane]) -> Vec<WallState> {
    planes.iter().map(|p| p.state).collect()
}

/// What a change of speed is along one axis of the normal: cut, not rounded.
fn along(plane: &Plane, change: f32, axis: usize) -> i64 {
    let whole = i128::from(fixed(change.into())) * i128::from(plane.state.normal[axis]);
    (whole / (1 << 30)) as i64
}

/// The plane with its velocity changed along the normal.
fn changed(plane: &Plane, change: f32) -> WallState {
    let (mut state, velocity) = (plane.state, plane.velocity());
    state.set_velocity([0, 1, 2].map(|k| velocity[k] + along(plane, change, k)));
    state
}

/// Runs `kick_plates`: planes after it.
fn kicked(h: &mut Harness, planes: &[Plane], drive: &[PlateDrive], step: u32) -> Result<Vec<WallState>> {
    h.fill("control", &[Control { step, ..Control::default() }])?;
    h.uniform("params", &Params { wall_count: WALLS as u32, ..Params::default() })?;
    h.fill("plate_drive", drive)?;
    h.fill("wall_plane", &states(planes))?;
    h.run("kick_plates", 3)?;
    h.read("wall_plane")
}

fn kick_plates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (size, sign) in [(0.0f32, 1.0f32), (1e-9, 1.0), (3.3e-6, 1.0), (1e-4, -1.0)] {
        t.case(format!("kicks of {size} to {sign}"));
        let (planes, mut random) = (walls(WALLS + SPARE), random(3));
        let mut kick = || sign * size * random.random_range(0.1..1.0f32);
        let drive: Vec<_> = planes.iter().map(|_| PlateDrive { kick: kick(), speed_max: f32::MAX }).collect();
        let wanted: Vec<_> = planes.iter().zip(&drive).take(WALLS).map(|(p, d)| changed(p, d.kick)).collect();
        let after = kicked(h, &planes, &drive, 7)?;
        t.equal("plane", &after[..WALLS], &wanted);
        t.equal("plane behind the walls", &after[WALLS..], &states(&planes[WALLS..]));
    }
    gone(h, t)
}

/// Walls that a servo drives stop in the step in which they are taken away.
fn gone(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for step in [6, 7, 8] {
        t.case(format!("step {step} of walls that end with 7"));
        let mut planes = walls(WALLS);
        planes.iter_mut().for_each(|p| p.state.end = 7);
        let driven = |k: usize| k.is_multiple_of(2);
        let drive =
            |k: usize| if driven(k) { PlateDrive { kick: 1e-4, speed_max: f32::MAX } } else { PlateDrive::default() };
        let drive: Vec<_> = (0..WALLS).map(drive).collect();
        let wanted = |k: usize| {
            let mut state = changed(&planes[k], drive[k].kick);
            if driven(k) && step >= 7 {
                state.set_velocity([0; 3]);
            }
            state
        };
        t.equal("plane", &kicked(h, &planes, &drive, step)?, &(0..WALLS).map(wanted).collect::<Vec<_>>());
    }
    Ok(())
}

/// Speed along the normal (L/T).
fn speed(state: &WallState) -> f64 {
    let plane = Plane { state: *state };
    fixed_point::vector(plane.velocity(), DISPLACEMENT_BITS).dot(plane.normal())
}

fn limits(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for sign in [1.0f32, -1.0] {
        t.case(format!("forces to {sign}"));
        let (planes, mut random) = (walls(WALLS), random(4));
        let mut drive =
            || PlateDrive { kick: sign * 1e-4 * random.random::<f32>(), speed_max: 3e-4 * random.random::<f32>() };
        let drive: Vec<_> = planes.iter().map(|_| drive()).collect();
        for (k, after) in kicked(h, &planes, &drive, 7)?.iter().enumerate() {
            let (force, limit) = (f64::from(drive[k].kick), f64::from(drive[k].speed_max));
            let (before, way) = (speed(&planes[k].state), f64::from(sign));
            // faster than that: it is left alone
            let wanted = way * (way * before + force.abs()).min(limit.max(way * before));
            t.off("speed of wall", k, (speed(after) - wanted).abs() / (before.abs() + force.abs()));
        }
    }
    Ok(())
}

/// Inertia of a wall.
fn of_wall(inverse_mass: f32) -> BodyInertia {
    BodyInertia { inverse_mass, wall: 1.0, ..BodyInertia::default() }
}

fn push_plates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let planes = planes();
    for (bodies, most, of_guesses) in [(1, 4, true), (63, 0, true), (64, 1, false), (65, 3, true), (700, 4, false)] {
        t.case(format!("{bodies} bodies, up to {most} contacts each, guesses {of_guesses}"));
        let (pairs, mut random) = (7, random(bodies as u64));
        let mut offset: Vec<u32> = (0..=pairs).collect();
        for _ in 0..3 * bodies {
            offset.push(offset[offset.len() - 1] + random.random_range(0..=most));
        }
        let impulse: Vec<DVec3> = (0..offset[offset.len() - 1] + 3).map(|_| 0.01 * vector(&mut random)).collect();
        let mass = [0.0, 0.3, 4.0];
        let mut inertia = vec![filled(9); bodies];
        inertia.extend(mass.map(of_wall));
        let (body_count, wall_count, pair_capacity) = (bodies as u32, 3, pairs);
        h.uniform(
            "params",
            &Params { body_count, part_count: body_count, wall_count, pair_capacity, ..Params::default() },
        )?;
        h.fill("contact_offset", &offset)?;
        let row = |p: &DVec3| match of_guesses {
            true => ContactImpulse { guess: p.as_vec3().to_array(), ..ContactImpulse::of([8.0; 3]) },
            false => ContactImpulse { impulse: p.as_vec3().to_array(), ..ContactImpulse::of([8.0; 3]) },
        };
        h.fill("contact_impulse", &impulse.iter().map(row).collect::<Vec<_>>())?;
        h.fill("body_inertia", &inertia)?;
        h.fill("wall_plane", &states(&planes))?;
        let before = filled::<BodyPush>(5);
        h.fill("body_push", &vec![before; bodies + 3 + SPARE])?;
        h.zeros("control", size_of::<Control>())?;
        h.run_with("push_plates", 5, "pass_constants", [u32::from(of_guesses), 0, 0, 0])?;
        t.equal("control", &h.read::<Control>("control")?, &[Control::default()]);
        let got: Vec<BodyPush> = h.read("body_push")?;
        t.equal("push of bodies", &got[..bodies], &vec![before; bodies]);
        t.equal("push behind the walls", &got[bodies + 3..], &[before; SPARE]);
        for (k, plane) in planes.iter().enumerate() {
            let of = |b: usize| offset[pairs as usize + b] as usize;
            let own = &impulse[of(k * bodies)..of((k + 1) * bodies)];
            let size = own.iter().map(|p| p.length()).sum::<f64>() * f64::from(mass[k]) + 1e-9;
            let truth = -own.iter().map(|p| p.dot(plane.normal())).sum::<f64>() * f64::from(mass[k]);
            let push = &got[bodies + k];
            t.off("velocity of wall", k, in_f64(push.velocity).distance(truth * plane.normal()) / size);
            t.off("speed of wall", k, (f64::from(push.along) - truth).abs() / size);
            t.equal("spin of wall", &[push.spin], &[before.spin]);
        }
    }
    Ok(())
}

/// A fixed wall may have any number of contacts, one that answers to force so many as its invocations sum. What they would
/// read is not there: a read beyond a buffer gives anything.
fn crowded_plates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (counts, fault) in [
        ([PLATE_CONTACTS_MAX + 64, PLATE_CONTACTS_MAX, PLATE_CONTACTS_MAX], None),
        ([PLATE_CONTACTS_MAX, PLATE_CONTACTS_MAX + 1, PLATE_CONTACTS_MAX + 1], Some(1)),
        ([PLATE_CONTACTS_MAX + 1, PLATE_CONTACTS_MAX, PLATE_CONTACTS_MAX + 1], Some(2)),
    ] {
        t.case(format!("{counts:?} contacts"));
        let mut offset = vec![0; 2];
        counts.iter().for_each(|n| offset.push(offset[offset.len() - 1] + n));
        let inertia = [&[filled(9)][..], &[0.0, 0.3, 4.0].map(of_wall)].concat();
        let mut words = Control { fault_index: u32::MAX, ..Control::default() };
        let params = Params { body_count: 1, part_count: 1, wall_count: 3, pair_capacity: 1, ..Params::default() };
        h.uniform("params", &params)?;
        h.fill("contact_offset", &offset)?;
        h.fill("contact_impulse", &[ContactImpulse::default(); 8])?;
        h.fill("body_inertia", &inertia)?;
        h.fill("wall_plane", &states(&planes()))?;
        h.fill("body_push", &[filled::<BodyPush>(5); 4])?;
        h.fill("control", &[words])?;
        h.run_with("push_plates", 3, "pass_constants", [0; 4])?;
        if let Some(wall) = fault {
            (words.fault_body, words.fault_index) = (control::PLATE.0, wall);
        }
        t.equal("control", &h.read::<Control>("control")?, &[words]);
    }
    Ok(())
}

/// What a step leaves of a wall, and its faults.
fn next(plane: &Plane, push: f32, motion_max: f64) -> (WallState, u32) {
    if !push.is_finite() {
        return (plane.state, control::NON_FINITE.0);
    }
    let (mut state, mut faults) = (changed(plane, push), 0);
    let (mut point, velocity) = (state.point(), state.velocity());
    for (x, v) in point.iter_mut().zip(velocity) {
        *x += drifted(v, ROUNDING);
        let fast = fixed_point::value(v, DISPLACEMENT_BITS).abs() > motion_max;
        faults |= if fast { control::OVERSPEED.0 } else { 0 };
        faults |= if (-(1 << 29)..=1 << 29).contains(&(*x >> 32)) { 0 } else { control::RANGE.0 };
    }
    state.set_point(point);
    state.set_window(velocity.map(|v| (v >> MOTION_SHIFT) as u32));
    state.step = 77;
    (state, faults)
}

fn move_plates(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (rule, what) in [(0, "all is well"), (1, "too fast"), (2, "not finite"), (3, "out of range")] {
        t.case(what);
        let (bodies, motion_max, mut random) = (5usize, 1.0 / 128.0, random(8));
        let mut planes = walls(WALLS + SPARE);
        let mut push: Vec<f32> = planes.iter().map(|_| 1e-4 * random.random_range(-1.0..1.0f32)).collect();
        match rule {
            1 => push[66] = -0.02,
            2 => push[66] = f32::NAN,
            3 => planes[66].state.point_high[1] = (CODE.position(8.4e6) >> 32) as u32,
            _ => {}
        }
        // every third is fixed
        let mass = |k: usize| if k % 3 == 1 { 0.0 } else { 0.5f32 };
        let mut words = Control { step: 77, rounding: ROUNDING, fault_index: u32::MAX, ..Control::default() };
        let pushed = |k: usize| BodyPush { along: push[k], ..filled(7) };
        let (body_count, wall_count) = (bodies as u32, WALLS as u32);
        h.uniform("params", &Params { body_count, wall_count, motion_max, ..Params::default() })?;
        h.fill("control", &[words])?;
        let walls = || 0..WALLS + SPARE;
        h.fill("body_inertia", &[vec![filled(9); bodies], walls().map(|k| of_wall(mass(k))).collect()].concat())?;
        h.fill("body_push", &[vec![filled(9); bodies], walls().map(pushed).collect()].concat())?;
        h.fill("wall_plane", &states(&planes))?;
        h.run("move_plates", 3)?;
        let mut wanted = states(&planes);
        for k in (0..WALLS).filter(|k| mass(*k) > 0.0) {
            let (state, faults) = next(&planes[k], push[k], motion_max.into());
            wanted[k] = state;
            words.fault_body |= faults;
            if faults != 0 {
                words.fault_index = words.fault_index.min((bodies + k) as u32);
            }
        }
        t.equal("plane", &h.read::<WallState>("wall_plane")?, &wanted);
        t.equal("control", &h.read::<Control>("control")?, &[words]);
    }
    Ok(())
}
