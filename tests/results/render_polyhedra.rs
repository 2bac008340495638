//! Pictures of polyhedra: silhouettes and faces of known bodies.

use crate::common::write_frame;
use breccia::geometry::narrow::Placed;
use breccia::geometry::solids::{Regular, cuboid, regular};
use breccia::gpu::pipeline::link::Sources;
use breccia::model::body::{Bodies, Polyhedra};
use breccia::model::snapshot::Snapshot;
use breccia::model::stored::shapes;
use breccia::record::files::series::Series;
use breccia::render::camera::Camera;
use breccia::render::colour::tint;
use breccia::render::picture::Painter;
use breccia::render::scene::Scene;
use glam::{DQuat, DVec3};
use image::RgbaImage;
use std::sync::Arc;

/// A cube of edge 0.8 (scene radius), turned, seen along y.
fn cube(turn: DQuat, side: u32) -> RgbaImage {
    let body = cuboid(DVec3::splat(0.8)).unwrap();
    let mut scene = Scene::of_spheres(vec![], vec![], 0.5);
    scene.add_part(&Placed::new(&body, DVec3::ZERO, turn * body.axes), 1.0, tint([0.6; 3]));
    let camera = Camera::from_direction(DVec3::new(0.0, -1.0, 0.0)).unwrap();
    let gpu = crate::common::gpu();
    Painter::new(&gpu, Sources::default()).unwrap().draw(&scene, &camera, side).unwrap()
}

fn covered(picture: &RgbaImage) -> f64 {
    picture.pixels().map(|p| f64::from(p[3]) / 255.0).sum()
}

#[test]
fn a_cube_covers_its_square_and_is_evenly_lit() {
    let picture = cube(DQuat::IDENTITY, 200);
    // The front face is 0.4 in front of the middle; half the picture is 0.22 times the distance from the eye.
    let distance = 1.05 / 0.22f64.atan().sin() - 0.4;
    let edge = 0.8 / (2.0 * 0.22 * distance) * 200.0;
    assert!((covered(&picture) / (edge * edge) - 1.0).abs() < 0.01, "{} pixels", covered(&picture));
    let light = |x: u32, y: u32| i32::from(picture.get_pixel(x, y)[1]);
    for (x, y) in [(70, 70), (130, 70), (70, 130), (130, 130)] {
        assert!(
            (light(x, y) - light(100, 100)).abs() < 12,
            "{} at {x}, {y}, {} in the middle",
            light(x, y),
            light(100, 100)
        );
    }
}

/// Turned by 45 degrees about z an edge faces the eye; the sun over the left shoulder lights the left face more.
#[test]
fn faces_differ_and_meet_in_an_edge() {
    let picture = cube(DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4), 200);
    let row = |x: u32| i32::from(picture.get_pixel(x, 100)[1]);
    assert!(row(80) > row(120) + 20, "left {} and right {}", row(80), row(120));
    assert!((row(70) - row(92)).abs() < 12 && (row(108) - row(130)).abs() < 12, "faces are not flat");
}

/// A frame is drawn with the shapes of its run: a tetrahedron covers much less than the sphere that holds it.
#[test]
fn the_command_draws_polyhedra_by_their_faces() {
    let [dir, plain] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let body = regular(Regular::Tetrahedron, 1.0).unwrap();
    let spheres = crate::common::bodies(&[(DVec3::ZERO, 1.0)], 1000.0);
    let polyhedra = Polyhedra { orientation: vec![body.axes], shapes: Arc::new(vec![body.into()]), shape: vec![0] };
    shapes::write(dir.path(), &polyhedra).unwrap();
    let turned = Bodies { polyhedra: Some(polyhedra), ..spheres.clone() };
    for (of, bodies) in [(&dir, turned), (&plain, spheres)] {
        write_frame(of.path(), 0, &Snapshot { bodies, ..Snapshot::default() }, false).unwrap();
        Series::create(&of.path().join("series.csv"), &["time_s".to_owned()]).unwrap();
    }
    let share = |of: &tempfile::TempDir| {
        let run = of.path().to_str().unwrap();
        crate::common::command::breccia(&["render", run, "--frame", "0", "--size", "150", "--color", "none"]).success();
        let picture = image::open(of.path().join("pictures/000000.png")).unwrap().to_rgba8();
        picture.pixels().filter(|p| p.0 != [255; 4]).count()
    };
    let (tetrahedron, sphere) = (share(&dir), share(&plain));
    assert!(5 * tetrahedron < 3 * sphere && 5 * tetrahedron > sphere, "{tetrahedron} and {sphere} pixels");
}
