//! Grains in the field of an asteroid: both engines, both sums, with energy kept and runs that go on where they stopped.

use crate::common::{bodies, gpu, material, rigid_settings, scenario};
use breccia::bench::polyhedron::errors;
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics;
use breccia::engine::gpu::soft_sphere::SoftSphere;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::engine::reference::soft_sphere::ReferenceEngine;
use breccia::geometry::geodesic::bumpy;
use breccia::geometry::surface::Surface;
use breccia::model::scenario::*;
use breccia::physics::gravity::asteroid_field::AsteroidField;
use breccia::physics::gravity::face_tree::{ACCURACY, FaceTree};
use breccia::physics::measure::columns::column;
use breccia::physics::measure::series::{Baseline, measure};
use glam::DVec3;
use std::fmt::Write;

/// Time step (s).
const STEP_S: f64 = 1.0;

fn obj(surface: &Surface) -> String {
    let mut text = String::new();
    surface.vertices_m.iter().for_each(|v| writeln!(text, "v {} {} {}", v.x, v.y, v.z).unwrap());
    surface.triangles.iter().for_each(|t| writeln!(text, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap());
    text
}

/// Three grains on orbits from 1.3 to 4 radii of an asteroid of 720 faces, and the folder of its mesh.
fn orbits(sum: FaceSum) -> (tempfile::TempDir, Scenario, breccia::model::body::Bodies) {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("asteroid.obj");
    let surface = bumpy(6);
    std::fs::write(&path, obj(&surface)).expect("mesh");
    let mut s = scenario(vec![material().with("stiffness_normal_n_m", 1e6)]);
    let shape = SurfaceKind::Mesh { path: path.to_string_lossy().into_owned(), unit_m: 1.0, format: None };
    let density_kg_m3 = 1190.0;
    s.asteroid = Some(AsteroidSpec::new(shape, density_kg_m3));
    s.gravity = vec![GravitySource::Asteroid { sum, update_every: Some(4) }];
    let gm = breccia::base::units::G * density_kg_m3 * surface.volume_m3;
    let positions = [DVec3::new(390.0, 20.0, 50.0), DVec3::new(-100.0, 480.0, 90.0), DVec3::new(0.0, -300.0, 900.0)];
    let mut b = bodies(&positions.map(|p| (p, 10.0)), 3350.0);
    for (v, p) in b.velocity_m_s.iter_mut().zip(positions) {
        *v = 0.95 * (gm / p.length()).sqrt() * p.cross(DVec3::new(0.3, -0.2, 0.9)).normalize();
    }
    (folder, s, b)
}

/// Largest change of the ledger over the kinetic energy of the start, in `rows` rows of `each` steps, and the last
/// positions.
fn ride(engine: &mut dyn Engine, s: &Scenario, rows: u64, each: u64) -> (f64, Vec<DVec3>) {
    let (mut baseline, mut worst, mut kinetic) = (Baseline::default(), 0.0f64, 0.0);
    let mut positions = vec![];
    for k in 0..=rows {
        engine.run_to(k * each).expect("steps");
        let now = engine.snapshot().expect("snapshot");
        let row = measure(&now, s, &mut baseline);
        assert!(row[column("gravitational_j")] < 0.0);
        if k == 0 {
            kinetic = row[column("kinetic_translational_j")];
        }
        worst = worst.max(row[column("energy_residual_j")].abs() / kinetic);
        positions = now.bodies.position_m;
    }
    (worst, positions)
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn soft_spheres_orbit_alike_on_both_engines() {
    for (sum, kept, apart) in [(FaceSum::Exact, 2e-5, 1e-3), (FaceSum::Tree { accuracy: 3e-5 }, 1e-4, 0.3)] {
        let (_folder, s, b) = orbits(sum);
        let mut on_gpu = SoftSphere::new(gpu(), &s, &b, STEP_S, Default::default()).expect("engine");
        let mut on_cpu = ReferenceEngine::new(&s, &b, STEP_S).expect("engine");
        let (lost, positions) = ride(&mut on_gpu, &s, 6, 2000);
        let (also_lost, truth) = ride(&mut on_cpu, &s, 6, 2000);
        let moved = farthest(&positions, &b.position_m);
        let error = farthest(&positions, &truth);
        println!("{sum:?}: energy {lost:.1e}, {also_lost:.1e} in f64; {error:.1e} m apart after up to {moved:.0} m");
        assert!(lost < kept && also_lost < kept && error < apart && moved > 200.0);
    }
}

#[test]
fn rigid_spheres_orbit_alike_on_both_engines() {
    let (_folder, mut s, b) = orbits(FaceSum::Exact);
    let settings = rigid_settings();
    s.method = Method::ContactDynamics(settings);
    let engine = contact_dynamics::ContactDynamics::new(gpu(), &s, &b, STEP_S, Default::default());
    let (lost, positions) = ride(&mut engine.expect("engine"), &s, 3, 300);
    let (also_lost, truth) = ride(&mut RigidReference::new(&s, &settings, &b, STEP_S).expect("engine"), &s, 3, 300);
    let error = farthest(&positions, &truth);
    println!("energy {lost:.1e}, {also_lost:.1e} in f64; {error:.1e} m apart");
    assert!(lost < 1e-3 && also_lost < 1e-3 && error < 1e-3, "{lost:e} {also_lost:e} {error:e}");
}

/// With an asteroid, self-gravity keeps its own potential and acceleration in the snapshot.
#[test]
fn self_gravity_is_told_apart() {
    let (_folder, mut s, b) = orbits(FaceSum::Exact);
    s.gravity.push(GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: None });
    let mut engine = SoftSphere::new(gpu(), &s, &b, STEP_S, Default::default()).expect("engine");
    let now = engine.snapshot().expect("snapshot");
    let sources: Vec<_> = b.position_m.iter().zip(&b.mass_kg).map(|(x, m)| (*x, breccia::base::units::G * m)).collect();
    for (k, (pull, potential)) in
        breccia::physics::gravity::direct::direct(&b.position_m, &sources).into_iter().enumerate()
    {
        assert!((now.self_acceleration_m_s2[k] - pull).length() < 1e-6 * pull.length());
        assert!((now.self_potential_j_kg[k] / potential - 1.0).abs() < 1e-6);
        assert!(now.asteroid_potential_j_kg[k] < 100.0 * potential);
    }
}

/// What the engines in f64 feel is the sum over all faces, also where a scenario asks for a coarse tree.
#[test]
fn the_reference_sums_every_face() {
    let surface = bumpy(6);
    let of = |sum| AsteroidField { tree: FaceTree::new(&surface), sum, g_rho_s2: 8e-8 };
    let (coarse, exact) = (of(FaceSum::Tree { accuracy: 1e-2 }), of(FaceSum::Exact));
    for at in [DVec3::new(390.0, 20.0, 50.0), DVec3::new(0.0, -300.0, 900.0)] {
        assert_eq!(coarse.at(at), exact.at(at), "at {at}");
        let walked = coarse.tree.walk(at / coarse.tree.unit_m, 1e-2).field.acceleration;
        let pull = coarse.tree.exact(at / coarse.tree.unit_m).acceleration;
        assert!(
            walked.distance(pull) > 1e-6 * pull.length(),
            "the tree is as good at {at}, so that this point shows nothing"
        );
    }
    let (_folder, s, b) = orbits(FaceSum::Tree { accuracy: 1e-2 });
    let field = AsteroidField::of(&s).expect("a surface").expect("an asteroid");
    let potentials = ReferenceEngine::new(&s, &b, STEP_S).expect("opens").snapshot().expect("snapshot");
    for (at, potential) in b.position_m.iter().zip(potentials.asteroid_potential_j_kg.iter()) {
        let exact = field.at(*at).1;
        assert!((potential / exact - 1.0).abs() < 1e-14, "at {at}: {potential} for {exact}");
    }
}

#[test]
fn a_run_goes_on_where_it_stopped() {
    let (_folder, s, b) = orbits(FaceSum::Tree { accuracy: 3e-5 });
    let open = || SoftSphere::new(gpu(), &s, &b, STEP_S, Default::default()).expect("engine");
    let (mut whole, mut first, mut second) = (open(), open(), open());
    whole.run_to(100).expect("steps");
    first.run_to(37).expect("steps");
    second.restore(&first.save().expect("saved")).expect("restored");
    second.run_to(100).expect("steps");
    assert_eq!(whole.save().expect("saved"), second.save().expect("saved"));
}

#[test]
fn an_asteroid_must_be_there() {
    let (_folder, mut s, b) = orbits(FaceSum::Auto);
    s.asteroid = None;
    let error = SoftSphere::new(gpu(), &s, &b, STEP_S, Default::default()).err().expect("no asteroid").to_string();
    assert!(error.contains("[asteroid]"), "{error}");
}

/// Largest errors of exact sum and tree on the device by height above the surface: docs/method/gravity.md.
fn table(cuts: u32, bodies: usize) {
    let gpu = gpu();
    let mut field = AsteroidField { tree: FaceTree::new(&bumpy(cuts)), sum: FaceSum::Exact, g_rho_s2: 8e-8 };
    println!("{} faces: rms and largest error of the exact sum, of the tree", field.tree.len());
    for height_m in [0.1, 10.0, 100.0, 1e3, 1e4, 24_500.0] {
        let [exact, tree] = [FaceSum::Exact, FaceSum::Tree { accuracy: ACCURACY }].map(|sum| {
            field.sum = sum;
            errors(&gpu, &field, bodies, height_m).expect("device")
        });
        println!("{height_m:8} m  {:.1e}  {:.1e}  {:.1e}  {:.1e}", exact[0], exact[1], tree[0], tree[1]);
        assert!(exact[1] < 1e-6 && tree[1] < 2e-4, "{height_m} m: {exact:?} {tree:?}");
    }
}

#[test]
fn errors_by_height() {
    table(22, 64);
    table(100, 32);
}

#[test]
#[ignore]
fn errors_by_height_of_three_million_faces() {
    table(387, 16);
}
