//! Contact dynamics in a turning frame is that of inertial space: collisions with friction and spin, tumbling
//! polyhedra, and bodies on walls at rest in the frame.

use crate::common::rigid::{FLOOR, text};
use crate::common::{bodies, gpu, material, scenario, wall};
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics as RigidOnGpu;
use breccia::engine::reference::contact_dynamics::RigidReference;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;

const STEP_S: f64 = 0.5;

fn settings(s: &mut Scenario, theta: f64) {
    let settings = ContactDynamics { tolerance: 1e-6, theta, ..crate::common::rigid_settings() };
    s.method = Method::ContactDynamics(settings);
}

/// The same bodies as those who turn with the frame see them.
fn seen(bodies: &Bodies, rotation: DVec3) -> Bodies {
    let mut own = bodies.clone();
    for k in 0..own.len() {
        own.velocity_m_s[k] -= rotation.cross(own.position_m[k]);
        own.spin_rad_s[k] -= rotation;
    }
    own
}

fn turning(s: &Scenario, rotation_rad_s: DVec3) -> Scenario {
    let mut s = s.clone();
    s.gravity.push(GravitySource::RotatingFrame { rotation_rad_s });
    s
}

fn on_gpu(s: &Scenario, b: &Bodies, dt_s: f64) -> Box<dyn Engine> {
    Box::new(RigidOnGpu::new(gpu(), s, b, dt_s, Default::default()).expect("opens"))
}

fn in_f64(s: &Scenario, b: &Bodies, dt_s: f64) -> Box<dyn Engine> {
    let settings = s.method.contact_dynamics().expect("rigid");
    Box::new(RigidReference::new(s, settings, b, dt_s).expect("opens"))
}

type Open = fn(&Scenario, &Bodies, f64) -> Box<dyn Engine>;

/// Bodies in inertial space after `steps`.
fn after(open: Open, s: &Scenario, b: &Bodies, dt_s: f64, steps: u64) -> Bodies {
    let mut e = open(s, b, dt_s);
    e.run_to(steps).expect("runs");
    e.snapshot().expect("snapshot").inertial().into_owned()
}

/// Three spheres, of which one meets another aslant, spinning: 800 s.
fn three() -> (Scenario, Bodies) {
    let mut s = scenario(vec![material().with("friction_sliding", 0.4).with("restitution_normal", 0.5)]);
    settings(&mut s, 0.5);
    let positions = [DVec3::new(-8.0, 0.3, 0.0), DVec3::new(3.0, 0.9, 0.4), DVec3::new(5.0, -12.0, 1.0)];
    let mut b = bodies(&positions.map(|p| (p, 1.0)), 2000.0);
    b.velocity_m_s = vec![DVec3::new(0.03, 0.0, 0.0), DVec3::new(-0.01, 0.002, 0.0), DVec3::new(0.0, 0.02, 0.001)];
    b.spin_rad_s = vec![DVec3::new(0.01, 0.0, 0.03), DVec3::new(0.0, 0.02, -0.03), DVec3::new(0.03, 0.0, 0.0)];
    (s, b)
}

/// With velocities alone turned, and not spins, the spheres were 1.1 m and 0.036 rad/s off.
#[test]
fn a_collision_with_friction_is_that_of_inertial_space() {
    let rotation = DVec3::new(4e-4, -8e-4, 1.8e-3);
    for (theta, (name, open)) in
        [0.5, 1.0].into_iter().flat_map(|theta| [("GPU", on_gpu as Open), ("f64", in_f64)].map(|open| (theta, open)))
    {
        let (mut s, b) = three();
        settings(&mut s, theta);
        let straight = after(open, &s, &b, STEP_S, 1600);
        let turned = after(open, &turning(&s, rotation), &seen(&b, rotation), STEP_S, 1600);
        let hit = straight.velocity_m_s[0].distance(b.velocity_m_s[0]);
        assert!(hit > 0.01, "the spheres have missed each other: {hit} m/s");
        let most = |f: &dyn Fn(usize) -> f64| (0..3).map(f).fold(0.0, f64::max);
        let ways = most(&|k| straight.position_m[k].distance(turned.position_m[k]) / 24.0);
        let speeds = most(&|k| straight.velocity_m_s[k].distance(turned.velocity_m_s[k]) / 0.03);
        let spins = most(&|k| straight.spin_rad_s[k].distance(turned.spin_rad_s[k]) / 0.03);
        println!("theta {theta}, {name}: way {ways:.2e}, velocity {speeds:.2e}, spin {spins:.2e} of their size");
        assert!(ways < 1e-6 && speeds < 1e-6 && spins < 1e-6, "theta {theta}, {name}");
    }
}

