//! Scan and radix sort, at the sizes where such code breaks: around runs and tiles of 1,024, and one, two and three
//! levels of sums.

use super::cloud::random;
use super::harness::Harness;
use super::invariants::{is_exclusive_scan, is_stable_sort};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::blocks::radix_sort::{Key, radix_sort};
use crate::gpu::blocks::scan::exclusive_scan;
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "blocks",
    compares: "Scans and radix sorts against the same on the host, at sizes around runs and tiles.",
    bounds: "Results are integers and must be equal.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["scan_sums"], "sums of runs of 1,024", sums_of_runs),
    Check::exact(&["scan_sums", "scan_runs"], "exclusive scan and total", scans),
    Check::exact(&["sort_count"], "histograms of every digit", histograms),
    Check::exact(&["sort_sums", "sort_offsets"], "where every digit of every tile begins", offsets),
    Check::exact(SORT, "stable sort of 32-bit keys", |h, t| sorts(h, t, Key::Bits32)),
    Check::exact(SORT_WIDE, "stable sort of 64-bit keys", |h, t| sorts(h, t, Key::Bits64)),
];

const SORT: &[&str] = &["sort_count", "sort_sums", "sort_offsets", "sort_scatter"];
const SORT_WIDE: &[&str] = &["sort_count", "sort_sums", "sort_offsets", "sort_scatter_wide"];

const SIZES: [usize; 12] = [0, 1, 2, 63, 64, 65, 1000, 1023, 1024, 1025, 4097, 100_000];

/// Exclusive scan on the device, the total last.
pub fn scan_on(h: &mut Harness, values: &[u32]) -> Result<Vec<u32>> {
    h.fill("values", values)?;
    h.zeros("scanned", 4 * (values.len() + 1))?;
    h.run_block(&exclusive_scan("values", "scanned", values.len() as u32, "scan"))?;
    h.read("scanned")
}

/// Keys and their former indices, sorted on the device by the lowest `bits` bits.
pub fn sort_on(h: &mut Harness, keys: &[u64], key: Key, bits: u32) -> Result<(Vec<u64>, Vec<u32>)> {
    let n = keys.len() as u32;
    match key {
        Key::Bits32 => h.fill("keys", &keys.iter().map(|k| *k as u32).collect::<Vec<_>>())?,
        Key::Bits64 => h.fill("keys", &keys.iter().map(|k| [*k as u32, (*k >> 32) as u32]).collect::<Vec<_>>())?,
    }
    h.fill("payload", &(0..n).collect::<Vec<_>>())?;
    h.run_block(&radix_sort("keys", "payload", n, key, bits, "sort"))?;
    let sorted = match key {
        Key::Bits32 => h.read::<u32>("keys")?.into_iter().map(u64::from).collect(),
        Key::Bits64 => words64(&h.read("keys")?),
    };
    Ok((sorted, h.read("payload")?))
}

/// Words, low and high, as one.
pub fn words64(words: &[[u32; 2]]) -> Vec<u64> {
    words.iter().map(|k| u64::from(k[0]) | u64::from(k[1]) << 32).collect()
}

/// Values over the whole range of u32.
fn values(n: usize) -> Vec<u32> {
    let mut random = random(n as u64);
    (0..n).map(|_| random.random()).collect()
}

/// How far the sum of all goes, over what a word holds: half the way, or twice it.
const REACHES: [f64; 2] = [0.5, 2.0];

/// Values whose sum is about `reach` words.
fn addends(n: usize, reach: f64) -> Vec<u32> {
    let shift = 2.0 * reach / n.max(1) as f64;
    values(n).into_iter().map(|v| (f64::from(v) * shift) as u32).collect()
}

fn sums_of_runs(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (n, reach) in SIZES.into_iter().flat_map(|n| REACHES.map(|reach| (n, reach))) {
        t.case(format!("{n} values, sum {reach} of what a word holds"));
        let (values, runs) = (addends(n, reach), n.div_ceil(1024).max(1));
        // What follows the values does not count.
        h.fill("input", &[&values[..], &[5; 70]].concat())?;
        h.fill("sums", &vec![7; runs + 1])?;
        h.run_with("scan_sums", runs as u32, "pass_constants", [n as u32, 0, 0, 0])?;
        let sum = |run: &[u32]| run.iter().fold(0u32, |s, v| s.saturating_add(*v));
        let mut wanted: Vec<u32> = values.chunks(1024).map(sum).collect();
        wanted.resize(runs + 1, 7);
        t.equal("sum", &h.read::<u32>("sums")?, &wanted);
    }
    Ok(())
}

