//! A rigid rotation added to all bodies between two steps, on the host: rare, and exact to the state's own resolution.

use super::core::Core;
use super::parts::orientation::{angular_of, angular_rate, in_code_units, inertia_row, q30};
use crate::base::error::Result;
use crate::base::fixed_point::fixed;
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS, Units};
use crate::engine::spun;
use crate::gpu::constants::{MOTION_SHIFT, REQUEST_REBUILD, WINDOW_SHIFT};
use crate::gpu::elements::body::{BodyInertia, BodyState, BodyView, Orientation};
use crate::gpu::elements::control::Control;
use crate::gpu::layout::with_tail;
use crate::model::snapshot::Added;
use crate::physics::turn;
use glam::{DMat3, DQuat, DVec3};
use std::mem::offset_of;

/// Adds the rotation `rad_s` to `only` these bodies, or to all, about their mass centre.
pub(super) fn add(core: &mut Core, rad_s: DVec3, only: Option<&[usize]>) -> Result<Added> {
    let n = core.bodies.len();
    let units = core.prepared.units;
    let mut state: Vec<BodyState> = core.buffers.read(&core.gpu, "body_state", n)?;
    let mut view: Vec<BodyView> = core.buffers.read(&core.gpu, "body_view", n)?;
    // Contact dynamics keeps positions a part of a step ahead.
    let ahead = core.pause().earlier;
    let speed = |s: &BodyState| DVec3::from_array(s.velocity.map(|v| units.velocity_m_s(v)));
    let position =
        |s: &BodyState| DVec3::from_array(s.position.map(|x| units.position_m(x))) - ahead * units.time_s * speed(s);
    let mass = |b: usize| core.bodies.mass_kg[core.prepared.order[b] as usize];
    let in_memory = only.map(|only| places(core, only));
    let (spun, centre) = spun(n, in_memory.as_deref(), |b| (mass(b), position(&state[b])));
    let axes = core.prepared.rigid.axes;
    let rad_s = axes.map_or(rad_s, |axes| axes.to_detection() * rad_s);
    let turns = add_turns(core, rad_s, &spun, ahead * units.time_s)?;
    // Soft spheres see each other half a kick later than their state is: that stays.
    let ahead_by_half = core.typed.contact_dynamics().is_none();
    let mut added = Added::default();
    for (b, (s, v)) in state.iter_mut().zip(&mut view).enumerate().filter(|(b, _)| spun[*b]) {
        let before = speed(s);
        let spin_before = DVec3::from_array(s.spin.map(|w| units.spin_rad_s(w)));
        let (inertia, spin_before, spin) = turns.get(b).copied().unwrap_or_else(|| {
            let k = core.prepared.order[b] as usize;
            (core.bodies.inertia_kg_m2(k), spin_before, spin_before + rad_s)
        });
        let motion = [before, spin_before];
        let motion = axes.map_or(motion, |axes| axes.relative(motion, position(s)));
        let change = added.rotate(rad_s, position(s) - centre, mass(b), inertia, motion);
        Change { velocity: change, spin: [spin_before, spin], ahead, ahead_by_half }.make(&units, s, v);
    }
    core.buffers.write(&core.gpu, "body_state", &state)?;
    core.buffers.write(&core.gpu, "body_view", &view)?;
    if !ahead_by_half {
        // the list of rigid bodies holds whoever the former velocities bring within reach
        // in the copy too: whoever writes the control words back keeps it
        core.control.request |= REQUEST_REBUILD;
        core.set_word(offset_of!(Control, request), core.control.request)?;
    }
    Ok(axes.map_or(added, |axes| axes.shown(&added)))
}

/// Where bodies of these indices are in memory.
fn places(core: &Core, indices: &[usize]) -> Vec<usize> {
    let mut place = vec![0; core.bodies.len()];
    core.prepared.order.iter().take(place.len()).enumerate().for_each(|(b, k)| place[*k as usize] = b);
    indices.iter().map(|k| place[*k]).collect()
}

/// What an added rotation changes of a body.
struct Change {
    /// (m/s)
    velocity: DVec3,
    /// before and after (rad/s)
    spin: [DVec3; 2],
    /// how far ahead of the instant its state is (steps)
    ahead: f64,
    /// others see it half a kick later than its state is
    ahead_by_half: bool,
}

impl Change {
    /// Makes it, in the state of the body and in what others see of it.
    fn make(&self, units: &Units, s: &mut BodyState, v: &mut BodyView) {
        let [spin_before, spin] = self.spin;
        for axis in 0..3 {
            let change = units.displacement(self.velocity[axis]);
            s.velocity[axis] += change;
            s.position[axis] += fixed(change as f64 * self.ahead, POSITION_BITS - DISPLACEMENT_BITS);
            s.spin[axis] = units.angle(spin[axis]);
            v.position[axis] = (s.position[axis] >> WINDOW_SHIFT) as u32;
            if self.ahead_by_half {
                v.velocity[axis] = v.velocity[axis].wrapping_add((change >> MOTION_SHIFT) as u32);
                v.spin[axis] += ((spin[axis] - spin_before[axis]) * units.time_s) as f32;
            } else {
                v.velocity[axis] = (s.velocity[axis] >> MOTION_SHIFT) as u32;
                v.spin[axis] = (spin[axis] * units.time_s) as f32;
            }
        }
        v.material_and_tail = with_tail(v.material_and_tail, s.position);
    }
}

/// Of every polyhedron in memory order its inertia (kg m2) and spin (rad/s) at the instant, and its new spin at the detection,
/// `ahead_s` later, to which it is turned on from the instant; zeros of those that are not `spun`. Nothing for spheres.
fn add_turns(core: &Core, rad_s: DVec3, spun: &[bool], ahead_s: f64) -> Result<Vec<(DMat3, DVec3, DVec3)>> {
    if core.bodies.polyhedra.is_none() {
        return Ok(vec![]);
    }
    let (units, n) = (core.prepared.units, core.bodies.len());
    let mut turns: Vec<Orientation> = core.buffers.read(&core.gpu, "body_turn", n)?;
    let mut angular: Vec<[i64; 3]> = core.buffers.read(&core.gpu, "body_angular", n)?;
    let mut rows: Vec<BodyInertia> = core.buffers.read(&core.gpu, "body_inertia", n)?;
    let mut found = vec![];
    for (b, momentum) in angular.iter_mut().enumerate() {
        if !spun[b] {
            found.push((DMat3::ZERO, DVec3::ZERO, DVec3::ZERO));
            continue;
        }
        let moments = core.bodies.moments_kg_m2(core.prepared.order[b] as usize);
        let before = angular_rate(momentum, &units) * moments.max_element();
        let at_detection = DQuat::from_array(turns[b].quaternion.map(f64::from)).normalize();
        let q = turn::turned(at_detection, before, moments, -ahead_s);
        let axes = DMat3::from_quat(q);
        let inertia = axes * DMat3::from_diagonal(moments) * axes.transpose();
        let sum = before + inertia * rad_s;
        let at_detection = turn::turned(q, sum, moments, ahead_s);
        *momentum = angular_of(sum / moments.max_element(), &units);
        turns[b] = q30(at_detection);
        rows[b] = inertia_row(at_detection, in_code_units(moments, &units), rows[b].inverse_mass);
        found.push((inertia, turn::spin(q, before, moments), turn::spin(at_detection, sum, moments)));
    }
    core.buffers.write(&core.gpu, "body_turn", &turns)?;
    core.buffers.write(&core.gpu, "body_angular", &angular)?;
    core.buffers.write(&core.gpu, "body_inertia", &rows)?;
    Ok(found)
}
