//! Which spheres touch at an instant, by their positions alone: one criterion for both methods, so that their coordination
//! numbers can be compared.

use super::levels::Levels;
use crate::base::cores::on_all_cores;
use glam::DVec3;

/// Gap, over the smaller radius, up to which surfaces touch: ten times what rigid bodies of a pile at rest overlap by
/// or are apart, and a twentieth of a typical range of cohesion (2e-3 of a radius).
pub const TOUCH_TOLERANCE: f64 = 1e-4;

/// Pairs (i < j) of spheres (m) whose gap is at most `tolerance` of the smaller radius, sorted.
pub fn touching_pairs(position_m: &[DVec3], radius_m: &[f64], tolerance: f64) -> Vec<(u32, u32)> {
    let mut levels = Levels::new(radius_m);
    (0..radius_m.len()).for_each(|k| levels.put(k, position_m[k], radius_m[k]));
    let numbers: Vec<usize> = (0..radius_m.len()).collect();
    let found = on_all_cores(&numbers, |&j| {
        let mut touched = vec![];
        levels.near(position_m[j], radius_m[j] * (1.0 + tolerance), |i| {
            let reach = radius_m[i] + radius_m[j] + tolerance * radius_m[i].min(radius_m[j]);
            if i < j && position_m[i].distance(position_m[j]) <= reach {
                touched.push((i as u32, j as u32));
            }
            true
        });
        touched
    });
    let mut pairs = found.concat();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
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
