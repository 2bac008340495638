//! Friction by springs that sliding, rolling and twisting stretch: Song et al. 2024, eq. 1-3 and Tables 1-2. Springs are
//! shortened to their limit before the dashpot is added, and the sum is limited again.

use super::contact::{ContactResult, ContactState, Springs, across, carried, shorten, slip};
use super::keys::{FRICTION_ROLLING, FRICTION_SLIDING, FRICTION_TWISTING, Keyed, ROLLING_RATE, SHAPE_PARAMETER};
use super::{Lightest, StartFault, Wrong, single};
use crate::model::material::Material;
use glam::DVec3;

/// Limits of friction between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// mu_S
    pub sliding: f64,
    /// mu_R
    pub rolling: f64,
    /// mu_T
    pub twisting: f64,
    /// beta, contact radius over R_e
    pub shape_parameter: f64,
    /// what counts as rolling
    pub rate: RollingRate,
}

/// What counts as rolling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RollingRate {
    /// the relative spin across the normal, which does the work of the couple
    Objective,
    /// slip is added where the arms of a contact differ, as on a wall, as Table 1 of Song et al. 2024 prints it: friction then
    /// speeds up the spin of what slides
    Printed,
}

impl RollingRate {
    /// What a material has.
    pub fn of(material: &Material) -> RollingRate {
        if material.word(ROLLING_RATE.name) == Some("printed") { RollingRate::Printed } else { RollingRate::Objective }
    }

    /// 1 if it is as printed, as a law's row has it.
    fn printed(self) -> f64 {
        f64::from(u8::from(self == RollingRate::Printed))
    }
}

/// Springs and dashpots of one contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stiffness {
    /// of sliding (N/m)
    pub sliding: f64,
    /// of rolling (N m/rad)
    pub rolling: f64,
    /// of twisting (N m/rad)
    pub twisting: f64,
    /// of the dashpot along the normal (kg/s)
    pub damping_normal: f64,
    /// of the dashpot across it (kg/s)
    pub damping_sliding: f64,
    /// what springs keep of their length since the last step
    pub kept: f64,
}

/// What a contact adds to the rate at which dashpots slow the spin of a body about one axis, or to what its springs turn it back by,
/// over that of slip, rolling and twisting alone: across the axis, along it, and the mean of contacts in all directions. Of the
/// rate of slip 5/7 is rotation.
const SHARES: [[f64; 3]; 3] = [[5.0 / 7.0, 1.0, 0.0], [0.0, 0.0, 1.0], [10.0 / 21.0, 2.0 / 3.0, 1.0 / 3.0]];
/// A step that is half of what turns motions round with one contact is 0.8 of it with many.
const OF_MANY: f64 = 0.5 / 0.8;
/// So many times of a swing on springs of friction steps are a fraction of: the largest fraction is half of what gains energy.
pub(super) const SWING_TIMES: f64 = 10.0;
/// What they are called.
pub(super) const SWING_NAME: &str = "ten times the swing time of friction";

impl Friction {
    /// The arithmetic mean of two materials; rolling is as printed if both have it so.
    pub(super) fn between(a: &Material, b: &Material) -> Friction {
        let is_printed = [a, b].iter().all(|m| RollingRate::of(m) == RollingRate::Printed);
        Friction {
            sliding: FRICTION_SLIDING.mean(a, b),
            rolling: FRICTION_ROLLING.mean(a, b),
            twisting: FRICTION_TWISTING.mean(a, b),
            shape_parameter: SHAPE_PARAMETER.mean(a, b),
            rate: if is_printed { RollingRate::Printed } else { RollingRate::Objective },
        }
    }

    /// Four kinds for checks: with and without sliding, rolling and twisting.
    pub(super) fn tried(k: usize) -> Friction {
        let all = k == 0 || k == 3;
        let sliding = [0.5, 0.0, 0.9, 0.5][k];
        let (rolling, twisting) = if all { (0.3, 0.4) } else { (0.0, 0.8) };
        let rate = if k == 3 { RollingRate::Printed } else { RollingRate::Objective };
        Friction { sliding, rolling, twisting, shape_parameter: 0.5, rate }
    }

    /// Rounded as the GPU has it.
    pub(super) fn rounded(&self) -> Friction {
        Friction {
            sliding: single(self.sliding),
            rolling: single(self.rolling),
            twisting: single(self.twisting),
            shape_parameter: single(self.shape_parameter),
            rate: self.rate,
        }
    }

