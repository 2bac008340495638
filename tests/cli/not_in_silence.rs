//! What once went wrong without a word: each is refused now, told, or right.

use crate::common::command::{breccia_in, holds, words};
use std::path::Path;

pub const PAIR: &str = r#"format = 1
[run]
duration_s = "0.2 s"
[[material]]
name = "rock"
density_kg_m3 = 2500
speed_max_m_s = 2.0
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "list"
body = [{ position_m = [0,0,0], radius_m = 0.1, velocity_m_s = [0.5,0,0] }, { position_m = [0,1,0], radius_m = 0.1 }]
[[gravity]]
kind = "self"
[output]
frames = 4
series_rows = 10
"#;

/// The same pair by contact dynamics.
fn rigid() -> String {
    let method = "[run]\nmethod = \"contact_dynamics\"\ntime_step_s = 0.01";
    PAIR.replace("speed_max_m_s = 2.0\n", "").replace("[run]", method)
}

/// Two groups on their way to an impact, in a frame that turns.
const IMPACT: &str = r#"format = 1
run.duration_s = "200 s"
[[material]]
name = "rock"
density_kg_m3 = 2500
speed_max_m_s = 0.5
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "sphere"
count = 3
container_radius_m = 5
radius_m = 1
[[bodies]]
generator = "sphere"
count = 3
container_radius_m = 5
radius_m = 1
[[gravity]]
kind = "self"
[[gravity]]
kind = "rotating_frame"
rotation_rad_s = [0,0,0.1]
[collision]
impact_angle_deg = 0
speed_m_s = 0.1
gap_m = 5
"#;

/// A folder with these files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).expect("written"));
    folder
}

/// Standard output and error of a command that ends with this code.
pub fn said(folder: &Path, command: &str, code: i32) -> String {
    let arguments: Vec<&str> = command.split(' ').collect();
    words(&breccia_in(folder, &arguments).code(code))
}

const RUN: &str = "run s.toml --engine reference --out run";

#[test]
fn bodies_beyond_what_f64_tells_apart() {
    let far = PAIR.replace("[0,0,0]", "[1.5e11,0,0]").replace("[0,1,0]", "[1.5e11,1,0]");
    let folder = folder(&[("s.toml", &far)]);
    holds(&said(folder.path(), RUN, 2), &["bodies: a body is 1.5e8 km from the origin", "move the bodies towards"]);
}

#[test]
fn a_run_shorter_than_its_automatic_step() {
    let slow = PAIR.replace("[0.5,0,0]", "[1e-6,0,0]").replace("2.0", "1e-5").replace("[0,1,0]", "[0,100,0]");
    let folder = folder(&[("s.toml", &slow)]);
    holds(&said(folder.path(), RUN, 2), &["run.duration_s: a run of 0.2 s is shorter than one time step", "lengthen"]);
}

#[test]
fn a_collision_that_something_else_bends() {
    let folder = folder(&[("s.toml", IMPACT)]);
    holds(&said(folder.path(), "check s.toml --no-time", 2), &["collision", "kind = \"rotating_frame\"", "remove one"]);
}

#[test]
fn velocities_of_a_run_whose_axes_turn() {
    let turning = PAIR.replace("kind = \"self\"", "kind = \"rotating_frame\"\nrotation_rad_s = [0,0,0.1]");
    let (head, rest) = PAIR.split_once("generator").expect("bodies");
    let (_, tail) = rest.split_once("[[gravity]]").expect("gravity");
    let next = format!("{head}generator = \"frame\"\npath = \"run\"\n[[gravity]]{tail}");
    let folder = folder(&[("s.toml", &turning), ("next.toml", &next)]);
    said(folder.path(), RUN, 0);
    holds(
        &said(folder.path(), "check next.toml --no-time", 0),
        &["WARNING: bodies.0.path: the axes of the run", "turn"],
    );
    // otherwise is not alike either
    let other = next.replace("kind = \"self\"", "kind = \"rotating_frame\"\nrotation_rad_s = [0,0,0.2]");
    std::fs::write(folder.path().join("other.toml"), &other).expect("written");
    let told = said(folder.path(), "check other.toml --no-time", 0);
    holds(&told, &["turn by (0, 0, 0.1) rad/s and those of this scenario turn by (0, 0, 0.2) rad/s"]);
    std::fs::write(folder.path().join("same.toml"), other.replace("0,0,0.2", "0,0,0.1")).expect("written");
    assert!(!said(folder.path(), "check same.toml --no-time", 0).contains("the axes of the run"), "they turn alike");
}

