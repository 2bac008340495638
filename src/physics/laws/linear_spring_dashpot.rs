//! Springs and dashpots, with springs for sliding, rolling and twisting: Song et al. 2024, eq. 1-4 and Tables 1-2.
//! Springs are shortened to their limit before the dashpot is added, and the sum is limited again.

use super::contact::{ContactResult, ContactState, Most, Normal, Springs, Twin, across, arm_to_cut, shorten, slip};
use super::keys::{
    FRICTION_ROLLING, FRICTION_SLIDING, FRICTION_TWISTING, Keyed, RESTITUTION_NORMAL, RESTITUTION_TANGENTIAL,
    SHAPE_PARAMETER,
};
use super::restitution::{clamped_damping_ratio, contact_time_s, damp_alike, damping_ratio};
use super::{BuiltIn, Entry, Largest, Law, Lightest, PairLaw, TimeScale, Wrong, named, single, speed_max};
use crate::base::quantity::Dimension;
use crate::base::readable::number;
use crate::base::reader::key::{Key, Word};
use crate::base::units::Units;
use crate::model::material::Material;
use crate::model::method::LawName;
use glam::DVec3;
use std::borrow::Cow;

const NAME: &str = "linear_spring_dashpot";

/// The law in the list of laws.
pub const ENTRY: Entry = Entry::new(
    NAME,
    "run.contact_law = \"linear_spring_dashpot\"",
    "springs and dashpots, with friction by springs",
    &[
        STIFFNESS_NORMAL,
        SPEED_MAX,
        STIFFNESS_RATIO,
        RESTITUTION_NORMAL,
        RESTITUTION_TANGENTIAL,
        FRICTION_SLIDING,
        FRICTION_ROLLING,
        FRICTION_TWISTING,
        SHAPE_PARAMETER,
        COHESION,
        NORMAL_TENSION,
    ],
    &LinearSpringDashpot,
);

/// k_N.
pub const STIFFNESS_NORMAL: Key = Key::positive("stiffness_normal_n_m", Dimension::Stiffness)
    .without("see speed_max_m_s")
    .says("k_N, the stiffness along the normal")
    .eg("\"10 kN/m\"");
const SPEED_MAX: Key = speed_max(
    "see stiffness_normal_n_m",
    "speed at which the overlap is 1 % of the radius: k_N = m (v / 0.01 R)^2 for the largest body",
)
.eg("\"10 cm/s\"");
const STIFFNESS_RATIO: Key = Key::within("stiffness_ratio", Dimension::Pure, 1e-3, 2.0)
    .or(2.0 / 7.0)
    .says("k_S / k_N, tangential over normal")
    .eg("0.3");
const COHESION: Key = Key::within("cohesion_pa", Dimension::Pressure, 0.0, 1e9)
    .or(0.0)
    .says("c of the force 4 c beta R_e^2, which acts while in contact")
    .eg("\"100 Pa\"");
const NORMAL_TENSION: Key = Key::choice(
    "normal_tension",
    &[
        Word::new("kept", "the dashpot may pull at the end of a contact"),
        Word::new("none", "the normal force never pulls; the damping still gives restitution_normal"),
    ],
)
.or_word("kept")
.says("what happens when the dashpot would pull")
.eg("\"none\"");

/// Overlap over radius at `speed_max_m_s`.
const OVERLAP_AT_SPEED_MAX: f64 = 0.01;

/// How the normal force ends a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalTension {
    /// the dashpot may pull at the end (Song et al. eq. 1)
    Kept,
    /// force clamped at zero, damping re-tuned (Schwager and Poeschel 2007)
    None,
}

impl NormalTension {
    /// What a material has.
    pub fn of(material: &Material) -> NormalTension {
        if material.word(NORMAL_TENSION.name) == Some("none") { NormalTension::None } else { NormalTension::Kept }
    }

    /// As the scenario has it.
    pub fn word(self) -> &'static str {
        if self == NormalTension::None { "none" } else { "kept" }
    }
}

/// The law.
#[derive(Debug)]
pub struct LinearSpringDashpot;

