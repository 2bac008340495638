//! What a scenario names is part of its run. It is kept with the run and found again from any folder, and a change of it is told.

use crate::common::command::{breccia_in, files};
use std::path::{Path, PathBuf};

/// A grain over a cube from a file, two grains from a table.
const SCENARIO: &str = r#"format = 1
name = "cube"
[run]
duration_s = 4
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 0.5
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = "file"
path = "grains.csv"
[asteroid]
shape = { kind = "mesh", path = "shapes/cube.obj", unit_m = 1 }
density_kg_m3 = 2000
motion = "fixed"
[[gravity]]
kind = "asteroid"
[output]
frames = 2
series_rows = 4
contacts = true
"#;
const GRAINS: &str = "0,0,5.6,0.5\n2,0,5.7,0.5\n";
const OTHER_GRAINS: &str = "0,0,5.6,0.5\n2,0,5.7,0.4\n";

/// The OBJ file of a cube of this edge about the origin.
fn cube(edge: f64) -> String {
    let h = edge / 2.0;
    let corner = |k: usize| [k & 1, (k >> 1) & 1, k >> 2].map(|up| if up == 1 { h } else { -h });
    let vertices: String = (0..8).map(|k| format!("v {} {} {}\n", corner(k)[0], corner(k)[1], corner(k)[2])).collect();
    let faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"];
    vertices + &faces.iter().map(|f| format!("f {f}\n")).collect::<String>()
}

fn study() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("shapes")).unwrap();
    std::fs::write(folder.path().join("cube.toml"), SCENARIO).unwrap();
    std::fs::write(folder.path().join("grains.csv"), GRAINS).unwrap();
    std::fs::write(folder.path().join("shapes/cube.obj"), cube(10.0)).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn run(folder: &Path, scenario: &str, out: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    let start = ["run", scenario, "--engine", "reference", "--out", text(out)];
    breccia_in(folder, &[&start[..], more].concat())
}

/// Ends a command that may miss what its scenario expects.
fn ran(assert: assert_cmd::assert::Assert) {
    assert!(matches!(assert.get_output().status.code(), Some(0 | 1)), "{}", words(&assert));
}

fn words(assert: &assert_cmd::assert::Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

fn series(run: &Path) -> String {
    std::fs::read_to_string(run.join("series.csv")).unwrap()
}

/// A run from the folder of its scenario, to its end, and one that was stopped half way.
fn pair() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let study = study();
    let (whole, cut) = (study.path().join("whole"), study.path().join("cut"));
    run(study.path(), "cube.toml", &whole, &[]).code(0);
    run(study.path(), "cube.toml", &cut, &["--stop-at-step", "50"]).code(75);
    (study, whole, cut)
}

/// The scenario with the bodies of the last frame of the run `whole`.
fn following() -> String {
    SCENARIO.replace("generator = \"file\"\npath = \"grains.csv\"", "generator = \"frame\"\npath = \"whole\"")
}

#[test]
fn a_run_goes_on_from_any_folder_without_its_originals() {
    let (study, whole, cut) = pair();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::remove_file(study.path().join("grains.csv")).unwrap();
    std::fs::remove_file(study.path().join("cube.toml")).unwrap();
    std::fs::rename(study.path().join("shapes"), study.path().join("moved")).unwrap();
    // the run itself moves too
    let moved = elsewhere.path().join("run");
    std::fs::rename(&cut, &moved).unwrap();
    breccia_in(elsewhere.path(), &["resume", "run"]).code(0);
    assert_eq!(series(&moved), series(&whole));
    for command in [&["export", "run"][..], &["analyze", "run", "aggregates"]] {
        breccia_in(elsewhere.path(), command).code(0);
    }
    let resolved = std::fs::read_to_string(moved.join("resolved.json")).unwrap();
    assert!(resolved.contains("inputs/") && !resolved.contains(text(study.path())), "{resolved}");
    // what `export` writes of the asteroid is its surface, from the copy
    assert!(std::fs::read_dir(moved.join("export")).unwrap().count() > 1);
}

