//! One stiffness while spheres approach, a smaller one while they recede, kinetic and rolling friction without springs:
//! Guidos et al. 2024, eq. 3-9, with the cohesion of Song et al. 2024, eq. 4.

use super::contact::{ContactResult, ContactState, Most, Normal, Springs, Twin, across, shorten, slip};
use super::keys::{COHESION, FRICTION_ROLLING, FRICTION_SLIDING, Keyed, SHAPE_PARAMETER, adhesion_n};
use super::{
    BuiltIn, Entry, Largest, Law, Lightest, PairLaw, Start, StartFault, TimeScale, Wrong, named, single, speed_max,
};
use crate::base::quantity::Dimension;
use crate::base::readable::number;
use crate::base::reader::key::Key;
use crate::base::units::Units;
use crate::model::material::Material;
use crate::model::method::LawName;
use std::borrow::Cow;
use std::f64::consts::PI;

/// Its word in `run.contact_law`.
pub const NAME: &str = "hysteretic";

/// The law in the list of laws.
pub const ENTRY: Entry = Entry::new(
    NAME,
    "run.contact_law = \"hysteretic\"",
    "two stiffnesses, for loading and unloading",
    &[
        STIFFNESS_LOADING,
        SPEED_MAX,
        OVERLAP_AT_SPEED_MAX,
        RESTITUTION,
        FRICTION_SLIDING,
        FRICTION_ROLLING,
        COHESION,
        SHAPE,
    ],
    &Hysteretic,
);

/// k_in.
pub const STIFFNESS_LOADING: Key = Key::positive("stiffness_loading_n_m", Dimension::Stiffness)
    .without("see speed_max_m_s")
    .says("k_in of the force k_in overlap / 2 while loading")
    .eg("1e15");
const SPEED_MAX: Key =
    speed_max("see stiffness_loading_n_m", "speed at which the largest bodies overlap by overlap_at_speed_max")
        .eg("\"1 km/s\"");
const OVERLAP_AT_SPEED_MAX: Key = Key::within("overlap_at_speed_max", Dimension::Pure, 1e-3, 0.3)
    .or(0.1)
    .says("overlap over the radius at speed_max_m_s")
    .eg("0.1");
// unloading takes 1/e times as long as loading
const RESTITUTION: Key = Key::within("restitution_normal", Dimension::Pure, 0.02, 1.0)
    .required()
    .says("coefficient of restitution along the normal")
    .eg("0.5");

const SHAPE: Key = SHAPE_PARAMETER.says("beta, contact radius over R_e; needed with cohesion, of no effect without");

/// Share of a slip, or of a difference of spins, that the friction of one contact stops in a step at most.
pub const STOP: f64 = 0.125;

/// The law.
#[derive(Debug)]
pub struct Hysteretic;

impl Law for Hysteretic {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &[(&'static str, &'static str)] {
        &[
            ("source", "Guidos et al. 2024, eq. 3-9"),
            ("normal force", "k_in while spheres approach, k_out while they recede"),
            ("restitution", "e = sqrt(k_out / k_in), whatever the sizes"),
            ("sliding", "kinetic friction against the slip, no spring: grains creep"),
            ("rolling, twisting", "rolling friction; none against twisting"),
            ("cohesion", "yes"),
            ("walls", "yes"),
            ("surface of an asteroid", "refused"),
            ("time step, as a fraction of", "sqrt(2 m/k_in), m the reduced mass"),
            ("good for", "fast collisions of many bodies"),
        ]
    }

    fn faults(&self, m: &Material, typed: &dyn Fn(&str) -> bool) -> Vec<Wrong> {
        let alone = (SPEED_MAX.find(m).is_none() && typed(OVERLAP_AT_SPEED_MAX.name)).then(|| {
            Wrong::new(
                &OVERLAP_AT_SPEED_MAX,
                "has no effect without speed_max_m_s",
                "add speed_max_m_s, or remove this key",
            )
        });
        let (cohesion, shape) = (COHESION.of(m) > 0.0, SHAPE_PARAMETER.of(m) > 0.0);
        let area = (cohesion && !shape).then(|| {
            let what = "must be above 0 with cohesion, which acts over an area";
            Wrong::new(&SHAPE_PARAMETER, what, "add `shape_parameter = 0.5`, for example")
        });
        let stiffness = super::stiffness_or_speed(&STIFFNESS_LOADING, typed);
        stiffness.into_iter().chain(alone).chain(area).collect()
    }

