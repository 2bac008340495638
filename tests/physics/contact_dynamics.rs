//! The time step around the contact problem: what it conserves, walls that move, gravity.

use crate::common::aggregates::DRIVERS;
use crate::common::piles::lattice;
use crate::common::{bodies, wall};
use breccia::engine::reference::dynamics::{Dynamics, RigidLaw};
use glam::DVec3;

/// Momentum and angular momentum about the origin (kg m/s, kg m2/s), and the sums of their terms' sizes.
fn momenta(d: &Dynamics) -> (DVec3, DVec3, f64, f64) {
    let b = &d.bodies;
    let (mut p, mut l, mut p_size, mut l_size) = (DVec3::ZERO, DVec3::ZERO, 0.0, 0.0);
    for k in 0..b.len() {
        let own = b.mass_kg[k] * b.velocity_m_s[k];
        let turn = b.position_m[k].cross(own) + 0.4 * b.mass_kg[k] * b.radius_m[k].powi(2) * b.spin_rad_s[k];
        (p, l, p_size, l_size) = (p + own, l + turn, p_size + own.length(), l_size + turn.length());
    }
    (p, l, p_size, l_size)
}

/// Whatever a driver leaves undone, impulses are equal and opposite and their arms meet.
#[test]
fn unsolved_contacts_conserve_momenta_too() {
    for (name, driver) in DRIVERS {
        let law = RigidLaw { friction: 0.5, restitution: 0.3, cohesion_n: 100.0, cohesion_range_m: 0.05 };
        let mut d = Dynamics { self_gravity: true, driver, ..Dynamics::new(lattice(64), law, 5.0) };
        (d.stop.iterations_max, d.stop.tolerance) = (5, 0.0);
        for k in 0..d.bodies.len() {
            let x = d.bodies.position_m[k];
            d.bodies.velocity_m_s[k] = 1e-4 * DVec3::Z.cross(x) - 5e-3 * x.normalize() + DVec3::X * 1e-3;
        }
        let (p, l, ..) = momenta(&d);
        (0..200).for_each(|_| drop(d.step()));
        let (p_end, l_end, p_size, l_size) = momenta(&d);
        assert!(d.touches.iter().filter(|t| t.impulse_n_s != DVec3::ZERO).count() > 50, "{name}: no pile has formed");
        // Rounding of about 1e5 impulses.
        assert!((p_end - p).length() < 1e-12 * p_size, "{name}: momentum {}", (p_end - p).length() / p_size);
        assert!((l_end - l).length() < 1e-12 * l_size, "{name}: angular momentum {}", (l_end - l).length() / l_size);
    }
}

/// Two spheres of 4.25 m from rest at 20 m: Kepler's fall to contact takes 5756.238 s and ends at 5.476185e-3 m/s.
#[test]
fn two_bodies_fall_together() {
    let spheres = [(DVec3::ZERO, 4.25), (DVec3::X * 20.0, 4.25)];
    let mut d = Dynamics { self_gravity: true, ..Dynamics::new(bodies(&spheres, 5164.0), RigidLaw::default(), 0.5) };
    let mut speed = 0.0;
    while d.touches.iter().all(|t| t.impulse_n_s == DVec3::ZERO) {
        speed = (d.bodies.velocity_m_s[0] - d.bodies.velocity_m_s[1]).length();
        d.step();
    }
    // First order in the step: time within a step or two, speed within what 3.1e-6 m/s2 adds in one and a half.
    assert!((d.time_s - 5756.238).abs() < 1.0, "{}", d.time_s);
    assert!((speed - 5.476185e-3).abs() < 2.4e-6, "{speed}");
    // Plastic: they stay together, in touch.
    (0..20).for_each(|_| drop(d.step()));
    let gap = d.bodies.position_m[0].distance(d.bodies.position_m[1]) - 8.5;
    let left = (d.bodies.velocity_m_s[0] - d.bodies.velocity_m_s[1]).length();
    assert!(gap.abs() < 1e-9 && left < 1e-9, "{gap} m, {left} m/s");
}

/// A plate lifts a sphere at its own speed, and drags it to its own speed sideways, 2/7 of it by spin at first.
#[test]
fn a_moving_wall_carries_a_sphere() {
    let velocity = DVec3::new(0.2, 0.0, 0.1);
    let law = RigidLaw { friction: 0.5, ..Default::default() };
    let mut d = Dynamics::new(bodies(&[(DVec3::Z * 0.1, 0.1)], 2000.0), law, 1e-3);
    d.walls = vec![wall(velocity)];
    d.field_m_s2 = -9.81 * DVec3::Z;
    d.stop.tolerance = 1e-12;
    for _ in 0..500 {
        d.step();
    }
    // Rolling without slip on a plate of constant speed: v = 2/7 of the plate's, the spin takes the rest.
    let (v, w) = (d.bodies.velocity_m_s[0], d.bodies.spin_rad_s[0]);
    assert!((v - DVec3::new(0.2 * 2.0 / 7.0, 0.0, 0.1)).length() < 1e-9, "{v}");
    assert!((v + w.cross(-0.1 * DVec3::Z) - velocity).length() < 1e-9, "{w}");
    let height = d.bodies.position_m[0].z - 0.1 * d.time_s;
    assert!((height - 0.1).abs() < 1e-9, "{height}");
}

/// An overlap is taken back by a fifth each step.
#[test]
fn overlaps_are_taken_back() {
    let spheres = [(DVec3::ZERO, 0.1), (DVec3::X * 0.199, 0.1)];
    let mut d = Dynamics::new(bodies(&spheres, 2000.0), RigidLaw::default(), 1e-3);
    d.stop.tolerance = 1e-12;
    d.step();
    let gap = d.bodies.position_m[0].distance(d.bodies.position_m[1]) - 0.2;
    assert!((gap + 0.8e-3).abs() < 1e-15, "{gap}");
}
