//! Rotation of bodies that are not spheres, compared with f64.

use super::cloud::{CODE, direction, random, vector};
use super::dynamics_system::SPARE;
use super::harness::{Harness, filled};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::DISPLACEMENT_BITS;
use crate::engine::gpu::parts::orientation::q30;
use crate::gpu::elements::body::{BodyInertia, BodyMoment, BodyPush, BodyState, BodyView, Orientation};
use crate::gpu::layout::Params;
use crate::physics::turn::{spin, turned};
use glam::{DMat3, DQuat, DVec3};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_spin",
    compares: "Rotation of bodies that are not spheres, over one step and over 100 steps, against f64.",
    bounds: "Some 30 operations at 6e-8; quaternions are cut at 2^-30.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["spin_bodies"],
        what: "torque impulses, orientation, spin, root of the inverse inertia",
        unit: "of each; turns with 0.01 rad",
        bound: 2e-6,
        reason: "about 30 operations at 6e-8; quaternions are cut at 2^-30, 1e-7 of 0.01 rad",
        compare: one_step,
    },
    Check {
        passes: &["spin_bodies"],
        what: "free rotation of 100 steps, angular momentum to the bit",
        unit: "of the turn; with 0.1 rad",
        bound: 4e-6,
        reason: "of four numbers each is off by up to 2^-31 a step, always the same way in slow bodies: 4e-7 rad in all",
        compare: free_rotation,
    },
    Check {
        passes: &["spin_bodies"],
        what: "free rotation of 20 steps of slender bodies, moments up to 1:30, with up to 1 rad a step",
        unit: "of the turn; with 0.1 rad",
        bound: 3e-5,
        reason: "each of three iterations gains a factor of 16 at least, from 1/16 of the turn: 1.5e-5",
        compare: slender_rotation,
    },
    Check {
        passes: &["spin_bodies"],
        what: "weak torques of 100 steps add up: of 1e-9 of the angular momentum a step, of bodies with three equal moments",
        unit: "of what they add up to",
        bound: 2e-6,
        reason: "there and back by the orientation, about 30 operations at 6e-8, and 2^-59 a step, 2e-7 of the weakest",
        compare: weak_torques,
    },
    Check {
        passes: &["spin_bodies"],
        what: "turns of up to 50 rad in one step, of bodies with three equal moments",
        unit: "of the turn and 1 rad",
        bound: 2e-6,
        reason: "beyond half a turn a root of 6 units, 7e-7 of the angle, a division, and the difference from whole turns",
        compare: far_turns,
    },
];

/// Bodies that turn.
pub(super) struct Tops {
    /// principal (M L2)
    pub moments: Vec<DVec3>,
    /// elements of `body_turn`
    pub turn: Vec<Orientation>,
    /// elements of `body_angular`
    pub angular: Vec<[i64; 3]>,
    push: Vec<DVec3>,
}

impl Tops {
    /// What such words of body `b` say (M L2/T).
    pub(super) fn momentum(&self, b: usize, words: [i64; 3]) -> DVec3 {
        fixed_point::vector(words, DISPLACEMENT_BITS) * self.moments[b].max_element()
    }

    /// Fills what passes over polyhedra read of them, and spare rows behind.
    pub(super) fn fill(&self, h: &mut Harness) -> Result<()> {
        let count = self.turn.len();
        let moment = |m: &DVec3| BodyMoment {
            relative: (*m / m.max_element()).as_vec3().to_array(),
            largest: m.max_element() as f32,
        };
        h.uniform("params", &Params { body_count: count as u32, part_count: count as u32, ..Params::default() })?;
        h.fill("body_moment", &self.moments.iter().map(moment).collect::<Vec<_>>())?;
        h.fill("body_turn", &[&self.turn[..], &[filled(7); SPARE]].concat())?;
        h.fill("body_angular", &[&self.angular[..], &[[7; 3]; SPARE]].concat())?;
        h.fill("body_state", &vec![filled::<BodyState>(7); count + SPARE])?;
        h.fill("body_view", &vec![filled::<BodyView>(7); count + SPARE])?;
        h.fill("body_inertia", &vec![filled::<BodyInertia>(7); count + SPARE])
    }
}

/// Rounded to f32.
fn short(v: DVec3) -> DVec3 {
    v.as_vec3().as_dvec3()
}

