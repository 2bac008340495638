//! Springs and dashpots along the normal, and [friction by springs](super::friction): Song et al. 2024, eq. 1-4 and
//! Tables 1-2.

use super::contact::{ContactResult, ContactState, Most, Normal, Springs, Twin, arm_to_cut};
use super::friction::{
    Friction, SWING_NAME, SWING_TIMES, Stiffness, book, needs_area, pairs_roll_too_hard, printed_rolling_may_gain,
    rolls_too_hard, spring_energies,
};
use super::keys::{
    COHESION, FRICTION_ROLLING, FRICTION_SLIDING, FRICTION_TWISTING, Keyed, RESTITUTION_NORMAL, RESTITUTION_TANGENTIAL,
    ROLLING_RATE, SHAPE_PARAMETER, adhesion_n,
};
use super::restitution::{clamped_damping_ratio, contact_time_s, damp_alike, damping_ratio};
use super::{
    BuiltIn, Entry, Largest, Law, Lightest, PairLaw, Start, StartFault, TimeScale, Wrong, named, single, speed_max,
};
use crate::base::quantity::Dimension;
use crate::base::readable::number;
use crate::base::reader::key::{Key, Word};
use crate::base::units::Units;
use crate::model::material::Material;
use crate::model::method::LawName;
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
        ROLLING_RATE,
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
            ("time step, as a fraction of", "the contact time, or times of damping or friction if they are shorter"),
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
        let list = [
            super::stiffness_or_speed(&STIFFNESS_NORMAL, typed),
            needs_area(m, COHESION.of(m) > 0.0),
            unbounded,
            rolls_too_hard(m),
        ];
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

    fn overlap_at_speed_max_m(&self, m: &Material, mass: f64, radius: f64) -> Option<f64> {
        Some(SpringDashpot::between(m, m).deepest(mass, radius, SPEED_MAX.find(m)?))
    }

    /// Materials too soft for the speeds at the start, if bodies meet at these.
    fn start_faults(&self, start: &Start) -> Vec<StartFault> {
        let overlap =
            |m: &Material, mass, radius, speed| SpringDashpot::between(m, m).deepest(0.5 * mass, 0.5 * radius, speed);
        let fault = start.too_soft(overlap).map(|soft| {
            // the overlap goes with k to the power -1/2
            let stiff = STIFFNESS_NORMAL.of(soft.material) * (soft.overlap / start.overlap_max).powi(2);
            let [stiff, speed] = [stiff, soft.speed].map(number);
            let remedy = format!("give a stiffness_normal_n_m above {stiff}, or a speed_max_m_s of {speed}");
            StartFault { may_do: true, ..soft.fault(start.overlap_max, remedy) }
        });
        let rolling = pairs_roll_too_hard(start.materials).chain(printed_rolling_may_gain(start.materials));
        fault.into_iter().chain(rolling).collect()
    }

    fn between(&self, a: &Material, b: &Material) -> Box<dyn PairLaw> {
        Box::new(SpringDashpot::between(a, b))
    }
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
                friction: Friction::tried(k),
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
    /// limits of friction
    pub friction: Friction,
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
        let friction = Friction::between(a, b);
        SpringDashpot {
            stiffness_normal: k,
            stiffness_sliding: ks,
            damping_normal: 2.0 * ratio * k.sqrt(),
            damping_sliding: 2.0 * damping_ratio(RESTITUTION_TANGENTIAL.mean(a, b)) * ks.sqrt(),
            friction,
            adhesion_pa: adhesion_n(COHESION.mean(a, b), friction.shape_parameter, 1.0),
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
            friction: self.friction.rounded(),
            adhesion_pa: single(self.adhesion_pa * units.force() * units.length_m.powi(2)),
            ..*self
        }
    }

    /// Stiffnesses of sliding (N/m), rolling and twisting (N m/rad) at the effective radius `radius` (m): Table 2.
    fn stiffness(&self, radius: f64) -> [f64; 3] {
        let size2 = (self.friction.shape_parameter * radius).powi(2);
        [self.stiffness_sliding, self.stiffness_normal * size2, 2.0 * self.stiffness_sliding * size2]
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
}

/// The dashpot of a step acts on the velocity that the step before predicts, so that the ledger misses about 0.6 (dt C_N/m)^2
/// of what a collision dissipates: 0.6 % with steps of 0.02 times five damping times m/C_N.
const DAMPING_TIMES: f64 = 5.0;

