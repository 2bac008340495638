//! Stable LSD radix sort of 32- or 64-bit keys with a u32 payload, 8 bits a digit. Three or four dispatches a digit: count
//! the keys of each tile, say where those of each digit and tile begin (reduce-then-scan), move them.

use super::{Block, BlockPass, Scratch};

/// Keys that one workgroup counts and moves.
const TILE: u32 = 1024;
/// Tiles that one workgroup scans without sums of others: as many as cost no more than a dispatch.
const CHUNK: u32 = 32;
/// Bytes of the counts of a tile, one a digit.
const ROW: u64 = 1024;

/// Width of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// `array<u32>`
    Bits32,
    /// `array<u32>`, two words a key, low word first
    Bits64,
}

impl Key {
    fn words(self) -> u32 {
        match self {
            Key::Bits32 => 1,
            Key::Bits64 => 2,
        }
    }

    fn scatter(self) -> &'static str {
        match self {
            Key::Bits32 => "sort_scatter",
            Key::Bits64 => "sort_scatter_wide",
        }
    }
}

/// Sorts the first `n` keys by their lowest `bits` bits, payload with them, in place: the result is in `keys` and
/// `payload` again. Equal keys keep their order. `prefix` names the scratch.
pub fn radix_sort(keys: &str, payload: &str, n: u32, key: Key, bits: u32, prefix: &str) -> Block {
    let tiles = n.div_ceil(TILE).max(1);
    let [other_keys, other_payload] = ["keys", "payload"].map(|part| format!("{prefix}_{part}"));
    let mut block = Block::default();
    for (name, bytes) in [(&other_keys, u64::from(n) * 4 * u64::from(key.words())), (&other_payload, u64::from(n) * 4)]
    {
        block.scratch.push(Scratch { name: name.clone(), bytes: bytes.max(16) });
    }
    // An even number of moves brings the result back to where the keys came from.
    let digits = bits.div_ceil(8).max(1).next_multiple_of(2);
    for digit in 0..digits {
        let (here, there) = ((keys, payload), (other_keys.as_str(), other_payload.as_str()));
        let (from, to) = if digit % 2 == 0 { (here, there) } else { (there, here) };
        let shift = 8 * digit.min(4 * key.words() - 1);
        let constants = Some(("pass_constants", [n, shift, tiles, key.words()]));
        block.passes.push(BlockPass {
            pass: "sort_count",
            bind: vec![("keys_in", from.0.to_owned()), ("counts", format!("{prefix}_counts"))],
            constants,
            groups: tiles,
        });
        offsets(&mut block, tiles, prefix);
        block.passes.push(BlockPass {
            pass: key.scatter(),
            bind: vec![
                ("keys_in", from.0.to_owned()),
                ("payload_in", from.1.to_owned()),
                ("offsets", format!("{prefix}_offsets")),
                ("keys_out", to.0.to_owned()),
                ("payload_out", to.1.to_owned()),
            ],
            constants,
            groups: tiles,
        });
    }
    block
}

/// Where the keys of each digit and tile begin, from the counts of the tiles.
fn offsets(block: &mut Block, tiles: u32, prefix: &str) {
    let [counts, sums, offsets] = ["counts", "sums", "offsets"].map(|part| format!("{prefix}_{part}"));
    // About as many chunks as tiles in one, so that neither takes long.
    let chunk = CHUNK.max(tiles.isqrt());
    let chunks = tiles.div_ceil(chunk);
    let row = |name: &String, rows: u32| Scratch { name: name.clone(), bytes: u64::from(rows) * ROW };
    block.scratch.extend([row(&counts, tiles), row(&offsets, tiles)]);
    // The counts of tiles serve as the sums of a single chunk.
    let (mut of_chunks, mut rows) = (&counts, tiles);
    if chunks > 1 {
        block.scratch.push(row(&sums, chunks));
        block.passes.push(BlockPass {
            pass: "sort_sums",
            bind: vec![("counts", counts.clone()), ("sums", sums.clone())],
            constants: Some(("pass_constants", [tiles, chunk, 0, 0])),
            groups: chunks,
        });
        (of_chunks, rows) = (&sums, chunks);
    }
    block.passes.push(BlockPass {
        pass: "sort_offsets",
        bind: vec![("counts", counts.clone()), ("sums", of_chunks.clone()), ("offsets", offsets)],
        constants: Some(("pass_constants", [tiles, chunk, rows, 0])),
        groups: chunks,
    });
}
