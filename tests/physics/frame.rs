//! Turning frames: bodies in them must move as in inertial space.

use crate::common::{bodies, engine, material, scenario};
use breccia::engine::Engine;
use breccia::model::scenario::*;
use breccia::physics::laws::linear_spring_dashpot::NormalTension;
use glam::DVec3;

const GM: f64 = 4.89;

/// A boulder 400 m from a point mass in a frame that turns, 20,000 steps a revolution.
fn orbit(rotation_rad_s: DVec3) -> (Scenario, breccia::model::body::Bodies) {
    let mut s = scenario(vec![material().with_density(1000.0)]);
    s.gravity.push(GravitySource::Central { gm_m3_s2: GM, position_m: DVec3::ZERO });
    s.gravity.push(GravitySource::RotatingFrame { rotation_rad_s });
    s.run.time_step_s = Some(1.125);
    let mut b = bodies(&[(DVec3::new(400.0, 0.0, 0.0), 24.0)], 1000.0);
    // eccentricity 0.19, inclined
    let inertial = DVec3::new(0.0, 0.09, 0.04);
    b.velocity_m_s[0] = inertial - rotation_rad_s.cross(b.position_m[0]);
    b.spin_rad_s[0] = DVec3::new(1e-4, -2e-4, 3e-4) - rotation_rad_s;
    (s, b)
}

/// Leapfrog in inertial space, the same forces in f64.
fn inertial_orbit(mut x: DVec3, mut v: DVec3, dt: f64, steps: u64) -> (DVec3, DVec3) {
    let pull = |x: DVec3| -GM / x.length().powi(3) * x;
    for n in 0..steps {
        v += if n == 0 { 0.5 * dt } else { dt } * pull(x);
        x += v * dt;
    }
    (x, v + 0.5 * dt * pull(x))
}

/// 200,000 steps of 1.125 s are ten revolutions. The Jacobi constant is the energy in the frame with the centrifugal
/// potential; the spin of a free body is constant in inertial space, so it precesses in the frame.
#[test]
fn an_orbit_keeps_its_jacobi_constant_and_a_free_body_its_spin() {
    let w = DVec3::new(1e-4, -2e-4, 3.5e-4);
    let (s, b) = orbit(w);
    let mut e = engine(&s, &b);
    let jacobi = |x: DVec3, v: DVec3| 0.5 * v.length_squared() - 0.5 * w.cross(x).length_squared() - GM / x.length();
    let start = jacobi(b.position_m[0], b.velocity_m_s[0]);
    let spin = b.spin_rad_s[0] + w;
    let [mut constant_off, mut spin_off] = [0.0f64; 2];
    for part in 1..=20 {
        e.run_to(10_000 * part).unwrap();
        let snapshot = e.snapshot().unwrap();
        let now = jacobi(snapshot.bodies.position_m[0], snapshot.bodies.velocity_m_s[0]);
        constant_off = constant_off.max((now / start - 1.0).abs());
        spin_off = spin_off.max((snapshot.inertial().spin_rad_s[0] - spin).length() / spin.length());
    }
    println!("Jacobi constant off by {constant_off:.3e}, inertial spin by {spin_off:.3e} in ten revolutions");
    assert!(constant_off < 1e-6 && spin_off < 1e-6, "{constant_off} {spin_off}");
}

/// With gravity in every step the path is that of the same scheme in inertial space, one revolution long.
#[test]
fn an_orbit_in_a_turning_frame_is_that_in_inertial_space() {
    let w = DVec3::new(1e-4, -2e-4, 3.5e-4);
    let (mut s, b) = orbit(w);
    s.gravity.push(GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: Some(1) });
    let mut e = engine(&s, &b);
    e.run_to(20_000).unwrap();
    let found = e.snapshot().unwrap().inertial().into_owned();
    let velocity = b.velocity_m_s[0] + w.cross(b.position_m[0]);
    let (position, going) = inertial_orbit(b.position_m[0], velocity, e.time_step_s(), 20_000);
    let off = [found.position_m[0].distance(position), found.velocity_m_s[0].distance(going)];
    println!("off by {:.3e} m, {:.3e} m/s after a revolution of 400 m", off[0], off[1]);
    assert!(off[0] < 1e-3 && off[1] < 1e-6, "{off:?}");
}

/// A body that the frame carries, held by a floor against the centrifugal acceleration, stays: what is left is the jitter of
/// a resting contact, whose overlap has a million units.
#[test]
fn a_body_at_rest_on_a_floor_stays() {
    let mut s = scenario(vec![crate::common::rough(NormalTension::Kept)]);
    s.materials[0].set("cohesion_pa", 0.0);
    let w = DVec3::new(0.0, 0.0, 2e-3);
    s.gravity.push(GravitySource::RotatingFrame { rotation_rad_s: w });
    s.walls.push(Wall { point_m: DVec3::new(250.0, 0.0, 0.0), normal: -DVec3::X, ..crate::common::wall(DVec3::ZERO) });
    // the floor is outside: w^2 r presses the body on it
    let b = bodies(&[(DVec3::new(250.0 - crate::common::R, 0.0, 1.0), crate::common::R)], 3350.0);
    let mut e = engine(&s, &b);
    e.run_to(20_000).unwrap();
    let first = e.snapshot().unwrap();
    e.run_to(120_000).unwrap();
    let last = e.snapshot().unwrap();
    let press = w.length_squared() * (250.0 - crate::common::R) * b.mass_kg[0];
    let force = last.wall_contacts[0].force_n;
    println!(
        "speed {:.3e} m/s, way {:.3e} m, force over w2 r m {:.9}",
        last.bodies.velocity_m_s[0].length(),
        last.bodies.position_m[0].distance(first.bodies.position_m[0]),
        -force.x / press
    );
    assert!((-force.x / press - 1.0).abs() < 2e-5);
    assert!(last.bodies.velocity_m_s[0].length() < 1e-8);
    assert!(last.bodies.position_m[0].distance(first.bodies.position_m[0]) < 1e-7);
    assert!(last.bodies.spin_rad_s[0].length() < 1e-7);
}
