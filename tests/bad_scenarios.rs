//! Wrong scenarios: each names file, line and key, says the way out, and ends with exit code 2.

use breccia::scenario::model::Generator;
use breccia::scenario::{check::check, generate::generate, parse::parse};
use breccia::solver::prepare::prepare;

const GOOD: &str = r#"format = 1
title = "good"
[run]
duration_s = 10.0
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "lattice"
count = 8
grid_spacing_m = 2.5
radius_m = 1.0
[[gravity]]
kind = "self"
"#;

#[test]
fn the_good_one_is_good() {
    parse(GOOD, "good.toml", &[]).expect("parses");
}

/// (what to replace, with what, the line that is named, what the message holds)
const BAD: &[(&str, &str, usize, &[&str])] = &[
    ("format = 1", "format = 2", 1, &["format", "format 1"]),
    ("format = 1\n", "", 0, &["format", "missing"]),
    ("format = 1", "format = ", 1, &["bad.toml:1"]),
    ("duration_s = 10.0", "duration_s = -1.0", 4, &["run.duration_s", "-1", "not positive"]),
    ("duration_s = 10.0", "", 0, &["run.duration_s", "missing"]),
    ("duration_s = 10.0", "duratoin_s = 10.0", 4, &["unknown key", "did you mean `duration_s`"]),
    ("duration_s = 10.0", "duration_s = \"10 kg\"", 4, &["unknown unit `kg`", "min"]),
    ("duration_s = 10.0", "duration_s = \"3 m/s\"", 4, &["measures something else", "h"]),
    ("duration_s = 10.0", "duration_s = \"ten\"", 4, &["no number"]),
    ("duration_s = 10.0", "duration_s = inf", 4, &["not finite"]),
    ("duration_s = 10.0", "duration_s = 10.0\ntime_step_s = 0.0", 5, &["run.time_step_s", "not positive"]),
    ("duration_s = 10.0", "duration_s = 10.0\ntime_step_fraction = 0.5", 5, &["outside [0.0001, 0.1]"]),
    ("duration_s = 10.0", "duration_s = 10.0\ntime_step_s = 1e-3\ntime_step_fraction = 0.05", 6, &["keep one"]),
    ("radius_m = 1.0", "radius_m = 1e200", 15, &["1e200 m is more than the 1e15 m"]),
    ("count = 8", "count = 30000000", 13, &["more than 20000000"]),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"plate\"\npoint_m = [0, 0, -9]\nnormal = [0, 0, 1]",
        18,
        &["velocity_m_s", "plane"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"plane\"\npoint_m = [0, 0, -9]\nnormal = [0, 0, 1e200]",
        21,
        &["no direction"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[expect.momentum_drift]\nvalue = 0.0\ntolerance = 0.1\nsource = \"s\"",
        20,
        &["tolerance_absolute"],
    ),
    ("density_kg_m3 = 3000.0", "", 0, &["density_kg_m3", "missing"]),
    ("density_kg_m3 = 3000.0", "density_kg_m3 = \"2.3 g/cm\"", 7, &["unknown unit", "g/cm^3"]),
    ("speed_max_m_s = 0.1", "", 0, &["stiffness_normal_n_m or speed_max_m_s"]),
    ("speed_max_m_s = 0.1", "speed_max_m_s = 0.1\nstiffness_normal_n_m = 1e4", 9, &["either"]),
    ("restitution_normal = 0.5", "restitution_normal = 1.5", 9, &["restitution_normal", "1.5", "[0, 1]"]),
    ("restitution_normal = 0.5", "restitution = 0.5", 9, &["unknown key", "restitution_normal"]),
    ("restitution_normal = 0.5", "restitution_normal = 0.0\nnormal_tension = \"none\"", 9, &["0.02"]),
    ("restitution_normal = 0.5", "restitution_normal = 0.5\nnormal_tension = \"some\"", 10, &["kept, none"]),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\nfriction_rolling = 0.1", 5, &["shape_parameter"]),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\nstiffness_loading_n_m = 1e4", 11, &["hysteretic", "remove it"]),
    ("friction_sliding = 0.4", "friction_sliding = true", 10, &["no number"]),
    ("generator = \"lattice\"", "generator = \"latice\"", 12, &["did you mean `lattice`"]),
    ("count = 8", "count = 0", 13, &["at least 1"]),
    ("count = 8", "count = 2.5", 13, &["whole number"]),
    (
        "radius_m = 1.0",
        "radius_m = { classes_m = [0.5, 1.0], share = \"mas\" }",
        15,
        &["bodies.0.radius_m.share", "did you mean `mass`"],
    ),
    ("radius_m = 1.0", "radius_m = { classes_m = [0.5, 1.0] }", 15, &["bodies.0.radius_m.share", "mass, number"]),
    ("radius_m = 1.0", "radius_m = { classes_m = [], share = \"mass\" }", 15, &["classes_m", "positive radii"]),
    ("radius_m = 1.0", "radius_m = { classes_m = 1.0, share = \"mass\" }", 15, &["classes_m", "no list of numbers"]),
    ("radius_m = 1.0", "radius_m = { classes_m = [\"1 s\"], share = \"mass\" }", 15, &["classes_m", "something else"]),
    (
        "radius_m = 1.0",
        "radius_m = { classes_m = [1.0], share = \"mass\", min_m = 0.5 }",
        15,
        &["radius_m.min_m", "beside classes_m"],
    ),
    (
        "radius_m = 1.0",
        "radius_m = { min_m = 0.5, max_m = 1.0, exponent = 40 }",
        15,
        &["radius_m.exponent", "outside [-10, 10]"],
    ),
    ("grid_spacing_m = 2.5", "grid_spacing_m = 1.5", 14, &["below the largest diameter 2"]),
    ("radius_m = 1.0", "radius_m = { min_m = 2.0, max_m = 1.0 }", 15, &["above max_m"]),
    ("radius_m = 1.0", "radius_m = 1.0\nmaterial = \"rok\"", 16, &["did you mean `rock`"]),
    ("kind = \"self\"", "kind = \"central\"", 16, &["gm_m3_s2", "missing"]),
    ("kind = \"self\"", "kind = \"self\"\n[[gravity]]\nkind = \"self\"", 0, &["twice"]),
    ("kind = \"self\"", "kind = \"self\"\nmethod = \"grid\"", 18, &["auto, direct, tree"]),
    ("kind = \"self\"", "kind = \"self\"\nopening_angle = 0.5", 18, &["opening_angle", "is for method = \"tree\""]),
    ("kind = \"self\"", "kind = \"self\"\nmethod = \"tree\"\naccuracy = 2", 19, &["accuracy", "[0.000001, 0.1]"]),
    (
        "kind = \"self\"",
        "kind = \"self\"\nmethod = \"tree\"\naccuracy = 1e-3\nopening_angle = 0.5",
        20,
        &["opening_angle", "one criterion"],
    ),
    ("kind = \"self\"", "kind = \"uniform\"\nacceleration_m_s2 = [0, 1]", 18, &["three numbers"]),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"plane\"\npoint_m = [0,0,0]\nnormal = [0,0,0]",
        21,
        &["no direction"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"box\"\nmin_m = [0,0,0]\nmax_m = [1,1,-1]",
        21,
        &["above min_m"],
    ),
    ("kind = \"self\"", "kind = \"self\"\n[neighbours]\nskin_radii = 0.9", 19, &["0.15"]),
    ("kind = \"self\"", "kind = \"self\"\n[output]\nframes = 0", 19, &["at least 1"]),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[expect.packing]\nvalue = 1.0\ntolerance = 0.1\nsource = \"x\"",
        18,
        &["packing_final"],
    ),
    ("kind = \"self\"", "kind = \"self\"\n[expect.packing_final]\nvalue = 1.0\ntolerance = 0.1", 18, &["source"]),
    ("title = \"good\"", "titel = \"good\"", 2, &["did you mean `title`"]),
];

