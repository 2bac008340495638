//! Reads `[[material]]`: what a material needs depends on the method.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::base::reader::key::{Key, Word};
use crate::model::scenario::*;

/// Keys of `[[material]]`.
pub(super) const KEYS: &[Key] = &[
    Key::name("name").without("material").says("name of the material").eg("\"rock\""),
    Key::positive("density_kg_m3", D::Density).required().says("density of the solid").eg("\"2.3 g/cm^3\""),
    Key::within("friction_sliding", D::Pure, 0.0, 10.0).required().says("coefficient of sliding friction").eg("0.5"),
    Key::branch("law", LAWS),
];

const LAWS: &[Word] = &[
    Word::with("run.contact_law = \"linear_spring_dashpot\"", "springs and dashpots", LINEAR),
    Word::with("run.contact_law = \"hysteretic\"", "two stiffnesses, for loading and unloading", HYSTERETIC),
    Word::with("run.method = \"contact_dynamics\"", "rigid bodies", RIGID),
];

const LINEAR: &[Key] = &[
    Key::positive("stiffness_normal_n_m", D::Stiffness)
        .without("see speed_max_m_s")
        .says("k_N, the stiffness along the normal")
        .eg("\"10 kN/m\""),
    Key::positive("speed_max_m_s", D::Speed)
        .without("see stiffness_normal_n_m")
        .says("speed at which the overlap is 1 % of the radius: k_N = m (v / 0.01 R)^2 for the largest body")
        .eg("\"10 cm/s\""),
    Key::within("stiffness_ratio", D::Pure, 1e-3, 2.0)
        .or(2.0 / 7.0)
        .says("k_S / k_N, tangential over normal")
        .eg("0.3"),
    RESTITUTION,
    Key::within("restitution_tangential", D::Pure, 0.0, 1.0)
        .without("as restitution_normal")
        .says("coefficient of restitution across the normal")
        .eg("0.5"),
    ROLLING,
    Key::within("friction_twisting", D::Pure, 0.0, 10.0).or(0.0).says("coefficient of twisting friction").eg("0.1"),
    Key::within("shape_parameter", D::Pure, 0.0, 2.0)
        .or(0.0)
        .says("beta, contact radius over R_e; needed with rolling, twisting or cohesion")
        .eg("0.5"),
    Key::within("cohesion_pa", D::Pressure, 0.0, 1e9)
        .or(0.0)
        .says("c of the force 4 c beta R_e^2, which acts while in contact")
        .eg("\"100 Pa\""),
    Key::choice(
        "normal_tension",
        &[
            Word::new("kept", "the dashpot may pull at the end of a contact"),
            Word::new("none", "the normal force never pulls; the damping still gives restitution_normal"),
        ],
    )
    .or_word("kept")
    .says("what happens when the dashpot would pull")
    .eg("\"none\""),
];

const HYSTERETIC: &[Key] = &[
    Key::positive("stiffness_loading_n_m", D::Stiffness)
        .without("see speed_max_m_s")
        .says("k_in of the force k_in overlap / 2 while loading")
        .eg("1e15"),
    Key::positive("speed_max_m_s", D::Speed)
        .without("see stiffness_loading_n_m")
        .says("speed at which the largest bodies overlap by overlap_at_speed_max")
        .eg("\"1 km/s\""),
    Key::within("overlap_at_speed_max", D::Pure, 1e-3, 0.3)
        .or(0.1)
        .says("overlap over the radius at speed_max_m_s")
        .eg("0.1"),
    // unloading takes 1/e times as long as loading
    Key::within("restitution_normal", D::Pure, 0.02, 1.0)
        .required()
        .says("coefficient of restitution along the normal")
        .eg("0.5"),
    ROLLING,
];

const RIGID: &[Key] = &[
    RESTITUTION,
    Key::within("cohesion_force_n", D::Force, 0.0, 1e15)
        .or(0.0)
        .says("largest force that holds a pair together")
        .eg("\"1 mN\""),
    Key::within("cohesion_range_m", D::Length, 0.0, 1e15)
        .or(0.0)
        .says("gap up to which that force acts; the skin must be wider than 1.2 times it")
        .eg("\"1 cm\""),
];

const RESTITUTION: Key = Key::within("restitution_normal", D::Pure, 0.0, 1.0)
    .required()
    .says("coefficient of restitution along the normal")
    .eg("0.5");
const ROLLING: Key =
    Key::within("friction_rolling", D::Pure, 0.0, 10.0).or(0.0).says("coefficient of rolling friction").eg("0.1");

/// A `[[material]]` table.
pub(super) fn material(t: &Table, method: &Method, law: SoftLaw) -> Material {
    let (branch, read): (usize, fn(&Table) -> Material) = match (method, law) {
        (Method::SoftSphere, SoftLaw::LinearSpringDashpot) => (0, spring_dashpot),
        (Method::SoftSphere, SoftLaw::Hysteretic) => (1, hysteretic),
        (Method::ContactDynamics(_), _) => (2, contact_dynamics),
    };
    t.branch("law", LAWS[branch].word);
    let m = read(t);
    t.close();
    m
}

