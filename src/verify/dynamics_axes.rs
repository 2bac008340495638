//! Contact dynamics in a frame that turns: the axes turn back with it at the end of a step.

use super::cloud::{Cloud, cases, random, uniform, vector};
use super::dynamics_spin::{Tops, inertia, tops, unit};
use super::dynamics_step::{next, pushes, run_move, turning, watch, wild};
use super::dynamics_system::SPARE;
use super::harness::{Harness, filled};
use super::step::fixed;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::engine::gpu::parts::rigid::set_axes;
use crate::gpu::constants::SOLVER_WAITS;
use crate::gpu::elements::body::{BodyInertia, BodyState, BodyView, Orientation};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::layout::{BodyWords, DynamicsParams, control};
use crate::physics::frame::step::Turn;
use crate::physics::turn::spin;
use glam::{DQuat, DVec3};

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_axes",
    compares: "Contact dynamics in a rotating frame: positions, velocities, spins and shapes turn back with the axes.",
    bounds: "Vectors are integers and are rounded twice; shapes are about 30 operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["move_in_frame"],
        what: "positions, velocities and spins turn back with the axes",
        unit: "of two units and 1e-12 of what turning changes",
        bound: 1.0,
        reason: "whole numbers: each vector is rounded twice",
        compare: moved,
    },
    Check::exact(&["move_in_frame"], "who asks for a list, faults, as what it leaves has them", watched),
    Check {
        passes: &["turn_shapes"],
        what: "orientation, angular momentum, spin and inertia turn back with the axes",
        unit: "of each; turns with 0.01 rad",
        bound: 2e-6,
        reason: "about 30 operations at 6e-8; quaternions are cut at 2^-30, 1e-7 of 0.01 rad",
        compare: shapes,
    },
];

/// Rotation vectors of a step: none, an aggregate's, a fast one.
fn turns() -> [DVec3; 4] {
    [DVec3::ZERO, DVec3::new(0.0, 0.0, 2e-3), DVec3::new(3e-7, 1e-7, -2e-7), DVec3::new(0.03, -0.5, 0.2)]
}

fn params_of(turn: &Turn) -> DynamicsParams {
    let mut dynamics = DynamicsParams { anchor_max: 0.02, ..DynamicsParams::default() };
    set_axes(&mut dynamics, turn);
    dynamics
}

/// Distance of `found` from E^T `start` in units, over two units and 1e-12 of what turning changes. Differences of integers are
/// exact, whatever the numbers.
fn off_units(turn: &Turn, start: [i64; 3], found: [i64; 3]) -> f64 {
    let from = DVec3::from_array(start.map(|x| x as f64));
    let change = DVec3::from_array([0, 1, 2].map(|k| found[k].wrapping_sub(start[k]) as f64));
    let wanted = turn.back() * from;
    change.distance(wanted) / (2.0 + 1e-12 * wanted.length())
}

fn body_of(state: &BodyState, body: &BodyWords) -> BodyWords {
    let BodyState { position, velocity, spin } = *state;
    BodyWords { position, velocity, spin, ..*body }
}

fn moved(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut clouds: Vec<Cloud> = cases().into_iter().map(|c| turning(c.moving(1e-3, 8))).collect();
    clouds.push(turning(uniform("65 bodies", 65, 3.0, (0.1, 0.4), 9).moving(3e-3, 9)));
    let mut spun = turning(uniform("a body that turns too far", 65, 3.0, (0.1, 0.4), 9).moving(1e-3, 9));
    spun.bodies[40].spin[1] = -fixed(3.2);
    clouds.push(spun);
    for (cloud, vector) in clouds.iter().flat_map(|cloud| turns().map(|v| (cloud, v))) {
        t.case(format!("{}, turning {vector:?}", cloud.name));
        let (turn, push) = (Turn::new(vector), pushes(cloud));
        let dynamics = params_of(&turn);
        let words = run_move(h, "move_in_frame", cloud, &push, &dynamics)?;
        let straight = next(cloud, &push, &dynamics, words);
        let (after, views): (Vec<BodyState>, Vec<BodyView>) = (h.read("body_state")?, h.read("body_view")?);
        for (b, body) in cloud.bodies.iter().enumerate() {
            let (from, to) = (body_of(&straight.state[b], body), body_of(&after[b], body));
            t.off("position", b, off_units(&turn, from.position, to.position));
            t.off("velocity", b, off_units(&turn, from.velocity, to.velocity));
            t.off("spin", b, off_units(&turn, from.spin, to.spin));
            let BodyView { anchor, clump_or_room, .. } = cloud.view()[b];
            t.equal("view", &[views[b]], &[BodyView { anchor, clump_or_room, ..to.view() }]);
        }
        let found: Control = h.read_one("control")?;
        // the edge of space is met otherwise by axes that turn
        let turns = |words: &Control| words.fault_body & control::TURN.0;
        let (told, wanted) = ([found.step, found.solver, turns(&found)], [13, SOLVER_WAITS, turns(&straight.words)]);
        t.equal("step, solver and turns too far", &told, &wanted);
        t.equal("states behind", &after[cloud.len()..], &[filled(3); SPARE]);
    }
    Ok(())
}