#[test]
fn every_fault_is_named_with_its_way_out() {
    assert!(BAD.len() >= 25);
    refused(GOOD, BAD);
}

fn refused(good: &str, bad: &[(&str, &str, usize, &[&str])]) {
    for (from, to, line, texts) in bad {
        assert!(good.contains(from), "{from}");
        let text = good.replacen(from, to, 1);
        let Err(error) = parse(&text, "bad.toml", &[]) else { panic!("`{to}` in place of `{from}` was accepted") };
        assert_eq!(error.exit_code(), 2);
        let message = error.to_string();
        assert!(message.contains("bad.toml"), "{message}");
        if *line > 0 {
            assert!(message.contains(&format!("bad.toml:{line}:")), "line {line} is not named: {message}");
        }
        for t in *texts {
            assert!(message.contains(t), "`{t}` is not in: {message}");
        }
    }
}

#[test]
fn all_faults_come_at_once() {
    let text = GOOD.replace("count = 8", "count = 0").replace("density_kg_m3", "densty_kg_m3");
    let message = parse(&text, "bad.toml", &[]).expect_err("refused").to_string();
    assert!(message.lines().count() >= 3, "{message}");
    assert!(message.contains("did you mean `density_kg_m3`") && message.contains("bodies.0.count"), "{message}");
}