#[test]
fn a_changed_input_is_refused_by_name_and_let_pass_on_request() {
    let (study, whole, cut) = pair();
    std::fs::write(study.path().join("shapes/cube.obj"), cube(9.0)).unwrap();
    let refused = words(&breccia_in(study.path(), &["resume", "cut"]).code(2));
    for part in ["shapes/cube.obj", "asteroid.shape.path", "has changed since cut began", "sha-256", "--kept-inputs"] {
        assert!(refused.contains(part), "`{part}` is not in: {refused}");
    }
    assert!(!refused.contains("grains.csv"), "{refused}");
    std::fs::write(study.path().join("grains.csv"), OTHER_GRAINS).unwrap();
    let refused = words(&breccia_in(study.path(), &["resume", "cut"]).code(2));
    assert!(refused.contains("grains.csv") && refused.contains("cube.obj"), "{refused}");
    breccia_in(study.path(), &["resume", "cut", "--kept-inputs"]).code(0);
    for file in ["series.csv", "manifest.json", "resolved.toml", "frames/000002/position.npy"] {
        assert!(std::fs::read(whole.join(file)).unwrap() == std::fs::read(cut.join(file)).unwrap(), "{file} differs");
    }
    // a finished run is as it was
    breccia_in(study.path(), &["analyze", "cut", "aggregates"]).code(0);
}

#[test]
fn a_copy_that_is_damaged_or_missing_is_refused() {
    let (study, whole, cut) = pair();
    let copy = std::fs::read_dir(cut.join("inputs")).unwrap().flatten().map(|e| e.path());
    let copy = copy.into_iter().find(|p| p.extension().is_some_and(|e| e == "obj")).unwrap();
    let name = copy.file_name().unwrap().to_str().unwrap();
    let refused = |commands: &[&[&str]], what: &[&str]| {
        for command in commands {
            let told = words(&breccia_in(study.path(), command).code(7));
            assert!(what.iter().all(|part| told.contains(part)), "{command:?}: {told}");
        }
    };
    std::fs::write(&copy, cube(8.0)).unwrap();
    let all = [&["resume", "cut"][..], &["export", "cut"], &["render", "cut"], &["resume", "cut", "--restart"]];
    refused(&all, &[name, "has changed since the run began", "cube.obj still holds the same; copy it there"]);
    std::fs::remove_file(&copy).unwrap();
    refused(&all[..1], &[name, "is missing", "cube.obj still holds the same"]);
    std::fs::remove_dir_all(study.path().join("shapes")).unwrap();
    refused(&all[..1], &[name, "is missing", "restore it, or make the run again"]);
    std::fs::write(&copy, cube(10.0)).unwrap();
    breccia_in(study.path(), &["resume", "cut"]).code(0);
    assert_eq!(series(&cut), series(&whole));
}

/// What a run used is a scenario that runs as it is, wherever the run is and whatever became of the originals.
#[test]
fn the_resolved_scenario_repeats_the_run() {
    let study = study();
    write_npy(&study.path().join("grains.npy"));
    let set = ["--set", "bodies.0.path=grains.npy", "--set", "material.rock.friction_sliding=0.1"];
    let built_in = ["bounce", "--engine", "reference", "--set", "run.duration_s=0.5", "--set", "output.frames=2"];
    let shape = ["asteroid.shape.kind=sphere", "asteroid.shape.radius_m=5", "asteroid.shape.faces=320"];
    let shape: Vec<&str> = shape.iter().flat_map(|set| ["--set", *set]).collect();
    let cube = ["cube.toml", "--engine", "reference"];
    for (name, arguments) in [
        ("plain", built_in[..3].to_vec()),
        ("set", built_in.to_vec()),
        ("files", [&cube[..], &set].concat()),
        ("word", [&cube[..], &shape].concat()),
    ] {
        let (first, moved) = (study.path().join(name), study.path().join(format!("{name}_moved")));
        ran(breccia_in(study.path(), &[&["run", "--out", name][..], &arguments].concat()));
        std::fs::rename(&first, &moved).unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let resolved = moved.join("resolved.toml");
        let again = ["run", text(&resolved), "--engine", "reference", "--out", "again"];
        ran(breccia_in(elsewhere.path(), &again));
        let (mut one, mut other) = (files(&moved), files(&elsewhere.path().join("again")));
        // texts and folders of another scenario, and checkpoints depend on the clock
        for list in [&mut one, &mut other] {
            list.retain(|path, _| {
                let name = path.to_str().unwrap();
                !["scenario.toml", "settings.json", "inputs.json"].contains(&name) && !name.starts_with("checkpoint")
            });
        }
        assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
        // the scenarios are one: the manifest has their fingerprint
        one.iter().for_each(|(path, bytes)| assert!(*bytes == other[path], "{name}: {} differs", path.display()));
    }
}

