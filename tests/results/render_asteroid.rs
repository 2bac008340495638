//! Pictures of an asteroid: it covers what it should, hides what is behind it, turns in inertial axes; maps and exports.

use crate::common::command::{breccia, path, text};
use crate::common::vtp::{floats, integers};
use crate::common::write_frame;
use breccia::geometry::geodesic::geodesic;
use breccia::geometry::surface::Surface;
use breccia::gpu::pipeline::link::Sources;
use breccia::model::snapshot::{FrameState, Snapshot};
use breccia::record::files::series::Series;
use breccia::render::camera::Camera;
use breccia::render::colour::tint;
use breccia::render::facets::{Facets, Pose};
use breccia::render::picture::Painter;
use breccia::render::scene::Scene;
use glam::{DQuat, DVec3};
use image::RgbaImage;
use std::f64::consts::{FRAC_PI_2, PI};
use std::path::Path;

const RED: [f64; 3] = [0.9, 0.1, 0.1];
const BLUE: [f64; 3] = [0.1, 0.1, 0.9];

fn draw(scene: &Scene, side: u32) -> RgbaImage {
    let front = Camera::from_direction(-DVec3::Y).unwrap();
    Painter::new(&crate::common::gpu(), Sources::default()).unwrap().draw(scene, &front, side).unwrap()
}

fn ball(cuts: u32, colour: [f64; 3]) -> Facets {
    let ball = geodesic("ball", cuts, |_| 0.5);
    Facets::of(&ball, Pose::OWN, DVec3::ZERO, 1.0, |_| tint(colour))
}

#[test]
fn a_sphere_of_facets_covers_its_disc_without_gaps() {
    let side = 200u32;
    let picture = draw(&Scene::of_facets(ball(40, RED)), side);
    let covered: f64 = picture.pixels().map(|p| f64::from(p[3]) / 255.0).sum();
    let d = 1.05 / 0.22f64.atan().sin();
    let radius = 0.5 / (d * d - 0.25).sqrt() / 0.22 * f64::from(side) / 2.0;
    assert!((covered / (PI * radius * radius) - 1.0).abs() < 0.01, "covers {covered} pixels");
    let gap = picture.enumerate_pixels().find(|(x, y, p)| {
        let out = (f64::from(*x) - 99.5).hypot(f64::from(*y) - 99.5);
        out < radius - 2.0 && p[3] < 255
    });
    assert!(gap.is_none(), "{gap:?}");
    let (lit, dark) = (picture.get_pixel(82, 78), picture.get_pixel(118, 122));
    assert!(f64::from(lit[0]) > 1.3 * f64::from(dark[0]), "lit {lit:?}, dark {dark:?}");
}

#[test]
fn grains_and_ground_hide_each_other_and_share_shadows() {
    // a grain before, one behind, one half sunk at the limb; the one before throws its shadow down to the right
    let grains = vec![[-0.12, -0.62, 0.1, 0.08], [0.0, 0.7, 0.0, 0.1]];
    let scene = |spheres: &[[f32; 4]]| {
        Scene::of_spheres(spheres.to_vec(), vec![tint(BLUE); spheres.len()], 0.1).with_facets(ball(30, RED))
    };
    let (bare, both) = (draw(&scene(&[]), 200), draw(&scene(&grains), 200));
    assert_eq!(bare.get_pixel(100, 100)[3], 255);
    let blue = |p: &image::Rgba<u8>| p[2] > p[0];
    let found: Vec<(u32, u32)> =
        both.enumerate_pixels().filter(|(.., p)| p[3] > 0 && blue(p)).map(|(x, y, _)| (x, y)).collect();
    assert!(found.len() > 100 && found.iter().all(|(x, y)| *x < 105 && *y < 105), "{} pixels", found.len());
    let darker = both.enumerate_pixels().filter(|(x, y, p)| {
        let was = bare.get_pixel(*x, *y);
        !blue(p) && p[3] == 255 && was[3] == 255 && f64::from(p[0]) < 0.85 * f64::from(was[0])
    });
    assert!(darker.count() > 50, "no shadow on the ground");
}

