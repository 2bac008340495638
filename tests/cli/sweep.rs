//! `breccia sweep` as users meet it: a table of all that its cases show, plots, and what is expected of them.

use crate::common::command::words;
use assert_cmd::Command;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// 27 spheres that fall together: seconds each, most of them for checkpoints at every pause.
pub const PILE: &str = r#"format = 1
name = "pile"
[run]
duration_s = 4000
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.02
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "lattice"
count = 27
grid_spacing_m = 2.1
radius_m = 1.0
[[gravity]]
kind = "self"
[output]
frames = 4
series_rows = 40
contacts = true
checkpoint_minutes = 1e-9
"#;

/// Four cases of it, measured and drawn.
pub const CAMPAIGN: &str = r#"format = 1
scenario = "pile.toml"
engine = "reference"
[grid]
material.rock.friction_sliding = [0.1, 0.8]
material.rock.restitution_normal = [0.3, 0.6]
[analysis]
parts = ["aggregates", "shape", "stress", "strain"]
frames = "all"
list_rows = 2
minimum = 1
alpha_m = ["auto", 2.5]
at_s = [0, "50 min"]
[[column]]
name = "per_body"
expression = "kinetic_peak_j / bodies + 0 * aggregates.0.mass_share"
[[column]]
name = "kinetic_per_body_j"
expression = "kinetic_translational_j / bodies"
[[plot]]
name = "packing"
x = "friction_sliding"
y = "packing_final"
series = "restitution_normal"
style = "lines"
[[plot]]
name = "grippy"
x = "restitution_normal"
y = "per_body"
only = [{ column = "friction_sliding", above = 0.5, below = 0.9 }]
[[plot]]
name = "porosity"
x = ["shape.balls.0.alpha_m", "shape.balls.1.alpha_m"]
y = ["shape.balls.0.porosity", "shape.balls.1.porosity"]
[[time_plot]]
name = "energy"
y = ["kinetic_translational_j", "gravitational_j"]
names = ["kinetic", "gravitational"]
series = "restitution_normal"
[[time_plot]]
name = "frames"
y = ["aggregates.single_bodies", "strain.sizes.0.strain_share"]
[[time_plot]]
name = "spun"
y = ["kinetic_per_body_j", "angular_momentum_orbital_*_kg_m2_s"]
"#;

/// A folder with a scenario and a campaign.
pub fn study(scenario: &str, campaign: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("pile.toml"), scenario).expect("written");
    std::fs::write(folder.path().join("study.toml"), campaign).expect("written");
    folder
}

pub fn sweep(folder: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    command.current_dir(folder).args(["sweep", "study.toml"]).args(more).assert()
}

/// All files of a campaign with their bytes, but for wall times, logs and what names a process.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut stack) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(directory) = stack.pop() {
        for entry in std::fs::read_dir(&directory).expect("directory").flatten() {
            let path = entry.path();
            let timed = ["lock", "wall_times.csv", "logs", "sessions.json"].iter().any(|name| path.ends_with(name));
            if path.is_dir() && !timed {
                stack.push(path);
            } else if !timed {
                found.insert(path.strip_prefix(folder).expect("below").to_owned(), std::fs::read(&path).expect("file"));
            }
        }
    }
    found
}

/// Cells of a line, quoted ones without their quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => cells.last_mut().expect("one at least").push(c),
        }
    }
    cells
}

/// Columns and rows of campaign.csv.
pub fn table(out: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(out.join("campaign.csv")).expect("table");
    let mut lines = text.lines().map(cells);
    let head = lines.next().expect("header");
    let row = |cells: Vec<String>| {
        assert_eq!(cells.len(), head.len());
        head.iter().cloned().zip(cells).collect()
    };
    lines.map(row).collect()
}

/// A run that ends at rest took fewer steps than were planned: 1,000 s at rest after the first contact, at some 600 s.
#[test]
fn the_table_has_the_steps_that_were_taken() {
    let rest = PILE.replace("4000", "4000\nstop_when = { kinetic_share_below = 0.9, for_s = 1000 }");
    let campaign = "format = 1\nscenario = \"pile.toml\"\nengine = \"reference\"\n[grid]\nseed = [1]\n";
    let folder = study(&rest, campaign);
    sweep(folder.path(), &[]).code(0);
    let row = &table(&folder.path().join("runs/study"))[0];
    let number = |column: &str| row[column].parse::<f64>().expect("a number");
    let time_s = number("steps") * number("time_step_s");
    assert!((1200.0..2000.0).contains(&time_s), "{time_s}");
}

