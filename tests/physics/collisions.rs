//! Collisions of two groups: piles from disk, turned and spun, put on their way with known energies.

use crate::common::{read_frame, write_frame};
use breccia::base::error::Result;
use breccia::model::body::Bodies;
use breccia::model::scenario::Impact;
use breccia::model::snapshot::Snapshot;
use breccia::model::stored::frames::last_frame;
use breccia::record::files::manifest::Manifest;
use breccia::record::files::series;
use breccia::record::warnings::contact_warning;
use breccia::scenario::generate::{arranged, generate};
use breccia::scenario::load;
use breccia::scenario::parse::parse;
use glam::DVec3;
use std::path::Path;

use crate::common::command::breccia_in;

const G: f64 = 6.674_30e-11;

const HEAD: &str = r#"format = 1
seed = 4
[run]
duration_s = "1 h"
[[material]]
density_kg_m3 = 14350.0
speed_max_m_s = 300.0
restitution_normal = 0.5
friction_sliding = 0.4
[[gravity]]
kind = "self"
"#;

/// A cloud as heavy and as wide as the pile of 5,000 of Guidos et al. 2024: 6.155e19 kg, centres within 203 km.
const CLOUD: &str = r#"[[bodies]]
generator = "sphere"
count = 2000
container_radius_m = 211000.0
radius_m = 8000.0
"#;

fn make(text: &str) -> Result<(Bodies, Option<Impact>)> {
    arranged(&mut parse(&format!("{HEAD}{text}"), "piles.toml", &[])?)
}

fn collide(keys: &str) -> (Bodies, Impact) {
    let (bodies, impact) = make(&format!("{CLOUD}{CLOUD}[collision]\n{keys}\n")).expect(keys);
    (bodies, impact.expect("a collision"))
}

fn momentum(b: &Bodies) -> (DVec3, f64) {
    let parts = (0..b.len()).map(|k| b.mass_kg[k] * b.velocity_m_s[k]);
    parts.fold((DVec3::ZERO, 0.0), |(sum, size), p| (sum + p, size + p.length()))
}

/// The mean of a list over bodies of equal mass.
fn mean(list: &[DVec3]) -> DVec3 {
    list.iter().sum::<DVec3>() / list.len() as f64
}

#[test]
fn the_piles_weigh_as_published() {
    // N, mass and sizes of Guidos et al. 2024, section 3.1; the second is 1.54e22 g by their own sizes.
    for (count, container, mass_kg) in
        [(5000, "300 km", 6.155e19), (1250, "190 km", 1.540e19), (500, "140 km", 6.174e18)]
    {
        let set = [format!("bodies.0.count={count}"), format!("bodies.0.container_radius_m=\"{container}\"")];
        let bodies = generate(&load("rubble_pile", &set).unwrap()).unwrap();
        let total: f64 = bodies.mass_kg.iter().sum();
        assert!((total / mass_kg - 1.0).abs() < 1e-3, "{count}: {total} kg");
    }
}

