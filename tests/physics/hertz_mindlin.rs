//! The Hertz-Mindlin law: restitution at every speed, duration of a collision, Coulomb limit, ledger, time step; both
//! engines.

use crate::common::*;
use breccia::engine::Engine;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::laws::contact::{ContactState, Twin};
use breccia::physics::laws::hertz_mindlin::{self, Hertz};
use breccia::physics::time_step::time_step;
use glam::DVec3;
use rand::{RngExt, SeedableRng};

/// Rock of 100 MPa that keeps `e` of its speed.
fn rock(e: f64) -> Material {
    Material::new("rock", 3350.0)
        .with("youngs_modulus_pa", 1e8)
        .with("poisson_ratio", 0.25)
        .with("restitution_normal", e)
        .with("restitution_tangential", e)
        .with("friction_sliding", 0.5)
}

/// The same with rolling and twisting friction.
fn rough() -> Material {
    rock(0.6).with("friction_rolling", 0.3).with("friction_twisting", 0.5).with("shape_parameter", 0.5)
}

fn elastic(material: Material) -> Scenario {
    let mut s = scenario(vec![material]);
    s.run.contact_law = hertz_mindlin::ENTRY.law.choice();
    s.run.time_step_fraction = hertz_mindlin::ENTRY.law.time_step_fraction();
    s
}

fn engines(s: &Scenario, b: &Bodies) -> [(&'static str, Box<dyn Engine>); 2] {
    [("GPU", Box::new(engine(s, b))), ("f64", Box::new(reference(s, b)))]
}

/// The first snapshot after a contact in which nothing touches any more.
fn apart(engine: &mut dyn Engine, every: u64) -> Snapshot {
    let (mut met, mut step) = (false, 0);
    while step < 200_000 {
        step += every;
        engine.run_to(step).expect("steps");
        let shot = engine.snapshot().expect("snapshot");
        if met && shot.contacts.is_empty() {
            return shot;
        }
        met |= !shot.contacts.is_empty();
    }
    panic!("they never part");
}

fn kinetic(b: &Bodies) -> f64 {
    let of = |k: usize| {
        let turning = 0.4 * (b.radius_m[k] * b.spin_rad_s[k].length()).powi(2);
        0.5 * b.mass_kg[k] * (b.velocity_m_s[k].length_squared() + turning)
    };
    (0..b.len()).map(of).sum()
}

fn lost(s: &Snapshot) -> f64 {
    let d = s.dissipated;
    d.normal_j + d.sliding_j + d.rolling_j + d.twisting_j
}

/// Two spheres, the second on its way to the first, close enough that they soon touch.
fn towards(speed: f64, ratio: f64) -> Bodies {
    let gap = 4e-7 + speed * 1e-3;
    let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::X * (R * (1.0 + ratio) + gap), ratio * R)], 3350.0);
    b.velocity_m_s[1].x = -speed;
    b
}

/// Three decades of speed, to 1 % of the restitution typed.
#[test]
fn restitution_is_as_typed_at_every_speed() {
    for e in [0.3, 0.7, 0.95] {
        for speed in [1e-3, 1e-2, 0.1, 1.0] {
            let (s, b) = (elastic(rock(e)), towards(speed, 1.0));
            for (name, mut engine) in engines(&s, &b) {
                let after = apart(&mut *engine, 8);
                let v = after.bodies.velocity_m_s[1].x - after.bodies.velocity_m_s[0].x;
                println!("{name} e {e} at {speed} m/s: {:.5}", v / speed);
                assert!((v / speed / e - 1.0).abs() < 0.01, "{name} {e} at {speed} m/s: {}", v / speed);
            }
        }
    }
}