    /// Members of a law's row.
    pub(super) fn row(&self) -> [(&'static str, f64); 5] {
        [
            ("friction_sliding", self.sliding),
            ("friction_rolling", self.rolling),
            ("friction_twisting", self.twisting),
            ("shape_parameter", self.shape_parameter),
            ("rolling_printed", self.rate.printed()),
        ]
    }

    /// Time in which the dashpots C_N and C_S of a pair (kg/s) alone would take its slip, its rolling or its twisting to 1/e,
    /// whichever is the shortest (s), with as many contacts as the body may have. All of them slow its spin together.
    pub(super) fn damping_time_s(&self, pair: &Lightest, dashpots: [f64; 2]) -> f64 {
        1.0 / self.fastest(pair, dashpots, OF_MANY)
    }

    /// Time 1/omega of the fastest swing on the springs k_N and k_S of a pair (N/m), of slip, rolling or twisting (s), with as many
    /// contacts as the body may have. Steps of two such times gain energy.
    pub(super) fn swing_time_s(&self, pair: &Lightest, springs: [f64; 2]) -> f64 {
        self.fastest(pair, springs, 1.0).sqrt().recip()
    }

    /// What the fastest of slip, rolling and twisting has of coefficients along the normal and across it, over the inertia that it
    /// moves: of one contact, and of the spin of a body with all its contacts, times `of_many`.
    fn fastest(&self, pair: &Lightest, [normal, sliding]: [f64; 2], of_many: f64) -> f64 {
        let size2 = (self.shape_parameter * pair.radius()).powi(2);
        let inverse_moment: f64 = [0, 1].iter().map(|k| 1.0 / (0.4 * pair.masses[*k] * pair.radii[*k].powi(2))).sum();
        // of the slip between solid spheres a force changes 7/2 of itself over the reduced mass
        let slip = if self.sliding > 0.0 { 3.5 * sliding / pair.mass } else { 0.0 };
        let roll = if self.rolling > 0.0 { normal * size2 * inverse_moment } else { 0.0 };
        let twist = if self.twisting * self.sliding > 0.0 { 2.0 * sliding * size2 * inverse_moment } else { 0.0 };
        let of = |shares: [f64; 3]| shares[0] * slip + shares[1] * roll + shares[2] * twist;
        let each = SHARES.into_iter().map(of).fold(0.0, f64::max);
        slip.max(roll).max(twist).max(of_many * pair.contacts * each)
    }

    /// What springs across the normal do under the force `push` (N), for a contact that also pulls with `pull` (N). What is
    /// dissipated along the normal and the change of what springs hold are left to the law.
    pub(super) fn act(&self, s: &ContactState, dt: f64, pull: f64, push: f64, k: &Stiffness) -> ContactResult {
        let n = s.normal;
        let slip = slip(s);
        let load = push.max(0.0);
        let about = 0.5 * (s.spin_i + s.spin_j).dot(n) * dt;

        // Sliding (eq. 1)
        let limit = self.sliding * load;
        let stretched = k.kept * carried(s.springs.sliding, n, about) + slip * dt;
        let sliding = shorten(stretched, limit / k.sliding);
        let drag = shorten(k.sliding * sliding + k.damping_sliding * slip, limit);

        // Rolling (eq. 3): w_R = (l_i + l_j)/(l_i l_j) n x u_R, with u_R of Table 1 put in, or without its slip
        let size = self.shape_parameter * s.radius;
        let spin = s.spin_j - s.spin_i;
        let uneven = 0.5 * self.rate.printed() * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j);
        let roll_rate = across(spin, n) + uneven * n.cross(slip);
        let roll_limit = self.rolling * size * load;
        let (mut rolling, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        if roll_limit > 0.0 {
            let turned = k.kept * carried(s.springs.rolling, n, about) + roll_rate * dt;
            rolling = shorten(turned, roll_limit / k.rolling);
            moment = shorten(k.rolling * rolling + k.damping_normal * size * size * roll_rate, roll_limit);
        }

        // Twisting (eq. 2)
        let twist_rate = spin.dot(n);
        let twist_limit = self.twisting * size * limit;
        let (mut twisting, mut twist) = (0.0, 0.0);
        if twist_limit > 0.0 {
            let bound = twist_limit / k.twisting;
            twisting = (k.kept * s.springs.twisting + twist_rate * dt).clamp(-bound, bound);
            let damping = 2.0 * k.damping_sliding * size * size;
            twist = (k.twisting * twisting + damping * twist_rate).clamp(-twist_limit, twist_limit);
        }

        let lever = n.cross(drag);
        ContactResult {
            force: (pull - push) * n + drag,
            torque_i: s.arm_i * lever + moment + twist * n,
            torque_j: s.arm_j * lever - moment - twist * n,
            springs: Springs { sliding, rolling, twisting, ..Springs::default() },
            dissipated: [0.0, drag.dot(slip) * dt, moment.dot(spin) * dt, twist * twist_rate * dt],
        }
    }
}

/// Adds to the losses `normal` (J) along the normal and what the springs held `before` and do not hold `after` (J).
pub(super) fn book(r: &mut ContactResult, normal: f64, before: [f64; 3], after: [f64; 3]) {
    r.dissipated[0] += normal;
    for k in 0..3 {
        r.dissipated[k + 1] -= after[k] - before[k];
    }
}

/// Energy (J) in springs of these stiffnesses: sliding, rolling, twisting.
pub(super) fn spring_energies(stiffness: [f64; 3], s: &Springs) -> [f64; 3] {
    let squares = [s.sliding.length_squared(), s.rolling.length_squared(), s.twisting * s.twisting];
    [0, 1, 2].map(|k| 0.5 * stiffness[k] * squares[k])
}

/// Rolling as printed, which slip drives, over areas so wide that piles may gain energy of it.
pub(super) fn printed_rolling_may_gain(materials: &[Material]) -> impl Iterator<Item = StartFault> {
    let gains = |m: &&Material| {
        RollingRate::of(m) == RollingRate::Printed && FRICTION_ROLLING.of(m) > 0.0 && SHAPE_PARAMETER.of(m) >= 1.0
    };
    materials.iter().filter(gains).map(|m| StartFault {
        material: m.name.clone(),
        what: "rolling_rate = \"printed\" with a shape_parameter of 1 or more may drive bodies that rest".to_owned(),
        remedy: "remove rolling_rate, or lower shape_parameter".to_owned(),
        may_do: true,
    })
}

/// Rolling, twisting, or another force that `acts` over the area of contact, where there is no area.
pub(super) fn needs_area(m: &Material, acts: bool) -> Option<Wrong> {
    let acts = acts || [FRICTION_ROLLING, FRICTION_TWISTING].iter().any(|key| key.of(m) > 0.0);
    (SHAPE_PARAMETER.of(m) == 0.0 && acts).then(|| {
        Wrong::new(
            &SHAPE_PARAMETER,
            "must be above 0 with rolling friction, twisting friction or cohesion, which act over an area",
            "add `shape_parameter = 0.5`, for example",
        )
    })
}

impl Friction {
    /// Rolling as printed follows slip between unequal spheres; it must not feed on it.
    fn rolls_too_hard(&self) -> Option<String> {
        let Friction { sliding, rolling, shape_parameter: shape, rate, .. } = self;
        (*rate == RollingRate::Printed && rolling * shape > 2.0 * sliding.max(0.0)).then(|| {
            format!(
                "{rolling} with shape_parameter {shape} and friction_sliding {sliding} could gain energy from slip between unequal spheres"
            )
        })
    }
}

/// Rolling of a material that feeds on slip.
pub(super) fn rolls_too_hard(m: &Material) -> Option<Wrong> {
    let remedy = "keep friction_rolling * shape_parameter below 2 friction_sliding, or remove rolling_rate";
    Friction::between(m, m).rolls_too_hard().map(|what| Wrong::new(&FRICTION_ROLLING, what, remedy))
}

/// The same of two materials, whose means may do so where neither does.
pub(super) fn pairs_roll_too_hard(materials: &[Material]) -> impl Iterator<Item = StartFault> {
    let pairs = materials.iter().enumerate().flat_map(|(k, a)| materials[..k].iter().map(move |b| (b, a)));
    pairs.filter_map(|(a, b)| {
        let what = Friction::between(a, b).rolls_too_hard()?;
        let what = format!("touches `{}` with the means of both: a friction_rolling of {what}", b.name);
        let remedy = "make their shape_parameter, friction_rolling and friction_sliding more alike".to_owned();
        Some(StartFault { material: a.name.clone(), what, remedy, may_do: false })
    })
}