/// Spins (1/T) from still to `fastest`, moments apart by up to 1:4 (M L2), impulses as large as the momenta.
pub(super) fn tops(count: usize, fastest: f64, pushed: bool) -> Tops {
    let mut random = random(count as u64);
    let mut tops = Tops { moments: vec![], turn: vec![], angular: vec![], push: vec![] };
    for _ in 0..count {
        let least = 10f64.powf(random.random_range(-4.0..0.0));
        // the largest, and the others over it, are numbers of f32
        let (middle, most) = (random.random_range(1.0..3.0), random.random_range(3.0..4.0));
        let largest = f64::from((most * least) as f32);
        let moments = largest * short(DVec3::new(1.0 / most, middle / most, 1.0));
        let q = DQuat::from_scaled_axis(3.0 * vector(&mut random)).normalize();
        let size = fastest * 10f64.powf(random.random_range(-6.0..0.0));
        let [spin, push] = [0; 2].map(|_: i32| size * vector(&mut random));
        let momentum = inertia(q, moments) * spin / largest;
        tops.angular.push(momentum.to_array().map(|w| CODE.angle(w)));
        tops.push.push(if pushed { short(push) } else { DVec3::ZERO });
        tops.moments.push(moments);
        // as far from the length 1 as steps never leave it
        tops.turn.push(q30(q * random.random_range(1.0 - 1e-8..1.0 + 1e-8)));
    }
    tops
}

pub(super) fn inertia(q: DQuat, moments: DVec3) -> DMat3 {
    let axes = DMat3::from_quat(q);
    axes * DMat3::from_diagonal(moments) * axes.transpose()
}

pub(super) fn unit(q: Orientation) -> DQuat {
    DQuat::from_array(q.quaternion.map(f64::from)).normalize()
}

/// What the pass leaves.
struct After {
    turn: Vec<Orientation>,
    angular: Vec<[i64; 3]>,
    state: Vec<BodyState>,
    view: Vec<BodyView>,
    inertia: Vec<BodyInertia>,
}

fn run(h: &mut Harness, tops: &Tops, steps: usize) -> Result<After> {
    let count = tops.turn.len();
    let push: Vec<_> = tops.push.iter().map(|p| BodyPush { spin: p.as_vec3().to_array(), ..filled(9) }).collect();
    tops.fill(h)?;
    h.fill("body_push", &push)?;
    for _ in 0..steps {
        h.run("spin_bodies", (count + SPARE).div_ceil(64) as u32)?;
    }
    Ok(After {
        turn: h.read("body_turn")?,
        angular: h.read("body_angular")?,
        state: h.read("body_state")?,
        view: h.read("body_view")?,
        inertia: h.read("body_inertia")?,
    })
}

/// A quaternion of length 1 to 2^-29, from exact squares.
fn of_length_one(t: &mut Tally, b: usize, q: Orientation) {
    let square: i128 = q.quaternion.iter().map(|c| i128::from(*c) * i128::from(*c)).sum();
    let excess = square - (1 << 60);
    t.hold(if excess.abs() <= 1 << 32 {
        Ok(())
    } else {
        Err(format!("orientation[{b}]: length 1 + {:e}", excess as f64 * (-61f64).exp2()))
    });
}

/// Angle between two orientations (rad).
fn angle(a: DQuat, b: DQuat) -> f64 {
    2.0 * (a.inverse() * b).xyz().length()
}

/// The parts of bodies that the pass leaves alone, and both copies of the spin.
fn compare_words(t: &mut Tally, after: &After, b: usize) {
    let (state, view, inertia) = (after.state[b], after.view[b], after.inertia[b]);
    t.equal("state but the spin", &[BodyState { spin: [0; 3], ..state }], &[BodyState { spin: [0; 3], ..filled(7) }]);
    // the view keeps the bits that the state's unit takes off
    let kept = state.spin.map(|w| CODE.spin_rad_s(w));
    let near = [0, 1, 2].map(|k| (f64::from(view.spin[k]) - kept[k]).abs() <= (-59f64).exp2());
    t.equal("spin of view", &near, &[true; 3]);
    t.equal("view but the spin", &[BodyView { spin: [0.0; 3], ..view }], &[BodyView { spin: [0.0; 3], ..filled(7) }]);
    t.equal("inverse mass", &[inertia.inverse_mass], &[filled::<BodyInertia>(7).inverse_mass]);
}

fn one_step(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (count, fastest) in [(1, 1e-3), (63, 0.03), (64, 1e-3), (65, 1e-6), (1000, 0.03)] {
        t.case(format!("{count} bodies, up to {fastest} rad a step"));
        let tops = tops(count, fastest, true);
        let after = run(h, &tops, 1)?;
        for b in 0..count {
            let (start, moments) = (unit(tops.turn[b]), tops.moments[b]);
            let kick = inertia(start, moments) * tops.push[b];
            let before = tops.momentum(b, tops.angular[b]);
            let (angular, size) = (before + kick, before.length() + kick.length());
            let gained = tops.momentum(b, [0, 1, 2].map(|k| after.angular[b][k] - tops.angular[b][k]));
            t.off("angular momentum", b, gained.distance(kick) / (kick.length() + 1e-10 * moments.max_element()));
            let (q, fast) = (unit(after.turn[b]), size / moments.min_element());
            t.off("orientation", b, angle(q, turned(start, angular, moments, 1.0)) / (fast + 0.01));
            of_length_one(t, b, after.turn[b]);
            let words = after.state[b].spin.map(|w| CODE.spin_rad_s(w));
            t.off("spin", b, DVec3::from_array(words).distance(spin(q, angular, moments)) / fast);
            let root = after.inertia[b].root();
            let truth = inertia(q, moments.map(|i| i.sqrt().recip()));
            let off = (root - truth).to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            t.off("root of the inverse inertia", b, off * moments.min_element().sqrt());
            compare_words(t, &after, b);
        }
        t.equal("orientations behind", &after.turn[count..], &[filled(7); SPARE]);
        t.equal("states behind", &after.state[count..], &[filled(7); SPARE]);
    }
    Ok(())
}

