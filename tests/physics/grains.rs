//! Random grains and regular solids: counts, volumes, ratios, and that a seed gives the same grains.

use breccia::geometry::generate::{Grains, elongation_platyness, grain};
use breccia::geometry::polyhedron::ConvexPolyhedron;
use breccia::geometry::solids::{Regular, cuboid, regular};
use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;

fn counts(b: &ConvexPolyhedron) -> [usize; 3] {
    [b.vertices_m.len(), b.edges.len(), b.faces.len()]
}

#[test]
fn regular_solids_have_their_counts_volumes_and_moments() {
    let r = 2.0f64;
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    // volume over r^3 (textbook), and the moment about any axis over volume r^2: with edge a, 1/20 a^2 (tetrahedron),
    // 1/6 a^2 (cube), 1/10 a^2 (octahedron), golden^2/10 a^2 (icosahedron)
    let edge_icosahedron = 1.0 / (TAU_FIFTH.sin());
    let cases = [
        (Regular::Tetrahedron, [4, 6, 4], 8.0 * 3f64.sqrt() / 27.0, 8.0 / 3.0 / 20.0),
        (Regular::Cube, [8, 12, 6], 8.0 * 3f64.sqrt() / 9.0, 4.0 / 3.0 / 6.0),
        (Regular::Octahedron, [6, 12, 8], 4.0 / 3.0, 2.0 / 10.0),
        (
            Regular::Icosahedron,
            [12, 30, 20],
            5.0 / 12.0 * (3.0 + 5f64.sqrt()) * edge_icosahedron.powi(3),
            golden * golden / 10.0 * edge_icosahedron.powi(2),
        ),
    ];
    for (solid, wanted, volume, moment) in cases {
        let b = regular(solid, r).unwrap();
        assert_eq!(counts(&b), wanted, "{solid:?}");
        assert!((b.volume_m3 / r.powi(3) - volume).abs() < 1e-14, "{solid:?}: {} {volume}", b.volume_m3 / r.powi(3));
        let inertia = b.inertia_m5 / (b.volume_m3 * r * r);
        assert!((inertia - DVec3::splat(moment)).length() < 1e-14, "{solid:?}: {inertia} {moment}");
        assert!((b.radius_m - r).abs() < 1e-14 && b.origin_m.length() < 1e-15);
        assert!(elongation_platyness(&b).0 > 0.8, "{solid:?}");
    }
}

/// A fifth of a turn; the edge of an icosahedron of radius 1 is 1/sin of it.
const TAU_FIFTH: f64 = 2.0 * PI / 5.0;

#[test]
fn boxes_keep_their_axes() {
    let b = cuboid(DVec3::new(5.0, 3.0, 2.0)).unwrap();
    assert_eq!((counts(&b), b.extents_m()), ([8, 12, 6], DVec3::new(5.0, 3.0, 2.0)));
    assert!(b.axes.angle_between(glam::DQuat::IDENTITY) < 1e-15);
    assert!((elongation_platyness(&b).0 - 0.6).abs() < 1e-15 && (elongation_platyness(&b).1 - 2.0 / 3.0).abs() < 1e-15);
    assert!(cuboid(DVec3::new(5.0, 3.0, 0.0)).is_err());
}

/// Section 3.1 of the paper: triangles only, so n_f = 2 n_v - 4; ratios of 0.5 and more; the numbers of corners even.
#[test]
fn grains_are_those_of_the_paper() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let n = 1000;
    let drawn: Vec<_> = (0..n).map(|_| grain(&Grains::default(), 2.0, &mut rng).unwrap()).collect();
    let mut filling: Vec<f64> = drawn.iter().map(|d| d.body.volume_m3 / (4.0 / 3.0 * PI)).collect();
    filling.sort_by(f64::total_cmp);
    let mean = |f: &dyn Fn(&breccia::geometry::generate::Drawn) -> f64| drawn.iter().map(f).sum::<f64>() / n as f64;
    let (corners, tries) = (mean(&|d| d.body.vertices_m.len() as f64), mean(&|d| d.tries as f64));
    let (shift, radius) = (mean(&|d| d.body.origin_m.length()), mean(&|d| d.body.radius_m));
    println!("corners {corners:.2}, tries {tries:.3}, most {}", drawn.iter().map(|d| d.tries).max().unwrap());
    println!(
        "volume over the sphere: mean {:.4}, least {:.4}, quartiles {:.4} {:.4} {:.4}, most {:.4}",
        filling.iter().sum::<f64>() / n as f64,
        filling[0],
        filling[n / 4],
        filling[n / 2],
        filling[3 * n / 4],
        filling[n - 1]
    );
    println!("mass centre {shift:.4} d/2 off the sphere's, radius about it {radius:.4} d/2");
    let mut merged = 0;
    for d in &drawn {
        let [v, e, f] = counts(&d.body);
        assert!((10..=70).contains(&v) && v + f == e + 2, "{v} {e} {f}");
        merged += 2 * v - 4 - f;
        let (elongation, platyness) = elongation_platyness(&d.body);
        assert!((0.5..=1.0).contains(&elongation) && (0.5..=1.0).contains(&platyness));
        let off = d.body.vertices_m.iter().map(|p| ((d.body.axes * *p + d.body.origin_m).length() - 1.0).abs());
        assert!(off.fold(0.0, f64::max) < 1e-13);
    }
    // two triangles in a plane to 1e-6 become one face: expected for about 1e-6 over a height of 0.05 of each edge
    assert!(merged <= 10, "{merged} faces are not triangles");
    // uniform from 10 to 70: mean 40, standard deviation 17.6 / sqrt(1000) = 0.56
    assert!((corners - 40.0).abs() < 4.0 * 0.56, "{corners}");
    // a hull of n points on a sphere has about 1 - 5.8/n of its volume for large n; 10 points have about half
    assert!(filling[0] > 0.15 && filling[n / 2] > 0.7 && filling[n - 1] < 0.95);
}

#[test]
fn a_seed_gives_the_same_grains() {
    let draw = |seed| {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        (0..5).map(|_| grain(&Grains::default(), 3.0, &mut rng).unwrap().body.vertices_m).collect::<Vec<_>>()
    };
    assert_eq!(draw(4), draw(4));
    assert_ne!(draw(4), draw(5));
}

#[test]
fn impossible_grains_are_refused() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    #[allow(clippy::reversed_empty_ranges, reason = "a reversed range must be refused")]
    for (corners, ratio_min, text) in [
        (3..=9, 0.5, "at least 4 corners"),
        (9..=8, 0.5, "at least 4 corners"),
        (10..=20, 1.5, "ratio"),
        (5..=5, 0.999, "10000 tries"),
    ] {
        let fault = grain(&Grains { corners, ratio_min }, 1.0, &mut rng).unwrap_err();
        assert!(fault.to_string().contains(text), "{fault}");
    }
}