impl Law for LinearSpringDashpot {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &[(&'static str, &'static str)] {
        &[
            ("source", "Song et al. 2024, eq. 1-4"),
            ("normal force", "spring and dashpot"),
            ("restitution", "by damping"),
            ("sliding", "spring, dashpot, Coulomb limit: grains stick"),
            ("rolling, twisting", "springs up to a limit"),
            ("cohesion", "yes"),
            ("walls", "yes"),
            ("surface of an asteroid", "yes"),
            ("time step, as a fraction of", "the contact time, or five damping times if that is shorter"),
            ("good for", "piles, slopes, rest"),
        ]
    }

    fn complete(&self, m: &mut Material) {
        m.set("overlap_at_speed_max", OVERLAP_AT_SPEED_MAX);
        damp_alike(m);
    }

    fn faults(&self, m: &Material, typed: &dyn Fn(&str) -> bool) -> Vec<Wrong> {
        let e = RESTITUTION_NORMAL.of(m);
        let unbounded = (NormalTension::of(m) == NormalTension::None && e < 0.02).then(|| {
            Wrong::new(
                &RESTITUTION_NORMAL,
                format!("{e} without tension would need unbounded damping"),
                "raise it to 0.02 or more, or write normal_tension = \"kept\"",
            )
        });
        let list = [super::stiffness_or_speed(&STIFFNESS_NORMAL, typed), needs_area(m), unbounded, rolls_too_hard(m)];
        list.into_iter().flatten().collect()
    }

    fn time_step_fraction(&self) -> f64 {
        0.02
    }

    fn knows_facets(&self) -> bool {
        true
    }

    fn is_elastic(&self, material: &Material) -> bool {
        RESTITUTION_NORMAL.of(material) > 0.99
    }

    fn settle(&self, m: &mut Material, largest: Option<Largest>) {
        if STIFFNESS_NORMAL.find(m).is_none() {
            m.set(
                STIFFNESS_NORMAL.name,
                super::stiffness_by_speed(SPEED_MAX.find(m), OVERLAP_AT_SPEED_MAX, largest).unwrap_or(1.0),
            );
        }
    }

    fn overlap_at_speed_max(&self, m: &Material, mass: f64, radius: f64) -> Option<f64> {
        Some(SPEED_MAX.find(m)? * (mass / STIFFNESS_NORMAL.of(m)).sqrt() / radius)
    }

    fn between(&self, a: &Material, b: &Material) -> Box<dyn PairLaw> {
        Box::new(SpringDashpot::between(a, b))
    }
}

/// Rolling, twisting and cohesion without an area to act over.
pub(super) fn needs_area(m: &Material) -> Option<Wrong> {
    let acts = [FRICTION_ROLLING, FRICTION_TWISTING, COHESION].iter().any(|key| key.of(m) > 0.0);
    (SHAPE_PARAMETER.of(m) == 0.0 && acts).then(|| {
        Wrong::new(
            &SHAPE_PARAMETER,
            "must be above 0 with rolling friction, twisting friction or cohesion, which act over an area",
            "add `shape_parameter = 0.5`, for example",
        )
    })
}

/// Rolling follows slip between unequal spheres; it must not feed on it.
pub(super) fn rolls_too_hard(m: &Material) -> Option<Wrong> {
    let (rolling, shape, sliding) = (FRICTION_ROLLING.of(m), SHAPE_PARAMETER.of(m), FRICTION_SLIDING.of(m));
    (rolling * shape > 2.0 * sliding.max(0.0)).then(|| {
        Wrong::new(
            &FRICTION_ROLLING,
            format!(
                "{rolling} with shape_parameter {shape} and friction_sliding {sliding} could gain energy from slip between unequal spheres"
            ),
            "keep friction_rolling * shape_parameter below 2 friction_sliding",
        )
    })
}

impl BuiltIn for LinearSpringDashpot {
    fn choice(&self) -> LawName {
        LawName::of(NAME)
    }

