//! Times of phases: both clocks, the same results with and without them, and where they are reported.

use breccia::engine::open::on_gpu;
use breccia::engine::{Phase, Timing};
use breccia::physics::time_step::time_step;
use breccia::record::files::manifest::Manifest;
use breccia::record::files::timing::Timed;
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use std::path::Path;
use std::time::Instant;

/// Steps an engine opened without and with times, by timestamps or by the wall: the state is the same, and phases take no
/// longer than the whole.
fn timed(name: &str, steps: u64, stamps: bool) -> Timing {
    let scenario = load(name, &["bodies.0.count=27".into()]).expect("parses");
    let bodies = generate(&scenario).expect("makes bodies");
    let dt = time_step(&scenario, &bodies).dt_s;
    let open = || {
        let mut gpu = crate::common::gpu();
        gpu.timestamp_period = gpu.timestamp_period.filter(|_| stamps);
        on_gpu(gpu, &scenario, &bodies, dt, Default::default()).expect("opens")
    };
    let [mut plain, mut watched] = [open(), open()];
    plain.run_to(steps).expect("runs");
    watched.time_phases();
    let begun = Instant::now();
    watched.run_to(steps).expect("runs");
    let wall = begun.elapsed().as_secs_f64();
    assert!(plain.save().expect("saves") == watched.save().expect("saves"), "{name}: times change the state");
    assert_eq!(plain.timing(), None);
    let timing = watched.timing().expect("measured");
    let sum = |of: fn(&Phase) -> f64| timing.phases.iter().map(of).sum::<f64>();
    let (seconds, shares) = (sum(|p| p.seconds), sum(|p| p.share));
    assert!((shares - 1.0).abs() < 1e-9, "{timing:?}");
    assert!(timing.phases.iter().all(|p| p.seconds > 0.0) && seconds < wall, "{timing:?} in {wall} s");
    timing
}

fn names(timing: &Timing) -> Vec<&str> {
    timing.phases.iter().map(|p| p.name.as_str()).collect()
}

#[test]
fn both_clocks_time_both_engines() {
    for stamps in [true, false] {
        let rigid = timed("accretion_cd_spheres", 700, stamps);
        assert_eq!(names(&rigid), ["detection", "gravity", "solver", "motion"]);
        let soft = timed("accretion_small", 640, stamps);
        assert_eq!(names(&soft), ["detection", "gravity", "contacts and motion"]);
        if !stamps || crate::common::gpu().timestamp_period.is_some() {
            assert!([rigid, soft].iter().all(|t| (t.clock == "timestamps") == stamps), "the clock that was asked for");
        }
    }
}

fn breccia(args: &[&str], out: &Path) -> assert_cmd::assert::Assert {
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").args(args).arg("--out").arg(out).assert()
}

#[test]
fn a_run_tells_its_times_on_demand() {
    let dir = tempfile::tempdir().expect("tempdir");
    let (plain, timed) = (dir.path().join("plain"), dir.path().join("timed"));
    let args = ["run", "sphere_on_plane_restitution"];
    breccia(&args, &plain).success();
    let told = breccia(&[&args[..], &["--timing"]].concat(), &timed).success();
    let log = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(log.contains("time by ") && log.contains("solver"), "{log}");
    let told = |run: &Path| Timed::read(run).expect("reads");
    let whole = told(&timed).expect("was asked for");
    assert!(told(&plain).is_none() && whole.phases.len() >= 3);
    for file in ["series.csv", "manifest.json"] {
        let bytes = |run: &Path| std::fs::read(run.join(file)).expect("reads");
        assert!(bytes(&plain) == bytes(&timed), "{file} must not depend on who looks at the clock");
    }
    let refused = breccia(&["run", "bounce", "--engine", "reference", "--timing"], &timed).code(2);
    assert!(String::from_utf8_lossy(&refused.get_output().stderr).contains("--timing"));
}

/// What a run timed before it was cut off counts, unless its steps are computed again.
#[test]
fn a_resumed_run_adds_its_times() {
    let dir = tempfile::tempdir().expect("tempdir");
    let run = dir.path().join("run");
    breccia(&["run", "sphere_on_plane_restitution", "--timing", "--stop-at-step", "100"], &run).code(75);
    let told = || Timed::read(&run).expect("reads").expect("was asked for");
    let first = told();
    assert_eq!((first.steps, first.to_step), (100, 100));
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").arg("resume").arg(&run).arg("--timing");
    command.assert().success();
    let (whole, steps) = (told(), Manifest::read(&run).expect("reads").steps);
    assert_eq!((whole.steps, whole.to_step), (steps, steps));
    for phase in &first.phases {
        let sum = whole.phases.iter().find(|p| p.name == phase.name).expect("the same phases");
        assert!(sum.seconds > phase.seconds, "{phase:?}, then {sum:?}");
    }
    let shares: f64 = whole.phases.iter().map(|p| p.share).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{whole:?}");
}

/// A campaign keeps times out of its table, in one of their own that plots may show.
#[test]
fn a_campaign_tells_its_times_apart() {
    let dir = tempfile::tempdir().expect("tempdir");
    let text = "format = 1\nscenario = \"sphere_on_plane_restitution\"\ntiming = true\n[set]\nbodies.0.random_speed_m_s = 1e-6\n[grid]\nseed = [1, 2]\n[[plot]]\n\
        name = \"shares\"\nx = \"seed\"\ny = [\"timing.solver_share\", \"timing.detection_share\"]\n";
    let out = dir.path().join("out");
    let sweep = |text: &str| {
        std::fs::write(dir.path().join("study.toml"), text).expect("written");
        breccia(&["sweep", &dir.path().join("study.toml").to_string_lossy()], &out)
    };
    sweep(text).code(0);
    let read = |name: &str| std::fs::read_to_string(out.join(name)).expect("reads");
    let (table, times) = (read("campaign.csv"), read("timing.csv"));
    assert!(!table.contains("timing."), "wall times never repeat: {table}");
    let lines: Vec<Vec<&str>> = times.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(lines[0][..5], ["case", "name", "status", "seed", "bodies"]);
    assert_eq!(lines.len(), 3, "{times}");
    for row in &lines[1..] {
        let sum = |end: &str| {
            let cells =
                lines[0].iter().zip(row).filter(|(name, _)| name.ends_with(end) && **name != "timing.s_per_step");
            cells.map(|(_, cell)| cell.parse::<f64>().expect("a number")).sum::<f64>()
        };
        let number =
            |name: &str| row[lines[0].iter().position(|c| *c == name).expect(name)].parse::<f64>().expect(name);
        assert!((sum("s_per_step") - number("timing.s_per_step")).abs() < 1e-9 * number("timing.s_per_step"));
        assert!(number("timing.steps") > 0.0 && number("timing.solver_share") > 0.0);
    }
    let plot: serde_json::Value = serde_json::from_str(&read("plots/shares.json")).expect("json");
    let labels: Vec<_> = plot["panels"][0]["series"].as_array().expect("series").iter().map(|s| &s["label"]).collect();
    assert_eq!(labels, ["timing.solver_share", "timing.detection_share"]);
    let refused = sweep(&text.replace("timing = true", "engine = \"reference\"\ntiming = true")).code(2);
    let words = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(words.contains("timing") && words.contains("does not time its phases"), "{words}");
    let untimed = sweep(&text.replace("timing = true\n", "")).code(2);
    let words = String::from_utf8_lossy(&untimed.get_output().stderr).into_owned();
    assert!(words.contains("unknown column \"timing.solver_share\""), "{words}");
}
