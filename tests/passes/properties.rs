//! Scan, sort, radix tree and neighbour list on inputs drawn at random, against what must hold of them. The draws are
//! the same in every run; a failure prints its smallest input.

use crate::common::gpu;
use breccia::base::error::Result;
use breccia::geometry::lbvh::{Child, Lbvh, Node};
use breccia::gpu::blocks::radix_sort::{Key, radix_sort};
use breccia::gpu::blocks::scan::exclusive_scan;
use breccia::gpu::constants::ROW_MAX;
use breccia::gpu::elements::cell::{CellEntry, CellRange};
use breccia::gpu::elements::control::Control;
use breccia::gpu::elements::gravity::{Source, TreeNode};
use breccia::verify::blocks::{scan_on, sort_on};
use breccia::verify::cloud::{Cloud, RADIUS_MAX, random, vector};
use breccia::verify::entries::list_by_entries;
use breccia::verify::harness::Harness;
use breccia::verify::invariants::{is_exclusive_scan, is_neighbour_list, is_radix_tree, is_stable_sort};
use breccia::verify::tree::link_on;
use glam::{DVec3, UVec4};
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use rand::RngExt;

/// Tries `cases` inputs on one device; each compares and says what is broken.
fn holds<S: Strategy>(
    cases: u32,
    inputs: &S,
    property: impl Fn(&mut Harness, S::Value) -> std::result::Result<(), String>,
) {
    let gpu = gpu();
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let once = |input| property(&mut Harness::new(&gpu), input).map_err(TestCaseError::fail);
    if let Err(e) = runner.run(inputs, once) {
        panic!("{e}");
    }
}

fn done<T>(result: Result<T>) -> std::result::Result<T, String> {
    result.map_err(|e| e.to_string())
}

/// Numbers of items: none, one, around the edges of workgroups and tiles, anything.
fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![0..3usize, 60..70usize, 1020..1030usize, 0..3000usize, Just(65_537)]
}

