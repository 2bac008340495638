//! What a run would do otherwise than its author may think is said before it: by `check`, by `run`, and by `info` after it.

use crate::common::command::{breccia_in, holds, words};
use std::path::Path;

/// Bodies from a run in the folder `run`.
pub(super) const SCENARIO: &str = r#"
format = 1
run.duration_s = "5 min"
[[material]]
name = "rock"
density_kg_m3 = 2700
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "frame"
path = "run"
[[gravity]]
kind = "self"
[spin_up]
increment_rad_s = [0, 0, 1e-5]
interval_s = "1 min"
"#;

/// Standard output and error of a command that ends with this code.
pub(super) fn said(folder: &Path, arguments: &[&str], code: i32) -> String {
    words(&breccia_in(folder, arguments).code(code))
}

fn check(folder: &Path, set: &[&str], code: i32) -> String {
    let set = set.iter().flat_map(|set| ["--set", set]);
    let arguments: Vec<&str> = ["check", "s.toml", "--no-time"].into_iter().chain(set).collect();
    said(folder, &arguments, code)
}

#[test]
fn bodies_of_a_run_that_is_not_done() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("s.toml"), SCENARIO).expect("written");
    let run = ["run", "rubble_pile_small", "--engine", "reference", "--out", "run", "--stop-at-step", "2"];
    said(at, &run, 75);
    holds(&check(at, &[], 0), &["WARNING: bodies.0.path", "is not done (stopped)", "t = 0 s"]);
    let told = said(at, &["run", "s.toml", "--engine", "reference", "--out", "next", "--stop-at-step", "1"], 75);
    holds(&told, &["WARNING: bodies.0.path"]);
    // nobody reads the warnings of many runs
    let campaign = "format = 1\ntitle = \"t\"\nscenario = \"s.toml\"\n[grid]\nseed = [1, 2]\n";
    std::fs::write(at.join("c.toml"), campaign).expect("written");
    let refused = said(at, &["sweep", "c.toml"], 2);
    holds(
        &refused,
        &["case 000_seed-1 and 1 more: ", "bodies.0.path: the run", "is not done (stopped)", "let that run end first"],
    );
    holds(&check(at, &["material.rock.name=ice"], 2), &["material `rock`, which the scenario lacks", "[[material]]"]);
    let idle = check(at, &["spin_up.interval_s=\"1 d\""], 2);
    holds(&idle, &["spin_up.interval_s: adds no rotation", "86400 s", "initial_rad_s"]);
    assert!(!check(at, &["spin_up.interval_s=\"1 d\"", "spin_up.initial_rad_s=[0,0,1e-5]"], 0).contains("spin_up"));
}

/// A free asteroid that is light against a body, one that feels its grains less than twice a rotation, and a wall that the
/// integers of a device do not reach.
#[test]
fn an_asteroid_that_is_light_or_late_and_a_wall_far_away() {
    let folder = tempfile::tempdir().expect("folder");
    let boulder = "\"list\"\nbody = [{ position_m = [0, 0, 3], radius_m = 1 }]";
    let asteroid =
        "[asteroid]\ndensity_kg_m3 = 2000\nshape = { kind = \"box\", size_m = [4, 4, 2] }\nrotation_period_s = \"1 h\"";
    let wall =
        "[[wall]]\nkind = \"plane\"\npoint_m = [0, 0, 10]\nnormal = [0, 0, -1]\n[[gravity]]\nkind = \"asteroid\"";
    let text = SCENARIO.replace("\"frame\"\npath = \"run\"", boulder).replace("[spin_up]", asteroid);
    let text = text.replace("increment_rad_s = [0, 0, 1e-5]\ninterval_s = \"1 min\"", wall);
    std::fs::write(folder.path().join("s.toml"), text).expect("written");
    holds(&check(folder.path(), &[], 0), &["WARNING: asteroid.motion: body 0 has 17.67 % of the mass of the asteroid"]);
    let light = check(folder.path(), &["asteroid.density_kg_m3=20000"], 0);
    assert!(!light.contains("asteroid.motion"), "{light}");
    let late = check(folder.path(), &["asteroid.coupling_interval=1024", "asteroid.rotation_period_s=8"], 2);
    holds(&late, &["asteroid.coupling_interval", "more than half the rotation period of the asteroid, 4 s"]);
    let far = check(folder.path(), &["wall.0.point_m=[0, 0, 1e9]"], 2);
    holds(&far, &["wall", "reaches 2.5e8 cells from the origin, more than the 8e6 of the GPU engine"]);
}

