//! `breccia field`: spheres, a cube and an ellipsoid by their formulas, values on record, tables of points, runs, and what is
//! refused.

use crate::common::shapes::{golden, path, shape};
use assert_cmd::Command;
use breccia::analysis::field::{Masses, Polyhedron, Sphere};
use breccia::analysis::points::grid;
use breccia::base::units::G;
use breccia::geometry::geodesic::geodesic;
use breccia::geometry::solids::cuboid_facets;
use breccia::geometry::surface::Surface;
use glam::DVec3;
use predicates::str::contains;
use std::f64::consts::PI;
use std::path::Path;

const DENSITY: f64 = 2000.0;

fn of(surface: &Surface, fast: bool) -> Masses {
    let polyhedron = Some(Polyhedron::new(surface, surface.origin_m, DENSITY, fast));
    Masses { polyhedron, ..Masses::default() }
}

/// Outside, inside and at the centre of a sphere, by Newton's theorems.
#[test]
fn a_body_is_a_homogeneous_sphere() {
    let centre_m = DVec3::new(1.0, 2.0, 3.0);
    let (radius_m, gm_m3_s2) = (2.0, 5.0);
    let masses = Masses { spheres: vec![Sphere { centre_m, radius_m, gm_m3_s2 }], ..Masses::default() };
    let points = [4.0, 1.0, 0.0].map(|x| centre_m + DVec3::new(x, 0.0, 0.0));
    let [out, within, middle] = masses.at_all(&points)[..] else { panic!("three points") };
    assert_eq!((out.potential_j_kg, out.acceleration_m_s2.x, out.laplacian_s2), (-1.25, -0.3125, 0.0));
    // -G m (3 R^2 - r^2) / (2 R^3), and 3 G m / R^3 = 4 pi G rho
    assert_eq!((within.potential_j_kg, within.acceleration_m_s2.x), (-5.0 * 11.0 / 16.0, -0.625));
    assert_eq!((within.laplacian_s2, middle.potential_j_kg), (15.0 / 8.0, -3.75));
    assert_eq!((middle.acceleration_m_s2, [out.inside, within.inside]), (DVec3::ZERO, [false, true]));
}

/// In the middle of a cube of edge a the potential is -G rho a^2 (6 ln(sqrt(3) + 1) - 3 ln 2 - pi/2) and the pull is none;
/// far away the cube is a point to the order (a / r)^4, since its quadrupole is none.
#[test]
fn a_cube_has_its_known_field() {
    let edge = 10.0;
    let (vertices, triangles) = cuboid_facets(DVec3::splat(edge), 1);
    let cube = Surface::new("cube", vertices, triangles);
    let far = DVec3::new(300.0, 200.0, 100.0);
    for fast in [false, true] {
        let fields = of(&cube, fast).at_all(&[DVec3::ZERO, far, DVec3::new(4.9, 4.9, 4.9), DVec3::new(5.1, 0.0, 0.0)]);
        // of the tree: 2e-5
        let tolerance = if fast { 3e-5 } else { 1e-12 };
        let by_hand = -G * DENSITY * edge * edge * (6.0 * (3f64.sqrt() + 1.0).ln() - 3.0 * 2f64.ln() - 0.5 * PI);
        assert!(
            (fields[0].potential_j_kg / by_hand - 1.0).abs() < tolerance,
            "{}, not {by_hand}",
            fields[0].potential_j_kg
        );
        assert!(fields[0].acceleration_m_s2.length() < tolerance * G * DENSITY * edge);
        let gm = G * DENSITY * edge.powi(3);
        let point = -gm / far.length_squared() * far.normalize();
        assert!(fields[1].acceleration_m_s2.distance(point) < (tolerance + 1e-6) * point.length());
        let full = 4.0 * PI * G * DENSITY;
        let wanted = [full, 0.0, full, 0.0];
        for (field, wanted) in fields.iter().zip(wanted) {
            assert!((field.laplacian_s2 - wanted).abs() < 1e-9 * full, "{}, not {wanted}", field.laplacian_s2);
            assert_eq!(field.inside, wanted > 0.0);
        }
    }
}

