//! The GPU engine against the f64 engine, which shares its scheme and none of its arithmetic: what is left is the
//! rounding of f32 forces.

use crate::common::*;
use breccia::engine::Engine;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::measure::columns::column;
use breccia::physics::measure::series::{Baseline, measure};
use glam::{DQuat, DVec3};

/// Largest deviations of a run, each over the largest value in the reference so far.
#[derive(Debug, Default, Clone, Copy)]
struct Apart {
    /// over the largest radius
    position: f64,
    velocity: f64,
    /// over the largest spin, or speed over radius
    spin: f64,
    force: f64,
    /// over the largest force times radius
    torque: f64,
    gravity: f64,
    /// stored in springs, lost in any channel, work of walls; over the energy brought
    energy: f64,
}

#[derive(Default)]
struct Scales {
    speed: f64,
    spin: f64,
    force: f64,
    pull: f64,
}

fn largest(v: impl Iterator<Item = f64>) -> f64 {
    v.fold(0.0, f64::max)
}

fn longest(v: &[DVec3]) -> f64 {
    largest(v.iter().map(|v| v.length()))
}

fn vectors(a: &[DVec3], b: &[DVec3], scale: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(a.iter().zip(b).map(|(a, b)| a.distance(*b))) / scale.max(f64::MIN_POSITIVE)
}

/// Who touches, with what force, with what torques, and with how much energy in the springs.
fn touches(s: &Snapshot) -> (Vec<[u32; 2]>, Vec<DVec3>, Vec<DVec3>, f64) {
    let (pairs, walls) = (&s.contacts, &s.wall_contacts);
    let names = pairs.iter().map(|c| [c.i, c.j]).chain(walls.iter().map(|c| [c.body, c.wall])).collect();
    let forces = pairs.iter().map(|c| c.force_n).chain(walls.iter().map(|c| c.force_n)).collect();
    let of_pairs = pairs.iter().flat_map(|c| [c.torque_i_n_m, c.torque_j_n_m]);
    let torques = of_pairs.chain(walls.iter().map(|c| c.torque_n_m)).collect();
    let elastic = pairs.iter().map(|c| c.elastic_j).chain(walls.iter().map(|c| c.elastic_j)).sum();
    (names, forces, torques, elastic)
}

fn ledger(s: &Snapshot, elastic: f64) -> [f64; 6] {
    let d = s.dissipated;
    [elastic, d.normal_j, d.sliding_j, d.rolling_j, d.twisting_j, s.wall_work_j]
}

impl Apart {
    fn widen(&mut self, gpu: &Snapshot, truth: &Snapshot, scales: &mut Scales, energy: f64) {
        let (a, b) = (&gpu.bodies, &truth.bodies);
        let (of_gpu, of_truth) = (touches(gpu), touches(truth));
        assert_eq!(of_gpu.0, of_truth.0, "contacts at step {}", truth.step);
        let radius = largest(b.radius_m.iter().copied());
        scales.speed = scales.speed.max(longest(&b.velocity_m_s));
        scales.spin = scales.spin.max(longest(&b.spin_rad_s)).max(scales.speed / radius);
        scales.force = scales.force.max(longest(&of_truth.1));
        scales.pull = scales.pull.max(longest(&truth.self_acceleration_m_s2));
        let pull = vectors(&gpu.self_acceleration_m_s2, &truth.self_acceleration_m_s2, scales.pull);
        let energies = ledger(gpu, of_gpu.3).into_iter().zip(ledger(truth, of_truth.3)).map(|(a, b)| (a - b).abs());
        self.position = self.position.max(vectors(&a.position_m, &b.position_m, radius));
        self.velocity = self.velocity.max(vectors(&a.velocity_m_s, &b.velocity_m_s, scales.speed));
        self.spin = self.spin.max(vectors(&a.spin_rad_s, &b.spin_rad_s, scales.spin));
        self.force = self.force.max(vectors(&of_gpu.1, &of_truth.1, scales.force));
        self.torque = self.torque.max(vectors(&of_gpu.2, &of_truth.2, scales.force * radius));
        self.gravity = self.gravity.max(pull);
        self.energy = self.energy.max(largest(energies) / energy);
    }
}

