//! A rigid rotation added to all bodies between two steps, on the host: rare, and exact to the state's own resolution.

use super::core::Core;
use super::readback::wide;
use crate::engine::Added;
use crate::error::Result;
use crate::units::{DISPLACEMENT_BITS, POSITION_BITS};
use glam::DVec3;

/// Adds the rotation `rad_s` about the common mass centre.
pub(super) fn add(core: &mut Core, rad_s: DVec3) -> Result<Added> {
    let n = core.bodies.len();
    let units = core.prepared.units;
    let mut state: Vec<u32> = core.buffers.read(&core.gpu, "body_state", 16 * n)?;
    let mut view: Vec<[u32; 4]> = core.buffers.read(&core.gpu, "body_view", 4 * n)?;
    let place = |s: &[u32]| DVec3::from_array([0, 2, 4].map(|c| units.position_m(wide(&s[c..]))));
    let mass = |b: usize| core.bodies.mass_kg[core.prepared.order[b] as usize];
    let weight: f64 = core.bodies.mass_kg.iter().sum();
    let centre = state.chunks(16).enumerate().map(|(b, s)| place(s) * mass(b)).sum::<DVec3>() / weight;
    // Contact dynamics keeps positions a part of a step ahead.
    let ahead = f64::from(core.prepared.dynamics.earlier) * (-30f64).exp2();
    let mut added = Added::default();
    for b in 0..n {
        let s = &mut state[16 * b..16 * b + 16];
        let (arm, m) = (place(s) - centre, mass(b));
        let change = rad_s.cross(arm);
        let before = DVec3::from_array([6, 8, 10].map(|c| units.velocity_m_s(wide(&s[c..]))));
        let spin_before = DVec3::from_array([12, 13, 14].map(|c| f64::from(f32::from_bits(s[c])))) / units.time_s;
        for axis in 0..3 {
            let velocity = wide(&s[6 + 2 * axis..]) + units.displacement(change[axis]);
            let shift = units.displacement(change[axis]) as f64 * ahead;
            let position =
                wide(&s[2 * axis..]) + (shift * (-f64::from(DISPLACEMENT_BITS - POSITION_BITS)).exp2()).round() as i64;
            let spin = f32::from_bits(s[12 + axis]) + (rad_s[axis] * units.time_s) as f32;
            (s[2 * axis], s[2 * axis + 1]) = (position as u32, (position >> 32) as u32);
            (s[6 + 2 * axis], s[7 + 2 * axis]) = (velocity as u32, (velocity >> 32) as u32);
            s[12 + axis] = spin.to_bits();
            view[4 * b][axis] = (position >> 8) as u32;
            view[4 * b + 1][axis] = (velocity >> 21) as u32;
            view[4 * b + 2][axis] = spin.to_bits();
        }
        let inertia = 0.4 * m * core.bodies.radius_m[core.prepared.order[b] as usize].powi(2);
        added.momentum += m * change;
        added.angular += m * arm.cross(change) + inertia * rad_s;
        added.energy_j += m * change.dot(before + 0.5 * change) + inertia * rad_s.dot(spin_before + 0.5 * rad_s);
    }
    core.buffers.write(&core.gpu, "body_state", &state)?;
    core.buffers.write(&core.gpu, "body_view", &view)?;
    Ok(added)
}
