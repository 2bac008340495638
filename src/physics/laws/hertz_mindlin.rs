//! Elastic spheres: Hertz's normal force, Mindlin's sliding stiffness, and damping that keeps the restitution at every
//! speed (Tsuji et al. 1992), in the form that LAMMPS (`hertz/material`, `coeff_restitution`, `mindlin_rescale/force`) and
//! LIGGGHTS (`hertz`) document. Rolling and twisting as in the linear law. Stiffnesses are those of a material times the
//! radius of the contact area, a = sqrt(R_e overlap).
//!
//! Springs whose stiffness changes: while the area grows they keep their force, while it shrinks they keep their length.
//! Both lose energy, (1 - a_before / a) and (1 - a / a_before) of what was held, and the ledger books it with the channel of
//! the spring. The other way round (length kept while the area grows) a spring would gain energy from nowhere.

use super::contact::{ContactResult, ContactState, Most, Normal, Springs, Twin, arm_to_cut};
use super::friction::{Friction, SWING_NAME, SWING_TIMES, Stiffness, book, needs_area, spring_energies};
use super::keys::{
    FRICTION_ROLLING, FRICTION_SLIDING, FRICTION_TWISTING, Keyed, RESTITUTION_NORMAL, RESTITUTION_TANGENTIAL,
    SHAPE_PARAMETER,
};
use super::restitution::{damp_alike, damping_ratio};
use super::{BuiltIn, Entry, Largest, Law, Lightest, PairLaw, Start, StartFault, TimeScale, Wrong, named, single};
use crate::base::quantity::Dimension;
use crate::base::readable::number;
use crate::base::reader::key::Key;
use crate::base::units::Units;
use crate::model::material::Material;
use crate::model::method::LawName;
use std::borrow::Cow;
use std::f64::consts::PI;

const NAME: &str = "hertz_mindlin";

/// The law in the list of laws.
pub const ENTRY: Entry = Entry::new(
    NAME,
    "run.contact_law = \"hertz_mindlin\"",
    "elastic spheres, with friction by springs",
    &[
        YOUNGS_MODULUS,
        POISSON_RATIO,
        RESTITUTION_NORMAL,
        RESTITUTION_TANGENTIAL,
        FRICTION_SLIDING,
        FRICTION_ROLLING,
        FRICTION_TWISTING,
        SHAPE_PARAMETER,
    ],
    &HertzMindlin,
);

const YOUNGS_MODULUS: Key = Key::positive("youngs_modulus_pa", Dimension::Pressure)
    .required()
    .says("E, Young's modulus of the solid")
    .eg("\"10 MPa\"");
const POISSON_RATIO: Key = Key::within("poisson_ratio", Dimension::Pure, 0.0, 0.5)
    .required()
    .says("nu, Poisson's ratio of the solid")
    .eg("0.25");

/// Overlap over effective radius at which the damping time is stated: deeper than contacts of hard bodies.
const OVERLAP_STATED: f64 = 0.01;

/// Dashpots of friction act on predicted velocities, and turn motions round from steps of a damping time on: half of one with
/// steps of 0.05.
const FRICTION_DAMPING_TIMES: f64 = 10.0;

/// The law.
#[derive(Debug)]
pub struct HertzMindlin;

impl Law for HertzMindlin {
    fn name(&self) -> &str {
        NAME
    }

    fn about(&self) -> &[(&'static str, &'static str)] {
        &[
            ("source", "Tsuji et al. 1992; Antypov and Elliott 2011"),
            ("normal force", "4/3 E* sqrt(R_e o) o and a dashpot that grows with the overlap o"),
            ("restitution", "by damping, the same at every speed"),
            ("sliding", "spring 8 G* sqrt(R_e o), dashpot, Coulomb limit: grains stick"),
            ("rolling, twisting", "springs up to a limit"),
            ("cohesion", "no"),
            ("walls", "yes"),
            ("surface of an asteroid", "yes"),
            (
                "time step, as a fraction of",
                "the Rayleigh time of the lightest body, or times of friction if they are shorter",
            ),
            ("good for", "bodies of a known Young's modulus; impacts at very different speeds"),
        ]
    }

    fn complete(&self, m: &mut Material) {
        damp_alike(m);
    }

    fn faults(&self, m: &Material, _typed: &dyn Fn(&str) -> bool) -> Vec<Wrong> {
        needs_area(m, false).into_iter().collect()
    }

    fn time_step_fraction(&self) -> f64 {
        0.05
    }

    fn knows_facets(&self) -> bool {
        true
    }

    fn is_elastic(&self, material: &Material) -> bool {
        RESTITUTION_NORMAL.of(material) > 0.99
    }

    fn settle(&self, _material: &mut Material, _largest: Option<Largest>) {}

    fn overlap_at_speed_max_m(&self, _material: &Material, _mass: f64, _radius: f64) -> Option<f64> {
        None
    }