#[test]
fn the_quoted_speed_comes_from_the_energy_of_all_pairs() {
    // Two uniform spheres in contact: U = -(2 x 3/5 + 1/2) G M^2 / R, so V^2 = 3.4 G M / R at eta = 0.5: 262 m/s. Grains as
    // points, 2,000 at random: 2 %.
    let (bodies, impact) = collide("eta = 0.5\nimpact_angle_deg = 0");
    assert!((impact.mass_kg[0] / 6.155e19 - 1.0).abs() < 2e-3, "{:?}", impact.mass_kg);
    assert!((impact.speed_m_s / 262.0 - 1.0).abs() < 0.02, "{} m/s", impact.speed_m_s);
    assert!((impact.eta - 0.5).abs() < 1e-12);
    // back from where they start, the spheres that hold them touching, to the contact
    let touch = impact.radius_m[0] + impact.radius_m[1];
    let shift = (touch - impact.reach_m[0] - impact.reach_m[1]) * DVec3::X;
    let at = |k: usize| if k < 2000 { bodies.position_m[k] } else { bodies.position_m[k] + shift };
    let pair = |i: usize, j: usize| -G * bodies.mass_kg[i] * bodies.mass_kg[j] / at(i).distance(at(j));
    let mut sums = [0.0; 3];
    for i in 0..4000 {
        (0..i).for_each(|j| sums[usize::from(i >= 2000) + usize::from(j >= 2000)] += pair(i, j));
    }
    // both in the target, one of each, both in the projectile
    for (sum, told) in sums.iter().zip([impact.potential_j[0], impact.potential_mutual_j, impact.potential_j[1]]) {
        assert!((sum / told - 1.0).abs() < 1e-9, "{sum} J, {told} J told");
    }
    let escape = (2.0 * G * 2.0 * impact.mass_kg[0] / touch).sqrt();
    assert!((impact.escape_speed_m_s / escape - 1.0).abs() < 1e-6);
    assert!((impact.specific_energy_j_kg / (impact.speed_m_s.powi(2) / 8.0) - 1.0).abs() < 1e-9);
}

#[test]
fn the_same_speed_can_be_told_in_three_ways() {
    let (_, by_eta) = collide("eta = 3.0\nimpact_angle_deg = 22");
    let (_, by_speed) = collide(&format!("speed_m_s = {}\nimpact_angle_deg = 22", by_eta.speed_m_s));
    let ratio = by_eta.speed_m_s / by_eta.escape_speed_m_s;
    let (_, by_escape) = collide(&format!("speed_over_escape = {ratio}\nimpact_angle_deg = 22"));
    for other in [by_speed, by_escape] {
        assert!((other.eta - 3.0).abs() < 1e-9 && (other.speed_m_s - by_eta.speed_m_s).abs() < 1e-9, "{other:?}");
    }
    let touch = by_eta.radius_m[0] + by_eta.radius_m[1];
    assert!((by_eta.impact_parameter_m / (touch * 22f64.to_radians().sin()) - 1.0).abs() < 1e-12);
}

#[test]
fn groups_start_in_the_frame_of_the_mass_centre_with_energy_and_angular_momentum_of_the_contact() {
    let (b, i) = collide("eta = 1.0\nimpact_angle_deg = 44\ngap_m = \"200 km\"");
    let (sum, size) = momentum(&b);
    assert!(sum.length() < 1e-12 * size, "{sum}");
    assert!(mean(&b.position_m).length() < 1e-6, "{}", mean(&b.position_m));
    let apart = |list: &[DVec3]| mean(&list[2000..]) - mean(&list[..2000]);
    let (d, v) = (apart(&b.position_m), apart(&b.velocity_m_s));
    let touch = i.radius_m[0] + i.radius_m[1];
    assert!((d.length() - i.reach_m[0] - i.reach_m[1] - 2e5).abs() < 1e-3, "{}", d.length());
    assert!((v.length() / i.speed_start_m_s - 1.0).abs() < 1e-12 && v.dot(d) < 0.0);
    let gm = G * (i.mass_kg[0] + i.mass_kg[1]);
    let energy = |v: f64, r: f64| 0.5 * v * v - gm / r;
    assert!((energy(v.length(), d.length()) / energy(i.speed_m_s, touch) - 1.0).abs() < 1e-6);
    let turning = d.cross(v) / (i.speed_m_s * i.impact_parameter_m);
    assert!(turning.distance(DVec3::Z) < 1e-9, "{turning}");
}

#[test]
fn a_run_that_ends_before_the_contact_says_so() {
    // at 1.3 times the escape speed 3,600 km take about three hours, and the run has one
    for (gap, late) in [("400 km", false), ("3600 km", true)] {
        let text =
            format!("{CLOUD}{CLOUD}[collision]\nspeed_over_escape = 1.3\nimpact_angle_deg = 22\ngap_m = \"{gap}\"\n");
        let mut scenario = parse(&format!("{HEAD}{text}"), "piles.toml", &[]).expect("a scenario");
        let (_, impact) = arranged(&mut scenario).expect("bodies");
        let told = contact_warning(&scenario, impact.as_ref());
        assert_eq!(
            told.as_ref().is_some_and(|t| t.starts_with("run.duration_s: the groups meet after ")),
            late,
            "{told:?}"
        );
    }
}