/// The line of centres is not the normal at which polyhedra meet.
#[test]
fn polyhedra_have_no_restitution_of_centres() {
    let boxes = rigid()
        .replace("generator = \"list\"", "generator = \"list\"\nshape = { kind = \"box\", size_m = [0.2, 0.2, 0.2] }");
    let boxes = boxes
        .replace("duration_s = \"0.2 s\"", "duration_s = \"4 s\"")
        .replace("kind = \"self\"", "kind = \"uniform\"\nacceleration_m_s2 = [0,0,-1e-9]");
    let meeting = |text: &str, y: &str| text.replace(", radius_m = 0.1", "").replace("[0,1,0]", &format!("[1,{y},0]"));
    let spheres = rigid().replace("duration_s = \"0.2 s\"", "duration_s = \"4 s\"").replace("[0,1,0]", "[1,0,0]");
    let folder = folder(&[("boxes.toml", &meeting(&boxes, "0.05")), ("spheres.toml", &spheres)]);
    let value = |name: &str| {
        said(folder.path(), &format!("run {name}.toml --out {name}"), 0);
        let text = std::fs::read_to_string(folder.path().join(name).join("quantities.json")).expect("quantities");
        let all: serde_json::Value = serde_json::from_str(&text).expect("json");
        all["quantities"]["restitution_normal"].as_f64()
    };
    assert!(value("spheres").is_some_and(|e| (e - 0.5).abs() < 0.05), "{:?}", value("spheres"));
    assert_eq!(value("boxes"), None);
}

/// Cohesion of two bodies of the mean radius, over the weight of one of them.
#[test]
fn cohesion_is_told_over_the_weight_of_the_mean_radius() {
    let sticky = "friction_sliding = 0.4\nshape_parameter = 0.5\ncohesion_pa = 100\n";
    let wide =
        PAIR.replace("friction_sliding = 0.4\n", sticky).replace("[0,1,0], radius_m = 0.1", "[0,1,0], radius_m = 0.3");
    let wide = wide.replace("kind = \"self\"", "kind = \"uniform\"\nacceleration_m_s2 = [0,0,-1e-3]")
        + "[[wall]]\nkind = \"plane\"\npoint_m = [0,0,-1]\nnormal = [0,0,1]\n";
    let folder = folder(&[("s.toml", &wide)]);
    // of 0.2 m: 4 c beta (R/2)^2 over 2500 4/3 pi R^3 g
    let wanted = 4.0 * 100.0 * 0.5 * 0.01 / (2500.0 * 4.0 / 3.0 * std::f64::consts::PI * 8e-3 * 1e-3);
    holds(&said(folder.path(), "check s.toml --no-time", 0), &[&format!("{wanted:.2} times the weight")]);
}

#[test]
fn keys_without_effect_are_told() {
    let rigid = rigid()
        + "[contact_dynamics]\nrecovery = 0\nrecovery_speed_m_s = 0.01\ncohesion_from_s = 0.1\njudge_every = 20\n";
    let tree = PAIR.replace("\"self\"", "\"self\"\nmethod = \"tree\"");
    let folder = folder(&[("rigid.toml", &rigid), ("tree.toml", &tree)]);
    let told = ["recovery_speed_m_s: no overlap", "cohesion_from_s: no material", "judge_every: 20 rows are more"];
    holds(&said(folder.path(), "check rigid.toml --no-time", 0), &told);
    let tree = said(folder.path(), "run tree.toml --engine reference --out tree", 0);
    holds(&tree, &["WARNING: gravity.0.method: the reference engine has no tree"]);
    assert!(!said(folder.path(), "check tree.toml --no-time", 0).contains("gravity.0.method"), "a GPU has trees");
}