/// What f32 forces allow. A force is some ten operations of 6e-8 each, on velocities in windows of 2^-37 L a step: up to
/// 1e-6 of the largest. Kicks add up in fixed point, so that velocities and energies keep that; adapters differ by a few
/// units in square roots and divisions. The worst seen is 8e-7. Dashpots that saw the
/// velocities of the half step would show as 1e-4.
const IMPACT: f64 = 3e-6;
/// Spins are f32 and round by half a unit a step; over 2,000 steps of rolling 2e-6 of the spin, and forces follow.
const ROLLING: f64 = 2e-5;
/// A fall multiplies differences of 5e-7 in the pull: the overlap is 1e-4 of the way fallen.
const FALL: f64 = 3e-5;

fn assert_close(worst: Apart, tolerance: f64) {
    let Apart { position, velocity, spin, force, torque, gravity, energy } = worst;
    for (what, value) in [
        ("position", position),
        ("velocity", velocity),
        ("spin", spin),
        ("force", force),
        ("torque", torque),
        ("gravity", gravity),
        ("energy", energy),
    ] {
        assert!(value < tolerance, "{what}: {value:e}");
    }
}

fn kinetic(b: &Bodies) -> f64 {
    (0..b.len())
        .map(|k| {
            b.mass_kg[k]
                * (0.5 * b.velocity_m_s[k].length_squared() + 0.2 * (b.radius_m[k] * b.spin_rad_s[k].length()).powi(2))
        })
        .sum()
}

/// Runs both engines, compares them every `every` steps; the largest deviations and the contacts seen.
fn compare(scenario: &Scenario, bodies: &Bodies, steps: u64, every: usize, energy: f64) -> (Apart, usize) {
    let (mut gpu, mut truth) = (engine(scenario, bodies), reference(scenario, bodies));
    let (mut worst, mut scales, mut seen) = (Apart::default(), Scales::default(), 0);
    for step in (0..=steps).step_by(every) {
        gpu.run_to(step).expect("gpu");
        truth.run_to(step).expect("reference");
        let (a, b) = (gpu.snapshot().expect("snapshot"), truth.snapshot().expect("snapshot"));
        seen += b.contacts.len() + b.wall_contacts.len();
        worst.widen(&a, &b, &mut scales, energy);
    }
    println!("{worst:?}, contacts seen {seen}");
    (worst, seen)
}

#[test]
fn oblique_impact_with_spin() {
    for tension in [NormalTension::Kept, NormalTension::None] {
        let s = scenario(vec![rough(tension)]);
        let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::new(0.145, 0.045, 0.02), 0.625 * R)], 3350.0);
        b.velocity_m_s[1] = DVec3::new(-0.02, 0.003, 0.01);
        b.spin_rad_s = vec![DVec3::new(0.1, -0.2, 0.05), DVec3::new(0.3, 0.1, -0.2)];
        let (worst, seen) = compare(&s, &b, 400, 4, kinetic(&b));
        assert_close(worst, IMPACT);
        assert!(seen > 10);
    }
}

#[test]
fn bounce() {
    for tension in [NormalTension::Kept, NormalTension::None] {
        let mut m = material();
        m.set("normal_tension", tension.word());
        let s = scenario(vec![m]);
        let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::new(0.188, 0.0, 0.0), R)], 3350.0);
        b.velocity_m_s[1].x = -0.02;
        let (worst, seen) = compare(&s, &b, 200, 1, kinetic(&b));
        assert_close(worst, IMPACT);
        assert!(seen > 20);
    }
}

fn on_a_wall(normal: DVec3, velocity: DVec3) -> (Scenario, Bodies) {
    let mut s = scenario(vec![rough(NormalTension::Kept).with("cohesion_pa", 0.0)]);
    s.walls = vec![Wall { normal, ..wall(velocity) }];
    s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: -0.01 * normal }];
    let mut b = bodies(&[(normal * 0.09374, R)], 3350.0);
    b.velocity_m_s[0] = 0.02 * normal.any_orthonormal_vector();
    (s, b)
}

