//! Turning frames: bodies in them must move as in inertial space.

mod common;

use breccia::body::frame::{FrameStep, Turn};
use breccia::engine::Engine;
use breccia::scenario::model::*;
use common::{bodies, engine, material, scenario, wall};
use glam::{DQuat, DVec3};

const GM: f64 = 4.89;

/// A boulder 400 m from a point mass in a frame that turns, 20,000 steps a revolution.
fn orbit(rotation_rad_s: DVec3) -> (Scenario, breccia::body::Bodies) {
    let mut s = scenario(vec![Material { density_kg_m3: 1000.0, ..material() }]);
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
fn inertial_orbit(mut x: DVec3, mut v: DVec3, dt: f64, steps: u64, every: u64) -> (DVec3, DVec3) {
    let pull = |x: DVec3| -GM / x.length().powi(3) * x;
    let mut held = DVec3::ZERO;
    for n in 0..steps {
        if n % every == 0 {
            held = pull(x + v * (0.5 * (every - 1) as f64 * dt));
        }
        v += if n == 0 { 0.5 * dt } else { dt } * held;
        x += v * dt;
    }
    (x, v + 0.5 * dt * pull(x))
}

/// 200,000 steps of 1.125 s are ten revolutions. The Jacobi constant is the energy in the frame with the centrifugal
/// potential.
#[test]
fn an_orbit_keeps_its_jacobi_constant_and_is_that_of_inertial_space() {
    let w = DVec3::new(1e-4, -2e-4, 3.5e-4);
    let (s, b) = orbit(w);
    let mut e = engine(&s, &b);
    let dt = e.time_step_s();
    let jacobi = |x: DVec3, v: DVec3| 0.5 * v.length_squared() - 0.5 * w.cross(x).length_squared() - GM / x.length();
    let start = jacobi(b.position_m[0], b.velocity_m_s[0]);
    let mut worst = 0.0f64;
    let spin = b.spin_rad_s[0] + w;
    let mut spin_off = 0.0f64;
    for part in 1..=20 {
        e.run_to(10_000 * part).unwrap();
        let snapshot = e.snapshot().unwrap();
        let (x, v) = (snapshot.bodies.position_m[0], snapshot.bodies.velocity_m_s[0]);
        worst = worst.max((jacobi(x, v) / start - 1.0).abs());
        let inertial = snapshot.inertial();
        spin_off = spin_off.max((inertial.spin_rad_s[0] - spin).length() / spin.length());
        let velocity = b.velocity_m_s[0] + w.cross(b.position_m[0]);
        let (at, going) = inertial_orbit(b.position_m[0], velocity, dt, 10_000 * part, 10);
        println!(
            "step {}: off {:.3e} m, {:.3e} m/s; Jacobi constant {:.3e}; spin {:.3e}",
            10_000 * part,
            inertial.position_m[0].distance(at),
            inertial.velocity_m_s[0].distance(going),
            jacobi(x, v) / start - 1.0,
            spin_off
        );
        assert!(inertial.position_m[0].distance(at) < 0.02);
    }
    assert!(worst < 1e-6 && spin_off < 1e-6, "{worst} {spin_off}");
}
