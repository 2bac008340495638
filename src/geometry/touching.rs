//! Which spheres touch at an instant, by their positions alone: one criterion for both methods, so that their coordination
//! numbers can be compared.

use crate::base::cores::on_all_cores;
use glam::DVec3;

/// Gap, over the smaller radius, up to which surfaces touch: ten times what rigid bodies of a pile at rest overlap by
/// or are apart, and a twentieth of a typical range of cohesion (2e-3 of a radius).
pub const TOUCH_TOLERANCE: f64 = 1e-4;

/// Pairs (i < j) of spheres (m) whose gap is at most `tolerance` of the smaller radius, sorted. Cells have several sizes,
/// each twice as wide as the one before: a sphere lies in a cell at least as wide as itself, and searches those of its own
/// size and wider.
pub fn touching_pairs(position_m: &[DVec3], radius_m: &[f64], tolerance: f64) -> Vec<(u32, u32)> {
    let least = radius_m.iter().copied().fold(f64::INFINITY, f64::min);
    let level = |k: u32| (radius_m[k as usize] / least).log2().floor().max(0.0) as i32;
    let width = |level: i32| 4.0 * least * (1.0 + tolerance) * f64::from(level).exp2();
    let mut order: Vec<u32> = (0..radius_m.len() as u32).collect();
    order.sort_by(|a, b| radius_m[*b as usize].total_cmp(&radius_m[*a as usize]));
    // Radii descend, so levels do, and of two spheres the one of the higher rank is the smaller.
    let levels: Vec<Cells> = order
        .chunk_by(|a, b| level(*a) == level(*b))
        .scan(0, |first, of_level| {
            *first += of_level.len() as u32;
            Some(Cells::new(position_m, of_level, *first - of_level.len() as u32, width(level(of_level[0]))))
        })
        .collect();
    let ranks: Vec<u32> = (0..order.len() as u32).collect();
    let found = on_all_cores(&ranks, |rank| {
        let k = order[*rank as usize];
        let (position, reach) = (position_m[k as usize], radius_m[k as usize] * (1.0 + tolerance));
        let mut touched = vec![];
        for cells in levels.iter().take_while(|cells| cells.first_rank <= *rank) {
            cells.around(position, |other| {
                let j = order[other as usize];
                let near = position.distance(position_m[j as usize]) <= reach + radius_m[j as usize];
                if other < *rank && near {
                    touched.push((j.min(k), j.max(k)));
                }
            });
        }
        touched
    });
    let mut pairs = found.concat();
    pairs.sort_unstable();
    // Where cells around a sphere share a bucket, those in it are met twice.
    pairs.dedup();
    pairs
}

/// Spheres of one level, by rank, in the buckets of a hash of their cells.
struct Cells {
    first_rank: u32,
    width: f64,
    /// of each bucket in `ranks`, and the end
    offsets: Vec<u32>,
    ranks: Vec<u32>,
}

impl Cells {
    /// Of the spheres `bodies`, whose ranks begin with `first_rank`.
    fn new(position_m: &[DVec3], bodies: &[u32], first_rank: u32, width: f64) -> Cells {
        let buckets = (2 * bodies.len()).next_power_of_two();
        let bucket_of = |k: &u32| bucket(cell(position_m[*k as usize], width), buckets);
        let own: Vec<usize> = bodies.iter().map(bucket_of).collect();
        let mut offsets = vec![0; buckets + 1];
        own.iter().for_each(|b| offsets[b + 1] += 1);
        (0..buckets).for_each(|b| offsets[b + 1] += offsets[b]);
        let (mut next, mut ranks) = (offsets.clone(), vec![0; bodies.len()]);
        for (rank, b) in (first_rank..).zip(own) {
            ranks[next[b] as usize] = rank;
            next[b] += 1;
        }
        Cells { first_rank, width, offsets, ranks }
    }

    /// Those in the cell of a position and in the 26 around it, and in cells that share their buckets.
    fn around(&self, position: DVec3, mut meet: impl FnMut(u32)) {
        let at = cell(position, self.width);
        for n in 0..27 {
            let next_to =
                [at[0].wrapping_add(n % 3 - 1), at[1].wrapping_add(n / 3 % 3 - 1), at[2].wrapping_add(n / 9 - 1)];
            let b = bucket(next_to, self.offsets.len() - 1);
            self.ranks[self.offsets[b] as usize..self.offsets[b + 1] as usize].iter().for_each(|rank| meet(*rank));
        }
    }
}

fn cell(position: DVec3, width: f64) -> [i64; 3] {
    (position / width).floor().to_array().map(|c| c as i64)
}

/// Which of this many buckets, a power of two, a cell is in.
fn bucket(cell: [i64; 3], buckets: usize) -> usize {
    let mix = |sum: u64, c: i64| (sum.rotate_left(21) ^ c as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = cell.into_iter().fold(0, mix);
    (mixed >> 32) as usize & (buckets - 1)
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