#[test]
fn slide_to_roll() {
    let (s, b) = on_a_wall(DVec3::Z, DVec3::ZERO);
    let (worst, seen) = compare(&s, &b, 2000, 20, kinetic(&b));
    assert_close(worst, ROLLING);
    assert!(seen > 50);
}

#[test]
fn a_plate_lifts_a_sphere() {
    let (s, b) = on_a_wall(DVec3::new(2.0, -1.0, 2.0) / 3.0, DVec3::new(0.003, 0.001, 0.004));
    let (worst, seen) = compare(&s, &b, 1000, 10, kinetic(&b));
    assert_close(worst, IMPACT);
    assert!(seen > 50);
}

/// A block turned by `turn` with its middle at the origin.
fn on_a_block(turn: DQuat) -> Wall {
    let block = Block { half_size_m: DVec3::new(0.5, 0.3, 0.1), orientation: turn };
    Wall { block: Some(block), ..Wall::plane("block", DVec3::ZERO, turn * DVec3::Z) }
}

#[test]
fn a_sphere_rolls_over_the_edge_of_a_block() {
    for turn in [DQuat::IDENTITY, DQuat::from_rotation_x(0.4) * DQuat::from_rotation_y(0.3)] {
        let mut s = scenario(vec![rough(NormalTension::Kept)]);
        s.walls = vec![on_a_block(turn)];
        s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: turn * DVec3::new(0.02, 0.0, -0.1) }];
        let mut b = bodies(&[(turn * DVec3::new(0.495, 0.05, 0.1 + 0.09374), R)], 3350.0);
        b.velocity_m_s[0] = turn * DVec3::new(0.03, 0.004, 0.0);
        let (worst, seen) = compare(&s, &b, 1500, 15, kinetic(&b));
        assert_close(worst, ROLLING);
        let mut truth = reference(&s, &b);
        truth.run_to(1500).expect("reference");
        let at = turn.inverse() * truth.snapshot().expect("snapshot").bodies.position_m[0];
        assert!(seen > 20 && at.x > 0.51 && at.z < 0.1 + R - 1e-4, "{seen} contacts, never over the edge: {at}");
    }
}

#[test]
fn a_corner_of_a_block_gives_back_what_it_took() {
    let mut s = scenario(vec![material().with("restitution_normal", 1.0).with("friction_sliding", 0.0)]);
    s.walls = vec![on_a_block(DQuat::from_rotation_z(0.6))];
    let block = s.walls[0].block.expect("a block");
    let (corner, out) = (block.half_size_m, DVec3::new(0.3, 0.5, 0.4).normalize());
    let mut b = bodies(&[(block.orientation * (corner + (R + 1e-3) * out), R)], 3350.0);
    b.velocity_m_s[0] = block.orientation * (-0.02 * out);
    let (worst, seen) = compare(&s, &b, 600, 4, kinetic(&b));
    assert_close(worst, IMPACT);
    let mut truth = reference(&s, &b);
    truth.run_to(600).expect("reference");
    let after = truth.snapshot().expect("snapshot").bodies.velocity_m_s[0];
    // back along the line to the corner, to what the time step leaves
    assert!(seen > 10 && after.distance(block.orientation * (0.02 * out)) < 2e-5, "{after}");
}

