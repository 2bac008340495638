//! Reads `[[material]]`: what a material needs depends on the method.

use super::model::*;
use super::quantity::Dimension as D;
use super::reader::Table;

/// A `[[material]]` table.
pub(super) fn material(t: &Table, method: &Method) -> Material {
    let m = match method {
        Method::SoftSphere => soft_sphere(t),
        Method::ContactDynamics(_) => contact_dynamics(t),
    };
    t.close();
    m
}

fn soft_sphere(t: &Table) -> Material {
    let optional = |key: &str, default: f64| t.number(key, D::Pure).unwrap_or(default);
    let e = t.within("restitution_normal", t.need("restitution_normal", D::Pure), 0.0, 1.0);
    let tension = t.choice("normal_tension", &["kept", "none"], Some("kept"));
    let m = Material {
        name: t.name("name").unwrap_or_else(|| "material".into()),
        density_kg_m3: t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
        stiffness_normal_n_m: t
            .number("stiffness_normal_n_m", D::Stiffness)
            .map(|v| t.positive("stiffness_normal_n_m", v)),
        speed_max_m_s: t.number("speed_max_m_s", D::Speed).map(|v| t.positive("speed_max_m_s", v)),
        stiffness_ratio: t.within("stiffness_ratio", optional("stiffness_ratio", 2.0 / 7.0), 1e-3, 2.0),
        restitution_normal: e,
        restitution_tangential: t
            .number("restitution_tangential", D::Pure)
            .map_or(e, |v| t.within("restitution_tangential", v, 0.0, 1.0)),
        friction_sliding: t.within("friction_sliding", t.need("friction_sliding", D::Pure), 0.0, 10.0),
        friction_rolling: t.within("friction_rolling", optional("friction_rolling", 0.0), 0.0, 10.0),
        friction_twisting: t.within("friction_twisting", optional("friction_twisting", 0.0), 0.0, 10.0),
        shape_parameter: t.within("shape_parameter", optional("shape_parameter", 0.0), 0.0, 2.0),
        cohesion_pa: t.within("cohesion_pa", t.number("cohesion_pa", D::Pressure).unwrap_or(0.0), 0.0, 1e9),
        cohesion_force_n: 0.0,
        cohesion_range_m: 0.0,
        normal_tension: if tension == "none" { NormalTension::None } else { NormalTension::Kept },
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

/// Rigid bodies know no stiffness; what only soft spheres take is refused by name.
fn contact_dynamics(t: &Table) -> Material {
    const SOFT: [&str; 9] = [
        "stiffness_normal_n_m",
        "speed_max_m_s",
        "stiffness_ratio",
        "restitution_tangential",
        "friction_rolling",
        "friction_twisting",
        "shape_parameter",
        "cohesion_pa",
        "normal_tension",
    ];
    for key in SOFT.into_iter().filter(|k| t.has(k)) {
        t.fault(key, "is for method = \"soft_sphere\", contact dynamics does not use it; remove it");
    }
    let optional = |key: &str, dimension| t.number(key, dimension).map_or(0.0, |v| t.within(key, v, 0.0, 1e15));
    let m = Material {
        name: t.name("name").unwrap_or_else(|| "material".into()),
        density_kg_m3: t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
        stiffness_normal_n_m: None,
        speed_max_m_s: None,
        stiffness_ratio: 0.0,
        restitution_normal: t.within("restitution_normal", t.need("restitution_normal", D::Pure), 0.0, 1.0),
        restitution_tangential: 0.0,
        friction_sliding: t.within("friction_sliding", t.need("friction_sliding", D::Pure), 0.0, 10.0),
        friction_rolling: 0.0,
        friction_twisting: 0.0,
        shape_parameter: 0.0,
        cohesion_pa: 0.0,
        cohesion_force_n: optional("cohesion_force_n", D::Force),
        cohesion_range_m: optional("cohesion_range_m", D::Length),
        normal_tension: NormalTension::None,
    };
    if m.cohesion_range_m > 0.0 && m.cohesion_force_n == 0.0 {
        t.fault("cohesion_range_m", "stands without a cohesion_force_n that it could carry; give one, or remove it");
    }
    m
}
