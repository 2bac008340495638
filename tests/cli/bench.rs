//! The bench measures what it says: the packing stays whole, results are right, sizes that do not fit are reported.

use assert_cmd::Command;
use breccia::bench::Part;
use breccia::bench::measure::run;
use breccia::bench::packing::{STEPS_MAX, packing};
use breccia::engine::Engine;
use breccia::physics::laws::BuiltIn;
use breccia::physics::laws::registry::{LAWS, all};
use serde_json::Value;

fn breccia(args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").arg("bench").args(args).assert()
}

/// All contacts of the lattice are there from the first step to the last, with springs at work and nothing moving off.
#[test]
fn the_packing_stays_whole_as_long_as_it_is_stepped() {
    all().for_each(stays_whole);
}

fn stays_whole(law: &dyn BuiltIn) {
    let p = packing(216, law).expect("packing");
    let mut engine = crate::common::engine(&p.scenario, &p.bodies);
    for step in [1, 100, STEPS_MAX] {
        crate::common::run_to(&mut engine, step);
        let shot = engine.snapshot().expect("snapshot");
        assert_eq!(shot.contacts.len(), 3 * 6 * 6 * 5, "step {step}");
        // Pressed to 1e-6 m; the heavy faces give way by less than a half of it, see the packing's constants.
        let least = shot.contacts.iter().map(|c| c.overlap_m).fold(f64::INFINITY, f64::min);
        assert!(least > 0.3e-6, "step {step}: overlap {least:e}");
        let sliding = shot.contacts.iter().filter(|c| c.force_n.reject_from(c.normal).length() > 1e-12).count();
        assert!(sliding > 3 * 4 * 4 * 3, "step {step}: {sliding} contacts slide or stick");
    }
    assert_eq!(engine.core.list_statistics(), (540, 1), "pairs, and one list only");
}

fn rows(args: &[&str]) -> (Value, Vec<Value>) {
    let done = breccia(args).success();
    let report: Value = serde_json::from_slice(&done.get_output().stdout).expect("one JSON document");
    let rows = report["rows"].as_array().expect("rows").clone();
    (report, rows)
}

#[test]
fn every_row_has_its_numbers() {
    let (report, rows) = rows(&["--bodies", "1e3", "--json"]);
    let device = &report["device"];
    for key in ["name", "kind", "backend", "driver", "breccia", "clock"] {
        assert!(device[key].as_str().is_some_and(|s| !s.is_empty()), "{key}: {device}");
    }
    assert!(device["copy_gb_s"].as_f64().expect("number") > 0.1);
    let what: Vec<&str> = rows.iter().map(|r| r["what"].as_str().expect("what")).collect();
    let expected = [
        "step by linear_spring_dashpot, 2700 pairs",
        "neighbour list",
        "step by hysteretic, 2700 pairs",
        "step by hertz_mindlin, 2700 pairs",
        "radix sort, 32",
        "radix sort, 64",
        "gravity, d",
        "gravity, t",
        "contact dynamics by Jacobi: ",
        "contact dynamics by Gauss-Seidel: ",
        "contact dynamics by Gauss-Seidel in one group: ",
    ];
    assert_eq!(what.len(), expected.len());
    for (row, (what, start)) in rows.iter().zip(what.iter().zip(expected)) {
        assert!(what.starts_with(start), "{what}");
        let (seconds, rate) = (row["seconds"].as_f64().expect("s"), row["rate"].as_f64().expect("rate"));
        let (seconds_work, contacts) = (rate * seconds, what.starts_with("contact dynamics"));
        let work = if *what == "gravity, direct sum" { 1e6 } else { 1e3 };
        let least = row["seconds_least"].as_f64().expect("s");
        assert!(least > 0.0 && least <= seconds, "{row}");
        // A settled ball has two to three contacts a sphere, and takes more than one look at them.
        let fits = if contacts { seconds_work > 16e3 } else { (seconds_work / work - 1.0).abs() < 1e-9 };
        assert!(fits, "{row}");
        let passes = row["passes"].as_array().expect("passes");
        if device["clock"] == "timestamps" {
            let sum: f64 = passes.iter().map(|p| p["seconds"].as_f64().expect("s")).sum();
            assert!(!passes.is_empty() && sum > 0.0 && passes.iter().all(|p| p["bytes"].as_u64() > Some(0)), "{row}");
        } else {
            assert!(passes.is_empty());
        }
    }
    // Rounding of f32 sums; the tree's default (docs/method/gravity.md).
    let error = |start: &str| {
        let row = rows.iter().find(|r| r["what"].as_str().is_some_and(|what| what.starts_with(start))).expect("a row");
        row["error_rms"].as_f64().expect("error")
    };
    assert!(error("gravity, direct") < 2e-6 && error("gravity, tree") < 1e-3, "{report}");
    assert_eq!(rows[0]["error_rms"], Value::Null);
}

