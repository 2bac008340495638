//! Bodies made by rule: closed, of one piece, star-shaped, with the volume and the relief that were asked for.

use breccia::geometry::made::Form;
use breccia::geometry::made::body::Body;
use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::measure::Measures;
use breccia::scenario::made::from_words;
use glam::DVec3;
use std::f64::consts::PI;

fn body(words: &str) -> Body {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    from_words(&words).unwrap_or_else(|e| panic!("{e}"))
}

fn made(words: &str) -> Mesh {
    body(words).make("body").unwrap_or_else(|e| panic!("{e}"))
}

fn refused(words: &str) -> String {
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let error = from_words(&words).and_then(|b| b.make("body")).map(|m| m.name).expect_err("accepted");
    assert_eq!(error.exit_code(), 2);
    error.to_string()
}

/// The volume of a top is 2 pi a^2 c times the integral of (1 - t^p)^(2/p)
/// from 0 to 1, here by Simpson's rule.
fn top_volume(a: f64, c: f64, p: f64) -> f64 {
    let n = 20_000;
    // near t = 1 the integrand falls as (1 - t)^(2/p), so t = 1 - (1 - s)^4
    let f = |s: f64| {
        let rest = (1.0 - s).powi(4);
        let t = 1.0 - rest;
        (1.0 - t.powf(p)).max(0.0).powf(2.0 / p) * 4.0 * (1.0 - s).powi(3)
    };
    let sum: f64 = (0..=n)
        .map(|k| f(f64::from(k) / f64::from(n)) * if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) })
        .sum();
    2.0 * PI * a * a * c * sum / (3.0 * f64::from(n))
}

/// Every frequency gives a closed surface of 20 n^2 faces, the least that is enough.
#[test]
fn any_number_of_faces() {
    for (faces, n) in [(20u64, 1u64), (21, 2), (80, 2), (81, 3), (500, 5), (1000, 8), (2000, 10), (20_000, 32)] {
        let mesh = made(&format!("kind=sphere radius_m=2 faces={faces}"));
        let audit = Audit::of(&mesh).with_crossings(&mesh);
        assert!(audit.defects.is_empty(), "{faces}: {:?}", audit.defects);
        let (f, v) = (20 * n * n, 10 * n * n + 2);
        assert_eq!((audit.faces as u64, audit.vertices as u64, audit.euler), (f, v, 2), "{faces}");
        assert_eq!((audit.unused_vertices, audit.repeated_vertices), (0, 0));
        let radii = mesh.vertices_m.iter().map(|v| (v.length() - 2.0).abs()).fold(0.0, f64::max);
        assert!(radii < 1e-14, "{radii}");
        let [least, mean, most] = Measures::of(&mesh).edge_m;
        assert!(least > 0.7 * mean && most < 1.3 * mean, "{faces}: {least} {mean} {most}");
    }
}

/// Volumes of inscribed polyhedra fall short by a part that goes as 1 / faces.
#[test]
fn volumes_converge() {
    let cases = [
        ("kind=sphere radius_m=250", 4.0 / 3.0 * PI * 250f64.powi(3), 2e-3),
        ("kind=ellipsoid semi_axes_m=[300,200,100]", 4.0 / 3.0 * PI * 300.0 * 200.0 * 100.0, 2e-3),
        // the ridge is an edge between two smooth flanks only for p = 1; with 1.5 it converges as 1 / faces too
        ("kind=top equatorial_radius_m=400 polar_radius_m=350 ridge_exponent=1.5", top_volume(400.0, 350.0, 1.5), 4e-3),
        (
            "kind=top equatorial_radius_m=400 polar_radius_m=350 ridge_exponent=2",
            4.0 / 3.0 * PI * 400.0 * 400.0 * 350.0,
            2e-3,
        ),
    ];
    assert!((top_volume(3.0, 2.0, 1.0) / (2.0 / 3.0 * PI * 9.0 * 2.0) - 1.0).abs() < 1e-9, "two cones");
    assert!((top_volume(3.0, 2.0, 2.0) / (4.0 / 3.0 * PI * 9.0 * 2.0) - 1.0).abs() < 1e-9, "an ellipsoid");
    for (words, volume, bound) in cases {
        let miss = [8_000, 32_000].map(|f| {
            let m = Measures::of(&made(&format!("{words} faces={f}")));
            assert!(m.star_shaped && m.centre_m.length() < 1e-9 * 400.0, "{words}: {}", m.centre_m);
            1.0 - m.volume_m3 / volume
        });
        println!("{words}: {miss:?}");
        assert!(miss[0] > 0.0 && miss[0] < bound, "{words}: {miss:?}");
        let order = miss[0] / miss[1];
        assert!((3.5..4.5).contains(&order), "{words}: {order}");
    }
}

