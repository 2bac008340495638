//! Pictures of known scenes, checked by their pixels, and the command that draws a run.

use crate::common::write_frame;
use breccia::gpu::pipeline::link::Sources;
use breccia::model::body::Bodies;
use breccia::model::snapshot::{Contact, Snapshot};
use breccia::record::files::series::Series;
use breccia::render::camera::Camera;
use breccia::render::colour;
use breccia::render::picture::Painter;
use breccia::render::scene::Scene;
use glam::DVec3;
use image::{Rgba, RgbaImage};
use std::path::Path;

/// Looking along y, z up.
fn front() -> Camera {
    Camera::from_direction(DVec3::new(0.0, -1.0, 0.0)).unwrap()
}

fn scene(spheres: &[[f32; 4]], colours: &[[f64; 3]]) -> Scene {
    Scene::of_spheres(spheres.to_vec(), colours.iter().map(|c| colour::tint(*c)).collect(), 0.2)
}

fn draw(scene: &Scene, side: u32) -> RgbaImage {
    let gpu = crate::common::gpu();
    Painter::new(&gpu, Sources::default()).unwrap().draw(scene, &front(), side).unwrap()
}

const RED: [f64; 3] = [0.9, 0.1, 0.1];
const BLUE: [f64; 3] = [0.1, 0.1, 0.9];

#[test]
fn a_sphere_covers_its_disc_and_nothing_else() {
    let side = 200u32;
    let picture = draw(&scene(&[[0.0, 0.0, 0.0, 0.5]], &[RED]), side);
    let covered: f64 = picture.pixels().map(|p| f64::from(p[3]) / 255.0).sum();
    // The silhouette of radius r at distance d has the tangent r / sqrt(d^2 - r^2) of the picture's half 0.22,
    // d = 1.05 / sin(atan 0.22). Four samples a pixel: the area is right to well under 1 %.
    let d = 1.05 / 0.22f64.atan().sin();
    let radius = 0.5 / (d * d - 0.25).sqrt() / 0.22 * f64::from(side) / 2.0;
    let area = std::f64::consts::PI * radius * radius;
    assert!((covered / area - 1.0).abs() < 0.01, "covers {covered} pixels, {area} expected");
    assert_eq!(picture.get_pixel(100, 100)[3], 255, "the centre is covered");
    for corner in [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)] {
        assert_eq!(picture.get_pixel(corner.0, corner.1).0, [0; 4], "corner {corner:?} is ground");
    }
    let centre = picture.get_pixel(100, 100);
    assert!(centre[0] > 3 * centre[2], "red body, pixel {centre:?}");
    // The sun is over the left shoulder: upper left lighter than lower right.
    let (lit, dark) = (picture.get_pixel(82, 78), picture.get_pixel(118, 122));
    assert!(f64::from(lit[0]) > 1.3 * f64::from(dark[0]), "lit {lit:?}, dark {dark:?}");
}

#[test]
fn the_nearer_body_hides_the_farther_one_and_order_does_not_matter() {
    let (near, far) = ([0.0, -0.5, 0.0, 0.3], [0.0, 0.5, 0.0, 0.3]);
    let one = draw(&scene(&[near, far], &[RED, BLUE]), 128);
    let two = draw(&scene(&[far, near], &[BLUE, RED]), 128);
    let centre = one.get_pixel(64, 64);
    assert!(centre[0] > centre[2], "the red one is in front, pixel {centre:?}");
    assert!(one == two, "the order of the bodies changed the picture");
}

