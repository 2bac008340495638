//! Grains on surfaces of triangles: continuity over edges, rest, rolling, bouncing, mesh independence, both engines.

use crate::common::*;
use breccia::engine::Engine;
use breccia::geometry::surface::Surface;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::contacts::Moving;
use breccia::physics::laws::pairs::Laws;
use breccia::physics::surface::ground::Ground;
use breccia::physics::surface::touch::{SurfaceTouch, touch_surface};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const LAWS: [SurfaceLaw; 2] = [SurfaceLaw::AreaWeighted, SurfaceLaw::ClosestFeature];

/// A scenario on a box of 4 x 4 x 2 m, its top at 1 m.
fn on_box(material: Material, subdivisions: usize, contact: SurfaceLaw) -> Scenario {
    let shape = SurfaceKind::Box { size_m: DVec3::new(4.0, 4.0, 2.0), subdivisions };
    on(material, shape, contact)
}

fn on(material: Material, shape: SurfaceKind, contact: SurfaceLaw) -> Scenario {
    let mut s = scenario(vec![material]);
    let mut spec = AsteroidSpec::new(shape, 2000.0);
    spec.contact = contact;
    s.asteroid = Some(spec);
    s
}

/// A beam along y of 4 m whose section is a step: an edge of `turn` (rad) downwards at x = 1, upwards at x = -1.
fn stairs(turn: f64) -> Surface {
    let run = 2.0;
    let (c, s) = (run * turn.cos(), run * turn.sin());
    let section = [[-1.0 - c, s], [-1.0, 0.0], [1.0, 0.0], [1.0 + c, -s], [1.0 + c, -9.0], [-1.0 - c, -9.0]];
    let vertices: Vec<DVec3> = [-2.0, 2.0].iter().flat_map(|y| section.map(|[x, z]| DVec3::new(x, *y, z))).collect();
    let mut triangles = vec![];
    for k in 0..6u32 {
        let next = (k + 1) % 6;
        triangles.extend([[k, next, next + 6], [k, next + 6, k + 6]]);
    }
    // ends: from the two lower corners
    for [a, b, d] in [[5u32, 0, 1], [5, 1, 2], [5, 2, 4], [4, 2, 3]] {
        triangles.extend([[a, d, b], [a + 6, b + 6, d + 6]]);
    }
    let surface = Surface::new("stairs", vertices, triangles);
    assert!(surface.volume_m3 > 0.0);
    surface
}

/// Largest change of force (N) and torque (N m) from one of `steps` positions to the next on the way from `a` to `b`,
/// and the largest force; friction and spin included, the way takes one second.
fn largest_jump(ground: &Ground, m: &Material, [a, b]: [DVec3; 2], radius: f64, steps: usize) -> [f64; 3] {
    let s = scenario(vec![m.clone()]);
    let bodies = bodies(&[(a, radius)], 3350.0);
    let dt = 1.0 / steps as f64;
    let laws = Laws::new(&s, &bodies, dt);
    let (mut touches, mut last) = (Vec::<SurfaceTouch>::new(), None);
    let mut worst = [0.0f64; 3];
    for k in 0..=steps {
        let spin = DVec3::new(0.3, -0.2, 0.5);
        let (position, velocity) = (a.lerp(b, k as f64 * dt), b - a);
        let (velocity_now, spin_now, held) = (velocity, spin, DVec3::ZERO);
        let moving = [Moving { position, velocity, spin, velocity_now, spin_now, held }];
        touches = touch_surface(ground, &laws, &bodies, &moving, &touches, dt);
        let force: DVec3 = touches.iter().map(|t| t.result.force).sum();
        let torque: DVec3 = touches.iter().map(|t| t.result.torque_i).sum();
        if let Some((f, t)) = last.replace((force, torque)) {
            worst[0] = worst[0].max(force.distance(f));
            worst[1] = worst[1].max(torque.distance(t));
        }
        worst[2] = worst[2].max(force.length());
    }
    worst
}