#[test]
fn inertia_of_an_ellipsoid() {
    let m = Measures::of(&made("kind=ellipsoid semi_axes_m=[300,200,100] faces=80000"));
    let (a, b, c) = (300f64, 200f64, 100f64);
    let mass = 4.0 / 3.0 * PI * a * b * c;
    let exact = [a * a + b * b, a * a + c * c, b * b + c * c].map(|s| mass * s / 5.0);
    for (found, exact) in m.inertia_m5.iter().zip(exact) {
        // the part of an inscribed polyhedron that is missing, 3e-4 of the volume, counts more than once
        assert!((found / exact - 1.0).abs() < 1e-3, "{found} {exact}");
    }
    assert!((m.axes[0].z.abs() - 1.0).abs() < 1e-6 && (m.axes[2].x.abs() - 1.0).abs() < 1e-6);
}

/// Heights of a made body over its form, at the vertices.
fn heights(words: &str) -> (Mesh, Vec<f64>) {
    let (body, mesh) = (body(words), made(words));
    let heights = mesh.vertices_m.iter().map(|v| v.length() - body.form.radius_m(v.normalize())).collect();
    (mesh, heights)
}

const FRACTAL: &str = "kind=sphere radius_m=100 faces=80000 relief.fractal.rms_m=1.5 relief.fractal.hurst=0.7 \
                       relief.fractal.wavelength_min_m=8 relief.fractal.wavelength_max_m=128";

#[test]
fn fractal_relief_has_its_height_and_its_slope() {
    let (mesh, heights) = heights(FRACTAL);
    assert!(Audit::of(&mesh).with_crossings(&mesh).defects.is_empty());
    // vertices of a sphere represent areas that differ by a factor of 2
    let rms = (heights.iter().map(|h| h * h).sum::<f64>() / heights.len() as f64).sqrt();
    assert!((rms / 1.5 - 1.0).abs() < 0.03, "{rms}");
    // octaves are independent: mean squares of differences add up, each with its part of the variance
    let octaves = [128.0, 64.0, 32.0, 16.0, 8.0];
    let alone: Vec<[f64; 3]> = octaves.map(|w| differences(0.5, w, w)).into();
    for hurst in [0.3, 0.9] {
        let parts = octaves.map(|w: f64| w.powf(2.0 * hurst));
        let wanted: [f64; 3] = std::array::from_fn(|d| {
            let sum: f64 = alone.iter().zip(parts).map(|(a, p)| a[d] * p).sum();
            sum / parts.iter().sum::<f64>()
        });
        let found = differences(hurst, 8.0, 128.0);
        println!("hurst {hurst}: mean square differences at 6, 12, 24 m {found:.3?} m2, of the octaves {wanted:.3?}");
        // of 6 bodies, whose longest waves are as long as the body
        assert!(found.iter().zip(wanted).all(|(f, w)| (f / w - 1.0).abs() < 0.15), "{hurst}");
    }
    // with a rough relief the ends of the range matter little, and the law shows by itself
    let [near, _, far] = differences(0.3, 8.0, 128.0);
    let slope = (far / near).ln() / 4f64.ln();
    assert!((slope - 0.6).abs() < 0.15, "{slope}");
}