#[test]
fn a_body_throws_a_shadow_on_the_one_below() {
    // The sun is at (-0.55, -0.75, 0.75): the small body is on its line to the large one, and its shadow falls on
    // (-0.12, -0.39, -0.22), which the camera sees 0.44 to the right of and below the small one's middle.
    let below = [0.0, 0.0, -0.4, 0.45];
    let alone = draw(&scene(&[below], &[RED]), 160);
    let shaded = draw(&scene(&[below, [-0.39, -0.53, 0.13, 0.25]], &[RED, BLUE]), 160);
    let (lit, dark) = (alone.get_pixel(71, 96), shaded.get_pixel(71, 96));
    assert!(dark[0] > dark[2], "the small body covers the shadow: {dark:?}");
    // Without the sun 0.56 / (0.56 + 0.58 cos) of the light is left: below 60 % in linear light, 80 % in sRGB.
    assert!(f64::from(dark[0]) < 0.8 * f64::from(lit[0]), "lit {lit:?}, shaded {dark:?}");
    // A point of the lower body away from the shadow keeps its light.
    assert_eq!(alone.get_pixel(100, 120), shaded.get_pixel(100, 120));
}

#[test]
fn bodies_a_thousand_times_smaller_than_the_scene_stay_round() {
    // 31 x 31 specks of 0.001: |c|^2 - b^2 in f32 would lose them (r^2 = 1e-6 against 20).
    let mut specks = vec![];
    for k in 0..961 {
        specks.push([(k % 31) as f32 * 0.04 - 0.6, 0.0, (k / 31) as f32 * 0.04 - 0.6, 0.001]);
    }
    let colours = vec![RED; specks.len()];
    let picture = draw(&scene(&specks, &colours), 2000);
    let covered: f64 = picture.pixels().map(|p| f64::from(p[3]) / 255.0).sum();
    let radius = 0.001 / (1.05 / 0.22f64.atan().sin()) / 0.22 * 1000.0;
    let area = 961.0 * std::f64::consts::PI * radius * radius;
    // 11 samples a speck, of a body less than 2 pixels wide: their mean over 961 positions is right to a few per cent.
    assert!((covered / area - 1.0).abs() < 0.05, "cover {covered} pixels, {area} expected");
}

#[test]
fn a_near_body_that_fills_the_picture_is_whole() {
    // One box of 2,400 x 2,400 samples: a single invocation would stop at 65,535 of them on software Vulkan.
    let picture = draw(&scene(&[[0.0, 0.0, 0.0, 1.6]], &[RED]), 1200);
    assert!(picture.pixels().all(|p| p[3] == 255), "holes in a body that fills the picture");
}

#[test]
fn two_pictures_are_equal_byte_for_byte() {
    let spheres: Vec<[f32; 4]> = (0..200)
        .map(|k| {
            let angle = k as f32 * 2.4;
            [angle.cos() * 0.004 * k as f32, angle.sin() * 0.004 * k as f32, (k % 7) as f32 * 0.06 - 0.2, 0.08]
        })
        .collect();
    let colours: Vec<[f64; 3]> = (0..200).map(colour::label).collect();
    let scene = scene(&spheres, &colours);
    assert!(draw(&scene, 300) == draw(&scene, 300));
}

#[test]
fn sizes_outside_the_range_are_refused() {
    let gpu = crate::common::gpu();
    let mut painter = Painter::new(&gpu, Sources::default()).unwrap();
    for side in [0, 63, 100_000] {
        let error = painter.draw(&scene(&[[0.0, 0.0, 0.0, 0.5]], &[RED]), &front(), side).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
    }
}

/// A run directory with two frames of two touching bodies and a short series.
fn run_directory(dir: &Path) {
    let spheres = [(DVec3::new(-1.0, 0.0, 0.0), 1.0), (DVec3::new(0.9999, 0.0, 0.0), 1.0)];
    let mut bodies: Bodies = crate::common::bodies(&spheres, 2000.0);
    bodies.velocity_m_s[1] = DVec3::new(0.003, 0.0, 0.0);
    let contact = Contact { i: 0, j: 1, overlap_m: 1e-4, normal: DVec3::X, force_n: -DVec3::X, ..Contact::default() };
    for index in 0..2 {
        let time_s = 10.0 * index as f64;
        let s =
            Snapshot { step: index, time_s, bodies: bodies.clone(), contacts: vec![contact], ..Snapshot::default() };
        write_frame(dir, index as usize, &s, false).unwrap();
    }
    let columns = ["step", "time_s", "kinetic_translational_j", "momentum_drift"].map(str::to_owned);
    let mut series = Series::create(&dir.join("series.csv"), &columns).unwrap();
    for k in 0..20 {
        series.push(&[f64::from(k), 0.5 * f64::from(k), 3.0 / (1.0 + f64::from(k)), 1e-9 * f64::from(k)]).unwrap();
    }
}