/// A point of a face sees half of the whole, one of an edge of a cube a quarter and a corner an eighth, whatever the signs of
/// zeros are; the pull is the mean of both sides, since it does not jump.
#[test]
fn a_point_of_a_face_is_half_inside() {
    let (vertices, triangles) = cuboid_facets(DVec3::splat(10.0), 1);
    let cube = Surface::new("cube", vertices, triangles);
    let full = 4.0 * PI * G * DENSITY;
    let share = |p: DVec3| 0.5f64.powi(p.to_array().iter().filter(|c| c.abs() == 5.0).count() as i32);
    let ends = [-5.0, -1.5, 0.0, 2.0, 5.0];
    let all = ends.iter().flat_map(|x| ends.iter().flat_map(|y| ends.map(|z| DVec3::new(*x, *y, z))));
    let on: Vec<DVec3> = all.filter(|p| p.abs().max_element() == 5.0).collect();
    assert_eq!(on.len(), 98);
    for fast in [false, true] {
        let masses = of(&cube, fast);
        for (p, field) in on.iter().zip(masses.at_all(&on)) {
            let told = field.laplacian_s2 / full;
            assert!((told - share(*p)).abs() < 1e-12 && !field.inside, "fast {fast}, {p}: {told}");
            let [out, within] = [1.0 + 1e-9, 1.0 - 1e-9].map(|times| masses.at_all(&[times * *p])[0]);
            let mean = 0.5 * (out.acceleration_m_s2 + within.acceleration_m_s2);
            assert!(field.acceleration_m_s2.distance(mean) < 1e-7 * mean.length(), "fast {fast}, {p}");
            assert!(within.inside && !out.inside, "fast {fast}, {p}");
        }
    }
}

/// Commands take the surfaces that scenarios take: not one that runs through itself.
#[test]
fn a_surface_that_crosses_itself_is_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    // two bodies of one surface: the top of a cube is drawn down through its bottom
    std::fs::write(at.join("cross.obj"), PIT).unwrap();
    let mesh = ["cross.obj", "--unit", "10", "--density", "2000"];
    for (command, options) in [
        (&["field"][..], &["--grid", "0,0,90"][..]),
        (&["surface"], &["--out", "s"]),
        (&["analyze", "safety-map"], &["--out", "m", "--thickness", "1", "--radius", "1"]),
    ] {
        let words = [command, &mesh, options].concat();
        let mut command = Command::cargo_bin("breccia").expect("binary");
        command.current_dir(at).args(words).assert().code(7).stderr(contains("runs through or touches another"));
    }
}

/// A cube of edge 2 whose top is a funnel with its tip below the bottom.
const PIT: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nv 0.1 0.2 -1.5\nf 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9\n";

/// Inside a homogeneous oblate spheroid the pull is linear, -2 pi G rho A_i x_i (Chandrasekhar 1969, section 17).
#[test]
fn an_ellipsoid_pulls_linearly_inside() {
    let (a, c) = (20.0f64, 12.0f64);
    let axes = DVec3::new(a, a, c);
    let surface = geodesic("spheroid", 24, |d| 1.0 / (d / axes).length());
    let e = (1.0 - (c / a).powi(2)).sqrt();
    let a1 = (1.0 - e * e).sqrt() / e.powi(3) * e.asin() - (1.0 - e * e) / (e * e);
    let a3 = 2.0 / (e * e) - 2.0 * (1.0 - e * e).sqrt() / e.powi(3) * e.asin();
    assert!((2.0 * a1 + a3 - 2.0).abs() < 1e-12);
    let p = DVec3::new(6.0, -5.0, 4.0);
    let pull = of(&surface, false).at_all(&[p])[0].acceleration_m_s2;
    let wanted = -2.0 * PI * G * DENSITY * DVec3::new(a1, a1, a3) * p;
    // faces lie up to 1e-3 of the radius below the spheroid
    assert!(pull.distance(wanted) < 3e-3 * wanted.length(), "{pull}, not {wanted}");
}

