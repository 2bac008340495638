//! Reads `[[material]]`: what a material needs depends on the method.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::scenario::*;

/// A `[[material]]` table.
pub(super) fn material(t: &Table, method: &Method, law: SoftLaw) -> Material {
    let m = match (method, law) {
        (Method::SoftSphere, SoftLaw::LinearSpringDashpot) => spring_dashpot(t),
        (Method::SoftSphere, SoftLaw::Hysteretic) => hysteretic(t),
        (Method::ContactDynamics(_), _) => contact_dynamics(t),
    };
    t.close();
    m
}

fn spring_dashpot(t: &Table) -> Material {
    refuse(t, &LOADING, "is for run.contact_law = \"hysteretic\", the spring-dashpot does not use it; remove it");
    let optional = |key: &str, default: f64| t.number(key, D::Pure).unwrap_or(default);
    let e = t.within("restitution_normal", t.need("restitution_normal", D::Pure), 0.0, 1.0);
    let tension = t.choice("normal_tension", &["kept", "none"], Some("kept"));
    let m = Material {
        stiffness_normal_n_m: t
            .number("stiffness_normal_n_m", D::Stiffness)
            .map(|v| t.positive("stiffness_normal_n_m", v)),
        speed_max_m_s: t.number("speed_max_m_s", D::Speed).map(|v| t.positive("speed_max_m_s", v)),
        overlap_at_speed_max: 0.01,
        stiffness_ratio: t.within("stiffness_ratio", optional("stiffness_ratio", 2.0 / 7.0), 1e-3, 2.0),
        restitution_normal: e,
        restitution_tangential: t
            .number("restitution_tangential", D::Pure)
            .map_or(e, |v| t.within("restitution_tangential", v, 0.0, 1.0)),
        friction_rolling: t.within("friction_rolling", optional("friction_rolling", 0.0), 0.0, 10.0),
        friction_twisting: t.within("friction_twisting", optional("friction_twisting", 0.0), 0.0, 10.0),
        shape_parameter: t.within("shape_parameter", optional("shape_parameter", 0.0), 0.0, 2.0),
        cohesion_pa: t.within("cohesion_pa", t.number("cohesion_pa", D::Pressure).unwrap_or(0.0), 0.0, 1e9),
        normal_tension: if tension == "none" { NormalTension::None } else { NormalTension::Kept },
        ..plain(t)
    };
    if m.stiffness_normal_n_m.is_some() == m.speed_max_m_s.is_some() {
        t.fault("stiffness_normal_n_m", "give either stiffness_normal_n_m or speed_max_m_s");
    }
    if m.shape_parameter == 0.0 && (m.friction_rolling > 0.0 || m.friction_twisting > 0.0 || m.cohesion_pa > 0.0) {
        t.fault(
            "shape_parameter",
            "rolling, twisting and cohesion act over an area: give a shape_parameter above 0 (0.5 is common)",
        );
    }
    if m.normal_tension == NormalTension::None && e < 0.02 {
        t.fault(
            "restitution_normal",
            format!(
                "{e}: without tension the damping would be unbounded; use 0.02 or more, or normal_tension = \"kept\""
            ),
        );
    }
    // Rolling follows slip between unequal spheres; it must not feed on it.
    if m.friction_rolling * m.shape_parameter > 2.0 * m.friction_sliding.max(0.0) {
        t.fault("friction_rolling", format!("{} with shape_parameter {} and friction_sliding {} could gain energy from slip between unequal spheres; keep friction_rolling * shape_parameter below 2 friction_sliding", m.friction_rolling, m.shape_parameter, m.friction_sliding));
    }
    m
}

/// Keys that only the linear spring-dashpot takes.
const SPRINGS: [&str; 7] = [
    "stiffness_normal_n_m",
    "stiffness_ratio",
    "restitution_tangential",
    "friction_twisting",
    "shape_parameter",
    "cohesion_pa",
    "normal_tension",
];