/// Over a face, an edge, a corner, convex or not, the largest jump shrinks with the step. Where a contact begins or ends
/// with weight 1, dashpot and cohesion set in or end at once, as the law has it for any contact: a second contact in a
/// valley, and closest features beyond an edge. There without both.
#[test]
fn force_and_torque_are_continuous() {
    let r = 0.1;
    let sticky = rough(NormalTension::Kept).with("cohesion_pa", 50.0);
    let elastic = sticky.clone().with("cohesion_pa", 0.0).with("restitution_normal", 1.0);
    let of = |surface: &Surface, law| Ground::new(surface, 0, law);
    let cube = on_box(material(), 3, SurfaceLaw::AreaWeighted).asteroid.expect("box").surface().expect("box");
    let top = 1.0 + r - 0.002;
    for law in LAWS {
        let at_ends = if law == SurfaceLaw::AreaWeighted { &sticky } else { &elastic };
        for (name, ground, way) in [
            ("facets", of(&cube, law), [DVec3::new(-0.9, -0.8, top), DVec3::new(0.9, 0.7, top)]),
            ("edge", of(&cube, law), [DVec3::new(1.8, 0.11, top), DVec3::new(2.2, 0.17, top)]),
            ("corner", of(&cube, law), [DVec3::new(1.9, 1.9, top), DVec3::new(2.1, 2.09, top)]),
            ("along an edge", of(&cube, law), [DVec3::new(2.03, 1.2, 1.09), DVec3::new(2.03, 1.95, 1.09)]),
        ] {
            continuous(&format!("{law:?}, {name}"), &ground, at_ends, way, r);
        }
        for degrees in [20.0f64, 60.0, 90.0] {
            let surface = stairs(degrees.to_radians());
            let z = r - 0.002 - surface.origin_m.z;
            let x = surface.origin_m.x;
            let ground = of(&surface, law);
            let over = [DVec3::new(0.8 - x, 0.1, z), DVec3::new(1.15 - x, 0.13, z)];
            continuous(&format!("{law:?}, down {degrees}"), &ground, at_ends, over, r);
            let into = -1.0 + r * (0.5 * degrees.to_radians()).tan();
            let into = [DVec3::new(into + 0.05 - x, 0.1, z), DVec3::new(into - 0.003 - x, 0.13, z)];
            continuous(&format!("{law:?}, up {degrees}"), &ground, &elastic, into, r);
        }
    }
}

fn continuous(name: &str, ground: &Ground, material: &Material, way: [DVec3; 2], r: f64) {
    let jumps = [2000, 8000, 32000].map(|n| largest_jump(ground, material, way, r, n));
    println!("{name}: force {:?}, torque {:?} of {:.3}", jumps.map(|j| j[0]), jumps.map(|j| j[1]), jumps[2][2]);
    for part in 0..2 {
        let scale = jumps[2][2] * if part == 0 { 1.0 } else { r };
        assert!(jumps[2][part] < 0.01 * scale, "{name}: {part}: {jumps:?}");
        assert!(jumps[2][part] < 0.35 * jumps[1][part] + 1e-9 * scale, "{name}: {part}: {jumps:?}");
    }
}

fn down(g: f64) -> Vec<GravitySource> {
    vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.0, 0.0, -g) }]
}

fn state(engine: &mut dyn Engine) -> Snapshot {
    engine.snapshot().expect("snapshot")
}

/// A grain at rest on facets larger and smaller than itself moves less than 1e-6 m in 10,000 steps.
#[test]
fn a_grain_rests_on_facets() {
    for (law, parts) in LAWS.into_iter().flat_map(|l| [(l, 2), (l, 64)]) {
        let mut s = on_box(material(), parts, law);
        s.gravity = down(6e-5);
        let b = bodies(&[(DVec3::new(0.013, 0.021, 1.0 + R - 7e-8), R)], 3350.0);
        let mut e = engine(&s, &b);
        run_to(&mut e, 10_000);
        let after = state(&mut e);
        let (way, speed) = (after.bodies.position_m[0] - b.position_m[0], after.bodies.velocity_m_s[0].length());
        println!("{law:?}, {parts} parts: {way:?} m, {speed:.2e} m/s");
        assert!(way.length() < 1e-6 && speed < 1e-8, "{law:?} {parts}: {way} {speed}");
    }
}

