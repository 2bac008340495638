//! Bodies of soft spheres that go too far in a step, or turn too far.

use super::soft_sphere::ReferenceEngine;
use crate::gpu::layout::control;
use crate::physics::contacts::Moving;
use glam::DVec3;
use std::f64::consts::PI;

/// Steps that a fast body must stay away from others.
const AHEAD: f64 = 4.0;

/// The first body at fault after a step, and its fault. Who meets nobody may be fast: no contact has to be resolved.
pub(crate) fn watch(engine: &ReferenceEngine) -> Option<(usize, control::Fault)> {
    let moving = &engine.moving;
    // bodies that meet move alike except for their motion in inertial space; walls are at rest in the frame
    let rate = engine.frame.as_ref().map_or(DVec3::ZERO, |frame| frame.rotation_rad_s(engine.step, engine.dt));
    let before_walls = if engine.walls.is_empty() || rate == DVec3::ZERO { 0.0 } else { 0.5 };
    let fast = |k: &usize| {
        let Moving { velocity, position, .. } = &moving[*k];
        let inertial = *velocity + rate.cross(*position);
        inertial.abs().max(before_walls * velocity.abs()).max_element() > engine.speed_max
    };
    let turned = |k: &usize| moving[*k].spin.length() * engine.dt > PI;
    let near = (0..moving.len()).find(|k| fast(k) && !alone(engine, *k)).map(|k| (k, control::OVERSPEED));
    near.or_else(|| (0..moving.len()).find(turned).map(|k| (k, control::TURN)))
}

/// Whether nothing can come into touch with body `k` within a few steps; walls may be anywhere.
fn alone(engine: &ReferenceEngine, k: usize) -> bool {
    let (bodies, moving) = (&engine.bodies, &engine.moving);
    let way = |velocity: DVec3| AHEAD * engine.dt * velocity.length();
    let (here, radius) = (moving[k].position, bodies.radius_m[k]);
    let apart = |j: usize| {
        let reach = radius + bodies.radius_m[j] + way(moving[k].velocity - moving[j].velocity);
        here.distance_squared(moving[j].position) > reach * reach
    };
    let clear = |g: &crate::physics::surface::ground::Ground| {
        g.tree.boxes.within(here, radius + way(moving[k].velocity)).is_empty()
    };
    engine.walls.is_empty() && engine.ground.as_ref().is_none_or(clear) && (0..moving.len()).all(|j| j == k || apart(j))
}
