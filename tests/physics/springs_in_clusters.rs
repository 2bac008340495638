//! Springs of friction where more than two bodies hold on to each other: they turn along with what turns as a whole, no cluster
//! gains energy of them, and dashpots end what they damp.

use crate::common::{engine, reference};
use breccia::engine::Engine;
use breccia::model::body::Bodies;
use breccia::model::scenario::Scenario;
use breccia::model::snapshot::Snapshot;
use breccia::physics::time_step::time_step;
use breccia::record::check::check;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;
use std::f64::consts::{PI, TAU};

const RING: &str = "friction_rolling = 1.0\nfriction_twisting = 1.0\nshape_parameter = 1.0\ncohesion_pa = 4000.0\n";

/// Spheres of these places (m) and radii (m), of one material.
fn scenario(restitution: f64, more: &str, spheres: &[(DVec3, f64)], rest: &str) -> (Scenario, Bodies) {
    let sphere = |(p, r): &(DVec3, f64)| format!("{{ position_m = [{}, {}, {}], radius_m = {r} }}", p.x, p.y, p.z);
    let list = spheres.iter().map(sphere).collect::<Vec<_>>().join(", ");
    let text = format!(
        "format = 1\n[run]\nduration_s = 400.0\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 2500.0\nstiffness_normal_n_m = 1e5\n\
         restitution_normal = {restitution}\nfriction_sliding = 1.0\n{more}[[bodies]]\ngenerator = \"list\"\nbody = [{list}]\n{rest}"
    );
    let s = parse(&text, "cluster.toml", &[]).expect("parses");
    let b = generate(&s).expect("bodies");
    (s, b)
}

fn kinetic_j(s: &Snapshot) -> f64 {
    let b = &s.bodies;
    let of = |k: usize| {
        let moment = 0.4 * b.mass_kg[k] * b.radius_m[k].powi(2);
        0.5 * (b.mass_kg[k] * b.velocity_m_s[k].length_squared() + moment * b.spin_rad_s[k].length_squared())
    };
    (0..b.len()).map(of).sum()
}

/// Two rings of six spheres that hold together, the upper one pressed a little out of its place, so that contacts bear shear.
fn rings() -> Vec<(DVec3, f64)> {
    let around = |k: u32| {
        let (sin, cos) = (PI / 3.0 * f64::from(k)).sin_cos();
        DVec3::new(cos, sin, 0.0)
    };
    let ring = |radius: f64, height: f64| (0..6).map(move |k| (radius * around(k) + height * DVec3::Z, 0.5));
    ring(0.99, -0.495).chain(ring(1.002, 0.494_927)).collect()
}

/// How far the upper ring has turned against the lower one (rad).
fn turned(s: &Snapshot) -> f64 {
    let angle = |k: usize| s.bodies.position_m[k].y.atan2(s.bodies.position_m[k].x);
    let between = |k: usize| (angle(k + 6) - angle(k) + PI).rem_euclid(TAU) - PI;
    (0..6).map(between).sum::<f64>() / 6.0
}

/// The same body, once in inertial space and once at rest in a frame that turns with it: after a rotation and a half contacts
/// have not crept. Springs that do not turn along let the ring turn by 6e-3 rad a rotation.
#[test]
fn a_body_that_turns_carries_its_springs_along() {
    const SPIN: f64 = 0.1;
    let frame = format!("[[gravity]]\nkind = \"rotating_frame\"\nrotation_rad_s = [0, 0, {SPIN}]\n");
    for (turns, rest) in [(true, ""), (false, frame.as_str())] {
        let (s, mut b) = scenario(0.3, RING, &rings(), rest);
        if turns {
            b.velocity_m_s = b.position_m.iter().map(|p| SPIN * DVec3::Z.cross(*p)).collect();
            b.spin_rad_s = vec![SPIN * DVec3::Z; b.len()];
        }
        let (mut gpu, mut exact) = (engine(&s, &b), reference(&s, &b));
        let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
        for engine in both {
            let settled = (0.25 * TAU / SPIN / engine.time_step_s()).round() as u64;
            engine.run_to(settled).expect("steps");
            let before = turned(&engine.snapshot().expect("snapshot"));
            engine.run_to(7 * settled).expect("steps");
            let crept = turned(&engine.snapshot().expect("snapshot")) - before;
            println!("in inertial space: {turns}: {crept:.2e} rad in 1.5 rotations");
            assert!(crept.abs() < 1e-4, "in inertial space: {turns}: crept by {crept} rad");
        }
    }
}