fn scans(h: &mut Harness, t: &mut Tally) -> Result<()> {
    let sizes = SIZES.into_iter().chain([2_000_000]);
    for (n, reach) in sizes.flat_map(|n| REACHES.map(|reach| (n, reach))) {
        t.case(format!("{n} values, sum {reach} of what a word holds"));
        let values = addends(n, reach);
        let scanned = scan_on(h, &values)?;
        t.hold(is_exclusive_scan(&values, &scanned));
    }
    Ok(())
}

fn histograms(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for n in SIZES {
        for (words, shift) in [(1, 0), (1, 24), (2, 8), (2, 56)] {
            t.case(format!("{n} keys of {words} words, shift {shift}"));
            let (keys, tiles) = (values(n * words), n.div_ceil(1024).max(1));
            h.fill("keys_in", &[&keys[..], &[0; 140]].concat())?;
            h.fill("counts", &vec![9; 256 * tiles])?;
            h.run_with("sort_count", tiles as u32, "pass_constants", [n as u32, shift, tiles as u32, words as u32])?;
            let mut wanted = vec![0; 256 * tiles];
            for (k, key) in keys.chunks(words).enumerate() {
                let digit = (key[shift as usize / 32] >> (shift % 32)) & 255;
                wanted[256 * (k / 1024) + digit as usize] += 1;
            }
            t.equal("count", &h.read::<u32>("counts")?, &wanted);
        }
    }
    Ok(())
}

/// Counts of a few tiles, and of more than one chunk of them.
fn offsets(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for (tiles, chunk) in [(1usize, 32usize), (5, 32), (32, 32), (33, 32), (70, 32), (9, 2)] {
        t.case(format!("{tiles} tiles in chunks of {chunk}"));
        // a tile has 1,024 keys
        let (counts, chunks) =
            (values(256 * tiles).iter().map(|v| v % 1025).collect::<Vec<u32>>(), tiles.div_ceil(chunk));
        h.fill("counts", &counts)?;
        h.fill("sums", &vec![7; 256 * (chunks + 1)])?;
        h.run_with("sort_sums", chunks as u32 + 1, "pass_constants", [tiles as u32, chunk as u32, 0, 0])?;
        let sum = |rows: &[u32], digit: usize| rows[digit..].iter().step_by(256).sum::<u32>();
        let of_chunk = |rows: &[u32]| (0..256).map(|digit| sum(rows, digit)).collect::<Vec<_>>();
        let sums = [counts.chunks(256 * chunk).flat_map(of_chunk).collect(), vec![7; 256]].concat();
        t.equal("sum", &h.read::<u32>("sums")?, &sums);
        h.zeros("offsets", 4 * counts.len())?;
        let constants = [tiles, chunk, chunks, 0].map(|k| k as u32);
        h.run_with("sort_offsets", chunks as u32, "pass_constants", constants)?;
        let (mut wanted, mut next) = (vec![0u32; counts.len()], 0u32);
        for (digit, tile) in (0..256).flat_map(|digit| (0..tiles).map(move |tile| (digit, tile))) {
            wanted[256 * tile + digit] = next;
            next += counts[256 * tile + digit];
        }
        t.equal("offset", &h.read::<u32>("offsets")?, &wanted);
    }
    Ok(())
}

/// Keys of `bits` bits: random, few different (only a stable sort keeps the payload in order), equal, falling.
fn keys(n: usize, bits: u32) -> [(&'static str, Vec<u64>); 4] {
    let mut random = random(n as u64);
    let mask = u64::MAX >> (64 - bits);
    [
        ("random", (0..n).map(|_| random.random::<u64>() & mask).collect()),
        ("few different", (0..n).map(|_| (random.random_range(0..5) << (bits - 3)) & mask).collect()),
        ("equal", vec![mask; n]),
        ("falling", (0..n as u64).rev().map(|k| k & mask).collect()),
    ]
}

fn sorts(h: &mut Harness, t: &mut Tally, key: Key) -> Result<()> {
    let widths: &[u32] = if key == Key::Bits32 { &[8, 13, 32] } else { &[48, 64] };
    for n in SIZES {
        for bits in widths {
            for (name, keys) in keys(n, *bits) {
                t.case(format!("{n} {name} keys of {bits} bits"));
                let (sorted, payload) = sort_on(h, &keys, key, *bits)?;
                t.hold(is_stable_sort(&keys, &sorted, &payload));
            }
        }
    }
    Ok(())
}
