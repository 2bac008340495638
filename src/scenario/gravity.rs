//! Reads `[[gravity]]`.

use crate::base::quantity::Dimension as D;
use crate::base::reader::Table;
use crate::model::gravity::TREE_ACCURACY;
use crate::model::scenario::{FaceSum, GravitySource, Scenario, SelfGravityMethod};
use crate::physics::gravity::face_tree;

/// One source.
pub(super) fn gravity(t: &Table) -> Option<GravitySource> {
    let source = match t
        .choice("kind", &["self", "uniform", "central", "uniform_sphere", "rotating_frame", "asteroid"], None)
        .as_str()
    {
        "uniform" => {
            if !t.has("acceleration_m_s2") {
                t.fault("acceleration_m_s2", "is missing");
            }
            GravitySource::Uniform {
                acceleration_m_s2: t.vector("acceleration_m_s2", D::Acceleration).unwrap_or_default(),
            }
        }
        "uniform_sphere" => GravitySource::UniformSphere {
            density_kg_m3: t.positive("density_kg_m3", t.need("density_kg_m3", D::Density)),
            radius_m: t.positive("radius_m", t.need("radius_m", D::Length)),
            position_m: t.vector("position_m", D::Length).unwrap_or_default(),
        },
        "rotating_frame" => {
            if !t.has("rotation_rad_s") {
                t.fault("rotation_rad_s", "is missing");
            }
            GravitySource::RotatingFrame {
                rotation_rad_s: t.vector("rotation_rad_s", D::AngularSpeed).unwrap_or_default(),
            }
        }
        "central" => GravitySource::Central {
            gm_m3_s2: t.positive("gm_m3_s2", t.need("gm_m3_s2", D::Gm)),
            position_m: t.vector("position_m", D::Length).unwrap_or_default(),
        },
        "asteroid" => GravitySource::Asteroid { sum: face_sum(t), update_every: update_every(t) },
        _ => GravitySource::SelfGravity { method: self_gravity(t), update_every: update_every(t) },
    };
    t.close();
    Some(source)
}

fn update_every(t: &Table) -> Option<u32> {
    t.has("update_every").then(|| t.count("update_every", None, 1..=1_000_000) as u32)
}

fn face_sum(t: &Table) -> FaceSum {
    let accuracy = t.number("accuracy", D::Pure).map(|v| t.within("accuracy", v, 1e-6, 1e-2));
    match (t.choice("method", &["auto", "exact", "tree"], Some("auto")).as_str(), accuracy) {
        ("tree", accuracy) => FaceSum::Tree { accuracy: accuracy.unwrap_or(face_tree::ACCURACY) },
        (_, Some(_)) => {
            t.fault("accuracy", "is for method = \"tree\"; remove it or choose the tree");
            FaceSum::Auto
        }
        ("exact", None) => FaceSum::Exact,
        _ => FaceSum::Auto,
    }
}

fn self_gravity(t: &Table) -> SelfGravityMethod {
    let accuracy = t.number("accuracy", D::Pure).map(|v| t.within("accuracy", v, 1e-6, 0.1));
    let opening_angle = t.number("opening_angle", D::Pure).map(|v| t.within("opening_angle", v, 0.1, 1.0));
    let method = t.choice("method", &["auto", "direct", "tree"], Some("auto"));
    for (key, given) in [("accuracy", accuracy.is_some()), ("opening_angle", opening_angle.is_some())] {
        if given && method != "tree" {
            t.fault(key, "is for method = \"tree\"; remove it or choose the tree");
        }
    }
    match (method.as_str(), accuracy, opening_angle) {
        ("tree", Some(_), Some(_)) => {
            t.fault("opening_angle", "stands beside accuracy; give one: the tree opens by one criterion");
            SelfGravityMethod::Auto
        }
        ("tree", None, Some(opening_angle)) => SelfGravityMethod::TreeGeometric { opening_angle },
        ("tree", accuracy, None) => SelfGravityMethod::TreeRelative { accuracy: accuracy.unwrap_or(TREE_ACCURACY) },
        ("direct", ..) => SelfGravityMethod::Direct,
        _ => SelfGravityMethod::Auto,
    }
}

/// Faults of the sources together.
pub(super) fn consistent(root: &Table, scenario: &Scenario) {
    let several = |of: fn(&GravitySource) -> bool| scenario.gravity.iter().filter(|g| of(g)).count() > 1;
    if several(|g| matches!(g, GravitySource::SelfGravity { .. })) {
        root.fault("gravity", "kind = \"self\" stands twice; keep one");
    }
    if several(|g| matches!(g, GravitySource::RotatingFrame { .. })) {
        root.fault("gravity", "kind = \"rotating_frame\" stands twice; a frame turns in one way, keep one");
    }
    if several(|g| matches!(g, GravitySource::Asteroid { .. })) {
        root.fault("gravity", "kind = \"asteroid\" stands twice; keep one");
    }
    if scenario.asteroid.is_none() && scenario.gravity.iter().any(|g| matches!(g, GravitySource::Asteroid { .. })) {
        root.fault("gravity", "kind = \"asteroid\" needs an [asteroid] section; add one, or remove the source");
    }
    if let [one, other, ..] = scenario.typed_holds()[..]
        && one != other
    {
        root.fault("gravity", format!("update_every is {one} and {other}: self-gravity and the asteroid are evaluated together; make them equal, or type one"));
    }
}
