//! Times of a sort of 32-bit keys, each with an index: by Breccia, lampshade or wgpu_sort, as a row of a table.

mod breccia;
mod lampshade_pairs;
mod wgpu_sort_pairs;

use std::time::Instant;

pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Repetitions end after this time (s) or this number.
const ENOUGH_S: f64 = 2.0;
const REPEATS: usize = 15;

/// Least times of a sort (s).
pub struct Times {
    /// pairs on the device before and after
    pub resident: f64,
    /// upload and read-back too, where the library has a call for it
    pub with_transfers: Option<f64>,
    /// the result is sorted and stable
    pub right: bool,
}

/// The least time of repeated calls, the first of which compiles and does not count.
pub fn least(mut once: impl FnMut() -> Result<f64>) -> Result<f64> {
    once()?;
    let mut seconds = vec![];
    while seconds.len() < REPEATS && seconds.iter().sum::<f64>() < ENOUGH_S {
        seconds.push(once()?);
    }
    Ok(seconds.into_iter().fold(f64::INFINITY, f64::min))
}

/// Seconds that `work` takes by the wall clock.
pub fn timed(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let begun = Instant::now();
    work()?;
    Ok(begun.elapsed().as_secs_f64())
}

/// `n` words of a SplitMix64 generator.
pub fn keys(n: usize) -> Vec<u32> {
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as u32
    };
    (0..n).map(|_| next()).collect()
}

/// True if these are the keys sorted, each with its former index, equal keys in their order.
pub fn is_stable_sort(keys: &[u32], sorted: &[u32], from: &[u32]) -> bool {
    let mut wanted: Vec<u32> = (0..keys.len() as u32).collect();
    wanted.sort_by_key(|k| keys[*k as usize]);
    wanted == from && wanted.iter().zip(sorted).all(|(k, key)| keys[*k as usize] == *key)
}

fn main() -> Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [sort, pairs] = given.as_slice() else {
        return Err("usage: sort-peers breccia|lampshade|wgpu_sort PAIRS".into());
    };
    let name = std::env::var("WGPU_ADAPTER_NAME").unwrap_or_default();
    let n = pairs.parse()?;
    let times = match sort.as_str() {
        "breccia" => breccia::times(&name, n)?,
        "lampshade" => lampshade_pairs::times(&name, &keys(n))?,
        "wgpu_sort" => wgpu_sort_pairs::times(&name, &keys(n))?,
        _ => return Err(format!("there is no sort `{sort}`").into()),
    };
    let ms = |s: f64| format!("{:.2} ms", 1e3 * s);
    let whole = times.with_transfers.map_or("-".into(), ms);
    let result = if times.right { "right" } else { "WRONG" };
    println!("| {n} | {sort} | {} | {whole} | {result} |", ms(times.resident));
    Ok(())
}