/// Three unequal spheres that cohesion holds, of little damping and wide areas of contact, all but at rest: they come to rest. Where
/// slip stretches springs of rolling they went from 5e-9 to 16 J.
#[test]
fn no_cluster_gains_energy_of_its_springs() {
    let spheres = [
        (DVec3::new(-0.003_955_852, 0.003_321_810, 0.0), 1.0),
        (DVec3::new(-1.085_672_837, 0.911_272_935, 0.0), 0.422_861_737),
        (DVec3::new(-1.334_942_880, 0.264_729_440, 0.0), 0.273_377_918),
    ];
    let more = "friction_rolling = 1.0\nshape_parameter = 1.5\ncohesion_pa = 2000.0\n";
    let (s, mut b) = scenario(0.9, more, &spheres, "");
    b.velocity_m_s[1] = DVec3::new(-1e-6, 1e-6, 0.0);
    let (mut gpu, mut exact) = (engine(&s, &b), reference(&s, &b));
    let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
    for engine in both {
        let steps = (300.0 / engine.time_step_s()).round() as u64;
        let mut rolling_j = 0.0;
        for row in 1..=10 {
            engine.run_to(row * steps / 10).expect("steps");
            let s = engine.snapshot().expect("snapshot");
            let kinetic = kinetic_j(&s);
            assert!(kinetic < 1e-7, "{kinetic} J after {} s", s.time_s);
            assert!(s.dissipated.rolling_j > rolling_j - 1e-9, "rolling gave back {} J", s.dissipated.rolling_j);
            rolling_j = s.dissipated.rolling_j;
        }
    }
}

/// A sphere on a floor that spins about the normal, with a dashpot of twisting that is far faster than the normal one: the automatic
/// step follows it, and the spin ends with the loss of all of it. A warning names a typed step that is too long.
#[test]
fn dashpots_of_friction_end_what_they_damp() {
    let more = "restitution_tangential = 0.1\nstiffness_ratio = 2.0\nfriction_twisting = 1.0\nshape_parameter = 2.0\n";
    let rest = "[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0, 0, -0.1]\n[[wall]]\nkind = \"plane\"\nname = \"floor\"\n\
                point_m = [0, 0, 0]\nnormal = [0, 0, 1]\n";
    let (s, mut b) = scenario(0.5, more, &[(0.5 * DVec3::Z, 0.5)], rest);
    b.spin_rad_s[0] = 0.01 * DVec3::Z;
    let step = time_step(&s, &b);
    assert!(step.reason.contains("25 times the damping time of friction"), "{}", step.reason);
    let spinning_j = 0.5 * 0.4 * b.mass_kg[0] * 0.25 * 1e-4;
    let (mut gpu, mut exact) = (engine(&s, &b), reference(&s, &b));
    let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
    for engine in both {
        engine.run_to((30.0 / engine.time_step_s()) as u64).expect("steps");
        let shot = engine.snapshot().expect("snapshot");
        let spin = shot.bodies.spin_rad_s[0].z;
        assert!(spin.abs() < 1e-6, "still turns by {spin} rad/s");
        let lost = shot.dissipated.twisting_j / spinning_j;
        assert!((lost - 1.0).abs() < 0.05, "twisting took {lost} of the energy of the spin");
    }
    let long = s.with("run.time_step_s", 4.0 * step.dt_s).expect("valid");
    let told = check(&long, &b).expect("accepted").warnings.join("\n");
    assert!(told.contains("of the damping time of friction"), "{told}");
}

/// A plane through a point (m).
fn plane(name: &str, point: [f64; 3], normal: [f64; 3]) -> String {
    format!("[[wall]]\nkind = \"plane\"\nname = \"{name}\"\npoint_m = {point:?}\nnormal = {normal:?}\n")
}

/// Planes about the z axis that press a sphere of 0.1 m at (0.1, 0.1, 0.1) m together by a hundredth of its radius.
fn about(count: usize) -> String {
    let planes = (0..count).map(|k| {
        let (y, x) = (TAU * k as f64 / count as f64).sin_cos();
        let at = DVec3::splat(0.1) - 0.099 * DVec3::new(x, y, 0.0);
        plane(&format!("p{k}"), at.to_array(), [x, y, 0.0])
    });
    planes.collect()
}

