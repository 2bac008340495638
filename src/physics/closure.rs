//! From materials to the constants of a contact: Song et al. 2024, Table 2, and the damping that makes the typed
//! restitution the measured one; or the two stiffnesses of Guidos et al. 2024.

use crate::model::body::Bodies;
use crate::model::scenario::{Material, Method, NormalTension, Scenario, SoftLaw};
use serde::Serialize;
use std::f64::consts::PI;

/// Constants of the soft-sphere law for a pair of materials, SI; what a law does not use is 0.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct ContactLaw {
    /// which law
    pub kind: SoftLaw,
    /// k_N, force over overlap (N/m); of the hysteretic law k_in / 2
    pub stiffness_normal: f64,
    /// force over overlap of the energy that comes back (N/m): k_N, or k_out / 2
    pub stiffness_unloading: f64,
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
    /// c (Pa)
    pub cohesion_pa: f64,
    /// how the normal force ends a contact
    pub tension: NormalTension,
}

impl ContactLaw {
    /// Name of the law, for headers and manifests.
    pub fn name(&self) -> &'static str {
        match (self.kind, self.tension) {
            (SoftLaw::Hysteretic, _) => "hysteretic",
            (SoftLaw::LinearSpringDashpot, NormalTension::Kept) => "linear_spring_dashpot",
            (SoftLaw::LinearSpringDashpot, NormalTension::None) => "linear_spring_dashpot_no_tension",
        }
    }

    /// The time that steps are a fraction of, for a pair of reduced mass `mass_kg` and restitution `e` (s), and what it
    /// is: a collision, or five times the time in which the dashpot alone stops the pair if that is shorter; or sqrt(m/k)
    /// of loading, since the end of loading must be met at any restitution.
    fn scale_s(&self, mass_kg: f64, e: f64) -> (f64, &'static str) {
        match self.kind {
            SoftLaw::LinearSpringDashpot => {
                let contact = (contact_time_s(self.stiffness_normal, mass_kg, e), "the contact time");
                let damping = (DAMPING_TIMES * self.damping_time_s(mass_kg), "five times the damping time");
                if damping.0 < contact.0 { damping } else { contact }
            }
            SoftLaw::Hysteretic => ((mass_kg / self.stiffness_normal).sqrt(), "sqrt(2 m/k_in)"),
        }
    }

    /// Time in which the normal dashpot alone slows a pair of reduced mass `mass_kg` to 1/e of its speed, m / C_N (s);
    /// infinite without damping.
    pub fn damping_time_s(&self, mass_kg: f64) -> f64 {
        // of the size: a restitution of 1 makes the damping a zero that may be negative
        mass_kg.sqrt() / self.damping_normal.abs()
    }
}

/// The dashpot of a step acts on the velocity that the step before predicts, so that the ledger misses about 0.6 (dt C_N/m)^2
/// of what a collision dissipates: 0.6 % with steps of 0.02 times five damping times m/C_N.
const DAMPING_TIMES: f64 = 5.0;

/// Damping ratio of an unclamped spring-dashpot with restitution `e`: -ln e / sqrt(pi^2 + ln^2 e).
pub fn damping_ratio(e: f64) -> f64 {
    if e <= 0.0 {
        return 1.0;
    }
    let l = e.ln();
    -l / (PI * PI + l * l).sqrt()
}

/// Restitution of a spring-dashpot whose force never pulls: the contact ends when the force does
/// (Schwager and Poeschel 2007, eq. 21).
pub fn clamped_restitution(ratio: f64) -> f64 {
    if ratio < 1.0 {
        let w = (1.0 - ratio * ratio).sqrt();
        (-(ratio / w) * (2.0 * ratio * w).atan2(ratio * ratio - w * w)).exp()
    } else {
        let w = (ratio * ratio - 1.0).sqrt().max(1e-9);
        (-(ratio / w) * ((ratio + w) / (ratio - w)).ln()).exp()
    }
}

/// Damping ratio of a clamped spring-dashpot with restitution `e`, by bisection.
pub fn clamped_damping_ratio(e: f64) -> f64 {
    let (mut low, mut high) = (0.0, 64.0);
    for _ in 0..200 {
        let mid = 0.5 * (low + high);
        if clamped_restitution(mid) > e { low = mid } else { high = mid }
    }
    0.5 * (low + high)
}

/// Duration of a collision of reduced mass `mass_kg` with stiffness `k` and restitution `e` (s).
pub fn contact_time_s(k: f64, mass_kg: f64, e: f64) -> f64 {
    let l = if e > 0.0 { e.ln().max(-7.0) } else { -7.0 };
    ((PI * PI + l * l) * mass_kg / k).sqrt()
}

/// Duration of a collision of reduced mass `mass_kg` by the hysteretic law with k = k_in / 2 and restitution `e` (s):
/// a quarter of a swing inwards, and one 1/e times as slow outwards.
pub fn hysteretic_time_s(k: f64, mass_kg: f64, e: f64) -> f64 {
    0.5 * PI * (mass_kg / k).sqrt() * (1.0 + 1.0 / e)
}