fn breccia(arguments: &[&str]) -> assert_cmd::assert::Assert {
    assert_cmd::Command::cargo_bin("breccia").unwrap().arg("render").args(arguments).assert()
}

#[test]
fn the_command_draws_frames_and_plots() {
    let run = tempfile::tempdir().unwrap();
    run_directory(run.path());
    let dir = run.path().to_str().unwrap();
    for color in ["speed", "pressure", "coordination", "radius", "id", "none"] {
        let out = run.path().join(color);
        breccia(&[dir, "--size", "150", "--color", color, "--out", out.to_str().unwrap()]).success();
        let picture = image::open(out.join("pictures/000001.png")).unwrap().to_rgba8();
        assert!(!out.join("pictures/000000.png").exists(), "only the last frame was asked for");
        let panel = picture.width() > picture.height();
        assert_eq!(panel, !matches!(color, "id" | "none"), "{color}: colour scale");
        let ground = picture.get_pixel(149, 0);
        let body = picture.get_pixel(50, 75);
        assert!(ground.0 == [255; 4] && body != ground, "{color}: ground {ground:?}, body {body:?}");
    }
    let plot = std::fs::read_to_string(run.path().join("speed/plots/energy.svg")).unwrap();
    for word in ["<svg", "time [s]", "energy [J]", "kinetic, translation", "<polyline"] {
        assert!(plot.contains(word), "energy.svg lacks `{word}`");
    }
    let drift = std::fs::read_to_string(run.path().join("speed/plots/momentum_drift.svg")).unwrap();
    assert!(drift.contains("1e-9") && drift.contains("linear momentum"));
    assert!(!run.path().join("speed/plots/dissipation.svg").exists(), "a plot without columns");
}

#[test]
fn all_frames_are_drawn_and_told_as_json() {
    let run = tempfile::tempdir().unwrap();
    run_directory(run.path());
    let done = breccia(&[run.path().to_str().unwrap(), "--all", "--size", "120", "--json"]).success();
    let told: serde_json::Value = serde_json::from_slice(&done.get_output().stdout).unwrap();
    assert_eq!(told["pictures"].as_array().unwrap().len(), 2, "{told}");
    for (frame, count) in [("all", 2), ("last", 1)] {
        let arguments = [run.path().to_str().unwrap(), "--frame", frame, "--size", "120", "--json"];
        let told = breccia(&arguments).success();
        let told: serde_json::Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
        assert_eq!(told["pictures"].as_array().unwrap().len(), count, "{told}");
    }
    for path in told["pictures"].as_array().unwrap().iter().chain(told["plots"].as_array().unwrap()) {
        assert!(Path::new(path.as_str().unwrap()).exists(), "{path}");
    }
    // ffmpeg makes it, or it is an animated GIF
    let movie = told["movie"].as_str().expect("a movie");
    assert!(std::fs::metadata(movie).unwrap().len() > 500 && (movie.ends_with(".mp4") || movie.ends_with(".gif")));
}