/// The closed form holds for any sizes, and against a wall.
#[test]
fn restitution_is_as_typed_for_other_sizes_and_on_a_wall() {
    let mut on_wall = elastic(rock(0.6));
    on_wall.walls = vec![wall(DVec3::ZERO)];
    let mut falling = bodies(&[(DVec3::Z * (R + 1e-5), R)], 3350.0);
    falling.velocity_m_s[0].z = -0.05;
    for (name, mut engine) in engines(&on_wall, &falling) {
        let mut shots = (1..2000).map(|k| {
            engine.run_to(20 * k).expect("steps");
            engine.snapshot().expect("snapshot")
        });
        let after = shots.find(|s| s.bodies.velocity_m_s[0].z > 0.0 && s.wall_contacts.is_empty()).expect("bounces");
        let e = after.bodies.velocity_m_s[0].z / 0.05;
        assert!((e / 0.6 - 1.0).abs() < 0.01, "{name}, wall: {e}");
    }
    let (s, b) = (elastic(rock(0.6)), towards(0.05, 8.0));
    for (name, mut engine) in engines(&s, &b) {
        let after = apart(&mut *engine, 8);
        let e = (after.bodies.velocity_m_s[1].x - after.bodies.velocity_m_s[0].x) / 0.05;
        assert!((e / 0.6 - 1.0).abs() < 0.01, "{name}, 1:8: {e}");
    }
}

/// Hertz: m x'' = -K x^(3/2) from first touch at v gives the deepest overlap d = (5 m v^2 / 4 K)^(2/5) and the duration
/// 2 d/v times the integral of (1 - u^(5/2))^(-1/2) over u from 0 to 1. With k = 4 K / 5 it is C (m^2 / (k^2 v))^(1/5), and
/// C = 4 sqrt(pi) Gamma(2/5) / (5 Gamma(9/10)) = 2.9432750.
#[test]
fn a_collision_lasts_as_hertz_has_it() {
    // u = 1 - w^2 takes the singularity at u = 1 away; midpoints
    let n = 2_000_000;
    let at = |k: i32| {
        let w = (f64::from(k) + 0.5) / f64::from(n);
        2.0 * w / (1.0 - (1.0 - w * w).powf(2.5)).sqrt() / f64::from(n)
    };
    let constant = 2.0 * (0..n).map(at).sum::<f64>();
    assert!((constant - 2.943_275).abs() < 1e-6, "{constant}");
    let law = Hertz::between(&rock(1.0), &rock(1.0));
    let (mass, radius) = (7.0_f64, 0.05_f64);
    let k = 0.8 * law.modulus_normal * radius.sqrt();
    for speed in [1e-3, 1e-2, 0.1, 1.0] {
        let wanted = constant * (mass * mass / (k * k * speed)).powf(0.2);
        let dt = 1e-4 * wanted;
        let (mut overlap, mut v, mut a, mut t, mut deepest) = (0.0, speed, 0.0, 0.0, 0.0_f64);
        while t == 0.0 || overlap > 0.0 {
            v += 0.5 * a * dt;
            overlap += v * dt;
            let s =
                ContactState { normal: DVec3::X, overlap, velocity: -v * DVec3::X, mass, radius, ..Default::default() };
            a = if overlap > 0.0 { law.force(&s, dt).force.x / mass } else { 0.0 };
            v += 0.5 * a * dt;
            t += dt;
            deepest = deepest.max(overlap);
        }
        println!("{speed} m/s: {t:.6e} s, {wanted:.6e} s by the closed form");
        assert!((t / wanted - 1.0).abs() < 1e-3, "{speed} m/s: {t} s for {wanted} s");
        assert!((law.contact_time_s(mass, radius, speed) / wanted - 1.0).abs() < 1e-6);
        assert!((deepest / law.deepest(mass, radius, speed) - 1.0).abs() < 1e-4, "{speed} m/s: {deepest} m");
    }
}

/// The same in both engines, to 1 %: the number of steps in contact.
#[test]
fn both_engines_take_that_long() {
    let mut s = elastic(rock(1.0));
    s.run.time_step_fraction = 0.02;
    let b = towards(0.01, 1.0);
    let law = Hertz::between(&s.materials[0], &s.materials[0]);
    let wanted = law.contact_time_s(0.5 * b.mass_kg[0], 0.5 * R, 0.01);
    let dt = time_step(&s, &b).dt_s;
    for (name, mut engine) in engines(&s, &b) {
        let mut touching = 0;
        for step in 1..(1.5 * wanted / dt) as u64 {
            engine.run_to(step).expect("steps");
            touching += u64::from(!engine.snapshot().expect("snapshot").contacts.is_empty());
        }
        let took = touching as f64 * dt;
        println!("{name}: {took:.5e} s of {wanted:.5e} s, {touching} steps");
        assert!((took / wanted - 1.0).abs() < 0.01, "{name}: {took} s for {wanted} s");
    }
}