/// Force over overlap of every material [N/m]: as given, or by m (v_max / (s R))^2 of its largest body, which is k_N, or
/// k_in of the hysteretic law. Two such bodies of that law that close at v_max overlap by s R, and smaller ones by at
/// most 1.03 of s times their radius. (Guidos et al. 2024 want k far above m (v/R)^2, eq. 13; their overlap of eq. 10
/// is an energy over k, no length, so that s is not in it.)
pub fn material_stiffness(scenario: &Scenario, bodies: &Bodies) -> Vec<f64> {
    let largest = |index: Option<usize>| {
        let of = |k: &usize| index.is_none_or(|m| bodies.material[*k] as usize == m);
        (0..bodies.len()).filter(of).max_by(|a, b| bodies.radius_m[*a].total_cmp(&bodies.radius_m[*b]))
    };
    let rule = |(index, m): (usize, &Material)| {
        let by_speed = || {
            // A wall's material may have no body of its own: then the largest body of all sets the scale.
            let k = largest(Some(index)).or_else(|| largest(None))?;
            Some(bodies.mass_kg[k] * (m.speed_max_m_s? / (m.overlap_at_speed_max * bodies.radius_m[k])).powi(2))
        };
        match scenario.run.contact_law {
            SoftLaw::LinearSpringDashpot => m.stiffness_normal_n_m.or_else(by_speed).unwrap_or(1.0),
            SoftLaw::Hysteretic => 0.5 * m.stiffness_loading_n_m.or_else(by_speed).unwrap_or(2.0),
        }
    };
    scenario.materials.iter().enumerate().map(rule).collect()
}

/// A contact's share of a property that both materials have: the arithmetic mean.
pub fn of_pair(a: f64, b: f64) -> f64 {
    0.5 * (a + b)
}

/// Attraction of two touching spheres of effective radius R_e: 4 c beta R_e^2 (Song et al. 2024, eq. 4) (N).
pub fn adhesion_n(cohesion_pa: f64, shape_parameter: f64, radius_m: f64) -> f64 {
    4.0 * cohesion_pa * shape_parameter * radius_m * radius_m
}

/// Constants for materials `a` and `b`: springs in series (2 k_a k_b / (k_a + k_b), the material's own for equals),
/// everything else the arithmetic mean; the contact does not pull if either material does not.
pub fn contact_law(scenario: &Scenario, stiffness: &[f64], a: usize, b: usize) -> ContactLaw {
    let (ma, mb) = (&scenario.materials[a], &scenario.materials[b]);
    let mean = |f: fn(&Material) -> f64| of_pair(f(ma), f(mb));
    let k = 2.0 * stiffness[a] * stiffness[b] / (stiffness[a] + stiffness[b]);
    let ks = k * mean(|m| m.stiffness_ratio);
    let pulls = ma.normal_tension == NormalTension::Kept && mb.normal_tension == NormalTension::Kept;
    let tension = if pulls { NormalTension::Kept } else { NormalTension::None };
    let e = mean(|m| m.restitution_normal);
    if scenario.run.contact_law == SoftLaw::Hysteretic {
        return hysteretic_law(k, e, mean(|m| m.friction_sliding), mean(|m| m.friction_rolling));
    }
    let ratio = if pulls { damping_ratio(e) } else { clamped_damping_ratio(e) };
    ContactLaw {
        kind: SoftLaw::LinearSpringDashpot,
        stiffness_normal: k,
        stiffness_unloading: k,
        stiffness_sliding: ks,
        damping_normal: 2.0 * ratio * k.sqrt(),
        damping_sliding: 2.0 * damping_ratio(mean(|m| m.restitution_tangential)) * ks.sqrt(),
        friction_sliding: mean(|m| m.friction_sliding),
        friction_rolling: mean(|m| m.friction_rolling),
        friction_twisting: mean(|m| m.friction_twisting),
        shape_parameter: mean(|m| m.shape_parameter),
        cohesion_pa: mean(|m| m.cohesion_pa),
        tension,
    }
}

/// The hysteretic law with k_in = 2 `k` (N/m), k_out = e^2 k_in and coefficients of friction mu_k, mu_r.
pub fn hysteretic_law(k: f64, e: f64, mu_k: f64, mu_r: f64) -> ContactLaw {
    ContactLaw {
        kind: SoftLaw::Hysteretic,
        stiffness_normal: k,
        stiffness_unloading: e * e * k,
        stiffness_sliding: 0.0,
        damping_normal: 0.0,
        damping_sliding: 0.0,
        friction_sliding: mu_k,
        friction_rolling: mu_r,
        friction_twisting: 0.0,
        shape_parameter: 0.0,
        cohesion_pa: 0.0,
        tension: NormalTension::None,
    }
}

