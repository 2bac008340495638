//! Radix sort of random keys, from the same order each time; the result is checked.

use super::clock::{repeat, whole};
use super::{Row, Rows, clock, pass_rows};
use crate::base::error::{Error, Result};
use crate::gpu::blocks::radix_sort::{Key, radix_sort};
use crate::gpu::buffer_table::Counts;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::plan_block;
use crate::gpu::pipeline::run::{Buffers, Compiled, Pipeline};
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Sorts of `n` keys of both widths, with a word that goes along with each.
pub fn rows(gpu: &Gpu, n: usize) -> Result<Rows> {
    let row = |key| sort(gpu, n, key).map_err(|e| (format!("sort {} bits", bits(key)), e));
    Ok([Key::Bits32, Key::Bits64].into_iter().map(row).collect())
}

fn bits(key: Key) -> u32 {
    if key == Key::Bits32 { 32 } else { 64 }
}

fn sort(gpu: &Gpu, n: usize, key: Key) -> Result<Row> {
    let [keys, payload] = if key == Key::Bits32 { ["cell_key", "cell_body"] } else { ["tree_key", "tree_index"] };
    let counts = Counts::new(n as u64, 0, 1, 1, 1).with_tree();
    let block = radix_sort(keys, payload, n as u32, key, bits(key), "sort");
    let storage_max = gpu.limits.max_storage_buffers_per_shader_stage;
    let plan = plan_block("radix_sort", block, &Sources::default(), &counts, storage_max, &[keys, payload])?;
    let mut buffers = Buffers::of_plan(gpu, &plan, &counts)?;
    let mut random = Pcg64Mcg::seed_from_u64(1);
    let words: Vec<u32> = (0..n * (bits(key) / 32) as usize).map(|_| random.next_u32()).collect();
    buffers.create(gpu, "unsorted", 4 * words.len() as u64, false)?;
    buffers.write(gpu, "unsorted", &words)?;
    let pipeline = Pipeline::build(gpu, &plan, &buffers, &mut Compiled::default())?;
    let (from, to) = (buffers.get("unsorted")?, buffers.get(keys)?);
    let restore = |e: &mut wgpu::CommandEncoder| e.copy_buffer_to_buffer(from, 0, to, 0, 4 * words.len() as u64);
    let times = repeat(|| whole(gpu, restore, |pass| pipeline.record(pass, "radix_sort")))?;
    check(&buffers.read(gpu, keys, words.len())?, key)?;
    let samples = clock::single(gpu, restore, &pipeline, "radix_sort")?;
    let what = format!("radix sort, {}-bit keys", bits(key));
    let mut row = Row::new(what, n, times, clock::name(gpu), n as f64, "pairs");
    row.passes = pass_rows(&samples, &plan, &counts);
    Ok(row)
}

fn check(words: &[u32], key: Key) -> Result<()> {
    let low_first = |w: &[u32]| w.iter().rev().fold(0u64, |k, w| k << 32 | u64::from(*w));
    if words.chunks((bits(key) / 32) as usize).map(low_first).is_sorted() {
        return Ok(());
    }
    Err(Error::DeviceLost("the sorted keys are not in order: do not trust this driver".into()))
}
