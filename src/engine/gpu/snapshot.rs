//! Reads the state of soft spheres back as a [`Snapshot`]: SI, f64, in order of body id.

use super::core::Core;
use super::parts::law::Held;
use super::parts::surface::touches;
use super::parts::turning_frame::Framed;
use super::parts::turning_frame::snapshot::{Load, complete};
use super::parts::walls::WallRows;
use super::readback;
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::{POSITION_BITS, Units};
use crate::gpu::elements::body::{BodyState, Field};
use crate::gpu::elements::facet::SurfaceTouch;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::{Pair, PairMemory, PairResult, WallMemory, WallResult};
use crate::model::body::Bodies;
use crate::model::snapshot::{Contact, Snapshot};
use crate::physics::gravity::central::Central;
use crate::physics::start;
use crate::physics::surface::shown::shown;
use glam::DVec3;

/// Forces as the last step used them, by index in memory.
struct Raw {
    state: Vec<BodyState>,
    field: Vec<Field>,
    pull: Vec<Field>,
    pairs: Vec<Pair>,
    result: Vec<PairResult>,
    history: Vec<PairMemory>,
    wall_result: Vec<WallResult>,
    wall_history: Vec<WallMemory>,
    surface_touch: Vec<SurfaceTouch>,
}

/// Positions, velocities and springs are of this instant; contact forces are those of the last step, or before
/// the first one those that it will use.
pub(super) fn take(core: &mut Core, frame: Option<&Framed>) -> Result<Snapshot> {
    let mut raw = read(core)?;
    core.drain(&mut raw.wall_history)?;
    core.drain_surface(&mut raw.surface_touch)?;
    let mut snapshot = readback::bodies(core, &raw.state, &raw.field)?;
    match frame {
        Some(frame) => complete(core, frame, &loads(core, &raw), &mut snapshot)?,
        None if snapshot.step > 0 => catch_up(core, &raw, &mut snapshot),
        None => {}
    }
    if snapshot.step == 0 {
        first_contacts(core, &mut snapshot);
        return Ok(snapshot);
    }
    contacts(core, &raw, &mut snapshot);
    let found = WallRows { state: &raw.state, result: &raw.wall_result, history: &raw.wall_history };
    snapshot.wall_contacts = core.prepared.walls.contacts(&core.pause(), &core.prepared.law, &found);
    if let Some(ground) = &core.prepared.surface.ground {
        let touches = touches(&core.prepared.law, &core.prepared.order, &core.prepared.units, &raw.surface_touch);
        let (bodies, wall) = (&snapshot.bodies, core.prepared.params.wall_count);
        if let Some(laws) = core.prepared.law.twins() {
            snapshot.wall_contacts.extend(shown(ground, laws, bodies, &bodies.position_m, &touches, wall));
        }
        snapshot.wall_contacts.sort_by_key(|c| (c.body, c.wall));
    }
    Ok(snapshot)
}

/// Contacts before the first step, with the radii that the device has.
fn first_contacts(core: &Core, snapshot: &mut Snapshot) {
    let units = core.prepared.units;
    let radius_m = snapshot.bodies.radius_m.iter().map(|r| f64::from(units.radius(*r)) * units.length_m).collect();
    let bodies = Bodies { radius_m, ..snapshot.bodies.clone() };
    let ground = core.prepared.surface.ground.as_ref();
    if let Some(laws) = core.prepared.law.twins() {
        (snapshot.contacts, snapshot.wall_contacts) = start::soft(laws, &bodies, &core.walls, ground, units.time_s);
    }
}

/// Leapfrog: stored velocities are half a step behind.
fn catch_up(core: &Core, raw: &Raw, snapshot: &mut Snapshot) {
    let units = core.prepared.units;
    for (load, &k) in loads(core, raw).iter().zip(&core.prepared.order) {
        let (k, speed) = (k as usize, units.length_m / units.time_s);
        snapshot.bodies.velocity_m_s[k] += 0.5 * load.kick * speed;
        snapshot.bodies.spin_rad_s[k] += 0.5 * load.turning / units.time_s;
    }
}

/// Field of the central source at a fixed-point position (L/T2).
fn central_field(core: &Core, position: [i64; 3]) -> DVec3 {
    let g = &core.prepared.gravity.params;
    if g.central_gm == 0.0 {
        return DVec3::ZERO;
    }
    let word = |k: usize| i64::from(g.central_low[k]) | (i64::from(g.central_high[k]) << 32);
    let d = fixed_point::vector([0, 1, 2].map(|k| position[k] - word(k)), POSITION_BITS);
    let (gm_m3_s2, radius_m) = (f64::from(g.central_gm), f64::from(g.central_radius));
    Central { gm_m3_s2, position_m: DVec3::ZERO, radius_m }.at(d).0
}