/// Mean square differences of height at 6, 12 and 24 m, over six bodies (m2).
fn differences(hurst: f64, wavelength_min_m: f64, wavelength_max_m: f64) -> [f64; 3] {
    let words = FRACTAL
        .replace("hurst=0.7", &format!("hurst={hurst}"))
        .replace("min_m=8", &format!("min_m={wavelength_min_m}"))
        .replace("max_m=128", &format!("max_m={wavelength_max_m}"));
    let mut sums = [0.0; 3];
    for seed in 0..6 {
        let (mesh, heights) = heights(&format!("{words} seed={seed}"));
        for (sum, distance) in sums.iter_mut().zip([6.0, 12.0, 24.0]) {
            *sum += mean_square_difference(&mesh.vertices_m, &heights, distance) / 6.0;
        }
    }
    sums
}

/// Of pairs at about this distance (m2).
fn mean_square_difference(positions: &[DVec3], heights: &[f64], distance: f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for k in (0..positions.len()).step_by(97) {
        for l in (0..positions.len()).step_by(7) {
            let d = positions[k].distance(positions[l]);
            if (0.9..1.1).contains(&(d / distance)) {
                sum += (heights[k] - heights[l]).powi(2);
                count += 1.0;
            }
        }
    }
    sum / count
}

#[test]
fn a_crater_has_its_depth_and_its_rim() {
    let words = "kind=sphere radius_m=100 faces=40000 relief.craters=[{direction=[0,0,2],diameter_m=40,depth_ratio=0.2,rim_ratio=0.04}]";
    let (mesh, heights) = heights(words);
    let across = |v: usize| mesh.vertices_m[v].normalize().truncate().length() + f64::from(mesh.vertices_m[v].z < 0.0);
    let pole = (0..heights.len()).max_by(|a, b| across(*b).total_cmp(&across(*a))).unwrap();
    let top = heights.iter().fold(f64::MIN, |a, b| a.max(*b));
    let floor = heights.iter().fold(f64::MAX, |a, b| a.min(*b));
    // floor: rim - depth below the sphere, at the pole, which is a vertex; the rim between vertices
    assert!((floor - (0.04 - 0.2) * 40.0).abs() < 1e-9, "{floor}");
    assert!(top < 0.04 * 40.0 && top > 0.9 * 0.04 * 40.0, "{top}");
    assert_eq!(heights[pole], floor);
    let far = mesh.vertices_m.iter().zip(&heights).filter(|(v, _)| v.normalize().z < 0.8);
    assert!(far.clone().count() > 10_000 && far.map(|(_, h)| h.abs()).fold(0.0, f64::max) < 1e-12);
    assert!(Audit::of(&mesh).with_crossings(&mesh).defects.is_empty());
}

#[test]
fn random_craters_and_boulders() {
    let craters = "kind=top equatorial_radius_m=120 polar_radius_m=100 ridge_exponent=1.4 faces=40000 \
                   relief.random_craters={count=60,diameter_m={min_m=12,max_m=60},size_exponent=2,depth_ratio=0.12,rim_ratio=0.03}";
    let boulders = "relief.boulders={count=80,diameter_m=12,height_ratio=0.4}";
    let (mesh, heights) = heights(&format!("{craters} {boulders} seed=3"));
    assert!(Audit::of(&mesh).with_crossings(&mesh).defects.is_empty());
    let m = Measures::of(&mesh);
    assert_eq!(m.hidden_faces, 0);
    let (low, high) = heights.iter().fold((f64::MAX, f64::MIN), |(a, b), h| (a.min(*h), b.max(*h)));
    assert!(low < -0.8 && high > 2.0, "{low} {high}");
    // the same again, and another
    let same = made(&format!("{craters} {boulders} seed=3"));
    assert!(same.vertices_m == mesh.vertices_m);
    assert!(made(&format!("{craters} {boulders} seed=4")).vertices_m != mesh.vertices_m);
    // boulders at one position do not add up
    let (_, alone) =
        self::heights(&format!("kind=sphere radius_m=30 faces=40000 {boulders}").replace("count=80", "count=4000"));
    let (low, high) = alone.iter().fold((f64::MAX, f64::MIN), |(a, b), h| (a.min(*h), b.max(*h)));
    assert!(low >= -1e-9 && high <= 4.8 + 1e-9 && high > 4.5, "{low} {high}");
}