/// The same fall on a plane and on facets of any size: positions, speeds and energies agree; the rolling keeps its
/// speed.
#[test]
fn facets_of_a_plane_are_a_plane() {
    let run = |s: &Scenario| {
        let mut b = bodies(&[(DVec3::new(-1.1, -0.7, 1.0 + R + 1e-4), R)], 3350.0);
        (b.velocity_m_s[0], b.spin_rad_s[0]) = (DVec3::new(0.02, 0.013, -0.002), DVec3::new(0.1, -0.05, 0.2));
        let mut e = engine(s, &b);
        run_to(&mut e, 4000);
        state(&mut e)
    };
    let mut plane = scenario(vec![rough(NormalTension::None)]);
    plane.gravity = down(0.01);
    plane.walls = vec![Wall { point_m: DVec3::Z, ..wall(DVec3::ZERO) }];
    let truth = run(&plane);
    for (law, parts) in LAWS.into_iter().flat_map(|l| [(l, 1), (l, 7), (l, 40)]) {
        let mut s = on_box(rough(NormalTension::None), parts, law);
        s.gravity = down(0.01);
        let got = run(&s);
        let (a, b) = (&got.bodies, &truth.bodies);
        let apart = a.position_m[0].distance(b.position_m[0]);
        let speeds = a.velocity_m_s[0].distance(b.velocity_m_s[0]) / b.velocity_m_s[0].length();
        let force = got.wall_contacts.iter().map(|c| c.force_n).sum::<DVec3>();
        let wanted = truth.wall_contacts[0].force_n;
        println!(
            "{law:?}, {parts}: {apart:.2e} m, speed {speeds:.2e}, force {:.2e}",
            force.distance(wanted) / wanted.length()
        );
        assert!(apart < 1e-6 && speeds < 1e-4, "{law:?} {parts}: {apart} {speeds}");
        assert!(force.distance(wanted) < 1e-3 * wanted.length(), "{law:?} {parts}: {force} {wanted}");
        let lost = |s: &Snapshot| s.dissipated.normal_j + s.dissipated.sliding_j + s.dissipated.rolling_j;
        assert!((lost(&got) / lost(&truth) - 1.0).abs() < 1e-3, "{} {}", lost(&got), lost(&truth));
    }
}

/// A grain thrown at facets comes back with the typed restitution.
#[test]
fn restitution_is_as_typed() {
    let thrown = |s: &Scenario| {
        let mut b = bodies(&[(DVec3::new(0.31, -0.17, 1.0 + R + 1e-6), R)], 3350.0);
        b.velocity_m_s[0].z = -0.05;
        let mut engine = engine(s, &b);
        run_to(&mut engine, 1000);
        state(&mut engine).bodies.velocity_m_s[0] / 0.05
    };
    for (law, tension) in LAWS.into_iter().flat_map(|l| [(l, NormalTension::Kept), (l, NormalTension::None)]) {
        for e in [0.2, 0.8] {
            let m = material().with("restitution_normal", e).with("normal_tension", tension.word());
            let mut s = on_box(m.clone(), 25, law);
            s.run.time_step_fraction = 0.002;
            let mut plane = scenario(vec![m]);
            plane.walls = vec![Wall { point_m: DVec3::Z, ..wall(DVec3::ZERO) }];
            plane.run.time_step_fraction = 0.002;
            let (after, truth) = (thrown(&s), thrown(&plane));
            println!("{law:?}, {tension:?}: {:.5} for {e}, a plane {:.5}", after.z, truth.z);
            assert!(
                (after.z / e - 1.0).abs() < 0.01 && after.distance(truth) < 1e-4,
                "{tension:?} {e}: {after} {truth}"
            );
        }
    }
}