    fn time_step_fraction(&self) -> f64 {
        0.01
    }

    fn knows_facets(&self) -> bool {
        false
    }

    fn is_elastic(&self, _material: &Material) -> bool {
        false
    }

    /// Two of the largest bodies that close at v_max overlap by s R, and smaller ones by at most 1.03 of s times their
    /// radius. (Guidos et al. 2024 want k far above m (v/R)^2, eq. 13; their overlap of eq. 10 is an energy over k and not
    /// a length, so that s is not in it.)
    fn settle(&self, m: &mut Material, largest: Option<Largest>) {
        if STIFFNESS_LOADING.find(m).is_none() {
            m.set(
                STIFFNESS_LOADING.name,
                super::stiffness_by_speed(SPEED_MAX.find(m), OVERLAP_AT_SPEED_MAX.of(m), largest).unwrap_or(2.0),
            );
        }
    }

    fn overlap_at_speed_max_m(&self, m: &Material, mass: f64, radius: f64) -> Option<f64> {
        Some(TwoStiffnesses::between(m, m).deepest(mass, radius, SPEED_MAX.find(m)?))
    }

    /// Materials too soft for the speeds at the start (Guidos et al. 2024, section 2.5, rule i).
    fn start_faults(&self, start: &Start) -> Vec<StartFault> {
        let overlap =
            |m: &Material, mass, radius, speed| TwoStiffnesses::between(m, m).deepest(0.5 * mass, 0.5 * radius, speed);
        let fault = start.too_soft(overlap).map(|soft| {
            // the overlap goes with k to the power -1/2 by speed, and -1 by cohesion: this suffices for both
            let stiff = STIFFNESS_LOADING.of(soft.material) * (soft.overlap / start.overlap_max).powi(2);
            let [stiff, speed] = [stiff, soft.speed].map(number);
            soft.fault(
                start.overlap_max,
                format!("give a stiffness_loading_n_m above {stiff}, or a speed_max_m_s of {speed}"),
            )
        });
        fault.into_iter().collect()
    }

    fn between(&self, a: &Material, b: &Material) -> Box<dyn PairLaw> {
        Box::new(TwoStiffnesses::between(a, b))
    }
}

/// Force over overlap while loading, k_in / 2 (N/m).
fn loading(m: &Material) -> f64 {
    0.5 * STIFFNESS_LOADING.of(m)
}

impl BuiltIn for Hysteretic {
    fn choice(&self) -> LawName {
        LawName::of(NAME)
    }

    /// Lossy and elastic, with and without friction and cohesion.
    fn tried(&self) -> [Box<dyn PairLaw>; 4] {
        [(0.5, 0.3, 0.1, 0.0), (0.5, 0.0, 0.1, 0.002), (0.5, 0.3, 0.0, 0.002), (1.0, 0.3, 0.1, 0.0)].map(
            |(e, mu_k, mu_r, adhesion_pa)| -> Box<dyn PairLaw> {
                Box::new(TwoStiffnesses { adhesion_pa, ..TwoStiffnesses::new(0.02, e, mu_k, mu_r) })
            },
        )
    }

    /// Two equal stiffnesses leave the packing at rest.
    fn bench_material(&self) -> &'static str {
        "stiffness_loading_n_m = 2.0e4
restitution_normal = 1.0
friction_rolling = 1e-3"
    }
}

/// The law between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoStiffnesses {
    /// force over overlap while loading, k_in / 2 (N/m)
    pub stiffness_normal: f64,
    /// the same of the energy that comes back, k_out / 2 (N/m)
    pub stiffness_unloading: f64,
    /// mu_k
    pub friction_sliding: f64,
    /// mu_r
    pub friction_rolling: f64,
    /// 4 c beta: the attraction is this times R_e^2 (Pa)
    pub adhesion_pa: f64,
    /// e
    pub restitution: f64,
}

