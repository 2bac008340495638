//! Drivers of the contact problem against cases with a known answer, and against each other.

use crate::common::aggregates::{DRIVERS, Shape, largest_eigenvalue, random_aggregate};
use crate::common::{bodies, wall};
use breccia::engine::reference::coloured::colours;
use breccia::engine::reference::dynamics::{Dynamics, RigidLaw};
use breccia::engine::reference::solution::{Driver, Measure, Stop, StopReason};
use breccia::engine::reference::splitting::{Counting, metric};
use breccia::engine::reference::{jacobi, nsgs};
use breccia::physics::rigid::judge::violations;
use breccia::physics::rigid::momentum::Momentum;
use breccia::physics::rigid::problem::{Body, Contact, Problem};
use breccia::physics::rigid::{Delassus, Diagonal};
use glam::{DMat3, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// To rounding: what is left is far below the tolerances of the tests.
const TIGHT: Stop =
    Stop { measure: Measure::QuadDv, tolerance: 1e-12, floor_m_s: 1e-16, iterations_max: 100_000, check_every: 8 };

/// Gravity in the tests (m/s2).
const G: f64 = 9.81;

fn dynamics(spheres: &[(DVec3, f64)], law: RigidLaw, step_s: f64, driver: Driver) -> Dynamics {
    Dynamics { driver, stop: TIGHT, ..Dynamics::new(bodies(spheres, 2000.0), law, step_s) }
}

/// Velocity after one second of a block that does not turn, on a slope of `angle` from rest; x is down the slope.
fn slide(driver: Driver, angle: f64, friction: f64) -> DVec3 {
    let (h, mass) = (0.01, 3.0);
    let block = Body { inverse_mass: 1.0 / mass, inverse_inertia: DMat3::ZERO, along: None };
    let weight = G * DVec3::new(angle.sin(), 0.0, -angle.cos());
    let (mut velocity, mut impulses) = (DVec3::ZERO, vec![DVec3::ZERO]);
    for _ in 0..100 {
        velocity += h * weight;
        let (arm_i, arm_j) = (DVec3::new(0.0, 0.0, -0.5), DVec3::ZERO);
        let contact = Contact { i: 0, j: 1, normal: DVec3::Z, arm_i, arm_j, velocity, friction, cohesion: 0.0 };
        let problem = Problem { bodies: vec![block, Body::WALL], contacts: vec![contact] };
        let solution = driver(&problem, &impulses, &TIGHT);
        assert_eq!(solution.reason, StopReason::Converged);
        velocity += problem.apply(&solution.impulses)[0].velocity;
        impulses = solution.impulses;
    }
    velocity
}

#[test]
fn a_block_sticks_below_the_friction_angle_and_slides_above() {
    for (name, driver) in DRIVERS {
        let held = slide(driver, 0.99 * 0.5f64.atan(), 0.5);
        assert!(held.length() < 1e-9, "{name}: {held}");
        let angle: f64 = 0.6;
        let slid = slide(driver, angle, 0.5);
        let expected = DVec3::X * G * (angle.sin() - 0.5 * angle.cos());
        assert!((slid - expected).length() < 1e-9, "{name}: {slid}, {expected}");
    }
}

#[test]
fn shocks_restore_what_is_asked_and_keep_momentum() {
    for ((name, driver), e) in DRIVERS.iter().flat_map(|d| [0.0, 0.4, 1.0].map(|e| (d, e))) {
        // Frictionless and off the axes; the centres are on the line of approach.
        let (along, law) = (DVec3::new(0.48, 0.6, 0.64), RigidLaw { restitution: e, ..Default::default() });
        let mut d = dynamics(&[(DVec3::ZERO, 0.1), (0.301 * along, 0.2)], law, 0.01, *driver);
        (d.bodies.velocity_m_s[0], d.bodies.velocity_m_s[1]) = (0.3 * along, -0.2 * along);
        let (a, b) = (d.bodies.mass_kg[0], d.bodies.mass_kg[1]);
        let centre = (0.3 * a - 0.2 * b) / (a + b);
        let steps = (0..5).map(|_| d.step()).collect::<Vec<_>>();
        for s in &steps {
            assert_eq!(s.reason, StopReason::Converged, "{name}, e {e}: {:?}", s.residuals);
        }
        let after = [centre - e * 0.5 * b / (a + b), centre + e * 0.5 * a / (a + b)].map(|v| v * along);
        for (k, expected) in after.iter().enumerate() {
            let v = d.bodies.velocity_m_s[k];
            assert!((v - *expected).length() < 1e-11, "{name}, e {e}, body {k}: {v}, {expected}");
        }
        // A plastic shock leaves them in touch: the gap is what closing to rate gap / h leaves.
        let gap = d.bodies.position_m[0].distance(d.bodies.position_m[1]) - 0.3;
        assert!(if e == 0.0 { gap.abs() < 1e-12 } else { gap > 1e-3 }, "{name}, e {e}: gap {gap}");
    }
}

#[test]
fn a_column_bears_its_weight() {
    let count = 10;
    let radius = |k: usize| 0.1 + 0.01 * (k % 3) as f64;
    let mut height = 0.0;
    let spheres: Vec<(DVec3, f64)> = (0..count)
        .map(|k| {
            height += 2.0 * radius(k);
            (DVec3::Z * (height - radius(k)), radius(k))
        })
        .collect();
    for (name, driver) in DRIVERS {
        let law = RigidLaw { friction: 0.5, ..Default::default() };
        let mut d = Dynamics { walls: vec![wall(DVec3::ZERO)], ..dynamics(&spheres, law, 0.01, driver) };
        d.field_m_s2 = -G * DVec3::Z;
        let solution = d.step();
        assert_eq!(solution.reason, StopReason::Converged, "{name}: {}", solution.residual());
        for touch in &d.touches {
            // Contacts are (k, k + 1) and (0, floor): all above the lower body rests on it.
            let above = if touch.j as usize == count { 0 } else { touch.j as usize };
            let sign = if above == 0 { 1.0 } else { -1.0 };
            let weight = d.bodies.mass_kg[above..].iter().sum::<f64>() * G * d.step_s;
            let error = (sign * touch.impulse_n_s - weight * DVec3::Z).length() / weight;
            assert!(error < 1e-8, "{name}, contact {} {}: {error}", touch.i, touch.j);
        }
        assert_eq!(d.touches.len(), count);
    }
}

/// A sphere that hangs from a ceiling by cohesion.
fn hanging(driver: Driver, load: f64, range: f64) -> Dynamics {
    let mut ceiling = wall(DVec3::ZERO);
    ceiling.normal = -DVec3::Z;
    let law = RigidLaw { cohesion_n: 10.0, cohesion_range_m: range, friction: 0.3, ..Default::default() };
    let mut d = Dynamics { walls: vec![ceiling], ..dynamics(&[(DVec3::Z * -0.1, 0.1)], law, 0.01, driver) };
    d.field_m_s2 = -DVec3::Z * load / d.bodies.mass_kg[0];
    d
}

#[test]
fn cohesion_holds_up_to_its_threshold() {
    for (name, driver) in DRIVERS {
        let mut held = hanging(driver, 9.99, 0.0);
        (0..50).for_each(|_| drop(held.step()));
        let v = held.bodies.velocity_m_s[0].length();
        assert!(v < 1e-10, "{name}: {v} m/s below the threshold");
        let force = held.touches[0].impulse_n_s / held.step_s;
        assert!((force - 9.99 * DVec3::Z).length() < 1e-9, "{name}: {force}");

        // Beyond it the whole 10 N pull as long as the gap is within the range, then nothing.
        let mut loose = hanging(driver, 12.0, 1e-4);
        let mass = loose.bodies.mass_kg[0];
        loose.step();
        let v = loose.bodies.velocity_m_s[0].z;
        assert!((v + 2.0 / mass * loose.step_s).abs() < 1e-12, "{name}: {v}");
        while loose.bodies.position_m[0].z > -0.1 - 1e-4 {
            loose.step();
        }
        let before = loose.bodies.velocity_m_s[0].z;
        loose.step();
        let gained = loose.bodies.velocity_m_s[0].z - before;
        assert!((gained + 12.0 / mass * loose.step_s).abs() < 1e-12, "{name}: {gained}");
    }
}

/// Cohesion shifts the cone too: a block on a vertical wall is held by mu r_0 alone.
#[test]
fn cohesion_gives_friction_its_load() {
    for ((name, driver), load) in DRIVERS.iter().flat_map(|d| [(d, 2.9), (d, 3.5)]) {
        let mut d = hanging(*driver, 0.0, 0.0);
        d.field_m_s2 = DVec3::X * load / d.bodies.mass_kg[0];
        d.step();
        // 10 N, mu 0.3: the sphere slips or rolls on a limit of 3 N; without slip friction is 2/7 of the load.
        let force = d.touches[0].impulse_n_s.x / d.step_s;
        assert!((force + load * 2.0 / 7.0).abs() < 1e-9, "{name}: {force}");
        let mut d = hanging(*driver, 0.0, 0.0);
        d.field_m_s2 = DVec3::X * 4.0 * load / d.bodies.mass_kg[0];
        d.step();
        let force = d.touches[0].impulse_n_s.x / d.step_s;
        let expected = (4.0 * load * 2.0 / 7.0).min(3.0);
        assert!((force + expected).abs() < 1e-9, "{name}: {force}, {expected}");
    }
}

#[test]
fn a_sliding_sphere_starts_to_roll() {
    for (name, driver) in DRIVERS {
        let law = RigidLaw { friction: 0.2, ..Default::default() };
        let mut d =
            Dynamics { walls: vec![wall(DVec3::ZERO)], ..dynamics(&[(DVec3::Z * 0.1, 0.1)], law, 1e-3, driver) };
        d.field_m_s2 = -G * DVec3::Z;
        d.bodies.velocity_m_s[0] = DVec3::X;
        // Slip ends at t = 2 v0 / (7 mu g); after half of it, the speed is v0 - mu g t.
        let end = 2.0 / (7.0 * 0.2 * G);
        (0..(0.5 * end / d.step_s) as usize).for_each(|_| drop(d.step()));
        let sliding = 1.0 - 0.2 * G * d.time_s;
        assert!((d.bodies.velocity_m_s[0].x - sliding).abs() < 1e-10, "{name}: {}", d.bodies.velocity_m_s[0]);
        while d.time_s < 1.5 * end {
            d.step();
        }
        // Impulses end the slip within a step: no error of the step's size is left.
        let (v, w) = (d.bodies.velocity_m_s[0], d.bodies.spin_rad_s[0]);
        assert!((v - DVec3::X * 5.0 / 7.0).length() < 1e-9, "{name}: {v}");
        assert!((w - DVec3::Y * 50.0 / 7.0).length() < 1e-8, "{name}: {w}");
    }
}

/// Without friction the velocities are unique: the drivers must agree, whatever the bodies.
#[test]
fn drivers_agree_where_the_solution_is_unique() {
    for shape in [Shape::Spheres, Shape::Boxes] {
        let problem = random_aggregate(shape, 60, 0.0, 0.0, 11);
        let zero = vec![DVec3::ZERO; problem.count()];
        let truth = problem.apply(&nsgs::exact(&problem, &zero, &TIGHT).impulses);
        let size = truth.iter().map(|m| m.velocity.length()).fold(0.0, f64::max);
        for (name, driver) in DRIVERS {
            let solution = driver(&problem, &zero, &TIGHT);
            assert_eq!(solution.reason, StopReason::Converged, "{shape:?}, {name}: {:?}", solution.residuals.last());
            let found = problem.apply(&solution.impulses);
            let error = found.iter().zip(&truth).map(|(a, b)| (a.velocity - b.velocity).length()).fold(0.0, f64::max);
            println!("{shape:?}, {name}: {} iterations, velocities within {:.1e}", solution.iterations, error / size);
            assert!(error < 1e-8 * size, "{shape:?}, {name}: {error} of {size} m/s");
        }
    }
}

/// With friction and cohesion solutions may differ, but each obeys the laws.
#[test]
fn every_driver_obeys_the_laws() {
    for (shape, cohesion) in [(Shape::Spheres, 0.0), (Shape::Spheres, 0.2), (Shape::Boxes, 0.0), (Shape::Boxes, 0.2)] {
        let problem = random_aggregate(shape, 60, 0.5, cohesion, 12);
        problem.check().expect("a sound problem");
        let zero = vec![DVec3::ZERO; problem.count()];
        for (name, driver) in DRIVERS {
            let solution = driver(&problem, &zero, &Stop { tolerance: 1e-10, ..TIGHT });
            let v = violations(&problem, &solution.impulses);
            let case = format!("{shape:?}, cohesion {cohesion}, {name}");
            println!("{case}: {} iterations, {:?}", solution.iterations, solution.reason);
            assert_eq!(solution.reason, StopReason::Converged, "{case}: {}", solution.residual());
            let worst = [v.approach_m_s, v.pull_n_s, v.complementarity_j, v.cone_n_s, v.slip_j];
            assert!(worst.iter().all(|w| *w < 1e-7), "{case}: {v:?}");
        }
    }
}

#[test]
fn the_metrics_bound_the_delassus_operator() {
    for (shape, seed) in
        [(Shape::Spheres, 1), (Shape::Spheres, 2), (Shape::Boxes, 1), (Shape::Boxes, 2), (Shape::Boxes, 3)]
    {
        for count in [2, 5, 20, 80] {
            let problem = random_aggregate(shape, count * 2, 0.5, 0.0, seed);
            if problem.count() == 0 {
                continue;
            }
            for counting in [Counting::Contacts, Counting::Spectral] {
                let value = largest_eigenvalue(&problem, &metric(&problem, counting));
                println!("{shape:?} {} contacts, {counting:?}: {value:.4}", problem.count());
                assert!(value <= 1.0 + 1e-9, "{shape:?}, seed {seed}, {count}, {counting:?}: {value}");
            }
        }
    }
}

/// A step that W <= D does not cover: iterations run away, and the driver says so.
#[test]
fn a_step_too_long_is_told() {
    let problem = random_aggregate(Shape::Spheres, 80, 0.5, 0.0, 4);
    let zero = vec![DVec3::ZERO; problem.count()];
    let long: Vec<Diagonal> = problem.diagonals().iter().map(|d| d.scaled(0.8)).collect();
    let momentum = Momentum { first: 0.9, iterations: u32::MAX };
    let solution = jacobi::solve(&problem, &zero, &TIGHT, &long, momentum);
    assert_eq!(solution.reason, StopReason::Diverged, "{:?}", solution.residuals.last());
}

/// Every contact has one colour, and contacts of a colour share no body but walls.
#[test]
fn colours_share_no_moving_body() {
    for seed in 1..6 {
        let problem = random_aggregate(Shape::Spheres, 100, 0.5, 0.0, seed);
        let groups = colours(&problem);
        let mut all: Vec<usize> = groups.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..problem.count()).collect::<Vec<_>>());
        let mut on_wall = 0;
        for group in &groups {
            let mut seen = vec![0; problem.bodies.len()];
            for c in group.iter().map(|c| &problem.contacts[*c]) {
                (seen[c.i], seen[c.j]) = (seen[c.i] + 1, seen[c.j] + 1);
            }
            let wall = seen.pop().unwrap();
            assert!(seen.iter().all(|n| *n <= 1), "seed {seed}: {seen:?}");
            on_wall = on_wall.max(wall);
        }
        // Greedy needs at most one more than the neighbours of a contact; the wall costs no colour.
        let degree = (0..100).map(|b| problem.contacts.iter().filter(|c| c.i == b || c.j == b).count()).max().unwrap();
        assert!(groups.len() < 2 * degree && on_wall > 1, "{} colours, degree {degree}, {on_wall}", groups.len());
    }
}