/// Contacts of spheres of 0.1 and 0.07 m with anything from rest to gross sliding, with springs that the step before left
/// at another overlap.
fn contacts(law: &Hertz) -> Vec<ContactState> {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(11);
    let mut any = move || DVec3::from_array([0; 3].map(|_| rng.random_range(-1.0..1.0)));
    let mut one = |k: i32| {
        let vigour = 10f64.powi(-(k % 6));
        let before = 1e-4 * (0.5 + 0.5 * any().x);
        let mut s = ContactState {
            normal: any().normalize(),
            overlap: before,
            velocity: 0.05 * vigour * any(),
            spin_i: vigour * any(),
            spin_j: vigour * any(),
            arm_i: 0.1 - 0.6 * before,
            arm_j: 0.07 - 0.4 * before,
            mass: 7.0,
            radius: 0.1 * 0.07 / 0.17,
            ..ContactState::default()
        };
        s.springs = law.force(&s, DT).springs;
        s.before = before;
        s.overlap = before * (1.0 + 0.5 * any().x);
        s
    };
    (0..3000).map(&mut one).collect()
}

const DT: f64 = 1e-3;

/// Friction is at most mu of the load, the torques add up, and what a step loses by sliding, rolling and twisting is not
/// negative, whether the contact grows or shrinks.
#[test]
fn friction_stays_below_its_limit_and_only_loses() {
    let law = Hertz::between(&rough(), &rough());
    let (mut at_limit, mut below) = (0, 0);
    for s in contacts(&law) {
        let (r, n) = (law.force(&s, DT), s.normal);
        let load = (-r.force.dot(n)).max(0.0);
        let drag = r.force - r.force.dot(n) * n;
        let limit = law.friction.sliding * load;
        assert!(drag.length() <= limit * (1.0 + 1e-9) + 1e-12, "{} beyond {limit}", drag.length());
        if drag.length() > 0.999 * limit {
            at_limit += 1
        } else {
            below += 1
        }
        let d = (s.arm_i + s.arm_j) * n;
        let left = r.torque_i + r.torque_j - d.cross(r.force);
        assert!(left.length() <= 1e-9 * (d.length() * r.force.length()), "torque {left} is left");
        // losses of the three springs together: rolling follows slip between unequal spheres
        let work = r.force.length() * s.velocity.length() * DT;
        let [_, sliding, rolling, twisting] = r.dissipated;
        assert!(sliding + rolling > -1e-9 * work && twisting > -1e-9 * work, "{:?} of {work}", r.dissipated);
    }
    assert!(at_limit > 300 && below > 300, "{at_limit} at the limit, {below} below");
}

/// A sliding spring that is stretched and never let go: whatever the overlap does, it gives back no more than was put in,
/// and what it loses is what the ledger books.
#[test]
fn a_change_of_overlap_feeds_no_spring() {
    let law = Hertz::between(&rock(1.0).with("friction_sliding", 10.0), &rock(1.0).with("friction_sliding", 10.0));
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(5);
    for _ in 0..200 {
        let mut s = ContactState {
            normal: DVec3::X,
            overlap: 1e-4,
            mass: 1.0,
            radius: 0.05,
            arm_i: 0.1,
            arm_j: 0.1,
            ..ContactState::default()
        };
        let (mut work, mut booked) = (0.0, 0.0);
        for _ in 0..40 {
            s.velocity = rng.random_range(-1e-3..1e-3) * DVec3::Y;
            let r = law.force(&s, DT);
            work += r.force.dot(s.velocity) * DT;
            assert!(r.dissipated[1] >= -1e-18, "{} J are gained", -r.dissipated[1]);
            booked += r.dissipated[1];
            (s.springs, s.before) = (r.springs, s.overlap);
            s.overlap *= rng.random_range(0.7..1.4);
        }
        let held = law.held(s.radius, s.before, &s.springs)[0];
        assert!((work - booked - held).abs() < 1e-12 * (work.abs() + booked), "{work} J, {booked} lost, {held} held");
    }
}

