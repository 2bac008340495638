//! Contact laws of soft spheres. A law is a file here and a shader of the same name in `wgsl/laws/`; [`registry`] is
//! the one list of them. Scenarios, `breccia check`, `breccia verify`, the bench and the tables of the documentation go through
//! that list and know no law by name.
//!
//! A file here owns everything that the host knows of its law: the keys of a material, what is wrong with their values,
//! the constants of a contact between two materials, the time that sets the step, force and energy in f64 ([`Twin`]), the
//! constants on the GPU, and what `breccia verify` and the bench try it with.

pub mod contact;
pub mod friction;
pub mod hertz_mindlin;
pub mod hysteretic;
pub mod keys;
pub mod linear_spring_dashpot;
pub mod own;
pub mod pairs;
pub mod registry;
pub mod restitution;

use crate::base::quantity::Dimension;
use crate::base::readable::number;
use crate::base::reader::key::{Key, Word};
use crate::base::units::Units;
use crate::model::body::Bodies;
use crate::model::material::Material;
use crate::model::method::LawName;
use contact::Twin;
use std::borrow::Cow;
use std::fmt::Debug;

/// A law in the list.
#[derive(Clone, Copy)]
pub struct Entry {
    /// `run.contact_law`
    pub word: Word,
    /// keys that a material takes with this law, besides `name` and `density_kg_m3`
    pub branch: Word,
    /// the law
    pub law: &'static dyn BuiltIn,
}

impl Entry {
    /// A law that `run.contact_law` calls `name`; `when`: that key with its value, `says`: what the law is.
    pub(crate) const fn new(
        name: &'static str,
        when: &'static str,
        says: &'static str,
        keys: &'static [Key],
        law: &'static dyn BuiltIn,
    ) -> Entry {
        Entry { word: Word::new(name, says), branch: Word::with(when, says, keys), law }
    }
}

/// What is wrong with the values of a material.
#[derive(Debug)]
pub struct Wrong {
    /// key
    pub key: &'static str,
    /// what is wrong
    pub what: String,
    /// what to do about it
    pub remedy: String,
}

impl Wrong {
    fn new(key: &Key, what: impl Into<String>, remedy: impl Into<String>) -> Wrong {
        Wrong { key: key.name, what: what.into(), remedy: remedy.into() }
    }
}

/// A contact law.
pub trait Law: Send + Sync {
    /// As `run.contact_law` has it, and the name of the shader in `wgsl/laws/`.
    fn name(&self) -> &str;

    /// The module of the shader.
    fn module(&self) -> String {
        format!("laws/{}", self.name())
    }

    /// What the law is, for the documentation: topics and what is to be said of them.
    fn about(&self) -> &[(&'static str, &'static str)];

    /// Fills in keys that a scenario may leave out and that follow from others.
    fn complete(&self, _material: &mut Material) {}

    /// What is wrong with the values of a material; `typed` says whether the scenario gives a key.
    fn faults(&self, material: &Material, typed: &dyn Fn(&str) -> bool) -> Vec<Wrong>;

    /// `run.time_step_fraction` where the scenario gives none.
    fn time_step_fraction(&self) -> f64;

    /// Whether the law knows a time that steps are a fraction of; else the user types the time step.
    fn has_time_scale(&self) -> bool {
        true
    }

    /// Whether the law knows contacts with the facets of an asteroid.
    fn knows_facets(&self) -> bool;

    /// Whether bodies of this material bounce without a loss, so that the error of a step is what the ledger sees.
    fn is_elastic(&self, material: &Material) -> bool;

    /// Fills in keys that follow from others and from the largest body that has the material.
    fn settle(&self, material: &mut Material, largest: Option<Largest>);

    /// Overlap (m) of a contact of this reduced mass (kg) and effective radius (m) that closes at the speed that the material
    /// was made for; the material is settled.
    fn overlap_at_speed_max_m(&self, material: &Material, mass: f64, radius: f64) -> Option<f64>;

    /// Faults that show only with the bodies at hand.
    fn start_faults(&self, _start: &Start) -> Vec<StartFault> {
        vec![]
    }

    /// The law between two settled materials.
    fn between(&self, a: &Material, b: &Material) -> Box<dyn PairLaw>;
}

/// A law that comes with the program: it can be compared with f64, measured and documented.
pub trait BuiltIn: Law {
    /// What a scenario that has this law says in `run.contact_law`.
    fn choice(&self) -> LawName;

    /// Pairs of materials that `breccia verify` tries, in its units: the law of materials 0 and 0, 0 and 1, 1 and 0, 1 and
    /// 1. Together they use every term of the law.
    fn tried(&self) -> [Box<dyn PairLaw>; 4];

    /// Keys of the material of the bench's packing, as a scenario has them: contacts that press with 1e4 N/m at an overlap
    /// of 1e-6 m between spheres of 0.1 m, and lose nothing that keeps them at work.
    fn bench_material(&self) -> &'static str;
}

/// A law between two materials, SI.
pub trait PairLaw: Debug + Send + Sync {
    /// Name of the law, for headers and manifests.
    fn label(&self) -> Cow<'static, str>;

    /// The time that steps are a fraction of; `None`: the law does not know one.
    fn time_scale(&self, pair: &Lightest) -> Option<TimeScale>;

