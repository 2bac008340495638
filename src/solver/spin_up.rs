//! A rigid rotation added to all bodies between two steps, on the host: rare, and exact to the state's own resolution.

use super::core::Core;
use super::readback::{vec3, wide};
use crate::body::turn;
use crate::engine::Added;
use crate::error::Result;
use crate::units::{DISPLACEMENT_BITS, POSITION_BITS};
use glam::{DMat3, DQuat, DVec3};

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
    let turns = add_turns(core, rad_s)?;
    let mut added = Added::default();
    for b in 0..n {
        let s = &mut state[16 * b..16 * b + 16];
        let before = DVec3::from_array([6, 8, 10].map(|c| units.velocity_m_s(wide(&s[c..]))));
        let spin_before = DVec3::from_array([12, 13, 14].map(|c| f64::from(f32::from_bits(s[c])))) / units.time_s;
        let (inertia, spin) = turns.get(b).copied().unwrap_or_else(|| {
            let k = core.prepared.order[b] as usize;
            (core.bodies.inertia_kg_m2(k), spin_before + rad_s)
        });
        let change = added.rotate(rad_s, place(s) - centre, mass(b), inertia, [before, spin_before]);
        for axis in 0..3 {
            let velocity = wide(&s[6 + 2 * axis..]) + units.displacement(change[axis]);
            let shift = units.displacement(change[axis]) as f64 * ahead;
            let position =
                wide(&s[2 * axis..]) + (shift * (-f64::from(DISPLACEMENT_BITS - POSITION_BITS)).exp2()).round() as i64;
            (s[2 * axis], s[2 * axis + 1]) = (position as u32, (position >> 32) as u32);
            (s[6 + 2 * axis], s[7 + 2 * axis]) = (velocity as u32, (velocity >> 32) as u32);
            s[12 + axis] = ((spin[axis] * units.time_s) as f32).to_bits();
            view[4 * b][axis] = (position >> 8) as u32;
            view[4 * b + 1][axis] = (velocity >> 21) as u32;
            view[4 * b + 2][axis] = s[12 + axis];
        }
    }
    core.buffers.write(&core.gpu, "body_state", &state)?;
    core.buffers.write(&core.gpu, "body_view", &view)?;
    Ok(added)
}

/// Inertia (kg m2) and new spin (rad/s) of every polyhedron in memory order, whose angular momentum takes the rotation;
/// nothing for spheres.
fn add_turns(core: &Core, rad_s: DVec3) -> Result<Vec<(DMat3, DVec3)>> {
    if core.bodies.polyhedra.is_none() {
        return Ok(vec![]);
    }
    let (units, n) = (core.prepared.units, core.bodies.len());
    let turns: Vec<[i32; 4]> = core.buffers.read(&core.gpu, "body_turn", n)?;
    let mut angular: Vec<[f32; 4]> = core.buffers.read(&core.gpu, "body_angular", n)?;
    let unit = units.mass_kg * units.length_m * units.length_m / units.time_s;
    let mut found = vec![];
    for (b, momentum) in angular.iter_mut().enumerate() {
        let moments = core.bodies.moments_kg_m2(core.prepared.order[b] as usize);
        let q = DQuat::from_array(turns[b].map(f64::from)).normalize();
        let axes = DMat3::from_quat(q);
        let inertia = axes * DMat3::from_diagonal(moments) * axes.transpose();
        let sum = vec3(momentum) * unit + inertia * rad_s;
        *momentum = (sum / unit).extend(0.0).as_vec4().to_array();
        found.push((inertia, turn::spin(q, sum, moments)));
    }
    core.buffers.write(&core.gpu, "body_angular", &angular)?;
    Ok(found)
}