#[test]
fn a_campaign_leaves_one_table_of_all_that_its_cases_show() {
    let folder = study(PILE, CAMPAIGN);
    let out = folder.path().join("runs/study");
    let dry = words(&sweep(folder.path(), &["--dry-run"]).code(0));
    assert!(dry.contains("cases: 4") && !out.exists(), "{dry}");
    assert!(words(&sweep(folder.path(), &["--table"]).code(2)).contains("is not the directory of a campaign"));
    sweep(folder.path(), &["--jobs", "2"]).code(0);
    let rows = table(&out);
    assert_eq!(rows.len(), 4);
    for (k, row) in rows.iter().enumerate() {
        let number = |name: &str| row[name].parse::<f64>().unwrap_or_else(|_| panic!("{name}: {}", row[name]));
        assert_eq!((number("case"), row["status"].as_str(), row["error"].as_str()), (k as f64, "done", ""));
        assert_eq!(number("material.rock.restitution_normal"), [0.3, 0.6][k % 2]);
        assert_eq!(number("bodies"), 27.0);
        let run = out.join("cases").join(&row["name"]);
        let read = |name: &str| -> Value {
            serde_json::from_str(&std::fs::read_to_string(run.join(name)).expect("file")).expect("json")
        };
        assert_eq!(
            number("packing_final"),
            read("quantities.json")["quantities"]["packing_final"].as_f64().expect("f64")
        );
        let heaviest = &read("analysis/000004/aggregates.json")["list"][0];
        assert_eq!(number("aggregates.0.mass_share"), heaviest["mass_share"].as_f64().expect("f64"));
        let second = &read("analysis/000004/aggregates.json")["list"][1];
        assert_eq!(row.get("aggregates.1.mass_kg").and_then(|m| m.parse().ok()), second["mass_kg"].as_f64());
        assert!(!row.contains_key("aggregates.2.mass_kg"));
        assert!(number("stress.pressure_pa") > 0.0, "the pile carries itself");
        let shape = read("analysis/000004/shape.json");
        assert_eq!(number("shape.porosity"), number("shape.balls.0.porosity"));
        assert_eq!(number("shape.balls.1.porosity"), shape["balls"][1]["porosity"].as_f64().expect("f64"));
        assert!(number("shape.balls.1.alpha_m") == 2.5 && number("shape.alpha_m") == 4.0);
        // frames are 1000 s apart: at the start nothing touches, and the one at 3000 s is in the midst
        assert_eq!(number("aggregates.at_0s.count"), 0.0);
        let early = read("analysis/000003/shape.json");
        assert_eq!(number("shape.at_3000s.volume_m3"), early["volume_m3"].as_f64().expect("f64"));
        assert!(number("shape.at_3000s.volume_m3") != number("shape.volume_m3"));
        assert_eq!(std::fs::read_dir(run.join("checkpoint")).expect("checkpoints").count(), 1);
    }
    let drawn: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("plots/packing.json")).expect("json")).expect("json");
    let point = &drawn["panels"][0]["series"][1]["points"][0];
    assert_eq!(
        point["mean"].as_f64().expect("f64").to_string(),
        rows[1]["packing_final"].parse::<f64>().unwrap().to_string()
    );
    assert!(std::fs::read_to_string(out.join("plots/packing.svg")).expect("svg").contains("packing_final"));
    against_time(&out, &rows);
    frames_against_time(&out, &rows);
    computed(&out, &rows);
    let first = contents(&out);
    std::fs::remove_file(out.join("campaign.csv")).expect("removed");
    std::fs::remove_dir_all(out.join("plots")).expect("removed");
    sweep(folder.path(), &["--table"]).code(0);
    assert!(contents(&out) == first, "made again, table and plots are the same");
    let again = words(&sweep(folder.path(), &[]).code(0));
    assert!(!again.contains("begins") && contents(&out) == first, "nothing is left to do: {again}");
    for row in &rows {
        std::fs::remove_dir_all(out.join("cases").join(&row["name"]).join("frames")).expect("removed");
    }
    let left = contents(&out);
    std::fs::remove_dir_all(out.join("plots")).expect("removed");
    sweep(folder.path(), &["--table"]).code(0);
    assert!(contents(&out) == left, "what was measured stays without the frames");
}

