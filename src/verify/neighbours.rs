//! The neighbour list: every pass of a rebuild, each on inputs that the CPU made.

use super::cloud::{Cloud, cases, random};
use super::dynamics_clumps::any_view;
use super::harness::{Harness, filled};
use super::invariants::is_neighbour_list;
use super::list::{Grid, List};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::constants::{GROUPS_MAX, OVERFLOW_CROWDED, OVERFLOW_WIDE, OVERFLOW_WIDE_FACETS, ROW_MAX};
use crate::gpu::elements::body::BodyView;
use crate::gpu::elements::cell::{CellEntry, CellRange};
use crate::gpu::elements::control::Control;
use crate::gpu::elements::pair::{Pair, PairMemory, PairResult};
use crate::gpu::elements::work::PairArgs;
use crate::gpu::layout::Params;
use rand::RngExt;
use std::collections::BTreeMap;

/// The family.
pub const FAMILY: Family = Family {
    name: "neighbours",
    compares: "Every pass of a rebuild of the neighbour list against all pairs.",
    bounds: "Cells and pairs are integers and must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["hash_cells"], "cell key of every body", hash_cells),
    Check::exact(&["clear_cells"], "the table of cells and no more", clear_cells),
    Check::exact(&["mark_cells"], "runs of equal keys", mark_cells),
    Check::exact(&["note_neighbours"], "counts and rows against all pairs", note_neighbours),
    Check::exact(&["list_neighbours"], "lists from rows in any order", list_neighbours),
    Check::exact(
        &["note_neighbours", "list_neighbours", "find_neighbours"],
        "lists against all pairs",
        find_neighbours,
    ),
    Check::exact(&["check_capacity"], "room wanted against room there", check_capacity),
    Check::exact(&["save_pairs"], "the old list put aside", save_pairs),
    Check::exact(&["swap_offsets"], "offsets and indirect arguments", swap_offsets),
    Check::exact(&["link_pairs"], "pairs and their two sides", link_pairs),
    Check::exact(&["carry_history"], "history by pair, from list to list", carry_history),
    Check::exact(&["anchor_bodies"], "anchors and the request", anchor_bodies),
];

/// Control words with the number of pairs, and the overflow set or not.
pub(super) fn words(pairs: usize, overflow: bool) -> Control {
    Control { pair_count: pairs as u32, overflow: overflow.into(), ..Control::default() }
}

pub(super) fn fill_bodies(h: &mut Harness, cloud: &Cloud) -> Result<()> {
    h.uniform("params", &cloud.params())?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())
}

fn hash_cells(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        fill_bodies(h, &cloud)?;
        h.zeros("cell_key", 4 * cloud.len())?;
        h.zeros("cell_body", 4 * cloud.len())?;
        h.run("hash_cells", cloud.groups())?;
        t.equal("key", &h.read::<u32>("cell_key")?, &Grid::of(&cloud).key);
        t.equal("body", &h.read::<u32>("cell_body")?, &(0..cloud.len() as u32).collect::<Vec<_>>());
    }
    Ok(())
}

fn clear_cells(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for hash in [64, 128, 4096] {
        t.case(format!("{hash} entries"));
        h.uniform("params", &Params { hash_mask: hash as u32 - 1, ..Params::default() })?;
        let kept = CellRange { first: 3, end: 5 };
        h.fill("cell_range", &vec![kept; hash + 70])?;
        h.run("clear_cells", (hash as u32 + 70).div_ceil(64))?;
        let wanted = [vec![CellRange::default(); hash], vec![kept; 70]].concat();
        t.equal("range", &h.read::<CellRange>("cell_range")?, &wanted);
    }
    Ok(())
}

