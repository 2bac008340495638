//! Where regolith slides and sheds: a turning sphere, on which both follow from the latitude, single faces, the command.

use crate::common::shapes::shape;
use assert_cmd::Command;
use breccia::analysis::safety_map::{Case, Failure, Regolith, safety_map};
use breccia::analysis::surface_field::{SurfaceField, surface_field};
use breccia::base::units::G;
use breccia::geometry::geodesic::geodesic;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

const DENSITY: f64 = 1500.0;
const RADIUS: f64 = 100.0;

fn regolith() -> Regolith {
    Regolith {
        friction_angle_deg: 35.0,
        density_kg_m3: 1400.0,
        radius_m: 0.1,
        grain_density_kg_m3: 2600.0,
        shape_parameter: 0.5,
    }
}

/// The share of a sphere whose latitude (rad, either hemisphere) satisfies `is`: the mean over d(sin).
fn share(is: impl Fn(f64) -> bool) -> f64 {
    let steps = 200_000;
    (0..steps).filter(|k| is(((f64::from(*k) + 0.5) / f64::from(steps)).asin())).count() as f64 / f64::from(steps)
}

/// Slope and weight of a sphere in closed form, eq. 16 and 17 of Song et al. (2024) as printed.
struct Sphere {
    /// w^2 R / g
    speed: f64,
    case: Case,
}

impl Sphere {
    fn new(speed: f64, cohesion_pa: f64, thickness_m: f64) -> Sphere {
        let rotation_rad_s = DVec3::Z * (speed * 4.0 / 3.0 * PI * G * DENSITY).sqrt();
        Sphere { speed, case: Case { rotation_rad_s, cohesion_pa, thickness_m } }
    }

    /// Slope (rad) and effective gravity (m/s2) at a latitude (rad).
    fn slope(&self, latitude: f64) -> (f64, f64) {
        let g = 4.0 / 3.0 * PI * G * DENSITY * RADIUS;
        let down = g * (1.0 - self.speed * latitude.cos().powi(2));
        let along = g * self.speed * latitude.cos() * latitude.sin().abs();
        (along.atan2(down), along.hypot(down))
    }

    fn safety(&self, latitude: f64) -> f64 {
        let (psi, g) = self.slope(latitude);
        let weight = 1400.0 * g;
        35f64.to_radians().tan() / psi.tan() + self.case.cohesion_pa / (weight * self.case.thickness_m * psi.sin())
    }

    /// 4 c beta R_e^2 = 0.005 c; 4/3 pi 0.1^3 2600 kg a grain; T/(2R) = 5 T.
    fn margin(&self, latitude: f64) -> f64 {
        let (psi, g) = self.slope(latitude);
        -0.005 * self.case.cohesion_pa - 5.0 * self.case.thickness_m * 10.890854532 * g * psi.cos()
    }
}

#[test]
fn a_turning_sphere_fails_by_latitude() {
    let surface = geodesic("sphere", 40, |_| RADIUS);
    let mut field = surface_field(&surface, DENSITY, DVec3::ZERO);
    for (speed, cohesion, thickness) in [(0.8, 0.0, 3.0), (1.2, 0.0, 5.0), (1.5, 0.05, 3.0), (1.5, 0.4, 5.0)] {
        let sphere = Sphere::new(speed, cohesion, thickness);
        field.turn(sphere.case.rotation_rad_s);
        let map = safety_map(&field, &regolith(), sphere.case);
        let areas = map.areas(&field, 0);
        let (mut compared, mut worst) = (0, 0f64);
        for (k, at) in field.centre_m.iter().enumerate() {
            let latitude = (at.z / at.length()).asin();
            let (psi, g) = sphere.slope(latitude);
            // faces lean against the sphere by up to half a degree, and are 2e-3 of g off
            if psi > 0.1 && psi < PI - 0.1 {
                let off = (map.factor_of_safety[k] - sphere.safety(latitude)).abs() * psi.sin().powi(2);
                worst = worst.max(off);
                compared += 1;
            }
            let margin = map.fission_margin_n[k] - sphere.margin(latitude);
            assert!(margin.abs() < 0.015 * 5.0 * thickness * 10.89 * g, "face {k}: margin off by {margin} N");
        }
        println!(
            "speed {speed}, {cohesion} Pa, {thickness} m: {compared} faces, FS sin^2 off by {worst:.4}; {areas:?}"
        );
        assert!(compared > 5000 && worst < 0.006, "{compared} faces, {worst}");
        let fission = share(|l| sphere.margin(l) >= 0.0);
        let landslide = share(|l| sphere.margin(l) < 0.0 && sphere.safety(l) < 1.0);
        let lifted = share(|l| sphere.slope(l).0 > 0.5 * PI);
        for (found, wanted) in [(areas.fission, fission), (areas.landslide, landslide), (areas.outward, lifted)] {
            assert!((found.share - wanted).abs() < 0.01, "{} of the area, {wanted} expected", found.share);
        }
        assert!(
            (areas.fission.area_m2 / areas.fission.share / (4.0 * PI * RADIUS * RADIUS) - 1.0).abs() < 3e-3
                || fission == 0.0
        );
    }
    // what the cases are for: regions that are there, and cohesion that holds some of what is lifted
    let (plain, some, held) = (Sphere::new(1.5, 0.0, 3.0), Sphere::new(1.5, 0.05, 3.0), Sphere::new(1.5, 0.4, 5.0));
    let area = |s: &Sphere| share(|l| s.margin(l) >= 0.0);
    assert!(area(&held) > 0.02 && area(&held) < area(&plain) - 0.02, "{} of {}", area(&held), area(&plain));
    assert!(share(|l| some.margin(l) < 0.0 && some.safety(l) < 1.0) > 0.05);
}

