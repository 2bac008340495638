//! Solid blocks, over their faces, edges and corners, and walls that are removed.

use super::cloud::{CODE, Cloud, direction, random, vector};
use super::dynamics_frames::DYNAMICS;
use super::harness::Harness;
use super::laws::{END_BOUND, END_REASON, LAW_BOUND, LAW_REASON, LAW_UNIT, compare_law, take, tried, windows};
use super::walls::{STEP, TOUCHED, at_walls, fill_walls, state, stretched};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::POSITION_BITS;
use crate::engine::gpu::parts::walls::state_of;
use crate::gpu::elements::contact::{ContactBody, ContactFrame, RigidLaw};
use crate::gpu::elements::in_f64;
use crate::gpu::elements::pair::{Dissipation, WallMemory, WallResult};
use crate::gpu::layout::Params;
use crate::model::scenario::{Block, Wall};
use crate::physics::laws::BuiltIn;
use crate::physics::laws::contact::ContactResult;
use crate::physics::laws::registry::{LAWS, all};
use glam::{DQuat, DVec3, Vec3, Vec3Swizzles};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "wall_blocks",
    compares: "Contacts with the faces, edges and corners of solid blocks, and walls that are removed, against f64.",
    bounds: "Differences across edges are cut at 2^-30 L along up to three axes.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["apply_walls"],
        what: "overlaps with blocks, far from the origin",
        unit: "L",
        bound: 2e-9,
        reason: "over edges differences cut at 2^-30 L (9e-10) along up to three axes; over faces 5e-11",
        compare: overlaps,
    },
    Check {
        passes: &["apply_walls"],
        what: "force, torque, springs, losses at blocks",
        unit: LAW_UNIT,
        bound: LAW_BOUND,
        reason: LAW_REASON,
        compare: law,
    },
    Check {
        passes: &["apply_walls"],
        what: "energy that removed walls take along, by every law",
        unit: "of the energy",
        bound: END_BOUND,
        reason: END_REASON,
        compare: removed,
    },
    Check::exact(&["detect_walls"], "contacts with blocks and removed walls", detect),
    Check {
        passes: &["make_wall_contacts"],
        what: "normals and gaps at blocks",
        unit: "of the radius",
        bound: 1e-6,
        reason: "some five products and sums at 6e-8, gaps good to 2e-9 L",
        compare: frames,
    },
];

/// Blocks at 3e5 L: along the axes and turned; the last two are gone, one of them from this very step on.
fn walls() -> Vec<Wall> {
    let turn = DQuat::from_scaled_axis(DVec3::new(0.7, -0.4, 1.1));
    let wall = |(k, half_size_m, orientation, removed): (usize, DVec3, DQuat, u32)| Wall {
        material: k % 2,
        block: Some(Block { half_size_m, orientation }),
        removed_at_s: Some(f64::from(removed)),
        ..Wall::plane("", 3e5 * DVec3::new(1.0, -0.7, 0.3), orientation * DVec3::Z)
    };
    let (long, flat) = (DVec3::new(120.0, 0.7, 3.0), DVec3::new(2.0, 5.0, 0.01));
    let rows = [(long, DQuat::IDENTITY, STEP + 1), (flat, turn, u32::MAX), (long, turn, STEP), (flat, turn, STEP - 5)];
    rows.into_iter().enumerate().map(|(k, (half, q, removed))| wall((k, half, q, removed))).collect()
}

const WALLS: usize = 4;

/// Normal at a wall and height over it (L) from the integers that both hold.
fn facing(wall: &Wall, cloud: &Cloud, b: usize) -> (DVec3, f64) {
    let state = state_of(wall, &CODE, 0.0);
    let (axes, point, half) = (state.axes(), state.point(), state.half());
    let offset = [0, 1, 2].map(|k| cloud.bodies[b].position[k] - point[k]);
    // Along the axes as the pass has them, exact before it is rounded once; the first is the block's z.
    let along = |a: usize| {
        let sum = (0..3).map(|k| i128::from(offset[k]) * i128::from(axes[a][k])).sum();
        fixed_point::wide_value(sum, POSITION_BITS + 30)
    };
    let half = fixed_point::vector(half, POSITION_BITS);
    let block = Block { half_size_m: half.yzx(), orientation: DQuat::IDENTITY };
    let (normal, height) = block.facing(DVec3::new(along(1), along(2), along(0)));
    let axis = |a: usize| fixed_point::vector(axes[a].map(i64::from), 30);
    (normal.x * axis(1) + normal.y * axis(2) + normal.z * axis(0), height)
}