#[test]
fn an_asteroid_in_numbers_and_one_that_does_not_attract() {
    let folder = tempfile::tempdir().expect("folder");
    let all = said(folder.path(), &["check", "landslide_small", "--no-time"], 0);
    holds(&all, &["asteroid          20,480 faces", "kg", "  rotation        turns in 3.4 h"]);
    assert!(!all.contains("escape speed") && !all.contains("WARNING"), "{all}");
    let grains = "\"list\"\nbody = [{ position_m = [0, 0, 1.2], radius_m = 0.1 }]";
    let asteroid = "[asteroid]\ndensity_kg_m3 = 2000\nshape = { kind = \"box\", size_m = [4, 4, 2] }";
    let text = SCENARIO.replace("\"frame\"\npath = \"run\"", grains).replace("[spin_up]", asteroid);
    let text = text.replace("increment_rad_s = [0, 0, 1e-5]\ninterval_s = \"1 min\"", "");
    std::fs::write(folder.path().join("s.toml"), &text).expect("written");
    holds(&check(folder.path(), &[], 0), &["WARNING: gravity", "the asteroid does not attract them"]);
    std::fs::write(folder.path().join("s.toml"), text + "[[gravity]]\nkind = \"asteroid\"").expect("written");
    let both = check(folder.path(), &[], 0);
    assert!(!both.contains("WARNING"), "{both}");
    let alone = std::fs::read_to_string(folder.path().join("s.toml")).expect("read");
    let alone = alone.replace("[[gravity]]\nkind = \"self\"", "").replace("[[gravity]]\nkind = \"asteroid\"", "");
    std::fs::write(folder.path().join("s.toml"), &alone).expect("written");
    holds(&check(folder.path(), &[], 0), &["WARNING: gravity: nothing attracts the grains, which are at rest"]);
    let spun = alone + "[spin_up]\nincrement_rad_s = [0, 0, 1e-5]\ninterval_s = \"1 min\"";
    std::fs::write(folder.path().join("s.toml"), spun).expect("written");
    holds(&check(folder.path(), &[], 2), &["spin_up: turns bodies about their common mass centre", "remove it"]);
}

#[test]
fn bodies_that_overlap_or_do_not_fit() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let with = |bodies: &str| {
        let text = SCENARIO.replace("generator = \"frame\"\npath = \"run\"", bodies);
        std::fs::write(at.join("s.toml"), text.split("[spin_up]").next().expect("text")).expect("written");
    };
    let two = |apart: f64| {
        format!(
            "generator = \"list\"\nbody = [{{ position_m = [0, 0, 0], radius_m = 5 }}, {{ position_m = [{apart}, 0, 0], radius_m = 5 }}]"
        )
    };
    with(&two(9.0));
    holds(&check(at, &[], 0), &["WARNING: bodies: 0 and 1 overlap by 20 % of the smaller radius at the start"]);
    with(&two(9.9));
    assert!(!check(at, &[], 0).contains("overlap by"));
    let ball = |radius: f64| format!("generator = \"sphere\"\ncount = 40\ncontainer_radius_m = {radius}\nradius_m = 5");
    with(&ball(10.0));
    // the container grows by the largest diameter until they fit
    holds(&check(at, &[], 0), &["extent            within 30", " m of the mass centre"]);
    with("generator = \"lattice\"\ncount = 8\nradius_m = { min_m = 4 }");
    let missing = check(at, &[], 2);
    holds(&missing, &["bodies.0.grid_spacing_m: is missing", "max_m: is missing"]);
    assert!(!missing.contains("below the largest") && !missing.contains("exchange the two"), "{missing}");
}