/// Two polyhedra that tumble and meet; orientations too.
#[test]
fn polyhedra_tumble_as_in_inertial_space() {
    let body = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [-4.0, 0.2, 0.1], radius_m = 1.0, velocity_m_s = \
                [0.02, 0.0, 0.0], spin_rad_s = [0.01, 0.02, -0.03] }, { position_m = [2.0, 0.0, 0.0], radius_m = 1.3, \
                velocity_m_s = [-0.01, 0.0, 0.0], spin_rad_s = [0.0, -0.02, 0.01] }]\nshape = { kind = \"grain\" }\n";
    let s =
        parse(&text(0.5, "tolerance = 1e-6", "friction_sliding = 0.3\nrestitution_normal = 0.3", body), "t.toml", &[]);
    let s = s.unwrap_or_else(|e| panic!("{e}"));
    let (b, rotation) = (generate(&s).expect("bodies"), DVec3::new(4e-4, -8e-4, 1.8e-3));
    for (steps, met) in [(160, false), (800, true)] {
        let straight = after(on_gpu, &s, &b, STEP_S, steps);
        let turned = after(on_gpu, &turning(&s, rotation), &seen(&b, rotation), STEP_S, steps);
        assert_eq!(straight.velocity_m_s[0].distance(b.velocity_m_s[0]) > 1e-3, met);
        for k in 0..2 {
            let of = |b: &Bodies| b.polyhedra.as_ref().expect("polyhedra").orientation[k];
            let ways = straight.position_m[k].distance(turned.position_m[k]) / 10.0;
            let spins = straight.spin_rad_s[k].distance(turned.spin_rad_s[k]) / 0.03;
            let orientations = of(&turned).angle_between(of(&straight));
            println!("{steps} steps, body {k}: way {ways:.2e}, spin {spins:.2e}, orientation {orientations:.2e} rad");
            // A collision passes on what orientations, cut at 2^-30 a step, are apart.
            let bound = if met { 1e-4 } else { 1e-6 };
            assert!(ways < bound && spins < bound && orientations < bound, "{steps} steps, body {k}");
        }
    }
}

/// A sphere that the frame presses on a wall outside of it stays, and weighs w^2 r m; both engines.
#[test]
fn a_body_on_a_wall_of_the_frame_stays() {
    let rotation = DVec3::new(0.0, 0.0, 2e-3);
    let mut s = scenario(vec![material().with("friction_sliding", 0.5).with("restitution_normal", 0.5)]);
    settings(&mut s, 0.5);
    s.walls.push(Wall { point_m: DVec3::new(250.0, 0.0, 0.0), normal: -DVec3::X, ..wall(DVec3::ZERO) });
    let s = turning(&s, rotation);
    let b = bodies(&[(DVec3::new(249.0, 0.0, 1.0), 1.0)], 2000.0);
    for (name, open) in [("GPU", on_gpu as Open), ("f64", in_f64)] {
        let mut e = open(&s, &b, 1.0);
        e.run_to(1000).expect("runs");
        let now = e.snapshot().expect("snapshot");
        let weight = rotation.length_squared() * 249.0 * b.mass_kg[0];
        let force = now.wall_contacts.first().map_or(0.0, |c| -c.force_n.x / weight);
        let moved = now.bodies.position_m[0].distance(b.position_m[0]);
        println!("{name}: {moved:.2e} m, {:.2e} m/s, force {force:.6} w^2 r m", now.bodies.velocity_m_s[0].length());
        // A rolling sphere keeps what the tolerance leaves, 1e-6 of the impulse w^2 r h in each of 1,000 steps.
        let kept = 1e-6 * rotation.length_squared() * 249.0 * 1000.0;
        assert!((force - 1.0).abs() < 1e-4 && moved < 1000.0 * kept, "{name}");
        assert!(now.bodies.velocity_m_s[0].length() < kept && now.bodies.spin_rad_s[0].length() < kept, "{name}");
    }
}