impl TwoStiffnesses {
    /// k_in = 2 `k` (N/m), k_out = e^2 k_in, coefficients of friction mu_k and mu_r; without cohesion.
    pub fn new(k: f64, e: f64, mu_k: f64, mu_r: f64) -> TwoStiffnesses {
        TwoStiffnesses {
            stiffness_normal: k,
            stiffness_unloading: e * e * k,
            friction_sliding: mu_k,
            friction_rolling: mu_r,
            adhesion_pa: 0.0,
            restitution: e,
        }
    }

    /// Springs in series, everything else the arithmetic mean.
    pub fn between(a: &Material, b: &Material) -> TwoStiffnesses {
        let [ka, kb] = [a, b].map(loading);
        let k = 2.0 * ka * kb / (ka + kb);
        let e = RESTITUTION.mean(a, b);
        TwoStiffnesses {
            adhesion_pa: adhesion_n(COHESION.mean(a, b), SHAPE_PARAMETER.mean(a, b), 1.0),
            ..TwoStiffnesses::new(k, e, FRICTION_SLIDING.mean(a, b), FRICTION_ROLLING.mean(a, b))
        }
    }

    /// The same in code units, rounded as the GPU has it.
    fn in_code(&self, units: &Units) -> TwoStiffnesses {
        TwoStiffnesses {
            stiffness_normal: single(self.stiffness_normal * units.stiffness()),
            stiffness_unloading: single(self.stiffness_unloading * units.stiffness()),
            friction_sliding: single(self.friction_sliding),
            friction_rolling: single(self.friction_rolling),
            adhesion_pa: single(self.adhesion_pa * units.force() * units.length_m.powi(2)),
            ..*self
        }
    }

    /// Attraction at the effective radius `radius` (m) (N).
    fn adhesion_n(&self, radius: f64) -> f64 {
        self.adhesion_pa * radius * radius
    }
}

/// Duration of a collision of reduced mass `mass_kg` by the hysteretic law with k = k_in / 2 and restitution `e` (s):
/// a quarter of a swing inwards, and one 1/e times as slow outwards.
pub fn hysteretic_time_s(k: f64, mass_kg: f64, e: f64) -> f64 {
    0.5 * PI * (mass_kg / k).sqrt() * (1.0 + 1.0 / e)
}

impl PairLaw for TwoStiffnesses {
    fn label(&self) -> Cow<'static, str> {
        NAME.into()
    }

    /// sqrt(m/k) of loading, since the end of loading must be met at any restitution.
    fn time_scale(&self, pair: &Lightest) -> Option<TimeScale> {
        let k = self.stiffness_normal;
        Some(TimeScale {
            scale_s: (pair.mass / k).sqrt(),
            name: "sqrt(2 m/k_in)".into(),
            contact_time_s: Some(hysteretic_time_s(k, pair.mass, self.restitution)),
            damping_time_s: f64::INFINITY,
            friction_time_s: f64::INFINITY,
            constants: format!("k_in {} N/m, reduced mass {} kg", number(2.0 * k), number(pair.mass)),
        })
    }

    fn row(&self, units: &Units) -> Vec<(&'static str, f32)> {
        let c = self.in_code(units);
        named([
            ("stiffness_normal", c.stiffness_normal),
            ("stiffness_unloading", c.stiffness_unloading),
            ("friction_sliding", c.friction_sliding),
            ("friction_rolling", c.friction_rolling),
            ("cohesion", c.adhesion_pa),
        ])
    }

    fn twin(&self, _dt_s: f64) -> Box<dyn Twin> {
        Box::new(*self)
    }

    fn seen(&self, units: &Units) -> Box<dyn Twin> {
        Box::new(self.in_code(units))
    }
}

