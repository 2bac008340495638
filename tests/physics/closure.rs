//! Constants of contacts by the linear law: the damping gives the restitution typed, stiffness and time step follow their rules.

use breccia::model::body::Bodies;
use breccia::model::scenario::Scenario;
use breccia::physics::laws::keys::{Keyed, RESTITUTION_NORMAL};
use breccia::physics::laws::linear_spring_dashpot::{NormalTension, SpringDashpot};
use breccia::physics::laws::pairs::settled;
use breccia::physics::laws::restitution::clamped_restitution;
use breccia::physics::time_step::time_step;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;

const TEXT: &str = r#"format = 1
[run]
duration_s = 10.0
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
restitution_tangential = 0.4
friction_sliding = 0.4
cohesion_pa = "1 kPa"
shape_parameter = 0.5
[[material]]
name = "ice"
density_kg_m3 = 900.0
stiffness_normal_n_m = 3e4
restitution_normal = 0.7
friction_sliding = 0.2
[[bodies]]
generator = "list"
material = "rock"
body = [{ position_m = [0, 0, 0], radius_m = 0.5 }, { position_m = [5, 0, 0], radius_m = 2.0 }]
[[bodies]]
generator = "list"
material = "ice"
body = [{ position_m = [0, 9, 0], radius_m = 0.3 }]
"#;

fn example(overrides: &[&str]) -> (Scenario, Bodies) {
    let overrides: Vec<String> = overrides.iter().map(|s| (*s).to_owned()).collect();
    let s = parse(TEXT, "closure.toml", &overrides).unwrap_or_else(|e| panic!("{e}"));
    let b = generate(&s).unwrap();
    (s, b)
}

/// The law between two materials.
fn law(s: &Scenario, b: &Bodies, i: usize, j: usize) -> SpringDashpot {
    let materials = settled(s, b);
    SpringDashpot::between(&materials[i], &materials[j])
}

/// k_N of every material (N/m).
fn stiffness(s: &Scenario, b: &Bodies) -> Vec<f64> {
    settled(s, b).iter().map(|m| m.number("stiffness_normal_n_m").expect("settled")).collect()
}

/// Restitution of x'' = -x - 2 ratio x' from x = 0 at unit speed inwards, by RK4; the contact ends with the overlap, or
/// with the force where the force may not pull.
fn integrated_restitution(ratio: f64, tension: NormalTension) -> f64 {
    let force = |x: f64, v: f64| -x - 2.0 * ratio * v;
    // Fast damping needs short steps: its rate is 2 ratio.
    let h = 1e-4 / (1.0 + ratio);
    let (mut x, mut v) = (0.0_f64, 1.0_f64);
    loop {
        let (k1x, k1v) = (v, force(x, v));
        let (k2x, k2v) = (v + 0.5 * h * k1v, force(x + 0.5 * h * k1x, v + 0.5 * h * k1v));
        let (k3x, k3v) = (v + 0.5 * h * k2v, force(x + 0.5 * h * k2x, v + 0.5 * h * k2v));
        let (k4x, k4v) = (v + h * k3v, force(x + h * k3x, v + h * k3v));
        x += h / 6.0 * (k1x + 2.0 * k2x + 2.0 * k3x + k4x);
        v += h / 6.0 * (k1v + 2.0 * k2v + 2.0 * k3v + k4v);
        let ended = match tension {
            NormalTension::Kept => x <= 0.0,
            NormalTension::None => force(x, v) >= 0.0,
        };
        if ended {
            return -v;
        }
    }
}

#[test]
fn damping_gives_the_restitution_typed() {
    for tension in ["kept", "none"] {
        for e in [0.1, 0.2, 0.3, 0.5, 0.55, 0.8, 0.9, 1.0] {
            let set = [
                format!("material.rock.restitution_normal={e}"),
                format!("material.rock.normal_tension={tension}"),
                "material.rock.speed_max_m_s=0.05".into(),
            ];
            let (s, b) = example(&set.each_ref().map(String::as_str));
            let law = law(&s, &b, 0, 0);
            // C = damping sqrt(m), so the ratio C / (2 sqrt(k m)) needs no mass.
            let ratio = law.damping_normal / (2.0 * law.stiffness_normal.sqrt());
            let measured = integrated_restitution(ratio, law.tension);
            // One step at the end of the contact moves the speed by 1e-4 at most.
            assert!((measured - e).abs() < 2e-4, "{tension} {e}: measured {measured} at a damping ratio of {ratio}");
        }
    }
}

