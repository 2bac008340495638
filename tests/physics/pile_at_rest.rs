//! Rest on Bennu: a grain that shall not creep, and a heap of ten layers that shall not tremble, at its own period and the time
//! step of Song et al. (2024).

use crate::common::shapes::{path, shape};
use crate::common::{bodies, engine, material, run_to, scenario};
use breccia::engine::Engine;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::geometry::surface::Surface;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::physics::measure::energy::kinetic;
use breccia::physics::surface::ground::Ground;
use glam::DVec3;
use std::f64::consts::TAU;

const GRAIN: f64 = 0.1;

/// Bennu as it turns, with its own gravity, and grains of the paper's material.
fn on_bennu() -> Scenario {
    let rock = material().with("friction_sliding", 0.55).with("friction_rolling", 1.05).with("friction_twisting", 1.3);
    let mut s = scenario(vec![rock]);
    let file = path("bennu_49152").to_string_lossy().into_owned();
    let mut spec = AsteroidSpec::new(SurfaceKind::Mesh { path: file, unit_m: 1000.0, format: None }, 1194.0);
    spec.rotation_rad_s = TAU / (3600.0 * 4.296) * DVec3::Z;
    spec.motion = Motion::Free { coupling_interval: 16 };
    s.asteroid = Some(spec);
    s.gravity = vec![GravitySource::Asteroid { sum: FaceSum::Auto, update_every: None }];
    s.run.time_step_s = Some(0.0017);
    s
}

/// The widest facet between these latitudes whose slope is gentle: middle, normal and a direction in it.
fn site(surface: &Surface, ground: &Ground) -> [DVec3; 3] {
    let facet = |k: &usize| {
        let [a, b, c] = surface.corners_m(*k);
        let (middle, normal) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize());
        let sides = [(a, b), (b, c), (c, a)];
        let room = sides.map(|(p, q)| (middle - p).reject_from((q - p).normalize()).length());
        (room.into_iter().fold(f64::INFINITY, f64::min), [middle, normal, (b - a).normalize()])
    };
    // Gravity is nearly radial, and at 20 to 40 degrees the centrifugal force leans it over by about 15 degrees.
    let gentle = |[middle, normal, _]: &[DVec3; 3]| {
        let up = middle.normalize();
        let lean = up.angle_between((up - 0.35 * DVec3::new(up.x, up.y, 0.0)).normalize());
        (0.3..0.7).contains(&up.z) && normal.angle_between(up) < 0.1 && lean < 0.3
    };
    let list = (0..surface.triangles.len()).map(|k| facet(&k)).filter(|(_, f)| gentle(f));
    let found = list.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a gentle facet").1;
    assert!(!ground.holds(found[0] + 0.1 * found[1]));
    found
}

/// A pyramid of ten square layers, 385 grains, its lowest layer just above a facet.
fn pyramid([middle, normal, along]: [DVec3; 3]) -> Bodies {
    let across = normal.cross(along);
    let pitch = 2.0 * GRAIN;
    let mut spheres = vec![];
    for layer in 0..10u32 {
        let side = 10 - layer;
        let height = GRAIN + f64::from(layer) * pitch * 0.5f64.sqrt();
        let offset = |k: u32| (f64::from(k) - 0.5 * f64::from(side - 1)) * pitch;
        let row = |j: u32| (0..side).map(move |i| (offset(i), offset(j)));
        spheres
            .extend((0..side).flat_map(row).map(|(x, y)| (middle + height * normal + x * along + y * across, GRAIN)));
    }
    assert_eq!(spheres.len(), 385);
    bodies(&spheres, 3350.0)
}

/// Kinetic energy a body relative to the asteroid (J).
fn trembling(e: &mut SoftSphere) -> f64 {
    let b = e.snapshot().expect("snapshot").bodies;
    let (translation, rotation) = kinetic(&b);
    (translation + rotation) / b.len() as f64
}

fn positions(e: &mut SoftSphere) -> Vec<DVec3> {
    e.snapshot().expect("snapshot").bodies.position_m
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
#[ignore = "nightly: a minute, and shape models beside the repository"]
fn nightly_on_record_a_grain_rests_on_bennu() {
    let surface = shape("bennu_49152");
    let s = on_bennu();
    let [middle, normal, _] = site(&surface, &Ground::of(&s).unwrap().unwrap());
    let b = bodies(&[(middle + (GRAIN - 1e-7) * normal, GRAIN)], 3350.0);
    let mut e = engine(&s, &b);
    // Its springs load in the first seconds.
    run_to(&mut e, 10_000);
    let loaded = positions(&mut e);
    println!("loaded: {:.2e} m from where it was put", farthest(&loaded, &b.position_m));
    run_to(&mut e, 60_000);
    println!("50,000 steps: {:.2e} m", farthest(&positions(&mut e), &loaded));
    run_to(&mut e, 110_000);
    let (way, energy) = (farthest(&positions(&mut e), &loaded), trembling(&mut e));
    println!("100,000 steps: {way:.2e} m, {energy:.2e} J");
    assert!(way < 1e-6 && energy < 1e-12, "{way} m, {energy} J");
}

#[test]
#[ignore = "nightly: some ten minutes, and shape models beside the repository"]
fn nightly_on_record_ten_layers_rest_on_bennu() {
    let surface = shape("bennu_49152");
    let mut s = on_bennu();
    s.gravity.push(GravitySource::SelfGravity { method: SelfGravityMethod::Auto, update_every: None });
    let b = pyramid(site(&surface, &Ground::of(&s).unwrap().unwrap()));
    let mut e = engine(&s, &b);
    for step in [10_000, 40_000] {
        run_to(&mut e, step);
        let settled = farthest(&positions(&mut e), &b.position_m);
        println!("step {step}: {:.2e} J a grain, moved {settled:.2e} m", trembling(&mut e));
    }
    let settled = positions(&mut e);
    assert!(farthest(&settled, &b.position_m) < 0.02, "the heap fell apart");
    run_to(&mut e, 50_000);
    let (energy, way) = (trembling(&mut e), farthest(&positions(&mut e), &settled));
    println!("10,000 steps more: {energy:.2e} J a grain, {way:.2e} m");
    assert!(energy < 1e-12 && way < 1e-6, "{energy} J, {way} m");

    // From a frame, which holds no springs: they load anew, and the heap settles by about as much as at first.
    let mut again = engine(&s, &e.snapshot().expect("snapshot").bodies);
    let mut most = 0.0f64;
    for step in 1..=100 {
        run_to(&mut again, 50 * step);
        most = most.max(trembling(&mut again));
    }
    let moved = farthest(&positions(&mut again), &settled);
    run_to(&mut again, 40_000);
    let end = trembling(&mut again);
    println!("reloaded: at most {most:.2e} J a grain, moved {moved:.2e} m, after 68 s {end:.2e} J a grain");
    // 1e-4 of what lifts a grain by its radius, 7e-5 J
    assert!(most < 7e-9 && moved < 1e-3 && end < 1e-12, "{most} J, {moved} m, {end} J");
}