/// Two bodies of 1 and 2 m, moving and spinning, as the last frame of a run.
fn pair_on_disk(run: &Path) {
    let mut bodies = crate::common::bodies(&[(DVec3::ZERO, 1.0), (DVec3::new(9.0, 0.0, 0.0), 2.0)], 1000.0);
    bodies.velocity_m_s = vec![DVec3::new(1.0, 2.0, 3.0); 2];
    bodies.spin_rad_s[1] = DVec3::new(0.0, 0.0, 0.5);
    write_frame(run, 0, &Snapshot { bodies, ..Snapshot::default() }, false).expect("frame");
}

#[test]
fn a_pile_from_disk_is_centred_turned_and_moved_as_often_as_it_is_taken() {
    let run = tempfile::tempdir().expect("folder");
    pair_on_disk(run.path());
    let group = |keys: &str| format!("[[bodies]]\ngenerator = \"frame\"\npath = '{}'\n{keys}\n", run.path().display());
    let taken = |keys: &[&str]| make(&keys.iter().map(|k| group(k)).collect::<String>()).expect("taken").0;
    let b = taken(&[
        "",
        "about = \"mass_centre\"",
        "about = \"mass_centre\"\nturn_deg = [0, 0, 90]\noffset_m = [0, 0, 50]\nvelocity_m_s = [0, 0, 7]",
    ]);
    assert_eq!(b.len(), 6);
    assert_eq!((b.position_m[1], b.velocity_m_s[1]), (DVec3::new(9.0, 0.0, 0.0), DVec3::new(1.0, 2.0, 3.0)));
    // masses are 1:8, so that the heavy one is 1 m from the mass centre
    let near = |a: DVec3, b: DVec3| assert!(a.distance(b) < 1e-12, "{a}, {b} expected");
    near(b.position_m[2], DVec3::new(-8.0, 0.0, 0.0));
    near(b.position_m[3], DVec3::new(1.0, 0.0, 0.0));
    near(b.velocity_m_s[3], DVec3::ZERO);
    near(b.spin_rad_s[3], DVec3::new(0.0, 0.0, 0.5));
    near(b.position_m[4], DVec3::new(0.0, -8.0, 50.0));
    near(b.velocity_m_s[4], DVec3::new(0.0, 0.0, 7.0));
    let b = taken(&["turn_deg = [90, 0, 0]", "at_rest = true"]);
    near(b.position_m[0], DVec3::ZERO);
    near(b.velocity_m_s[1], DVec3::new(1.0, -3.0, 2.0));
    near(b.spin_rad_s[1], DVec3::new(0.0, -0.5, 0.0));
    assert!(b.velocity_m_s[2..].iter().chain(&b.spin_rad_s[2..]).all(|v| *v == DVec3::ZERO));
    // Mean square distance with 3/5 r^2 of each: (64 + 8 + 3/5 (1 + 8 x 4)) / 9 = 10.2 = 3/5 R^2.
    let b = taken(&["at_rest = true\nspin_break_up = { fraction = 0.5, axis = [0, 0, 2] }"]);
    let rate = 0.5 * (G * (b.mass_kg[0] + b.mass_kg[1]) / 17f64.sqrt().powi(3)).sqrt();
    near(b.spin_rad_s[0] / rate, DVec3::Z);
    near(b.velocity_m_s[0] / (8.0 * rate), -DVec3::Y);
}