#[test]
fn a_campaign_is_told_from_a_scenario() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("c.toml"), "format = 1\nscenario = \"bounce\"\n[grid]\nseed = [1, 2]\n").expect("written");
    std::fs::write(at.join("s.toml"), SCENARIO).expect("written");
    holds(&said(at, &["run", "c.toml"], 2), &["c.toml: is a campaign, not a scenario; `breccia sweep` runs it"]);
    let named = said(at, &["check", "song_2024_fig9_small"], 2);
    holds(&named, &["song_2024_fig9_small: is a campaign, not a scenario", "breccia sweep song_2024_fig9_small"]);
    holds(&said(at, &["check", "s"], 2), &["s: no such file; name s.toml"]);
    holds(&said(at, &["sweep", "s.toml"], 2), &["s.toml: is a scenario, not a campaign; `breccia run` runs it"]);
}

#[test]
fn expectations_that_a_run_cannot_meet() {
    let folder = tempfile::tempdir().expect("folder");
    for (quantity, part) in [
        ("lofted_final_bodies", "the run has no column lofted_bodies, so it will miss"),
        ("solver_over_budget", "the run has no column solver_over_budget"),
        ("wall_force_max_n", "the run has no wall"),
    ] {
        let set = format!("expect.{quantity}={{ value = 3, tolerance = 0.1, source = \"a guess\" }}");
        let told = said(folder.path(), &["check", "rubble_pile_small", "--no-time", "--set", &set], 0);
        holds(&told, &[&format!("WARNING: expect.{quantity}: {part}")]);
    }
}

/// Numbers that are none, or lie outside of the run, are refused with the option, the value and what it takes.
#[test]
fn points_and_instants_of_options() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    said(at, &["run", "bounce", "--engine", "reference", "--out", "run"], 0);
    for (point, what) in
        [("nan,0,0", "--centre nan,0,0: three numbers from -1e15 to 1e15 m"), ("0,1e16,0", "--centre 0,1e16,0")]
    {
        holds(&said(at, &["render", "run", "--centre", point], 2), &[what, "1e15 m"]);
    }
    for (instant, what) in
        [("-5", "--at -5: is not an instant of run; name one from 0 to"), ("inf", "--at inf: is not")]
    {
        holds(&said(at, &["analyze", "run", "aggregates", "--at", instant], 2), &[what]);
    }
}

#[test]
fn a_file_that_is_not_there_has_its_key() {
    let folder = tempfile::tempdir().expect("folder");
    let text = SCENARIO.replace("\"frame\"\npath = \"run\"", "\"file\"\npath = \"bodies.npy\"");
    std::fs::write(folder.path().join("s.toml"), text).expect("written");
    holds(
        &check(folder.path(), &[], 7),
        &["s.toml:12: bodies.0.path: the file ", "bodies.npy does not exist", "the folder of"],
    );
}

/// Words have no file and no line.
#[test]
fn keys_of_a_made_shape_are_named_as_they_were_typed() {
    let folder = tempfile::tempdir().expect("folder");
    let make = |keys: &[&str]| said(folder.path(), &[&["mesh", "make", "x.obj"], keys].concat(), 2);
    let told = make(&["kind=sphere", "radius=10", "faces=80"]);
    holds(&told, &["error: radius_m: is missing", "\nradius: unknown key; did you mean `radius_m`?"]);
    holds(&make(&["kind=sphere", "faces=80", "radius_m=1", "radius_m=2"]), &["error: radius_m: is given twice"]);
}

