//! Reads the GPU state back as a [`Snapshot`]: SI, f64, in order of body id.

use super::layout::control;
use super::soft_sphere::SoftSphere;
use crate::diagnostics::snapshot::{Contact, Dissipated, Snapshot, WallContact};
use crate::engine::Engine;
use crate::error::Result;
use crate::units::{DISPLACEMENT_BITS, POSITION_BITS, Units};
use glam::DVec3;

fn wide(words: &[u32]) -> i64 {
    i64::from(words[0]) | (i64::from(words[1]) << 32)
}

fn vec3(v: &[f32; 4]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}

/// Forces as the last step used them, indexed by place in memory.
struct Raw {
    state: Vec<u32>,
    field: Vec<[f32; 4]>,
    net_force: f64,
    pairs: Vec<[u32; 2]>,
    result: Vec<[f32; 4]>,
    history: Vec<[f32; 4]>,
    wall_result: Vec<[f32; 4]>,
    wall_history: Vec<[f32; 4]>,
}

/// Positions, velocities and springs are of this instant; contact forces are those of the last step.
pub(super) fn take(engine: &mut SoftSphere) -> Result<Snapshot> {
    let mut raw = read(engine)?;
    engine.drain(&mut raw.wall_history)?;
    let units = engine.prepared.units;
    let order = engine.prepared.order.clone();
    let mut snapshot = Snapshot {
        step: engine.step(),
        time_s: engine.step() as f64 * units.time_s,
        bodies: engine.bodies.clone(),
        central_gm_m3_s2: Some(f64::from(engine.prepared.gravity.central_gm) / units.gm()).filter(|gm| *gm > 0.0),
        ..Snapshot::default()
    };
    let (force, torque) = gather(engine, &raw);
    let uniform = vec3(&extend(engine.prepared.params.uniform_gravity));
    let started = snapshot.step > 0;
    let self_gravity = engine.prepared.self_gravity.is_some();
    let n = order.len();
    snapshot.self_potential_j_kg = vec![0.0; if self_gravity { n } else { 0 }];
    snapshot.self_acceleration_m_s2 = vec![DVec3::ZERO; snapshot.self_potential_j_kg.len()];
    for (place, &k) in order.iter().enumerate() {
        let k = k as usize;
        let s = &raw.state[16 * place..16 * place + 16];
        let mass = engine.bodies.mass_kg[k] / units.mass_kg;
        let field = raw.field.get(place).map_or(DVec3::ZERO, vec3);
        // Leapfrog: the stored velocity is half a step behind.
        let lag = if started { 0.5 } else { 0.0 };
        let a = field + uniform + force[place] / mass;
        let v = DVec3::from_array([6, 8, 10].map(|c| units.velocity_m_s(wide(&s[c..]))));
        let inertia = 0.4 * mass * (engine.bodies.radius_m[k] / units.length_m).powi(2);
        let spin = DVec3::from_array([12, 13, 14].map(|c| f32::from_bits(s[c]).into()));
        snapshot.bodies.position_m[k] = DVec3::from_array([0, 2, 4].map(|c| units.position_m(wide(&s[c..]))));
        snapshot.bodies.velocity_m_s[k] = v + lag * a * units.length_m / units.time_s;
        snapshot.bodies.spin_rad_s[k] = (spin + lag * torque[place] / inertia) / units.time_s;
        if self_gravity {
            let central = central_field(engine, [0, 2, 4].map(|c| wide(&s[c..])));
            snapshot.self_potential_j_kg[k] =
                (f64::from(raw.field[place][3]) - central.1) * (units.length_m / units.time_s).powi(2);
            snapshot.self_acceleration_m_s2[k] = (field - central.0) / units.acceleration();
        }
    }
    snapshot.tree_net_force = raw.net_force;
    contacts(engine, &raw, &mut snapshot);
    walls(engine, &raw, &mut snapshot);
    let [normal_j, sliding_j, rolling_j, twisting_j] = engine.drained.dissipated.map(|e| e / units.energy());
    snapshot.dissipated = Dissipated { normal_j, sliding_j, rolling_j, twisting_j };
    snapshot.wall_work_j = engine.drained.wall_work / units.energy();
    Ok(snapshot)
}

