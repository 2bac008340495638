//! A turning frame as the GPU takes it: rows of `frame_row`, weights of bodies, and the sums that come back.

use crate::base::fixed_point::{fixed, value, vector};
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS, Units};
use crate::engine::gpu::words::split;
use crate::gpu::elements::body::BodyWeight;
use crate::gpu::elements::frame::{FrameRow, Reaction};
use crate::model::body::Bodies;
use crate::physics::frame::coupling::{Coupling, LEGS};
use crate::physics::frame::step::{FrameStep, cross_matrix};
use glam::{DMat3, DVec3};

/// Fewest binary digits of a sum of torques.
const TORQUE_BITS_MIN: i32 = 32;

/// A product of a moment with a change of spin (2^-58 /T) is rounded to the digits of the sum of torques, by 95 places at most.
const MOMENT_SHIFT_MAX: i32 = 95 - DISPLACEMENT_BITS + TORQUE_BITS_MIN;

/// A sum of impulses or torques beyond this is near the end of its 64 bits.
const SUM_MAX: i64 = 1 << 62;

/// `values` as whole numbers below 2^31 of 2^-shift, with the largest shift up to `most`.
fn counted<const N: usize>(values: [f64; N], most: i32) -> ([i32; N], i32) {
    let largest = values.iter().fold(0.0f64, |a, v| a.max(v.abs()));
    let shift = if largest > 0.0 { (30 - largest.log2().floor() as i32).min(most) } else { most };
    (values.map(|v| (v * f64::from(shift).exp2()).round() as i32), shift)
}

fn columns(m: DMat3) -> [[f32; 4]; 3] {
    [m.x_axis, m.y_axis, m.z_axis].map(|c| c.extend(0.0).as_vec4().to_array())
}

fn words(v: DVec3) -> [[u32; 3]; 2] {
    let [x, y, z] = v.to_array().map(|c| split(fixed(c, DISPLACEMENT_BITS)));
    [[x[0], y[0], z[0]], [x[1], y[1], z[1]]]
}

/// Rows of `m` as whole numbers of 2^-shift, the shift, and what is left of `m`.
pub(crate) fn whole_and_rest(m: DMat3) -> ([[i32; 3]; 3], u32, DMat3) {
    let (counts, shift) = counted(m.transpose().to_cols_array(), 94);
    let held = DMat3::from_cols_array(&counts.map(|v| value(v.into(), shift))).transpose();
    ([[0, 1, 2], [3, 4, 5], [6, 7, 8]].map(|row| row.map(|k| counts[k])), shift as u32, m - held)
}

/// A row of lengths in L.
pub(crate) fn row(step: &FrameStep, length_m: f64) -> FrameRow {
    let (t, c) = (step.turn, step.by_position);
    let turn = 0.5 * DVec3::new(t.y_axis.z - t.z_axis.y, t.z_axis.x - t.x_axis.z, t.x_axis.y - t.y_axis.x);
    let (turn, turn_shift) = counted((-turn).to_array(), 94);
    let scale = DISPLACEMENT_BITS - POSITION_BITS;
    let (by_position, by_position_shift) = counted(c.transpose().to_cols_array(), 94 + scale);
    let held_turn = -cross_matrix(DVec3::from_array(turn.map(|v| value(v.into(), turn_shift))));
    let held_by_position = DMat3::from_cols_array(&by_position.map(|v| value(v.into(), by_position_shift))).transpose();
    let [shift_low, shift_high] = words(step.shift / length_m);
    let [spin_low, spin_high] = words(step.spin);
    FrameRow {
        turn,
        turn_shift: turn_shift as u32,
        by_position_x: [by_position[0], by_position[1], by_position[2]],
        by_position_shift: (by_position_shift - scale) as u32,
        by_position_y: [by_position[3], by_position[4], by_position[5]],
        share: step.share as f32,
        by_position_z: [by_position[6], by_position[7], by_position[8]],
        turn_rest: columns(t - held_turn),
        by_position_rest: columns(c - held_by_position),
        back: columns(step.back),
        shift_low,
        shift_high,
        spin_low,
        spin_high,
        ..FrameRow::default()
    }
}

/// Rows of all intervals in which the frame is known, and their indices.
pub(crate) fn rows(coupling: &Coupling, intervals: std::ops::Range<u64>, length_m: f64) -> Vec<(u64, [FrameRow; 2])> {
    let one = |i: u64| {
        let first = i * coupling.interval;
        (i % LEGS, [first, first + 1].map(|step| row(&coupling.step(step), length_m)))
    };
    intervals.map(one).collect()
}

/// Binary digits of the sums below M L/T and M L2/T: as many as leave room for all bodies kicked by the largest way of a step,
/// at the start's distance, but 58 of impulses at least: the kicks of thousands are not all so large.
pub(crate) fn sum_bits(bodies: &Bodies, units: &Units) -> [u32; 2] {
    let impulse = (69 - (bodies.len() as f64).log2().ceil() as i32).clamp(DISPLACEMENT_BITS, 66);
    let reach = bodies.position_m.iter().map(|p| p.length()).fold(0.0, f64::max) / units.length_m;
    let torque = (impulse - reach.max(1.0).log2().ceil() as i32).clamp(TORQUE_BITS_MIN, 64);
    [impulse as u32, torque as u32]
}

/// Mass and moment of inertia of every body in memory order.
pub(crate) fn weights(bodies: &Bodies, order: &[u32], units: &Units) -> Vec<BodyWeight> {
    let one = |k: &u32| {
        let k = *k as usize;
        let mass = bodies.mass_kg[k] / units.mass_kg;
        let ([mass], mass_shift) = counted([mass], 84);
        let moment = bodies.sphere_moment_kg_m2(k) / (units.mass_kg * units.length_m.powi(2));
        let ([moment], moment_shift) = counted([moment], MOMENT_SHIFT_MAX);
        BodyWeight {
            mass: mass as u32,
            mass_shift: mass_shift as u32,
            moment: moment as u32,
            moment_shift: moment_shift as u32,
        }
    };
    order.iter().map(one).collect()
}

/// Impulse (N s) and torque impulse (N m s) of the sums of a step; `None`: they may have passed 64 bits.
pub(crate) fn given(parts: &[Reaction], units: &Units, [impulse_bits, torque_bits]: [u32; 2]) -> Option<[DVec3; 2]> {
    let sum: [i64; 6] = std::array::from_fn(|k| parts.iter().fold(0, |sum: i64, part| sum.wrapping_add(part.sum[k])));
    if sum.iter().any(|s| s.unsigned_abs() > SUM_MAX as u64) {
        return None;
    }
    let momentum = units.mass_kg * units.length_m / units.time_s;
    let [impulse, torque] = [(0, impulse_bits), (3, torque_bits)]
        .map(|(first, bits)| vector([0, 1, 2].map(|k| sum[first + k]), bits as i32));
    Some([impulse * momentum, torque * momentum * units.length_m])
}