impl Twin for TwoStiffnesses {
    /// By radii.
    fn arm(&self, radius_i: f64, radius_j: f64, distance: f64) -> f64 {
        distance * radius_i / (radius_i + radius_j)
    }

    fn force(&self, s: &ContactState, dt: f64) -> ContactResult {
        let n = s.normal;
        let slip = slip(s);

        // Normal (eq. 3)
        let began = s.springs.overlap <= 0.0;
        let way = if began { -s.velocity.dot(n) * dt } else { s.overlap - s.springs.overlap };
        let elastic = self.stiffness_unloading * s.overlap;
        let surplus = if way >= 0.0 { (self.stiffness_normal - self.stiffness_unloading) * s.overlap } else { 0.0 };
        let load = elastic + surplus;
        // Cohesion pulls as long as the contact lasts and loses nothing. The displacement before the first overlap has half
        // the force by the trapezium, and the overlap half the pull.
        let pull = self.adhesion_n(s.radius);
        let outside = way - s.overlap;
        let begins = began && outside >= 0.0;
        let before = if begins { 0.5 * ((elastic - pull) * outside + pull * s.overlap) } else { 0.0 };

        // Sliding (eq. 4-6, opposing): a tangential force changes the slip of solid spheres by 7/2 of itself over the
        // reduced mass, their spins included.
        let drag = shorten(STOP * 2.0 / 7.0 * s.mass / dt * slip, self.friction_sliding * load);

        // Rolling (eq. 7-8, with reaction): the inertia of the pair is at least 2/5 of reduced mass and radius squared.
        let spin = s.spin_j - s.spin_i;
        let roll_limit = self.friction_rolling * load * s.arm_i.min(s.arm_j);
        let moment = shorten(STOP * 0.4 * s.mass * s.radius * s.radius / dt * across(spin, n), roll_limit);

        let lever = n.cross(drag);
        ContactResult {
            force: drag + (pull - load) * n,
            torque_i: s.arm_i * lever + moment,
            torque_j: s.arm_j * lever - moment,
            springs: Springs { overlap: s.overlap, surplus, ..Springs::default() },
            dissipated: [
                0.5 * (s.springs.surplus + surplus) * way + before,
                drag.dot(slip) * dt,
                moment.dot(spin) * dt,
                0.0,
            ],
        }
    }

    /// What unloading gives back, less cohesion.
    fn normal(&self, radius: f64, overlap: f64) -> Normal {
        let (k, pull) = (self.stiffness_unloading, self.adhesion_n(radius));
        Normal { force: k * overlap - pull, energy: (0.5 * k * overlap - pull) * overlap }
    }

    fn held(&self, _radius: f64, _before: f64, _springs: &Springs) -> [f64; 3] {
        [0.0; 3]
    }

    /// The last force still worked on the way out, by the trapezium, and what was stored is gone.
    fn end(&self, radius: f64, _before: f64, overlap: f64, last: &Springs) -> [f64; 4] {
        let surplus = 0.5 * last.surplus * (overlap - last.overlap);
        let pull = 0.5 * self.adhesion_n(radius) * (overlap + last.overlap);
        [surplus + 0.5 * self.stiffness_unloading * last.overlap * overlap - pull, 0.0, 0.0, 0.0]
    }

    fn memory(&self, first: [f32; 4], _second: [f32; 3]) -> Springs {
        Springs { surplus: first[0].into(), overlap: first[3].into(), ..Springs::default() }
    }

    /// Where the energy of the motion and of the pull are stored.
    fn deepest(&self, mass: f64, radius: f64, speed: f64) -> f64 {
        let (k, pull) = (self.stiffness_normal, self.adhesion_n(radius));
        (pull + (pull * pull + k * mass * speed * speed).sqrt()) / k
    }

    fn most(&self, s: &ContactState, _speed: f64) -> Most {
        let force = self.stiffness_normal * s.overlap * (1.0 + self.friction_sliding) + self.adhesion_n(s.radius);
        let way = (s.overlap - s.springs.overlap).abs();
        Most { force, stored: force * way + s.springs.surplus.abs() * s.springs.overlap }
    }
}
