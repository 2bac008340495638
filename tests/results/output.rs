//! What a run leaves on disk: frames that numpy reads, a series that reads back exactly, checkpoints that are whole or
//! refused.

use crate::common::{read_frame, write_frame};
use breccia::model::snapshot::{Contact, Snapshot, WallContact};
use breccia::model::stored::frames::{list_frames, read_f64};
use breccia::record::files::checkpoint::{Head, State};
use breccia::record::files::directory::RunDirectory;
use breccia::record::files::manifest::Manifest;
use breccia::record::files::series::Series;
use breccia::record::files::status::RunStatus;
use breccia::record::files::{checkpoint, series};
use glam::DVec3;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Three bodies, two contacts of known force.
fn snapshot() -> Snapshot {
    let spheres = [(DVec3::ZERO, 2.0), (DVec3::new(3.0, 0.0, 0.0), 1.0), (DVec3::new(1.0 / 3.0, 7e8, -2e-9), 0.5)];
    let mut bodies = crate::common::bodies(&spheres, 1000.0);
    bodies.velocity_m_s[1] = DVec3::new(0.1, -0.2, 0.3);
    bodies.spin_rad_s[2] = DVec3::new(0.0, 1e-5, 0.0);
    let push = |j, force: f64| Contact {
        i: 0,
        j,
        overlap_m: 0.0,
        normal: DVec3::X,
        force_n: -force * DVec3::X,
        ..Contact::default()
    };
    Snapshot { step: 77, time_s: 1.25, bodies, contacts: vec![push(1, 6.0), push(2, 3.0)], ..Snapshot::default() }
}

#[test]
fn a_frame_reads_back_bit_by_bit() {
    let run = tempfile::tempdir().unwrap();
    let s = snapshot();
    write_frame(run.path(), 3, &s, false).unwrap();
    let frames = list_frames(run.path()).unwrap();
    assert_eq!(frames, [run.path().join("frames/000003")]);
    let back = read_frame(&frames[0]).unwrap();
    assert_eq!(back.position_m, s.bodies.position_m);
    assert_eq!(back.velocity_m_s, s.bodies.velocity_m_s);
    assert_eq!(back.spin_rad_s, s.bodies.spin_rad_s);
    assert_eq!((back.radius_m, back.mass_kg), (s.bodies.radius_m.clone(), s.bodies.mass_kg.clone()));
    assert_eq!((back.id, back.material), (s.bodies.id.clone(), s.bodies.material.clone()));
}

#[test]
fn coordination_and_pressure_are_those_of_the_contacts() {
    let run = tempfile::tempdir().unwrap();
    write_frame(run.path(), 0, &snapshot(), false).unwrap();
    let read = |name: &str| read_f64(&run.path().join(format!("frames/000000/{name}.npy"))).unwrap().0;
    assert_eq!(read("coordination"), [2.0, 1.0, 1.0]);
    // sum f l / (3 V): body 0 has 6 N and 3 N on arms of 2 m, body 1 6 N on 1 m, body 2 3 N on 0.5 m. f32: 1e-7.
    let expected = [(9.0 * 2.0, 2.0f64), (6.0, 1.0), (1.5, 0.5)]
        .map(|(moment, r)| moment / (4.0 * std::f64::consts::PI * r.powi(3)));
    for (found, expected) in read("pressure").into_iter().zip(expected) {
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} Pa, {expected} Pa expected");
    }
}

/// Of the force of a wall the part along its normal counts, with its sign, on the distance to the wall.
#[test]
fn walls_press_and_pull_along_their_normals() {
    let run = tempfile::tempdir().unwrap();
    let (radius_m, overlap_m) = (2.0, 0.25);
    let lever_m = radius_m - overlap_m;
    let force_n = DVec3::new(4.0, 0.0, 8.0); // by friction too
    let of = |force_n: DVec3, at_m: Option<DVec3>, wall_normals: Vec<DVec3>| {
        let bodies = crate::common::bodies(&[(DVec3::new(5.0, 6.0, 7.0), radius_m)], 1000.0);
        let wall_contacts = vec![WallContact { wall: 1, overlap_m, force_n, at_m, ..WallContact::default() }];
        let s = Snapshot { bodies, wall_contacts, wall_normals, ..Snapshot::default() };
        write_frame(run.path(), 0, &s, false).unwrap();
        read_f64(&run.path().join("frames/000000/pressure.npy")).unwrap().0[0]
    };
    let pressure = |moment_n_m: f64| moment_n_m / (4.0 * std::f64::consts::PI * radius_m.powi(3));
    let floor = || vec![DVec3::X, DVec3::Z];
    let point_m = DVec3::new(5.0, 6.0, 7.0 - lever_m);
    for (found, moment_n_m) in [
        (of(force_n, None, floor()), 8.0 * lever_m),
        (of(-force_n, None, floor()), -8.0 * lever_m),
        (of(force_n, Some(point_m), vec![]), 8.0 * lever_m),
    ] {
        assert!((found / pressure(moment_n_m) - 1.0).abs() < 1e-6, "{found} Pa, {} Pa expected", pressure(moment_n_m));
    }
    assert!(of(force_n, None, vec![]).is_nan(), "without a normal the pressure is not known");
}