/// Bodies that break one rule each, in frames that turn or not: control words by the state that the pass leaves.
fn watched(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (cloud, push) in wild() {
        for vector in turns() {
            t.case(format!("{}, turning {vector:?}", cloud.name));
            let dynamics = params_of(&Turn::new(vector));
            let mut words = run_move(h, "move_in_frame", &cloud, &push, &dynamics)?;
            (words.step, words.solver) = (words.step + 1, SOLVER_WAITS);
            let (after, motion_max) = (h.read::<BodyState>("body_state")?, cloud.params().motion_max);
            for (b, body) in cloud.bodies.iter().enumerate() {
                let now = body_of(&after[b], body);
                watch(&mut words, b, &now, &push[b], &cloud.view()[b], &dynamics, motion_max);
            }
            if words.fault_body & control::NON_FINITE.0 != 0 {
                t.equal("state that is left alone", &[after[130]], &[cloud.bodies[130].state()]);
            }
            t.equal("control", &h.read::<Control>("control")?, &[words]);
        }
    }
    Ok(())
}

/// What the pass leaves of a body.
struct After {
    turn: Vec<Orientation>,
    angular: Vec<[i64; 3]>,
    view: Vec<BodyView>,
    inertia: Vec<BodyInertia>,
}

fn turned(h: &mut Harness, tops: &Tops, turn: &Turn) -> Result<After> {
    tops.fill(h)?;
    h.uniform("dynamics", &params_of(turn))?;
    h.run("turn_shapes", (tops.turn.len() + SPARE).div_ceil(64) as u32)?;
    Ok(After {
        turn: h.read("body_turn")?,
        angular: h.read("body_angular")?,
        view: h.read("body_view")?,
        inertia: h.read("body_inertia")?,
    })
}

fn shapes(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut random = random(3);
    for (count, vector) in [1, 64, 65, 300].into_iter().zip(turns()).chain([(100, 1e-3 * vector(&mut random))]) {
        t.case(format!("{count} bodies, turning {vector:?}"));
        let (tops, turn) = (tops(count, 0.03, false), Turn::new(vector));
        let after = turned(h, &tops, &turn)?;
        for b in 0..count {
            let moments = tops.moments[b];
            let q = unit(after.turn[b]);
            let wanted = DQuat::from_scaled_axis(-vector) * unit(tops.turn[b]);
            t.off("orientation", b, 2.0 * (q.inverse() * wanted).xyz().length() / (vector.length() + 0.01));
            t.hold(match off_units(&turn, tops.angular[b], after.angular[b]) {
                off if off <= 1.0 => Ok(()),
                off => Err(format!("angular momentum[{b}]: off by {off} times two units")),
            });
            let angular = tops.momentum(b, after.angular[b]);
            let truth = spin(q, angular, moments);
            let fast = angular.length() / moments.min_element();
            t.off("spin", b, in_f64(after.view[b].spin).distance(truth) / fast.max(1e-30));
            let root = after.inertia[b].root();
            let truth = inertia(q, moments.map(|i| i.sqrt().recip()));
            let off = (root - truth).to_cols_array().into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            t.off("root of the inverse inertia", b, off * moments.min_element().sqrt());
        }
    }
    Ok(())
}