/// Field (L/T2) and potential (L2/T2) of the central source alone at a fixed-point position.
fn central_field(engine: &SoftSphere, place: [i64; 3]) -> (DVec3, f64) {
    let g = &engine.prepared.gravity;
    if g.central_gm == 0.0 {
        return (DVec3::ZERO, 0.0);
    }
    let word = |k: usize| i64::from(g.central_low[k]) | (i64::from(g.central_high[k]) << 32);
    let unit = (-f64::from(POSITION_BITS)).exp2();
    let d = DVec3::from_array([0, 1, 2].map(|k| (place[k] - word(k)) as f64)) * unit;
    let r = d.length();
    let gm = f64::from(g.central_gm);
    (-gm / (r * r * r) * d, -gm / r)
}

fn extend(v: [f32; 3]) -> [f32; 4] {
    [v[0], v[1], v[2], 0.0]
}

fn read(engine: &mut SoftSphere) -> Result<Raw> {
    let field = engine.measure_field()?;
    let n = engine.bodies.len();
    let pairs = engine.control[control::PAIR_COUNT] as usize;
    let walls = 2 * n * engine.prepared.params.wall_count as usize;
    let (gpu, buffers) = (&engine.gpu, &engine.buffers);
    Ok(Raw {
        state: buffers.read(gpu, "body_state", 16 * n)?,
        field,
        net_force: if engine.prepared.counts.of("tree") > 0 {
            buffers.read::<f32>(gpu, "tree_balance", 4)?[3].into()
        } else {
            0.0
        },
        pairs: buffers.read(gpu, "pair_body", pairs)?,
        result: buffers.read(gpu, "pair_result", 3 * pairs)?,
        history: buffers.read(gpu, "pair_history", 2 * pairs)?,
        wall_result: buffers.read(gpu, "wall_result", walls)?,
        wall_history: buffers.read(gpu, "wall_history", walls)?,
    })
}

/// Contact force (M L/T2) and torque (M L2/T2) on every body.
fn gather(engine: &SoftSphere, raw: &Raw) -> (Vec<DVec3>, Vec<DVec3>) {
    let n = engine.bodies.len();
    let (mut force, mut torque) = (vec![DVec3::ZERO; n], vec![DVec3::ZERO; n]);
    for (pair, r) in raw.pairs.iter().zip(raw.result.chunks(3)).filter(|(_, r)| r[0][3] > 0.0) {
        let (i, j) = (pair[0] as usize, pair[1] as usize);
        force[i] += vec3(&r[0]);
        force[j] -= vec3(&r[0]);
        torque[i] += vec3(&r[1]);
        torque[j] += vec3(&r[2]);
    }
    let walls = engine.prepared.params.wall_count as usize;
    for (c, r) in raw.wall_result.chunks(2).enumerate().filter(|(_, r)| r[0][3] > 0.0) {
        force[c / walls] += vec3(&r[0]);
        torque[c / walls] += vec3(&r[1]);
    }
    (force, torque)
}

/// Energy of the springs of a contact (M L2/T2).
fn springs(row: &super::layout::LawRow, radius: f64, first: &[f32; 4], second: &[f32; 4]) -> f64 {
    let size2 = (f64::from(row.shape_parameter) * radius).powi(2);
    let (kn, ks) = (f64::from(row.stiffness_normal), f64::from(row.stiffness_sliding));
    0.5 * (ks * vec3(first).length_squared()
        + kn * size2 * vec3(second).length_squared()
        + 2.0 * ks * size2 * f64::from(first[3]).powi(2))
}