#[test]
fn bodies_get_speeds_and_spins_in_directions_of_their_own() {
    let made = |keys: &str| {
        let group = "[[bodies]]\ngenerator = \"lattice\"\ncount = 4000\ngrid_spacing_m = 3.0\nradius_m = 1.0\n";
        make(&format!("{group}{keys}\n")).expect("made").0
    };
    let still = made("");
    let b = made("random_speed_m_s = 0.25\nrandom_spin_rad_s = 1e-3");
    assert_eq!(b.position_m, still.position_m);
    for (motions, size) in [(&b.velocity_m_s, 0.25), (&b.spin_rad_s, 1e-3)] {
        assert!(motions.iter().all(|m| (m.length() / size - 1.0).abs() < 1e-14));
        // a component of a random direction has a variance of 1/3; five standard errors of the mean of 4,000
        let mean = motions.iter().sum::<DVec3>() / (4000.0 * size);
        assert!(mean.abs().max_element() < 5.0 * (1.0 / 12000f64).sqrt(), "{mean}");
        let along = motions.iter().map(|m| m.z * m.z).sum::<f64>() / (4000.0 * size * size);
        assert!((along - 1.0 / 3.0).abs() < 5.0 * (4.0 / 45.0 / 4000f64).sqrt(), "{along}");
    }
    let spins = made("random_spin_rad_s = 1e-3");
    assert_eq!((&spins.spin_rad_s, spins.velocity_m_s[7]), (&b.spin_rad_s, DVec3::ZERO));
    let centred = made("about = \"mass_centre\"\nrandom_speed_m_s = 0.25");
    assert!(centred.velocity_m_s.iter().sum::<DVec3>().length() < 1e-12 * 4000.0 * 0.25);
}

/// A box turned by a quarter about z lies along y, and so does its spin.
#[test]
fn polyhedra_turn_with_their_group() {
    let text = r#"format = 1
[run]
method = "contact_dynamics"
duration_s = 10.0
time_step_s = 0.1
[[material]]
density_kg_m3 = 1000.0
restitution_normal = 0.0
friction_sliding = 0.5
[[bodies]]
generator = "list"
shape = { kind = "box", size_m = [4, 1, 1] }
body = [{ position_m = [3, 0, 0], spin_rad_s = [2, 0, 0] }, { position_m = [-3, 0, 0] }]
turn_deg = [0, 0, 90]
"#;
    let b = generate(&parse(text, "box.toml", &[]).unwrap()).unwrap();
    let corners: Vec<DVec3> = b.polyhedra.as_ref().unwrap().corners_m(0, b.position_m[0]).collect();
    let reach = corners.iter().fold(DVec3::ZERO, |most, c| most.max(c.abs()));
    assert!(reach.distance(DVec3::new(0.5, 5.0, 0.5)) < 1e-12, "{reach}");
    assert!(b.spin_rad_s[0].distance(2.0 * DVec3::Y) < 1e-12, "{}", b.spin_rad_s[0]);
}

#[test]
fn half_break_up_is_the_published_rate() {
    let sphere = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0, 0, 0], radius_m = 203000.0 }]\nspin_break_up = { fraction = 0.5, axis = [1, 0, 0] }\n";
    let text = format!("{HEAD}{sphere}").replace("14350.0", "1756.5");
    let spin = generate(&parse(&text, "piles.toml", &[]).unwrap()).unwrap().spin_rad_s[0];
    assert!((spin.x / 3.50e-4 - 1.0).abs() < 2e-3 && spin.x == spin.length(), "{spin}");
}

/// Two spheres turn about each other as one body, and two others also have a rotation that is added. The collision says how they
/// turn at the start, whatever made them turn.
#[test]
fn rotations_are_those_at_the_start() {
    let pair = "[[bodies]]\ngenerator = \"list\"\nbody = [\n\
        { position_m = [2, 0, 0], radius_m = 1.0, velocity_m_s = [0, 0.2, 0], spin_rad_s = [0, 0, 0.1] },\n\
        { position_m = [-2, 0, 0], radius_m = 1.0, velocity_m_s = [0, -0.2, 0], spin_rad_s = [0, 0, 0.1] }]\n";
    let text = format!(
        "{pair}{pair}rotation_rad_s = [0, 0, 0.3]\n[collision]\nspeed_m_s = 1\nimpact_angle_deg = 30\ngap_m = 1\n"
    );
    let [own, more] = make(&text).expect("pairs").1.expect("a collision").rotation_rad_s.map(DVec3::from_array);
    assert!(own.distance(0.1 * DVec3::Z) < 1e-12 && more.distance(0.4 * DVec3::Z) < 1e-12, "{own} {more}");
}