/// Two grains as an array of positions and radii.
fn write_npy(path: &Path) {
    use npyz::WriterBuilder;
    let file = std::fs::File::create(path).unwrap();
    let options = npyz::WriteOptions::new().default_dtype().shape(&[2, 4]).writer(file);
    let mut writer = options.begin_nd().unwrap();
    writer.extend([0.0, 0.0, 5.6, 0.5, 2.0, 0.0, 5.7, 0.5f64]).unwrap();
    writer.finish().unwrap();
}

/// A run that a version left which kept no sessions, no sums in the manifest and no resolved.toml.
#[test]
fn a_run_of_an_older_version_still_opens() {
    let (study, whole, cut) = pair();
    for name in ["sessions.json", "resolved.toml"] {
        std::fs::remove_file(cut.join(name)).unwrap();
    }
    let manifest = cut.join("manifest.json");
    let mut old: serde_json::Value = serde_json::from_slice(&std::fs::read(&manifest).unwrap()).unwrap();
    assert!(old.as_object_mut().unwrap().remove("inputs").is_some());
    std::fs::write(&manifest, old.to_string()).unwrap();
    for command in [&["analyze", "cut", "aggregates"][..], &["export", "cut"], &["info", "cut"], &["resume", "cut"]] {
        breccia_in(study.path(), command).code(0);
    }
    assert_eq!(series(&cut), series(&whole));
}

/// Where a run is started changes nothing that it leaves, apart from the record of where the originals were.
#[test]
fn paths_count_from_the_scenario_and_not_from_the_folder() {
    let (study, whole, _) = pair();
    let elsewhere = tempfile::tempdir().unwrap();
    let (away, scenario) = (elsewhere.path().join("away"), study.path().join("cube.toml"));
    run(elsewhere.path(), text(&scenario), &away, &[]).code(0);
    for file in
        ["series.csv", "resolved.json", "resolved.toml", "manifest.json", "inputs.json", "frames/000002/position.npy"]
    {
        assert!(std::fs::read(whole.join(file)).unwrap() == std::fs::read(away.join(file)).unwrap(), "{file} differs");
    }
    // a built-in scenario has no folder: paths count from the current one
    let set = ["asteroid.shape.kind=mesh", "asteroid.shape.path=shapes/cube.obj", "asteroid.shape.unit_m=0.4"];
    let set: Vec<&str> = set.iter().flat_map(|s| ["--set", s]).collect();
    breccia_in(study.path(), &[&["check", "grain_on_facets"][..], &set].concat()).code(0);
    let missing = breccia_in(elsewhere.path(), &[&["check", "grain_on_facets"][..], &set].concat());
    assert!(words(&missing.failure()).contains("shapes/cube.obj does not exist"));
}

