//! Gravity and slope on the surface of an asteroid: a sphere, a shape model with figures on record, and the command.

use crate::common::shapes::shape;
use assert_cmd::Command;
use breccia::analysis::surface_field::{SurfaceReport, surface_field};
use breccia::base::units::G;
use breccia::geometry::geodesic::geodesic;
use breccia::geometry::surface::Surface;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

fn report(surface: &Surface, density: f64, rotation: DVec3) -> SurfaceReport {
    surface_field(surface, density, rotation).report(surface, density, rotation)
}

/// On a sphere slope and effective gravity follow from the latitude.
#[test]
fn a_turning_sphere_slopes_with_latitude() {
    let (density, radius) = (1500.0, 100.0);
    let sphere = geodesic("sphere", 30, |_| radius);
    let g = 4.0 / 3.0 * PI * G * density * radius;
    let spin = DVec3::new(0.0, 0.0, 0.6 * (g / radius).sqrt());
    let field = surface_field(&sphere, density, spin);
    let whole = field.report(&sphere, density, spin);
    assert!((whole.gravity_m_s2.mean / g - 1.0).abs() < 3e-3, "{:?}", whole.gravity_m_s2);
    assert!((whole.potential_j_kg.mean / (-g * radius) - 1.0).abs() < 3e-3, "{:?}", whole.potential_j_kg);
    for (k, centre) in field.centre_m.iter().enumerate() {
        let up = centre.normalize();
        let effective = -g * up + spin.length_squared() * DVec3::new(centre.x, centre.y, 0.0);
        let slope = effective.angle_between(-up).to_degrees();
        // a face is up to a degree from the sphere's tangent, and g off by its sagitta
        assert!((field.slope_deg[k] - slope).abs() < 1.0, "face {k}: {}, not {slope}", field.slope_deg[k]);
        assert!(field.effective_m_s2[k].distance(effective) < 0.01 * g);
    }
    assert!(whole.slope_deg.max > 10.0 && whole.slope_deg.min < 1.0, "{:?}", whole.slope_deg);
}

/// Means of 4,096 samples on record: 8.063e-5 m/s2; 15.7, 35.1 and 88.4 degrees. They are means by area.
#[test]
#[ignore = "needs shape models beside the repository: tests/common/shapes.rs"]
fn on_record_bennu_has_its_slopes() {
    let bennu = shape("bennu_49152");
    for (hours, slope) in [(4.296, 15.7), (3.4, 35.1), (2.6, 88.4)] {
        let r = report(&bennu, 1194.0, DVec3::Z * (TAU / (3600.0 * hours)));
        let (g, s) = (r.gravity_m_s2, r.slope_deg);
        println!(
            "{hours} h: |g| {:.4e} by area, slope {:.2} by area, {:.2} by face",
            g.mean_by_area, s.mean_by_area, s.mean
        );
        assert!((s.mean_by_area - slope).abs() < 0.2, "{hours} h: {s:?}");
        assert!((g.mean_by_area / 8.063e-5 - 1.0).abs() < 2e-3 && (g.min / 7.36e-5 - 1.0).abs() < 1e-3, "{g:?}");
        assert!((g.max / 8.32e-5 - 1.0).abs() < 1e-3, "{g:?}");
    }
}

fn breccia(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("breccia").expect("binary").arg("surface").args(args).assert()
}

#[test]
fn the_command_takes_a_surface_or_a_scenario() {
    let dir = tempfile::tempdir().expect("folder");
    let at = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\n\
                f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(at("cube.obj"), cube).expect("file");
    let scenario = "format = 1\n[run]\nduration_s = 1\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 3000\n\
                    speed_max_m_s = 0.1\nrestitution_normal = 0.5\nfriction_sliding = 0.4\n[[bodies]]\n\
                    generator = \"list\"\nbody = [{ position_m = [0, 0, 900], radius_m = 1 }]\n[asteroid]\n\
                    shape = { kind = \"mesh\", path = \"cube.obj\", unit_m = 200 }\ndensity_kg_m3 = 2000\n\
                    rotation_period_s = \"5 h\"\n";
    std::fs::write(at("a.toml"), scenario).expect("file");
    let json = |args: &[&str]| -> serde_json::Value {
        let done = breccia(args).success();
        serde_json::from_slice(&done.get_output().stdout).expect("JSON")
    };
    let alone = ["--unit", "0.2 km", "--density", "2 g/cm^3", "--period", "5 h", "--out", &at("out"), "--json"];
    let one = json(&[&[at("cube.obj").as_str()], &alone[..]].concat());
    let other = json(&[&at("a.toml"), "--out", &at("also"), "--json"]);
    assert_eq!(one, other);
    assert_eq!(one["faces"], 12);
    assert!((one["mass_kg"].as_f64().unwrap() / (2000.0 * 8e6) - 1.0).abs() < 1e-12);
    for name in ["centre", "area", "gravity", "effective_gravity", "potential", "effective_potential", "slope"] {
        assert!(dir.path().join("out").join(format!("{name}.npy")).is_file(), "{name}");
    }
    assert!(dir.path().join("out/surface.obj").is_file() && dir.path().join("out/surface.json").is_file());
    for (args, code, word) in [
        (vec![at("cube.obj")], 2, "needs --unit"),
        (vec![at("cube.obj"), "--unit".into(), "0".into()], 2, "above zero"),
        (vec![at("a.toml"), "--unit".into(), "1".into()], 2, "describes a surface alone"),
        (vec!["bounce".into()], 2, "no [asteroid] section"),
        (vec![at("none.obj"), "--unit".into(), "1".into(), "--density".into(), "1".into()], 7, "none.obj"),
    ] {
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let refused = breccia(&words).code(code);
        let text = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(text.contains(word), "{args:?}: {text}");
    }
}
