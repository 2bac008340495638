//! What rolling friction does to a sphere that slides along a plane.

use crate::common::{R, engine, material, reference, scenario, wall};
use breccia::engine::Engine;
use breccia::model::scenario::GravitySource;
use breccia::model::snapshot::Snapshot;
use glam::DVec3;

const G: f64 = 0.02;
const SLIDING: f64 = 0.5;

/// A sphere that slides along a plane, without spin at first, at two instants (s).
fn slid(m: breccia::model::material::Material, instants_s: [f64; 2]) -> [[Snapshot; 2]; 2] {
    let mut s = scenario(vec![m.with("friction_sliding", SLIDING)]);
    s.walls = vec![wall(DVec3::ZERO)];
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: -G * DVec3::Z }];
    let weight = 4.0 / 3.0 * std::f64::consts::PI * R.powi(3) * 3350.0 * G;
    let mut b = crate::common::bodies(&[(DVec3::Z * (R - weight / 1.0103e4), R)], 3350.0);
    b.velocity_m_s[0] = 0.1 * DVec3::X;
    let (mut gpu, mut exact) = (engine(&s, &b), reference(&s, &b));
    let both: [&mut dyn Engine; 2] = [&mut gpu, &mut exact];
    both.map(|engine| {
        instants_s.map(|time_s: f64| {
            engine.run_to((time_s / engine.time_step_s()).round() as u64).expect("steps");
            engine.snapshot().expect("snapshot")
        })
    })
}

/// The torque of rolling friction is mu_R beta F R and resists the rolling that the slip begins, so that spin grows by
/// 5/2 (mu_S - mu_R beta) g/R and no energy comes of it. As Song et al. (2024) print it, it drives the spin.
#[test]
fn rolling_friction_resists_what_slides_along_a_wall() {
    for (rolling, word, sign) in
        [(0.0, "objective", 0.0), (0.4, "objective", -1.0), (0.8, "objective", -1.0), (0.4, "printed", 1.0)]
    {
        // until springs are at their limit, and before the spin outruns the slip
        let instants_s = if word == "printed" { [0.0, 0.25] } else { [0.5, 1.0] };
        let shots = slid(material().with("friction_rolling", rolling).with("rolling_rate", word), instants_s);
        for [first, shot] in shots {
            let gained = shot.bodies.spin_rad_s[0].y - first.bodies.spin_rad_s[0].y;
            let rate = gained / (shot.time_s - first.time_s);
            let wanted = 2.5 * (SLIDING + sign * 0.5 * rolling) * G / R;
            println!("mu_R {rolling} {word}: {rate:.5} rad/s2, {wanted:.5} wanted");
            assert!((rate / wanted - 1.0).abs() < 0.03, "mu_R {rolling} {word}: {rate} rad/s2, not {wanted}");
            let lost = shot.dissipated.rolling_j;
            assert!(if word == "printed" { lost < 0.0 } else { lost >= 0.0 }, "mu_R {rolling} {word}: {lost} J");
        }
    }
}
