//! What the series tells of contact dynamics: counts of the solver, coordination by kinds of contact, stress and angular
//! momentum.

use breccia::diagnostics::series::column;
use breccia::output::series;
use std::path::Path;

/// Runs the accretion of 27 spheres for `minutes`, and gives the rows.
fn rows(out: &Path, minutes: u32, set: &[&str]) -> Vec<Vec<f64>> {
    let duration = format!("run.duration_s={minutes} min");
    let mut args = vec!["run", "accretion_cd_spheres", "--overwrite", "--out", out.to_str().expect("utf8")];
    for set in ["bodies.0.count=27", "run.time_step_s=2", "output.series_rows=20", &duration].iter().chain(set) {
        args.extend(["--set", set]);
    }
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    // 20 minutes fall short of what the scenario expects after an hour: exit code 1.
    command.env("LP_NUM_THREADS", "0").env("NODEVICE_SELECT", "1").args(args).assert().code(1);
    series::read(&out.join("series.csv")).expect("reads").1
}

/// Every step is over a budget of 8 iterations at this tolerance; frames between rows take no step from the count.
#[test]
fn frames_leave_the_counts_to_the_rows() {
    let dir = tempfile::tempdir().expect("tempdir");
    let tight = ["contact_dynamics.tolerance=1e-6", "contact_dynamics.iterations_max=8"];
    let counted = |frames: &str| {
        let rows = rows(dir.path(), 20, &[&tight[..], &[frames]].concat());
        let sum = |name: &str| rows.iter().map(|r| r[column(name)]).sum::<f64>();
        let most = rows.iter().map(|r| r[column("solver_residual_max")]).fold(0.0, f64::max);
        (rows.len(), sum("solver_over_budget"), most)
    };
    let (few, many) = (counted("output.frames=1"), counted("output.frames=33"));
    assert!(few.0 == 21 && few.1 > 100.0, "{few:?}: the budget is hit in many steps");
    assert_eq!(few, many, "with 33 frames the rows tell of other steps");
}

/// Spheres that have not met have no residual, and those that have parted none any more.
#[test]
fn steps_without_contacts_have_no_residual() {
    let dir = tempfile::tempdir().expect("tempdir");
    // Two spheres bounce off each other once.
    let text = "format = 1\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 40.0\ntime_step_s = 0.5\n[[material]]\n\
                density_kg_m3 = 2000.0\nrestitution_normal = 1.0\nfriction_sliding = 0.4\n[[bodies]]\n\
                generator = \"list\"\nbody = [{ position_m = [0.0, 0.0, 0.0], radius_m = 1.0 }, \
                { position_m = [3.0, 0.5, 0.0], radius_m = 1.0, velocity_m_s = [-0.06, 0.0, 0.0] }]\n[output]\n\
                series_rows = 80\n";
    let file = dir.path().join("bounce.toml");
    std::fs::write(&file, text).expect("writes");
    let mut command = assert_cmd::Command::cargo_bin("breccia").expect("binary");
    command.env("LP_NUM_THREADS", "0").env("NODEVICE_SELECT", "1").arg("run").arg(&file);
    command.arg("--out").arg(dir.path().join("run")).assert().success();
    let rows = series::read(&dir.path().join("run/series.csv")).expect("reads").1;
    let residual: Vec<f64> = rows.iter().map(|r| r[column("solver_residual")]).collect();
    let met = residual.iter().position(|r| *r > 0.0).expect("they meet");
    let parted = residual.iter().rposition(|r| *r > 0.0).expect("they meet");
    assert!(met > 20 && parted < 60, "a residual in rows {met} to {parted} of 80: {residual:?}");
}