/// Bodies in turn at one block: over a face, an edge or a corner, `depth` (L) below its surface less the radius.
fn bodies(n: usize, depth: impl Fn(usize) -> f64, seed: u64) -> Cloud {
    let (walls, mut random) = (walls(), random(seed));
    let body = |k: usize| {
        let (wall, radius) = (&walls[k % WALLS], 0.45 / random.random_range(1.0..20.0));
        let block = wall.block.unwrap_or(Block { half_size_m: DVec3::ONE, orientation: DQuat::IDENTITY });
        let kind = k / WALLS % 3;
        let mut out = direction(&mut random);
        let first = random.random_range(0..3);
        let open = |a: usize| (a + 3 - first) % 3 <= kind;
        out = DVec3::from_array([0, 1, 2].map(|a| if open(a) { out[a].signum() * out[a].abs().max(0.2) } else { 0.0 }));
        let within = block.half_size_m * vector(&mut random);
        let foot = |a: usize| if open(a) { block.half_size_m[a] * out[a].signum() } else { within[a] };
        let reach = f64::from(CODE.radius(radius)) - depth(k);
        let local = DVec3::from_array([0, 1, 2].map(foot)) + reach * out.normalize();
        (wall.point_m + block.orientation * local, radius)
    };
    at_walls(Cloud::new("bodies at blocks", (0..n).map(body).collect::<Vec<_>>()), seed)
}

/// Runs the pass on bodies whose contacts have histories; what became of bodies and histories.
fn each(
    h: &mut Harness,
    t: &mut Tally,
    law: &dyn BuiltIn,
    mut compare: impl FnMut(&mut Tally, &Harness, &Cloud, &[WallMemory]) -> Result<()>,
) -> Result<()> {
    for (n, power) in [(1, -5.0), (64, -7.0), (700, -4.0)] {
        t.case(format!("{}: {n} bodies, overlaps up to 1e{power} L", law.name()));
        let cloud = bodies(n, |k| 10f64.powf(power - (k % 10) as f64 / 5.0), n as u64);
        let mut history = stretched(WALLS * n, -6.0, n as u64);
        // every fifth body holds nothing but what its overlap is
        history.chunks_mut(WALLS).step_by(5).for_each(|rows| rows.fill(WallMemory::default()));
        fill_walls(h, &cloud, &walls(), &history, &vec![TOUCHED; WALLS * n])?;
        take(h, law)?;
        h.run("apply_walls", ((WALLS * n) as u32).div_ceil(64))?;
        compare(t, h, &cloud, &history)?;
    }
    Ok(())
}

/// Rows of bodies and walls that exist, or have been removed.
fn rows(cloud: &Cloud, gone: bool) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..cloud.len()).map(|b| (b, b % WALLS)).filter(move |(_, w)| (*w > 1) == gone).map(|(b, w)| (b, w, WALLS * b + w))
}

fn overlaps(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let walls = walls();
    each(h, t, LAWS[0].law, |t, h, cloud, _| {
        let result = h.read::<WallResult>("wall_result")?;
        for (b, w, c) in rows(cloud, false) {
            let depth = f64::from(cloud.bodies[b].radius) - facing(&walls[w], cloud, b).1;
            if depth.abs() > 1e-8 {
                t.equal("touches", &[result[c].overlap > 0.0], &[depth > 0.0]);
                t.off("overlap of body", b, (f64::from(result[c].overlap) - depth).abs());
            }
        }
        Ok(())
    })
}

fn law(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // Blocks that stand differ from planes in the geometry alone: one law is enough.
    let (walls, laws) = (walls(), tried(LAWS[0].law));
    each(h, t, LAWS[0].law, |t, h, cloud, before| {
        let (result, history) = (h.read::<WallResult>("wall_result")?, h.read::<WallMemory>("wall_history")?);
        let (lost, view) = (h.read::<Dissipation>("wall_dissipated")?, cloud.view());
        for (b, w, c) in rows(cloud, false) {
            let (body, depth) = (&cloud.bodies[b], f64::from(result[c].overlap));
            let (normal, velocity) = (-facing(&walls[w], cloud, b).0, windows(&[0; 4], &view[b].velocity, 37));
            let law = laws.of(body.material as usize, w % 2);
            let springs = law.memory(before[c].first, before[c].second);
            let state = state(body, normal, [depth, TOUCHED.overlap.into()], velocity, springs);
            if depth <= 0.0 {
                continue;
            }
            let got = ContactResult {
                force: in_f64(result[c].force),
                torque_i: in_f64(result[c].torque),
                torque_j: law.force(&state, 1.0).torque_j, // a block does not turn
                springs: law.memory(history[c].first, history[c].second),
                dissipated: lost[c].energy.map(f64::from),
            };
            compare_law(t, b, law, &state, &got);
            t.equal("work", &[history[c].work], &[before[c].work]);
        }
        Ok(())
    })
}

fn removed(h: &mut Harness, t: &mut Tally) -> Result<()> {
    all().try_for_each(|law| removed_by(h, t, law))
}