/// A wall at rest takes the energy of its contact along, and the body falls freely from that instant on.
#[test]
fn a_removed_wall_takes_its_energy_along() {
    let g = DVec3::new(0.0, 0.0, -0.1);
    for wall in [wall(DVec3::ZERO), Wall { point_m: DVec3::new(0.0, 0.0, -0.1), ..on_a_block(DQuat::IDENTITY) }] {
        let mut s = scenario(vec![rough(NormalTension::Kept).with("cohesion_pa", 0.0)]);
        s.gravity = vec![GravitySource::Uniform { acceleration_m_s2: g }];
        let mut b = bodies(&[(DVec3::new(0.0, 0.0, 0.0937), R)], 3350.0);
        b.velocity_m_s[0] = DVec3::new(0.002, 0.0, 0.0);
        b.spin_rad_s[0] = DVec3::new(0.0, 0.0, 0.3);
        s.walls = vec![Wall { removed_at_s: None, ..wall }];
        let dt = reference(&s, &b).time_step_s();
        s.walls[0].removed_at_s = Some(500.0 * dt);
        let (worst, seen) = compare(&s, &b, 700, 10, kinetic(&b));
        assert_close(worst, ROLLING);
        assert!(seen > 40);
        let (mut gpu, mut truth) = (engine(&s, &b), reference(&s, &b));
        let both: [&mut dyn Engine; 2] = [&mut gpu, &mut truth];
        for engine in both {
            let mut baseline = Baseline::default();
            let mut row = |step: u64| {
                engine.run_to(step).expect("runs");
                let shot = engine.snapshot().expect("snapshot");
                (measure(&shot, &s, &mut baseline), shot)
            };
            let rows = [0, 500, 501, 700].map(&mut row);
            let at = |k: usize, name: &str| rows[k].0[column(name)];
            let held = at(1, "elastic_j");
            assert!(held > 0.0 && rows[1].1.wall_contacts.len() == 1 && rows[2].1.wall_contacts.is_empty());
            assert!((at(2, "wall_work_j") + held).abs() < 1e-5 * held, "{} of {held}", at(2, "wall_work_j"));
            assert_eq!(at(2, "elastic_j"), 0.0);
            let apart = (at(3, "energy_residual_j") - at(1, "energy_residual_j")).abs();
            // A force that ends at once is missing from half a kick, which the leapfrog takes for its velocity of the instant.
            let (touch, moving) = (rows[1].1.wall_contacts[0], &rows[1].1.bodies);
            let power = touch.force_n.length() * moving.velocity_m_s[0].length()
                + touch.torque_n_m.length() * moving.spin_rad_s[0].length();
            let kick = 0.5 * dt * power + 0.5 * b.mass_kg[0] * (g.length() * dt).powi(2);
            assert!(apart < kick && kick < 0.02 * held, "the ledger is off by {apart:e} J, {kick:e} J of {held:e} J");
            let (start, end, t) = (&rows[2].1.bodies, &rows[3].1.bodies, 199.0 * dt);
            let fallen = start.position_m[0] + start.velocity_m_s[0] * t + 0.5 * t * t * g;
            assert!(end.position_m[0].distance(fallen) < 1e-8, "{} instead of {fallen}", end.position_m[0]);
            assert_eq!(end.spin_rad_s, start.spin_rad_s);
        }
    }
}

#[test]
fn two_bodies_fall() {
    let m = material().without("stiffness_normal_n_m").with("speed_max_m_s", 0.03);
    let mut s = scenario(vec![m]);
    s.gravity = vec![
        GravitySource::SelfGravity { method: SelfGravityMethod::Direct, update_every: Some(20) },
        GravitySource::Central { gm_m3_s2: 1e-5, position_m: DVec3::new(3.0, 20.0, -5.0) },
    ];
    let mut b = bodies(&[(DVec3::new(-4.3, 0.0, 0.0), 4.25), (DVec3::new(4.3, 0.5, 0.0), 4.25)], 5164.0);
    b.velocity_m_s[0].x = 1e-3;
    let energy = breccia::base::units::G * b.mass_kg[0].powi(2) / 9.0;
    let (worst, seen) = compare(&s, &b, 4000, 10, energy);
    assert_close(worst, FALL);
    assert!(seen > 2);
}

#[test]
fn twenty_spheres_collide() {
    let (s, b) = cluster();
    let (worst, seen) = compare(&s, &b, 800, 20, kinetic(&b));
    assert_close(worst, IMPACT);
    assert!(seen > 100);
}