/// The time plot shows rows of the series of each case, column after column.
fn against_time(out: &Path, rows: &[BTreeMap<String, String>]) {
    let text = std::fs::read_to_string(out.join("plots/energy.json")).expect("json");
    let drawn: Value = serde_json::from_str(&text).expect("json");
    let lines = drawn["panels"][0]["series"].as_array().expect("series");
    assert_eq!(lines.len(), 2 * rows.len());
    for (k, row) in rows.iter().enumerate() {
        let path = out.join("cases").join(&row["name"]).join("series.csv");
        let (columns, series) = breccia::record::files::series::read(&path).expect("series");
        for (line, column) in lines[2 * k..].iter().zip(["kinetic_translational_j", "gravitational_j"]) {
            let index = columns.iter().position(|c| c == column).expect("column");
            let points = line["points"].as_array().expect("points");
            assert_eq!(points.len(), series.len());
            for (point, row) in points.iter().zip(&series) {
                assert_eq!(point["mean"].as_f64(), Some(row[index]));
                assert!((point["x"].as_f64().expect("time") * 60.0 - row[1]).abs() <= 1e-9 * row[1], "minutes");
            }
        }
    }
    assert!(std::fs::read_to_string(out.join("plots/energy.svg")).expect("svg").contains("time (min)"));
}

/// What was measured of frames has a point for each of them, but where a frame shows nothing.
fn frames_against_time(out: &Path, rows: &[BTreeMap<String, String>]) {
    let json =
        |path: PathBuf| -> Value { serde_json::from_str(&std::fs::read_to_string(path).expect("file")).expect("json") };
    let drawn = json(out.join("plots/frames.json"));
    let points = |k: usize| -> Vec<f64> {
        let points = drawn["panels"][0]["series"][k]["points"].as_array().expect("points").iter();
        points.filter_map(|p| p["mean"].as_f64()).collect()
    };
    for (k, row) in rows.iter().enumerate() {
        let analysis = out.join("cases").join(&row["name"]).join("analysis");
        let frames = (0..=4).map(|frame| analysis.join(format!("{frame:06}")));
        let frames: Vec<[Value; 2]> =
            frames.map(|f| ["aggregates.json", "strain.json"].map(|part| json(f.join(part)))).collect();
        let single = frames.iter().filter_map(|[a, _]| a["single_bodies"].as_f64());
        assert_eq!(points(2 * k), single.collect::<Vec<_>>());
        let strained: Vec<f64> = frames.iter().filter_map(|[_, s]| s["sizes"][0]["strain_share"].as_f64()).collect();
        assert!(points(2 * k + 1) == strained && (1..5).contains(&strained.len()), "nothing overlaps at the start");
    }
}

/// Computed columns are in the table and in plots, and a plot leaves out what it is told to.
fn computed(out: &Path, rows: &[BTreeMap<String, String>]) {
    let number = |row: &BTreeMap<String, String>, name: &str| row[name].parse::<f64>().expect("a number");
    for row in rows {
        assert_eq!(number(row, "per_body"), number(row, "kinetic_peak_j") / 27.0);
        assert!(!row.contains_key("kinetic_per_body_j"), "it belongs to the series");
    }
    let drawn = |name: &str| -> Value {
        let text = std::fs::read_to_string(out.join("plots").join(name)).expect("json");
        serde_json::from_str::<Value>(&text).expect("json")["panels"][0]["series"].clone()
    };
    let grippy = drawn("grippy.json");
    let means: Vec<f64> =
        grippy[0]["points"].as_array().expect("points").iter().filter_map(|p| p["mean"].as_f64()).collect();
    let wanted = rows.iter().filter(|row| number(row, "material.rock.friction_sliding") == 0.8);
    assert_eq!(means, wanted.map(|row| number(row, "per_body")).collect::<Vec<_>>());
    let spun = drawn("spun.json");
    let path = out.join("cases").join(&rows[0]["name"]).join("series.csv");
    let (columns, series) = breccia::record::files::series::read(&path).expect("series");
    let of = |name: &str| series[3][columns.iter().position(|c| c == name).expect("column")];
    let sizes = ["x", "y", "z"].map(|axis| of(&format!("angular_momentum_orbital_{axis}_kg_m2_s")).powi(2));
    assert_eq!(spun[0]["points"][3]["mean"].as_f64(), Some(of("kinetic_translational_j") / 27.0));
    assert_eq!(spun[1]["points"][3]["mean"].as_f64(), Some(sizes.iter().sum::<f64>().sqrt()));
}