    /// Constants in code units, under the names and in the order of the members of the shader's `struct Law`.
    fn row(&self, units: &Units) -> Vec<(&'static str, f32)>;

    /// The law in f64, SI, for steps of `dt_s`.
    fn twin(&self, dt_s: f64) -> Box<dyn Twin>;

    /// The law in f64 with the constants that the GPU has, rounded, in code units.
    fn seen(&self, units: &Units) -> Box<dyn Twin>;
}

/// Mass and radius of the largest body of a material.
#[derive(Debug, Clone, Copy)]
pub struct Largest {
    /// (kg)
    pub mass: f64,
    /// (m)
    pub radius: f64,
}

/// The lightest bodies of two materials.
#[derive(Debug, Clone, Copy)]
pub struct Lightest {
    /// reduced mass (kg)
    pub mass: f64,
    /// of each of the two (kg)
    pub masses: [f64; 2],
    /// of each of the two (m)
    pub radii: [f64; 2],
    /// that a body may have at once
    pub contacts: f64,
}

impl Lightest {
    /// Effective radius (m).
    pub fn radius(&self) -> f64 {
        self.radii[0] * self.radii[1] / (self.radii[0] + self.radii[1])
    }
}

/// What sets the time step of a pair.
#[derive(Debug, Clone)]
pub struct TimeScale {
    /// time that steps must be a small fraction of (s)
    pub scale_s: f64,
    /// what that time is
    pub name: Cow<'static, str>,
    /// duration of a collision, if it does not depend on the speed (s)
    pub contact_time_s: Option<f64>,
    /// m / C_N (s); infinite without a dashpot
    pub damping_time_s: f64,
    /// shortest such time of the dashpots of friction (s); infinite without one
    pub friction_time_s: f64,
    /// constants that it follows from, for people
    pub constants: String,
}

/// Settled materials, bodies, and the overlap over radius that ends a run.
#[derive(Debug, Clone, Copy)]
pub struct Start<'a> {
    /// settled
    pub materials: &'a [Material],
    /// at the start
    pub bodies: &'a Bodies,
    /// `guards.overlap_max`
    pub overlap_max: f64,
    /// false where bodies may move fast past each other, in orbits about something
    pub meet: bool,
}

/// The body that would overlap most with its like.
#[derive(Debug, Clone, Copy)]
pub struct TooSoft<'a> {
    /// number of the body
    pub body: usize,
    /// its material
    pub material: &'a Material,
    /// of the meeting (m/s)
    pub speed: f64,
    /// overlap over radius
    pub overlap: f64,
}

impl<'a> Start<'a> {
    /// The body that would overlap most if it met its like at the largest speed of any body against the one that is fastest
    /// about the mean, where that is more than the guards allow; none where bodies need not meet. `overlap` gives the overlap
    /// (m) for a material, the mass (kg) and radius (m) of a body and a speed (m/s).
    pub fn too_soft(&self, overlap: impl Fn(&Material, f64, f64, f64) -> f64) -> Option<TooSoft<'a>> {
        let bodies = self.bodies;
        let mean = bodies.velocity_m_s.iter().sum::<glam::DVec3>() / bodies.len() as f64;
        let about = |v: &&glam::DVec3| v.distance_squared(mean);
        let fastest = bodies.velocity_m_s.iter().max_by(|a, b| about(a).total_cmp(&about(b)))?;
        let speed = bodies.velocity_m_s.iter().map(|v| v.distance(*fastest)).fold(0.0, f64::max);
        let of = |k: usize| &self.materials[bodies.material[k] as usize];
        let over = |k: usize| overlap(of(k), bodies.mass_kg[k], bodies.radius_m[k], speed) / bodies.radius_m[k];
        let body = (0..bodies.len()).max_by(|a, b| over(*a).total_cmp(&over(*b)))?;
        (self.meet && over(body) > self.overlap_max).then(|| TooSoft {
            body,
            material: of(body),
            speed,
            overlap: over(body),
        })
    }
}

/// What is wrong with a material and these bodies.
#[derive(Debug)]
pub struct StartFault {
    /// name of the material
    pub material: String,
    /// what is wrong
    pub what: String,
    /// what to do about it
    pub remedy: String,
    /// true if the run may go well nevertheless: a guard ends it if not
    pub may_do: bool,
}

impl TooSoft<'_> {
    /// The fault of it.
    pub fn fault(&self, limit: f64, remedy: String) -> StartFault {
        let what = format!(
            "bodies like {} that meet at {} m/s, the fastest at the start, would overlap by {} of their radius, above guards.overlap_max = {limit}",
            self.body,
            number(self.speed),
            number(self.overlap)
        );
        StartFault { material: self.material.name.clone(), what, remedy, may_do: false }
    }
}

/// v_max of a rule that gives the stiffness in place of the key `other`.
const fn speed_max(other: &'static str, says: &'static str) -> Key {
    Key::positive("speed_max_m_s", Dimension::Speed).without(other).says(says)
}

/// The fault of a material with none or both of two keys that give its stiffness.
fn stiffness_or_speed(stiffness: &Key, typed: &dyn Fn(&str) -> bool) -> Option<Wrong> {
    let (name, typed) = (stiffness.name, [stiffness.name, "speed_max_m_s"].map(typed));
    (typed[0] == typed[1]).then(|| {
        let what = if typed[0] { "conflicts with speed_max_m_s" } else { "is missing, and so is speed_max_m_s" };
        Wrong::new(stiffness, what, format!("give either {name} or speed_max_m_s"))
    })
}

/// Stiffness (N/m) at which the largest body, stopped from `speed` (m/s) by a fixed one, overlaps by `share` of its
/// radius: m (v / (s R))^2.
fn stiffness_by_speed(speed: Option<f64>, share: f64, largest: Option<Largest>) -> Option<f64> {
    let Largest { mass, radius } = largest?;
    Some(mass * (speed? / (share * radius)).powi(2))
}

/// Names and values of constants as they go to the GPU.
fn named(list: impl IntoIterator<Item = (&'static str, f64)>) -> Vec<(&'static str, f32)> {
    list.into_iter().map(|(name, value)| (name, value as f32)).collect()
}

/// `value` as the GPU has it.
fn single(value: f64) -> f64 {
    f64::from(value as f32)
}
