//! Lists of contacts: by body, and impulses from step to step by pair and wall.

use super::cloud::{random, uniform, vector};
use super::dynamics_frames::planes;
use super::dynamics_step::push_of;
use super::harness::Harness;
use super::laws::windows;
use super::list::List;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::DISPLACEMENT_BITS;
use crate::geometry::narrow::manifold::POINTS;
use crate::gpu::constants::{COLOUR_BITS, FEATURE};
use crate::gpu::elements::contact::{ContactBody, ContactImpulse};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::manifold::{PairImpulses, PointImpulse, WallImpulses};
use crate::gpu::layout::{DynamicsParams, Params};
use glam::DVec3;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "dynamics_lists",
    compares: "Lists of contacts by body, and impulses carried from step to step, against the host.",
    bounds: "Lists are integers; impulses and work are some seven operations at 6e-8.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["warm_contacts"], "impulses and colours of pairs and walls, carried to contacts", warm_contacts),
    Check::exact(&["count_incidence"], "contacts of every body, in order", count_incidence),
    Check {
        passes: &["store_impulses"],
        what: "impulses back to pairs and walls, and the walls' work",
        unit: "of what it was and is",
        bound: 1e-6,
        reason: "some seven products and sums at 6e-8, the wall's velocity rounded at 6e-8",
        compare: store_impulses,
    },
];

const PAIRS: usize = 130;
const BODIES: usize = 20;

/// A name of its own, and any colour.
fn name(k: usize, first: f32) -> u32 {
    FEATURE | (k as u32 % 64) << 23 | (7 * k + 1 + 64 * first as usize) as u32
}

/// Impulses that differ.
fn impulse(k: usize, first: f32) -> [f32; 3] {
    [first + k as f32, 0.5 * k as f32 - first, 3.0]
}

/// The four points of candidate `k`; histories have five rows each.
fn points(k: usize, first: f32) -> [PointImpulse; 4] {
    let of = |row: usize| PointImpulse { impulse: impulse(row, first), feature: name(row, first) };
    [0, 1, 2, 3].map(|point| of(ROWS * k + point))
}

/// Histories of pairs, with planes of their own.
fn of_pairs(count: usize, first: f32) -> Vec<PairImpulses> {
    let one = |k: usize| PairImpulses { points: points(k, first), normal: impulse(ROWS * k + 4, first), pad: 0 };
    (0..count).map(one).collect()
}

/// Impulses that no pass has written.
fn untouched(count: usize) -> Vec<ContactImpulse> {
    (0..count).map(|k| ContactImpulse::of(impulse(k, 7.0))).collect()
}

/// Points of a candidate, and one that is none's.
const ROWS: usize = POINTS as usize + 1;

/// Contacts from the last candidate back, two of each. Their names are those of one of its points, of none of them, or of
/// another candidate.
fn warm_contacts(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let candidates = PAIRS + planes().len() * BODIES;
    let pair = of_pairs(PAIRS, 100.0);
    let wall = |k: usize| WallImpulses { points: points(PAIRS + k, 100.0), ..WallImpulses::default() };
    let wall: Vec<_> = (0..candidates - PAIRS).map(wall).collect();
    for count in [0, 1, 63, 64, 65, 2 * candidates] {
        t.case(format!("{count} contacts"));
        let candidate = |c: usize| candidates - 1 - c / 2;
        let row = |c: usize| ROWS * candidate(c) + (c / 2 + 3 * (c % 2)) % (ROWS + 1);
        let feature = |c: usize| name(row(c) % (ROWS * candidates), 100.0) & !COLOUR_BITS;
        let body = |c: usize| ContactBody { i: 9, j: 9, candidate: candidate(c) as u32, feature: feature(c) };
        let words = Control { contact_count: count as u32, ..Control::default() };
        h.uniform("params", &Params { pair_capacity: PAIRS as u32, ..Params::default() })?;
        h.fill("control", &[words])?;
        h.fill("contact_body", &(0..count + 70).map(|c| body(c % count.max(1))).collect::<Vec<_>>())?;
        h.fill("pair_history", &pair)?;
        h.fill("wall_history", &wall)?;
        let before = untouched(count + 70);
        let of_name =
            |c: usize| points(candidate(c), 100.0).into_iter().find(|p| p.feature & !COLOUR_BITS == feature(c));
        let carried = |c: usize| of_name(c).map_or(ContactImpulse::default(), |p| ContactImpulse::of(p.impulse));
        let mut wanted: Vec<_> = (0..count).map(carried).collect();
        wanted.extend(&before[count..]);
        h.fill("contact_impulse", &before)?;
        h.run("warm_contacts", (count + 70).div_ceil(64) as u32)?;
        t.equal("impulse and guess", &h.read::<ContactImpulse>("contact_impulse")?, &wanted);
        let named: Vec<_> = (0..count).map(|c| of_name(c).map_or(feature(c), |p| p.feature)).collect();
        let got: Vec<u32> = h.read::<ContactBody>("contact_body")?.iter().map(|c| c.feature).take(count).collect();
        t.equal("name and colour", &got, &named);
    }
    Ok(())
}

