//! Frames in every form that `[output]` gives them: what is read back, what is refused, and what they take on the disk.

use crate::common::bodies;
use crate::common::command::{breccia, files, json, text, words};
use breccia::model::body::Bodies;
use breccia::model::output::{FrameEvent, FrameTimes, OutputSpec};
use breccia::model::scenario::{Compression, Constants, Extent, FrameForm, Precision, Region, Stride};
use breccia::model::snapshot::{Contact, Snapshot};
use breccia::model::stored::arrays::npy_bytes;
use breccia::model::stored::frames::{read_frame, write_constants, write_frame};
use breccia::record::files::recorded::Recorded;
use breccia::render::export::{Format, export};
use breccia::render::scene::{Frame, Quantity};
use glam::DVec3;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Spheres in a row, far from the origin and fast, with one contact.
fn row_of_spheres(n: usize) -> Snapshot {
    let far = DVec3::new(3e8, -2e8, 1e7);
    let spheres: Vec<(DVec3, f64)> =
        (0..n).map(|k| (far + 1.9 * k as f64 * DVec3::X, 1.0 - 0.001 * k as f64)).collect();
    let mut bodies = bodies(&spheres, 2000.0);
    for k in 0..n {
        bodies.velocity_m_s[k] = DVec3::new(5000.0, 0.001 * k as f64, -1.0 / 3.0);
        bodies.spin_rad_s[k] = DVec3::new(0.0, 0.1, 1e-5 * k as f64);
    }
    let contact = Contact { i: 0, j: 1, normal: DVec3::X, force_n: -3.0 * DVec3::X, ..Contact::default() };
    Snapshot { step: 3, time_s: 0.5, bodies, contacts: vec![contact], ..Snapshot::default() }
}

fn written(run: &Path, s: &Snapshot, contacts: bool, form: &FrameForm) -> PathBuf {
    if form.constants == Constants::Once {
        write_constants(run, s).unwrap();
    }
    write_frame(run, 0, s, contacts, form, &[]).unwrap();
    run.join("frames/000000")
}

#[test]
fn frames_of_every_form_read_back() {
    let s = row_of_spheres(5);
    for precision in [Precision::F64, Precision::F32] {
        for compression in [Compression::None, Compression::Deflate] {
            for constants in [Constants::Once, Constants::EveryFrame] {
                let form = FrameForm { precision, compression, constants, ..FrameForm::default() };
                let run = tempfile::tempdir().unwrap();
                let frame = written(run.path(), &s, true, &form);
                let back = Recorded::read(&frame).unwrap().instant;
                let (b, was) = (&back.bodies, &s.bodies);
                assert_eq!((&b.radius_m, &b.mass_kg, &b.id), (&was.radius_m, &was.mass_kg, &was.id), "{form:?}");
                // 24 bits of at most 4 m from the mass centre, and what a float64 of 3e8 m has
                let exact = precision == Precision::F64;
                let near = if exact { 0.0 } else { 4.0 / f64::from(1 << 24) + 3e8 * f64::EPSILON };
                for k in 0..b.len() {
                    assert!((b.position_m[k] - was.position_m[k]).abs().max_element() <= near, "{form:?}: {k}");
                    assert!((b.velocity_m_s[k] - was.velocity_m_s[k]).length() <= near, "{form:?}: {k}");
                }
                assert_eq!(back.contacts[0].force_n, s.contacts[0].force_n);
                assert_eq!(frame.join("arrays.npz").exists(), compression == Compression::Deflate);
                assert_eq!(frame.join("position.npy").exists(), exact && compression == Compression::None);
            }
        }
    }
}

/// Whoever reads bodies, to measure, to draw or to start from, refuses numbers that no run writes.
#[test]
fn numbers_that_are_not_finite_are_refused_by_all_readers() {
    let broken: [fn(&mut Bodies); 4] = [
        |b| b.position_m[1].y = f64::NAN,
        |b| b.velocity_m_s[1].x = f64::INFINITY,
        |b| b.radius_m[1] = 0.0,
        |b| b.mass_kg[1] = f64::NAN,
    ];
    for break_it in broken {
        let run = tempfile::tempdir().unwrap();
        let mut s = row_of_spheres(3);
        break_it(&mut s.bodies);
        let frame = written(run.path(), &s, false, &FrameForm::default());
        let measured = Recorded::unmoved(&frame).unwrap_err();
        let started = read_frame(&frame, "a test", &[]).unwrap_err();
        let drawn = Frame::read(&frame, &Quantity::None, false).expect_err("refused");
        for error in [measured, started, drawn] {
            let told = error.to_string();
            assert!(told.contains("body ") && told.contains("not finite"), "{told}");
            assert_eq!(error.exit_code(), 7, "{told}");
        }
    }
}