/// A mean would count the run twice.
#[test]
fn one_run_that_a_campaign_has_twice() {
    const TWICE: &str = "format = 1\nscenario = \"s.toml\"\nengine = \"reference\"\n[grid]\n\
                         run.duration_s = [\"0.2 s\", \"200 ms\", 0.3]\n";
    let folder = folder(&[("s.toml", PAIR), ("c.toml", TWICE)]);
    let told = said(folder.path(), "sweep c.toml --dry-run", 2);
    holds(&told, &["c.toml: the cases `000_", "are the same run, which a mean would count twice", "change the seed"]);
}

#[test]
fn words_where_a_campaign_needs_numbers() {
    const STUDY: &str = "format = 1\nscenario = \"s.toml\"\nengine = \"reference\"\n[grid]\n\
        \"material.rock.speed_max_m_s\" = [\"50 cm/s\", \"1 m/s\"]\n[[column]]\nname = \"v2\"\n\
        expression = \"speed_max_m_s^2\"\n[[plot]]\nx = \"speed_max_m_s\"\ny = \"steps\"\nfit = true\n";
    let folder = folder(&[("s.toml", PAIR), ("c.toml", STUDY)]);
    let text = said(folder.path(), "sweep c.toml --dry-run", 2);
    holds(&text, &["column.v2.expression: \"50 cm/s\"", "plot.0.x: \"50 cm/s\"", "is a word"]);
    let minus = STUDY.replace("speed_max_m_s^2", "2 * material.rock-1.density_kg_m3");
    std::fs::write(folder.path().join("c.toml"), minus).expect("written");
    holds(&said(folder.path(), "sweep c.toml --dry-run", 2), &["a name with a - in it in braces"]);
}

const MEASURED: &str = "format = 1\nscenario = \"s.toml\"\nengine = \"reference\"\n[grid]\nseed = [1, 2]\n[analysis]\n\
    parts = [\"aggregates\"]\n";

/// The pair in motions drawn by chance, so that cases of several seeds differ.
pub fn drawn() -> String {
    PAIR.replace("generator = \"list\"", "generator = \"list\"\nrandom_speed_m_s = 0.001")
}

#[test]
fn a_case_that_was_measured_by_hand_is_measured_again() {
    let folder = folder(&[("s.toml", &drawn()), ("c.toml", MEASURED)]);
    let table = || std::fs::read_to_string(folder.path().join("c/campaign.csv")).expect("table");
    said(folder.path(), "sweep c.toml --out c", 0);
    let before = table();
    said(folder.path(), "analyze c/cases/000_seed-1 aggregates --tolerance 50", 0);
    said(folder.path(), "sweep c.toml --out c", 0);
    assert_eq!(table(), before);
}