#[test]
fn overrides_change_keys_and_unknown_ones_are_refused() {
    let set = |o: &[&str]| parse(GOOD, "good.toml", &o.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
    let s = set(&["material.rock.friction_sliding=0.8", "bodies.0.count=27", "run.duration_s=2 h"]).expect("parses");
    assert_eq!(s.materials[0].friction_sliding, 0.8);
    assert_eq!(s.run.duration_s, 7200.0);
    let text = set(&["material.rock.friktion=1"]).expect_err("refused").to_string();
    assert!(text.contains("--set material.rock.friktion: no such key"), "{text}");
    let text = set(&["nonsense"]).expect_err("refused").to_string();
    assert!(text.contains("key=value"), "{text}");
}

#[test]
fn units_are_taken() {
    let s = parse(&GOOD.replace("3000.0", "\"2.3 g/cm^3\"").replace("10.0", "\"3.4 h\""), "good.toml", &[])
        .expect("parses");
    assert_eq!(s.materials[0].density_kg_m3, 2300.0);
    assert_eq!(s.run.duration_s, 3.4 * 3600.0);
}

#[test]
fn built_in_scenarios_are_good() {
    let list = breccia::scenario::built_in();
    assert!(list.len() >= 9);
    for b in list {
        let s = breccia::scenario::load(&b.name, &[]).expect("parses");
        // what starts from another run's frame is run in tests/scenarios.rs
        if !s.bodies.iter().any(|b| matches!(b.generator, Generator::Frame { .. })) {
            let bodies = breccia::scenario::generate::generate(&s).expect("generates");
            breccia::scenario::check::check(&s, &bodies).expect("fits");
        }
        assert!(!s.expect.is_empty(), "{}: expects nothing", b.name);
        assert!(b.text.starts_with('#'), "{}: no prose header", b.name);
    }
}

/// Mean diameter and volume diameter of the lattice's sizes: number density ~ d^-3 between 7.5 and 10 m.
#[test]
fn sizes_follow_their_distribution() {
    let set = ["bodies.0.count=27000".to_owned()];
    let s = breccia::scenario::load("accretion", &set).expect("parses");
    let b = breccia::scenario::generate::generate(&s).expect("generates");
    let n = b.len() as f64;
    let mean = b.radius_m.iter().map(|r| 2.0 * r).sum::<f64>() / n;
    let cube = (b.radius_m.iter().map(|r| (2.0 * r).powi(3)).sum::<f64>() / n).cbrt();
    // 27,000 draws: standard error 0.004 m.
    assert!((mean - 8.5714).abs() < 0.02, "{mean}");
    assert!((cube - 8.6305).abs() < 0.02, "{cube}");
}

/// Two spheres under contact dynamics.
const HYSTERETIC: &str = r#"format = 1
[run]
duration_s = 10.0
contact_law = "hysteretic"
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "list"
body = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }]
"#;