#[test]
fn the_advised_number_of_faces_is_enough() {
    let words = |faces: &str| {
        format!("kind=sphere radius_m=100 faces={faces} relief.boulders={{count=3,diameter_m=30,height_ratio=0.4}}")
    };
    for faces in ["1281", "900"] {
        let told = refused(&words(faces));
        let advised = told.split("give ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a number");
        made(&words(advised));
    }
}

#[test]
fn what_cannot_be_made_is_refused() {
    let sphere = "kind=sphere radius_m=100 faces=2000";
    let cases = [
        (
            format!("{sphere} relief.boulders={{count=3,diameter_m=5,height_ratio=0.4}}"),
            "a boulder of 5 m is less than 4 edges",
        ),
        (FRACTAL.replace("wavelength_min_m=8", "wavelength_min_m=0.5"), "a wavelength of 0.5 m is less than 4 edges"),
        (format!("{sphere} relief.craters=[{{direction=[0,0,1],diameter_m=150,depth_ratio=0.9}}]"), "make it lower"),
        (
            format!("{sphere} relief.craters=[{{direction=[0,0,0],diameter_m=150,depth_ratio=0.9}}]"),
            "direction: has no direction",
        ),
        (format!("{sphere} relief.fractal=3"), "relief.fractal: must be a table"),
        (format!("{sphere} relief.boulders={{count=3,diameter_m=50,height_ratio=0.4,size_exponent=2}}"), "remove it"),
        (FRACTAL.replace("wavelength_min_m=8", "wavelength_min_m=500"), "is above wavelength_max_m"),
        (FRACTAL.replace("hurst=0.7", "hurst=1.7"), "1.7 is outside [0, 1]"),
        ("kind=sphere radius_m=100".into(), "faces: is missing"),
        ("kind=sphere faces=200".into(), "radius_m: is missing"),
        ("kind=sphere radius_m=100 faces=99999999999".into(), "faces: 99999999999 is more than"),
        ("kind=sphere radius_m=100 faces=3000 semi_axes_m=[1,2,3]".into(), "semi_axes_m"),
        ("kind=ellipsoid semi_axes_m=[1,2,0] faces=200".into(), "three lengths above 0"),
        ("kind=cube faces=200".into(), "unknown word \"cube\""),
        ("kind=top equatorial_radius_m=1 polar_radius_m=1 ridge_exponent=3 faces=200".into(), "3 is outside [1, 2]"),
        ("sphere".into(), "write key=value"),
    ];
    for (words, wanted) in cases {
        let said = refused(&words);
        assert!(said.contains(wanted), "{said}\n  does not say\n{wanted}");
    }
    // the advice works
    let said = refused(&format!("{sphere} relief.boulders={{count=3,diameter_m=5,height_ratio=0.4}}"));
    let faces: u64 = said.split("give ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    made(&format!("kind=sphere radius_m=100 faces={faces} relief.boulders={{count=3,diameter_m=5,height_ratio=0.4}}"));
}

#[test]
fn a_form_is_where_its_equation_says() {
    let form = Form::Top { equatorial_radius_m: 4.0, polar_radius_m: 3.0, ridge_exponent: 1.3 };
    for d in [DVec3::X, DVec3::Z, DVec3::new(0.6, 0.0, 0.8), DVec3::new(0.48, -0.6, 0.64)] {
        let p = form.point_m(d);
        let sum = (p.truncate().length() / 4.0).powf(1.3) + (p.z.abs() / 3.0).powf(1.3);
        assert!((sum - 1.0).abs() < 1e-14, "{d}: {sum}");
    }
    assert!((form.radius_m(DVec3::Y) - 4.0).abs() + (form.radius_m(-DVec3::Z) - 3.0).abs() < 1e-14);
}