/// Bodies of another run: its last frame is kept.
#[test]
fn the_frame_of_another_run_is_kept() {
    let (study, _, _) = pair();
    let follow = following().replace("name = \"cube\"", "name = \"follow\"");
    std::fs::write(study.path().join("follow.toml"), &follow).unwrap();
    let first = study.path().join("first");
    run(study.path(), "follow.toml", &first, &["--stop-at-step", "20"]).code(75);
    // another last frame
    let frames = study.path().join("whole/frames");
    std::fs::remove_dir_all(frames.join("000002")).unwrap();
    let resume = ["resume", "first", "--stop-at-step", "40"];
    let told = words(&breccia_in(study.path(), &resume).code(2));
    assert!(told.contains("bodies.0.path") && told.contains("/whole: has changed since first began"), "{told}");
    breccia_in(study.path(), &[&resume[..], &["--kept-inputs"]].concat()).code(75);
    std::fs::remove_dir_all(study.path().join("whole")).unwrap();
    breccia_in(study.path(), &["resume", "first"]).code(0);
    // from the frame that the run keeps, without the run that it was of
    breccia_in(study.path(), &["run", "first/resolved.toml", "--engine", "reference", "--out", "third"]).code(0);
    assert_eq!(series(&first), series(&study.path().join("third")));
    // a run of this name here and another one in the scenario's folder: which is meant?
    let elsewhere = tempfile::tempdir().unwrap();
    run(study.path(), "cube.toml", &study.path().join("whole"), &[]).code(0);
    run(study.path(), "cube.toml", &elsewhere.path().join("whole"), &[]).code(0);
    let scenario = study.path().join("follow.toml");
    let told = words(&run(elsewhere.path(), text(&scenario), &elsewhere.path().join("x"), &[]).code(2));
    assert!(told.contains("bodies.0.path") && told.contains("another one in the current folder"), "{told}");
    std::fs::remove_dir_all(elsewhere.path().join("whole")).unwrap();
    run(elsewhere.path(), text(&scenario), &elsewhere.path().join("x"), &["--stop-at-step", "3"]).code(75);
}

/// What a run is made of is not cleared for it, whatever the way to it.
#[test]
fn a_run_does_not_replace_what_it_is_made_of() {
    let (study, whole, _) = pair();
    std::fs::write(study.path().join("follow.toml"), following()).unwrap();
    for mine in ["mine.csv", "inputs/mine.csv"] {
        std::fs::write(whole.join(mine), OTHER_GRAINS).unwrap();
    }
    let before = files(&whole);
    let refused = |scenario: &str, out: &Path, more: &[&str]| {
        let told = words(&run(study.path(), scenario, out, &[&["--overwrite"][..], more].concat()).code(2));
        for part in ["/whole", "bodies.0.path", "which --overwrite replaces", "choose another --out"] {
            assert!(told.contains(part), "`{part}` is not in: {told}");
        }
        assert!(files(&whole) == before, "{scenario} {more:?}: the run is not as it was");
    };
    refused("follow.toml", &whole, &[]);
    refused("follow.toml", &study.path().join("shapes/../whole"), &[]);
    refused("cube.toml", &whole, &["--set", "bodies.0.path=whole/mine.csv"]);
    // it would be removed with the copies of the run before
    refused("cube.toml", &whole, &["--set", "bodies.0.path=whole/inputs/mine.csv"]);
    #[cfg(unix)]
    {
        let way = study.path().join("way");
        std::os::unix::fs::symlink(&whole, &way).unwrap();
        refused("follow.toml", &way, &[]);
    }
}

/// The copies of the run that is there are those that the new one keeps: files, and the frame of another run.
#[test]
fn a_resolved_scenario_runs_in_the_place_of_its_run() {
    let (study, whole, _) = pair();
    std::fs::write(study.path().join("follow.toml"), following()).unwrap();
    let first = study.path().join("first");
    run(study.path(), "follow.toml", &first, &[]).code(0);
    for (out, resolved) in [(&first, "first/resolved.toml"), (&whole, "whole/resolved.toml")] {
        let (rows, kept) = (series(out), files(&out.join("inputs")));
        run(study.path(), resolved, out, &["--overwrite"]).code(0);
        assert_eq!(series(out), rows);
        assert!(files(&out.join("inputs")) == kept, "{resolved}: other copies");
    }
}

