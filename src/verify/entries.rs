//! Neighbours as entries of all bodies: the list where single bodies have very many.

use super::cloud::{Cloud, RADIUS_MAX, cases, direction, random};
use super::harness::Harness;
use super::list::{Grid, List};
use super::neighbours::{fill_bodies, words};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::blocks::radix_sort::{Key, radix_sort};
use crate::gpu::blocks::scan::exclusive_scan;
use crate::gpu::constants::{NEIGHBOURS_MAX, ROW_MAX};
use crate::gpu::elements::control::Control;
use crate::gpu::layout::{Params, control};
use glam::DVec3;

/// The family.
pub const FAMILY: Family = Family {
    name: "entries",
    compares: "Neighbours as entries of all bodies, the list for bodies with very many neighbours, against all pairs.",
    bounds: "Entries are integers and must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["find_neighbours"], "entries against all pairs", find_neighbours),
    Check::exact(&["note_neighbours"], "more neighbours than a body sorts", crowded),
    Check::exact(&["clear_entries"], "the end of the entries and no more", clear_entries),
    Check::exact(&["bound_entries"], "first neighbours and higher ones", bound_entries),
    Check::exact(&["list_entries"], "neighbours of the sorted entries", list_entries),
];

/// A boulder among grains: few neighbours of each, hundreds of one.
fn boulder() -> Cloud {
    let mut random = random(7);
    let mut bodies = vec![(DVec3::splat(3.0), RADIUS_MAX)];
    bodies.extend((0..900).map(|k| {
        let far = RADIUS_MAX * (1.0 + 0.1 * f64::from(k % 3));
        (DVec3::splat(3.0) + far * direction(&mut random), RADIUS_MAX / 60.0)
    }));
    Cloud::new("a boulder among grains", bodies)
}

fn bits(n: usize) -> u32 {
    u32::BITS - (n as u32).leading_zeros()
}

/// Two words of an entry.
fn entry(body: usize, other: u32, bits: u32) -> [u32; 2] {
    let key = (body as u64) << bits | u64::from(other);
    [key as u32, (key >> 32) as u32]
}

/// Entries of all bodies of a list, in order.
fn entries(list: &List) -> Vec<[u32; 2]> {
    let n = list.offset.len() - 1;
    let of = |b: usize| list.body[list.offset[b] as usize..list.offset[b + 1] as usize].iter().map(move |j| (b, *j));
    (0..n).flat_map(of).map(|(b, j)| entry(b, j, bits(n))).collect()
}

fn fill_search(h: &mut Harness, cloud: &Cloud) -> Result<()> {
    let grid = Grid::of(cloud);
    fill_bodies(h, cloud)?;
    h.fill("control", &[words(0, false)])?;
    h.fill("cell_entry", &grid.entry)?;
    h.fill("cell_range", &grid.range)?;
    h.zeros("neighbour_count", 4 * cloud.len())?;
    h.zeros("neighbour_row", 4 * ROW_MAX as usize * cloud.len())?;
    h.zeros("upper_count", 4 * cloud.len())?;
    h.zeros("incident_offset", 4 * cloud.len() + 4)?;
    h.zeros("incident_body", 16)
}

fn find_neighbours(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases().into_iter().chain([boulder()]) {
        t.case(&cloud.name);
        let n = cloud.len();
        let wanted = entries(&List::of(n, &cloud.neighbours()));
        fill_search(h, &cloud)?;
        h.run_with("find_neighbours", cloud.groups(), "pass_constants", [0, 1, 0, 0])?;
        let count: Vec<u32> = h.read("neighbour_count")?;
        let offset: Vec<u32> = (0..=n).map(|b| count[..b].iter().sum()).collect();
        t.equal("number of entries", &[offset[n] as usize], &[wanted.len()]);
        h.fill("incident_offset", &offset)?;
        h.zeros("incident_body", 8 * wanted.len().max(2))?;
        h.run_with("find_neighbours", cloud.groups(), "pass_constants", [1, 1, 0, 0])?;
        let mut got: Vec<[u32; 2]> = h.read("incident_body")?;
        got.truncate(wanted.len());
        got.sort_by_key(|w| (w[1], w[0]));
        t.equal("entry", &got, &wanted);
        let words: Control = h.read_one("control")?;
        t.equal("fault", &[words.fault_body, words.crowded], &[0, 0]);
    }
    Ok(())
}

fn crowded(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let touching = |n: usize| Cloud::new("coincident", (0..n).map(|_| (DVec3::ZERO, RADIUS_MAX)));
    for (cloud, crowd) in [(touching(129), 0), (touching(130), 1), (boulder(), 1)] {
        t.case(format!("{} bodies, {}", cloud.len(), cloud.name));
        fill_search(h, &cloud)?;
        h.run("note_neighbours", cloud.groups())?;
        t.equal("crowded", &[h.read_one::<Control>("control")?.crowded], &[crowd]);
    }
    Ok(())
}