#[test]
fn a_negative_number_is_a_value() {
    let folder = tempfile::tempdir().expect("folder");
    for (arguments, part) in [
        (&["analyze", "run", "--frame", "-1"][..], "give the number of a frame"),
        (&["run", "bounce", "--stop-at-step", "-1"], "invalid value '-1'"),
        (&["sweep", "mu", "--jobs", "-1"], "invalid value '-1'"),
    ] {
        holds(&said(folder.path(), arguments, 2), &[part]);
    }
}

const GRAINS: &str = r#"
format = 1
run.duration_s = "1 s"
[[material]]
name = "rock"
density_kg_m3 = 3000
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 0], radius_m = 1 }, { position_m = [0, 0, 3], radius_m = 0.1 }]
[[gravity]]
kind = "uniform"
acceleration_m_s2 = [0, 0, -5e-5]
"#;

/// Numbers of another unit, and grains so light on contacts so stiff that the GPU does not resolve at which overlap they rest.
#[test]
fn numbers_that_may_be_of_another_unit() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("s.toml"), GRAINS).expect("written");
    assert!(!check(at, &[], 0).contains("WARNING"), "{}", check(at, &[], 0));
    holds(
        &check(at, &["material.rock.density_kg_m3=3"], 0),
        &["material.rock.density_kg_m3: 3 is outside 50 to 25000", "unit"],
    );
    // without a floor nothing rests
    assert!(!check(at, &["material.rock.speed_max_m_s=5"], 0).contains("WARNING"));
    let floor =
        "[[wall]]\nkind = \"plane\"\nname = \"floor\"\npoint_m = [0, 0, -9]\nnormal = [0, 0, 1]\nmaterial = \"rock\"\n";
    std::fs::write(at.join("s.toml"), format!("{GRAINS}{floor}")).expect("written");
    holds(
        &check(at, &["material.rock.speed_max_m_s=5"], 0),
        &["rests with an overlap of about", "the GPU engine resolves", "lower speed_max_m_s"],
    );
    let spun = |period: &str| {
        let asteroid = format!(
            "{GRAINS}[asteroid]\nshape = {{ kind = \"ellipsoid\", semi_axes_m = [50, 50, 50], faces = 500 }}\nmaterial = \"rock\"\ndensity_kg_m3 = 2000\nmotion = \"rotating\"\nrotation_period_s = \"{period}\"\n"
        );
        std::fs::write(
            at.join("s.toml"),
            asteroid.replace("[0, 0, 0], radius_m = 1", "[0, 0, 60], radius_m = 1").replace("[0, 0, 3]", "[0, 0, 70]"),
        )
        .expect("written");
        check(at, &[], 0)
    };
    assert!(!spun("3.4 h").contains("turns once"), "{}", spun("3.4 h"));
    holds(&spun("3.4 s"), &["asteroid: it turns once in 3.4 s", "check the unit"]);
}

/// Bodies that do not fit at random into the sphere that was typed.
#[test]
fn a_sphere_that_grows_says_so() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let list = GRAINS.find("[[bodies]]").expect("bodies");
    let grown = format!(
        "{}[[bodies]]\ngenerator = \"sphere\"\ncount = 60\ncontainer_radius_m = 2\nradius_m = 1\n",
        &GRAINS[..list]
    );
    std::fs::write(at.join("s.toml"), grown).expect("written");
    holds(&check(at, &[], 0), &["60 bodies at random do not fit into container_radius_m = 2", "has grown to"]);
    assert!(!check(at, &["bodies.0.container_radius_m=20"], 0).contains("has grown"));
}

const RIGID: &str = r#"
format = 1
run.method = "contact_dynamics"
run.duration_s = 30
run.time_step_s = 0.1
[[material]]
name = "rock"
density_kg_m3 = 2700
restitution_normal = 0.0
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 1], radius_m = 1 }, { position_m = [0, 0, 3], radius_m = 1 }]
[[wall]]
kind = "plane"
name = "floor"
material = "rock"
point_m = [0, 0, 0]
normal = [0, 0, 1]
[[gravity]]
kind = "uniform"
acceleration_m_s2 = [0, 0, -0.01]
"#;