/// What friction can hold on a wall of the frame goes with the wall, however long the step is: a box that the centrifugal force
/// pulls at with 95 % of its friction, and boxes that a lift and a belt carry against Coriolis' force. With arms of the wall that bend
/// while those of the body do not, the first crept by 6.5e-5 m/s, and the others by w v h, 2e-4 m/s.
#[test]
fn what_friction_holds_goes_with_its_wall() {
    let body = |x: f64, velocity: DVec3| {
        format!(
            "[[bodies]]\ngenerator = \"list\"\nshape = {{ kind = \"box\", size_m = [2.0, 2.0, 1.0] }}\n\
             body = [{{ position_m = [{x}, 0.0, 0.5], velocity_m_s = {:?} }}]\n",
            velocity.to_array()
        )
    };
    let gravity = |g: f64| format!("[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -{g}]\n");
    for (name, x, g, friction, carried, rotation) in [
        ("turntable", 11.875, 0.01, 0.5, DVec3::ZERO, DVec3::new(0.0, 0.0, 0.02)),
        ("lift", 0.0, 0.1, 1.0, DVec3::new(0.0, 0.0, 0.2), DVec3::new(0.01, 0.0, 0.0)),
        ("belt", 0.0, 0.1, 1.0, DVec3::new(0.2, 0.0, 0.0), DVec3::new(0.0, 0.0, 0.01)),
    ] {
        let plate = FLOOR.replace("\"plane\"", "\"plate\"") + &format!("velocity_m_s = {:?}\n", carried.to_array());
        let floor = if carried == DVec3::ZERO { FLOOR } else { &plate };
        let material = format!("friction_sliding = {friction}\nrestitution_normal = 0.0");
        let rest = body(x, carried) + floor + &gravity(g);
        let s = parse(&text(0.1, "tolerance = 1e-6\niterations_max = 3000", &material, &rest), "t.toml", &[]);
        let s = turning(&s.unwrap_or_else(|e| panic!("{e}")), rotation);
        let mut e = on_gpu(&s, &generate(&s).expect("bodies"), 0.1);
        e.run_to(200).expect("runs");
        let now = e.snapshot().expect("snapshot").bodies;
        let off = now.velocity_m_s[0].distance(carried);
        println!("{name}: {off:.2e} m/s beside the wall, {:.2e} rad/s", now.spin_rad_s[0].length());
        assert!(off < 1e-6 && now.spin_rad_s[0].length() < 1e-6, "{name}: {off}");
    }
}

/// A block thrown over a floor of the frame slides by Coulomb and Coriolis as in f64, moving floors too.
#[test]
fn sliding_on_a_wall_of_the_frame_is_that_of_f64() {
    let rotation = DVec3::new(0.0, 1e-3, 3e-3);
    for velocity in [DVec3::ZERO, DVec3::new(0.0, 0.0, 1e-3)] {
        let mut s = scenario(vec![material().with("friction_sliding", 0.3).with("restitution_normal", 0.0)]);
        settings(&mut s, 0.5);
        s.gravity.push(GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.0, 0.0, -1e-3) });
        s.walls.push(wall(velocity));
        let s = turning(&s, rotation);
        let mut b = bodies(&[(DVec3::new(3.0, -2.0, 1.0), 1.0), (DVec3::new(-3.0, 2.0, 1.5), 1.5)], 2000.0);
        b.velocity_m_s = vec![DVec3::new(0.05, 0.02, velocity.z), DVec3::new(0.0, 0.04, velocity.z)];
        let [gpu, exact] = [on_gpu as Open, in_f64].map(|open| {
            let mut e = open(&s, &b, STEP_S);
            e.run_to(400).expect("runs");
            e.snapshot().expect("snapshot").bodies
        });
        for k in 0..2 {
            let way = exact.position_m[k].distance(b.position_m[k]);
            let off = gpu.position_m[k].distance(exact.position_m[k]) / way;
            let spin = gpu.spin_rad_s[k].distance(exact.spin_rad_s[k]) / exact.spin_rad_s[k].length();
            println!("wall at {velocity}: body {k} went {way:.3} m, off {off:.2e}, spin off {spin:.2e}");
            assert!(way > 0.5 && off < 1e-4 && spin < 1e-3, "body {k}");
        }
    }
}