#[test]
fn a_campaign_calls_no_case_done_whose_inputs_have_changed() {
    let study = study();
    let campaign = "format = 1\nscenario = \"cube.toml\"\nengine = \"reference\"\n[grid]\n\"material.rock.friction_sliding\" = [0.1, 0.4]\n";
    std::fs::write(study.path().join("study.toml"), campaign).unwrap();
    breccia_in(study.path(), &["sweep", "study.toml"]).code(0);
    breccia_in(study.path(), &["sweep", "study.toml"]).code(0);
    std::fs::write(study.path().join("shapes/cube.obj"), cube(9.0)).unwrap();
    for more in [&["sweep", "study.toml"][..], &["sweep", "study.toml", "--list"], &["sweep", "study.toml", "--table"]]
    {
        let refused = words(&breccia_in(study.path(), more).code(2));
        for part in ["cube.obj has changed", "sha-256", "then", "now", "--out"] {
            assert!(refused.contains(part), "`{part}` is not in: {refused}");
        }
    }
    // gone is not changed: the table needs no original
    std::fs::remove_file(study.path().join("shapes/cube.obj")).unwrap();
    breccia_in(study.path(), &["sweep", "study.toml", "--table"]).code(0);
    std::fs::write(study.path().join("shapes/cube.obj"), cube(10.0)).unwrap();
    breccia_in(study.path(), &["sweep", "study.toml"]).code(0);
}

/// The run keeps what it needs; the source pile is beside the scenario and not in the current folder.
#[test]
fn a_case_that_was_cut_off_goes_on_without_its_originals() {
    let (study, _, _) = pair();
    let elsewhere = tempfile::tempdir().unwrap();
    let [scenario, campaign] = ["follow.toml", "study.toml"].map(|name| study.path().join(name));
    std::fs::write(&scenario, following()).unwrap();
    let text_of_it = "format = 1\nscenario = \"follow.toml\"\nengine = \"reference\"\n[grid]\nseed = [5]\n";
    std::fs::write(&campaign, text_of_it).unwrap();
    let sweep = ["sweep", text(&campaign), "--out", "out"];
    breccia_in(elsewhere.path(), &sweep).code(0);
    let case = elsewhere.path().join("out/cases/000_seed-5");
    let whole = series(&case);
    let cut = ["--overwrite", "--set", "seed=5", "--stop-at-step", "20"];
    run(elsewhere.path(), text(&scenario), &case, &cut).code(75);
    for gone in ["whole", "shapes"] {
        std::fs::remove_dir_all(study.path().join(gone)).unwrap();
    }
    let list = breccia_in(elsewhere.path(), &[&sweep[..], &["--list"]].concat()).code(0);
    assert!(String::from_utf8_lossy(&list.get_output().stdout).contains("begun"));
    let one = [&sweep[..], &["--case", "0"]].concat();
    breccia_in(elsewhere.path(), &one).code(0);
    assert_eq!(series(&case), whole);
    // a case that has to begin needs them
    std::fs::remove_dir_all(&case).unwrap();
    let told = words(&breccia_in(elsewhere.path(), &one).failure());
    assert!(told.contains("whole does not hold a run"), "{told}");
}

/// `...toml` has the stem `..`, whose run would land in the working folder.
#[test]
fn a_file_whose_name_makes_none_is_refused() {
    let study = study();
    let unnamed = SCENARIO.replace("name = \"cube\"\n", "");
    std::fs::write(study.path().join("...toml"), unnamed).unwrap();
    let told = words(&breccia_in(study.path(), &["run", "...toml", "--engine", "reference"]).code(2));
    assert!(told.contains("...toml") && told.contains("add name ="), "{told}");
    assert!(!study.path().join("series.csv").exists() && !study.path().join("runs").exists());
    std::fs::write(study.path().join("...toml"), SCENARIO).unwrap();
    breccia_in(study.path(), &["run", "...toml", "--engine", "reference"]).code(0);
    assert!(study.path().join("runs/cube/series.csv").exists());
}

#[test]
fn check_says_how_much_is_copied() {
    let study = study();
    let found = breccia_in(study.path(), &["check", "cube.toml"]).code(0);
    let told = String::from_utf8_lossy(&found.get_output().stdout).into_owned();
    assert!(told.contains("in 2 files, copied into the run"), "{told}");
}
