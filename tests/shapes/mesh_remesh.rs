//! `breccia mesh remesh`: surfaces over latitudes and longitudes, and what that changes.

use crate::common::command::{breccia, json};
use breccia::geometry::geodesic::{bumpy, geodesic};
use breccia::geometry::loops::Loops;
use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::lat_lon::{change, lat_lon};
use breccia::geometry::surface::Surface;
use glam::DVec3;
use std::f64::consts::PI;

fn mesh(s: &Surface, shift: DVec3) -> Mesh {
    let vertices_m = s.vertices_m.iter().map(|v| *v + shift).collect();
    let faces: Loops = s.triangles.iter().map(|t| t.as_slice()).collect();
    Mesh { name: "body.obj".into(), vertices_m, faces, ..Mesh::default() }
}

/// Volume of the polyhedron with vertices on the unit sphere every pi/n of latitude and longitude: pyramids over its cells.
fn inscribed(n: u32) -> f64 {
    let point = |row: u32, k: u32| {
        let [down, east] = [row, k].map(|i| PI * f64::from(i) / f64::from(n));
        DVec3::new(down.sin() * east.cos(), down.sin() * east.sin(), down.cos())
    };
    let slice = |row: u32| {
        let [a, b, c, d] = [point(row, 0), point(row + 1, 0), point(row + 1, 1), point(row, 1)];
        (a.dot(b.cross(c)) + a.dot(c.cross(d))) / 6.0
    };
    f64::from(2 * n) * (0..n).map(slice).sum::<f64>()
}

#[test]
fn a_sphere_becomes_the_polyhedron_of_its_grid() {
    let old = mesh(&geodesic("ball", 90, |_| 2.0), DVec3::new(30.0, -4.0, 7.0));
    let new = lat_lon(&old, 6.0).unwrap();
    assert_eq!((new.vertices_m.len(), new.faces.len()), (2 + 29 * 60, 2 * 60 + 28 * 120));
    let audit = Audit::of(&new).with_crossings(&new);
    assert!(audit.defects.is_empty() && audit.euler == 2, "{:?}", audit.defects);
    let done = change(&old, &new);
    // the old one is 162,000 faces within the sphere, 1.7e-4 of the volume short of it
    let wanted = inscribed(30) / (4.0 / 3.0 * PI) - 1.0;
    assert!((done.volume - wanted).abs() < 3e-4, "{}, {wanted} expected", done.volume);
    assert!(done.inertia.iter().all(|i| (i - 5.0 / 3.0 * wanted).abs() < 8e-4), "{done:?}");
    // sagitta of a cell's diagonal at the equator: 2 (1 - cos 3 deg cos 3 deg) at most
    let sagitta = 2.0 * (1.0 - 3f64.to_radians().cos().powi(2));
    assert!(done.radius > 0.5 * sagitta && done.radius < 1.05 * sagitta, "{done:?}, {sagitta}");
    assert!(done.centre < 1e-4, "{done:?}");
}

#[test]
fn finer_grids_come_nearer_to_a_rough_body() {
    let old = mesh(&bumpy(30), DVec3::ZERO);
    let off = [4.0, 2.0, 1.0].map(|step| change(&old, &lat_lon(&old, step).unwrap()));
    assert!(off[0].radius > 1.5 * off[1].radius && off[1].radius > 1.5 * off[2].radius, "{off:?}");
    assert!(off[2].volume.abs() < 1e-3 && off[2].radius < 3.0, "{off:?}");
}

#[test]
fn the_command_writes_and_refuses() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    breccia(&[
        "mesh",
        "make",
        &at("a.obj"),
        "kind=top",
        "equatorial_radius_m=100",
        "polar_radius_m=90",
        "ridge_exponent=1.5",
        "faces=8000",
    ])
    .success();
    let told = json(&["mesh", "remesh", &at("a.obj"), &at("b.ply"), "--lat-lon", "5"]);
    assert_eq!(told["faces"], 2 * 72 + 34 * 144);
    assert!(
        told["change"]["volume"].as_f64().unwrap().abs() < 0.01 && told["change"]["radius"].as_f64().unwrap() < 5.0
    );
    breccia(&["mesh", "check", &at("b.ply")]).success();
    // a body with an arm that hides the ground behind it: its vertices far from the centre
    let bent = geodesic("bent", 8, |_| 1.0);
    let mut bent = mesh(&bent, DVec3::ZERO);
    bent.vertices_m.iter_mut().filter(|v| v.z > 0.6).for_each(|v| v.x += 4.0 * (v.z - 0.6));
    breccia::geometry::mesh::write::write(
        dir.path().join("bent.obj").as_path(),
        &bent.vertices_m,
        &bent.faces,
        "bent",
        false,
    )
    .unwrap();
    for (arguments, code, word) in [
        (vec![at("bent.obj"), at("c.obj"), "--lat-lon".into(), "5".into()], 7, "bent.obj:"),
        (vec![at("bent.obj"), at("c.obj"), "--lat-lon".into(), "5".into()], 7, "turns away from the mass centre"),
        (vec![at("a.obj"), at("c.obj"), "--lat-lon".into(), "7".into()], 2, "whole steps"),
        (vec![at("a.obj"), at("c.obj"), "--lat-lon".into(), "0".into()], 2, "whole steps"),
        (vec![at("a.obj"), at("a.obj"), "--lat-lon".into(), "5".into(), "--overwrite".into()], 2, "name another one"),
        (vec![at("a.obj"), at("b.ply"), "--lat-lon".into(), "5".into()], 2, "--overwrite"),
    ] {
        let words: Vec<&str> = ["mesh", "remesh"].into_iter().chain(arguments.iter().map(String::as_str)).collect();
        let refused = breccia(&words).code(code);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}