#[test]
fn what_contact_dynamics_does_worse_than_it_might() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let told = |old: &str, new: &str| {
        assert!(RIGID.contains(old));
        std::fs::write(at.join("s.toml"), RIGID.replace(old, new)).expect("written");
        check(at, &[], 0)
    };
    let still = told("[0, 0, 3]", "[0, 0, 3]");
    assert!(!still.contains("WARNING"), "{still}");
    holds(&told("[0, 0, 3]", "[0, 0, 2.9]"), &["bodies: 0 and 1 overlap by 10 % of the smaller radius at the start"]);
    holds(&told("[0, 0, 1]", "[0, 0, 0.9]"), &["bodies: 0 and wall `floor` overlap by 10 % of its radius"]);
    holds(
        &told("[0, 0, 3], radius_m = 1", "[0, 0, 4], radius_m = 1, velocity_m_s = [0, 0, -5]"),
        &[
            "run.time_step_s: at 5 m/s a body, or a corner of one, moves 50 % of the smallest radius in a step",
            "and 10 ms would be",
        ],
    );
    let boulder = told("[0, 0, 3], radius_m = 1", "[0, 0, 12], radius_m = 10");
    holds(&boulder, &["contact_dynamics.tolerance: the largest body has 10 times the radius", "1.25e-4 or less"]);
    // a corner goes round where its body stays
    let rod =
        "spin_rad_s = [0, 0, 4] }, { position_m = [0, 0, 3] }]\nshape = { kind = \"box\", size_m = [3, 0.5, 0.5] }";
    let rods = told("radius_m = 1 }, { position_m = [0, 0, 3], radius_m = 1 }]", rod);
    holds(&rods, &["run.time_step_s: at 6.1", "a corner of one, moves 40 % of the smallest radius"]);
    let strict = RIGID.replace("[0, 0, 3], radius_m = 1", "[0, 0, 12], radius_m = 10");
    std::fs::write(at.join("s.toml"), strict + "[contact_dynamics]\ntolerance = 1e-4\n").expect("written");
    assert!(!check(at, &[], 0).contains("contact_dynamics.tolerance"));
}

/// `field` sums bodies and asteroid; it says which sources of the run it does not.
#[test]
fn fields_that_are_not_summed_are_named() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("s.toml"), RIGID).expect("written");
    said(at, &["run", "s.toml", "--engine", "reference", "--out", "run", "--set", "run.duration_s=1"], 0);
    let told = said(at, &["field", "run", "--grid", "0,0,9", "--out", "field.csv"], 0);
    holds(&told, &["left out          gravity.0 (uniform): the numbers are of bodies and asteroid alone"]);
}

#[test]
fn steps_that_are_not_solved_are_told_once() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let pile: Vec<String> =
        (0..30).map(|k| format!("{{ position_m = [0, 0, {}], radius_m = 1 }}", 2 * k + 1)).collect();
    let bodies = format!("[{}]", pile.join(", "));
    let text =
        RIGID.replace("[{ position_m = [0, 0, 1], radius_m = 1 }, { position_m = [0, 0, 3], radius_m = 1 }]", &bodies);
    std::fs::write(at.join("s.toml"), text + "[contact_dynamics]\niterations_max = 8\ntolerance = 1e-6\n")
        .expect("written");
    let told = said(at, &["run", "s.toml", "--out", "run"], 0);
    assert_eq!(told.matches("of the steps with contacts ended above contact_dynamics.tolerance").count(), 1, "{told}");
    holds(&said(at, &["info", "run"], 0), &["of the steps with contacts ended above contact_dynamics.tolerance"]);
}