/// Pictures of a call before, of a run that had more frames, are not in the movie.
#[cfg(unix)]
#[test]
fn a_movie_has_the_pictures_of_its_call_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (run, bin) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    run_directory(run.path());
    std::fs::create_dir(run.path().join("pictures")).unwrap();
    std::fs::write(run.path().join("pictures/000002.png"), "of a call before").unwrap();
    let ffmpeg = bin.path().join("ffmpeg");
    std::fs::write(&ffmpeg, format!("#!/bin/sh\necho \"$@\" > '{}/words'\n", bin.path().display())).unwrap();
    std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.path().display(), std::env::var("PATH").unwrap());
    let mut command = assert_cmd::Command::cargo_bin("breccia").unwrap();
    command.env("PATH", path).arg("render").arg(run.path()).args(["--all", "--size", "120"]).assert().success();
    let words = std::fs::read_to_string(bin.path().join("words")).unwrap();
    assert!(words.contains("-start_number 0 ") && words.contains(" -frames:v 2 "), "{words}");
}

#[test]
fn wrong_arguments_say_what_is_right() {
    let run = tempfile::tempdir().unwrap();
    run_directory(run.path());
    let dir = run.path().to_str().unwrap();
    for (arguments, code, hint) in [
        (vec![dir, "--color", "sped"], 2, "coordination"),
        (vec![dir, "--view", "1,2"], 2, "three numbers"),
        (vec![dir, "--view", "0,0,0"], 2, "not all zero"),
        (vec![dir, "--frame", "7"], 2, "up to 1"),
        (vec![dir, "--background", "pink"], 2, "white, dark or transparent"),
        (vec!["no_such_run"], 7, "no_such_run"),
    ] {
        breccia(&arguments).code(code).stderr(predicates::str::contains(hint));
    }
}

fn draw_run(dir: &Path) -> (image::RgbImage, Vec<u8>) {
    breccia(&[dir.to_str().expect("utf8"), "--frame", "0"]).code(0);
    let path = dir.join("pictures/000000.png");
    (image::open(&path).expect("png").to_rgb8(), std::fs::read(&path).expect("bytes"))
}

#[test]
fn a_picture_shows_the_bodies_and_is_the_same_twice() {
    let dir = tempfile::tempdir().expect("tempdir");
    let out = dir.path().join("run");
    // Two spheres that almost touch: the picture's centre lies between them, each covers a good part.
    assert_cmd::Command::cargo_bin("breccia").unwrap().args(["run", "bounce", "--out"]).arg(&out).assert().code(0);
    let (picture, bytes) = draw_run(&out);
    let background = *picture.get_pixel(2, 2);
    let covered = picture.pixels().filter(|p| **p != background).count();
    let share = covered as f64 / f64::from(picture.width() * picture.height());
    assert!((0.1..0.9).contains(&share), "{share} of the picture is covered");
    assert_eq!(draw_run(&out).1, bytes, "two renders differ");
    assert!(out.join("plots").read_dir().expect("plots").count() >= 3);
    breccia(&[out.to_str().expect("utf8"), "--frame", "99"]).code(2);
    breccia(&[dir.path().to_str().expect("utf8")]).code(7);
}

/// Two bodies that push and two that pull, on a floor, looked at along y.
fn chained() -> tempfile::TempDir {
    let at = |x: f64, z: f64| (DVec3::new(x, 0.0, z), 1.0);
    let bodies = crate::common::bodies(&[at(-1.0, 1.0), at(1.0, 1.0), at(-1.0, 4.0), at(1.0, 4.0)], 2000.0);
    let link =
        |i, force: f64| Contact { i, j: i + 1, normal: DVec3::X, force_n: -force * DVec3::X, ..Contact::default() };
    let contacts = vec![link(0, 3.0), link(2, -1.0)];
    let mut scenario = crate::common::scenario(vec![crate::common::material()]);
    scenario.walls = vec![crate::common::wall(DVec3::ZERO)];
    let s = Snapshot { bodies, contacts, ..Snapshot::default() };
    let dir = crate::common::run_directory(&scenario, &[s], true);
    Series::create(&dir.path().join("series.csv"), &["time_s".to_owned()]).unwrap();
    dir
}

/// The picture of [`chained`] seen from the front, or from below.
fn chained_picture(view: &str, options: &[&str]) -> RgbaImage {
    let dir = chained();
    let run = dir.path().to_str().unwrap();
    breccia(&[&[run, "--size", "400", "--view", view], options].concat()).success();
    image::open(dir.path().join("pictures/000000.png")).unwrap().to_rgba8()
}