#[test]
fn a_frame_of_the_same_index_is_replaced_whole_and_leftovers_are_no_frames() {
    let run = tempfile::tempdir().unwrap();
    let mut s = snapshot();
    write_frame(run.path(), 0, &s, true).unwrap();
    s.bodies.radius_m[0] = 9.0;
    std::fs::create_dir_all(run.path().join("frames/000000.tmp/junk")).unwrap();
    std::fs::create_dir_all(run.path().join("frames/000001.tmp")).unwrap();
    write_frame(run.path(), 0, &s, false).unwrap();
    let frames = list_frames(run.path()).unwrap();
    assert_eq!(frames.len(), 1, "{frames:?}");
    assert_eq!(read_frame(&frames[0]).unwrap().radius_m[0], 9.0);
    assert!(!frames[0].join("pair.npy").exists(), "an array of the frame before is left");
}

#[test]
fn two_frames_of_one_state_are_equal_bytes() {
    let run = tempfile::tempdir().unwrap();
    write_frame(run.path(), 0, &snapshot(), true).unwrap();
    write_frame(run.path(), 1, &snapshot(), true).unwrap();
    let names: Vec<_> =
        std::fs::read_dir(run.path().join("frames/000000")).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(names.len(), 21, "{names:?}");
    for name in names {
        let read = |k: usize| std::fs::read(run.path().join(format!("frames/{k:06}")).join(&name)).unwrap();
        assert!(read(0) == read(1), "{name:?} differs");
    }
}

#[test]
fn damaged_arrays_are_refused_by_name() {
    let run = tempfile::tempdir().unwrap();
    write_frame(run.path(), 0, &snapshot(), false).unwrap();
    let frame = run.path().join("frames/000000");
    let path = frame.join("radius.npy");
    let bytes = std::fs::read(&path).unwrap();
    for damaged in [&bytes[..bytes.len() - 4], &bytes[..20], b"not numpy"] {
        std::fs::write(&path, damaged).unwrap();
        let error = read_frame(&frame).unwrap_err();
        assert_eq!(error.exit_code(), 7);
        assert!(error.to_string().contains("radius.npy"), "{error}");
    }
}

#[test]
fn numpy_reads_a_frame() {
    let python = |code: &str| Command::new("python3").args(["-c", code]).output();
    if !python("import numpy").is_ok_and(|o| o.status.success()) {
        eprintln!("SKIPPED: numpy_reads_a_frame: python3 with numpy is not installed (pip install numpy)");
        return;
    }
    let run = tempfile::tempdir().unwrap();
    write_frame(run.path(), 0, &snapshot(), true).unwrap();
    let code = format!(
        r#"
import json, numpy
def load(name): return numpy.load(r"{}/" + name + ".npy")
position, pair, force = load("position"), load("pair"), load("contact_force")
assert position.dtype == numpy.float64 and position.shape == (3, 3), position
assert position[2].tolist() == [1 / 3, 7e8, -2e-9], position[2]
assert load("velocity")[1].tolist() == [0.1, -0.2, 0.3]
assert load("spin").shape == (3, 3) and load("spin")[2, 1] == 1e-5
assert load("radius").dtype == numpy.float64 and load("radius").tolist() == [2.0, 1.0, 0.5]
assert load("mass").dtype == numpy.float64 and load("mass").shape == (3,)
for name in ["id", "material", "coordination"]: assert load(name).dtype == numpy.uint32, name
assert load("pressure").dtype == numpy.float32
assert pair.dtype == numpy.uint32 and pair.tolist() == [[0, 1], [0, 2]], pair
assert force.tolist() == [[-6, 0, 0], [-3, 0, 0]], force
assert load("contact_normal").shape == (2, 3) and load("contact_overlap").shape == (2,)
assert json.load(open(r"{}/time.json")) == dict(step=77, time_s=1.25)
"#,
        run.path().join("frames/000000").display(),
        run.path().join("frames/000000").display()
    );
    let done = python(&code).unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

proptest! {
    #[test]
    fn a_series_reads_back_exactly(rows in prop::collection::vec(prop::array::uniform3(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO), 1..20)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("series.csv");
        let columns = ["step", "time_s", "energy_j"].map(str::to_owned);
        let mut series = Series::create(&path, &columns).unwrap();
        for row in &rows {
            series.push(row).unwrap();
        }
        let (names, back) = series::read(&path).unwrap();
        prop_assert_eq!(names, columns);
        let bits = |r: &[f64]| r.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(back.len(), rows.len());
        for (a, b) in back.iter().zip(&rows) {
            prop_assert_eq!(bits(a), bits(b));
        }
    }
}

#[test]
fn a_resumed_series_forgets_later_rows_and_a_torn_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("series.csv");
    let columns = ["step", "energy_j"].map(str::to_owned);
    let push = |series: &mut Series, steps: std::ops::Range<u32>| {
        steps.for_each(|k| series.push(&[f64::from(k), 0.1 * f64::from(k)]).unwrap())
    };
    push(&mut Series::create(&path, &columns).unwrap(), 0..10);
    let whole = std::fs::read(&path).unwrap();
    // killed in the middle of a row
    std::fs::write(&path, [whole.as_slice(), b"10,1.0"].concat()).unwrap();
    let (mut series, kept) = Series::resume(&path, &columns, 5).unwrap();
    assert_eq!(kept.len(), 5);
    push(&mut series, 5..10);
    assert!(std::fs::read(&path).unwrap() == whole, "the series differs from that of an unbroken run");
    assert!(Series::resume(&path, &columns, 11).is_err(), "rows that a checkpoint counts are missing");
    assert!(Series::resume(&path, &columns[..1], 5).is_err(), "another scenario's columns");
}