#[test]
fn measurements_that_fail_or_cannot_be() {
    let study = MEASURED.replace("[\"aggregates\"]", "[\"shape\"]\nalpha_m = [1e-9]");
    let folder = folder(&[("s.toml", &drawn()), ("c.toml", &study)]);
    let told = said(folder.path(), "sweep c.toml --out c", 1);
    holds(
        &told,
        &["not measured 000_seed-1: analysis: --alpha", "2 done, 0 failed, 0 left; 2 not measured", "--retry"],
    );
    holds(
        &said(folder.path(), "sweep c.toml --out c --case 0", 1),
        &["000_seed-1: done, not measured: analysis: --alpha"],
    );
    assert!(said(folder.path(), "sweep c.toml --out c --json", 1).contains("\"unmeasured\":2"));
    let plates = MEASURED.replace("aggregates", "compression");
    std::fs::write(folder.path().join("c.toml"), plates).expect("written");
    holds(&said(folder.path(), "sweep c.toml --dry-run", 2), &["\"compression\" needs two plates"]);
    let asteroid = "[asteroid]\nshape = { kind = \"box\", size_m = [1, 1, 1] }\ndensity_kg_m3 = 2500\nmotion = \"fixed\"\n[[material]]";
    let grounded = PAIR.replacen("[[material]]", asteroid, 1).replace("[0,0,0]", "[0,5,0]");
    std::fs::write(folder.path().join("asteroid.toml"), grounded).expect("written");
    let orbits = MEASURED.replace("aggregates", "orbits").replace("s.toml", "asteroid.toml");
    std::fs::write(folder.path().join("c.toml"), orbits).expect("written");
    holds(&said(folder.path(), "sweep c.toml --dry-run", 2), &["\"orbits\" need a field that attracts"]);
    let rigid = MEASURED.replace("aggregates", "strain").replace("s.toml", "stack_of_boxes");
    std::fs::write(folder.path().join("c.toml"), rigid).expect("written");
    holds(&said(folder.path(), "sweep c.toml --dry-run", 2), &["\"strain\" needs overlaps"]);
}

/// A campaign names what its frames do not show, and an expectation of it is not met.
#[test]
fn a_quantity_that_no_case_shows_is_missed() {
    let asked = "[[plot]]\nx = \"seed\"\ny = \"aggregates.0.mass_share\"\n[[expect]]\ny = \"aggregates.0.mass_share\"\nlaw = \"above\"\nlimit = 0\nsource = \"none\"\n";
    let study = MEASURED.replace("\"aggregates\"]", "\"aggregates\"]\nminimum = 1000") + asked;
    let folder = folder(&[("s.toml", &drawn()), ("c.toml", &study)]);
    let told = said(folder.path(), "sweep c.toml --out c --expect fail", 1);
    holds(&told, &["MISS aggregates.0.mass_share", "have no value", "not a column of the table"]);
}

#[test]
fn notes_in_a_kept_table_stay() {
    let study = MEASURED.replace("[analysis]\nparts = [\"aggregates\"]\n", "");
    let folder = folder(&[("s.toml", &drawn()), ("c.toml", &study)]);
    let file = folder.path().join("kept.csv");
    said(folder.path(), "sweep c.toml --out one --keep kept.csv", 0);
    let noted = |(k, line): (usize, &str)| format!("{line},{}\n", if k == 0 { "note" } else { "checked by hand" });
    let text: String = std::fs::read_to_string(&file).expect("table").lines().enumerate().map(noted).collect();
    std::fs::write(&file, &text).expect("written");
    said(folder.path(), "sweep c.toml --out two --keep kept.csv", 0);
    assert_eq!(std::fs::read_to_string(&file).expect("table").matches("checked by hand").count(), 2);
}

#[test]
fn what_was_made_of_a_run_goes_with_it() {
    let folder = folder(&[("s.toml", PAIR)]);
    said(folder.path(), RUN, 0);
    let made = ["movie.mp4", "movie.gif", "report.html"].map(|name| folder.path().join("run").join(name));
    made.iter().for_each(|file| std::fs::write(file, "old").expect("written"));
    said(folder.path(), &format!("{RUN} --overwrite"), 0);
    assert!(made.iter().all(|file| !file.exists()));
}

#[test]
fn an_index_lists_what_its_export_wrote() {
    let folder = folder(&[("s.toml", PAIR)]);
    said(folder.path(), RUN, 0);
    let listed = |export: &str| {
        said(folder.path(), export, 0);
        std::fs::read_to_string(folder.path().join("e/bodies.pvd")).expect("index").matches("<DataSet").count()
    };
    assert_eq!([listed("export run --frame all --out e"), listed("export run --frame 2 --out e")], [5, 1]);
}