/// Height of a column's pixels that are clearly red, and blue, between two rows.
fn coloured(picture: &RgbaImage, x: u32, rows: std::ops::Range<u32>) -> [usize; 2] {
    let strong = |y: &u32, c: usize| {
        let p = picture.get_pixel(x, *y);
        i32::from(p[c]) - i32::from(p[2 - c]) > 60
    };
    [0, 2].map(|c| rows.clone().filter(|y| strong(y, c)).count())
}

#[test]
fn force_chains_are_as_wide_as_their_force_and_coloured_by_its_sign() {
    let picture = chained_picture("0,-1,0", &["--chains"]);
    assert_eq!(picture.width(), 400, "no colour scale beside chains");
    // The field's radius is that of the spheres' corner, sqrt(1 + 1.5^2) + 1 = 2.803 m; 1.5 m up is 102 pixels.
    let scale = 400.0 / (2.0 * 2.803 * 1.05);
    let (upper, lower) = (coloured(&picture, 200, 60..140), coloured(&picture, 200, 260..340));
    // 0.12 of the diameter of 2 m for the mean of 2 N, and the push of 3 N three times as wide as the pull of 1 N
    for (found, force, what) in [(lower[0], 3.0, "red"), (upper[1], 1.0, "blue")] {
        let expected = 0.12 * 2.0 * force / 2.0 * scale;
        assert!((found as f64 - expected).abs() < 2.5, "{what}: {found} pixels, {expected} expected");
    }
    assert_eq!((upper[0], lower[1]), (0, 0), "red above or blue below");
    let plain = chained_picture("0,-1,0", &["--color", "none"]);
    assert_eq!(coloured(&plain, 200, 0..400), [0, 0], "chains that nobody asked for");
    // bodies are faded, and still there
    let (faded, full) = (picture.get_pixel(135, 260), plain.get_pixel(135, 260));
    assert!(faded[0] > full[0] && faded[0] < 255, "faded {faded:?}, full {full:?}");
}

/// Bodies hide a floor that is seen from above; seen from below it lies over them, faintly.
#[test]
fn walls_lie_behind_or_before_the_bodies() {
    let differing = |view: &str| {
        let [with, without] =
            [&["--walls"][..], &[]].map(|o| chained_picture(view, &[&["--color", "none"], o].concat()));
        let all = with
            .enumerate_pixels()
            .map(|(x, y, p)| (*without.get_pixel(x, y) == Rgba([255; 4]), p != without.get_pixel(x, y)));
        let count = |ground: bool| all.clone().filter(|(g, differs)| *g == ground && *differs).count();
        (count(true), count(false))
    };
    let (ground, bodies) = differing("0,-1,1");
    assert!(ground > 10_000 && bodies < 2_000, "from above {ground} pixels of ground and {bodies} of bodies change");
    let (_, bodies) = differing("0,-1,-1");
    assert!(bodies > 15_000, "from below {bodies} pixels of bodies change");
}

/// What is too small to see is a dot, and a close-up shows its true size: the dot goes with the zoom.
#[test]
fn dots_are_of_pixels_and_not_of_the_field() {
    let radius_in = |camera: Camera| {
        let mut scene = Scene { dot: camera.dot(), ..scene(&[], &[]) };
        scene.add_sphere(DVec3::ZERO, 1e-3, colour::tint([0.5; 3]));
        f64::from(scene.spheres[0].radius)
    };
    for camera in [front(), front().orthographic()] {
        let dot = radius_in(camera);
        assert!(dot > 2e-3, "{dot}");
        assert!((radius_in(camera.zoomed(0.01)) / dot - 100.0).abs() < 1e-3, "seen from far");
        assert!((radius_in(camera.zoomed(40.0)) - 1e-3).abs() < 1e-9, "a close-up");
    }
}