/// As [`BAD`], of the hysteretic law.
const BAD_HYSTERETIC: &[(&str, &str, usize, &[&str])] = &[
    ("\"hysteretic\"", "\"hysteretc\"", 4, &["run.contact_law", "did you mean `hysteretic`"]),
    ("contact_law = \"hysteretic\"", "time_step_fraction = 0.2", 4, &["outside [0.0001, 0.1]"]),
    ("speed_max_m_s = 0.1", "", 0, &["stiffness_loading_n_m or speed_max_m_s"]),
    ("speed_max_m_s = 0.1", "speed_max_m_s = 0.1\nstiffness_loading_n_m = 1e4", 9, &["either"]),
    ("speed_max_m_s = 0.1", "stiffness_loading_n_m = -1", 8, &["stiffness_loading_n_m", "not positive"]),
    (
        "speed_max_m_s = 0.1",
        "stiffness_loading_n_m = 1e4\noverlap_at_speed_max = 0.1",
        9,
        &["without the speed_max_m_s"],
    ),
    ("speed_max_m_s = 0.1", "speed_max_m_s = 0.1\noverlap_at_speed_max = 0.5", 9, &["outside [0.001, 0.3]"]),
    (
        "speed_max_m_s = 0.1",
        "speed_max_m_s = 0.1\nstiffness_normal_n_m = 1e4",
        9,
        &["linear_spring_dashpot", "remove it"],
    ),
    ("restitution_normal = 0.5", "restitution_normal = 0.0", 9, &["restitution_normal", "[0.02, 1]"]),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\nshape_parameter = 0.5", 11, &["shape_parameter", "remove it"]),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\ncohesion_pa = 5", 11, &["cohesion_pa", "remove it"]),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\nfriction_twisting = 1",
        11,
        &["friction_twisting", "remove it"],
    ),
    (
        "[[bodies]]",
        "[asteroid]\nshape = { kind = \"box\", size_m = [1, 1, 1] }\ndensity_kg_m3 = 1\n[[bodies]]",
        11,
        &["asteroid", "knows no contact with facets"],
    ),
];

#[test]
fn every_fault_of_the_hysteretic_law_is_named_with_its_way_out() {
    parse(HYSTERETIC, "good.toml", &[]).expect("parses");
    refused(HYSTERETIC, BAD_HYSTERETIC);
}

const RIGID: &str = r#"format = 1
title = "rigid"
[run]
method = "contact_dynamics"
duration_s = 100.0
time_step_s = 0.5
[contact_dynamics]
theta = 0.5
[[material]]
name = "rock"
density_kg_m3 = 3000.0
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "list"
body = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }, { position_m = [4.1, 0.0, 0.0], radius_m = 1.0 }]
[[gravity]]
kind = "self"
"#;