/// The list of a cloud by way of entries, all passes on the device: first neighbours, neighbours. The grid is there.
pub fn list_by_entries(h: &mut Harness, n: usize, groups: u32) -> Result<(Vec<u32>, Vec<u32>)> {
    h.zeros("entry_offset", 4 * n + 4)?;
    h.run_with("find_neighbours", groups, "pass_constants", [0, 1, 0, 0])?;
    h.run_block(&exclusive_scan("neighbour_count", "entry_offset", n as u32, "scan"))?;
    let entries = h.read::<u32>("entry_offset")?[n] as usize;
    h.fill("incident_offset", &h.read::<u32>("entry_offset")?)?;
    h.zeros("incident_body", 8 * entries + 8)?;
    h.run_with("find_neighbours", groups, "pass_constants", [1, 1, 0, 0])?;
    h.fill("entry_key", &h.read::<u32>("incident_body")?)?;
    h.zeros("entry_load", 4 * entries + 4)?;
    h.run_block(&radix_sort("entry_key", "entry_load", entries as u32, Key::Bits64, 2 * bits(n), "sort"))?;
    h.run("bound_entries", (n as u32 + 1).div_ceil(64))?;
    h.zeros("incident_body", 4 * entries + 4)?;
    h.run("list_entries", (entries as u32).div_ceil(64))?;
    Ok((h.read("incident_offset")?, h.read("incident_body")?))
}

fn clear_entries(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (used, pairs) in [(0, 64), (77, 64), (128, 64)] {
        t.case(format!("{used} of {} entries", 2 * pairs));
        h.uniform("params", &Params { part_count: 1, pair_capacity: pairs, ..Params::default() })?;
        h.fill("entry_offset", &[0, used])?;
        h.fill("entry_key", &[[5u32, 6]; 200])?;
        h.fill("entry_load", &[9u32; 200])?;
        h.run("clear_entries", 4)?;
        let (used, all) = (used as usize, 2 * pairs as usize);
        let wanted = [vec![[5, 6]; used], vec![[u32::MAX; 2]; all - used], vec![[5, 6]; 200 - all]].concat();
        t.equal("entry", &h.read::<[u32; 2]>("entry_key")?, &wanted);
        let load: Vec<u32> = (0..all as u32).chain(std::iter::repeat_n(9, 200 - all)).collect();
        t.equal("load", &h.read::<u32>("entry_load")?, &load);
    }
    Ok(())
}

fn bound_entries(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let fan = |n: u32| List::of(n as usize + 1, &(1..=n).map(|j| (0, j)).collect::<Vec<_>>());
    let lists = cases().into_iter().map(|c| (c.name.clone(), List::of(c.len(), &c.neighbours())));
    let fans = [NEIGHBOURS_MAX, NEIGHBOURS_MAX + 1].map(|n| (format!("{n} neighbours of one"), fan(n as u32)));
    for (name, list) in lists.chain(fans) {
        let n = list.offset.len() - 1;
        for overflow in [false, true] {
            t.case(format!("{name}, overflow {overflow}"));
            h.uniform("params", &Params { part_count: n as u32, ..Params::default() })?;
            let mut control = words(0, overflow);
            control.fault_index = u32::MAX;
            h.fill("control", &[control])?;
            let keys = entries(&list);
            h.fill("entry_offset", &list.offset)?;
            h.fill("entry_key", &[keys, vec![[u32::MAX; 2]; 9]].concat())?;
            h.zeros("incident_offset", 4 * n + 4)?;
            h.zeros("upper_count", 4 * n)?;
            h.run("bound_entries", (n as u32 + 1).div_ceil(64))?;
            let upper: Vec<u32> = list.pair_offset.windows(2).map(|w| w[1] - w[0]).collect();
            let nothing = |v: &[u32]| if overflow { vec![0; v.len()] } else { v.to_vec() };
            t.equal("first neighbour", &h.read::<u32>("incident_offset")?, &nothing(&list.offset));
            t.equal("higher neighbours", &h.read::<u32>("upper_count")?, &nothing(&upper));
            if !overflow && n > NEIGHBOURS_MAX + 1 {
                (control.fault_body, control.fault_index) = (control::CROWD.0, 0);
            }
            t.equal("control", &h.read::<Control>("control")?, &[control]);
        }
    }
    Ok(())
}

fn list_entries(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for cloud in cases() {
        for overflow in [false, true] {
            t.case(format!("{}, overflow {overflow}", cloud.name));
            let list = List::of(cloud.len(), &cloud.neighbours());
            h.uniform("params", &Params { part_count: cloud.len() as u32, ..Params::default() })?;
            h.fill("control", &[words(0, overflow)])?;
            h.fill("entry_offset", &list.offset)?;
            h.fill("entry_key", &[entries(&list), vec![[u32::MAX; 2]; 9]].concat())?;
            h.fill("incident_body", &vec![7u32; list.body.len() + 9])?;
            h.run("list_entries", (list.body.len() as u32 + 9).div_ceil(64))?;
            let kept = if overflow { vec![7; list.body.len()] } else { list.body.clone() };
            t.equal("neighbour", &h.read::<u32>("incident_body")?, &[kept, vec![7; 9]].concat());
        }
    }
    Ok(())
}