fn free_rotation(h: &mut Harness, t: &mut Tally) -> Result<()> {
    const STEPS: usize = 100;
    for (count, fastest) in [(64, 0.005), (300, 0.01)] {
        t.case(format!("{count} bodies, up to {fastest} rad a step"));
        let tops = tops(count, fastest, false);
        let after = run(h, &tops, STEPS)?;
        for b in 0..count {
            let (moments, angular) = (tops.moments[b], tops.momentum(b, tops.angular[b]));
            t.equal("angular momentum", &after.angular[b], &tops.angular[b]);
            let truth = (0..STEPS).fold(unit(tops.turn[b]), |q, _| turned(q, angular, moments, 1.0));
            let all = STEPS as f64 * angular.length() / moments.min_element();
            t.off("orientation", b, angle(unit(after.turn[b]), truth) / (all + 0.1));
            of_length_one(t, b, after.turn[b]);
        }
    }
    Ok(())
}

fn slender_rotation(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut random = random(79);
    for (slender, fastest) in [(8.0, 0.3), (30.0, 0.1), (30.0, 1.0)] {
        t.case(format!("300 bodies, moments 1:{slender}, up to {fastest} rad a step"));
        let mut tops = tops(300, 1e-3, false);
        for (moments, words) in tops.moments.iter_mut().zip(&mut tops.angular) {
            *moments = short(DVec3::new(1.0 / slender, random.random_range(0.8..1.0), 1.0));
            // fastest about the long axis at the most
            *words = (fastest / slender * vector(&mut random)).to_array().map(|w| CODE.angle(w));
        }
        let after = run(h, &tops, 20)?;
        for b in 0..tops.turn.len() {
            let (moments, angular) = (tops.moments[b], tops.momentum(b, tops.angular[b]));
            let truth = (0..20).fold(unit(tops.turn[b]), |q, _| turned(q, angular, moments, 1.0));
            let all = 20.0 * angular.length() / moments.min_element();
            t.off("orientation", b, angle(unit(after.turn[b]), truth) / (all + 0.1));
            of_length_one(t, b, after.turn[b]);
        }
    }
    Ok(())
}

/// In f32 an angular momentum would not take these at all.
fn weak_torques(h: &mut Harness, t: &mut Tally) -> Result<()> {
    const STEPS: usize = 100;
    let mut random = random(78);
    for fastest in [0.005, 0.02] {
        t.case(format!("300 bodies, {fastest} rad a step"));
        let mut tops = tops(300, 1e-3, false);
        tops.moments.fill(DVec3::ONE);
        for (words, push) in tops.angular.iter_mut().zip(&mut tops.push) {
            *words = (fastest * direction(&mut random)).to_array().map(|w| CODE.angle(w));
            *push = short(1e-9 * fastest * direction(&mut random));
        }
        let after = run(h, &tops, STEPS)?;
        for (b, push) in tops.push.iter().enumerate() {
            let gained = [0, 1, 2].map(|k| after.angular[b][k] - tops.angular[b][k]);
            let wanted = STEPS as f64 * *push;
            t.off("angular momentum of body", b, tops.momentum(b, gained).distance(wanted) / wanted.length());
        }
    }
    Ok(())
}

/// With equal moments the spin is constant: any step is exact.
fn far_turns(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut random = random(77);
    for fastest in [1.0, 4.0, 30.0] {
        t.case(format!("300 bodies, up to {fastest} rad about each axis"));
        let mut tops = tops(300, 1e-3, false);
        tops.moments.fill(DVec3::ONE);
        for words in &mut tops.angular {
            *words = (fastest * vector(&mut random)).to_array().map(|w| CODE.angle(w));
        }
        let after = run(h, &tops, 1)?;
        for (b, words) in tops.angular.iter().enumerate() {
            let angular = tops.momentum(b, *words);
            let wanted = turned(unit(tops.turn[b]), angular, DVec3::ONE, 1.0);
            t.off("orientation", b, angle(unit(after.turn[b]), wanted) / (1.0 + angular.length()));
            of_length_one(t, b, after.turn[b]);
        }
    }
    Ok(())
}