/// As [`BAD`], of contact dynamics.
const BAD_RIGID: &[(&str, &str, usize, &[&str])] = &[
    ("\"contact_dynamics\"", "\"contact_dynamic\"", 4, &["run.method", "did you mean `contact_dynamics`"]),
    ("method = \"contact_dynamics\"\n", "", 6, &["contact_dynamics", "remove it or choose that method"]),
    ("time_step_s = 0.5", "", 0, &["run.time_step_s", "is missing", "type the largest step"]),
    ("time_step_s = 0.5", "time_step_s = \"auto\"", 6, &["run.time_step_s", "\"auto\"", "type the largest step"]),
    ("time_step_s = 0.5", "time_step_s = 101", 6, &["101 s is longer than the run", "duration_s = 100", "shorten"]),
    ("time_step_s = 0.5", "time_step_s = 0.5\ntime_step_fraction = 0.02", 7, &["time_step_fraction", "remove it"]),
    ("theta = 0.5", "theta = 0.49", 8, &["contact_dynamics.theta", "0.49", "[0.5, 1]"]),
    ("theta = 0.5", "theta = 1.01", 8, &["contact_dynamics.theta", "[0.5, 1]"]),
    ("theta = 0.5", "tolerance = 0", 8, &["contact_dynamics.tolerance", "[0.000001, 0.1]"]),
    ("theta = 0.5", "tolerance = nan", 8, &["contact_dynamics.tolerance", "not finite"]),
    ("theta = 0.5", "iterations_max = 7", 8, &["contact_dynamics.iterations_max", "at least 8"]),
    ("theta = 0.5", "iterations_max = 100001", 8, &["contact_dynamics.iterations_max", "more than 100000"]),
    ("theta = 0.5", "recovery = -0.1", 8, &["contact_dynamics.recovery", "[0, 1]"]),
    ("theta = 0.5", "recovery_speed_m_s = 0", 8, &["recovery_speed_m_s", "not positive"]),
    ("theta = 0.5", "solver = \"nsgs\"", 8, &["contact_dynamics.solver", "auto, jacobi, gauss_seidel"]),
    ("theta = 0.5", "on_budget = \"halt\"", 8, &["contact_dynamics.on_budget", "warn, stop"]),
    (
        "time_step_s = 0.5",
        "time_step_s = 0.5\ncontact_law = \"hysteretic\"",
        7,
        &["run.contact_law", "soft_sphere", "remove it"],
    ),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\nstiffness_loading_n_m = 1e4",
        14,
        &["stiffness_loading_n_m", "contact dynamics does not use it"],
    ),
    ("theta = 0.5", "thta = 0.5", 8, &["unknown key", "did you mean `theta`"]),
    ("density_kg_m3 = 3000.0", "density_kg_m3 = 0.0", 11, &["density_kg_m3", "not positive"]),
    ("restitution_normal = 0.5", "restitution_normal = 1.5", 12, &["restitution_normal", "[0, 1]"]),
    ("friction_sliding = 0.4", "friction_sliding = -0.1", 13, &["friction_sliding", "[0, 10]"]),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\nfriction_rolling = 0.1",
        14,
        &["friction_rolling", "remove it"],
    ),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\ncohesion_force_n = -1", 14, &["cohesion_force_n", "outside"]),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\ncohesion_range_m = 0.1",
        14,
        &["cohesion_range_m", "without a cohesion_force_n", "give one, or remove it"],
    ),
    ("radius_m = 1.0 }, {", "radius_m = 0.0 }, {", 16, &["bodies.0.body.0.radius_m", "not positive"]),
    ("[[gravity]]", "[spin_up]\ninterval_s = 2.0\n[[gravity]]", 17, &["spin_up.increment_rad_s", "missing"]),
    ("[[gravity]]", "[spin_up]\nincrement_rad_s = [0, 0, 1]\n[[gravity]]", 17, &["spin_up.interval_s", "missing"]),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = -2.0\n[[gravity]]",
        19,
        &["spin_up.interval_s", "-2 is not positive"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = 2.0\nstart_s = -1\n[[gravity]]",
        20,
        &["spin_up.start_s", "before the start"],
    ),
    ("theta = 0.5", "cohesion_from_s = -1", 8, &["contact_dynamics.cohesion_from_s", "before the start"]),
    ("\"self\"", "\"uniform_sphere\"\nradius_m = 9", 17, &["gravity.0.density_kg_m3", "missing"]),
    ("\"self\"", "\"uniform_sphere\"\nradius_m = 9\ndensity_kg_m3 = 0", 20, &["density_kg_m3", "not positive"]),
    ("\"self\"", "\"uniform_sphere\"\nradius_m = -9\ndensity_kg_m3 = 1", 19, &["gravity.0.radius_m", "not positive"]),
    ("\"self\"", "\"rotating_frame\"", 17, &["gravity.0.rotation_rad_s", "missing"]),
    ("\"self\"", "\"rotating_frame\"\nrotation_rad_s = 1e-4", 19, &["rotation_rad_s", "three numbers"]),
    (
        "\"self\"",
        "\"rotating_frame\"\nrotation_rad_s = [0, 0, 1]\n[[gravity]]\nkind = \"rotating_frame\"\nrotation_rad_s = [1, 0, 0]",
        0,
        &["rotating_frame", "twice", "keep one"],
    ),
];