#[test]
fn a_frame_that_lacks_a_column_says_which_key_writes_it() {
    let (run, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let form = FrameForm { columns: Some(vec!["position".into()]), ..FrameForm::default() };
    let frame = written(run.path(), &row_of_spheres(3), false, &form);
    for error in [Recorded::read(&frame).unwrap_err(), read_frame(&frame, "a test", &["velocity", "spin"]).unwrap_err()]
    {
        let told = error.to_string();
        assert!(told.contains("`velocity`") && told.contains("output.columns"), "{told}");
    }
    export(run.path(), &[(0, frame.clone())], Format::Xyz, out.path(), false, None).unwrap();
    let xyz = std::fs::read_to_string(out.path().join("bodies.xyz")).unwrap();
    assert!(!xyz.contains("velo") && !xyz.contains("NaN") && xyz.lines().count() == 5, "{xyz}");
    std::fs::remove_dir_all(run.path().join("bodies")).unwrap();
    assert!(Recorded::read(&frame).unwrap_err().to_string().contains("bodies/"));
}

/// Positions and contacts are all that force chains, the page, and the field of the bodies need.
#[test]
fn commands_ask_for_what_they_use() {
    let run = tempfile::tempdir().unwrap();
    let form = FrameForm { columns: Some(vec!["position".into()]), ..FrameForm::default() };
    let mut s = row_of_spheres(3);
    s.bodies.position_m.iter_mut().for_each(|p| *p -= DVec3::new(3e8, -2e8, 1e7));
    written(run.path(), &s, true, &form);
    let dir = run.path().to_str().unwrap();
    let out = run.path().join("field.csv");
    text(&["field", dir, "--grid", "0,0,3:4:2", "--out", out.to_str().unwrap()]);
    text(&["report", dir]);
    for color in ["none", "aggregate_mass"] {
        text(&["render", dir, "--chains", "--color", color, "--follow", "heaviest", "--size", "100"]);
    }
    let refused = words(&breccia(&["render", dir, "--size", "100"]).code(7));
    assert!(refused.contains("`velocity`"), "the speed needs it: {refused}");
}

#[test]
fn a_part_of_the_bodies_is_shown_and_not_measured() {
    let (run, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let s = row_of_spheres(9);
    let extent = Extent::Sphere { position_m: s.bodies.position_m[4], radius_m: 4.0 };
    let region = Some(Region { name: "middle".into(), extent });
    for compression in [Compression::None, Compression::Deflate] {
        let form = FrameForm { stride: Stride(2), region: region.clone(), compression, ..FrameForm::default() };
        let frame = written(run.path(), &s, false, &form);
        for error in
            [Recorded::read(&frame).unwrap_err(), read_frame(&frame, "a test", &["velocity", "spin"]).unwrap_err()]
        {
            let told = error.to_string();
            assert!(told.contains("3 bodies") && told.contains("output.stride"), "{told}");
        }
        export(run.path(), &[(0, frame)], Format::Xyz, out.path(), false, None).unwrap();
        let xyz = std::fs::read_to_string(out.path().join("bodies.xyz")).unwrap();
        let ids: Vec<&str> = xyz.lines().skip(2).map(|l| l.split(' ').nth(4).unwrap()).collect();
        assert_eq!(ids, ["2", "4", "6"]);
    }
}

#[test]
fn arrays_of_another_shape_are_refused() {
    let s = row_of_spheres(4);
    let form = FrameForm { constants: Constants::EveryFrame, ..FrameForm::default() };
    for (name, shape, wanted) in [
        ("position", &[12][..], "position.npy: has the shape (12), and (bodies, 3) is wanted"),
        ("velocity", &[6, 2], "velocity.npy: has the shape (6, 2), and (bodies, 3) is wanted"),
        ("spin", &[2, 2, 3], "spin.npy: has the shape (2, 2, 3), and (bodies, 3) is wanted"),
        ("radius", &[4, 1], "radius.npy: has the shape (4, 1), and (bodies) is wanted"),
        ("mass", &[2, 2], "mass.npy: has the shape (2, 2), and (bodies) is wanted"),
    ] {
        let run = tempfile::tempdir().unwrap();
        let frame = written(run.path(), &s, false, &form);
        let numbers = vec![1.0; shape.iter().product::<u64>() as usize];
        std::fs::write(frame.join(format!("{name}.npy")), npy_bytes(shape, numbers).unwrap()).unwrap();
        breccia::base::checksums::write(&frame).unwrap();
        let error = read_frame(&frame, "a test", &["velocity", "spin"]).unwrap_err();
        assert!(error.exit_code() == 7 && error.to_string().contains(wanted), "{error}");
        assert!(error.to_string().contains("frames/000000"), "{error}");
    }
}

#[test]
fn damaged_compressed_arrays_are_refused_by_name() {
    let run = tempfile::tempdir().unwrap();
    let form = FrameForm { compression: Compression::Deflate, ..FrameForm::default() };
    let frame = written(run.path(), &row_of_spheres(50), true, &form);
    let file = frame.join("arrays.npz");
    let whole = std::fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    flipped[200] ^= 4; // within the numbers of the first array
    for damaged in [&whole[..whole.len() / 2], &flipped, b"no zip"] {
        std::fs::write(&file, damaged).unwrap();
        assert!(breccia::base::checksums::fault(&frame).unwrap().contains("arrays.npz"));
        let error = Recorded::read(&frame).unwrap_err();
        assert!(error.exit_code() == 7 && error.to_string().contains("arrays.npz"), "{error}");
    }
}

#[test]
fn logarithmic_frames_grow_by_one_factor_from_the_first_to_the_end() {
    let output = OutputSpec { frame_times: FrameTimes::Logarithmic { first_s: 0.1 }, ..OutputSpec::of(5, 1) };
    let steps: Vec<u64> = (0..=5).map(|k| output.frame_step(k, 100_000, 0.01)).collect();
    assert_eq!(steps, [0, 10, 100, 1000, 10_000, 100_000]);
    let even = OutputSpec::of(4, 1);
    assert_eq!((0..=4).map(|k| even.frame_step(k, 10, 0.01)).collect::<Vec<_>>(), [0, 2, 5, 7, 10]);
    assert_eq!(FrameEvent::Escape.name(), "escape");
}

/// 125 spheres that meet after 130 s, in a form with everything; a run that was stopped before and after the first contact
/// leaves the same bytes.
#[test]
fn a_first_contact_has_a_frame_and_a_resumed_run_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let sets = [
        "run.duration_s=150",
        "output.frames=3",
        "output.frame_times=logarithmic",
        "output.first_frame_s=30",
        "output.frame_events=[\"first_contact\", \"escape\"]",
        "output.precision=f32",
        "output.compression=deflate",
        "output.series_rows=15",
    ];
    let keys: Vec<&str> = sets.iter().flat_map(|set| ["--set", set]).collect();
    let whole = out("whole");
    let run = |to: &str, more: &[&str]| breccia(&[&["run", "accretion_small", "--out", to], &keys[..], more].concat());
    run(&whole, &[]);
    let events: Vec<String> = (0..5)
        .map(|k| std::fs::read_to_string(format!("{whole}/frames/{k:06}/time.json")).unwrap())
        .filter(|time| time.contains("\"events\":[\"first_contact\"]"))
        .collect();
    assert_eq!(events.len(), 1, "{events:?}");
    assert!(!Path::new(&format!("{whole}/frames/000005")).exists());
    for stop in ["1500", "3400"] {
        let cut = out(stop);
        run(&cut, &["--stop-at-step", stop]);
        // what never changes is written again if it is damaged, and changes nothing of what follows
        let mass = format!("{cut}/bodies/mass.npy");
        if stop == "3400" {
            std::fs::remove_file(&mass).unwrap();
        }
        let told = String::from_utf8(breccia(&["resume", &cut]).get_output().stderr.clone()).unwrap();
        assert!(told.contains("made again") == (stop == "3400") && Path::new(&mass).exists(), "{told}");
        let series = |run: &str| std::fs::read_to_string(format!("{run}/series.csv")).unwrap();
        assert_eq!(series(&whole), series(&cut), "stopped at step {stop}");
        let frames = |run: &str| {
            let all = files(Path::new(run));
            all.into_iter()
                .filter(|(name, _)| name.starts_with("frames") || name.starts_with("bodies"))
                .collect::<Vec<_>>()
        };
        let (a, b) = (frames(&whole), frames(&cut));
        assert!(a.len() == 4 * 3 + 3 + 5 && a == b, "{} files and {}", a.len(), b.len());
    }
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    let refused = |sets: &[&str], hints: &[&str]| {
        let keys: Vec<&str> = sets.iter().flat_map(|set| ["--set", *set]).collect();
        let told = breccia(&[&["check", "accretion_small"], &keys[..]].concat()).code(2);
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(hints.iter().all(|h| told.contains(h)), "{sets:?}: {told}");
    };
    refused(&["output.columns=[\"velocty\"]"], &["output.columns", "did you mean `velocity`?"]);
    refused(&["output.columns=[\"mass\"]"], &["output.constants"]);
    refused(&["output.columns=[]"], &["empty"]);
    refused(&["output.columns=[\"spin\", \"spin\"]"], &["twice"]);
    refused(&["output.columns=[\"orientation\"]"], &["spheres"]);
    refused(&["output.precision=f16"], &["output.precision", "f32"]);
    refused(&["output.stride=2", "output.contacts=true"], &["output.stride", "contacts"]);
    refused(&["output.region=box"], &["output.region", "[[region]]"]);
    refused(&["output.first_frame_s=1"], &["first_frame_s", "logarithmic"]);
    refused(&["output.frame_times=logarithmic"], &["first_frame_s"]);
    refused(&["output.frame_times=logarithmic", "output.first_frame_s=1e9"], &["before the end of the run"]);
    refused(&["output.frame_times=logarithmic", "output.first_frame_s=1e-5"], &["time step"]);
    refused(&["output.frame_times=logarithmic", "output.first_frame_s=1", "output.frames=1"], &["output.frames"]);
    refused(&["output.frame_events=[\"escapes\"]"], &["did you mean `escape`?"]);
}

/// `check` against the files of a run. Within 3 % for frames, whose small files have no fixed size, and 5 % for the rest.
#[test]
fn check_tells_what_a_run_takes() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let keys = ["--set", "run.duration_s=60", "--set", "output.frames=4", "--set", "output.series_rows=200"];
    let told = json(&[&["check", "accretion_small"], &keys[..]].concat());
    let disk = &told["estimate"]["disk"];
    breccia(&[&["run", "accretion_small", "--out", out], &keys[..]].concat());
    let size = |start: &str| -> f64 {
        files(folder.path()).iter().filter(|(name, _)| name.starts_with(start)).map(|(_, b)| b.len() as f64).sum()
    };
    let said = |key: &str| disk[key].as_f64().unwrap();
    let near = |found: f64, said: f64, share: f64, what: &str| {
        assert!((found / said - 1.0).abs() < share, "{what}: {found} bytes, {said} told")
    };
    near(size("frames"), said("frames") * said("frame_bytes"), 0.03, "frames");
    near(size("bodies"), said("once_bytes"), 0.05, "bodies");
    near(size("checkpoint"), said("checkpoint_bytes"), 0.05, "checkpoints");
    let human = text(&["check", "accretion_small", "--set", "output.compression=deflate"]);
    assert!(human.contains("at most"), "{human}");
}

