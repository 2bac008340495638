//! Grains that meet thousands of facets: none may be left out. The first step against the engine in f64.

use crate::common::*;
use breccia::engine::Engine;
use breccia::model::scenario::{AsteroidSpec, Scenario, SurfaceKind, SurfaceLaw};
use glam::DVec3;

/// A cube of this side and facets of 2 cm.
fn fine_cube(side_m: f64, contact: SurfaceLaw) -> Scenario {
    let mut s = scenario(vec![material()]);
    let shape = SurfaceKind::Box { size_m: DVec3::splat(side_m), subdivisions: (side_m / 0.02).round() as usize };
    let mut spec = AsteroidSpec::new(shape, 2000.0);
    spec.contact = contact;
    s.asteroid = Some(spec);
    s
}

/// Speeds after the first step of grains of these radii on the top of the cube: the GPU's, and its error against f64.
fn first_speeds(s: &Scenario, side_m: f64, radii: &[f64], steps: u64) -> Vec<[f64; 2]> {
    let of = |r: f64| {
        let b = bodies(&[(DVec3::new(0.013, -0.021, 0.5 * side_m + r * (1.0 - 1e-3)), r)], 3350.0);
        let mut engine = engine(s, &b);
        let mut truth = reference(s, &b);
        run_to(&mut engine, steps);
        truth.run_to(steps).expect("steps");
        let [got, wanted] = [engine.snapshot(), truth.snapshot()].map(|s| s.expect("snapshot").bodies.velocity_m_s[0]);
        let off = got.distance(wanted) / wanted.length();
        println!("radius {r} m: {:.4e} m/s, f64 {:.4e} m/s, off by {off:.1e}", got.length(), wanted.length());
        [got.length(), off]
    };
    radii.iter().map(|r| of(*r)).collect()
}

/// Thousands of facets; overlaps are a thousandth of the radius, known to 1e-11 L, shares of the circle to 1e-6.
#[test]
fn thousands_of_facets() {
    for law in [SurfaceLaw::AreaWeighted, SurfaceLaw::ClosestFeature] {
        let side = 0.8;
        for [speed, off] in first_speeds(&fine_cube(side, law), side, &[1.0, 2.0], 3) {
            assert!(speed > 0.0 && off < 1e-4, "{law:?}: off by {off:.1e}");
        }
    }
}

/// A run with a wide grain goes on from its saved state to the same bits, and no other list is taken for it.
#[test]
fn a_run_with_a_wide_grain_goes_on() {
    let s = fine_cube(0.8, SurfaceLaw::AreaWeighted);
    let b = bodies(&[(DVec3::new(0.0, 0.0, 0.4 + 2.0 * (1.0 - 1e-3)), 2.0)], 3350.0);
    let (mut whole, mut later) = (engine(&s, &b), engine(&s, &b));
    run_to(&mut whole, 3);
    let state = whole.save().expect("saves");
    let (_, list) = state.iter().find(|(name, _)| name == "wide_list").expect("a list");
    assert!(list.len() > 4 * 3000, "the grain is not wide: {} bytes", list.len());
    later.restore(&state).expect("restores");
    for engine in [&mut whole, &mut later] {
        run_to(engine, 6);
    }
    assert!(whole.save().expect("saves") == later.save().expect("saves"), "the bits differ");
    for (at, word) in [(0, 1), (3, u32::MAX), (4, 1 << 28)] {
        let mut forged = state.clone();
        let (_, list) = forged.iter_mut().find(|(name, _)| name == "wide_list").expect("a list");
        list[4 * at..4 * at + 4].copy_from_slice(&u32::to_le_bytes(word));
        let told = engine(&s, &b).restore(&forged).expect_err("forged").to_string();
        assert!(told.contains("`wide_list` does not fit"), "{told}");
    }
}

/// Grains of 8 and 16 m over 2 cm facets: 80,000 of them near.
#[test]
#[ignore = "half a million facets"]
fn tens_of_thousands_of_facets() {
    for law in [SurfaceLaw::AreaWeighted, SurfaceLaw::ClosestFeature] {
        for [speed, off] in first_speeds(&fine_cube(4.0, law), 4.0, &[8.0, 16.0], 1) {
            assert!(speed > 0.0 && off < 1e-4, "{law:?}: off by {off:.1e}");
        }
    }
}
