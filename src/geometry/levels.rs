//! Spheres found by position whatever their sizes: a hash grid for every power of two of the radius, each with cells as wide as
//! its largest sphere, so that a few boulders do not gather all grains around them in one cell.

use glam::DVec3;

/// End of a chain.
const NONE: u32 = u32::MAX;

/// Spheres of radii between a power of two and the next.
struct Level {
    radius_max_m: f64,
    /// first sphere of a bucket
    heads: Vec<u32>,
    /// put down so far
    members: Vec<u32>,
}

/// Spheres that were put down, by level and cell.
pub struct Levels {
    exponents: Vec<i32>,
    levels: Vec<Level>,
    /// the next sphere of the same bucket
    next: Vec<u32>,
}

fn exponent(radius_m: f64) -> i32 {
    radius_m.max(f64::MIN_POSITIVE).log2().floor() as i32
}

impl Levels {
    /// Empty levels for spheres of these radii (m).
    pub fn new(radii_m: &[f64]) -> Levels {
        let mut exponents: Vec<i32> = vec![];
        let mut found: Vec<(f64, usize)> = vec![];
        for r in radii_m {
            let e = exponent(*r);
            let level = exponents.binary_search(&e).unwrap_or_else(|at| {
                exponents.insert(at, e);
                found.insert(at, (0.0, 0));
                at
            });
            let (radius, count) = found[level];
            found[level] = (radius.max(*r), count + 1);
        }
        let level = |(radius_max_m, count): (f64, usize)| Level {
            radius_max_m,
            heads: vec![NONE; count.next_power_of_two()],
            members: vec![],
        };
        Levels { exponents, levels: found.into_iter().map(level).collect(), next: vec![NONE; radii_m.len()] }
    }

    /// Puts sphere `k` down.
    pub fn put(&mut self, k: usize, centre: DVec3, radius_m: f64) {
        let Ok(at) = self.exponents.binary_search(&exponent(radius_m)) else { return };
        let level = &mut self.levels[at];
        let bucket = level.bucket(cell(centre, 2.0 * level.radius_max_m));
        self.next[k] = std::mem::replace(&mut level.heads[bucket], k as u32);
        level.members.push(k as u32);
    }

    /// Calls `found` for every sphere that may touch this one, and some more, a few perhaps twice, while it returns true.
    pub fn near(&self, centre: DVec3, radius_m: f64, mut found: impl FnMut(usize) -> bool) {
        for level in self.levels.iter().filter(|l| !l.members.is_empty()) {
            let reach = DVec3::splat(radius_m + level.radius_max_m);
            let [low, high] = [centre - reach, centre + reach].map(|c| cell(c, 2.0 * level.radius_max_m));
            let sides = [0, 1, 2].map(|a| high[a].saturating_sub(low[a]).saturating_add(1));
            let cells = sides.iter().fold(1i64, |n, s| n.saturating_mul(*s));
            if cells > level.members.len() as i64 {
                if !level.members.iter().all(|k| found(*k as usize)) {
                    return;
                }
                continue;
            }
            for n in 0..cells {
                let at = [n % sides[0], n / sides[0] % sides[1], n / sides[0] / sides[1]];
                let mut k = level.heads[level.bucket([0, 1, 2].map(|a| low[a] + at[a]))];
                while k != NONE {
                    if !found(k as usize) {
                        return;
                    }
                    k = self.next[k as usize];
                }
            }
        }
    }
}

impl Level {
    /// Cells in a row have buckets in a row, for the sake of caches.
    fn bucket(&self, [x, y, z]: [i64; 3]) -> usize {
        let mixed = x.wrapping_add(y.wrapping_mul(73_856_093)).wrapping_add(z.wrapping_mul(83_492_791));
        mixed as usize & (self.heads.len() - 1)
    }
}

/// Beyond the range of integers all are in the last cell.
fn cell(p: DVec3, width: f64) -> [i64; 3] {
    (p / width).floor().to_array().map(|c| c as i64)
}