    /// Tension kept or not, with and without friction, rolling, twisting, cohesion.
    fn tried(&self) -> [Box<dyn PairLaw>; 4] {
        [0, 1, 2, 3].map(|k: usize| -> Box<dyn PairLaw> {
            let pick = |a: f64, b: f64| if k == 0 || k == 3 { a } else { b };
            Box::new(SpringDashpot {
                stiffness_normal: 0.02,
                stiffness_sliding: 0.006,
                damping_normal: 0.05,
                damping_sliding: 0.03,
                friction_sliding: pick(0.5, if k == 1 { 0.0 } else { 0.9 }),
                friction_rolling: pick(0.3, 0.0),
                friction_twisting: pick(0.4, 0.8),
                shape_parameter: 0.5,
                adhesion_pa: pick(0.0, 0.002),
                tension: if k < 2 { NormalTension::Kept } else { NormalTension::None },
                restitution: 0.5,
            })
        })
    }

    fn bench_material(&self) -> &'static str {
        "stiffness_normal_n_m = 1.0e4
restitution_normal = 0.5
friction_rolling = 1.05
friction_twisting = 1.3
shape_parameter = 0.5"
    }
}

/// The law between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringDashpot {
    /// k_N, force over overlap (N/m)
    pub stiffness_normal: f64,
    /// k_S (N/m)
    pub stiffness_sliding: f64,
    /// C_N / sqrt(m_ij) [sqrt(kg)/s]
    pub damping_normal: f64,
    /// C_S / sqrt(m_ij) [sqrt(kg)/s]
    pub damping_sliding: f64,
    /// mu_S
    pub friction_sliding: f64,
    /// mu_R
    pub friction_rolling: f64,
    /// mu_T
    pub friction_twisting: f64,
    /// beta
    pub shape_parameter: f64,
    /// 4 c beta: the attraction is this times R_e^2 (Pa)
    pub adhesion_pa: f64,
    /// how the normal force ends a contact
    pub tension: NormalTension,
    /// epsilon_N
    pub restitution: f64,
}

impl SpringDashpot {
    /// Springs in series (2 k_a k_b / (k_a + k_b), the material's own for equals), everything else the arithmetic mean; the
    /// contact does not pull if either material does not.
    pub fn between(a: &Material, b: &Material) -> SpringDashpot {
        let [ka, kb] = [a, b].map(|m| STIFFNESS_NORMAL.of(m));
        let k = 2.0 * ka * kb / (ka + kb);
        let ks = k * STIFFNESS_RATIO.mean(a, b);
        let pulls = [a, b].iter().all(|m| NormalTension::of(m) == NormalTension::Kept);
        let e = RESTITUTION_NORMAL.mean(a, b);
        let ratio = if pulls { damping_ratio(e) } else { clamped_damping_ratio(e) };
        let shape_parameter = SHAPE_PARAMETER.mean(a, b);
        SpringDashpot {
            stiffness_normal: k,
            stiffness_sliding: ks,
            damping_normal: 2.0 * ratio * k.sqrt(),
            damping_sliding: 2.0 * damping_ratio(RESTITUTION_TANGENTIAL.mean(a, b)) * ks.sqrt(),
            friction_sliding: FRICTION_SLIDING.mean(a, b),
            friction_rolling: FRICTION_ROLLING.mean(a, b),
            friction_twisting: FRICTION_TWISTING.mean(a, b),
            shape_parameter,
            adhesion_pa: 4.0 * COHESION.mean(a, b) * shape_parameter,
            tension: if pulls { NormalTension::Kept } else { NormalTension::None },
            restitution: e,
        }
    }

    /// The same in code units, rounded as the GPU has it.
    fn in_code(&self, units: &Units) -> SpringDashpot {
        // C / sqrt(m) [sqrt(kg)/s]
        let damping = units.time_s / units.mass_kg.sqrt();
        SpringDashpot {
            stiffness_normal: single(self.stiffness_normal * units.stiffness()),
            stiffness_sliding: single(self.stiffness_sliding * units.stiffness()),
            damping_normal: single(self.damping_normal * damping),
            damping_sliding: single(self.damping_sliding * damping),
            friction_sliding: single(self.friction_sliding),
            friction_rolling: single(self.friction_rolling),
            friction_twisting: single(self.friction_twisting),
            shape_parameter: single(self.shape_parameter),
            adhesion_pa: single(self.adhesion_pa * units.force() * units.length_m.powi(2)),
            ..*self
        }
    }

    /// Stiffnesses of rolling and twisting (N m/rad) at the effective radius `radius` (m): Table 2.
    fn turning_stiffness(&self, radius: f64) -> (f64, f64) {
        let size2 = (self.shape_parameter * radius).powi(2);
        (self.stiffness_normal * size2, 2.0 * self.stiffness_sliding * size2)
    }