#[test]
fn a_shape_is_not_written_over_by_what_is_measured_of_it() {
    let folder = folder(&[]);
    said(folder.path(), "mesh make surface.obj kind=sphere faces=80 radius_m=0.25", 0);
    let before = std::fs::read(folder.path().join("surface.obj")).expect("shape");
    let text = said(folder.path(), "surface surface.obj --unit km --density 2000 --out .", 2);
    holds(&text, &["surface.obj: is the file that is read", "choose another --out"]);
    assert_eq!(std::fs::read(folder.path().join("surface.obj")).expect("shape"), before);
}

#[test]
fn one_key_by_its_number_and_by_its_name() {
    let folder = folder(&[("s.toml", PAIR)]);
    let set = "check s.toml --no-time --set material.rock.friction_sliding=0.1 --set material.0.friction_sliding=0.3";
    holds(&said(folder.path(), set, 2), &["sets a key that another --set has set already", "remove one of the two"]);
}

#[test]
fn one_key_alone_and_in_its_table() {
    let folder = folder(&[("s.toml", PAIR)]);
    let set = "check s.toml --no-time --set run.duration_s=2 --set run={duration_s=4}";
    holds(&said(folder.path(), set, 2), &["--set run: sets a table, and another --set the key run.duration_s in it"]);
    let study = "format = 1\nscenario = \"s.toml\"\n[set]\n\"run.duration_s\" = 0.3\n[grid]\nrun = [{ duration_s = 0.1 }, { duration_s = 0.2 }]\n";
    std::fs::write(folder.path().join("c.toml"), study).expect("written");
    let told = said(folder.path(), "sweep c.toml --dry-run", 2);
    holds(&told, &["`run` and `run.duration_s` are given in two of [set]", "one is in the other"]);
}

/// The text of a run that it keeps is of what it was, in whatever order names and other keys are set.
#[test]
fn a_material_that_is_renamed_and_set() {
    let folder = folder(&[("s.toml", PAIR)]);
    let set = "--set material.rock.name=stone --set material.rock.density_kg_m3=1000";
    said(folder.path(), &format!("run s.toml --engine reference --out run {set}"), 0);
    said(folder.path(), "run run/resolved.toml --engine reference --out again", 0);
    let [a, b] =
        ["run", "again"].map(|run| std::fs::read(folder.path().join(run).join("bodies/mass.npy")).expect("mass"));
    assert!(a == b, "resolved.toml has other masses");
    let digits = PAIR.replace("name = \"rock\"", "name = \"1\"");
    std::fs::write(folder.path().join("digits.toml"), digits).expect("written");
    let told = said(folder.path(), "check digits.toml --no-time", 2);
    holds(&told, &["material.1.name: \"1\" is a number", "add a letter to it"]);
}

/// Limits count numbers, and a word with a unit beside them would be left out.
#[test]
fn a_limit_of_a_column_with_words_and_numbers() {
    let study = "format = 1\nscenario = \"s.toml\"\nengine = \"reference\"\n[grid]\nrun.duration_s = [0.1, \"200 ms\"]\n\
                 [[plot]]\nx = \"duration_s\"\ny = \"kinetic_peak_j\"\nonly = [{ column = \"duration_s\", above = 0.05 }]\n";
    let folder = folder(&[("s.toml", PAIR), ("c.toml", study)]);
    let told = said(folder.path(), "sweep c.toml --dry-run", 2);
    holds(&told, &["\"200 ms\" of run.duration_s is a word beside numbers, and a limit needs numbers"]);
}