/// One face for each effective gravity (m/s2), all facing +z.
fn faces(effective: &[DVec3]) -> SurfaceField {
    let n = effective.len();
    SurfaceField {
        centre_m: vec![DVec3::Z; n],
        area_m2: vec![2.0; n],
        normal: vec![DVec3::Z; n],
        gravity_m_s2: effective.to_vec(),
        effective_m_s2: effective.to_vec(),
        potential_j_kg: vec![0.0; n],
        effective_potential_j_kg: vec![0.0; n],
        slope_deg: vec![0.0; n],
    }
}

#[test]
fn level_weightless_and_lifted_faces() {
    let slip = 35f64.to_radians().tan();
    let g = [DVec3::new(0.0, 0.0, -1.0), DVec3::ZERO, DVec3::Z, DVec3::new(0.3, 0.4, -1.0), DVec3::new(3.0, 0.0, 1.0)];
    let case = |cohesion_pa| Case { rotation_rad_s: DVec3::ZERO, cohesion_pa, thickness_m: 2.0 };
    let loose = safety_map(&faces(&g), &regolith(), case(0.0));
    assert_eq!(loose.factor_of_safety[0], f64::INFINITY);
    assert!((loose.factor_of_safety[3] - slip / 0.5).abs() < 1e-12 && loose.factor_of_safety[4] < 0.0);
    use Failure::*;
    assert_eq!(loose.failure, [Stable, Fission, Fission, Stable, Fission]);
    // 1 m/s2 lifts 5 x 2 x 10.89 kg: 21,782 Pa hold that
    let strong = safety_map(&faces(&g), &regolith(), case(22_000.0));
    assert!(strong.factor_of_safety.iter().take(3).all(|f| *f == f64::INFINITY));
    assert_eq!(strong.failure, [Stable, Stable, Stable, Stable, Stable]);
    let wanted = (22_000.0 / (1400.0 * 2.0) - slip) / 3.0;
    assert!((strong.factor_of_safety[4] - wanted).abs() < 1e-12, "tension takes friction away");
    assert_eq!(safety_map(&faces(&g), &regolith(), case(21_700.0)).failure[2], Fission);
    assert!((strong.fission_margin_n[2] - (108.90854532 - 110.0)).abs() < 1e-6);
    let areas = strong.areas(&faces(&g), 0);
    assert_eq!((areas.outward.area_m2, areas.fission.area_m2, areas.period_s), (4.0, 0.0, None));
}