fn mark_cells(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        let grid = Grid::of(&cloud);
        fill_bodies(h, &cloud)?;
        h.fill("cell_key", &grid.order.iter().map(|b| grid.key[*b as usize]).collect::<Vec<_>>())?;
        h.fill("cell_body", &grid.order)?;
        h.fill("cell_entry", &vec![CellEntry::default(); cloud.len()])?;
        h.fill("cell_range", &vec![CellRange::default(); grid.range.len()])?;
        h.fill("neighbour_count", &vec![KEPT; cloud.len() + 9])?;
        h.run("mark_cells", cloud.groups())?;
        t.equal("count", &h.read::<u32>("neighbour_count")?, &[vec![0; cloud.len()], vec![KEPT; 9]].concat());
        t.equal("entry", &h.read::<CellEntry>("cell_entry")?, &grid.entry);
        t.equal("range", &h.read::<CellRange>("cell_range")?, &grid.range);
    }
    Ok(())
}

/// What a search of the neighbours of a cloud needs, on the CPU's grid, and the room for what it finds.
pub fn fill_search(h: &mut Harness, cloud: &Cloud, list: &List) -> Result<()> {
    let grid = Grid::of(cloud);
    fill_bodies(h, cloud)?;
    // Spheres with room are not parts of one body.
    let mut view = cloud.view();
    view.iter_mut().for_each(|view| view.clump_or_room = 1);
    h.fill("body_view", &view)?;
    h.fill("control", &[words(0, false)])?;
    h.fill("cell_entry", &grid.entry)?;
    h.fill("cell_range", &grid.range)?;
    h.zeros("neighbour_count", 4 * cloud.len())?;
    h.fill("neighbour_row", &vec![KEPT; ROW_MAX as usize * cloud.len()])?;
    h.fill("upper_count", &vec![KEPT; cloud.len()])?;
    h.fill("incident_offset", &list.offset)?;
    h.fill("incident_body", &vec![KEPT; list.body.len()])
}

/// The list as the three passes make it.
pub fn run_search(h: &mut Harness, cloud: &Cloud) -> Result<()> {
    h.run("note_neighbours", cloud.groups())?;
    h.run("list_neighbours", cloud.groups())?;
    h.run_with("find_neighbours", cloud.groups(), "pass_constants", [1, 0, 0, 0])
}

/// Numbers of neighbours or pairs by body.
pub fn lengths(offset: &[u32]) -> Vec<u32> {
    offset.windows(2).map(|w| w[1] - w[0]).collect()
}

/// What a list or a row holds before a pass writes it.
const KEPT: u32 = 77_777_777;

fn note_neighbours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        let n = cloud.len();
        let list = List::of(n, &cloud.neighbours());
        fill_search(h, &cloud, &list)?;
        h.run("note_neighbours", cloud.groups())?;
        t.equal("count", &h.read::<u32>("neighbour_count")?, &lengths(&list.offset));
        let row: Vec<u32> = h.read("neighbour_row")?;
        for (entry, body) in Grid::of(&cloud).order.into_iter().enumerate() {
            let wanted = list.of_body(body);
            let held = wanted.len().min(ROW_MAX as usize);
            let mut got: Vec<u32> = row.iter().skip(entry).step_by(n).copied().collect();
            t.equal("end of a row", &got.split_off(held), &vec![KEPT; ROW_MAX as usize - held]);
            // Any neighbours, in any order.
            got.sort_unstable();
            let known = if wanted.len() > held {
                wanted.iter().filter(|j| got.contains(j)).copied().collect()
            } else {
                wanted.to_vec()
            };
            t.equal("row", &got, &known);
        }
    }
    Ok(())
}