/// A campaign refuses a quantity that no run shows before it runs, and a failed case makes an expectation missed.
#[test]
fn expectations_of_what_is_not_there() {
    let head = "format = 1\nscenario = \"s.toml\"\nengine = \"reference\"\n[grid]\nbodies.0.velocity_m_s = [[0, 0, 0], [900, 0, 0]]\n";
    let expect = |y: &str, only: &str| {
        format!("{head}[[expect]]\ny = \"{y}\"\nlaw = \"above\"\nlimit = 0.0\nsource = \"a test\"\n{only}")
    };
    let folder = folder(&[("s.toml", PAIR)]);
    let sweep = |y: &str, only: &str, more: &str, code: i32| {
        std::fs::write(folder.path().join("c.toml"), expect(y, only)).expect("written");
        said(folder.path(), &format!("sweep c.toml {more}"), code)
    };
    for (y, lacks) in [
        ("largest_cluster_mass_share", "[expect.largest_cluster_mass_share]"),
        ("total_momentum_drift", "column total_momentum_drift"),
        ("wall_force_final_n", "wall"),
    ] {
        holds(&sweep(y, "", "--dry-run", 2), &[&format!("no run shows `{y}`: none has {lacks}")]);
    }
    let only = "only = [{ column = \"kinetic_peak_j\", above = -1 }]\n";
    let failed = "[guards]\noverlap_max = 0.01\n";
    std::fs::write(folder.path().join("s.toml"), PAIR.replace("[0,1,0]", "[0.21,0,0]") + failed).expect("written");
    let told = sweep("kinetic_peak_j", only, "--out out --expect fail", 1);
    assert!(told.contains("MISS") && told.contains("1 failed"), "{told}");
}

/// A boulder that passes a long body, which is free to move.
const FREE: &str = r#"format = 1
[run]
duration_s = 4000
time_step_s = 2
[asteroid]
shape = { kind = "box", size_m = [300, 150, 150], subdivisions = 2 }
density_kg_m3 = 2000
motion = "free"
rotation_rad_s = [0, 0, 3e-4]
[[material]]
name = "rock"
density_kg_m3 = 1000
stiffness_normal_n_m = 1e4
restitution_normal = 0.55
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [300, 0, 0], radius_m = 24, velocity_m_s = [0, -0.03, 0] }]
[[gravity]]
kind = "asteroid"
[output]
series_rows = 10
"#;

#[test]
fn energies_and_momenta_beside_a_free_asteroid_are_inertial() {
    let folder = folder(&[("free.toml", FREE)]);
    said(folder.path(), "run free.toml --engine reference --out run", 0);
    let run = folder.path().join("run");
    let text = std::fs::read_to_string(run.join("quantities.json")).expect("quantities");
    let found: serde_json::Value = serde_json::from_str(&text).expect("json");
    let drift = found["quantities"]["energy_drift"].as_f64().expect("a number");
    assert!(drift < 1e-4, "the asteroid's share counts: {drift}");
    let mut series = csv::Reader::from_path(run.join("series.csv")).expect("series");
    let names = series.headers().expect("names").clone();
    let column = |name: &str| names.iter().position(|n| n == name).unwrap_or_else(|| panic!("{name}"));
    let [own, grains] = ["momentum_y_kg_m_s", "grains_momentum_y_kg_m_s"].map(column);
    for row in series.records().map(|r| r.expect("row")) {
        let [own, grains] = [own, grains].map(|k| row[k].parse::<f64>().expect("a number"));
        assert!((own - grains).abs() <= 1e-12 * grains.abs(), "{own}, {grains}");
    }
}

#[test]
fn bodies_that_touch_from_the_start_are_one_aggregate_then() {
    let rigid = rigid().replace("[0,1,0]", "[0,0.2,0]").replace(", velocity_m_s = [0.5,0,0]", "") + "contacts = true\n";
    let folder = folder(&[("touch.toml", &rigid)]);
    said(folder.path(), "run touch.toml --engine reference --out run", 0);
    for frame in ["0", "4"] {
        let text = said(folder.path(), &format!("analyze run aggregates --frame {frame}"), 0);
        holds(&text, &[": 1, and 0 single bodies"]);
    }
}
