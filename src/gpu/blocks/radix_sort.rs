//! Stable LSD radix sort of 32- or 64-bit keys with a u32 payload, 8 bits a pass, reduce-then-scan.

use super::scan::exclusive_scan;
use super::{Block, BlockPass, Scratch};

/// Keys that one workgroup counts and moves.
const TILE: u32 = 1024;

/// Width of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// `array<u32>`
    Bits32,
    /// `array<u32>`, two words a key, low word first
    Bits64,
}

/// Sorts the first `n` keys by their lowest `bits` bits, payload with them, in place: the result is in `keys` and
/// `payload` again. Equal keys keep their order. `prefix` names the scratch.
pub fn radix_sort(keys: &str, payload: &str, n: u32, key: Key, bits: u32, prefix: &str) -> Block {
    let words = if key == Key::Bits32 { 1 } else { 2 };
    let tiles = n.div_ceil(TILE).max(1);
    let [counts, offsets, other_keys, other_payload] =
        ["counts", "offsets", "keys", "payload"].map(|part| format!("{prefix}_{part}"));
    let mut block = Block::default();
    for (name, size) in [
        (&counts, u64::from(tiles) * 1024),
        (&offsets, u64::from(tiles) * 1024 + 4),
        (&other_keys, u64::from(n) * 4 * u64::from(words)),
        (&other_payload, u64::from(n) * 4),
    ] {
        block.scratch.push(Scratch { name: name.clone(), bytes: size.max(16) });
    }
    // An even number of moves brings the result back to where the keys came from.
    let passes = bits.div_ceil(8).max(1).next_multiple_of(2);
    for pass in 0..passes {
        let (from, to) = if pass % 2 == 0 {
            ((keys, payload), (other_keys.as_str(), other_payload.as_str()))
        } else {
            ((other_keys.as_str(), other_payload.as_str()), (keys, payload))
        };
        let constants = Some(("pass_constants", [n, 8 * pass.min(4 * words - 1), tiles, words]));
        block.passes.push(BlockPass {
            pass: "sort_count",
            bind: vec![("keys_in", from.0.to_owned()), ("counts", counts.clone())],
            constants,
            groups: tiles,
        });
        let scan = exclusive_scan(&counts, &offsets, 256 * tiles, &format!("{prefix}_scan"));
        block.scratch.extend(scan.scratch);
        block.passes.extend(scan.passes);
        block.passes.push(BlockPass {
            pass: "sort_scatter",
            bind: vec![
                ("keys_in", from.0.to_owned()),
                ("payload_in", from.1.to_owned()),
                ("offsets", offsets.clone()),
                ("keys_out", to.0.to_owned()),
                ("payload_out", to.1.to_owned()),
            ],
            constants,
            groups: tiles,
        });
    }
    block
}
