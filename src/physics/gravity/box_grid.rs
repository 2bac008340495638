//! A smooth function in a box by the polynomial through its values at Chebyshev's points, in f64.

use glam::DVec3;

/// Points along each axis.
const SIDE: usize = 4;
/// Points in all.
pub(super) const POINTS: usize = SIDE * SIDE * SIDE;
/// Sources of 1 / distance lie at least so far from the middle, in half of the box's longest edge. The polynomial then errs
/// by less than 1e-3 of what one of them gives there, and the nearest give a thousandth of the whole.
const CLEAR: f64 = 4.0;

/// A box, its points and a value at each.
pub(super) struct BoxGrid {
    middle: DVec3,
    half: DVec3,
    /// Chebyshev's points from -1 to 1
    along: [f64; SIDE],
    /// square of the distance from the middle within which no source may be
    clear_squared: f64,
    /// x fastest
    pub points: [DVec3; POINTS],
    pub values: [f64; POINTS],
}

impl BoxGrid {
    /// Makes a box whose values are 0.
    pub(super) fn new(low: DVec3, high: DVec3) -> BoxGrid {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let turn = |k: usize| (2 * k + 1) as f64 / (2 * SIDE) as f64 * std::f64::consts::PI;
        let along = std::array::from_fn(|k| turn(k).cos());
        let point = |k: usize| {
            let t = DVec3::new(along[k % SIDE], along[k / SIDE % SIDE], along[k / (SIDE * SIDE)]);
            middle + half * t
        };
        let clear_squared = (CLEAR * half.max_element()).powi(2);
        BoxGrid { middle, half, along, clear_squared, points: std::array::from_fn(point), values: [0.0; POINTS] }
    }

    /// Whether what a source at `centre` gives is smooth enough in the box.
    pub(super) fn takes(&self, centre: DVec3) -> bool {
        centre.distance_squared(self.middle) >= self.clear_squared
    }

    /// The polynomial at a point of the box.
    pub(super) fn at(&self, point: DVec3) -> f64 {
        let part = |d: f64, half: f64| if half > 0.0 { d / half } else { 0.0 };
        let d = point - self.middle;
        let [x, y, z] = [0, 1, 2].map(|k| self.weights(part(d[k], self.half[k])));
        let row = |row: &[f64]| -> f64 { row.iter().zip(x).map(|(value, weight)| value * weight).sum() };
        let layer = |layer: &[f64]| -> f64 { layer.chunks_exact(SIDE).zip(y).map(|(r, weight)| weight * row(r)).sum() };
        self.values.chunks_exact(SIDE * SIDE).zip(z).map(|(l, weight)| weight * layer(l)).sum()
    }

    /// What the value at each point along an axis counts at `t`: polynomials that are 1 at their own point and 0 at the others.
    fn weights(&self, t: f64) -> [f64; SIDE] {
        let at = self.along;
        let others = |k: usize| at.into_iter().enumerate().filter(move |(j, _)| *j != k);
        std::array::from_fn(|k| others(k).map(|(_, other)| (t - other) / (at[k] - other)).product())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cubic polynomials come out as they are, in a flat box too; 1 / distance of a source that is just clear nearly so.
    #[test]
    fn polynomials_and_distances() {
        for depth in [0.3, 0.0] {
            let grid = || BoxGrid::new(DVec3::new(-0.1, -0.4, 0.2 - depth), DVec3::new(0.9, 0.3, 0.2));
            let source = grid().middle + 2.0 * DVec3::X;
            assert!(grid().takes(source + 1e-9 * DVec3::X) && !grid().takes(source - 1e-9 * DVec3::X));
            let cubic = |p: DVec3| 2.0 + p.x * p.y * p.z - 3.0 * p.x.powi(3) + p.y * p.y * p.z.powi(3);
            let close = |p: DVec3| 2.0 / p.distance(source);
            assert!(worst(grid(), cubic, depth) < 1e-13);
            let off = worst(grid(), close, depth);
            assert!(off < 1e-3 && off > 1e-5, "{off:e}");
        }
    }

    /// The largest error of the polynomial of `of` over the box of the test.
    fn worst(mut grid: BoxGrid, of: impl Fn(DVec3) -> f64, depth: f64) -> f64 {
        grid.values = grid.points.map(&of);
        let part = |k: u32| f64::from(k % 10) / 9.0;
        let point = |k: u32| DVec3::new(part(k) - 0.1, 0.7 * part(k / 10) - 0.4, 0.2 - depth * part(k / 100));
        (0..1000).map(point).map(|p| (grid.at(p) - of(p)).abs()).fold(0.0, f64::max)
    }
}
