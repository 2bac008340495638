//! A run warns of asteroids that do what may not be meant, and refuses gravity that is held for too long.

use breccia::base::error::Result;
use breccia::record::check::{Estimate, check};
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;

/// A body that orbits an ellipsoid; its step is automatic.
const ORBIT: &str = r#"format = 1
[run]
duration_s = 1000
[asteroid]
shape = { kind = "ellipsoid", semi_axes_m = [120, 100, 80], faces = 320 }
density_kg_m3 = 2000
rotation_rad_s = [0, 0, 6e-4]
[[material]]
name = "rock"
density_kg_m3 = 2500
stiffness_normal_n_m = 10
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [600, 0, 0], radius_m = 5, velocity_m_s = [0, -0.2, 0] }]
[[gravity]]
kind = "asteroid"
"#;

fn checked(changes: &[(&str, &str)]) -> Result<Estimate> {
    let text = changes.iter().fold(ORBIT.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    });
    let scenario = parse(&text, "orbit.toml", &[])?;
    check(&scenario, &generate(&scenario)?)
}

fn warned(changes: &[(&str, &str)]) -> String {
    checked(changes).unwrap_or_else(|e| panic!("{changes:?}: {e}")).warnings.join("\n")
}

/// The axis of an ellipsoid of three different axes may be any of them, and one degree off.
#[test]
fn a_free_asteroid_that_will_tumble_is_told() {
    let turned = |axis: [f64; 3]| warned(&[("[0, 0, 6e-4]", &format!("{axis:?}"))]);
    let (sine, cosine) = 30f64.to_radians().sin_cos();
    let told = turned([6e-4 * sine, 0.0, 6e-4 * cosine]);
    assert!(told.contains("asteroid: its rotation axis is 30 degrees off") && told.contains("tumble"), "{told}");
    for axis in [[0.0, 0.0, 6e-4], [-6e-4, 0.0, 0.0], [1e-6, 0.0, 6e-4], [0.0, 0.0, 0.0]] {
        assert!(!turned(axis).contains("tumble"), "{axis:?}");
    }
    let middle = turned([0.0, 6e-4, 1e-6]);
    assert!(middle.contains("about the middle one of its principal axes"), "{middle}");
    let off = ("[0, 0, 6e-4]", "[3e-4, 0, 6e-4]");
    assert!(!warned(&[off, ("[[material]]", "motion = \"rotating\"\n[[material]]")]).contains("tumble"));
    // of a sphere any axis is principal
    let sphere = ("kind = \"ellipsoid\", semi_axes_m = [120, 100, 80]", "kind = \"sphere\", radius_m = 100");
    assert!(!warned(&[off, sphere]).contains("tumble"));
}

/// A point mass in the place of the asteroid's own field has its mass, to 1 %: G M is 0.53 m3/s2.
#[test]
fn a_central_mass_that_is_not_the_asteroids_is_told() {
    let own = breccia::base::units::G * 2000.0 * volume_m3();
    let with = |gm: f64, more: &str| {
        warned(&[("kind = \"asteroid\"\n", &format!("kind = \"central\"\ngm_m3_s2 = {gm:e}\n{more}"))])
    };
    let told = with(1.02 * own, "");
    assert!(told.contains("gravity: the field about the mass centre of the asteroid has G m = 0.5"), "{told}");
    let twice = with(own, "[[gravity]]\nkind = \"asteroid\"\n");
    assert!(twice.contains("its mass may count twice"), "{twice}");
    for quiet in [
        with(1.005 * own, ""),
        with(5e-3 * own, "[[gravity]]\nkind = \"asteroid\"\n"),
        warned(&[
            ("[0, 0, 6e-4]", "[0, 0, 0]\nmotion = \"fixed\""),
            ("kind = \"asteroid\"\n", "kind = \"central\"\ngm_m3_s2 = 9\nposition_m = [1e6, 0, 0]\n"),
        ]),
    ] {
        assert!(!quiet.contains("G m =") && !quiet.contains("twice"), "{quiet}");
    }
}

fn volume_m3() -> f64 {
    let scenario = parse(ORBIT, "orbit.toml", &[]).expect("parses");
    scenario.asteroid.expect("there").surface().expect("made").volume_m3
}

/// Whatever sets the time step, and by the density of whatever attracts: 0.5 / sqrt(G rho) is 1368 s for the asteroid and
/// 1224 s for the body.
#[test]
fn gravity_that_is_held_for_too_long_is_refused() {
    let dt_s = checked(&[]).expect("good").time_step.dt_s;
    let held = |most_s: f64, kind: &str| {
        let held = |steps: f64| {
            let source = format!("kind = \"{kind}\"\nupdate_every = {steps}\n");
            checked(&[("duration_s = 1000", "duration_s = 1e6"), ("kind = \"asteroid\"\n", &source)])
        };
        let most = (most_s / dt_s).floor();
        held(most - 1.0).expect("just short enough");
        held(most + 1.0).expect_err("too long").to_string()
    };
    let told = held(1368.4, "asteroid");
    let wanted =
        ["orbit.toml:", "gravity.0.update_every: ", "steps, is more than half of", "at 2000 kg/m3", "lower it to "];
    wanted.iter().for_each(|words| assert!(told.contains(words), "{told}"));
    let told = held(1224.0, "self");
    assert!(told.contains("gravity.0.update_every") && told.contains("1224 s at 2500 kg/m3"), "{told}");
}

/// An asteroid stays where it is, also where a planet pulls the bodies about it.
#[test]
fn a_planet_beside_an_asteroid_is_told() {
    let planet = (
        "kind = \"asteroid\"\n",
        "kind = \"asteroid\"\n[[gravity]]\nkind = \"central\"\ngm_m3_s2 = 1e6\nposition_m = [20000, 0, 0]\n",
    );
    let told = "gravity.1: kind = \"central\" pulls the bodies alone";
    for motion in ["fixed", "rotating"] {
        let still = ("[0, 0, 6e-4]", if motion == "fixed" { "[0, 0, 0]" } else { "[0, 0, 6e-4]" });
        let motion = ("[[material]]", &*format!("motion = \"{motion}\"\n[[material]]"));
        assert!(warned(&[planet, motion, still]).contains(told), "{motion:?}");
        assert!(!warned(&[motion, still]).contains("pulls the bodies alone"));
    }
    let refused = checked(&[planet]).map(|_| ()).expect_err("a free asteroid would have to fall").to_string();
    assert!(refused.contains("gravity.1.position_m") && !refused.contains("\"fixed\""), "{refused}");
}
