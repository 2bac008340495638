//! The f64 engine by itself: restarts, guards, sizes that the GPU engine does not take.

use crate::common::*;
use breccia::engine::Engine;
use breccia::engine::reference::soft_sphere::ReferenceEngine;
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::time_step::time_step;
use glam::DVec3;

fn saved(engine: &mut ReferenceEngine) -> Vec<(String, Vec<u8>)> {
    engine.save().expect("save")
}

/// Step by step to the first instant from step 200 on, out of step with gravity, that `wanted` likes.
fn run_until(engine: &mut ReferenceEngine, wanted: impl Fn(&Snapshot) -> bool) -> u64 {
    for step in (200..700).filter(|s| s % 7 != 0) {
        engine.run_to(step).expect("run");
        if wanted(&engine.snapshot().expect("snapshot")) {
            return step;
        }
    }
    panic!("no such instant");
}

#[test]
fn a_restart_changes_no_bit() {
    let (mut s, b) = cluster();
    s.walls = vec![Wall { point_m: DVec3::new(0.0, 0.0, -0.27), ..wall(DVec3::new(0.0, 0.0, 0.15)) }];
    let (mut whole, mut first, mut second) = (reference(&s, &b), reference(&s, &b), reference(&s, &b));
    whole.run_to(700).expect("run");
    // Between two evaluations of gravity, with springs to carry over
    let seen = run_until(&mut first, |s| !s.contacts.is_empty() && !s.wall_contacts.is_empty());
    println!("restarted at step {seen}");
    second.restore(&saved(&mut first)).expect("restore");
    assert_eq!(saved(&mut first), saved(&mut second));
    let (a, b) = (first.snapshot().expect("snapshot"), second.snapshot().expect("snapshot"));
    assert_eq!(format!("{a:?}"), format!("{b:?}"));
    second.run_to(700).expect("run");
    assert_eq!(saved(&mut whole), saved(&mut second));
}

#[test]
fn damaged_states_are_refused() {
    let (s, b) = cluster();
    let mut engine = reference(&s, &b);
    run_until(&mut engine, |s| !s.contacts.is_empty());
    let state = saved(&mut engine);
    for name in ["words", "totals", "moving", "pairs", "wall_touches"] {
        let less: Vec<_> = state.iter().filter(|b| b.0 != name).cloned().collect();
        let message = engine.restore(&less).expect_err(name).to_string();
        assert!(message.contains(&format!("lacks `{name}`")), "{message}");
        let mut cut = state.clone();
        cut.iter_mut().filter(|b| b.0 == name).for_each(|b| b.1.push(0));
        let message = engine.restore(&cut).expect_err(name).to_string();
        assert!(message.contains("does not fit"), "{message}");
    }
    let mut foreign = state.clone();
    foreign.iter_mut().filter(|b| b.0 == "pairs").for_each(|b| b.1[..4].copy_from_slice(&99u32.to_le_bytes()));
    let message = engine.restore(&foreign).expect_err("body 99 of 20").to_string();
    assert!(message.contains("`pairs` does not fit"), "{message}");
    assert_eq!(saved(&mut engine), state, "a refused state leaves the engine as it was");
}

/// The same guards with the same words in both engines.
#[test]
fn guards_stop_both_engines_alike() {
    let s = scenario(vec![material()]);
    let pair = |gap: f64, speed: f64| {
        let mut b = bodies(&[(DVec3::ZERO, R), (DVec3::new(2.0 * R + gap, 0.0, 0.0), R)], 3350.0);
        b.velocity_m_s[1].x = -speed;
        b
    };
    let dt = time_step(&s, &pair(0.0, 0.0)).dt_s;
    let infinite = Scenario {
        gravity: vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.0, f64::INFINITY, 0.0) }],
        ..s.clone()
    };
    // The limit is 2^-7 L a step, L = 0.25 m.
    let fast = 0.99 * 0.25 / 128.0 / dt;
    let mut pushed = s.clone();
    pushed.gravity = vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(-0.05 * fast / dt, 0.0, 0.0) }];
    for (scenario, bodies, what) in [
        (&s, pair(-0.5 * R, 0.0), "body 0 overlaps another, a wall or the asteroid too much"),
        (&infinite, pair(0.1, 0.0), "body 0 feels a force that is not finite"),
        (&pushed, pair(0.02, fast), "body 1 moves too fast"),
    ] {
        for result in [reference(scenario, &bodies).run_to(100), engine(scenario, &bodies).run_to(100)] {
            let error = result.expect_err(what);
            assert_eq!(error.exit_code(), 6);
            assert!(error.to_string().contains(what), "{what}: {error}");
        }
    }
    let message = ReferenceEngine::new(&s, &Bodies::default(), dt).map(|_| ()).expect_err("no bodies").to_string();
    assert!(message.contains("no bodies"), "{message}");
}

/// A grain of 1 mm strikes a body of 1 m: beyond the GPU engine, which says so, and nothing special here.
#[test]
fn any_ratio_of_sizes() {
    let mut m = material();
    m.set("restitution_normal", 0.7);
    let s = scenario(vec![m]);
    let mut b = bodies(&[(DVec3::ZERO, 1.0), (DVec3::new(0.0, 1.001001, 0.0), 0.001)], 3350.0);
    b.velocity_m_s[1].y = -0.01;
    let dt = time_step(&s, &b).dt_s;
    let refused = breccia::engine::gpu::prepare::prepare(&s, &b, dt, false).map(|_| ()).expect_err("ratio").to_string();
    assert!(refused.contains("--engine reference"), "{refused}");
    let mut engine = reference(&s, &b);
    engine.run_to(200).expect("run");
    let after = engine.snapshot().expect("snapshot");
    assert!(after.contacts.is_empty());
    // 2 % of the contact time a step: as in tests/physics/restitution.rs
    let rebound = (after.bodies.velocity_m_s[1].y - after.bodies.velocity_m_s[0].y) / 0.01;
    assert!((rebound - 0.7).abs() < 0.01, "{rebound}");
}

/// The f64 engine takes any number of walls; invocations of the GPU engine go over them one by one.
#[test]
fn walls_beyond_what_an_invocation_goes_over() {
    let mut s = scenario(vec![material()]);
    let b = bodies(&[(DVec3::new(0.0, 0.0, 1.0), R)], 3350.0);
    for (walls, taken) in [(8192, true), (8193, false)] {
        s.walls = vec![wall(DVec3::ZERO); walls];
        let found = breccia::engine::gpu::limits::refuse(&s, &b, time_step(&s, &b).dt_s);
        assert_eq!(found.is_ok(), taken, "{walls} walls");
        if let Err(error) = found {
            assert!(error.to_string().contains("8193 walls are more than the 8192 of the GPU engine"), "{error}");
            assert_eq!(error.exit_code(), 2);
        }
    }
}
