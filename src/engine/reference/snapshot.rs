//! The reference engine's state as a [`Snapshot`]: contact forces of the last step, or before the first one
//! those that it will use; all else of the instant.

use super::soft_sphere::ReferenceEngine;
use crate::model::snapshot::{Contact, Dissipated, Snapshot, WallContact};
use crate::physics::contacts::effective_radius;
use crate::physics::start;
use crate::physics::surface::shown::shown;

pub(crate) fn take(engine: &ReferenceEngine) -> Snapshot {
    let [normal_j, sliding_j, rolling_j, twisting_j, wall_work_j] = engine.totals;
    let mut snapshot = Snapshot {
        step: engine.step,
        time_s: engine.step as f64 * engine.dt,
        bodies: engine.bodies.clone(),
        dissipated: Dissipated { normal_j, sliding_j, rolling_j, twisting_j },
        wall_work_j,
        contacts: contacts(engine),
        ..Snapshot::default()
    };
    snapshot.wall_contacts = wall_contacts(engine, snapshot.time_s);
    if let Some(ground) = &engine.ground {
        let positions: Vec<_> = engine.moving.iter().map(|m| m.position).collect();
        let (touches, wall) = (&engine.surface_touches, engine.walls.len() as u32);
        snapshot.wall_contacts.extend(shown(ground, &engine.laws, &engine.bodies, &positions, touches, wall));
        snapshot.wall_contacts.sort_by_key(|c| (c.body, c.wall));
    }
    let [own, central] = engine.field(0.0);
    if engine.gravity.of_bodies {
        (snapshot.self_acceleration_m_s2, snapshot.self_potential_j_kg) = own.iter().copied().unzip();
    }
    // Stored velocities are half a step behind, but for the start.
    let lag = if engine.step > 0 { 0.5 } else { 0.0 };
    let loads = engine.loads(|k| own[k].0 + central[k].0);
    for (k, (kick, turn)) in loads.iter().enumerate() {
        let m = &engine.moving[k];
        snapshot.bodies.position_m[k] = m.position;
        snapshot.bodies.velocity_m_s[k] = match &engine.frame {
            Some(frame) if engine.step > 0 => frame.velocity_now((engine.step, engine.dt), m, *kick),
            _ => m.velocity + lag * *kick,
        };
        snapshot.bodies.spin_rad_s[k] = m.spin + lag * *turn;
    }
    if engine.step == 0 {
        let (laws, bodies, ground) = (&engine.laws, &snapshot.bodies, engine.ground.as_ref());
        (snapshot.contacts, snapshot.wall_contacts) = start::soft(laws, bodies, &engine.walls, ground, engine.dt);
    }
    snapshot.asteroid_potential_j_kg = engine.gravity.asteroid_potentials(&snapshot.bodies.position_m);
    snapshot.frame =
        engine.frame.as_ref().map(|f| f.state((engine.step, engine.dt), &engine.bodies, &engine.moving, &loads));
    snapshot
}

/// Pairs that touched in the last step and still do.
fn contacts(engine: &ReferenceEngine) -> Vec<Contact> {
    let bodies = &engine.bodies;
    let contact = |t: &crate::physics::contacts::Touch| {
        let (a, b) = (t.i as usize, t.j as usize);
        let d = engine.moving[b].position - engine.moving[a].position;
        let (ra, rb) = (bodies.radius_m[a], bodies.radius_m[b]);
        let overlap_m = ra + rb - d.length();
        let law = engine.laws.of(bodies.material[a] as usize, bodies.material[b] as usize);
        (overlap_m > 0.0).then(|| Contact {
            i: t.i,
            j: t.j,
            overlap_m,
            normal: d.normalize(),
            force_n: t.result.force,
            at_m: None,
            torque_i_n_m: t.result.torque_i,
            torque_j_n_m: t.result.torque_j,
            elastic_j: law.energy(effective_radius(ra, rb), overlap_m, t.overlap, &t.result.springs),
            ..Contact::default()
        })
    };
    engine.pairs.iter().filter_map(contact).collect()
}

/// Bodies that touched a wall in the last step and still do.
fn wall_contacts(engine: &ReferenceEngine, time_s: f64) -> Vec<WallContact> {
    let bodies = &engine.bodies;
    let contact = |t: &crate::physics::contacts::Touch| {
        let (k, wall) = (t.i as usize, &engine.walls[t.j as usize]);
        let (normal, height) = wall.facing(engine.moving[k].position, time_s);
        let overlap_m = bodies.radius_m[k] - height;
        let law = engine.laws.of(bodies.material[k] as usize, wall.material);
        (overlap_m > 0.0).then(|| WallContact {
            body: t.i,
            wall: t.j,
            overlap_m,
            force_n: t.result.force,
            at_m: wall.block.map(|_| engine.moving[k].position - height * normal),
            torque_n_m: t.result.torque_i,
            elastic_j: law.energy(bodies.radius_m[k], overlap_m, t.overlap, &t.result.springs),
        })
    };
    engine.wall_touches.iter().filter_map(contact).collect()
}