fn removed_by(h: &mut Harness, t: &mut Tally, law: &dyn BuiltIn) -> Result<()> {
    let (walls, laws) = (walls(), tried(law));
    each(h, t, law, |t, h, cloud, before| {
        let (result, history) = (h.read::<WallResult>("wall_result")?, h.read::<WallMemory>("wall_history")?);
        let lost = h.read::<Dissipation>("wall_dissipated")?;
        for (b, w, c) in rows(cloud, true) {
            let body = &cloud.bodies[b];
            let depth = f64::from(body.radius) - facing(&walls[w], cloud, b).1;
            if depth < 1e-8 {
                continue;
            }
            let law = laws.of(body.material as usize, w % 2);
            let held = law.memory(before[c].first, before[c].second);
            let at = |depth: f64| law.energy(body.radius.into(), depth, TOUCHED.overlap.into(), &held);
            let energy = at(depth);
            // over an edge the depth is good to 2e-9 L
            let slack = (at(depth + 2e-9) - energy).abs();
            let size = energy.abs() + f64::from(before[c].work.abs());
            let work = f64::from(history[c].work) - f64::from(before[c].work);
            t.off("energy taken along by wall from body", b, ((work + energy).abs() - slack).max(0.0) / size);
            t.equal("force of a wall that is gone", &[result[c]], &[WallResult::default()]);
            t.equal("springs", &[history[c].first], &[[0.0; 4]]);
            t.equal("loss", &[lost[c]], &[Dissipation::default()]);
        }
        Ok(())
    })
}

/// Fills what passes of contact dynamics read, with rows of pairs before those of walls.
fn fill_rigid(h: &mut Harness, cloud: &Cloud) -> Result<()> {
    fill_walls(h, cloud, &walls(), &[], &[])?;
    h.uniform("dynamics", &DYNAMICS)
}

fn detect(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let walls = walls();
    for n in [1, 64, 700] {
        t.case(format!("{n} bodies"));
        let cloud = bodies(n, |k| 0.03 * (k % 23) as f64 / 23.0 - 0.02, n as u64);
        fill_rigid(h, &cloud)?;
        let field = Vec3::new(2e-3, -3e-3, -4e-3);
        h.uniform("params", &Params { wall_count: WALLS as u32, uniform_gravity: field, ..cloud.params() })?;
        h.fill("candidate_count", &vec![9u32; WALLS * n + 70])?;
        h.run("detect_walls", (WALLS * n + 70).div_ceil(64) as u32)?;
        let got = h.read::<u32>("candidate_count")?;
        t.equal("behind", &got[WALLS * n..], &[9; 70]);
        for (c, found) in got.iter().take(WALLS * n).enumerate() {
            let (b, w) = (c % n, c / n);
            let (normal, height) = facing(&walls[w], &cloud, b);
            let radius = f64::from(cloud.bodies[b].radius);
            let motion = windows(&[0; 4], &cloud.view()[b].velocity, 37);
            let approach = (motion - field.as_dvec3()).dot(normal).max(0.0);
            let room = f64::from(2.0 * DYNAMICS.alert) * radius + approach - (height - radius);
            if room.abs() > 1e-7 {
                t.equal("contact of body and block", &[*found], &[u32::from(room > 0.0 && w < 2)]);
            }
        }
    }
    Ok(())
}

fn frames(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let walls = walls();
    for n in [1, 64, 700] {
        t.case(format!("{n} bodies"));
        let cloud = bodies(n, |k| 1e-3 * (k % 23) as f64 / 23.0 - 5e-4, n as u64);
        let own = |c: usize| c / n == c % n % WALLS;
        let mut offset = vec![0u32];
        (0..WALLS * n).for_each(|c| offset.push(offset[c] + u32::from(own(c))));
        fill_rigid(h, &cloud)?;
        h.fill("contact_offset", &offset)?;
        h.fill("rigid_law", &[RigidLaw { friction: 0.5, ..RigidLaw::default() }; 4])?;
        h.fill("contact_frame", &vec![ContactFrame::default(); n])?;
        h.fill("contact_body", &vec![ContactBody::default(); n])?;
        h.run("make_wall_contacts", (WALLS * n).div_ceil(64) as u32)?;
        let (frames, ends) = (h.read::<ContactFrame>("contact_frame")?, h.read::<ContactBody>("contact_body")?);
        for c in (0..WALLS * n).filter(|c| own(*c)) {
            let (b, w, at) = (c % n, c / n, offset[c] as usize);
            let (normal, height) = facing(&walls[w], &cloud, b);
            let radius = f64::from(cloud.bodies[b].radius);
            let frame = &frames[at];
            t.equal("ends", &[ends[at].i, ends[at].j], &[b as u32, (n + w) as u32]);
            t.off("normal at body", b, in_f64(frame.normal).distance(normal));
            t.off("arm of body", b, in_f64(frame.sides[0].arm).distance(-height * normal) / radius);
            t.off("gap of body", b, (f64::from(frame.gap) - (height - radius)).abs() / radius);
        }
    }
    Ok(())
}
