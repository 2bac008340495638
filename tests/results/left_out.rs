//! What pictures leave out is said: bodies far away, frames without bodies, plots without a series.

use crate::common::command::{breccia, words};
use breccia::model::snapshot::Snapshot;
use breccia::view::report::{Choice, report};
use breccia::view::resource::Resource;
use breccia::view::run::Run;
use glam::DVec3;
use std::path::{Path, PathBuf};

/// A large sphere, and five small ones far away on all sides, one of them before the eye.
fn far() -> tempfile::TempDir {
    let small = [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::Z].map(|d| (10.0 * d, 0.5));
    let spheres = [&[(DVec3::ZERO, 2.0)], &small[..], &[(DVec3::new(0.0, -40.0, 0.0), 0.5)]].concat();
    let bodies = crate::common::bodies(&spheres, 2000.0);
    let scenario = crate::common::scenario(vec![crate::common::material()]);
    crate::common::run_directory(&scenario, &[Snapshot { bodies, ..Snapshot::default() }], false)
}

fn render(dir: &Path, options: &[&str]) -> String {
    let usual = ["render", dir.to_str().unwrap(), "--size", "400", "--view", "0,-1,0"];
    words(&breccia(&[&usual, options].concat()).success())
}

#[test]
fn bodies_outside_of_a_picture_are_counted_and_the_way_to_them_works() {
    let dir = far();
    let said = render(dir.path(), &[]);
    assert!(said.contains("4 of 6 bodies lie outside of the picture: --zoom 0."), "{said}");
    assert!(said.contains("1 of them are behind the eye") && said.contains("breccia view"), "{said}");
    let zoom = said.split("--zoom ").nth(1).unwrap().split(' ').next().unwrap();
    let said = render(dir.path(), &["--zoom", zoom]);
    assert!(said.contains("1 of 6 bodies lie outside") && !said.contains("--zoom"), "{said}");
    assert!(!render(dir.path(), &["--zoom", "2"]).contains("outside"), "who comes nearer leaves out bodies on purpose");
    assert!(!render(dir.path(), &["--zoom", zoom, "--clip", "0,-1,0:30"]).contains("outside"), "cut away on purpose");
}

#[test]
fn a_directory_without_a_series_has_pictures_and_no_plots() {
    let dir = far();
    let said = render(dir.path(), &["--json"]);
    assert!(said.contains("no plots: ") && said.contains("000000.png"), "{said}");
}

#[test]
fn a_letter_that_pixels_lack_is_said() {
    let dir = far();
    let said = render(dir.path(), &["--title", "\u{8db3} and \u{4e2d}"]);
    assert!(said.matches("the font of pictures lacks").count() == 1 && said.contains("--format svg"), "{said}");
    assert!(!render(dir.path(), &["--title", "\u{e9}"]).contains("lacks"));
}

#[test]
fn a_long_title_is_whole() {
    let dir = far();
    let title = format!("{}and more", "a title of many words ".repeat(3) + "many words ");
    render(dir.path(), &["--format", "svg", "--title", &title]);
    let svg = std::fs::read_to_string(dir.path().join("pictures/000000.svg")).unwrap();
    let line = svg.lines().find(|l| l.contains("a title of many")).unwrap();
    let value = |key: &str| -> f64 {
        line.split(&format!("{key}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let width: f64 = svg.split("width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    // letters of vectors are 0.82 as high as those of the bitmap font
    let wide = f64::from(breccia::render::text::width(&title, (value("font-size") / 0.82).round() as u32));
    assert!(value("x") + wide <= width, "{wide} pixels of {width}");
}

/// A run whose bodies enter the region that its frames hold, one after another.
fn entering() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("reg.toml"), dir.path().join("run"));
    let text = r#"
format = 1
title = "region"
[run]
duration_s = 10.0
[[material]]
name = "rock"
density_kg_m3 = 3350.0
stiffness_normal_n_m = 1.0103e4
restitution_normal = 0.55
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [
  { position_m = [0.0, 0.0, 0.0], radius_m = 0.1 , velocity_m_s = [-0.1, 0.0, 0.0]},
  { position_m = [0.0, 1.0, 0.0], radius_m = 0.3, velocity_m_s = [-0.1, 0.0, 0.0] },
]
[[region]]
name = "box"
kind = "box"
min_m = [-2.0, -9, -9]
max_m = [-0.55, 9, 9]
[output]
frames = 4
region = "box"
"#;
    std::fs::write(&file, text).unwrap();
    breccia(&["run", file.to_str().unwrap(), "--engine", "reference", "--out", out.to_str().unwrap()]).success();
    (dir, out)
}

#[test]
fn frames_without_bodies_are_left_out_of_movies_and_shown_empty_on_pages() {
    let (_dir, out) = entering();
    let said = render(&out, &["--all"]);
    assert!(said.contains("left out 3 of 5 frames") && said.contains("output.region"), "{said}");
    assert!(!out.join("pictures/000000.png").exists() && out.join("pictures/000003.png").exists());
    breccia(&["render", out.to_str().unwrap(), "--frame", "0"])
        .code(7)
        .stderr(predicates::str::contains("holds no bodies"));
    let run = Run::open(&out).unwrap();
    let ask = |name: &str| Resource::parse(name).unwrap().of(&run).unwrap_or_else(|e| panic!("{name}: {e}")).bytes;
    let about = String::from_utf8_lossy(&ask("frame/0/bodies")).into_owned();
    assert!(about.contains("\"field\":null") && about.contains("\"origin_m\":[0.0,0.0,0.0]"), "{about}");
    assert!(String::from_utf8_lossy(&ask("frame/4/bodies")).contains("\"field\":{"));
    for name in ["shapes", "values/speed", "values/material", "values/id"] {
        ask(&format!("frame/0/{name}"));
    }
    assert_eq!(ask("frame/0/walls"), b"[]");
    let made = report(&out, &Choice { frames: 9, quantities: vec![], most: 10_000_000 }).unwrap();
    assert_eq!((made.frames, made.of), (5, 5));
}
