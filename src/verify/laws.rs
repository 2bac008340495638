//! The contact laws of pairs and walls: materials that are tried, and how a contact is compared with the law in f64.

use super::Tally;
use super::cloud::CODE;
use super::harness::Harness;
use crate::base::error::Result;
use crate::engine::gpu::prepare::law_row;
use crate::gpu::layout::LawRow;
use crate::model::scenario::{NormalTension, SoftLaw};
use crate::physics::closure::{ContactLaw, hysteretic_law};
use crate::physics::laws::{ContactResult, ContactState, Springs, contact_force, end_losses};
use glam::DVec3;

/// Unit of errors of the law.
pub const LAW_UNIT: &str = "of the largest the contact could give";
/// Bound of errors of the law.
pub const LAW_BOUND: f64 = 2e-6;
/// Why.
pub const LAW_REASON: &str = "some 20 operations at 6e-8, divisions and roots at up to 2.5 times that";
/// Bound of what a contact loses in its last step.
pub const END_BOUND: f64 = 1e-6;
/// Why.
pub const END_REASON: &str = "a sum of squares and some 6 products at 6e-8, the effective radius squared";

/// Laws of two materials. Linear spring-dashpot: tension kept or not, with and without friction, rolling, twisting,
/// cohesion. Hysteretic: lossy and elastic, with and without friction.
pub fn laws(kind: SoftLaw) -> Vec<ContactLaw> {
    match kind {
        SoftLaw::LinearSpringDashpot => spring_dashpots(),
        SoftLaw::Hysteretic => {
            let [k, mu, rolling] = [0.02f32, 0.3, 0.1].map(f64::from);
            let law = |e, mu_k, mu_r| hysteretic_law(k, e, mu_k, mu_r);
            vec![law(0.5, mu, rolling), law(0.5, 0.0, rolling), law(0.5, mu, 0.0), law(1.0, mu, rolling)]
        }
    }
}

fn spring_dashpots() -> Vec<ContactLaw> {
    let law = |k: usize| {
        let pick = |a: f32, b: f32| f64::from(if k == 0 || k == 3 { a } else { b });
        ContactLaw {
            kind: SoftLaw::LinearSpringDashpot,
            stiffness_normal: f64::from(0.02f32),
            stiffness_unloading: f64::from(0.02f32),
            stiffness_sliding: f64::from(0.006f32),
            damping_normal: f64::from(0.05f32),
            damping_sliding: f64::from(0.03f32),
            friction_sliding: pick(0.5, if k == 1 { 0.0 } else { 0.9 }),
            friction_rolling: pick(0.3, 0.0),
            friction_twisting: pick(0.4, 0.8),
            shape_parameter: 0.5,
            cohesion_pa: pick(0.0, 0.001),
            tension: if k < 2 { NormalTension::Kept } else { NormalTension::None },
        }
    };
    (0..4).map(law).collect()
}

/// Takes a law's module and its table.
pub fn take(h: &mut Harness, kind: SoftLaw) -> Result<()> {
    h.modules.insert("law".into(), kind.module().into());
    h.fill("contact_law", &laws(kind).iter().map(|l| law_row(l, &CODE)).collect::<Vec<LawRow>>())
}

/// Vector of the first three of a row.
pub fn vec3(row: &[f32; 4]) -> DVec3 {
    DVec3::new(row[0].into(), row[1].into(), row[2].into())
}

/// Signed differences of windows, in their unit.
pub fn windows(to: &[u32; 4], from: &[u32; 4], unit_bits: i32) -> DVec3 {
    let d = [0, 1, 2].map(|k| f64::from(to[k].wrapping_sub(from[k]) as i32));
    DVec3::from_array(d) * f64::from(-unit_bits).exp2()
}

/// Largest error of a contact's force, torques, springs and losses, over what the contact could give at most.
pub fn compare_law(t: &mut Tally, place: usize, law: &ContactLaw, s: &ContactState, got: &ContactResult) {
    let truth = contact_force(law, s, 1.0);
    let speed = s.velocity.length() + s.arm_i * s.spin_i.length() + s.spin_j.length() * s.arm_j.min(1.0);
    let cohesion = 4.0 * law.cohesion_pa * law.shape_parameter * s.radius * s.radius;
    let push = law.stiffness_normal * s.overlap + law.damping_normal * s.mass.sqrt() * speed;
    let force = push * (1.0 + law.friction_sliding) + cohesion;
    let (sliding, turning) = (s.springs.sliding.length() + speed, s.springs.rolling.length() + speed / s.radius);
    let twisting = s.springs.twisting.abs() + speed / s.radius;
    let size2 = (law.shape_parameter * s.radius).powi(2);
    let stored = law.stiffness_sliding * sliding * sliding
        + law.stiffness_normal * size2 * turning * turning
        + 2.0 * law.stiffness_sliding * size2 * twisting * twisting;
    let energy =
        force * (speed + (s.overlap - s.springs.overlap).abs()) + s.springs.surplus.abs() * s.springs.overlap + stored;
    t.off("force of contact", place, got.force.distance(truth.force) / force);
    let arm = s.arm_i.max(s.arm_j.min(1.0));
    t.off("torque on i of contact", place, got.torque_i.distance(truth.torque_i) / (force * arm));
    t.off("torque on j of contact", place, got.torque_j.distance(truth.torque_j) / (force * s.arm_j.max(arm)));
    t.off("sliding spring of contact", place, got.springs.sliding.distance(truth.springs.sliding) / sliding);
    t.off("rolling spring of contact", place, got.springs.rolling.distance(truth.springs.rolling) / turning);
    t.off("twisting spring of contact", place, (got.springs.twisting - truth.springs.twisting).abs() / twisting);
    t.off("surplus of contact", place, (got.springs.surplus - truth.springs.surplus).abs() / force);
    t.off("overlap remembered of contact", place, (got.springs.overlap - truth.springs.overlap).abs() / s.overlap);
    for (a, b) in got.dissipated.iter().zip(truth.dissipated) {
        t.off("loss of contact", place, (a - b).abs() / energy);
    }
}

/// What the two rows of a contact's history hold.
pub fn remembered(kind: SoftLaw, rows: &[[f32; 4]]) -> Springs {
    if kind == SoftLaw::Hysteretic {
        return Springs { surplus: rows[0][0].into(), overlap: rows[0][3].into(), ..Springs::default() };
    }
    Springs { sliding: vec3(&rows[0]), rolling: vec3(&rows[1]), twisting: rows[0][3].into(), ..Springs::default() }
}

/// What a contact that ended has lost, over the largest terms of it.
pub fn compare_end(t: &mut Tally, place: usize, law: &ContactLaw, s: &ContactState, got: &[f32; 4]) {
    let truth = end_losses(law, s.radius, &s.springs, s.overlap);
    let size = |springs: &Springs| end_losses(law, s.radius, springs, s.overlap).iter().sum::<f64>().abs();
    let scale =
        size(&Springs { surplus: 0.0, ..s.springs }) + size(&Springs { surplus: s.springs.surplus.abs(), ..s.springs });
    for (truth, got) in truth.into_iter().zip(got) {
        t.off("loss of contact", place, (f64::from(*got) - truth).abs() / scale);
    }
}