/// What every body got in the last step; held fields are those of the instant.
fn loads(core: &Core, raw: &Raw) -> Vec<Load> {
    let units = core.prepared.units;
    let (force, torque) = gather(core, raw);
    let uniform = core.prepared.params.uniform_gravity.as_dvec3();
    let one = |(index, k): (usize, &u32)| {
        let k = *k as usize;
        let mass = core.bodies.mass_kg[k] / units.mass_kg;
        let inertia = core.bodies.sphere_moment_kg_m2(k) / (units.mass_kg * units.length_m.powi(2));
        let field: DVec3 =
            [&raw.field, &raw.pull].iter().filter_map(|f| f.get(index)).map(|f| in_f64(f.acceleration)).sum();
        let central = central_field(core, raw.state[index].position);
        Load { kick: field + central + uniform + force[index] / mass, turning: torque[index] / inertia }
    };
    core.prepared.order.iter().enumerate().map(one).collect()
}

fn read(core: &mut Core) -> Result<Raw> {
    let field = core.measure_field()?;
    let n = core.bodies.len();
    let pairs = core.control.pair_count as usize;
    let walls = core.wall_contacts();
    let surface = core.prepared.counts.of_feature("surface", "body") as usize;
    let (gpu, buffers) = (&core.gpu, &core.buffers);
    Ok(Raw {
        state: buffers.read(gpu, "body_state", n)?,
        field,
        pull: core.measured_pull()?,
        pairs: buffers.read(gpu, "pair_body", pairs)?,
        result: buffers.read(gpu, "pair_result", pairs)?,
        history: buffers.read(gpu, "pair_history", pairs)?,
        wall_result: buffers.read(gpu, "wall_result", walls + surface)?,
        wall_history: buffers.read(gpu, "wall_history", walls)?,
        surface_touch: core.touches()?,
    })
}

/// Contact force (M L/T2) and torque (M L2/T2) on every body.
fn gather(core: &Core, raw: &Raw) -> (Vec<DVec3>, Vec<DVec3>) {
    let n = core.bodies.len();
    let (mut force, mut torque) = (vec![DVec3::ZERO; n], vec![DVec3::ZERO; n]);
    for (pair, r) in raw.pairs.iter().zip(&raw.result) {
        let (i, j) = (pair.i as usize, pair.j as usize);
        force[i] += in_f64(r.force);
        force[j] -= in_f64(r.force);
        torque[i] += in_f64(r.torque[0]);
        torque[j] += in_f64(r.torque[1]);
    }
    let walls = core.prepared.params.wall_count as usize;
    for (c, r) in raw.wall_result.iter().enumerate().filter(|(_, r)| r.overlap > 0.0) {
        // behind the walls the surface
        let index = if c < n * walls { c / walls } else { c - n * walls };
        force[index] += in_f64(r.force);
        torque[index] += in_f64(r.torque);
    }
    (force, torque)
}

fn contacts(core: &Core, raw: &Raw, snapshot: &mut Snapshot) {
    let units: Units = core.prepared.units;
    let order = &core.prepared.order;
    let bodies = &core.bodies;
    for ((pair, r), memory) in raw.pairs.iter().zip(&raw.result).zip(&raw.history) {
        let (a, b) = (pair.i as usize, pair.j as usize);
        let (to, from) = (raw.state[b].position, raw.state[a].position);
        let d = DVec3::from_array([0, 1, 2].map(|c| units.position_m(to[c].wrapping_sub(from[c]))));
        let (i, j) = (order[a] as usize, order[b] as usize);
        let radius = |k: usize| f64::from(units.radius(bodies.radius_m[k]));
        let overlap = (radius(i) + radius(j)) * units.length_m - d.length();
        if overlap <= 0.0 || memory.overlap <= 0.0 {
            continue;
        }
        let energy = core.prepared.law.energy(&Held {
            between: [bodies.material[i], bodies.material[j]],
            radius: radius(i) * radius(j) / (radius(i) + radius(j)),
            overlap: overlap / units.length_m,
            before: memory.overlap.into(),
            first: memory.first,
            second: memory.second,
        });
        let swap = i > j;
        let sign = if swap { -1.0 } else { 1.0 };
        let [ti, tj] = r.torque.map(|torque| in_f64(torque) / units.energy());
        snapshot.contacts.push(Contact {
            i: i.min(j) as u32,
            j: i.max(j) as u32,
            overlap_m: overlap,
            normal: sign * d / d.length(),
            force_n: sign * in_f64(r.force) / units.force(),
            at_m: None,
            torque_i_n_m: if swap { tj } else { ti },
            torque_j_n_m: if swap { ti } else { tj },
            elastic_j: energy / units.energy(),
            ..Contact::default()
        });
    }
    snapshot.contacts.sort_by_key(|c| (c.i, c.j));
}