/// Contacts of every candidate, 0 to 3, and where they begin; one behind the last.
fn contacts(candidates: usize, most: u32, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut random = random(seed);
    let count: Vec<u32> = (0..candidates).map(|_| random.random_range(0..=most)).collect();
    let mut offset = vec![0];
    for n in &count {
        offset.push(offset[offset.len() - 1] + n);
    }
    (count, offset)
}

/// Twice the contact and the side: of every body's pairs in the order of its neighbours, then of its walls.
fn of_bodies(n: usize, list: &List, capacity: usize, walls: usize, offset: &[u32]) -> Vec<Vec<u32>> {
    let of_candidate = |k: usize| offset[k]..offset[k + 1];
    let of_body = |b: usize| {
        let sides = &list.side[list.offset[b] as usize..list.offset[b + 1] as usize];
        let by_pairs = sides.iter().flat_map(|side| of_candidate((side / 2) as usize).map(move |c| 2 * c + side % 2));
        let by_walls = (0..walls).flat_map(|k| of_candidate(capacity + k * n + b).map(|c| 2 * c));
        by_pairs.chain(by_walls).collect()
    };
    (0..n).map(of_body).collect()
}

fn count_incidence(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, walls, most, further) in [(1, 0, 1, 0), (63, 2, 1, 0), (64, 0, 3, 20), (65, 3, 1, 1), (400, 2, 3, 250)] {
        t.case(format!("{n} parts, {walls} walls, up to {most} contacts a candidate, {further} parts of clumps"));
        let cloud = uniform("", n, 1.5, (0.2, 0.45), n as u64);
        let (n, list) = (cloud.len(), List::of(cloud.len(), &cloud.neighbours()));
        let capacity = list.pair.len() + 11; // room for pairs that are none
        let (mut count, _) = contacts(capacity + n * walls, most, 3);
        count[list.pair.len()..capacity].fill(0);
        let offset: Vec<u32> = (0..=count.len()).map(|k| count[..k].iter().sum()).collect();
        let rows = of_bodies(n, &list, capacity, walls, &offset);
        let (parts, bodies) = (n as u32, n - further.min(n - 1));
        // of row k behind the bodies: some bodies have several, most none
        let leader: Vec<usize> = (0..n - bodies).map(|k| (k * k / (n - bodies)).min(bodies - 1)).collect();
        let body_part: Vec<u32> = (0..=bodies).map(|b| leader.partition_point(|l| *l < b) as u32).collect();
        let of_parts = |b: usize| {
            let behind = (body_part[b]..body_part[b + 1]).flat_map(|k| rows[bodies + k as usize].clone());
            rows[b].iter().copied().chain(behind).collect::<Vec<u32>>()
        };
        let wanted: Vec<Vec<u32>> = (0..bodies).map(of_parts).collect();
        let n = bodies;
        let (lengths, total): (Vec<u32>, usize) =
            (wanted.iter().map(|w| w.len() as u32).collect(), wanted.iter().map(Vec::len).sum());
        let first: Vec<u32> = (0..=n).map(|b| lengths[..b].iter().sum()).collect();
        let (body_count, wall_count, pair_capacity) = (n as u32, walls as u32, capacity as u32);
        h.fill("body_part", &body_part)?;
        h.uniform("params", &Params { body_count, part_count: parts, wall_count, pair_capacity, ..Params::default() })?;
        h.fill("control", &[Control::default()])?;
        h.fill("incident_offset", &list.offset)?;
        h.fill("incident_pair", &list.side)?;
        h.fill("contact_offset", &offset)?;
        h.fill("body_contact_offset", &first)?;
        h.fill("body_contact_count", &vec![9u32; n + 70])?;
        h.fill("body_contact", &vec![9u32; total + 70])?;
        let groups = (n as u32 + 70).div_ceil(64);
        h.run_with("count_incidence", groups, "pass_constants", [0; 4])?;
        let counts = [lengths, vec![0; walls], vec![9; 70 - walls]].concat();
        t.equal("count of body", &h.read::<u32>("body_contact_count")?, &counts);
        t.equal("list before it is written", &h.read::<u32>("body_contact")?, &vec![9; total + 70]);
        h.run_with("count_incidence", groups, "pass_constants", [1, 0, 0, 0])?;
        t.equal("contact and side", &h.read::<u32>("body_contact")?, &[wanted.concat(), vec![9; 70]].concat());
    }
    Ok(())
}