    /// Attraction at the effective radius `radius` (m) (N).
    fn adhesion_n(&self, radius: f64) -> f64 {
        self.adhesion_pa * radius * radius
    }

    /// Time in which the normal dashpot alone slows a pair of reduced mass `mass` (kg) to 1/e of its speed, m / C_N (s).
    fn damping_time_s(&self, mass: f64) -> f64 {
        // of the size: a restitution of 1 makes the damping a zero that may be negative
        mass.sqrt() / self.damping_normal.abs()
    }

    /// Energy in the sliding, rolling and twisting springs (J).
    fn spring_energies(&self, radius: f64, s: &Springs) -> [f64; 3] {
        let (roll, twist) = self.turning_stiffness(radius);
        [
            0.5 * self.stiffness_sliding * s.sliding.length_squared(),
            0.5 * roll * s.rolling.length_squared(),
            0.5 * twist * s.twisting * s.twisting,
        ]
    }
}

/// The dashpot of a step acts on the velocity that the step before predicts, so that the ledger misses about 0.6 (dt C_N/m)^2
/// of what a collision dissipates: 0.6 % with steps of 0.02 times five damping times m/C_N.
const DAMPING_TIMES: f64 = 5.0;

impl PairLaw for SpringDashpot {
    fn label(&self) -> Cow<'static, str> {
        match self.tension {
            NormalTension::Kept => NAME.into(),
            NormalTension::None => format!("{NAME}_no_tension").into(),
        }
    }

    /// A collision, or five times the time in which the dashpot alone stops the pair if that is shorter.
    fn time_scale(&self, pair: &Lightest) -> Option<TimeScale> {
        let k = self.stiffness_normal;
        let contact_s = contact_time_s(k, pair.mass, self.restitution);
        let damping_time_s = self.damping_time_s(pair.mass);
        let damping_s = DAMPING_TIMES * damping_time_s;
        let damped = damping_s < contact_s;
        Some(TimeScale {
            scale_s: if damped { damping_s } else { contact_s },
            name: if damped { "five times the damping time" } else { "the contact time" }.into(),
            contact_time_s: Some(contact_s),
            damping_time_s,
            constants: format!("k_N {} N/m, reduced mass {} kg", number(k), number(pair.mass)),
        })
    }

    fn row(&self, units: &Units) -> Vec<(&'static str, f32)> {
        let c = self.in_code(units);
        named([
            ("stiffness_normal", c.stiffness_normal),
            ("stiffness_sliding", c.stiffness_sliding),
            ("damping_normal", c.damping_normal),
            ("damping_sliding", c.damping_sliding),
            ("friction_sliding", c.friction_sliding),
            ("friction_rolling", c.friction_rolling),
            ("friction_twisting", c.friction_twisting),
            ("shape_parameter", c.shape_parameter),
            ("cohesion", c.adhesion_pa),
            ("normal_floor", if c.tension == NormalTension::None { 0.0 } else { -1.0e37 }),
        ])
    }

    fn twin(&self, _dt_s: f64) -> Box<dyn Twin> {
        Box::new(*self)
    }

    fn seen(&self, units: &Units) -> Box<dyn Twin> {
        Box::new(self.in_code(units))
    }
}

impl Twin for SpringDashpot {
    fn arm(&self, radius_i: f64, radius_j: f64, distance: f64) -> f64 {
        arm_to_cut(radius_i, radius_j, distance)
    }