/// The automatic time step and what sets it.
#[derive(Debug, Clone, Serialize)]
pub struct TimeStep {
    /// (s)
    pub dt_s: f64,
    /// contact time of the pair that sets it (s); `None` for rigid bodies
    pub contact_time_s: Option<f64>,
    /// time that steps must be a small fraction of, and its name: the contact time, or of the hysteretic law sqrt(m/k)
    /// of loading; `None` for rigid bodies
    #[serde(skip)]
    pub scale: Option<(f64, &'static str)>,
    /// of that pair, m / C_N (s); `None` for rigid bodies, infinite without a dashpot
    #[serde(skip)]
    pub damping_time_s: Option<f64>,
    /// one sentence for people
    pub reason: String,
}

/// The pair of bodies that needs the shortest step.
struct Shortest {
    scale: (f64, &'static str),
    contact_time_s: f64,
    damping_time_s: f64,
    pair: String,
}

/// Of the lightest bodies of every two materials. A body against a wall has the larger reduced mass, so pairs decide.
fn shortest(scenario: &Scenario, bodies: &Bodies) -> Shortest {
    let stiffness = material_stiffness(scenario, bodies);
    let count = scenario.materials.len();
    let mut lightest = vec![f64::INFINITY; count];
    for (material, mass_kg) in bodies.material.iter().zip(&bodies.mass_kg) {
        lightest[*material as usize] = mass_kg.min(lightest[*material as usize]);
    }
    let mut least = Shortest {
        scale: (f64::INFINITY, ""),
        contact_time_s: f64::INFINITY,
        damping_time_s: f64::INFINITY,
        pair: String::new(),
    };
    for (a, b) in (0..count).flat_map(|a| (a..count).map(move |b| (a, b))) {
        let law = contact_law(scenario, &stiffness, a, b);
        let inverse = 1.0 / lightest[a] + 1.0 / lightest[b];
        let (ma, mb) = (&scenario.materials[a], &scenario.materials[b]);
        let (mass, e) = (1.0 / inverse, of_pair(ma.restitution_normal, mb.restitution_normal));
        let scale = law.scale_s(mass, e);
        if inverse > 0.0 && scale.0 < least.scale.0 {
            let pair = if a == b {
                format!("two lightest bodies of `{}`", ma.name)
            } else {
                format!("lightest bodies of `{}` and `{}`", ma.name, mb.name)
            };
            let k = law.stiffness_normal;
            let (contact_time_s, pair) = match law.kind {
                SoftLaw::LinearSpringDashpot => {
                    (contact_time_s(k, mass, e), format!("{pair}, k_N {k:.4e} N/m, reduced mass {mass:.4e} kg"))
                }
                SoftLaw::Hysteretic => {
                    let text = format!("{pair}, k_in {:.4e} N/m, reduced mass {mass:.4e} kg", 2.0 * k);
                    (hysteretic_time_s(k, mass, e), text)
                }
            };
            least = Shortest { scale, contact_time_s, damping_time_s: law.damping_time_s(mass), pair };
        }
    }
    least
}

/// The time step as typed, or a fraction of the shortest contact time (of the hysteretic law: of sqrt(m/k) of loading;
/// 0.01 sqrt(m_min/k_in) among equals), rounded down to 12 significant bits.
pub fn time_step(scenario: &Scenario, bodies: &Bodies) -> TimeStep {
    if let (Method::ContactDynamics(_), Some(dt_s)) = (&scenario.method, scenario.run.time_step_s) {
        return TimeStep { dt_s, contact_time_s: None, scale: None, damping_time_s: None, reason: "as typed".into() };
    }
    let Shortest { scale: (scale, name), contact_time_s, damping_time_s, pair } = shortest(scenario, bodies);
    let (dt_s, reason) = match scenario.run.time_step_s {
        Some(dt_s) => (dt_s, format!("as typed; {:.2} % of {name} {scale:.4e} s of {pair}", 100.0 * dt_s / scale)),
        None => {
            let share = 100.0 * scenario.run.time_step_fraction;
            let dt_s = round_down_12(scenario.run.time_step_fraction * scale);
            (dt_s, format!("{share} % of {name} {scale:.4e} s of {pair}, rounded down to 12 bits"))
        }
    };
    TimeStep {
        dt_s,
        contact_time_s: Some(contact_time_s),
        scale: Some((scale, name)),
        damping_time_s: Some(damping_time_s),
        reason,
    }
}

impl TimeStep {
    /// Share of what a collision dissipates that the ledger misses, to order of magnitude: 0.6 (dt C_N/m)^2, of the pair
    /// that sets the step; 0 for rigid bodies.
    pub fn ledger_error(&self) -> f64 {
        self.damping_time_s.map_or(0.0, |time_s| 0.6 * (self.dt_s / time_s).powi(2))
    }
}

fn round_down_12(x: f64) -> f64 {
    let unit = (x.log2().floor() - 11.0).exp2();
    (x / unit).floor() * unit
}