/// Keys that only the hysteretic law takes.
const LOADING: [&str; 2] = ["stiffness_loading_n_m", "overlap_at_speed_max"];

/// What another law takes is refused by name.
fn refuse(t: &Table, keys: &[&str], why: &str) {
    keys.iter().filter(|k| t.has(k)).for_each(|k| t.fault(k, why));
}

/// Two stiffnesses, and friction without springs (Guidos et al. 2024).
fn hysteretic(t: &Table) -> Material {
    let why = "is for run.contact_law = \"linear_spring_dashpot\", the hysteretic law does not use it; remove it";
    refuse(t, &SPRINGS, why);
    let optional = |key: &str, default: f64| t.number(key, D::Pure).unwrap_or(default);
    let typed = |key: &str, dimension| t.number(key, dimension).map(|v| t.positive(key, v));
    let m = Material {
        stiffness_loading_n_m: typed("stiffness_loading_n_m", D::Stiffness),
        speed_max_m_s: typed("speed_max_m_s", D::Speed),
        overlap_at_speed_max: t.within("overlap_at_speed_max", optional("overlap_at_speed_max", 0.1), 1e-3, 0.3),
        // unloading takes 1/e times as long as loading
        restitution_normal: t.within("restitution_normal", t.need("restitution_normal", D::Pure), 0.02, 1.0),
        friction_rolling: t.within("friction_rolling", optional("friction_rolling", 0.0), 0.0, 10.0),
        ..plain(t)
    };
    if m.stiffness_loading_n_m.is_some() == m.speed_max_m_s.is_some() {
        t.fault("stiffness_loading_n_m", "give either stiffness_loading_n_m or speed_max_m_s");
    }
    if m.speed_max_m_s.is_none() && t.has("overlap_at_speed_max") {
        t.fault("overlap_at_speed_max", "stands without the speed_max_m_s that it goes with; give one, or remove it");
    }
    m
}

/// Name, density and sliding friction; all else is none or elastic.
fn plain(t: &Table) -> Material {
    Material {
        name: t.name("name").unwrap_or_else(|| "material".into()),
        density_kg_m3: t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
        stiffness_normal_n_m: None,
        stiffness_loading_n_m: None,
        speed_max_m_s: None,
        overlap_at_speed_max: 0.0,
        stiffness_ratio: 0.0,
        restitution_normal: 1.0,
        restitution_tangential: 0.0,
        friction_sliding: t.within("friction_sliding", t.need("friction_sliding", D::Pure), 0.0, 10.0),
        friction_rolling: 0.0,
        friction_twisting: 0.0,
        shape_parameter: 0.0,
        cohesion_pa: 0.0,
        cohesion_force_n: 0.0,
        cohesion_range_m: 0.0,
        normal_tension: NormalTension::None,
    }
}

/// Rigid bodies know no stiffness; what only soft spheres take is refused by name.
fn contact_dynamics(t: &Table) -> Material {
    let why = "is for method = \"soft_sphere\", contact dynamics does not use it; remove it";
    for keys in [&SPRINGS[..], &LOADING, &["speed_max_m_s", "friction_rolling"]] {
        refuse(t, keys, why);
    }
    let optional = |key: &str, dimension| t.number(key, dimension).map_or(0.0, |v| t.within(key, v, 0.0, 1e15));
    let m = Material {
        restitution_normal: t.within("restitution_normal", t.need("restitution_normal", D::Pure), 0.0, 1.0),
        cohesion_force_n: optional("cohesion_force_n", D::Force),
        cohesion_range_m: optional("cohesion_range_m", D::Length),
        ..plain(t)
    };
    if m.cohesion_range_m > 0.0 && m.cohesion_force_n == 0.0 {
        t.fault("cohesion_range_m", "stands without a cohesion_force_n that it could carry; give one, or remove it");
    }
    m
}