/// A body with hollows and bumps larger and smaller than the grains, as an OBJ file.
fn lumpy(folder: &std::path::Path, parts: usize) -> SurfaceKind {
    let mut random = Pcg64Mcg::seed_from_u64(4);
    let (vertices, triangles) = breccia::geometry::solids::cuboid_facets(DVec3::ONE, parts);
    let vertex = |v: &DVec3| {
        v.normalize() * (1.0 + 0.5 * (7.0 * v.x).sin() * (5.0 * v.y + v.z).cos() + random.random_range(-0.02..0.02))
    };
    let mut text: String = vertices.iter().map(vertex).map(|v| format!("v {} {} {}\n", v.x, v.y, v.z)).collect();
    triangles.iter().for_each(|[a, b, c]| text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    let path = folder.join("lumpy.obj");
    std::fs::write(&path, text).expect("mesh");
    SurfaceKind::Mesh { path: path.display().to_string(), unit_m: 1.0, format: None }
}

/// Grains about the body on their way to it.
fn thrown(ground: &Ground, count: usize, radius: f64, speed: f64, seed: u64) -> Bodies {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut spheres = vec![];
    while spheres.len() < count {
        let p = DVec3::from_array([0; 3].map(|_: i32| random.random_range(-2.0..2.0)));
        if !ground.holds(p) && ground.met(p, 1.3 * radius).is_empty() {
            spheres.push((p, radius));
        }
    }
    let mut b = bodies(&spheres, 3350.0);
    for k in 0..count {
        let aim = 0.5 * DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.0..1.0)));
        b.velocity_m_s[k] = (aim - b.position_m[k]) * (speed * random.random_range(0.1..1.0));
        b.spin_rad_s[k] = DVec3::from_array([0; 3].map(|_: i32| random.random_range(-0.5..0.5)));
    }
    b
}

/// Both engines throw grains at a lumpy body: same contacts, same positions.
#[test]
fn both_engines_agree() {
    let folder = tempfile::tempdir().expect("folder");
    for law in LAWS {
        let s = on(rough(NormalTension::Kept), lumpy(folder.path(), 14), law);
        let ground = Ground::of(&s).expect("mesh").expect("asteroid");
        let b = thrown(&ground, 40, R, 0.15, 3);
        let (mut a, mut truth) = (engine(&s, &b), reference(&s, &b));
        let (mut seen, mut worst) = (0, [0.0f64; 4]);
        for k in 1..=120 {
            run_to(&mut a, 25 * k);
            while truth.step() < 25 * k {
                truth.advance(25 * k).expect("advance");
            }
            let (a, b) = (state(&mut a), state(&mut truth));
            seen += b.wall_contacts.len();
            let names = |s: &Snapshot| s.wall_contacts.iter().map(|c| c.body).collect::<Vec<_>>();
            assert_eq!(names(&a), names(&b), "step {}", 25 * k);
            let far = |f: fn(&Snapshot) -> &Vec<DVec3>| {
                f(&a).iter().zip(f(&b)).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
            };
            worst[0] = worst[0].max(far(|s| &s.bodies.position_m) / R);
            worst[1] = worst[1].max(far(|s| &s.bodies.velocity_m_s) / 0.15);
            worst[2] = worst[2].max(far(|s| &s.bodies.spin_rad_s) * R / 0.15);
            let energy = b.bodies.mass_kg[0] * 40.0 * 0.5 * 0.15f64.powi(2);
            let lost = |s: &Snapshot| {
                s.dissipated.normal_j + s.dissipated.sliding_j + s.dissipated.rolling_j + s.dissipated.twisting_j
            };
            worst[3] = worst[3].max((lost(&a) - lost(&b)).abs() / energy);
        }
        println!(
            "{law:?}: {seen} contacts, position {:.1e} R, speed {:.1e}, spin {:.1e}, energy {:.1e}",
            worst[0], worst[1], worst[2], worst[3]
        );
        assert!(seen > 30 && worst.iter().all(|w| *w < 1e-3), "{law:?}: {worst:?}");
    }
}
