//! Which spheres touch at an instant, by their positions alone: one criterion for both methods, so that their coordination
//! numbers can be compared.

use glam::DVec3;
use std::collections::HashMap;

/// Gap, over the smaller radius, up to which surfaces touch: ten times what rigid bodies of a pile at rest overlap by
/// or are apart, and a twentieth of a typical range of cohesion (2e-3 of a radius).
pub const TOUCH_TOLERANCE: f64 = 1e-4;

/// Pairs (i < j) of spheres (m) whose gap is at most `tolerance` of the smaller radius, sorted. Cells of several sizes,
/// twice from one to the next: each sphere is entered in cells as wide as itself and searches those of its own size and
/// wider.
pub fn touching_pairs(position_m: &[DVec3], radius_m: &[f64], tolerance: f64) -> Vec<(u32, u32)> {
    let least = radius_m.iter().copied().fold(f64::INFINITY, f64::min);
    let level = |k: usize| (radius_m[k] / least).log2().floor().max(0.0) as i32;
    let width = |level: i32| 4.0 * least * (1.0 + tolerance) * f64::from(level).exp2();
    let mut order: Vec<usize> = (0..radius_m.len()).collect();
    order.sort_by(|a, b| radius_m[*b].total_cmp(&radius_m[*a]));
    let mut levels: Vec<(i32, HashMap<u64, Vec<u32>>)> = vec![];
    let mut pairs = vec![];
    for k in order {
        let (own, position) = (level(k), position_m[k]);
        if levels.last().is_none_or(|l| l.0 != own) {
            levels.push((own, HashMap::new()));
        }
        for (level, cells) in &levels {
            let at = cell(position, width(*level));
            let around = (0..27).map(|n| [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1]);
            let near = around.filter_map(|d| cells.get(&key([0, 1, 2].map(|a| at[a].wrapping_add(d[a])))));
            // Descending radii: k is the smaller of every pair.
            let touches = |other: &u32| {
                let j = *other as usize;
                position.distance(position_m[j]) <= radius_m[k] * (1.0 + tolerance) + radius_m[j]
            };
            let found = near.flatten().copied().filter(touches);
            pairs.extend(found.map(|j| (j.min(k as u32), j.max(k as u32))));
        }
        if let Some((_, cells)) = levels.last_mut() {
            cells.entry(key(cell(position, width(own)))).or_default().push(k as u32);
        }
    }
    pairs.sort_unstable();
    // Cells of one key are met twice.
    pairs.dedup();
    pairs
}

fn cell(position: DVec3, width: f64) -> [i64; 3] {
    (position / width).floor().to_array().map(|c| c as i64)
}

/// One number for a cell; cells may share one, since pairs are judged by their positions.
fn key(cell: [i64; 3]) -> u64 {
    let mix = |sum: u64, c: i64| (sum.rotate_left(21) ^ c as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    cell.into_iter().fold(0, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs by trying all, of sizes up to 1:60.
    #[test]
    fn no_pair_is_missed_and_none_is_made_up() {
        let number = |k: u64| (k.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(k << 7) >> 33) as f64 / 2e9;
        let point = |k: u64| 12.0 * DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2)) - 6.0;
        let position: Vec<DVec3> = (0..400).map(point).collect();
        let radius: Vec<f64> = (0..400).map(|k| 0.05 * 60f64.powf(number(7777 + k).powi(3))).collect();
        for tolerance in [0.0, 1e-4, 0.5] {
            let touch = |i: usize, j: usize| {
                let reach = radius[i] + radius[j] + tolerance * radius[i].min(radius[j]);
                position[i].distance(position[j]) <= reach
            };
            let all = (0..400).flat_map(|i| (i + 1..400).map(move |j| (i, j))).filter(|(i, j)| touch(*i, *j));
            let wanted: Vec<(u32, u32)> = all.map(|(i, j)| (i as u32, j as u32)).collect();
            assert!(wanted.len() > 100, "{} pairs: the test says little", wanted.len());
            assert_eq!(touching_pairs(&position, &radius, tolerance), wanted, "tolerance {tolerance}");
        }
    }
}