/// What turns along with coordinates is pushed outwards: at a distance r from the axis by w^2 r.
#[test]
fn a_rotation_adds_its_potential() {
    let masses = Masses { rotation_rad_s: DVec3::new(0.0, 0.0, 0.1), centre_m: DVec3::X, ..Masses::default() };
    let p = DVec3::new(5.0, 3.0, 7.0);
    let field = masses.at_all(&[p])[0];
    let (potential, acceleration) = masses.effective(p, &field);
    assert!((potential + 0.5 * 0.01 * 25.0).abs() < 1e-15);
    assert!(acceleration.distance(DVec3::new(0.04, 0.03, 0.0)) < 1e-15, "{acceleration}");
    assert_eq!(masses.columns().len(), masses.row(p, &field).len());
}

#[test]
fn grids_go_through_z_first() {
    let points = grid("-1:1:3,0,\"5\":6:2".replace('"', "").as_str()).unwrap();
    assert_eq!((points.count(), points.sides()), (6, Some([3, 1, 2])));
    assert_eq!(
        (points.at(0), points.at(1), points.at(5)),
        (DVec3::new(-1.0, 0.0, 5.0), DVec3::new(-1.0, 0.0, 6.0), DVec3::new(1.0, 0.0, 6.0))
    );
    assert_eq!(grid("-1 km:1 km:2,0,0").unwrap().at(0).x, -1000.0);
    let points = grid("0:2:3,0:4:5,0:6:7").unwrap();
    let all: Vec<DVec3> = (0..105).map(|k| points.at(k)).collect();
    assert_eq!(all[104], DVec3::new(2.0, 4.0, 6.0));
    for (most, blocks) in [(50, 3), (105, 1), (1000, 1)] {
        assert_eq!(points.blocks(most).count(), blocks);
        assert_eq!(points.blocks(most).flatten().collect::<Vec<_>>(), all, "in blocks of {most}");
    }
    for (wrong, words) in [
        ("0,0", "2 ranges"),
        ("0:1:1,0,0", "2 or more"),
        ("1:0:5,0,0", "upwards"),
        ("a,0,0", "not a number"),
        ("0:1:10000,0:1:10000,0:1:10000", "at most 50000000"),
        ("1e99,0,0", "beyond"),
        ("0:1:2:3,0,0", "neither"),
    ] {
        let told = grid(wrong).expect_err(wrong).to_string();
        assert!(told.contains(words), "{wrong}: {told}");
    }
}

fn breccia(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("breccia").expect("binary").current_dir(folder).arg("field").args(args).assert()
}

/// Numbers of a table, below its first line.
fn table(path: &Path) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|l| l.split(',').map(|c| c.parse().unwrap()).collect()).collect()
}

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn the_command_reads_points_and_writes_tables() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("cube.obj"), CUBE).unwrap();
    let mesh = ["cube.obj", "--unit", "10", "--density", "2000"];
    let with = |more: &[&str]| breccia(at, &[&mesh[..], more].concat());
    // points count from the origin of the file, a corner of the cube
    std::fs::write(at.join("p.csv"), "# two points\nname,x_cm,z_m,y\n\"in\",500,5,5\nout,-500,5,5\n").unwrap();
    with(&["--points", "p.csv"]).success().stdout(contains("2, 1 of them inside"));
    let rows = table(&at.join("field.csv"));
    assert_eq!((rows[0][..3].to_vec(), rows[0][8], rows[1][8]), (vec![5.0; 3], 1.0, 0.0));
    assert!(rows[1][4] > 0.0 && rows[1][3] > rows[0][3], "{rows:?}");
    with(&["--points", "p.csv"]).failure().stderr(contains("--overwrite"));
    let told = with(&["--grid", "-20:20:5,0:10:3,5", "--period", "1 h", "--out", "g.npy", "--json"]).success();
    let told: serde_json::Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    assert_eq!((told["points"].as_u64(), told["columns"].as_array().map(Vec::len)), (Some(15), Some(13)));
    let (_, shape) = breccia::model::stored::frames::read_f64(&at.join("g.npy")).unwrap();
    assert_eq!(shape, [15, 13]);
    for (more, words) in [
        (&["--out", "a.csv"][..], "--points FILE or --grid RANGES"),
        (&["--out", "a.txt", "--grid", "0,0,0"][..], ".csv or .npy"),
        (&["--out", "a.csv", "--grid", "0,0,0", "--frame", "3"][..], "--frame"),
        (&["--out", "a.csv", "--points", "cube.obj"][..], "no column is called `x`"),
        (&["--out", "a.csv", "--points", "none.csv"][..], "none.csv"),
    ] {
        with(more).failure().stderr(contains(words));
    }
    std::fs::write(at.join("q.csv"), "x_m,y_m,height\n1,2,3\n").unwrap();
    with(&["--out", "a.csv", "--points", "q.csv"]).failure().stderr(contains("no column is called `z`"));
    std::fs::write(at.join("e.csv"), "x,y,z\n").unwrap();
    with(&["--out", "a.csv", "--points", "e.csv"]).failure().stderr(contains("no points"));
}