/// An adapter without timestamps gives wall times and no passes.
#[test]
fn without_timestamps_there_are_wall_times() {
    let open = || {
        let mut gpu = crate::common::gpu();
        gpu.timestamp_period = None;
        Ok(gpu)
    };
    let mut said = 0;
    let report = run(&open, &[200], &Part::ALL, &mut |_, _| said += 1).expect("bench");
    assert_eq!((report.device.clock, report.rows.len(), said), ("wall", 11, 11));
    for row in &report.rows {
        assert!(row.clock == "wall" && row.passes.is_empty() && row.seconds > 0.0, "{row:?}");
    }
}

#[test]
fn parts_and_sizes_are_chosen() {
    let (report, rows) = rows(&["--bodies", "100,200", "--only", "sort", "--json"]);
    let told: Vec<_> = rows.iter().map(|r| r["count"].as_u64().expect("count")).collect();
    assert_eq!(told, [100, 100, 200, 200]);
    assert_eq!(report["missing"], serde_json::json!([]));
    let table = breccia(&["--bodies", "100", "--only", "sort"]).success();
    let table = String::from_utf8_lossy(&table.get_output().stdout).into_owned();
    for word in ["GB/s", "100 radix sort, 64-bit keys", "sort_scatter_wide x 8", "pairs/s"] {
        assert!(table.contains(word), "{word}:\n{table}");
    }
    for wrong in [&["--only", "sorts"][..], &["--bodies", "0"], &["--bodies", "1.5"], &["--bodies", "-4"]] {
        breccia(wrong).code(2);
    }
}

/// A size that no buffer holds is reported, with exit code 5; the other size is still measured.
#[test]
fn a_size_that_does_not_fit_is_told() {
    let done = breccia(&["--bodies", "100,1e12", "--only", "sort", "--json"]).code(5);
    let report: Value = serde_json::from_slice(&done.get_output().stdout).expect("JSON");
    assert_eq!(report["rows"].as_array().expect("rows").len(), 2);
    let why = report["missing"][0]["why"].as_str().expect("why");
    assert!(why.contains("`cell_key` needs 4000000000000 bytes") && why.contains("use fewer bodies"), "{why}");
}

/// The study of the hash table goes through tables of all sizes.
#[test]
fn hash_tables_of_all_sizes_are_measured() {
    let (_, rows) = rows(&["--bodies", "500", "--only", "hash", "--json"]);
    let ratio = |r: &Value| r["what"].as_str().and_then(|w| w.rsplit(' ').next()?.parse::<f64>().ok()).expect("K/N");
    let ratios: Vec<f64> = rows.iter().map(ratio).collect();
    assert!(ratios.len() == 8 && ratios.is_sorted() && ratios[7] > 64.0, "{ratios:?}");
    assert!(rows.iter().all(|r| r["seconds"].as_f64() > Some(0.0) && r["count"] == 500), "{rows:?}");
}

/// Grains of the pile touch their neighbours and the facets below while they are stepped, on facets in one buffer and in
/// several.
#[test]
#[ignore = "a minute: boxes of up to three million facets"]
fn regolith_is_measured_by_facets_and_by_intervals() {
    let (report, rows) = rows(&["--bodies", "100", "--only", "regolith", "--json"]);
    let what: Vec<_> = rows.iter().map(|r| r["what"].to_string()).collect();
    let steps: Vec<_> = what.iter().filter(|w| w.contains("step, ")).collect();
    assert_eq!((what.len(), steps.len()), (15, 7), "{what:#?}");
    // 9 columns of 10: 2 x 6 pairs a layer, 9 pairs between two.
    assert!(steps.iter().all(|w| w.contains("step, 201 pairs")), "{steps:#?}");
    assert_eq!(report["missing"], serde_json::json!([]));
}

#[test]
fn the_packing_is_saved_for_lammps() {
    let dir = tempfile::tempdir().expect("folder");
    let folder = dir.path().to_str().expect("utf8");
    breccia(&["--bodies", "27", "--save-packing", folder]).success();
    let data = std::fs::read_to_string(dir.path().join("packing.data")).expect("data");
    assert!(data.contains("\n27 atoms\n1 atom types\n"), "{data}");
    let numbers = |line: &str| line.split(' ').map(|n| n.parse().expect("number")).collect::<Vec<f64>>();
    let section = |name: &str| data.split(name).nth(1).expect("section").trim_start().lines().take(27).map(numbers);
    let atoms: Vec<_> = section("Atoms # sphere").collect();
    let p = packing(27, LAWS[0].law).expect("packing");
    for (k, (atom, spin)) in atoms.iter().zip(section("Velocities")).enumerate() {
        assert_eq!(atom[..3], [k as f64 + 1.0, 1.0, 2.0 * p.bodies.radius_m[k]]);
        let mass = atom[3] * std::f64::consts::PI / 6.0 * atom[2].powi(3);
        assert!((mass / p.bodies.mass_kg[k] - 1.0).abs() < 1e-12);
        assert_eq!(atom[4..], p.bodies.position_m[k].to_array());
        assert_eq!(spin[4..], p.bodies.spin_rad_s[k].to_array());
    }
    let constants = std::fs::read_to_string(dir.path().join("packing.in")).expect("constants");
    assert!(constants.contains("variable kn equal 10000\n") && constants.contains("variable dt equal 0.001"));
    breccia(&["--bodies", "27,64", "--save-packing", folder]).code(2);
}