/// A run of grains on an egg that lies along x, turned by a quarter about z in its second frame.
fn run() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let egg = geodesic("egg", 20, |u| 100.0 / (u * DVec3::new(0.5, 1.0, 1.0)).length());
    breccia::analysis::surface_field::write_surface(dir.path(), &egg).unwrap();
    let mesh = dir.path().join("surface.obj").display().to_string();
    let scenario = format!(
        "format = 1\n[run]\nduration_s = 1\n[[material]]\nname = \"rock\"\ndensity_kg_m3 = 3000\nspeed_max_m_s = 0.1\n\
         restitution_normal = 0.5\nfriction_sliding = 0.4\n[[bodies]]\ngenerator = \"list\"\n\
         body = [{{ position_m = [203, 0, 0], radius_m = 3 }}]\n[asteroid]\nshape = {{ kind = \"mesh\", path = '{mesh}', \
         unit_m = 1 }}\ndensity_kg_m3 = 2000\nrotation_period_s = \"5 h\"\n"
    );
    std::fs::write(dir.path().join("scenario.toml"), scenario).unwrap();
    std::fs::write(dir.path().join("settings.json"), "{ \"file\": \"scenario.toml\", \"set\": [] }").unwrap();
    let bodies =
        crate::common::bodies(&[(DVec3::new(203.0, 0.0, 0.0), 3.0), (DVec3::new(190.0, 5.0, 33.0), 3.0)], 3000.0);
    for (k, angle) in [0.0, FRAC_PI_2].into_iter().enumerate() {
        let pose = FrameState {
            origin_m: DVec3::new(7.0, 0.0, 0.0),
            orientation: DQuat::from_rotation_z(angle),
            velocity_m_s: DVec3::ZERO,
            spin_rad_s: DVec3::Z * 3.5e-4,
            asteroid: None,
        };
        let time_s = 10.0 * k as f64;
        let s = Snapshot { bodies: bodies.clone(), frame: Some(pose), time_s, ..Snapshot::default() };
        write_frame(dir.path(), k, &s, false).unwrap();
    }
    Series::create(&dir.path().join("series.csv"), &["time_s".to_owned()]).unwrap();
    dir
}

/// Columns and rows of what differs from the white ground, in the square picture; and its number of pixels.
fn shown(picture: &RgbaImage) -> [u32; 3] {
    let side = picture.height();
    let found: Vec<(u32, u32)> = picture
        .enumerate_pixels()
        // words and the length bar are at the left edge
        .filter(|(x, y, p)| *x > side / 10 && *x < side && *y > side / 10 && *y < side * 9 / 10 && p[0] < 235)
        .map(|(x, y, _)| (x, y))
        .collect();
    let extent = |of: fn(&(u32, u32)) -> u32| found.iter().map(of).max().unwrap() - found.iter().map(of).min().unwrap();
    [extent(|p| p.0), extent(|p| p.1), found.len() as u32]
}

fn picture(dir: &Path, frame: u32, options: &[&str]) -> RgbaImage {
    let number = frame.to_string();
    let head = ["render", dir.to_str().unwrap(), "--size", "300", "--frame", &number];
    let colour: &[&str] = if options.contains(&"--color") { &[] } else { &["--color", "none"] };
    breccia(&[&head, colour, options].concat()).success();
    image::open(dir.join(format!("pictures/{frame:06}.png"))).unwrap().to_rgba8()
}

#[test]
fn the_asteroid_stands_in_its_own_axes_and_turns_in_inertial_ones() {
    let dir = run();
    let front = ["--view", "0,-1,0"];
    let body: Vec<[u32; 3]> = (0..2).map(|k| shown(&picture(dir.path(), k, &front))).collect();
    assert_eq!(body[0], body[1]);
    // 400 m of the 2 x 1.05 x 1.326 x 200 m that the picture is wide
    let wide = 300.0 * 400.0 / (2.1 * 1.326 * 200.0);
    assert!((f64::from(body[0][0]) - wide).abs() < 12.0, "{body:?}, {wide} expected");
    let inertial = [&front[..], &["--axes", "inertial"]].concat();
    let turned: Vec<[u32; 3]> = (0..2).map(|k| shown(&picture(dir.path(), k, &inertial))).collect();
    assert!((f64::from(turned[0][0]) - wide).abs() < 12.0 && f64::from(turned[1][0]) < 0.6 * wide, "{turned:?}");
    let bare = shown(&picture(dir.path(), 0, &[&front[..], &["--no-asteroid"]].concat()));
    assert!(bare[2] < body[0][2] / 3, "{bare:?} without the asteroid, {body:?} with it");
}