#[test]
fn clamped_restitution_is_the_integral_on_both_sides_of_critical_damping() {
    for ratio in [0.01, 0.3, 0.6, 0.7, 0.71, 0.9, 0.99, 1.01, 1.5, 3.0] {
        let (formula, integral) = (clamped_restitution(ratio), integrated_restitution(ratio, NormalTension::None));
        assert!((formula - integral).abs() < 2e-4, "{ratio}: {formula} against {integral}");
    }
    let jump = clamped_restitution(1.0 - 1e-7) - clamped_restitution(1.0 + 1e-7);
    assert!(jump.abs() < 1e-5, "the branches meet with a jump of {jump}");
}

#[test]
fn stiffness_follows_the_largest_body_or_is_as_typed() {
    let (s, b) = example(&[]);
    let k = stiffness(&s, &b);
    let mass = 3000.0 * 4.0 / 3.0 * std::f64::consts::PI * 8.0;
    let rule = mass * (0.1_f64 / (0.01 * 2.0)).powi(2);
    assert!((k[0] / rule - 1.0).abs() < 1e-14, "{} against {rule}", k[0]);
    assert_eq!(k[1], 3e4);
    // At v_max the largest body presses 1 % of its radius into a fixed one: m v^2 = k x^2.
    assert!((0.1 * (mass / k[0]).sqrt() / 2.0 - 0.01).abs() < 1e-15);
}

#[test]
fn pairs_of_materials_mix_and_do_not_depend_on_order() {
    let (s, b) = example(&["material.ice.normal_tension=none"]);
    let k = stiffness(&s, &b);
    let (mixed, turned) = (law(&s, &b, 0, 1), law(&s, &b, 1, 0));
    assert_eq!(mixed, turned);
    assert!((mixed.stiffness_normal / (2.0 / (1.0 / k[0] + 1.0 / k[1])) - 1.0).abs() < 1e-14);
    assert!((mixed.stiffness_sliding / mixed.stiffness_normal - 2.0 / 7.0).abs() < 1e-14);
    assert!((mixed.friction.sliding - 0.3).abs() < 1e-15);
    assert_eq!(mixed.adhesion_pa, 4.0 * 500.0 * 0.25);
    assert_eq!(mixed.tension, NormalTension::None);
    assert_eq!(law(&s, &b, 0, 0).tension, NormalTension::Kept);
}

#[test]
fn automatic_step_is_rounded_down_and_set_by_the_fastest_pair() {
    let (s, b) = example(&["material.ice.stiffness_normal_n_m=3e6"]);
    let step = time_step(&s, &b);
    let exact = 0.02 * step.contact_time_s.expect("soft");
    assert!(step.dt_s <= exact && step.dt_s > exact * (1.0 - 1.0 / 2048.0), "{} for {exact}", step.dt_s);
    let unit = (step.dt_s.log2().floor() - 11.0).exp2();
    assert_eq!(step.dt_s / unit, (step.dt_s / unit).round(), "more than 12 significant bits");
    // Shortest by brute force over the pairs of materials with their lightest bodies.
    let lightest = [b.mass_kg[0], b.mass_kg[2]];
    let time = |i: usize, j: usize| {
        let e = RESTITUTION_NORMAL.mean(&s.materials[i], &s.materials[j]);
        let reduced = lightest[i] * lightest[j] / (lightest[i] + lightest[j]);
        let law = law(&s, &b, i, j);
        ((std::f64::consts::PI.powi(2) + e.ln().powi(2)) * reduced / law.stiffness_normal).sqrt()
    };
    let times = [time(0, 0), time(0, 1), time(1, 1)];
    let shortest = times.into_iter().fold(f64::INFINITY, f64::min);
    assert!(
        (step.contact_time_s.expect("soft") / shortest - 1.0).abs() < 1e-12,
        "{} among {times:?}",
        step.contact_time_s.expect("soft")
    );
    assert!(step.reason.contains("ice"), "{}", step.reason);
    let (s, b) = example(&["run.time_step_s=1e-4"]);
    assert_eq!(time_step(&s, &b).dt_s, 1e-4);
    assert!(time_step(&s, &b).reason.contains("as typed"));
}