/// Dashpots of friction act on predicted velocities too, and turn motions round from steps of a damping time on: half of one with
/// steps of 0.02.
const FRICTION_DAMPING_TIMES: f64 = 25.0;

impl PairLaw for SpringDashpot {
    fn label(&self) -> Cow<'static, str> {
        match self.tension {
            NormalTension::Kept => NAME.into(),
            NormalTension::None => format!("{NAME}_no_tension").into(),
        }
    }

    /// A collision, or so many times the time in which a dashpot alone stops the pair, whichever is the shortest.
    fn time_scale(&self, pair: &Lightest) -> Option<TimeScale> {
        let k = self.stiffness_normal;
        let contact_s = contact_time_s(k, pair.mass, self.restitution);
        let damping_time_s = self.damping_time_s(pair.mass);
        let damping = [self.damping_normal.abs(), self.damping_sliding.abs()].map(|c| c * pair.mass.sqrt());
        let friction_time_s = self.friction.damping_time_s(pair, damping);
        let swing_time_s = self.friction.swing_time_s(pair, [k, self.stiffness_sliding]);
        let scales = [
            (contact_s, "the contact time"),
            (DAMPING_TIMES * damping_time_s, "five times the damping time"),
            (FRICTION_DAMPING_TIMES * friction_time_s, "25 times the damping time of friction"),
            (SWING_TIMES * swing_time_s, SWING_NAME),
        ];
        let (scale_s, name) = scales.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(TimeScale {
            scale_s,
            name: name.into(),
            contact_time_s: Some(contact_s),
            damping_time_s,
            friction_time_s,
            constants: format!("k_N {} N/m, reduced mass {} kg", number(k), number(pair.mass)),
        })
    }

    fn row(&self, units: &Units) -> Vec<(&'static str, f32)> {
        let c = self.in_code(units);
        let springs = [
            ("stiffness_normal", c.stiffness_normal),
            ("stiffness_sliding", c.stiffness_sliding),
            ("damping_normal", c.damping_normal),
            ("damping_sliding", c.damping_sliding),
        ];
        let floor = if c.tension == NormalTension::None { 0.0 } else { -1.0e37 };
        let rest = [("cohesion", c.adhesion_pa), ("normal_floor", floor)];
        named(springs.into_iter().chain(c.friction.row()).chain(rest))
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
        let root_mass = s.mass.sqrt();
        let approach = s.velocity.dot(s.normal);
        // eq. 1
        let elastic = self.stiffness_normal * s.overlap;
        let damped = elastic - self.damping_normal * root_mass * approach;
        let push = if self.tension == NormalTension::None { damped.max(0.0) } else { damped };
        let [sliding, rolling, twisting] = self.stiffness(s.radius);
        let springs = Stiffness {
            sliding,
            rolling,
            twisting,
            damping_normal: self.damping_normal * root_mass,
            damping_sliding: self.damping_sliding * root_mass,
            kept: 1.0,
        };
        // Cohesion (eq. 4) pulls as long as the contact lasts and loses nothing.
        let mut r = self.friction.act(s, dt, self.adhesion_n(s.radius), push, &springs);
        let held = |of: &Springs| self.held(s.radius, s.overlap, of);
        let (before, after) = (held(&s.springs), held(&r.springs));
        book(&mut r, (elastic - push) * approach * dt, before, after);
        r
    }

    fn normal(&self, radius: f64, overlap: f64) -> Normal {
        let pull = self.adhesion_n(radius);
        Normal {
            force: self.stiffness_normal * overlap - pull,
            energy: 0.5 * self.stiffness_normal * overlap * overlap - pull * overlap,
        }
    }

    fn held(&self, radius: f64, _before: f64, springs: &Springs) -> [f64; 3] {
        spring_energies(self.stiffness(radius), springs)
    }

    /// The normal spring ends relaxed; what the others hold is lost.
    fn end(&self, radius: f64, before: f64, _overlap: f64, springs: &Springs) -> [f64; 4] {
        let [sliding, rolling, twisting] = self.held(radius, before, springs);
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
            force: push * (1.0 + self.friction.sliding) + self.adhesion_n(s.radius),
            stored: 2.0 * self.held(s.radius, s.overlap, &s.longest(speed)).iter().sum::<f64>(),
        }
    }
}