fn list_neighbours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        for overflow in [false, true] {
            t.case(format!("{}, overflow {overflow}", cloud.name));
            let n = cloud.len();
            let list = List::of(n, &cloud.neighbours());
            fill_search(h, &cloud, &list)?;
            h.fill("control", &[words(0, overflow)])?;
            let mut random = random(n as u64);
            let mut row = vec![0; ROW_MAX as usize * n]; // what stands behind the last does not count
            for (entry, body) in Grid::of(&cloud).order.into_iter().enumerate() {
                let mut all = list.of_body(body).to_vec();
                all.sort_by_cached_key(|_| random.random::<u32>());
                all.iter().take(ROW_MAX as usize).enumerate().for_each(|(k, j)| row[k * n + entry] = *j);
            }
            h.fill("neighbour_row", &row)?;
            h.run("list_neighbours", cloud.groups())?;
            let (mut body, mut upper) = (list.body.clone(), lengths(&list.pair_offset));
            for b in (0..n).filter(|b| overflow || list.of_body(*b as u32).len() > ROW_MAX as usize) {
                body[list.offset[b] as usize..list.offset[b + 1] as usize].fill(KEPT);
                upper[b] = KEPT;
            }
            t.equal("neighbour", &h.read::<u32>("incident_body")?, &body);
            t.equal("higher neighbours", &h.read::<u32>("upper_count")?, &upper);
        }
    }
    Ok(())
}

fn find_neighbours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        t.case(&cloud.name);
        let pairs = cloud.neighbours();
        let list = List::of(cloud.len(), &pairs);
        fill_search(h, &cloud, &list)?;
        run_search(h, &cloud)?;
        t.equal("upper count", &h.read::<u32>("upper_count")?, &lengths(&list.pair_offset));
        t.hold(is_neighbour_list(&pairs, &list.offset, &h.read::<u32>("incident_body")?));
    }
    // An overflow leaves the list as it was.
    h.fill("control", &[words(0, true)])?;
    let before = h.read::<u32>("incident_body")?;
    h.fill("incident_body", &vec![KEPT; before.len()])?;
    h.run_with("find_neighbours", 10, "pass_constants", [1, 0, 0, 0])?;
    t.equal("list after an overflow", &h.read::<u32>("incident_body")?, &vec![KEPT; before.len()]);
    Ok(())
}

fn check_capacity(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for [incidences, capacity] in [[0, 64], [200, 100], [200, 99], [201, 100], [9, 4]] {
        t.case(format!("{incidences} incidences, room for {capacity}"));
        h.uniform("params", &Params { body_count: 3, part_count: 3, pair_capacity: capacity, ..Params::default() })?;
        h.fill("control", &[words(7, true)])?;
        h.fill("incident_offset", &[0, 1, 2, incidences])?;
        h.fill("surface_offset", &[0])?;
        h.fill("wide_offset", &[0])?;
        h.run("check_capacity", 1)?;
        let mut wanted = words(7, incidences.div_ceil(2) > capacity);
        wanted.pair_wanted = incidences.div_ceil(2);
        t.equal("control", &h.read::<Control>("control")?, &[wanted]);
    }
    for (facets, room, pair_capacity, overflow) in [(9, 9, 10, 0), (9, 8, 10, 4), (9, 8, 3, 1)] {
        t.case(format!("{facets} facets, room for {room}"));
        let params = Params { body_count: 3, part_count: 3, pair_capacity, ..Params::default() };
        h.uniform("params", &Params { has_surface: 1, surface_capacity: room, ..params })?;
        h.fill("control", &[words(7, false)])?;
        h.fill("surface_offset", &[0, 1, 2, facets])?;
        h.run("check_capacity", 1)?;
        let mut wanted = words(7, false);
        (wanted.overflow, wanted.facet_wanted) = (overflow, facets);
        wanted.pair_wanted = 5;
        t.equal("control", &h.read::<Control>("control")?, &[wanted]);
    }
    // (facets of wide bodies, room, more than a body sorts, a radius that meets too many facets)
    for (facets, room, crowded, found, overflow) in [
        (9, 9, 0, 0, 0),
        (9, 8, 0, 0, OVERFLOW_WIDE_FACETS),
        (9, 9, 0, !7, OVERFLOW_WIDE),
        (9, 8, 1, !7, OVERFLOW_CROWDED),
    ] {
        t.case(format!("{facets} facets of wide bodies, room for {room}, {crowded} crowded, {found} found"));
        let params = Params { body_count: 3, part_count: 3, pair_capacity: 10, has_surface: 1, ..Params::default() };
        h.uniform(
            "params",
            &Params { surface_capacity: 99, wide_count: 2, wide_capacity: room, wide_runs: 3, ..params },
        )?;
        let mut wanted = words(7, false);
        (wanted.crowded, wanted.wide_found) = (crowded, found);
        h.fill("control", &[wanted])?;
        h.fill("wide_offset", &[0, 4, 5, facets])?;
        h.run("check_capacity", 1)?;
        (wanted.overflow, wanted.wide_wanted) = (overflow, facets);
        (wanted.pair_wanted, wanted.facet_wanted) = (5, 9);
        t.equal("control", &h.read::<Control>("control")?, &[wanted]);
    }
    Ok(())
}