#[test]
fn what_is_wrong_is_named_with_its_way_out() {
    let with = |bodies: &str, keys: &str| make(&format!("{bodies}[collision]\n{keys}\n"));
    let both = format!("{CLOUD}{CLOUD}");
    let good = "eta = 1.0\nimpact_angle_deg = 0";
    for (bodies, keys, texts) in [
        (both.clone(), "impact_angle_deg = 0", ["collision.eta", "give one of"]),
        (both.clone(), "eta = 1\nspeed_m_s = 9\nimpact_angle_deg = 0", ["collision.speed_m_s", "conflicts with eta"]),
        (both.clone(), "eta = 1\nimpact_angle_deg = 91", ["collision.impact_angle_deg", "[0, 90]"]),
        (both.clone(), "eta = -1\nimpact_angle_deg = 0", ["collision.eta", "not positive"]),
        (both.clone(), "eta = 1", ["collision.impact_angle_deg", "missing"]),
        (both.clone(), "eta = 1\nimpact_angle_deg = 0\ngap_m = -1", ["collision.gap_m", "negative"]),
        (both.clone(), "eta = 1\nimpact_angle_deg = 0\ngap = 1", ["collision.gap", "did you mean `gap_m`"]),
        (CLOUD.into(), good, ["collision", "two [[bodies]] groups"]),
        (format!("{CLOUD}offset_m = [1, 0, 0]\n{CLOUD}"), good, ["collision", "remove offset_m"]),
        (
            both.clone(),
            "speed_m_s = 10\nimpact_angle_deg = 0\ngap_m = \"100 km\"",
            ["collision.gap_m", "raise the speed"],
        ),
        (format!("{CLOUD}spin_break_up = 0.5\n{CLOUD}"), good, ["bodies.0.spin_break_up", "must be a table"]),
        (format!("{CLOUD}spin_break_up = {{ fraction = 0.5 }}\n{CLOUD}"), good, ["spin_break_up.axis", "add `axis = "]),
        (
            format!(
                "{CLOUD}rotation_rad_s = [0, 0, 1]\nspin_break_up = {{ fraction = 0.5, axis = [0, 0, 1] }}\n{CLOUD}"
            ),
            good,
            ["bodies.0.spin_break_up", "remove one of the two"],
        ),
    ] {
        let error = with(&bodies, keys).expect_err(keys);
        assert_eq!(error.exit_code(), 2, "{error}");
        texts.iter().for_each(|t| assert!(error.to_string().contains(t), "`{t}` is not in: {error}"));
    }
    let alone = format!("{both}[collision]\n{good}\n");
    let text = format!("{HEAD}{alone}").replace("[[gravity]]\nkind = \"self\"\n", "");
    let error = parse(&text, "piles.toml", &[]).expect_err("no gravity").to_string();
    assert!(error.contains("add a [[gravity]] of kind = \"self\""), "{error}");
}

#[test]
fn a_pile_that_was_not_made_is_asked_for() {
    let folder = tempfile::tempdir().expect("folder");
    let output = breccia_in(folder.path(), &["check", "pile_collision"]).code(7);
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    for text in ["bodies.0.path", "runs/rubble_pile", "`breccia run rubble_pile`", "--set bodies.0.path=DIRECTORY"] {
        assert!(told.contains(text), "`{text}` is not in: {told}");
    }
}