#[test]
fn the_axis_is_an_arrow_and_a_close_up_shows_the_grains() {
    let dir = run();
    let whole = picture(dir.path(), 0, &["--view", "0,-1,0"]);
    let gold = |p: &image::Rgba<u8>| p[0] > 180 && p[2] < 90;
    let rows: Vec<u32> = whole.enumerate_pixels().filter(|(.., p)| gold(p)).map(|(_, y, _)| y).collect();
    // from the pole at 100 m to 260 m above the middle, hidden within
    let scale = 300.0 / (2.1 * 1.326 * 200.0);
    let (top, bottom) = (*rows.iter().min().unwrap(), *rows.iter().max().unwrap());
    assert!((150.0 - 260.0 * scale - f64::from(top)).abs() < 6.0, "tip at row {top}");
    assert!((150.0 - 100.0 * scale - f64::from(bottom)).abs() < 6.0, "foot at row {bottom}");
    let close = picture(dir.path(), 0, &["--view", "grains", "--color", "id"]);
    // grains of 3 m in a field of about 22 m: two round spots in their own colours, on ground that fills the rest below
    let coloured = close.pixels().filter(|p| p[0].max(p[1]).max(p[2]) - p[0].min(p[1]).min(p[2]) > 60).count();
    assert!(coloured > 500, "{coloured} pixels of grains");
    let covered = close.pixels().filter(|p| p[0] < 235).count();
    assert!(covered > 300 * 300 / 2, "{covered} pixels of ground");
    let lit = picture(dir.path(), 0, &["--view", "0,-1,0", "--light", "0,-1,0.2"]);
    assert_ne!(lit, whole);
    // the letter at the tip is right of it
    let letter = whole.enumerate_pixels().filter(|(x, y, p)| *x > 155 && *x < 175 && y.abs_diff(top) < 8 && p[2] < 190);
    assert!(letter.count() > 5, "no N at the tip");
}