fn head(step: u64) -> Head {
    Head {
        step,
        frames: 2,
        rows: 5,
        series: "s".into(),
        scenario: "abc".into(),
        engine: "test".into(),
        host: serde_json::json!({ "x": 0.1 }),
    }
}

fn state() -> State {
    vec![("body".into(), (0..=255).collect()), ("empty".into(), vec![]), ("pair".into(), vec![7; 1000])]
}

fn checkpoints(run: &Path) -> Vec<PathBuf> {
    let mut list: Vec<_> = std::fs::read_dir(run.join("checkpoint")).unwrap().flatten().map(|e| e.path()).collect();
    list.sort();
    list
}

#[test]
fn a_checkpoint_reads_back_and_two_are_kept() {
    let run = tempfile::tempdir().unwrap();
    for step in [9, 100, 2000] {
        checkpoint::write(run.path(), &head(step), &state()).unwrap();
    }
    assert_eq!(checkpoints(run.path()).len(), 2);
    let newest = checkpoint::list(run.path()).pop().unwrap();
    assert!(newest.ends_with("0000002000.ckpt"));
    assert_eq!(checkpoint::read(&newest).unwrap(), (head(2000), state()));
}

#[test]
fn every_flipped_bit_and_every_cut_inside_a_block_is_noticed() {
    let run = tempfile::tempdir().unwrap();
    let path = checkpoint::write(run.path(), &head(1), &state()).unwrap();
    let whole = std::fs::read(&path).unwrap();
    assert!(whole.len() > 1000);
    for index in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[index] ^= 1 << (index % 8);
        std::fs::write(&path, &damaged).unwrap();
        assert!(checkpoint::read(&path).is_err(), "flipped bit in byte {index} of {} not noticed", whole.len());
    }
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let read = checkpoint::read(&path);
        assert!(read.is_err(), "cut to {length} of {} bytes not noticed", whole.len());
    }
}

#[test]
fn a_directory_is_held_by_one_run_at_a_time() {
    let run = tempfile::tempdir().unwrap();
    let held = RunDirectory::create(run.path(), false, Duration::ZERO).unwrap();
    manifest(RunStatus::Running).write(run.path()).unwrap();
    for second in
        [RunDirectory::create(run.path(), true, Duration::ZERO), RunDirectory::resume(run.path(), Duration::ZERO)]
    {
        let error = second.unwrap_err();
        assert_eq!(error.exit_code(), 2, "a live run was taken over");
        assert!(error.to_string().contains(&format!("process {} is running there", std::process::id())), "{error}");
    }
    drop(held);
    let error = RunDirectory::create(run.path(), false, Duration::ZERO).unwrap_err();
    assert!(
        error.to_string().contains("is the directory of another run (cut off)"),
        "a dead run is replaced only when asked to: {error}"
    );
    drop(RunDirectory::resume(run.path(), Duration::ZERO).unwrap());
    let foreign = tempfile::tempdir().unwrap();
    std::fs::write(foreign.path().join("series.csv"), "mine").unwrap();
    let error = RunDirectory::create(foreign.path(), false, Duration::ZERO).unwrap_err().to_string();
    assert!(error.contains("`series.csv`, which no run has left there"), "{error}");
    assert_eq!(std::fs::read_dir(foreign.path()).unwrap().count(), 1, "something was left there");
    manifest(RunStatus::Done).write(run.path()).unwrap();
    // as two that share a lock may leave it
    std::fs::write(run.path().join("lock"), "4321\n67\n").unwrap();
    RunDirectory::create(run.path(), true, Duration::ZERO).unwrap();
}

fn manifest(status: RunStatus) -> Manifest {
    Manifest {
        threads: None,
        version: "0".into(),
        scenario: "s".into(),
        scenario_hash: "h".into(),
        inputs: Default::default(),
        seed: 1,
        engine: "e".into(),
        law: "l".into(),
        bodies: 1,
        time_step_s: 0.1,
        time_step_reason: "r".into(),
        steps: 1,
        collision: None,
        status,
        ended: String::new(),
        warnings: vec![],
    }
}