/// Memories that name themselves, from `first` on.
fn memories(first: u32, count: usize) -> Vec<PairMemory> {
    let of = |k: f32| PairMemory { first: [first as f32, k, 1.0, 2.0], second: [k + 0.5, 3.0, 4.0], overlap: 1.0 };
    (0..count).map(|k| of(k as f32)).collect()
}

fn save_pairs(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (pairs, overflow) in [(0, false), (1, false), (64, false), (131, false), (131, true)] {
        t.case(format!("{pairs} pairs, overflow {overflow}"));
        let pair: Vec<_> = (0..140).map(|k| Pair { i: k, j: k + 1 }).collect();
        let before = vec![Pair { i: 9, j: 9 }; 140];
        h.fill("control", &[words(pairs, overflow)])?;
        h.fill("pair_body", &pair)?;
        h.fill("pair_history", &memories(1000, 140))?;
        h.fill("pair_body_prev", &before)?;
        h.fill("pair_history_prev", &memories(5, 140))?;
        h.run("save_pairs", 3)?;
        let saved = if overflow { 0 } else { pairs };
        t.equal("pair", &h.read("pair_body_prev")?, &[&pair[..saved], &before[saved..]].concat());
        let history = [&memories(1000, 140)[..saved], &memories(5, 140)[saved..]].concat();
        t.equal("history", &h.read("pair_history_prev")?, &history);
    }
    Ok(())
}

fn swap_offsets(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // 5 million pairs take more workgroups than one dimension has.
    for (n, pairs, overflow) in [(1, 0, false), (63, 640, false), (64, 641, true), (130, 5_000_000, false)] {
        t.case(format!("{n} bodies, {pairs} pairs, overflow {overflow}"));
        let next: Vec<u32> = (0..=n as u32).map(|b| if b == n as u32 { pairs } else { b / 2 }).collect();
        let (now, before): (Vec<u32>, Vec<u32>) = (0..=n as u32).map(|b| (b + 50, b + 99)).unzip();
        h.uniform("params", &Params { body_count: n as u32, part_count: n as u32, ..Params::default() })?;
        h.fill("control", &[words(5, overflow)])?;
        h.fill("pair_offset_next", &next)?;
        h.fill("pair_offset", &now)?;
        h.fill("pair_offset_prev", &before)?;
        let untouched = PairArgs { x: 8, y: 8, z: 8, pad: 8 };
        h.fill("pair_args", &[untouched])?;
        h.run("swap_offsets", (n as u32 + 1).div_ceil(64))?;
        let groups = pairs.div_ceil(64).max(1);
        let x = groups.min(GROUPS_MAX);
        let kept = (before, now.clone(), words(5, true), untouched);
        let done = (now, next, words(pairs as usize, false), PairArgs { x, y: groups.div_ceil(x), z: 1, pad: 8 });
        let (prev, offset, control, args) = if overflow { kept } else { done };
        t.equal("offset before", &h.read("pair_offset_prev")?, &prev);
        t.equal("offset", &h.read("pair_offset")?, &offset);
        t.equal("control", &h.read("control")?, &[control]);
        t.equal("argument", &h.read("pair_args")?, &[args]);
    }
    Ok(())
}