    fn force(&self, s: &ContactState, dt: f64) -> ContactResult {
        let n = s.normal;
        let root_mass = s.mass.sqrt();
        let approach = s.velocity.dot(n);
        let slip = slip(s);

        // Normal (eq. 1)
        let elastic = self.stiffness_normal * s.overlap;
        let damped = elastic - self.damping_normal * root_mass * approach;
        let push = if self.tension == NormalTension::None { damped.max(0.0) } else { damped };
        let load = push.max(0.0);

        // Sliding (eq. 1)
        let damping = self.damping_sliding * root_mass;
        let limit = self.friction_sliding * load;
        let sliding = shorten(across(s.springs.sliding, n) + slip * dt, limit / self.stiffness_sliding);
        let drag = shorten(self.stiffness_sliding * sliding + damping * slip, limit);

        // Rolling (eq. 3): w_R = (l_i + l_j)/(l_i l_j) n x u_R, with u_R of Table 1 put in
        let size = self.shape_parameter * s.radius;
        let (roll_stiffness, twist_stiffness) = self.turning_stiffness(s.radius);
        let spin = s.spin_j - s.spin_i;
        let roll_rate = across(spin, n) + 0.5 * (s.arm_j - s.arm_i) / (s.arm_i * s.arm_j) * n.cross(slip);
        let roll_limit = self.friction_rolling * size * load;
        let (mut rolling, mut moment) = (DVec3::ZERO, DVec3::ZERO);
        if roll_limit > 0.0 {
            rolling = shorten(across(s.springs.rolling, n) + roll_rate * dt, roll_limit / roll_stiffness);
            let damping = self.damping_normal * root_mass * size * size;
            moment = shorten(roll_stiffness * rolling + damping * roll_rate, roll_limit);
        }

        // Twisting (eq. 2)
        let twist_rate = spin.dot(n);
        let twist_limit = self.friction_twisting * size * limit;
        let (mut twisting, mut twist) = (0.0, 0.0);
        if twist_limit > 0.0 {
            let bound = twist_limit / twist_stiffness;
            twisting = (s.springs.twisting + twist_rate * dt).clamp(-bound, bound);
            let damping = 2.0 * damping * size * size;
            twist = (twist_stiffness * twisting + damping * twist_rate).clamp(-twist_limit, twist_limit);
        }

        let springs = Springs { sliding, rolling, twisting, ..Springs::default() };
        let (before, after) = (self.spring_energies(s.radius, &s.springs), self.spring_energies(s.radius, &springs));
        let gain = |k: usize| after[k] - before[k];
        let lever = n.cross(drag);
        ContactResult {
            // Cohesion (eq. 4) pulls as long as the contact lasts and loses nothing.
            force: (self.adhesion_n(s.radius) - push) * n + drag,
            torque_i: s.arm_i * lever + moment + twist * n,
            torque_j: s.arm_j * lever - moment - twist * n,
            springs,
            dissipated: [
                (elastic - push) * approach * dt,
                drag.dot(slip) * dt - gain(0),
                moment.dot(spin) * dt - gain(1),
                twist * twist_rate * dt - gain(2),
            ],
        }
    }

    fn normal(&self, radius: f64, overlap: f64) -> Normal {
        let pull = self.adhesion_n(radius);
        Normal {
            force: self.stiffness_normal * overlap - pull,
            energy: 0.5 * self.stiffness_normal * overlap * overlap - pull * overlap,
        }
    }

    fn held(&self, radius: f64, _before: f64, springs: &Springs) -> [f64; 3] {
        self.spring_energies(radius, springs)
    }

    /// The normal spring ends relaxed; what the others hold is lost.
    fn end(&self, radius: f64, _before: f64, _overlap: f64, springs: &Springs) -> [f64; 4] {
        let [sliding, rolling, twisting] = self.spring_energies(radius, springs);
        [0.0, sliding, rolling, twisting]
    }

    fn memory(&self, first: [f32; 4], second: [f32; 3]) -> Springs {
        Springs::stretched(first, second)
    }

    fn deepest(&self, mass: f64, _radius: f64, speed: f64) -> f64 {
        speed * (mass / self.stiffness_normal).sqrt()
    }

    fn most(&self, s: &ContactState, speed: f64) -> Most {
        let push = self.stiffness_normal * s.overlap + self.damping_normal * s.mass.sqrt() * speed;
        Most {
            force: push * (1.0 + self.friction_sliding) + self.adhesion_n(s.radius),
            stored: 2.0 * self.spring_energies(s.radius, &s.longest(speed)).iter().sum::<f64>(),
        }
    }
}

/// Attraction of two touching spheres of effective radius R_e: 4 c beta R_e^2 (Song et al. 2024, eq. 4) (N).
pub fn adhesion_n(cohesion_pa: f64, shape_parameter: f64, radius_m: f64) -> f64 {
    4.0 * cohesion_pa * shape_parameter * radius_m * radius_m
}