/// The fault of a material with none or both of two keys that give its stiffness.
fn stiffness_or_speed(t: &Table, key: &str) {
    if t.has(key) == t.has("speed_max_m_s") {
        let what = if t.has(key) { "conflicts with speed_max_m_s" } else { "is missing, and so is speed_max_m_s" };
        t.fault(key, what, format!("give either {key} or speed_max_m_s"));
    }
}

fn spring_dashpot(t: &Table) -> Material {
    let e = t.value("restitution_normal");
    let tension = t.choice("normal_tension");
    let m = Material {
        stiffness_normal_n_m: t.value_if("stiffness_normal_n_m"),
        speed_max_m_s: t.value_if("speed_max_m_s"),
        overlap_at_speed_max: 0.01,
        stiffness_ratio: t.value("stiffness_ratio"),
        restitution_normal: e,
        restitution_tangential: t.value_if("restitution_tangential").unwrap_or(e),
        friction_rolling: t.value("friction_rolling"),
        friction_twisting: t.value("friction_twisting"),
        shape_parameter: t.value("shape_parameter"),
        cohesion_pa: t.value("cohesion_pa"),
        normal_tension: if tension == "none" { NormalTension::None } else { NormalTension::Kept },
        ..plain(t)
    };
    stiffness_or_speed(t, "stiffness_normal_n_m");
    if m.shape_parameter == 0.0 && (m.friction_rolling > 0.0 || m.friction_twisting > 0.0 || m.cohesion_pa > 0.0) {
        t.fault(
            "shape_parameter",
            "must be above 0 with rolling friction, twisting friction or cohesion, which act over an area",
            "add `shape_parameter = 0.5`, for example",
        );
    }
    if m.normal_tension == NormalTension::None && e < 0.02 {
        t.fault(
            "restitution_normal",
            format!("{e} without tension would need unbounded damping"),
            "raise it to 0.02 or more, or write normal_tension = \"kept\"",
        );
    }
    // Rolling follows slip between unequal spheres; it must not feed on it.
    if m.friction_rolling * m.shape_parameter > 2.0 * m.friction_sliding.max(0.0) {
        t.fault(
            "friction_rolling",
            format!(
                "{} with shape_parameter {} and friction_sliding {} could gain energy from slip between unequal spheres",
                m.friction_rolling, m.shape_parameter, m.friction_sliding
            ),
            "keep friction_rolling * shape_parameter below 2 friction_sliding",
        );
    }
    m
}

/// Two stiffnesses, and friction without springs (Guidos et al. 2024).
fn hysteretic(t: &Table) -> Material {
    let m = Material {
        stiffness_loading_n_m: t.value_if("stiffness_loading_n_m"),
        speed_max_m_s: t.value_if("speed_max_m_s"),
        overlap_at_speed_max: t.value("overlap_at_speed_max"),
        restitution_normal: t.value("restitution_normal"),
        friction_rolling: t.value("friction_rolling"),
        ..plain(t)
    };
    stiffness_or_speed(t, "stiffness_loading_n_m");
    if m.speed_max_m_s.is_none() && t.has("overlap_at_speed_max") {
        t.fault("overlap_at_speed_max", "has no effect without speed_max_m_s", "add speed_max_m_s, or remove this key");
    }
    m
}

/// Name, density and sliding friction; everything else is zero or elastic.
fn plain(t: &Table) -> Material {
    Material {
        name: t.name("name").unwrap_or_else(|| "material".into()),
        density_kg_m3: t.value("density_kg_m3"),
        stiffness_normal_n_m: None,
        stiffness_loading_n_m: None,
        speed_max_m_s: None,
        overlap_at_speed_max: 0.0,
        stiffness_ratio: 0.0,
        restitution_normal: 1.0,
        restitution_tangential: 0.0,
        friction_sliding: t.value("friction_sliding"),
        friction_rolling: 0.0,
        friction_twisting: 0.0,
        shape_parameter: 0.0,
        cohesion_pa: 0.0,
        cohesion_force_n: 0.0,
        cohesion_range_m: 0.0,
        normal_tension: NormalTension::None,
    }
}

/// Rigid bodies have no stiffness.
fn contact_dynamics(t: &Table) -> Material {
    let m = Material {
        restitution_normal: t.value("restitution_normal"),
        cohesion_force_n: t.value("cohesion_force_n"),
        cohesion_range_m: t.value("cohesion_range_m"),
        ..plain(t)
    };
    if m.cohesion_range_m > 0.0 && m.cohesion_force_n == 0.0 {
        let remedy = "add cohesion_force_n, or remove this key";
        t.fault("cohesion_range_m", "has no effect without cohesion_force_n", remedy);
    }
    m
}