fn contacts(engine: &SoftSphere, raw: &Raw, snapshot: &mut Snapshot) {
    let units: Units = engine.prepared.units;
    let order = &engine.prepared.order;
    let bodies = &engine.bodies;
    for (p, pair) in raw.pairs.iter().enumerate() {
        let r = &raw.result[3 * p..3 * p + 3];
        let (a, b) = (pair[0] as usize, pair[1] as usize);
        let d = DVec3::from_array([0, 2, 4].map(|c| {
            let difference = wide(&raw.state[16 * b + c..]).wrapping_sub(wide(&raw.state[16 * a + c..]));
            units.position_m(difference)
        }));
        let (i, j) = (order[a] as usize, order[b] as usize);
        let radius = |k: usize| f64::from(units.radius(bodies.radius_m[k]));
        let overlap = (radius(i) + radius(j)) * units.length_m - d.length();
        if overlap <= 0.0 || r[0][3] <= 0.0 {
            continue;
        }
        let row = &engine.prepared.laws
            [(bodies.material[i] * engine.prepared.params.material_count + bodies.material[j]) as usize];
        let effective = radius(i) * radius(j) / (radius(i) + radius(j));
        let code = overlap / units.length_m;
        let energy = 0.5 * f64::from(row.stiffness_normal) * code * code
            - f64::from(row.cohesion) * effective * effective * code
            + springs(row, effective, &raw.history[2 * p], &raw.history[2 * p + 1]);
        let swap = i > j;
        let sign = if swap { -1.0 } else { 1.0 };
        let (ti, tj) = (vec3(&r[1]) / units.energy(), vec3(&r[2]) / units.energy());
        snapshot.contacts.push(Contact {
            i: i.min(j) as u32,
            j: i.max(j) as u32,
            overlap_m: overlap,
            normal: sign * d / d.length(),
            force_n: sign * vec3(&r[0]) / units.force(),
            torque_i_n_m: if swap { tj } else { ti },
            torque_j_n_m: if swap { ti } else { tj },
            elastic_j: energy / units.energy(),
        });
    }
    snapshot.contacts.sort_by_key(|c| (c.i, c.j));
}

/// Height of a body's centre above a wall at this instant (L).
fn height(engine: &SoftSphere, raw: &Raw, place: usize, wall: usize) -> f64 {
    let rows = &engine.prepared.walls[5 * wall..5 * wall + 5];
    let word = |low: usize, axis: usize| wide(&[rows[low][axis], rows[low + 1][axis]]);
    let along = |axis: usize| {
        let moved = (i128::from(word(2, axis)) * i128::from(engine.step())) >> (DISPLACEMENT_BITS - POSITION_BITS);
        let d = i128::from(wide(&raw.state[16 * place + 2 * axis..])) - i128::from(word(0, axis)) - moved;
        d * i128::from(rows[4][axis] as i32)
    };
    // Exact up to here: positions in 2^-38 L, the normal in 2^-30.
    (along(0) + along(1) + along(2)) as f64 * (-f64::from(POSITION_BITS + 30)).exp2()
}

fn walls(engine: &SoftSphere, raw: &Raw, snapshot: &mut Snapshot) {
    let units = engine.prepared.units;
    let count = engine.prepared.params.wall_count;
    for (c, r) in raw.wall_result.chunks(2).enumerate().filter(|(_, r)| r[0][3] > 0.0) {
        let (place, wall) = (c as u32 / count, c as u32 % count);
        let k = engine.prepared.order[place as usize] as usize;
        let material = engine.prepared.walls[5 * wall as usize][3];
        let row = &engine.prepared.laws
            [(engine.bodies.material[k] * engine.prepared.params.material_count + material) as usize];
        let radius = f64::from(units.radius(engine.bodies.radius_m[k]));
        let code = radius - height(engine, raw, place as usize, wall as usize);
        if code <= 0.0 {
            continue;
        }
        let energy = 0.5 * f64::from(row.stiffness_normal) * code * code
            - f64::from(row.cohesion) * radius * radius * code
            + springs(row, radius, &raw.wall_history[2 * c], &raw.wall_history[2 * c + 1]);
        snapshot.wall_contacts.push(WallContact {
            body: k as u32,
            wall,
            overlap_m: code * units.length_m,
            force_n: vec3(&r[0]) / units.force(),
            torque_n_m: vec3(&r[1]) / units.energy(),
            elastic_j: energy / units.energy(),
        });
    }
    snapshot.wall_contacts.sort_by_key(|c| (c.body, c.wall));
}
