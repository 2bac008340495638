//! Reads the state of contact dynamics back as a [`Snapshot`]: SI, f64, in order of body id.

use super::core::Core;
use super::parts::orientation;
use super::readback;
use crate::base::error::Result;
use crate::geometry::narrow::manifold::Kind;
use crate::gpu::elements::body::{BodyInertia, BodyState};
use crate::gpu::elements::contact::{ContactBody, ContactFrame, ContactImpulse};
use crate::gpu::elements::in_f64;
use crate::gpu::elements::manifold::{Manifold, WallImpulses};
use crate::gpu::elements::wall::WallState;
use crate::model::scenario::Wall;
use crate::model::snapshot::{Contact, Snapshot, WallContact};
use crate::physics::measure::walls::typed_motion;
use crate::physics::rigid::problem;
use crate::physics::rigid::problem::{Body, Problem};
use crate::physics::start;
use glam::DVec3;

/// A contact, and what there is of it.
struct Row<'a> {
    bodies: ContactBody,
    frame: &'a ContactFrame,
    impulse: DVec3,
    kind: Kind,
}

/// The last step's contacts.
struct Raw {
    bodies: Vec<ContactBody>,
    frame: Vec<ContactFrame>,
    impulse: Vec<ContactImpulse>,
    /// of every pair of polyhedra; none of spheres
    manifold: Vec<Manifold>,
}

impl Raw {
    fn read(core: &Core) -> Result<Raw> {
        let count = core.control.contact_count as usize;
        let pairs = if core.bodies.polyhedra.is_some() { core.control.pair_count as usize } else { 0 };
        Ok(Raw {
            bodies: core.buffers.read(&core.gpu, "contact_body", count)?,
            frame: core.buffers.read(&core.gpu, "contact_frame", count)?,
            impulse: core.buffers.read(&core.gpu, "contact_impulse", count)?,
            manifold: core.buffers.read(&core.gpu, "pair_manifold", pairs)?,
        })
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let parts = self.bodies.iter().zip(&self.frame).zip(&self.impulse);
        parts.map(|((bodies, frame), impulse)| Row {
            bodies: *bodies,
            frame,
            impulse: in_f64(impulse.impulse),
            kind: self.kind(bodies.candidate as usize),
        })
    }

    /// Of a candidate; walls, whose candidates are behind all pairs, count for none.
    fn kind(&self, candidate: usize) -> Kind {
        self.manifold.get(candidate).map_or(Kind::Point, |manifold| Kind::of(manifold.kind))
    }
}

/// Everything is of this instant, but contacts, which are those of the last step: where it found them, with its impulses
/// over its duration as forces; before the first step what touches, without forces.
pub(super) fn take(core: &mut Core) -> Result<Snapshot> {
    let n = core.bodies.len();
    core.gpu.submit(|encoder| {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        core.measure.record(&mut pass, "show");
    });
    let field = core.measure_field()?;
    let state: Vec<BodyState> = core.buffers.read(&core.gpu, "body_shown", n)?;
    let mut walls: Vec<WallImpulses> = core.buffers.read(&core.gpu, "wall_history", core.wall_contacts())?;
    core.drain(&mut walls)?;
    let mut snapshot = readback::bodies(core, &state, &field)?;
    orientation::turn_back(&core.pause(), &mut snapshot.bodies)?;
    let moved = core.prepared.walls.motion(&core.pause())?;
    let wall = |(moved, wall): (_, &Wall)| if wall.servo.is_some() { moved } else { typed_motion(&snapshot, wall) };
    snapshot.wall_motion = moved.into_iter().zip(&core.walls).map(wall).collect();
    if snapshot.step > 0 {
        let raw = Raw::read(core)?;
        raw.rows().for_each(|row| add(core, &row, &mut snapshot));
        snapshot.contacts.sort_by_key(|c| (c.i, c.j));
        snapshot.wall_contacts.sort_by_key(|c| (c.body, c.wall));
    } else {
        (snapshot.contacts, snapshot.wall_contacts) = start::rigid(&snapshot.bodies, &core.walls);
    }
    core.prepared.rigid.axes.iter().for_each(|axes| axes.show(&mut snapshot));
    Ok(snapshot)
}