/// The cases of Song et al. 2024, Fig. 11: without cohesion regolith slides at mid latitudes at 3.4 h, with 1 Pa it sheds from
/// the equator at 2.6 h and slides nowhere.
#[test]
#[ignore = "needs shape models beside the repository: tests/common/shapes.rs"]
fn on_record_bennu_slides_or_sheds_by_its_cohesion() {
    let bennu = shape("bennu_49152");
    let mut field = surface_field(&bennu, 1194.0, DVec3::ZERO);
    let grains =
        Regolith { friction_angle_deg: 40.0, density_kg_m3: 1194.0, grain_density_kg_m3: 3350.0, ..regolith() };
    let mut map = |hours: f64, cohesion_pa, thickness_m| {
        let rotation_rad_s = DVec3::Z * (TAU / (3600.0 * hours));
        field.turn(rotation_rad_s);
        let map = safety_map(&field, &grains, Case { rotation_rad_s, cohesion_pa, thickness_m });
        (map.areas(&field, 0), map, field.centre_m.clone())
    };
    let (slow, ..) = map(3.4, 0.0, 3.0);
    assert!(slow.landslide.share > 0.2 && slow.fission.share < 0.01, "{slow:?}");
    let (fast, shed, centre) = map(2.6, 1.0, 3.0);
    assert!(
        fast.landslide.share == 0.0 && fast.fission.share > 0.1 && fast.fission.share < fast.outward.share,
        "{fast:?}"
    );
    let latitudes = centre.iter().zip(&shed.failure).filter(|(_, f)| **f == Failure::Fission);
    let high = latitudes.map(|(c, _)| (c.z / c.length()).asin().to_degrees().abs()).fold(0.0, f64::max);
    assert!(high < 60.0, "sheds at {high} degrees");
    assert!(map(2.6, 1.0, 5.0).0.fission.share > fast.fission.share, "deeper layers shed more");
}

fn breccia(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("breccia").expect("binary").args(["analyze", "safety-map"]).args(args).assert()
}

#[test]
fn the_command_makes_a_table_of_all_cases() {
    let dir = tempfile::tempdir().expect("folder");
    let at = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
    let ball = geodesic("ball", 6, |_| 100.0);
    breccia::analysis::surface_field::write_surface(dir.path(), &ball).expect("written");
    let scenario = "format = 1\n[run]\nduration_s = 1\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 3000\n\
                    speed_max_m_s = 0.1\nrestitution_normal = 0.5\nfriction_sliding = 0.4\n[[bodies]]\n\
                    generator = \"list\"\nbody = [{ position_m = [0, 0, 900], radius_m = 1 }]\n[asteroid]\n\
                    shape = { kind = \"mesh\", path = \"surface.obj\", unit_m = 1 }\ndensity_kg_m3 = 1500\n\
                    rotation_period_s = \"2.6 h\"\n";
    std::fs::write(at("a.toml"), scenario).expect("file");
    let layer = ["--cohesion", "0,0.05 Pa", "--thickness", "3,5", "--radius", "10 cm", "--json", "--out"];
    let json = |args: &[&str], out: &str| -> serde_json::Value {
        let done = breccia(&[args, &layer[..], &[out]].concat()).success();
        serde_json::from_slice(&done.get_output().stdout).expect("JSON")
    };
    let one = json(&[&at("surface.obj"), "--unit", "1", "--density", "1500", "--period", "2.6 h,3.4 h"], &at("one"));
    let other = json(&[&at("a.toml")], &at("other"));
    assert_eq!(one["cases"].as_array().expect("cases").len(), 8);
    assert_eq!(one["cases"].as_array().unwrap()[..4], other["cases"].as_array().unwrap()[..]);
    let csv = std::fs::read_to_string(at("one/safety_map.csv")).expect("table");
    assert!(csv.starts_with("case,period_s,cohesion_pa,thickness_m,unstable_area_m2") && csv.lines().count() == 9);
    let read = |name: &str| breccia::model::stored::frames::read_f64(&dir.path().join("one").join(name)).expect(name);
    let (failure, shape) = read("failure.npy");
    assert_eq!((shape, read("factor_of_safety.npy").1), (vec![8, 720], vec![8, 720]));
    let area = read("area.npy").0;
    let lost: f64 = (0..720).filter(|k| failure[*k] == 2.0).map(|k| area[k]).sum();
    assert!((lost - one["cases"][0]["fission"]["area_m2"].as_f64().unwrap()).abs() < 1e-6 * area.iter().sum::<f64>());
    for (args, word) in [
        (vec!["surface.obj", "--unit", "1", "--density", "1500", "--thickness", "0", "--radius", "1"], "above zero"),
        (vec!["bounce", "--thickness", "1", "--radius", "1"], "no [asteroid] section"),
        (vec!["a.toml", "--thickness", "3,1.9", "--radius", "1"], "--thickness 1.9: is thinner than a grain"),
        (vec!["bounce", "--thickness", "1", "--radius", "1", "--cohesion", "-1"], "from 0"),
        (vec!["a.toml", "--thickness", "2", "--radius", "1", "--friction-angle", "90"], "below 90"),
        (vec!["a.toml", "--thickness", "1"], "--radius"),
    ] {
        let mut command = Command::cargo_bin("breccia").expect("binary");
        let refused = command.current_dir(dir.path()).args(["analyze", "safety-map"]).args(&args).assert().code(2);
        let text = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(text.contains(word), "{args:?}: {text}");
    }
}
