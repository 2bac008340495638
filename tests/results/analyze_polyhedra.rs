//! Polyhedra measured after a run: what boxes at rest must bear, and volumes known exactly.

use crate::common::command::{breccia, close, json, number, text};
use crate::common::vtp::floats;
use breccia::analysis::envelope::{automatic_alpha_m, envelope};
use breccia::geometry::solids::cuboid;
use breccia::model::body::{Bodies, Polyhedra};
use breccia::model::stored::frames::read_f64;
use breccia::physics::measure::links::by_gap;
use breccia::record::files::series;
use glam::{DQuat, DVec3};
use std::path::Path;
use std::sync::Arc;

/// Weight of a box of stack_of_boxes: 8,000 kg at 1e-2 m/s2 (N).
const WEIGHT_N: f64 = 80.0;
/// A box is 1 m high and has 4 m3.
const VOLUME_M3: f64 = 4.0;

/// A scenario for some seconds; the expectations of the whole are not asked.
fn run(scenario: &str, seconds: &str, folder: &Path) -> String {
    let out = folder.join("run").to_str().unwrap().to_owned();
    let duration = format!("run.duration_s={seconds}");
    let keys = [duration.as_str(), "output.contacts=true", "output.frames=2", "output.series_rows=10"];
    let set: Vec<&str> = keys.iter().flat_map(|k| ["--set", k]).collect();
    breccia(&[&["run", scenario, "--out", &out], set.as_slice()].concat());
    out
}

/// Box k bears the weight of those above it on its upper side and one more on its lower side, half its height away; points
/// of contact lie between the boxes.
#[test]
fn boxes_bear_what_lies_above_them() {
    let dir = tempfile::tempdir().unwrap();
    let run = run("stack_of_boxes", "20", dir.path());
    let told = json(&["analyze", &run, "aggregates", "shape", "stress"]);
    let frame = &told["frames"][0];
    assert_eq!(frame["aggregates"]["list"][0]["bodies"], 10);
    let file = |name: &str| read_f64(&Path::new(&run).join(name)).unwrap().0;
    let (stress, pressure) = (file("analysis/000002/body_stress.npy"), file("frames/000002/pressure.npy"));
    for k in 0..10 {
        let expected = WEIGHT_N * (9.5 - k as f64) / VOLUME_M3;
        let tensor = &stress[9 * k..9 * k + 9];
        close(tensor[8], expected, 0.02);
        let trace = tensor[0] + tensor[4] + tensor[8];
        assert!((pressure[k] - trace / 3.0).abs() < 1e-6 * expected, "{k}: {} and {}", pressure[k], trace / 3.0);
    }
    close(number(&frame["stress"]["tensor_pa"][2][2]) * number(&frame["stress"]["volume_m3"]), 50.0 * WEIGHT_N, 0.01);
    text(&["export", &run]);
    let exported = std::fs::read(Path::new(&run).join("export/contacts_000002.vtp")).unwrap();
    let points = floats(&exported, "point");
    assert!(points.len() > 3 * 20, "{} points", points.len() / 3);
    for (k, point) in points.chunks(3).enumerate() {
        assert!((point[2] - point[2].round()).abs() < 1e-4, "contact {k} at {point:?}");
        assert!(point[0].abs().max(point[1].abs()) < 1.6, "contact {k} at {point:?}");
    }
}

/// Two boxes of 8,000 kg, half a metre above the slope, one at the origin and one at y = 5 m: nothing turns them, so the
/// slope takes c x F of both, F = m g; the one that slides has 0.1 % less along the slope.
#[test]
fn torque_on_a_wall_has_the_levers_of_the_boxes() {
    let dir = tempfile::tempdir().unwrap();
    let run = run("block_on_incline", "4", dir.path());
    let (_, rows) = series::read(&Path::new(&run).join("series.csv")).unwrap();
    let [.., fx, _, fz, tx, ty, tz] = rows.last().unwrap()[..] else { panic!("columns") };
    let [along, down] = [8000.0 * 4.4721359549995794e-2, -8000.0 * 8.944271909999159e-2];
    for (found, expected) in
        [(fx, 1.999 * along), (fz, 2.0 * down), (tx, 5.0 * down), (ty, 0.5 * 1.999 * along), (tz, -5.0 * along)]
    {
        close(found, expected, 2e-3);
    }
}

