//! Wrong scenarios: each names file, line and key, names the remedy, and ends with exit code 2.

use crate::common::refused::refused;
use breccia::scenario::parse::parse;

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
    (
        "duration_s = 10.0",
        "duration_s = 10.0\nduration_s = 1",
        5,
        &["run.duration_s: is in line 4 already", "remove one"],
    ),
    ("[[material]]", "[run]\n[[material]]", 5, &["run: is in line 3 already", "remove one of the two"]),
    ("duration_s = 10.0", "duration_s = -1.0", 4, &["run.duration_s", "-1", "not positive"]),
    ("duration_s = 10.0", "", 0, &["run.duration_s", "missing"]),
    ("duration_s = 10.0", "duratoin_s = 10.0", 4, &["unknown key", "did you mean `duration_s`"]),
    ("duration_s = 10.0", "duration_s = \"10 yr\"", 4, &["unknown unit `yr`", "min"]),
    ("duration_s = 10.0", "duration_s = \"3 m/s\"", 4, &["measures something else", "h"]),
    ("duration_s = 10.0", "duration_s = \"ten\"", 4, &["is not a number"]),
    ("duration_s = 10.0", "duration_s = inf", 4, &["not finite"]),
    ("duration_s = 10.0", "duration_s = 10.0\ntime_step_s = 0.0", 5, &["run.time_step_s", "not positive"]),
    ("duration_s = 10.0", "duration_s = 10.0\ntime_step_fraction = 0.5", 5, &["outside [1e-4, 0.1]"]),
    (
        "duration_s = 10.0",
        "duration_s = 10.0\ntime_step_s = 1e-3\ntime_step_fraction = 0.05",
        6,
        &["remove one of the two"],
    ),
    ("density_kg_m3 = 3000.0", "density_kg_m3 = 1e30", 7, &["1e30 kg/m^3 is above the limit of 1e6", "2.3 g/cm^3"]),
    (
        "density_kg_m3 = 3000.0",
        "density_kg_m3 = 1e-30",
        7,
        &["1e-30 kg/m^3 is below the limit of 0.001", "check the unit"],
    ),
    ("speed_max_m_s = 0.1", "speed_max_m_s = 1e9", 8, &["1e9 m/s is above the limit of 3e8 m/s"]),
    ("radius_m = 1.0", "radius_m = 1e200", 15, &["1e200 m is above the limit of 1e15 m"]),
    (
        "radius_m = 1.0",
        "radius_m = { classes_m = [1, 2, 3], parts = [1e308, 1e308, 1e308] }",
        15,
        &["bodies.0.radius_m.parts", "[1e308, 1e308, 1e308] must be 3 numbers in [1e-100, 1e100]", "only their ratios"],
    ),
    (
        "generator = \"lattice\"\ncount = 8\ngrid_spacing_m = 2.5\nradius_m = 1.0",
        "generator = \"container\"\ncontainer = { kind = \"sphere\", radius_m = 10 }\npacking = 0.4\nradius_m = { min_m = 2, max_m = 1, exponent = 2.5 }",
        15,
        &["bodies.0.radius_m.min_m", "2 is above max_m 1", "exchange the two"],
    ),
    (
        "generator = \"lattice\"\ncount = 8\ngrid_spacing_m = 2.5\nradius_m = 1.0",
        "generator = \"container\"\ncontainer = { kind = \"sphere\", radius_m = 10 }\npacking = 0.4\nradius_m = { min_m = 2, mean_m = 3, max_m = 1 }",
        15,
        &["bodies.0.radius_m.max_m", "1 is not above mean_m 3"],
    ),
    ("count = 8", "count = 30000000", 13, &["more than 20000000"]),
    (
        "count = 8\ngrid_spacing_m = 2.5\nradius_m = 1.0\n",
        "count = 15000000\ngrid_spacing_m = 2.5\nradius_m = 1.0\n[[bodies]]\ngenerator = \"lattice\"\ncount = 15000000\ngrid_spacing_m = 2.5\nradius_m = 1.0\n",
        0,
        &["30000000 bodies together", "lower a count"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"plate\"\npoint_m = [0, 0, -9]\nnormal = [0, 0, 1]",
        18,
        &["velocity_m_s", "plane"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"plane\"\npoint_m = [0, 0, -9]\ntouching = true\nnormal = [0, 0, 1]",
        20,
        &["point_m", "conflicts with touching"],
    ),
    (
        "kind = \"self\"",
        "kind = \"self\"\n[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]",
        18,
        &["point_m", "is missing", "touching = true"],
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
    ("friction_sliding = 0.4", "friction_sliding = true", 10, &["is not a number"]),
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
    ("radius_m = 1.0", "radius_m = { classes_m = 1.0, share = \"mass\" }", 15, &["classes_m", "not a list of numbers"]),
    ("radius_m = 1.0", "radius_m = { classes_m = [\"1 s\"], share = \"mass\" }", 15, &["classes_m", "something else"]),
    ("radius_m = 1.0", "radius_m = { mean_m = 0.5 }", 15, &["bodies.0.radius_m.min_m", "is missing"]),
    ("radius_m = 1.0", "radius_m = { min_m = 0.5, mean_m = 0.5 }", 15, &["radius_m.mean_m", "not above min_m 0.5"]),
    ("radius_m = 1.0", "radius_m = { min_m = 0.5, mean_m = 0.6, max_m = 0.55 }", 15, &["radius_m.max_m", "mean_m 0.6"]),
    ("radius_m = 1.0", "radius_m = { min_m = 0.1, mean_m = 0.2, exponent = 2 }", 15, &["radius_m.exponent", "mean_m"]),
    (
        "radius_m = 1.0",
        "radius_m = { min_m = 0.5, mean_m = 0.7 }",
        14,
        &["grid_spacing_m", "below the largest diameter"],
    ),
    (
        "radius_m = 1.0",
        "radius_m = { classes_m = [1.0], share = \"mass\", min_m = 0.5 }",
        15,
        &["radius_m.min_m", "conflicts with classes_m"],
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
    ("kind = \"self\"", "kind = \"self\"\nopening_angle = 0.5", 18, &["opening_angle", "belongs to method = \"tree\""]),
    ("kind = \"self\"", "kind = \"self\"\nmethod = \"tree\"\naccuracy = 2", 19, &["accuracy", "[1e-6, 0.1]"]),
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
    (
        "kind = \"self\"",
        "kind = \"self\"\n[expect.packing_final]\nvalue = 1.0\ntolerance = 0.1\ntolerance_absolute = 0.2\nsource = \"s\"",
        20,
        &["expect.packing_final.tolerance", "conflicts with tolerance_absolute", "remove one of the two"],
    ),
    ("title = \"good\"", "titel = \"good\"", 2, &["did you mean `title`"]),
];

#[test]
fn every_fault_is_named_with_its_way_out() {
    assert!(BAD.len() >= 25);
    refused(GOOD, BAD);
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
    assert_eq!(s.materials[0].number("friction_sliding"), Some(0.8));
    assert_eq!(s.run.duration_s, 7200.0);
    let text = set(&["material.rock.friktion=1"]).expect_err("refused").to_string();
    assert!(
        text.contains("--set material.rock.friktion: unknown key; did you mean `material.rock.friction_"),
        "{text}"
    );
    // a key that is known but does not belong here is reported once, with what is wrong with it
    let text = set(&["material.rock.stiffness_loading_n_m=1e9"]).expect_err("refused").to_string();
    assert!(text.contains("material.rock.stiffness_loading_n_m: ") && !text.contains("unknown key"), "{text}");
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
    let list = breccia::scenario::bundled::built_in();
    assert!(list.len() >= 9);
    for b in list {
        let s = breccia::scenario::load(&b.name, &[]).expect("parses");
        // what starts from another run's frame is run in tests/cli/scenarios.rs
        if !s.bodies.iter().any(|b| b.generator.keeps().shapes) {
            let bodies = breccia::scenario::generate::generate(&s).expect("generates");
            breccia::record::check::check(&s, &bodies).expect("fits");
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

/// Two spheres under the hysteretic law.
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
    ("contact_law = \"hysteretic\"", "time_step_fraction = 0.2", 4, &["outside [1e-4, 0.1]"]),
    ("speed_max_m_s = 0.1", "", 0, &["stiffness_loading_n_m or speed_max_m_s"]),
    ("speed_max_m_s = 0.1", "speed_max_m_s = 0.1\nstiffness_loading_n_m = 1e4", 9, &["either"]),
    ("speed_max_m_s = 0.1", "stiffness_loading_n_m = -1", 8, &["stiffness_loading_n_m", "not positive"]),
    ("speed_max_m_s = 0.1", "stiffness_loading_n_m = 1e4\noverlap_at_speed_max = 0.1", 9, &["without speed_max_m_s"]),
    ("speed_max_m_s = 0.1", "speed_max_m_s = 0.1\noverlap_at_speed_max = 0.5", 9, &["outside [0.001, 0.3]"]),
    (
        "speed_max_m_s = 0.1",
        "speed_max_m_s = 0.1\nstiffness_normal_n_m = 1e4",
        9,
        &["linear_spring_dashpot", "remove it"],
    ),
    ("restitution_normal = 0.5", "restitution_normal = 0.0", 9, &["restitution_normal", "[0.02, 1]"]),
    ("friction_sliding = 0.4", "friction_sliding = 0.4\ncohesion_pa = 5", 5, &["shape_parameter", "acts over an area"]),
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
        &["asteroid", "has no contacts with facets"],
    ),
];

#[test]
fn every_fault_of_the_hysteretic_law_is_named_with_its_way_out() {
    parse(HYSTERETIC, "good.toml", &[]).expect("parses");
    refused(HYSTERETIC, BAD_HYSTERETIC);
}

/// Two spheres under the Hertz-Mindlin law.
const HERTZ: &str = r#"format = 1
[run]
duration_s = 10.0
contact_law = "hertz_mindlin"
[[material]]
name = "rock"
density_kg_m3 = 3000.0
youngs_modulus_pa = "10 MPa"
poisson_ratio = 0.25
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "list"
body = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }]
"#;

/// As [`BAD`], of the Hertz-Mindlin law.
const BAD_HERTZ: &[(&str, &str, usize, &[&str])] = &[
    ("\"hertz_mindlin\"", "\"hertz_mindlim\"", 4, &["run.contact_law", "did you mean `hertz_mindlin`"]),
    ("contact_law = \"hertz_mindlin\"", "time_step_fraction = 0.2", 4, &["outside [1e-4, 0.1]"]),
    ("youngs_modulus_pa = \"10 MPa\"\n", "", 5, &["youngs_modulus_pa", "is missing"]),
    ("\"10 MPa\"", "0.0", 8, &["youngs_modulus_pa", "not positive"]),
    ("\"10 MPa\"", "\"10 m\"", 8, &["youngs_modulus_pa", "Pa"]),
    ("poisson_ratio = 0.25\n", "", 5, &["poisson_ratio", "is missing"]),
    ("poisson_ratio = 0.25", "poisson_ratio = 0.6", 9, &["poisson_ratio", "outside [0, 0.5]"]),
    ("restitution_normal = 0.5", "restitution_normal = 1.1", 10, &["restitution_normal", "[0, 1]"]),
    ("poisson_ratio", "stiffness_normal_n_m = 1e4\npoisson_ratio", 9, &["linear_spring_dashpot", "remove it"]),
    ("poisson_ratio", "speed_max_m_s = 1\npoisson_ratio", 9, &["speed_max_m_s", "remove it"]),
    (
        "friction_sliding = 0.4",
        "friction_sliding = 0.4\nfriction_rolling = 0.1",
        5,
        &["shape_parameter", "must be above 0", "add `shape_parameter = 0.5`"],
    ),
];

#[test]
fn every_fault_of_the_hertz_mindlin_law_is_named_with_its_way_out() {
    parse(HERTZ, "good.toml", &[]).expect("parses");
    refused(HERTZ, BAD_HERTZ);
}

/// Rolling as printed: of either material alone nothing is wrong, and of the means of both it is. Else nothing is.
#[test]
fn two_materials_whose_contact_could_gain_energy_from_slip_are_refused() {
    let first = "friction_sliding = 0.5\nfriction_rolling = 1.05\nshape_parameter = 0.5\nrolling_rate = \"printed\"";
    let second = "[[material]]\nname = \"smooth\"\ndensity_kg_m3 = 3000.0\nspeed_max_m_s = 0.1\nrestitution_normal = 0.5\nfriction_sliding = 0.0\nshape_parameter = 2.0\nrolling_rate = \"printed\"\n[[bodies]]";
    let bodies = ["[[bodies]]", "[[bodies]]\nmaterial = \"rock\""];
    let text = GOOD.replace(bodies[0], bodies[1]).replace("friction_sliding = 0.4", first).replace(bodies[0], second);
    let check = |text: &str| {
        let s = parse(text, "two.toml", &[]).expect("parses");
        let b = breccia::scenario::generate::generate(&s).expect("bodies");
        breccia::record::check::check(&s, &b)
    };
    let error = check(&text).expect_err("accepted").to_string();
    for wanted in ["material.rock", "touches `smooth`", "0.525 with shape_parameter 1.25", "more alike"] {
        assert!(error.contains(wanted), "{error}");
    }
    check(&text.replace("rolling_rate = \"printed\"\n", "")).expect("couples against relative spins gain nothing");
    let wide = check(
        &text.replace("friction_rolling = 1.05\nshape_parameter = 0.5", "friction_rolling = 0.2\nshape_parameter = 1"),
    );
    let told = wide.expect("accepted").warnings.join("\n");
    assert!(told.contains("material.rock: rolling_rate = \"printed\" with a shape_parameter of 1 or more"), "{told}");
}

/// Under the linear law a warning says so. Bodies in orbits need not meet.
#[test]
fn a_stiffness_too_soft_for_the_speeds_is_told_with_one_that_does() {
    let text = "format = 1\nrun.duration_s = 10\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000\nspeed_max_m_s = 0.05\n\
                restitution_normal = 0.5\nfriction_sliding = 0.5\n[[bodies]]\ngenerator = \"list\"\nbody = [\
                { position_m = [0, 0, 0], radius_m = 1.0 }, { position_m = [9, 0, 0], radius_m = 1.0, velocity_m_s = [-4, 0, 0] }]\n";
    let check = |text: &str, set: &str| {
        let s = parse(text, "fast.toml", &[set.to_owned()]).expect("parses");
        let b = breccia::scenario::generate::generate(&s).expect("bodies");
        breccia::record::check::check(&s, &b).expect("accepted")
    };
    let told = check(text, "seed=1").warnings.join("\n");
    for wanted in ["material.rock", "meet at 4 m/s", "overlap by 0.56", "speed_max_m_s of 4"] {
        assert!(told.contains(wanted), "{told}");
    }
    let right = check(text, "material.rock.speed_max_m_s=4");
    let [pair, wall] = right.overlap_at_speed_max.expect("has one");
    assert!((wall - 0.01).abs() < 1e-12 && (pair / wall - 0.5f64.sqrt()).abs() < 1e-12, "{pair} {wall}");
    let orbits = format!("{text}[[gravity]]\nkind = \"central\"\ngm_m3_s2 = 1e5\nposition_m = [0, 1e4, 0]\n");
    assert!(right.warnings.is_empty() && check(&orbits, "seed=1").warnings.is_empty());
}

/// Bodies that meet so fast that the contact would be deeper than the guards allow.
#[test]
fn a_modulus_too_soft_for_the_speeds_is_refused_with_one_that_does() {
    let fast = "body = [{ position_m = [0, 0, 0], radius_m = 1.0 }, { position_m = [9, 0, 0], radius_m = 1.0, velocity_m_s = [-100, 0, 0] }]";
    let at = HERTZ.find("body = ").expect("bodies");
    let s = parse(&format!("{}{fast}\n", &HERTZ[..at]), "fast.toml", &[]).expect("parses");
    let b = breccia::scenario::generate::generate(&s).expect("bodies");
    let error = breccia::record::check::check(&s, &b).expect_err("accepted").to_string();
    for wanted in ["material.rock", "would overlap by", "guards.overlap_max = 0.25", "give a youngs_modulus_pa above"] {
        assert!(error.contains(wanted), "{error}");
    }
}
