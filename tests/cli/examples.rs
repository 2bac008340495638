//! The examples of docs/examples do what they say.

use breccia::Scenario;

#[path = "../../docs/examples/build_scenario.rs"]
#[allow(dead_code, reason = "tests call what main calls")]
mod build_scenario;
#[path = "../../docs/examples/own_diagnostics.rs"]
#[allow(dead_code, reason = "tests call what main calls")]
mod own_diagnostics;
#[path = "../../docs/examples/run_scenario.rs"]
#[allow(dead_code, reason = "tests call what main calls")]
mod run_scenario;

#[test]
fn a_scenario_file_runs_to_its_end() {
    let folder = tempfile::tempdir().expect("folder");
    let (file, out) = (folder.path().join("mine.toml"), folder.path().join("out"));
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/bounce.toml"), &file).expect("copies");
    assert!(run_scenario::run_scenario(file.to_str().expect("utf8"), &out).expect("runs"), "all is as expected");
    assert!(out.join("quantities.json").exists() && out.join("frames/000005/position.npy").exists());
}

/// The free fall of one grain of a ring of eight starts as theory says: the pull of the other seven, for 300 s.
#[test]
fn a_ring_built_in_code_falls_inwards() {
    const GRAVITY: f64 = 6.674_30e-11;
    let positions = build_scenario::half_way(&build_scenario::ring(8).expect("valid")).expect("runs");
    let mass = 3000.0 * 4.0 / 3.0 * std::f64::consts::PI;
    let pull: f64 = (1..8).map(|k| 1.0 / (4.0 * (std::f64::consts::PI * f64::from(k) / 8.0).sin())).sum();
    let fallen = 0.5 * GRAVITY * mass * pull / 100.0 * 300.0f64.powi(2);
    for position in &positions {
        let found = 10.0 - position.length();
        assert!((found / fallen - 1.0).abs() < 0.01, "{found} m, {fallen} m expected");
    }
}

#[test]
fn own_diagnostics_see_the_impact() {
    let scenario = Scenario::load("oblique_impact").expect("reads").with("output.frames", 1).expect("valid");
    let samples = own_diagnostics::sampled(&scenario).expect("runs");
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    assert!(samples.len() > 2 && last.time_s >= scenario.run.duration_s);
    assert_eq!((first.force_max_n, last.force_max_n), (0.0, 0.0), "apart before and after");
    let least = 14.0 * 0.016 / 0.12; // the momentum that the wall turns round, over the contact time
    assert!(samples.iter().any(|s| s.force_max_n > least), "{samples:?}");
    assert!(first.rotational_share == 0.0 && last.rotational_share > 0.0, "friction makes spins: {last:?}");
}
