//! The contact laws of pairs and walls: what they are tried with, and how a contact is compared with the law in f64.

use super::Tally;
use super::cloud::CODE;
use super::harness::Harness;
use crate::base::error::Result;
use crate::base::units::Units;
use crate::physics::laws::BuiltIn;
use crate::physics::laws::contact::{ContactResult, ContactState, Springs, Twin};
use crate::physics::laws::pairs::Laws;
use glam::DVec3;

/// Unit of errors of the law.
pub const LAW_UNIT: &str = "of the largest the contact could give";
/// Bound of errors of the law.
pub const LAW_BOUND: f64 = 2e-6;
/// Why.
pub const LAW_REASON: &str = "about 20 operations at 6e-8, divisions and roots at up to 2.5 times that";
/// Bound of what a contact loses in its last step.
pub const END_BOUND: f64 = 1e-6;
/// Why.
pub const END_REASON: &str = "a sum of squares and about 6 products at 6e-8, the effective radius squared";

/// A law with two materials, in code units with the constants that the GPU has.
pub fn tried(law: &dyn BuiltIn) -> Laws {
    tried_in(law, &CODE)
}

/// The same in other units.
pub fn tried_in(law: &dyn BuiltIn, units: &Units) -> Laws {
    let rows = law.tried().iter().map(|pair| pair.seen(units)).collect();
    Laws { rows, materials: 2 }
}

/// Takes a law's module and its table.
pub fn take(h: &mut Harness, law: &dyn BuiltIn) -> Result<()> {
    take_in(h, law, &CODE)
}

/// The same in other units.
pub fn take_in(h: &mut Harness, law: &dyn BuiltIn, units: &Units) -> Result<()> {
    h.choose("law", law.module());
    let rows = law.tried().into_iter().flat_map(|pair| pair.row(units));
    h.fill("contact_law", &rows.map(|(_, value)| value).collect::<Vec<f32>>())
}

/// Vector of the first three of a row.
pub fn vec3(row: &[f32; 4]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}

/// Signed differences of windows, in their unit.
pub fn windows(to: &[u32], from: &[u32], unit_bits: i32) -> DVec3 {
    let d = [0, 1, 2].map(|k| f64::from(to[k].wrapping_sub(from[k]) as i32));
    DVec3::from_array(d) * f64::from(-unit_bits).exp2()
}

/// Largest error of a contact's force, torques, springs and losses, over what the contact could give at most.
pub fn compare_law(t: &mut Tally, index: usize, law: &dyn Twin, s: &ContactState, got: &ContactResult) {
    let truth = law.force(s, 1.0);
    let speed = s.velocity.length() + s.arm_i * s.spin_i.length() + s.spin_j.length() * s.arm_j.min(1.0);
    let most = law.most(s, speed);
    let (sliding, turning) = (s.springs.sliding.length() + speed, s.springs.rolling.length() + speed / s.radius);
    let twisting = s.springs.twisting.abs() + speed / s.radius;
    let (force, energy) = (most.force, most.force * (speed + s.overlap) + most.stored);
    t.off("force of contact", index, got.force.distance(truth.force) / force);
    let arm = s.arm_i.max(s.arm_j.min(1.0));
    t.off("torque on i of contact", index, got.torque_i.distance(truth.torque_i) / (force * arm));
    t.off("torque on j of contact", index, got.torque_j.distance(truth.torque_j) / (force * s.arm_j.max(arm)));
    t.off("sliding spring of contact", index, got.springs.sliding.distance(truth.springs.sliding) / sliding);
    t.off("rolling spring of contact", index, got.springs.rolling.distance(truth.springs.rolling) / turning);
    t.off("twisting spring of contact", index, (got.springs.twisting - truth.springs.twisting).abs() / twisting);
    t.off("surplus of contact", index, (got.springs.surplus - truth.springs.surplus).abs() / force);
    t.off("overlap remembered of contact", index, (got.springs.overlap - truth.springs.overlap).abs() / s.overlap);
    for (a, b) in got.dissipated.iter().zip(truth.dissipated) {
        t.off("loss of contact", index, (a - b).abs() / energy);
    }
}

/// What a contact that ended has lost, over the largest terms of it.
pub fn compare_end(t: &mut Tally, index: usize, law: &dyn Twin, s: &ContactState, got: &[f32; 4]) {
    let end = |springs: &Springs| law.end(s.radius, s.before, s.overlap, springs);
    let size = |springs: &Springs| end(springs).iter().sum::<f64>().abs();
    let scale =
        size(&Springs { surplus: 0.0, ..s.springs }) + size(&Springs { surplus: s.springs.surplus.abs(), ..s.springs });
    for (truth, got) in end(&s.springs).into_iter().zip(got) {
        t.off("loss of contact", index, (f64::from(*got) - truth).abs() / scale);
    }
}