#[test]
fn every_fault_of_contact_dynamics_is_named_with_its_way_out() {
    parse(RIGID, "good.toml", &[]).expect("parses");
    refused(RIGID, BAD_RIGID);
}

/// Faults that bodies and time step together show: what to replace, with what, what the message holds.
const LATE: &[(&str, &str, &[&str])] = &[
    (
        "theta = 0.5",
        "cohesion_from_s = 1e6",
        &["contact_dynamics.cohesion_from_s: 1000000 s is not before the end", "lower it"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = 0.1\n[[gravity]]",
        &["spin_up.interval_s: 0.1 s is below the time step of 0.5 s", "raise it"],
    ),
    (
        "[[gravity]]",
        "[spin_up]\nincrement_rad_s = [0, 0, 1]\ninterval_s = 2\nstart_s = 100\n[[gravity]]",
        &["spin_up.start_s: 100 s is not before the end", "lower it, or remove"],
    ),
    (
        "\"self\"",
        "\"central\"\ngm_m3_s2 = 1\n[[gravity]]\nkind = \"uniform_sphere\"\nradius_m = 9\ndensity_kg_m3 = 1",
        &["gravity: of the kinds central and uniform_sphere", "keep one"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/absent.obj\", unit_m = 1 }\n",
        &["bodies.0.shape.path", "absent.obj", "give an OBJ file"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/flipped.obj\", unit_m = 1 }\n",
        &["shape.path", "inside out", "reverse"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/open.obj\", unit_m = 1 }\n",
        &["shape.path", "open.obj:", "open", "fill the holes"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/dent.obj\", unit_m = 1 }\n",
        &["shape.path", "not convex", "split the shape"],
    ),
    (
        BODY,
        "shape = { kind = \"mesh\", path = \"DIR/flat.obj\", unit_m = 1 }\n",
        &["shape.path", "flat.obj:", "no area"],
    ),
    (
        BODY,
        "shape = { kind = \"points\", points_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]] }\n",
        &["bodies.0.shape.points_m", "volume is zero"],
    ),
    (
        BODY,
        "shape = { kind = \"clump\", parts = [{ kind = \"box\", size_m = [1, 1, 1] }, { kind = \"box\", size_m = [1, 1, 1], position_m = [0.5, 0, 0] }] }\n",
        &["bodies.0.shape.parts", "parts 1 and 2 overlap by 5.0000e-1 m", "touch only"],
    ),
    (
        BODY,
        "shape = { kind = \"clump\", parts = [{ kind = \"box\", size_m = [1, 1, 1] }, { kind = \"box\", size_m = [1, 1, 1], position_m = [5, 0, 0] }] }\n",
        &["bodies.0.shape.parts", "part 2 does not touch"],
    ),
    (
        BODY,
        "shape = { kind = \"objects\", path = \"DIR/dent.obj\", unit_m = 1 }\n",
        &["bodies.0.shape.path", "not convex"],
    ),
    (
        BODY,
        "shape = { kind = \"points\", points_m = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }\n",
        &["bodies.0.shape.points_m", "at least 4"],
    ),
];

/// The bodies of [`RIGID`]; a shape that stands in their place gets two of its own.
const BODY: &str =
    "body = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }, { position_m = [4.1, 0.0, 0.0], radius_m = 1.0 }]\n";

/// A cube of edge 2 with its top pushed in to the height `top`, without the last `missing` faces, by `order` of corners.
fn mesh(top: f64, missing: usize, flipped: bool, height: f64) -> String {
    let corners = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)];
    let mut text: String = corners.iter().map(|(x, y, z)| format!("v {x} {y} {}\n", f64::from(*z) * height)).collect();
    text += &format!("v 0 0 {top}\n");
    let faces = ["5 6 9", "6 7 9", "7 8 9", "8 5 9", "4 3 2 1", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"];
    for face in &faces[..faces.len() - missing] {
        let mut corners: Vec<&str> = face.split(' ').collect();
        if flipped {
            corners.reverse();
        }
        text += &format!("f {}\n", corners.join(" "));
    }
    text
}

#[test]
fn faults_of_bodies_and_steps_come_before_the_run() {
    let dir = tempfile::tempdir().expect("tempdir");
    let path = dir.path().to_str().expect("utf8").replace('\\', "/");
    let files = [
        ("good", mesh(1.5, 0, false, 1.0)),
        ("flipped", mesh(1.5, 0, true, 1.0)),
        ("open", mesh(1.5, 1, false, 1.0)),
        ("dent", mesh(0.2, 0, false, 1.0)),
        ("flat", mesh(0.0, 0, false, 0.0)),
    ];
    for (name, text) in &files {
        std::fs::write(dir.path().join(format!("{name}.obj")), text).expect("writes");
    }
    let told = |from: &str, to: &str| {
        assert!(RIGID.contains(from), "{from}");
        let own = if from == BODY { "body = [{ position_m = [0, 0, 0] }, { position_m = [9, 0, 0] }]\n" } else { "" };
        let text = RIGID.replacen(from, &format!("{}{own}", to.replace("DIR", &path)), 1);
        let scenario = parse(&text, "bad.toml", &[]).unwrap_or_else(|e| panic!("{e}"));
        let late = generate(&scenario).and_then(|bodies| {
            check(&scenario, &bodies)?;
            prepare(&scenario, &bodies, 0.5).map(|_| ())
        });
        late.map_err(|e| (e.exit_code(), e.to_string()))
    };
    let good = "shape = { kind = \"mesh\", path = \"DIR/good.obj\", unit_m = 1 }\n";
    assert_eq!(told(BODY, good), Ok(()));
    for (from, to, texts) in LATE {
        let Err((code, message)) = told(from, to) else { panic!("`{to}` was accepted") };
        assert_eq!(code, 2, "{message}");
        assert!(message.starts_with("bad: "), "the scenario is not named: {message}");
        texts.iter().for_each(|t| assert!(message.contains(t), "`{t}` is not in: {message}"));
    }
}

#[test]
fn a_budget_that_stops_the_run_says_what_to_do() {
    let dir = tempfile::tempdir().expect("tempdir");
    let text = RIGID.replace("theta = 0.5", "tolerance = 1e-6\niterations_max = 8\non_budget = \"stop\"").replace(
        BODY.trim_end(),
        "body = [{ position_m = [0, 0, 0], radius_m = 1 }, { position_m = [2.0, 0.1, 0], radius_m = 1 }, \
         { position_m = [1, 1.75, 0], radius_m = 1 }, { position_m = [1, 0.6, 1.65], radius_m = 1 }]",
    );
    let file = dir.path().join("pile.toml");
    std::fs::write(&file, text).expect("writes");
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").env("NODEVICE_SELECT", "1").arg("run").arg(&file);
    let ended = command.arg("--out").arg(dir.path().join("run")).assert().code(6);
    let log = String::from_utf8_lossy(&ended.get_output().stderr).into_owned();
    for part in
        ["after 8 iterations", "tolerance 1.0e-6", "raise `contact_dynamics.iterations_max`", "on_budget = \"warn\""]
    {
        assert!(log.contains(part), "`{part}` is not in: {log}");
    }
}