/// The table of docs/user/output.md.
#[test]
#[ignore = "measures sizes and times of a frame of a million bodies"]
fn sizes_and_times_of_a_million_bodies() {
    use rand::{RngExt, SeedableRng};
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(1);
    let mut any = move || rng.random_range(-1.0..1.0);
    let n = 1_000_000;
    let spheres: Vec<(DVec3, f64)> =
        (0..n).map(|_| (500.0 * DVec3::new(any(), any(), any()), 5.0 + 2.0 * any())).collect();
    let mut b = bodies(&spheres, 2000.0);
    for k in 0..n {
        b.velocity_m_s[k] = 0.01 * DVec3::new(any(), any(), any());
        b.spin_rad_s[k] = 1e-3 * DVec3::new(any(), any(), any());
    }
    let contacts = (0..3 * n as u32).map(|k| {
        let (i, j) = (k / 3, (k / 3 + 1 + k % 3) % n as u32);
        Contact { i: i.min(j), j: i.max(j), normal: DVec3::X, force_n: -any().abs() * DVec3::X, ..Contact::default() }
    });
    let s = Snapshot { contacts: contacts.collect(), bodies: b, ..Snapshot::default() };
    let f32s = FrameForm { precision: Precision::F32, ..FrameForm::default() };
    let deflate = Compression::Deflate;
    let some = Some(vec!["position".to_owned(), "velocity".to_owned()]);
    let forms = [
        ("every_frame", FrameForm::by_itself()),
        ("default", FrameForm::default()),
        ("columns", FrameForm { columns: some.clone(), ..FrameForm::default() }),
        ("f32", f32s.clone()),
        ("deflate", FrameForm { compression: deflate, ..FrameForm::default() }),
        ("f32 deflate", FrameForm { compression: deflate, ..f32s.clone() }),
        ("f32 columns", FrameForm { columns: some.clone(), ..f32s.clone() }),
        ("f32 columns deflate", FrameForm { columns: some, compression: deflate, ..f32s }),
        ("stride 10", FrameForm { stride: Stride(10), ..FrameForm::default() }),
    ];
    for (name, form) in forms {
        let run = tempfile::tempdir().unwrap();
        let begun = Instant::now();
        let frame = written(run.path(), &s, false, &form);
        let wrote = begun.elapsed().as_secs_f64();
        let bytes: u64 = std::fs::read_dir(&frame).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum();
        let begun = Instant::now();
        let read = if form.unmeasurable().is_none() { Recorded::read(&frame).map(|_| ()).is_ok() } else { false };
        let took = begun.elapsed().as_secs_f64();
        println!("{name}: {:.1} MB, written in {wrote:.2} s, read in {took:.2} s ({read})", bytes as f64 / 1e6);
    }
}