/// A pile of 60 collides with itself turned by half a turn, head on and fast.
#[test]
fn a_symmetric_collision_keeps_momentum_angular_momentum_and_energy() {
    let folder = tempfile::tempdir().expect("folder");
    // exit code 1: so few bodies miss what the scenario expects of 200
    let pile = [
        "--set",
        "bodies.0.count=60",
        "--set",
        "bodies.0.container_radius_m=60000",
        "--set",
        "seed=2",
        "--set",
        "run.stop_when.kinetic_share_below=1e-3",
    ];
    let ended = breccia_in(folder.path(), &[&["run", "rubble_pile_small"][..], &pile].concat());
    assert!([0, 1].contains(&ended.get_output().status.code().expect("ended")));
    let dir = folder.path().join("runs/rubble_pile_small");
    assert_eq!(read_frame(&last_frame(&dir).expect("frame")).expect("bodies").len(), 60);
    let fast = ["--set", "collision.impact_angle_deg=0", "--set", "run.duration_s=4000", "--set", "output.frames=2"];
    breccia_in(folder.path(), &[&["run", "pile_collision_small"][..], &fast].concat()).code(0);
    let dir = folder.path().join("runs/pile_collision_small");
    let impact = Manifest::read(&dir).expect("manifest").collision.expect("a collision");
    assert!((impact.eta - 3.0).abs() < 1e-9 && impact.mass_kg[0] == impact.mass_kg[1], "{impact:?}");
    let (columns, rows) = series::read(&dir.join("series.csv")).expect("series");
    let list = |name: &str| -> Vec<f64> {
        let index = columns.iter().position(|c| c == name).expect("column");
        rows.iter().map(|r| r[index]).collect()
    };
    let largest = |name: &str| list(name).into_iter().map(f64::abs).fold(0.0, f64::max);
    // both from rest about the centre: what there is of P and L at all, over the largest there was in parts
    let scale = impact.mass_kg[0] * impact.speed_m_s;
    for axis in ["x", "y", "z"] {
        let (p, l) =
            (largest(&format!("momentum_{axis}_kg_m_s")), largest(&format!("angular_momentum_{axis}_kg_m2_s")));
        assert!(p < 1e-7 * scale, "P_{axis} = {p}");
        assert!(l < 1e-6 * scale * impact.radius_m[0], "L_{axis} = {l}");
    }
    let lost: f64 =
        ["normal", "sliding", "rolling"].iter().map(|c| list(&format!("dissipated_{c}_j")).pop().unwrap()).sum();
    let kinetic = list("kinetic_translational_j");
    assert!(lost > 0.05 * kinetic[0], "no violent collision: {lost} J lost of {} J", kinetic[0]);
    assert!(largest("energy_residual_j") < 0.01 * lost, "{} J of {lost} J", largest("energy_residual_j"));
}

/// The sphere with the moments of two bodies that are far apart is larger than what holds them: the groups begin in contact.
#[test]
fn a_ring_begins_no_later_than_its_contact() {
    let two = |axis: &str| {
        format!(
            "[[bodies]]\ngenerator = \"list\"\nbody = [{{ position_m = [{axis}], radius_m = 50 }}, {{ position_m = [-{axis}], radius_m = 50 }}]\n"
        )
    };
    let text = two("1000, 0, 0") + &two("0, 0, 1000").replace("-0, 0, 1000", "0, 0, -1000");
    for angle in [0, 30, 80] {
        let (b, impact) =
            make(&format!("{text}[collision]\nspeed_m_s = 1\nimpact_angle_deg = {angle}\n")).expect("starts");
        let impact = impact.expect("a collision");
        let touch: f64 = impact.radius_m.iter().sum();
        let [target, projectile] = [[0, 1], [2, 3]].map(|pair| 0.5 * (b.position_m[pair[0]] + b.position_m[pair[1]]));
        assert!(
            (target.distance(projectile) - touch).abs() < 1e-6 * touch && impact.time_to_contact_s == 0.0,
            "{impact:?}"
        );
    }
}