/// The first row is one of numbers, names may be behind a `#`, and faults name the line that they are in.
#[test]
fn tables_of_points_are_read_as_meant_or_refused() {
    let folder = tempfile::tempdir().expect("folder");
    let read = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        breccia::analysis::points::read_points(&folder.path().join(name))
    };
    for (text, point) in [
        ("# x_km,y_km,z_km\n1,2,3\n", DVec3::new(1e3, 2e3, 3e3)),
        ("# two points\n# name,z_km,y,x\nBennu,1,2,3\n", DVec3::new(3.0, 2.0, 1e3)),
        ("# x_km,y_km,z_km\nx_m,y_m,z_m\n1,2,3\n", DVec3::new(1.0, 2.0, 3.0)),
        ("# two points in m\n1,2,3\n", DVec3::new(1.0, 2.0, 3.0)),
        ("1,2,3\n# x_km,y_km,z_km\n", DVec3::new(1.0, 2.0, 3.0)),
    ] {
        let points = read("p.csv", text).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(points, [point], "{text}");
    }
    for (text, words) in [
        ("nan,2,3\n", "p.csv:1: the row `nan,2,3` does not have three coordinates of at most 1e15 m"),
        ("inf,2,3\n1,2,3\n", "p.csv:1: the row `inf,2,3`"),
        ("# a\n\n# b\n1,2,nan\n", "p.csv:4: the row `1,2,nan`"),
        ("1,2,3\r\n\r\n# b\r\n1,2\r\n", "p.csv:4: a row without names"),
        ("# x_km,y_km,height_km\n1,2,3\n", "p.csv:1: no column is called `z`"),
        ("# x_km,y_km,z_km\nx,y,z\n1,2,3\n", "p.csv:1: the comment speaks of `km`"),
        ("# x, y, z in km\n1,2,3\n", "p.csv:1: the comment speaks of `km`"),
        ("# X,Y,Z\n1,2,3\n", "p.csv:1: the comment `X,Y,Z` looks like names of columns"),
        ("x,y,z\n", "p.csv: holds no points"),
        ("", "p.csv: holds no points"),
    ] {
        let error = read("p.csv", text).expect_err(text);
        assert_eq!(error.exit_code(), 7, "{text}");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    breccia::model::stored::arrays::save(folder.path(), "p", &[2, 3], vec![0.0, 1.0, 2.0, 3.0, f64::NAN, 5.0]).unwrap();
    let told = breccia::analysis::points::read_points(&folder.path().join("p.npy")).unwrap_err().to_string();
    assert!(told.contains("p.npy: row 2: [3, NaN, 5] is no point"), "{told}");
}

/// Grids are computed and written in blocks: three of them are the points one by one, in a memory that does not hold all.
#[cfg(target_os = "linux")]
#[test]
fn large_grids_take_little_memory() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    std::fs::write(at.join("cube.obj"), CUBE).unwrap();
    let limited = |grid: &str, out: &str| {
        let mut shell = Command::new("sh");
        let words = ["-c", "ulimit -v 400000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_breccia"), "field", "cube.obj"];
        let more = ["--unit", "1", "--density", "2000", "--grid", grid, "--out", out, "--json"];
        let end = shell.current_dir(at).env("RAYON_NUM_THREADS", "2").args(words).args(more).assert().success();
        serde_json::from_slice::<serde_json::Value>(&end.get_output().stdout).unwrap()
    };
    // 9 columns of 1.5e6 points are 108 MB, and with points, fields and the file in memory it was 430 MB
    let told = limited("-2:3:1500000,0.5,0.5", "line.npy");
    assert_eq!((told["points"].as_u64(), told["inside"].as_u64()), (Some(1_500_000), Some(300_000)));
    assert!(!at.join("line.npy.part").exists());
    let (numbers, shape) = breccia::model::stored::frames::read_f64(&at.join("line.npy")).unwrap();
    assert_eq!(shape, [1_500_000, 9]);
    for k in [0, 262_143, 262_144, 900_000, 1_499_999] {
        let x = -2.0 + 5.0 / 1_499_999.0 * k as f64;
        limited(&format!("{x:?},0.5,0.5"), "one.csv");
        assert_eq!(numbers[9 * k..9 * (k + 1)], table(&at.join("one.csv"))[0], "point {k}");
        std::fs::remove_file(at.join("one.csv")).unwrap();
    }
}