/// A run that was stopped and resumed has the shapes that it began with, and the frames of one that was not.
#[test]
fn a_resumed_run_keeps_its_shapes() {
    let dir = tempfile::tempdir().unwrap();
    let [whole, cut] = ["whole", "cut"].map(|n| dir.path().join(n).to_str().unwrap().to_owned());
    let job = |out: &str, more: &[&str]| {
        let set = ["--set", "bodies.0.count=8", "--set", "run.duration_s=60", "--set", "output.frames=2"];
        breccia(&[&["run", "accretion_cd_polyhedra", "--out", out], &set[..], more].concat());
    };
    job(&whole, &[]);
    job(&cut, &["--stop-at-step", "20"]);
    let file = |out: &str, name: &str| std::fs::read(Path::new(out).join(name)).unwrap();
    let written = std::fs::metadata(Path::new(&cut).join("shapes/corner.npy")).unwrap().modified().unwrap();
    breccia(&["resume", &cut]);
    for name in ["shapes/corner.npy", "shapes/face_corner.npy", "frames/000002/orientation.npy"] {
        assert!(file(&whole, name) == file(&cut, name), "{name} differs");
    }
    assert_eq!(std::fs::metadata(Path::new(&cut).join("shapes/corner.npy")).unwrap().modified().unwrap(), written);
    let told = json(&["analyze", &cut, "aggregates", "--minimum", "1"]);
    assert_eq!(told["frames"][0]["aggregates"]["list"].as_array().unwrap().len(), 8);
}

/// One box is its own envelope, however it is turned; two that touch leave no pore between them.
#[test]
fn boxes_are_their_own_envelope() {
    let size = DVec3::new(1.0, 2.0, 3.0);
    for (count, points, exact) in [(1, 0, 1e-7), (2, 0, 1e-7), (1, 200, 2e-3), (1, 1000, 2e-4)] {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.5));
        let shape = cuboid(size).unwrap();
        let along = turn * DVec3::Z * 3.0;
        let spheres: Vec<(DVec3, f64)> = (0..count).map(|k| (f64::from(k) * along, shape.radius_m)).collect();
        let orientation = vec![turn * shape.axes; spheres.len()];
        let (shape, shapes) = (vec![0; spheres.len()], Arc::new(vec![shape.into()]));
        let bodies = Bodies {
            mass_kg: vec![6000.0; spheres.len()],
            polyhedra: Some(Polyhedra { shapes, shape, orientation }),
            ..crate::common::bodies(&spheres, 1.0)
        };
        let e = envelope(&bodies, &[automatic_alpha_m(&bodies)], points).unwrap();
        close(e.volume_m3, 6.0 * f64::from(count), exact);
        assert!(e.porosity.abs() < exact && e.points_per_body == points.max(8), "{e:?}");
        let across = 2.0 * (2.0 * 3.0 + 1.0 * 3.0) * f64::from(count) + 2.0 * 2.0;
        close(e.area_m2, across, 5.0 * exact);
    }
}

/// Faces 0.01 m apart; spheres that hold the boxes would overlap deeply.
#[test]
fn gaps_of_boxes_are_those_of_their_faces() {
    let shape = cuboid(DVec3::ONE).unwrap();
    let bodies = |gap_m: f64| {
        let spheres = [(DVec3::ZERO, shape.radius_m), (DVec3::X * (1.0 + gap_m), shape.radius_m)];
        let polyhedra = Polyhedra {
            shapes: Arc::new(vec![shape.clone().into()]),
            shape: vec![0; 2],
            orientation: vec![shape.axes; 2],
        };
        Bodies { polyhedra: Some(polyhedra), ..crate::common::bodies(&spheres, 1.0) }
    };
    let tolerance = 0.01 / shape.radius_m;
    for (gap_m, links) in [(0.0099, 1), (0.0101, 0), (0.3, 0), (-0.01, 1)] {
        assert_eq!(by_gap(&bodies(gap_m), tolerance).len(), links, "{gap_m}");
    }
}
