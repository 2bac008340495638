//! How far a body may go before the list is made anew: coarse cells that hold bodies, and what they leave free.

use super::cloud::{Cloud, cases, random, uniform};
use super::harness::Harness;
use super::list::{coarse, hash};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::engine::gpu::parts::surface::SurfaceTables;
use crate::gpu::constants::{ROOM_LEVELS, ROOM_SHARED};
use crate::gpu::elements::body::BodyView;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::facet::SurfaceNode;
use glam::DVec3;
use rand::RngExt;
use std::collections::BTreeMap;

/// The family.
pub const FAMILY: Family = Family {
    name: "room",
    compares: "How far each body may move before the next rebuild, from the true gaps between cells.",
    bounds: "Cells are integers, and half of every gap is an upper limit.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["clear_room"], "the table of coarse cells", clear_room),
    Check::exact(&["mark_room"], "keys of the coarse cells that hold bodies", mark_room),
    Check::exact(&["measure_room"], "room from true cells, and half of every gap at most", measure_room),
];

fn shift(level: u32) -> u32 {
    8 + 3 * level
}

fn cell(cloud: &Cloud, body: usize, level: u32) -> [i32; 3] {
    coarse(cloud, body).map(|c| c >> shift(level))
}

/// Words by key, of all levels: the highest bit is set if two bodies have it, also in two cells.
fn words(cloud: &Cloud) -> BTreeMap<u32, u32> {
    let mut words = BTreeMap::new();
    for (body, level) in (0..cloud.len()).flat_map(|body| (0..ROOM_LEVELS).map(move |level| (body, level))) {
        let key = key(cell(cloud, body, level), level);
        words.entry(key).and_modify(|word| *word |= ROOM_SHARED).or_insert(key);
    }
    words
}

fn key(cell: [i32; 3], level: u32) -> u32 {
    (hash(cell, level + 8) & !ROOM_SHARED).max(1)
}

fn slots(cloud: &Cloud) -> usize {
    (8 * cloud.len()).max(64).next_power_of_two()
}

/// The table as bodies entered one after the other leave it.
fn table(cloud: &Cloud) -> Vec<u32> {
    let mut table = vec![0; slots(cloud)];
    for (key, word) in words(cloud) {
        let mut slot = key as usize % table.len();
        while table[slot] != 0 {
            slot = (slot + 1) % table.len();
        }
        table[slot] = word;
    }
    table
}

/// Clouds from crowded to lonely, and a pile with bodies on their way from it.
fn clouds() -> Vec<Cloud> {
    let mut all = cases();
    for (k, size) in [3.0, 60.0, 900.0, 4e4, 1e6].into_iter().enumerate() {
        all.push(uniform(&format!("200 bodies in {size} L"), 200, size, (0.1, 0.45), 40 + k as u64));
    }
    // the first is far from the others, and its smallest cell has the key of that of the second
    let colliding = [[-10.0, -10.0, 14.0], [98.0, 46.0, -22.0], [90.0, 46.0, -22.0]];
    all.push(Cloud::new("two cells of one key", colliding.map(|at| (DVec3::from(at), 0.3))));
    let mut shed = uniform("a pile and what left it", 150, 3.0, (0.1, 0.45), 50);
    all.push(Cloud::new(
        "a wide lattice about the boxes",
        (0..512).map(|k: i32| {
            let at = |k: i32| f64::from(k) * 83.0 - 281.7;
            (DVec3::new(at(k % 8), at(k / 8 % 8), at(k / 64)), 0.3)
        }),
    ));
    shed.bodies.extend(uniform("", 150, 1e5, (0.1, 0.45), 51).bodies);
    all.push(shed);
    all
}

fn clear_room(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for slots in [64usize, 1024] {
        t.case(format!("{slots} slots"));
        h.fill("room_cell", &vec![7u32; slots])?;
        h.run("clear_room", slots as u32 / 64)?;
        t.equal("word", &h.read::<u32>("room_cell")?, &vec![0; slots]);
    }
    Ok(())
}

fn mark_room(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in clouds() {
        t.case(&cloud.name);
        h.uniform("params", &cloud.params())?;
        h.fill("body_state", &cloud.state())?;
        h.fill("room_cell", &vec![0u32; slots(&cloud)])?;
        h.zeros("control", size_of::<Control>())?;
        h.run("mark_room", cloud.groups())?;
        t.equal("fault", &[h.read_one::<Control>("control")?.fault_body], &[0]);
        // Who comes first takes the slot; the words are the same in any order.
        let mut found: Vec<u32> = h.read("room_cell")?;
        let mut wanted = table(&cloud);
        let reached = reached(&found);
        found.sort_unstable();
        wanted.sort_unstable();
        t.equal("word", &found, &wanted);
        t.equal("words that a search does not reach", &[reached], &[found.iter().filter(|w| **w != 0).count()]);
    }
    Ok(())
}

