//! `breccia analyze RUN damage`: contacts of the first frame that are broken, and whether they hang together.

use crate::common::command::{breccia, close, json, number, path, text};
use breccia::geometry::solids::cuboid;
use breccia::model::body::{Bodies, Polyhedra};
use breccia::model::snapshot::Snapshot;
use breccia::model::stored::frames::read_f64;
use breccia::record::files::series::read;
use glam::DVec3;
use std::sync::Arc;

/// Layers of a cube of 6 x 6 x 6 spheres of 1 m that touch.
const SIDE: usize = 6;

/// The cube, each sphere moved as the function says.
fn cube(moved: impl Fn(usize, [usize; 3]) -> DVec3) -> Snapshot {
    let cell = |k: usize| [k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE];
    let sphere = |k: usize| (2.0 * DVec3::from(cell(k).map(|c| c as f64)) + moved(k, cell(k)), 1.0);
    let spheres: Vec<_> = (0..SIDE.pow(3)).map(sphere).collect();
    Snapshot { bodies: crate::common::bodies(&spheres, 2000.0), ..Snapshot::default() }
}

fn run(frames: Vec<Snapshot>) -> tempfile::TempDir {
    let scenario = crate::common::scenario(vec![crate::common::material()]);
    let at = |(k, s): (usize, Snapshot)| Snapshot { step: k as u64, time_s: 10.0 * k as f64, ..s };
    let frames: Vec<Snapshot> = frames.into_iter().enumerate().map(at).collect();
    crate::common::run_directory(&scenario, &frames, false)
}

#[test]
fn a_crack_is_told_from_as_many_breaks_at_random() {
    let upper = |way: DVec3| move |_: usize, cell: [usize; 3]| if cell[2] > 2 { way } else { DVec3::ZERO };
    let whole = cube(|_, _| DVec3::ZERO);
    let (lifted, shifted) = (cube(upper(0.5 * DVec3::Z)), cube(upper(2.0 * DVec3::X)));
    let dir = run(vec![whole, lifted, shifted]);
    let told = json(&["analyze", path(&dir), "damage", "--frame", "all"]);
    let damage = |frame: usize| told["frames"][frame]["damage"].clone();
    let contacts = 3 * SIDE * SIDE * (SIDE - 1);
    let first = damage(0);
    assert_eq!(
        (first["contacts"].clone(), first["broken"].clone(), first["cracks"].clone()),
        (contacts.into(), 0.into(), 0.into())
    );
    assert!(first["largest"].is_null() && first["random_largest_mean"].is_null());
    // one plane of 36 contacts opens: a crack without thickness, which 36 contacts at random do not make
    let lifted = damage(1);
    assert_eq!(
        (lifted["broken"].clone(), lifted["new"].clone(), lifted["cracks"].clone()),
        (36.into(), 0.into(), 1.into())
    );
    close(number(&lifted["broken_share"]), 36.0 / contacts as f64, 1e-12);
    let crack = &lifted["largest"];
    assert_eq!(
        (crack["contacts"].clone(), crack["bodies"].clone(), crack["broken_share"].clone()),
        (36.into(), 72.into(), 1.0.into())
    );
    assert!((10.0..=10.0 * 2f64.sqrt() + 1e-9).contains(&number(&crack["length_m"])), "{crack}");
    assert!(number(&crack["thickness_m"]) < 1e-6 && (number(&crack["normal"][2]).abs() - 1.0).abs() < 1e-9, "{crack}");
    let [mean, deviation] = ["random_largest_mean", "random_largest_deviation"].map(|name| number(&lifted[name]));
    assert!(mean > 1.0 && deviation > 0.0 && 36.0 > mean + 10.0 * deviation, "{mean} +- {deviation}");
    // a body below the crack at a corner of the cube has lost one of its four contacts
    let shares = read_f64(&dir.path().join("analysis/000001/body_damage.npy")).unwrap().0;
    let corner = 2 * SIDE * SIDE;
    assert_eq!((shares[corner], shares[corner + SIDE * SIDE], shares[0]), (0.25, 0.25, 0.0));
    // sideways by a diameter: all 36 are broken, and 30 new ones are there
    let shifted = damage(2);
    assert_eq!((shifted["broken"].clone(), shifted["new"].clone()), (36.into(), 30.into()));
    let (columns, rows) = read(&dir.path().join("analysis/damage.csv")).unwrap();
    let column = |name: &str| columns.iter().position(|c| c == name).unwrap();
    assert_eq!((rows.len(), rows[1][column("broken")], rows[2][column("new")]), (3, 36.0, 30.0));
    assert!(rows[0][column("random_largest_mean")].is_nan());
    assert!(dir.path().join("analysis/damage.svg").exists());
    let out = dir.path().join("damage.png");
    text(&["render", path(&dir), "--frame", "1", "--color", "damage", "--out", out.to_str().unwrap()]);
    assert!(out.exists());
}