/// A flat body that falls askew on 24 points of a floor, with six ways to move: `inertia` over the mass.
fn on_many_points(seed: u64, inertia: f64) -> Problem {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut any = || DVec3::from_array([0; 3].map(|_: i32| random.random_range(-1.0..1.0f64)));
    let inverse_inertia = DMat3::from_diagonal((1.5 / inertia) / (any().abs() + 0.2));
    let body = Body { inverse_mass: 1.0, inverse_inertia, along: None };
    let (velocity, spin) = (any().with_z(-1.0), any());
    let contact = |arm_i: DVec3| Contact {
        i: 0,
        j: 1,
        normal: DVec3::Z,
        arm_i,
        arm_j: DVec3::ZERO,
        velocity: velocity + spin.cross(arm_i),
        friction: 0.3,
        cohesion: 0.0,
    };
    let contacts = (0..24).map(|_| contact(any().with_z(-0.5))).collect();
    Problem { bodies: vec![body, Body::WALL], contacts }
}

/// Where the diagonal gets to a solution, exact blocks do too: of these problems some make them go round for ever.
#[test]
fn exact_blocks_do_not_cycle_on_many_points_of_one_body() {
    let stop = Stop { tolerance: 1e-10, iterations_max: 6000, ..TIGHT };
    let mut solved = 0;
    for (seed, inertia) in (0..400).map(|k| (k, [0.02, 0.1, 1.0, 10.0][k as usize % 4])) {
        let problem = on_many_points(seed, inertia);
        let start = vec![DVec3::ZERO; 24];
        let diagonal = nsgs::diagonal(&problem, &start, &Stop { iterations_max: 3000, ..stop });
        if diagonal.reason == StopReason::Converged {
            let exact = nsgs::exact(&problem, &start, &stop);
            let at = exact.residual();
            assert_eq!(
                exact.reason,
                StopReason::Converged,
                "seed {seed}: {at:e}, the diagonal {}",
                diagonal.iterations
            );
            solved += 1;
        }
    }
    assert!(solved > 350, "the diagonal solved {solved} of 400");
}
