//! `breccia analyze RUN compression` on runs of one sphere between two plates.

use crate::common::command::{close, json, number, text};
use breccia::record::files::series::read;
use std::path::PathBuf;

/// A sphere of 1 m between plates that come nearer, with this in the table of its material and in that of the upper plate.
fn squeezed(dir: &tempfile::TempDir, material: &str, top: &str) -> PathBuf {
    let (file, run) = (dir.path().join("plates.toml"), dir.path().join("run"));
    std::fs::write(&file, PLATES.replace("MATERIAL", material).replace("TOP", top)).unwrap();
    text(&["run", file.to_str().unwrap(), "--out", run.to_str().unwrap(), "--engine", "reference"]);
    run
}

const PLATES: &str = r#"format = 1
[run]
duration_s = 6
[output]
contacts = true
frames = 6
series_rows = 600
[guards]
overlap_max = 0.5
[[material]]
name = "rock"
density_kg_m3 = 2500.0
stiffness_normal_n_m = 1e5
restitution_normal = 0.5
friction_sliding = 0.5
MATERIAL
[[bodies]]
generator = "list"
body = [{ position_m = [0, 0, 0], radius_m = 1 }]
[[gravity]]
kind = "self"
[[wall]]
kind = "plate"
name = "top"
point_m = [0, 0, 1.005]
normal = [0, 0, -1]
velocity_m_s = [0, 0, -0.01]
TOP
[[wall]]
kind = "plate"
name = "bottom"
point_m = [0, 0, -1.005]
normal = [0, 0, 1]
velocity_m_s = [0, 0, 0.01]
"#;

/// Soft spheres cohere by 4 c beta R_e^2: two of 1 m by 4 x 1,000 Pa x 0.5 x (0.5 m)^2 = 500 N, over (2 m)^2.
#[test]
fn cohesion_of_soft_spheres_has_a_strength() {
    let dir = tempfile::tempdir().unwrap();
    let run = squeezed(&dir, "cohesion_pa = 1000\nshape_parameter = 0.5", "");
    let told = json(&["analyze", run.to_str().unwrap(), "compression"]);
    close(number(&told["frames"][0]["compression"]["tensile_strength_pa"]), 125.0, 1e-12);
}

/// A plate is taken away at 3 s: what it bore until then counts, and its way ends there.
#[test]
fn a_plate_that_is_removed_presses_no_longer() {
    let dir = tempfile::tempdir().unwrap();
    let run = squeezed(&dir, "", "removed_at_s = 3");
    let told = json(&["analyze", run.to_str().unwrap(), "compression"]);
    let found = &told["frames"][0]["compression"];
    // the plates touch at 0.5 s, at a distance of 2 m, and come nearer by 0.02 m/s until 3 s
    close(number(&found["deformation"]), 0.025, 0.02);
    close(number(&found["shear_rate_per_s"]), 0.01, 1e-3);
    let (columns, rows) = read(&run.join("series.csv")).unwrap();
    let column = |name: &str| columns.iter().position(|c| c == name).expect(name);
    let [time, force] = ["time_s", "wall.top.force_z_n"].map(column);
    let [travel, speed] = ["travel_m", "speed_m_s"].map(|name| column(&format!("wall.top.{name}")));
    let (stands, gone): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row[speed] != 0.0);
    assert!(stands.iter().all(|row| row[travel] == 0.01 * row[time] && row[time] < 3.02), "it moves as typed");
    assert!(gone.iter().all(|row| row[time] >= 3.0 && row[force] == 0.0), "gone, and pressed");
    // at the first step from 3 s on
    let way: Vec<f64> = gone.iter().map(|row| row[travel]).collect();
    assert!(way.iter().all(|m| (0.03..0.0302).contains(m) && (m - way[0]).abs() < 1e-12), "it stays: {way:?}");
    assert!(gone.len() > 100, "{} rows", gone.len());
    let other = |row: &Vec<f64>| row[column("wall.bottom.speed_m_s")] == 0.01;
    assert!(rows.iter().all(other), "the other plate goes on");
}