    /// Materials too soft for the speeds at the start.
    fn start_faults(&self, start: &Start) -> Vec<StartFault> {
        let overlap = |m: &Material, mass, radius, speed| Hertz::between(m, m).deepest(0.5 * mass, 0.5 * radius, speed);
        let fault = start.too_soft(overlap).map(|soft| {
            // the overlap goes with E to the power -2/5
            let modulus = YOUNGS_MODULUS.of(soft.material) * (soft.overlap / start.overlap_max).powf(2.5);
            soft.fault(start.overlap_max, format!("give a youngs_modulus_pa above {}", number(modulus)))
        });
        fault.into_iter().collect()
    }

    fn between(&self, a: &Material, b: &Material) -> Box<dyn PairLaw> {
        Box::new(Hertz::between(a, b))
    }
}

impl BuiltIn for HertzMindlin {
    fn choice(&self) -> LawName {
        LawName::of(NAME)
    }

    /// With and without friction, rolling, twisting, damping.
    fn tried(&self) -> [Box<dyn PairLaw>; 4] {
        [0, 1, 2, 3].map(|k: usize| -> Box<dyn PairLaw> {
            Box::new(Hertz {
                modulus_normal: 2.0,
                modulus_sliding: 1.5,
                damping_normal: [0.5, 0.0, 1.1, 0.5][k],
                damping_sliding: 0.4,
                friction: Friction::tried(k),
                rayleigh: [1.0; 2],
            })
        })
    }

    fn bench_material(&self) -> &'static str {
        "youngs_modulus_pa = 6.289e7
poisson_ratio = 0.25
restitution_normal = 0.5
friction_rolling = 1.05
friction_twisting = 1.3
shape_parameter = 0.5"
    }
}

/// The law between two materials.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hertz {
    /// 4/3 E*, 1/E* = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b (Pa)
    pub modulus_normal: f64,
    /// 8 G*, 1/G* = (2 - nu_a)/G_a + (2 - nu_b)/G_b (Pa)
    pub modulus_sliding: f64,
    /// C_N over the root of reduced mass times normal stiffness
    pub damping_normal: f64,
    /// C_S over the root of reduced mass times sliding stiffness
    pub damping_sliding: f64,
    /// limits of friction
    pub friction: Friction,
    /// Rayleigh time of each material over the root of mass over radius [s sqrt(m/kg)]
    pub rayleigh: [f64; 2],
}

impl Hertz {
    /// Bodies in contact deform together, so that moduli act in series; everything else is the arithmetic mean.
    pub fn between(a: &Material, b: &Material) -> Hertz {
        let [e, nu] = [YOUNGS_MODULUS, POISSON_RATIO].map(|key| [a, b].map(|m| key.of(m)));
        let shear = [0, 1].map(|k| e[k] / (2.0 * (1.0 + nu[k])));
        let series = |of: fn(f64) -> f64, moduli: [f64; 2]| 1.0 / (of(nu[0]) / moduli[0] + of(nu[1]) / moduli[1]);
        // m/R of a sphere is 4 pi rho R^2 / 3
        let rayleigh = |k: usize| PI * (3.0 / (4.0 * PI * shear[k])).sqrt() / (0.1631 * nu[k] + 0.8766);
        Hertz {
            modulus_normal: 4.0 / 3.0 * series(|nu| 1.0 - nu * nu, e),
            modulus_sliding: 8.0 * series(|nu| 2.0 - nu, shear),
            // the closed form to which Tsuji's polynomial is a fit: Antypov and Elliott 2011
            damping_normal: 5f64.sqrt() * damping_ratio(RESTITUTION_NORMAL.mean(a, b)),
            damping_sliding: 2.0 * (5f64 / 6.0).sqrt() * damping_ratio(RESTITUTION_TANGENTIAL.mean(a, b)),
            friction: Friction::between(a, b),
            rayleigh: [rayleigh(0), rayleigh(1)],
        }
    }

    /// The same in code units, rounded as the GPU has it.
    fn in_code(&self, units: &Units) -> Hertz {
        let pressure = units.force() * units.length_m.powi(2);
        Hertz {
            modulus_normal: single(self.modulus_normal * pressure),
            modulus_sliding: single(self.modulus_sliding * pressure),
            damping_normal: single(self.damping_normal),
            damping_sliding: single(self.damping_sliding),
            friction: self.friction.rounded(),
            ..*self
        }
    }

    /// Stiffnesses of sliding (N/m), rolling and twisting (N m/rad) at an overlap (m).
    fn stiffness(&self, radius: f64, overlap: f64) -> [f64; 3] {
        let area = (radius * overlap).sqrt();
        let size2 = (self.friction.shape_parameter * radius).powi(2);
        let sliding = self.modulus_sliding * area;
        [sliding, self.modulus_normal * area * size2, 2.0 * sliding * size2]
    }

    /// Duration of an elastic collision at `speed` (m/s): 2.94 (m^2 / (k^2 v))^(1/5) with k = 16/15 E* sqrt(R_e) (Landau
    /// and Lifshitz, Theory of Elasticity, section 9).
    pub fn contact_time_s(&self, mass: f64, radius: f64, speed: f64) -> f64 {
        let k = 0.8 * self.modulus_normal * radius.sqrt();
        2.943_275 * (mass * mass / (k * k * speed)).powf(0.2)
    }
}