/// How keys are spread: number of items, different bits, whether few of them occur.
fn keys(bits: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = (usize, u32, bool, u64)> {
    (sizes(), bits, any::<bool>(), any::<u64>())
}

#[test]
fn scans_sum_what_is_before() {
    // small values, whose sums fit in a word, and large ones, whose sums do not
    holds(128, &(sizes(), any::<u64>(), 0..32u32), |h, (n, seed, shift)| {
        let mut random = random(seed);
        let values: Vec<u32> = (0..n).map(|_| random.random::<u32>() >> shift).collect();
        is_exclusive_scan(&values, &done(scan_on(h, &values))?)
    });
}

fn sorts(h: &mut Harness, key: Key, (n, bits, few, seed): (usize, u32, bool, u64)) -> std::result::Result<(), String> {
    let (mut random, mask) = (random(seed), u64::MAX >> (64 - bits));
    let several: [u64; 3] = [0; 3].map(|_: u64| random.random());
    let keys: Vec<u64> =
        (0..n).map(|_| mask & if few { several[random.random_range(0..3)] } else { random.random() }).collect();
    let (sorted, payload) = done(sort_on(h, &keys, key, bits))?;
    is_stable_sort(&keys, &sorted, &payload)
}

#[test]
fn sorts_of_32_bits_are_stable() {
    holds(128, &keys(1..=32), |h, input| sorts(h, Key::Bits32, input));
}

#[test]
fn sorts_of_64_bits_are_stable() {
    holds(96, &keys(1..=64), |h, input| sorts(h, Key::Bits64, input));
}

/// A cloud: its kind, number of bodies, seed.
fn clouds(least: usize) -> impl Strategy<Value = (Kind, usize, u64)> {
    let sizes = prop_oneof![least..4usize, 60..70usize, least..500usize];
    (prop::sample::select(&KINDS[..]), sizes, any::<u64>())
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Uniform,
    Coincident,
    Lattice,
    Clustered,
    FarFlung,
    OneToThirty,
}

const KINDS: [Kind; 6] =
    [Kind::Uniform, Kind::Coincident, Kind::Lattice, Kind::Clustered, Kind::FarFlung, Kind::OneToThirty];

/// Its bodies, somewhere in the domain.
fn cloud((kind, n, seed): (Kind, usize, u64)) -> Cloud {
    let mut random = random(seed);
    let somewhere = 1e3 * vector(&mut random);
    let size = (n as f64).cbrt() * random.random_range(0.4..1.2);
    let mut position = |k: usize| match kind {
        Kind::Uniform | Kind::OneToThirty => size * vector(&mut random),
        Kind::Coincident => DVec3::ZERO,
        Kind::Lattice => DVec3::new((k % 7) as f64, (k / 7 % 7) as f64, (k / 49) as f64) * 0.9 * RADIUS_MAX * 2.0,
        Kind::Clustered => 50.0 * (k % 4) as f64 * DVec3::new(1.0, -1.0, 0.5) + 1.5 * vector(&mut random),
        Kind::FarFlung => 10f64.powi((k % 8) as i32) * vector(&mut random),
    };
    let radius = |k: usize| match kind {
        Kind::OneToThirty if !k.is_multiple_of(50) => RADIUS_MAX / 30.0,
        Kind::Uniform => RADIUS_MAX * (0.5 + 0.5 * (k % 3) as f64 / 2.0),
        _ => RADIUS_MAX,
    };
    let bodies: Vec<_> = (0..n).map(|k| (somewhere + position(k), radius(k))).collect();
    Cloud::new(&format!("{kind:?}"), bodies)
}

/// The list as a rebuild makes it: grid, counts, offsets, list.
fn list_on(h: &mut Harness, cloud: &Cloud) -> Result<(Vec<u32>, Vec<u32>)> {
    let (n, groups) = (cloud.len(), cloud.groups());
    h.uniform("params", &cloud.params())?;
    h.fill("control", &[Control::default()])?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    for name in ["cell_key", "cell_body", "neighbour_count", "upper_count"] {
        h.zeros(name, 4 * n)?;
    }
    h.zeros("neighbour_row", 4 * ROW_MAX as usize * n)?;
    h.fill("cell_entry", &vec![CellEntry::default(); n])?;
    h.fill("cell_range", &vec![CellRange { first: 7, end: 7 }; cloud.hash as usize])?;
    h.zeros("incident_offset", 4 * n + 4)?;
    h.zeros("incident_body", 4)?;
    h.run("hash_cells", groups)?;
    h.run_block(&radix_sort("cell_key", "cell_body", n as u32, Key::Bits32, cloud.hash.ilog2(), "sort"))?;
    h.run("clear_cells", cloud.hash.div_ceil(64))?;
    h.run("mark_cells", groups)?;
    h.run("note_neighbours", groups)?;
    if h.read_one::<Control>("control")?.crowded == 1 {
        return list_by_entries(h, n, groups);
    }
    h.run_block(&exclusive_scan("neighbour_count", "incident_offset", n as u32, "scan"))?;
    let offset: Vec<u32> = h.read("incident_offset")?;
    h.zeros("incident_body", 4 * offset[n] as usize + 4)?;
    h.run("list_neighbours", groups)?;
    h.run_with("find_neighbours", groups, "pass_constants", [1, 0, 0, 0])?;
    Ok((offset, h.read("incident_body")?))
}

#[test]
fn neighbour_lists_hold_all_pairs_in_reach() {
    holds(128, &clouds(1), |h, input| {
        let cloud = cloud(input);
        let (offset, list) = done(list_on(h, &cloud))?;
        is_neighbour_list(&cloud.neighbours(), &offset, &list)
    });
}

/// Keys, sort and links on the device: the order of the bodies, and the nodes.
fn tree_on(h: &mut Harness, positions: &[[u32; 3]]) -> Result<Lbvh> {
    let n = positions.len();
    h.uniform("lbvh_params", &UVec4::new(n as u32, 0, 0, 0))?;
    let source = |p: &[u32; 3]| Source { position: p.map(|x| x as i32), ..Source::default() };
    h.fill("tree_position", &positions.iter().map(source).collect::<Vec<_>>())?;
    h.zeros("tree_key", 8 * n)?;
    h.zeros("tree_index", 4 * n)?;
    h.run("lbvh_keys", n.div_ceil(64) as u32)?;
    h.run_block(&radix_sort("tree_key", "tree_index", n as u32, Key::Bits64, 64, "sort"))?;
    let order = h.read::<u32>("tree_index")?.iter().map(|b| *b as usize).collect();
    let keys =
        h.read::<[u32; 2]>("tree_key")?.iter().map(|k| u64::from(k[0]) | u64::from(k[1]) << 32).collect::<Vec<_>>();
    let child = |c: u32| if c >> 31 == 1 { Child::Leaf((c & !(1 << 31)) as usize) } else { Child::Node(c as usize) };
    let node = |n: &TreeNode| Node {
        children: [child(n.left), child(n.right)],
        first: n.first as usize,
        last: n.last as usize,
    };
    Ok(Lbvh { order, nodes: link_on(h, &keys)?.iter().map(node).collect() })
}

#[test]
fn radix_trees_are_sound_and_the_reference_s() {
    holds(128, &clouds(2), |h, input| {
        // Positions as whole units of 2^-20 L, wrapped into the 31 bits of the box.
        let position = |b: &breccia::gpu::layout::BodyWords| b.position.map(|x| (x >> 18) as u32 & 0x7fff_ffff);
        let positions: Vec<_> = cloud(input).bodies.iter().map(position).collect();
        if positions.len() < 2 {
            return Ok(()); // no tree is built over one body
        }
        let tree = done(tree_on(h, &positions))?;
        is_radix_tree(&tree, positions.len())?;
        if tree == Lbvh::build(&positions) { Ok(()) } else { Err("another tree than the reference builds".into()) }
    });
}

/// 67 million values need more workgroups than one dimension holds; devices that bind 128 MiB get half as many.
#[test]
#[ignore = "nightly: as many values as the device binds, up to 67 million"]
fn scan_of_all_that_a_device_binds() {
    let gpu = gpu();
    let bytes = gpu.limits.max_buffer_size.min(gpu.limits.max_storage_buffer_binding_size);
    let values = vec![1; (bytes as usize / 4 - 8).min(65_536 * 1024 + 3)];
    let scanned = scan_on(&mut Harness::new(&gpu), &values).expect("scan");
    is_exclusive_scan(&values, &scanned).expect("a scan");
}