/// Springs of wide and stiff contacts swing faster than the normal one does: the automatic step follows them, at its largest fraction
/// too, so that a spin between planes swings without growing. With steps of a tenth of the contact time it grows a thousandfold, so
/// such a typed step is refused.
#[test]
fn springs_of_friction_swing_without_gain() {
    let more = "stiffness_ratio = 2.0\nfriction_rolling = 1.0\nfriction_twisting = 1.0\nshape_parameter = 2.0\n";
    for count in [4, 6] {
        let (s, mut b) = scenario(1.0, more, &[(DVec3::splat(0.1), 0.1)], &about(count));
        let automatic = s.with("run.time_step_fraction", 0.1).expect("valid");
        let start = DVec3::new(1e-6, 0.0, 1e-6);
        b.spin_rad_s[0] = start;
        let step = time_step(&automatic, &b);
        assert!(step.reason.contains("ten times the swing time of friction"), "{}", step.reason);
        let long = s.with("run.time_step_s", 0.1 * step.contact_time_s.expect("linear")).expect("valid");
        let told = check(&long, &b).expect_err("too long").to_string();
        assert!(told.contains("of ten times the swing time of friction"), "{told}");
        let mut growths = vec![];
        for s in [automatic, long] {
            let mut e = reference(&s, &b);
            let mut most: f64 = 0.0;
            for step in 1..=400 {
                e.run_to(step).expect("steps");
                most = most.max(e.snapshot().expect("snapshot").bodies.spin_rad_s[0].length());
            }
            growths.push(most / start.length());
        }
        println!("{count} planes: {growths:?}");
        assert!(growths[0] < 1.2, "{count} planes: grew {} times", growths[0]);
        assert!(growths[1] > 1000.0, "{count} planes: a long step is sound, {}", growths[1]);
    }
}

/// A small sphere that two large ones hold: their wide areas of contact slow its spin faster than its like would. The automatic step
/// follows them; with that of two small spheres the spin's energy grew from 2.5e-14 to 3e-6 J.
#[test]
fn a_sphere_between_large_ones_comes_to_rest() {
    let more = "friction_rolling = 1.0\nfriction_twisting = 1.0\nshape_parameter = 2.0\ncohesion_pa = 100.0\n";
    let at = 1.1 - 100.0 * (0.1f64 / 1.1).powi(2) / 1e5;
    let spheres = [(DVec3::ZERO, 0.1), (at * DVec3::X, 1.0), (-at * DVec3::X, 1.0)];
    let (s, mut b) = scenario(0.1, more, &spheres, "");
    b.spin_rad_s[0] = DVec3::splat(1e-6);
    let step = time_step(&s, &b);
    assert!(step.reason.contains("lightest body of `rock` and largest of `rock`"), "{}", step.reason);
    let turning_j = |b: &Bodies| 0.2 * b.mass_kg[0] * b.radius_m[0].powi(2) * b.spin_rad_s[0].length_squared();
    let start_j = turning_j(&b);
    let (mut gpu, mut exact) = (engine(&s, &b), reference(&s, &b));
    let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
    for engine in both {
        engine.run_to((0.3 / engine.time_step_s()) as u64).expect("steps");
        let left = turning_j(&engine.snapshot().expect("snapshot").bodies) / start_j;
        println!("{left:.2e} of the energy of the spin is left");
        assert!(left < 0.1, "{left} of the energy of the spin is left");
    }
}

/// A sphere in the corner of three planes has three contacts whose dashpots slow its spin together, and between six planes about one
/// axis six: it comes to rest. With the step of one contact it spun to and fro at 0.4 rad/s for ever, and 6 J were booked as lost
/// every second.
#[test]
fn a_sphere_with_many_contacts_comes_to_rest() {
    let corner = "[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [-6, -6, -6]\n".to_owned()
        + &plane("x", [0.0; 3], [1.0, 0.0, 0.0])
        + &plane("y", [0.0; 3], [0.0, 1.0, 0.0])
        + &plane("z", [0.0; 3], [0.0, 0.0, 1.0]);
    let cases = [(&corner, 0.5), (&about(2), 0.0), (&about(6), 0.0), (&about(6), 0.5)];
    for ((rest, twisting), restitution) in cases.into_iter().flat_map(|case| [0.1, 0.3, 0.5].map(|e| (case, e))) {
        let more = format!("friction_rolling = 0.5\nfriction_twisting = {twisting}\nshape_parameter = 2.0\n");
        let (s, mut b) = scenario(restitution, &more, &[(DVec3::splat(0.1), 0.1)], rest);
        b.spin_rad_s[0] = DVec3::new(0.1, 0.0, 0.1);
        let mut e = reference(&s, &b);
        let steps = 4.0 / e.time_step_s();
        e.run_to((0.75 * steps) as u64).expect("steps");
        let before = e.snapshot().expect("snapshot").dissipated;
        e.run_to(steps as u64).expect("steps");
        let now = e.snapshot().expect("snapshot");
        let spin = now.bodies.spin_rad_s[0].length();
        // nothing but twisting slows a spin about the line of two contacts
        let spin = if twisting == 0.0 { now.bodies.spin_rad_s[0].z.abs() } else { spin };
        assert!(spin < 1e-6, "restitution {restitution}: spins at {spin} rad/s");
        let lost = now.dissipated.sliding_j + now.dissipated.rolling_j - before.sliding_j - before.rolling_j;
        assert!(lost.abs() < 1e-9, "restitution {restitution}: {lost} J in the last second");
    }
}