/// The contact problem of the last step as the GPU had it, in code units, bodies in memory order and then the walls, and
/// the impulses that it found. The inertia of polyhedra is that of the next detection.
pub(super) fn problem(core: &Core) -> Result<(Problem, Vec<DVec3>)> {
    let raw = Raw::read(core)?;
    let all = core.bodies.len() + core.prepared.params.wall_count as usize;
    let inertia: Vec<BodyInertia> = core.buffers.read(&core.gpu, "body_inertia", all)?;
    let walls: Vec<WallState> = core.buffers.read(&core.gpu, "wall_plane", all - core.bodies.len())?;
    let along = |k: usize| {
        // in f32, as the contacts have it
        DVec3::from_array(walls[k].normal.map(|q| f64::from(q as f32))).normalize()
    };
    let body = |(k, b): (usize, &BodyInertia)| {
        let root = b.root();
        let along = k.checked_sub(core.bodies.len()).filter(|_| b.inverse_mass > 0.0).map(along);
        Body { inverse_mass: b.inverse_mass.into(), inverse_inertia: root * root, along }
    };
    let contact = |row: Row| problem::Contact {
        i: row.bodies.i as usize,
        j: row.bodies.j as usize,
        normal: in_f64(row.frame.normal).normalize(),
        arm_i: in_f64(row.frame.sides[0].arm),
        arm_j: in_f64(row.frame.sides[1].arm),
        velocity: in_f64(row.frame.free),
        friction: row.frame.friction.into(),
        cohesion: row.frame.sides[0].extra.into(),
    };
    let impulses = raw.rows().map(|r| r.impulse).collect();
    Ok((
        Problem { bodies: inertia.iter().enumerate().map(body).collect(), contacts: raw.rows().map(contact).collect() },
        impulses,
    ))
}

/// A contact that carries an impulse; others were only near.
fn add(core: &Core, row: &Row, snapshot: &mut Snapshot) {
    if row.impulse == DVec3::ZERO {
        return;
    }
    let (units, order) = (core.prepared.units, &core.prepared.order);
    let number = |index: u32| order.get(index as usize).copied();
    let Some(i) = number(row.bodies.i) else { return };
    let force_n = row.impulse / units.force();
    let overlap_m = -f64::from(row.frame.gap) * units.length_m;
    let [arm_i, arm_j] = row.frame.sides.map(|side| in_f64(side.arm));
    let torque = |arm: DVec3, sign: f64| sign * arm.cross(row.impulse) / units.energy();
    let [torque_i, torque_j] = [torque(arm_i, 1.0), torque(arm_j, -1.0)];
    // Arms are those of the detection, a part of a step ago: they are added to the centres of the instant.
    let bodies = &snapshot.bodies;
    let end = |k: u32, arm: DVec3| bodies.position_m[k as usize] + arm * units.length_m;
    let middle = |j: u32| 0.5 * (end(i, arm_i) + end(j, arm_j));
    let wall = (row.bodies.j as usize).checked_sub(order.len());
    let at_block = wall.is_some_and(|w| core.prepared.walls.planes[w].is_block == 1);
    let j = number(row.bodies.j);
    let at_m = (bodies.polyhedra.is_some() || at_block).then(|| j.map_or_else(|| end(i, arm_i), middle));
    match j {
        None => snapshot.wall_contacts.push(WallContact {
            body: i,
            wall: wall.unwrap_or_default() as u32,
            overlap_m,
            force_n,
            at_m,
            torque_n_m: torque_i,
            elastic_j: 0.0,
        }),
        Some(j) => {
            let swap = i > j;
            let sign = if swap { -1.0 } else { 1.0 };
            snapshot.contacts.push(Contact {
                i: i.min(j),
                j: i.max(j),
                overlap_m,
                normal: -sign * in_f64(row.frame.normal),
                force_n: sign * force_n,
                at_m,
                torque_i_n_m: if swap { torque_j } else { torque_i },
                torque_j_n_m: if swap { torque_i } else { torque_j },
                elastic_j: 0.0,
                kind: row.kind,
            });
        }
    }
}