fn store_impulses(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let planes = planes();
    let walls = planes.len();
    for parts in [0, 1, 21, 22, 300] {
        let bodies = parts - parts / 3;
        t.case(format!("{PAIRS} pairs, {bodies} bodies of {parts} parts"));
        let candidates = PAIRS + walls * parts;
        let (_, offset) = contacts(candidates, POINTS as u32, parts as u64);
        let mut random = random(parts as u64);
        let mut impulse = || ContactImpulse::of((0.01 * vector(&mut random)).as_vec3().to_array());
        let given: Vec<_> = (0..offset[candidates]).map(|_| impulse()).collect();
        let (pair, wall) = (of_pairs(PAIRS, 1.0), worked(walls * parts + 14));
        let [wall_count, pair_capacity, body_count, part_count] = [walls, PAIRS, bodies, parts].map(|n| n as u32);
        let mut other = super::cloud::random(parts as u64 + 1);
        let push: Vec<_> = (0..bodies + walls).map(|_| [0; 2].map(|_: i32| 1e-4 * vector(&mut other))).collect();
        h.uniform("params", &Params { body_count, part_count, wall_count, pair_capacity, ..Params::default() })?;
        h.fill("body_push", &push.iter().map(push_of).collect::<Vec<_>>())?;
        h.uniform("dynamics", &DynamicsParams { candidate_count: candidates as u32, ..DynamicsParams::default() })?;
        h.fill("contact_offset", &offset)?;
        let body = |c: u32| ContactBody { i: 8, j: 8, candidate: 8, feature: FEATURE | (3 * c) };
        h.fill("contact_body", &(0..offset[candidates]).map(body).collect::<Vec<_>>())?;
        h.fill("contact_impulse", &given)?;
        h.fill("wall_plane", &planes.iter().map(|p| p.state).collect::<Vec<_>>())?;
        h.fill("pair_history", &pair)?;
        h.fill("wall_history", &wall)?;
        h.run("store_impulses", (candidates + 70).div_ceil(64) as u32)?;
        let point = |c: u32| PointImpulse { impulse: given[c as usize].impulse, feature: body(c).feature };
        let of = |k: usize| {
            let mut points = [PointImpulse::default(); 4];
            points.iter_mut().zip(offset[k]..offset[k + 1]).for_each(|(row, c)| *row = point(c));
            points
        };
        let wanted: Vec<_> = pair.iter().enumerate().map(|(k, p)| PairImpulses { points: of(k), ..*p }).collect();
        t.equal("impulses and plane of pair", &h.read::<PairImpulses>("pair_history")?, &wanted);
        let got: Vec<WallImpulses> = h.read("wall_history")?;
        for (k, (old, new)) in wall.iter().zip(&got).enumerate().take(walls * parts) {
            let points = of(PAIRS + k);
            t.equal("impulses of wall", &[*new], &[WallImpulses { points, work: new.work, ..*old }]);
            let wall = k / parts;
            let free = fixed_point::vector(planes[wall].velocity(), DISPLACEMENT_BITS);
            let after = free + push[bodies + wall][0].as_vec3().as_dvec3();
            let velocity = 0.5 * (windows(&planes[wall].motion(), &[0; 4], 37) + after);
            let impulses = points.map(|p| in_f64(p.impulse));
            let (was, sum) = (f64::from(old.work), impulses.iter().sum::<DVec3>());
            let size =
                was.abs() + impulses.iter().map(|p| p.length()).sum::<f64>() * after.length().max(velocity.length());
            t.off("work of wall", k, (f64::from(new.work) - was - sum.dot(velocity)).abs() / size);
        }
        t.equal("behind the walls", &got[walls * parts..], &wall[walls * parts..]);
    }
    Ok(())
}

/// Histories of walls with a little work done.
fn worked(count: usize) -> Vec<WallImpulses> {
    let one = |k: usize| WallImpulses { points: points(k, 3.0), unused: [k as f32, 2.0, 3.0], work: 1e-6 };
    (0..count).map(one).collect()
}