#[test]
fn a_graticule_lies_where_its_degrees_are_and_turns_with_the_asteroid() {
    let dir = run();
    let svg = |frame: &str, options: &[&str]| {
        let head = ["render", dir.path().to_str().unwrap(), "--size", "400", "--frame", frame, "--color", "none"];
        let more = ["--view", "0,-1,0", "--format", "svg", "--graticule", "30"];
        breccia(&[&head[..], &more[..], options].concat()).success();
        std::fs::read_to_string(dir.path().join(format!("pictures/00000{frame}.svg"))).unwrap()
    };
    // from -y the meridian of 90 degrees west is in the middle, 120 to its left, 60 to its right
    let column = |text: &str, words: &str| -> f64 {
        let row = text.lines().find(|l| l.contains(&format!(">{words}<"))).unwrap_or_else(|| panic!("no {words}"));
        row.split("x=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    let own = svg("1", &[]);
    let [left, middle, right] = ["120 W", "90 W", "60 W"].map(|w| column(&own, w));
    assert!((middle - 200.0).abs() < 5.0 && left < middle - 20.0 && right > middle + 20.0, "{left} {middle} {right}");
    assert!(!own.contains(">90 E<") && own.contains(">30 N<"));
    // turned by a quarter about +z, the end at 180 degrees faces -y
    let turned = svg("1", &["--axes", "inertial"]);
    assert!((column(&turned, "180 E") - 200.0).abs() < 5.0);
}

#[test]
fn wrong_views_say_what_is_right() {
    let dir = run();
    for (options, code, word) in [
        (["--view", "grains:1,2"], 2, "three numbers"),
        (["--view", "grain"], 2, "three numbers"),
        (["--light", "0,0,0"], 2, "not all zero"),
        (["--axes", "sun"], 2, "inertial"),
    ] {
        let refused = breccia(&[&["render", path(&dir)], &options[..]].concat()).code(code);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains(word), "{options:?}: {said}");
    }
    breccia(&["render", path(&dir), "--no-asteroid", "--view", "grains"]).code(2);
    std::fs::remove_file(dir.path().join("surface.obj")).unwrap();
    breccia(&["render", path(&dir)]).code(7).stderr(predicates::str::contains("--no-asteroid draws"));
    breccia(&["render", path(&dir), "--no-asteroid", "--size", "100"]).success();
}

#[test]
fn the_surface_is_exported_beside_the_bodies() {
    let dir = run();
    text(&["export", path(&dir), "--frame", "all"]);
    let read = |name: &str| std::fs::read(dir.path().join("export").join(name)).unwrap();
    let own = floats(&read("asteroid.vtp"), "Points");
    let egg: &Surface = &geodesic("egg", 20, |u| 100.0 / (u * DVec3::new(0.5, 1.0, 1.0)).length());
    assert_eq!((own.len(), integers(&read("asteroid.vtp"), "offsets").len()), (3 * egg.vertices_m.len(), 8000));
    assert_eq!(String::from_utf8(read("asteroid.pvd")).unwrap().matches("file=\"asteroid.vtp\"").count(), 2);
    text(&[
        "export",
        path(&dir),
        "--frame",
        "1",
        "--axes",
        "inertial",
        "--out",
        dir.path().join("far").to_str().unwrap(),
    ]);
    let turned = floats(&std::fs::read(dir.path().join("far/asteroid_000001.vtp")).unwrap(), "Points");
    for (a, b) in own.chunks(3).zip(turned.chunks(3)) {
        assert!(
            (b[0] - 7.0 + a[1]).abs() < 1e-9 && (b[1] - a[0]).abs() < 1e-9 && (b[2] - a[2]).abs() < 1e-9,
            "{a:?} {b:?}"
        );
    }
    text(&["export", path(&dir), "--no-asteroid", "--out", dir.path().join("bare").to_str().unwrap()]);
    assert!(!dir.path().join("bare/asteroid.vtp").exists());
}

#[test]
fn maps_are_drawn_on_the_shape() {
    let dir = run();
    let mesh = dir.path().join("surface.obj").display().to_string();
    let out = dir.path().join("map");
    let head =
        ["analyze", "safety-map", &mesh, "--unit", "1", "--density", "1200", "--period", "3 h", "--thickness", "3"];
    let rest = ["--radius", "0.1", "--picture", "--size", "200", "--out", out.to_str().unwrap()];
    breccia(&[&head[..], &rest[..]].concat()).success();
    let map = image::open(out.join("case_0.png")).unwrap().to_rgba8();
    assert!(map.height() > 200 && map.width() > 400);
    // at the ends of the egg, where it sheds, FS is at the lower end of the scale; at its poles at the upper
    let near = |x: u32, y: u32, c: [u8; 3]| (0..3).all(|k| map.get_pixel(x, y)[k].abs_diff(c[k]) < 60);
    let some = |c: [u8; 3]| (0..400).any(|x| (13..200).any(|y| near(x, y, c)));
    assert!(some([68, 1, 84]) && some([253, 231, 37]), "colours of both ends");
    let slope = ["surface", &mesh, "--unit", "1", "--density", "1200", "--period", "3 h", "--picture", "--size", "200"];
    let out = ["--out", out.to_str().unwrap(), "--format", "svg"];
    let drawn = |options: &[&str]| {
        breccia(&[&slope[..], &out[..], options].concat()).success();
        std::fs::read_to_string(dir.path().join("map/slope.svg")).unwrap()
    };
    let usual = drawn(&[]);
    assert!(usual.contains("slope [degrees]") && usual.contains(">N<") && usual.contains(">30 N<"));
    let chosen = drawn(&["--range", "0:17", "--colormap", "batlow", "--graticule", "0"]);
    assert!(chosen.contains("&gt; 17") && !chosen.contains(">30 N<"));
    breccia(&["surface", &mesh, "--unit", "1", "--density", "1200", "--size", "200"]).code(2);
}