/// Two bodies of a run pull as two spheres.
#[test]
fn the_command_reads_runs() {
    let folder = tempfile::tempdir().expect("folder");
    let at = folder.path();
    let mut run = Command::cargo_bin("breccia").expect("binary");
    let short = ["run", "two_body_fall", "--engine", "reference", "--set", "run.duration_s=0.1"];
    run.current_dir(at).args(short).output().expect("runs");
    let frame = breccia::model::stored::frames::last_frame(&at.join("runs/two_body_fall")).unwrap();
    let bodies = breccia::model::stored::frames::read_frame(&frame, "the test", &["velocity", "spin"]).unwrap();
    let p = DVec3::new(7.0, 80.0, -3.0);
    breccia(at, &["runs/two_body_fall", "--grid", "7,80,-3"]).success().stdout(contains("2 bodies"));
    let row = table(&at.join("field.csv")).remove(0);
    let by_hand: DVec3 = (0..2)
        .map(|k| (bodies.position_m[k] - p) * G * bodies.mass_kg[k] / bodies.position_m[k].distance(p).powi(3))
        .sum();
    assert!(DVec3::new(row[4], row[5], row[6]).distance(by_hand) < 1e-12 * by_hand.length(), "{row:?}, not {by_hand}");
    breccia(at, &["runs/two_body_fall", "--grid", "0,0,0", "--density", "1", "--overwrite"])
        .failure()
        .stderr(contains("--density: does not go with a run"));
}

/// Values of an independent program for real shapes, whose potential is positive and whose Laplacian is that of it.
#[test]
#[ignore = "needs shape models beside the repository: tests/common/shapes.rs"]
fn on_record_points_come_out_of_the_command() {
    let folder = tempfile::tempdir().expect("folder");
    for name in ["itokawa_768", "kw4_alpha_9168", "bennu_49152"] {
        let (density, g, points) = golden(name);
        let text: String =
            points.iter().map(|p| format!("{},{},{}\n", p.position_m.x, p.position_m.y, p.position_m.z)).collect();
        std::fs::write(folder.path().join("p.csv"), text).unwrap();
        let (file, density_text) = (path(name), density.to_string());
        let mesh = [file.to_str().unwrap(), "--unit", "km", "--density", &density_text];
        breccia(folder.path(), &[&mesh[..], &["--points", "p.csv", "--overwrite"]].concat()).success();
        let unit = 0.1 * g * density * shape(name).radius_m();
        let mut worst = [0.0f64; 3];
        for (row, p) in table(&folder.path().join("field.csv")).iter().zip(&points) {
            // near the mass centre the field nearly vanishes: errors there over a tenth of the surface's
            let size = p.acceleration.length().max(unit);
            let errors = [
                DVec3::new(row[4], row[5], row[6]).distance(p.acceleration) / size,
                (row[3] / p.potential + 1.0).abs(),
                (row[7] + p.laplacian).abs() / (4.0 * PI * g * density),
            ];
            worst = [0, 1, 2].map(|k| worst[k].max(errors[k]));
            assert!(errors.iter().all(|e| *e < 1e-9), "{name}, {}: {errors:?}", p.label);
            assert_eq!(row[8] == 1.0, p.laplacian < -2.0 * PI * g * density, "{name}, {}", p.label);
        }
        println!(
            "{name}: {} points, acceleration {:.1e}, potential {:.1e}, Laplacian {:.1e}",
            points.len(),
            worst[0],
            worst[1],
            worst[2]
        );
    }
}