fn link_pairs(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        for overflow in [false, true] {
            t.case(format!("{}, overflow {overflow}", cloud.name));
            let mut list = List::of(cloud.len(), &cloud.neighbours());
            h.uniform("params", &cloud.params())?;
            h.fill("control", &[words(0, overflow)])?;
            h.fill("incident_offset", &list.offset)?;
            h.fill("incident_body", &list.body)?;
            h.fill("pair_offset", &list.pair_offset)?;
            h.fill("pair_body", &vec![Pair::default(); list.pair.len()])?;
            h.zeros("incident_pair", 4 * list.side.len())?;
            h.run("link_pairs", cloud.groups())?;
            if overflow {
                list.pair.fill(Pair::default());
                list.side.fill(0);
            }
            t.equal("pair", &h.read::<Pair>("pair_body")?, &list.pair);
            t.equal("pair and side", &h.read::<u32>("incident_pair")?, &list.side);
        }
    }
    Ok(())
}

fn carry_history(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (k, cloud) in cases().into_iter().enumerate() {
        let mut random = random(k as u64);
        let pairs = cloud.neighbours();
        for (share, overflow) in [(0.0, false), (0.5, false), (1.0, false), (0.9, true)] {
            t.case(format!("{}, {share} of the pairs are old, overflow {overflow}", cloud.name));
            let mut part = |share: f64| pairs.iter().copied().filter(|_| random.random_bool(share)).collect::<Vec<_>>();
            let (old, new) = (part(share), part(0.8));
            let old_list = List::of(cloud.len(), &old);
            let history = memories(100, old.len());
            h.fill("control", &[words(new.len(), overflow)])?;
            h.fill("pair_body", &List::of(cloud.len(), &new).pair)?;
            h.fill("pair_offset_prev", &old_list.pair_offset)?;
            h.fill("pair_body_prev", &old_list.pair)?;
            h.fill("pair_history_prev", &history)?;
            let mut wanted = memories(3, new.len() + 1);
            let mut result = vec![filled::<PairResult>(0x4040_0000); new.len() + 1];
            h.fill("pair_history", &wanted)?;
            h.fill("pair_result", &result)?;
            h.run_with("carry_history", (new.len() as u32 + 1).div_ceil(64), "pass_constants", [1, 0, 0, 0])?;
            let index: BTreeMap<_, _> = old.iter().enumerate().map(|(p, pair)| (*pair, p)).collect();
            for (p, pair) in new.iter().enumerate().filter(|_| !overflow) {
                wanted[p] = index.get(pair).map_or(PairMemory::default(), |q| history[*q]);
                result[p] = PairResult::default();
            }
            t.equal("history", &h.read::<PairMemory>("pair_history")?, &wanted);
            t.equal("result", &h.read::<PairResult>("pair_result")?, &result);
        }
    }
    Ok(())
}

fn anchor_bodies(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, overflow) in [(1, false), (65, false), (65, true)] {
        t.case(format!("{n} bodies, overflow {overflow}"));
        let mut random = random(100);
        let (mut control, mut view): (_, Vec<_>) =
            (words(0, overflow), (0..=n).map(|_| any_view(&mut random)).collect());
        (control.request, control.rebuilds) = (3, 41);
        h.uniform("params", &Params { body_count: n as u32, part_count: n as u32, ..Params::default() })?;
        h.fill("control", &[control])?;
        h.fill("body_view", &view)?;
        h.run("anchor_bodies", (n as u32 + 1).div_ceil(64))?;
        if !overflow {
            (control.request, control.rebuilds) = (2, 42);
            view[..n].iter_mut().for_each(|view| view.anchor = view.position);
        }
        t.equal("control", &h.read::<Control>("control")?, &[control]);
        t.equal("view", &h.read::<BodyView>("body_view")?, &view);
    }
    Ok(())
}