/// Collisions at four speeds.
const SPEEDS: &str = r#"format = 1
scenario = "bounce"
engine = "reference"
[[together]]
name = "speed"
labels = ["1", "2", "3", "4"]
bodies.0.body.1.velocity_m_s = [[-0.01, 0, 0], [-0.02, 0, 0], [-0.03, 0, 0], [-0.04, 0, 0]]
"#;

#[test]
fn expectations_are_judged_at_the_end() {
    let table = |t: &&str| format!("[[expect]]\n{t}\nsource = \"theory\"\n");
    let expects = |tables: &[&str]| SPEEDS.to_owned() + &tables.iter().map(table).collect::<String>();
    let met = "y = \"kinetic_peak_j\"\nlaw = \"power\"\nx = \"speed\"\nvalue = 2\ntolerance_absolute = 0.01";
    let missed = "y = \"kinetic_peak_j\"\nlaw = \"falls\"\nx = \"speed\"";
    let absent = "y = \"divergence_time_s\"\nlaw = \"above\"\nlimit = 0";
    let folder = study(PILE, &expects(&[met, absent]));
    let text = words(&sweep(folder.path(), &[]).code(0));
    assert!(text.contains("ok   kinetic_peak_j goes as a power of speed: exponent 2"), "{text}");
    assert!(text.contains("of 4 cases, expected 2 +- 0.01 (theory)"), "{text}");
    assert!(text.contains("MISS divergence_time_s is above 0 in every case: 4 cases have no value (theory)"), "{text}");
    // The campaign's words do not make it another one.
    std::fs::write(folder.path().join("study.toml"), expects(&[met, missed])).expect("written");
    let text = words(&sweep(folder.path(), &["--expect", "fail"]).code(1));
    assert!(text.contains("MISS kinetic_peak_j falls with speed: slope ") && !text.contains("begins"), "{text}");
    sweep(folder.path(), &[]).code(0);
    let file = folder.path().join("runs/study/expectations.json");
    let list: Value = serde_json::from_str(&std::fs::read_to_string(&file).expect("a file")).expect("JSON");
    assert_eq!((&list[0]["outcome"], &list[1]["outcome"]), (&Value::from("met"), &Value::from("missed")));
    let end: Value =
        serde_json::from_slice(&sweep(folder.path(), &["--json"]).code(0).get_output().stdout).expect("json");
    assert_eq!(end["expect"], list);
    assert!(!words(&sweep(folder.path(), &["--expect", "off"]).code(0)).contains("MISS"));
    assert!(words(&sweep(folder.path(), &["--case", "0", "--expect", "off"]).code(2)).contains("cannot be used with"));
    std::fs::remove_dir_all(folder.path().join("runs/study/cases/001_2")).expect("removed");
    let text = words(&sweep(folder.path(), &["--table"]).code(0));
    assert!(
        text.contains("open kinetic_peak_j falls with speed: slope") && text.contains(", 1 case left to do (theory)"),
        "{text}"
    );
}

/// The built-in campaign: restitution without spin is as typed. Steps of 1 % of a contact time: 1e-3.
#[test]
fn a_built_in_campaign_shows_what_its_plot_says() {
    let folder = tempfile::tempdir().expect("folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("breccia").expect("binary");
        command.current_dir(folder.path()).arg("sweep").args(arguments).assert().code(0)
    };
    assert!(words(&run(&[])).contains("restitution"));
    let shown = String::from_utf8(run(&["restitution", "--show"]).get_output().stdout.clone()).expect("utf8");
    assert!(shown.contains("scenario = \"bounce\""), "{shown}");
    run(&["restitution", "--jobs", "2"]);
    let text = std::fs::read_to_string(folder.path().join("runs/restitution/plots/restitution.json")).expect("numbers");
    let figure: Value = serde_json::from_str(&text).expect("json");
    let unspun = &figure["panels"][0]["series"][0];
    assert_eq!((unspun["label"].as_str(), unspun["points"].as_array().map(Vec::len)), (Some("none"), Some(5)));
    for point in unspun["points"].as_array().expect("points") {
        let [typed, measured] = ["x", "mean"].map(|key| point[key].as_f64().expect("number"));
        assert!((measured - typed).abs() < 1e-3, "{measured}, typed {typed}");
        assert_eq!(point["cases"], 2);
    }
    let slope = unspun["fit"]["slope"].as_f64().expect("number");
    assert!((slope - 1.0).abs() < 1e-3, "{slope}");
}