/// Words that a search from the slot of their key finds.
fn reached(table: &[u32]) -> usize {
    let mask = table.len() - 1;
    let path = |word: u32, slot: usize| {
        let start = (word & !ROOM_SHARED) as usize & mask;
        (0..=mask).map(|k| (start + k) & mask).take_while(|s| table[*s] != 0).any(|s| s == slot)
    };
    table.iter().enumerate().filter(|(slot, word)| **word != 0 && path(**word, *slot)).count()
}

/// Two boxes of facets in a larger one [L/64], and a third alone.
fn boxes() -> Vec<SurfaceNode> {
    let l = |v: [i32; 3]| v.map(|x| x << 6);
    let b = |low, next, high, faces| SurfaceNode { low: l(low), next, high: l(high), faces };
    vec![
        b([-40; 3], 3, [-20; 3], 0),
        b([-40; 3], 2, [-30; 3], 3),
        b([-30; 3], 3, [-20; 3], 8 * 3 + 4),
        b([700, 0, 10], 4, [701, 1, 11], 8 * 7 + 1),
    ]
}

/// Distance of a position, rounded down [L/64], to the nearest box with facets.
fn to_boxes(at: [i64; 3], boxes: &[SurfaceNode]) -> f64 {
    let one = |b: &SurfaceNode| {
        let away = |k: usize| (i64::from(b.low[k]) - at[k] - 1).max(at[k] - i64::from(b.high[k])).max(0);
        let apart = [0, 1, 2].map(|k| away(k) as f64);
        apart.iter().map(|a| a * a).sum::<f64>().sqrt()
    };
    boxes.iter().filter(|b| b.faces & 7 != 0).map(one).fold(f64::INFINITY, f64::min)
}

fn room(cloud: &Cloud, body: usize, boxes: &[SurfaceNode], held: &BTreeMap<u32, u32>) -> f32 {
    let at = cloud.bodies[body].position.map(|x| x >> 32);
    let largest = cloud.params().level_radius[0].x;
    let mut room = 0.0;
    for level in 0..ROOM_LEVELS {
        let size = (1u32 << (shift(level) - 6)) as f32;
        let me = cell(cloud, body, level);
        let near = |k: i32| [me[0] + k % 3 - 1, me[1] + k / 3 % 3 - 1, me[2] + k / 9 - 1];
        let taken = (0..27).filter(|k| *k != 13).any(|k| held.contains_key(&key(near(k), level)));
        let crowded = taken || held[&key(me, level)] & ROOM_SHARED != 0;
        if crowded || to_boxes(at, boxes) < f64::from(64.01 * size) {
            break;
        }
        room = 0.5 * (size - 0.015625 - (cloud.bodies[body].radius + largest)) - cloud.skin_half;
    }
    room
}

fn measure_room(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let mut random = random(3);
    for cloud in clouds() {
        for boxes in [SurfaceTables::none().nodes, boxes()] {
            t.case(format!("{}, {} boxes", cloud.name, boxes.len()));
            let mut view = cloud.view();
            view.iter_mut().for_each(|view| view.clump_or_room = random.random());
            h.uniform("params", &cloud.params())?;
            h.fill("body_state", &cloud.state())?;
            h.fill("room_cell", &table(&cloud))?;
            h.fill("surface_node", &boxes)?;
            h.fill("body_view", &view)?;
            h.run("measure_room", cloud.groups())?;
            let held = words(&cloud);
            for (body, view) in view.iter_mut().enumerate() {
                let room = room(&cloud, body, &boxes, &held);
                view.clump_or_room = room.to_bits();
                let gap = |k: usize| {
                    let radii = f64::from(cloud.bodies[k].radius + cloud.bodies[body].radius);
                    cloud.between(k, body).length() - radii
                };
                let least = (0..cloud.len()).filter(|k| *k != body).map(gap).fold(f64::INFINITY, f64::min);
                t.hold(if room == 0.0 || 2.0 * f64::from(room + cloud.skin_half) <= least {
                    Ok(())
                } else {
                    Err(format!("body {body} has room {room} in a gap of {least}"))
                });
            }
            t.equal("view", &h.read::<BodyView>("body_view")?, &view);
        }
    }
    Ok(())
}