/// Unequal, spinning spheres off the line of centres.
#[test]
fn an_oblique_impact_closes_the_ledger_and_keeps_momentum() {
    let s = elastic(rough());
    let mut b = bodies(&[(DVec3::new(0.3, 0.1, 0.0), R), (DVec3::new(0.3, 0.32, 0.1), 1.5 * R)], 3350.0);
    (b.velocity_m_s[0], b.velocity_m_s[1]) = (DVec3::new(0.03, 0.05, 0.0), DVec3::new(0.0, -0.02, -0.01));
    (b.spin_rad_s[0], b.spin_rad_s[1]) = (DVec3::new(0.1, -0.2, 0.3), DVec3::new(-0.2, 0.1, 0.1));
    let momentum = |b: &Bodies| (0..2).map(|k| b.mass_kg[k] * b.velocity_m_s[k]).sum::<DVec3>();
    for (name, mut engine) in engines(&s, &b) {
        let after = apart(&mut *engine, 16);
        let left = (kinetic(&after.bodies) + lost(&after) - kinetic(&b)) / lost(&after);
        let pushed = momentum(&after.bodies).distance(momentum(&b)) / momentum(&b).length();
        let d = after.dissipated;
        println!("{name}: P {pushed:.1e} ledger {left:.1e} of what is lost {d:?}");
        assert!(left.abs() < 2e-3 && pushed < 1e-6, "{name}: ledger {left}, momentum {pushed}");
        assert!(d.normal_j > 0.0 && d.sliding_j > 0.0 && d.rolling_j > 0.0 && d.twisting_j > 0.0, "{name}: {d:?}");
    }
}

/// Twenty spheres under gravity: contacts and ledger of both engines, in the middle of their collisions.
#[test]
fn both_engines_take_the_same_steps_and_close_the_ledger() {
    let (mut s, mut b) = cluster();
    (s.materials, s.gravity) = (vec![rough()], vec![]);
    s.run = elastic(rough()).run;
    // apart at first, and faster
    b.position_m.iter_mut().for_each(|p| *p *= 1.25);
    b.velocity_m_s.iter_mut().for_each(|v| *v *= 4.0);
    let [(_, mut gpu), (_, mut truth)] = engines(&s, &b);
    let mut met = 0;
    for k in 1..=12 {
        let [a, c] = [&mut gpu, &mut truth].map(|e| {
            e.run_to(200 * k).expect("steps");
            e.snapshot().expect("snapshot")
        });
        met = met.max(a.contacts.len());
        let (energy, losses) = (kinetic(&b), (lost(&a) - lost(&c)).abs());
        let ledger = [&a, &c].map(|s| {
            let stored: f64 = s.contacts.iter().map(|c| c.elastic_j).sum();
            (kinetic(&s.bodies) + stored + lost(s) - energy) / energy
        });
        println!("step {}: {} contacts, losses {:.1e}, ledger {ledger:?}", a.step, a.contacts.len(), losses / energy);
        assert!(losses < 1e-6 * energy, "step {}: losses differ by {losses} of {energy}", a.step);
        assert!(ledger.iter().all(|l| l.abs() < 2e-3), "step {}: {ledger:?}", a.step);
    }
    assert!(met > 3, "{met} contacts");
}

/// pi R sqrt(rho/G) / (0.1631 nu + 0.8766) of the lightest body, whichever material it has.
#[test]
fn the_step_is_a_share_of_the_rayleigh_time() {
    let mut s = elastic(rock(0.5));
    s.materials.push(rock(0.5).with("youngs_modulus_pa", 1e10));
    let mut b = towards(0.1, 3.0);
    let time = |r: f64, e: f64| std::f64::consts::PI * r * (3350.0f64 / (e / 2.5)).sqrt() / (0.1631 * 0.25 + 0.8766);
    let step = time_step(&s, &b);
    assert!((step.dt_s / (0.05 * time(R, 1e8)) - 1.0).abs() < 1e-3, "{step:?}");
    assert!(step.reason.contains("5 % of the Rayleigh time"), "{}", step.reason);
    // the larger sphere is so much harder that it decides
    b.material = vec![0, 1];
    s.run.time_step_fraction = 0.01;
    let step = time_step(&s, &b);
    assert!((step.dt_s / (0.01 * time(3.0 * R, 1e10)) - 1.0).abs() < 1e-3, "{step:?}");
}