/// Breaks that are drawn at random are no crack: the largest set is as large as those of the draws.
#[test]
fn breaks_at_random_are_no_crack() {
    use rand::{RngExt, SeedableRng};
    let draws = std::cell::RefCell::new(rand_pcg::Pcg64Mcg::seed_from_u64(7));
    let loose: Vec<bool> = (0..SIDE.pow(3)).map(|_| draws.borrow_mut().random_range(0.0..1.0) < 0.03).collect();
    let away = |k: usize, _: [usize; 3]| if loose[k] { DVec3::splat(0.3) } else { DVec3::ZERO };
    let dir = run(vec![cube(|_, _| DVec3::ZERO), cube(away)]);
    let told = json(&["analyze", path(&dir), "damage"]);
    let damage = &told["frames"][0]["damage"];
    let [mean, deviation] = ["random_largest_mean", "random_largest_deviation"].map(|name| number(&damage[name]));
    let largest = number(&damage["largest"]["contacts"]);
    assert!(number(&damage["broken"]) > 12.0 && (largest - mean).abs() < 6.0 * deviation, "{damage}");
}

#[test]
fn frames_of_other_bodies_are_refused() {
    let whole = cube(|_, _| DVec3::ZERO);
    let mut fewer = whole.clone();
    fewer.bodies.id.swap(0, 1);
    let dir = run(vec![whole, fewer]);
    let told = breccia(&["analyze", path(&dir), "damage"]).code(7);
    let text = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    assert!(text.contains("frame 1 does not hold the bodies of frame 0"), "{text}");
}

/// Five cubes on a long box are lifted. They touched it along a line, where faces met and not where the spheres around the bodies
/// do, and no plane fits a line best.
#[test]
fn contacts_of_polyhedra_are_where_faces_meet() {
    let shapes = [DVec3::new(10.0, 1.0, 1.0), DVec3::ONE].map(|size_m| cuboid(size_m).unwrap());
    let axes = shapes.each_ref().map(|s| s.axes);
    let shape = vec![0, 1, 1, 1, 1, 1];
    let radius = shapes.each_ref().map(|s| s.radius_m);
    let polyhedra = Polyhedra {
        orientation: shape.iter().map(|s| axes[*s as usize]).collect(),
        shapes: Arc::new(shapes.into_iter().map(Into::into).collect()),
        shape,
    };
    let boxes = |height_m: f64| {
        let cubes = [-4.0, -2.0, 0.0, 2.0, 4.0].map(|x| (DVec3::new(x, height_m, 0.0), radius[1]));
        let places = [vec![(DVec3::ZERO, radius[0])], cubes.to_vec()].concat();
        let bodies = Bodies { polyhedra: Some(polyhedra.clone()), ..crate::common::bodies(&places, 2000.0) };
        Snapshot { bodies, ..Snapshot::default() }
    };
    let dir = run(vec![boxes(1.0), boxes(2.0)]);
    breccia::model::stored::shapes::write(dir.path(), &polyhedra).unwrap();
    let told = json(&["analyze", path(&dir), "damage"]);
    let crack = &told["frames"][0]["damage"]["largest"];
    assert_eq!(crack["contacts"], 5, "{told}");
    close(number(&crack["length_m"]), 8.0, 1e-9);
    assert!(number(&crack["thickness_m"]) < 1e-6 && crack["normal"].is_null(), "{crack}");
}