impl PairLaw for Hertz {
    fn label(&self) -> Cow<'static, str> {
        NAME.into()
    }

    /// Surface waves must not cross a body in a few steps: collisions take several Rayleigh times, the longer the slower.
    fn time_scale(&self, pair: &Lightest) -> Option<TimeScale> {
        let times = [0, 1].map(|k| self.rayleigh[k] * (pair.masses[k] / pair.radii[k]).sqrt());
        let radius = pair.radius();
        let [stiffness, sliding] =
            [self.modulus_normal, self.modulus_sliding].map(|k| k * radius * OVERLAP_STATED.sqrt());
        let damping = [(self.damping_normal, stiffness), (self.damping_sliding, sliding)];
        let friction_time_s =
            self.friction.damping_time_s(pair, damping.map(|(ratio, k)| ratio.abs() * (pair.mass * k).sqrt()));
        let swing_time_s = self.friction.swing_time_s(pair, [stiffness, sliding]);
        let scales = [
            (times[0].min(times[1]), "the Rayleigh time"),
            (FRICTION_DAMPING_TIMES * friction_time_s, "10 times the damping time of friction"),
            (SWING_TIMES * swing_time_s, SWING_NAME),
        ];
        let (scale_s, name) = scales.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(TimeScale {
            scale_s,
            name: name.into(),
            contact_time_s: None,
            damping_time_s: (pair.mass / stiffness).sqrt() / self.damping_normal.abs(),
            friction_time_s,
            constants: format!("E* {} Pa, reduced mass {} kg", number(0.75 * self.modulus_normal), number(pair.mass)),
        })
    }

    fn row(&self, units: &Units) -> Vec<(&'static str, f32)> {
        let c = self.in_code(units);
        let own = [
            ("modulus_normal", c.modulus_normal),
            ("modulus_sliding", c.modulus_sliding),
            ("damping_normal", c.damping_normal),
            ("damping_sliding", c.damping_sliding),
        ];
        named(own.into_iter().chain(c.friction.row()))
    }

    fn twin(&self, _dt_s: f64) -> Box<dyn Twin> {
        Box::new(*self)
    }

    fn seen(&self, units: &Units) -> Box<dyn Twin> {
        Box::new(self.in_code(units))
    }
}

impl Twin for Hertz {
    fn arm(&self, radius_i: f64, radius_j: f64, distance: f64) -> f64 {
        arm_to_cut(radius_i, radius_j, distance)
    }

    fn force(&self, s: &ContactState, dt: f64) -> ContactResult {
        let stiffness = self.modulus_normal * (s.radius * s.overlap).sqrt();
        let [sliding, rolling, twisting] = self.stiffness(s.radius, s.overlap);
        let damping_normal = self.damping_normal * (s.mass * stiffness).sqrt();
        let damping_sliding = self.damping_sliding * (s.mass * sliding).sqrt();
        let approach = s.velocity.dot(s.normal);
        let elastic = stiffness * s.overlap;
        let push = elastic - damping_normal * approach;
        let kept = (s.before / s.overlap).sqrt().min(1.0);
        let springs = Stiffness { sliding, rolling, twisting, damping_normal, damping_sliding, kept };
        let mut r = self.friction.act(s, dt, 0.0, push, &springs);
        let (before, after) = (self.held(s.radius, s.before, &s.springs), self.held(s.radius, s.overlap, &r.springs));
        book(&mut r, (elastic - push) * approach * dt, before, after);
        r
    }

    fn normal(&self, radius: f64, overlap: f64) -> Normal {
        let force = self.modulus_normal * (radius * overlap).sqrt() * overlap;
        Normal { force, energy: 0.4 * force * overlap }
    }

    fn held(&self, radius: f64, before: f64, s: &Springs) -> [f64; 3] {
        spring_energies(self.stiffness(radius, before), s)
    }

    /// The normal spring ends relaxed; what the others hold is lost.
    fn end(&self, radius: f64, before: f64, _overlap: f64, springs: &Springs) -> [f64; 4] {
        let [sliding, rolling, twisting] = self.held(radius, before, springs);
        [0.0, sliding, rolling, twisting]
    }

    fn memory(&self, first: [f32; 4], second: [f32; 3]) -> Springs {
        Springs::stretched(first, second)
    }

    fn deepest(&self, mass: f64, radius: f64, speed: f64) -> f64 {
        (1.25 * mass * speed * speed / (self.modulus_normal * radius.sqrt())).powf(0.4)
    }

    fn most(&self, s: &ContactState, speed: f64) -> Most {
        let stiffness = self.modulus_normal * (s.radius * s.overlap).sqrt();
        let push = stiffness * s.overlap + self.damping_normal * (s.mass * stiffness).sqrt() * speed;
        Most {
            force: push * (1.0 + self.friction.sliding),
            stored: 2.0 * self.held(s.radius, s.overlap.max(s.before), &s.longest(speed)).iter().sum::<f64>(),
        }
    }
}
