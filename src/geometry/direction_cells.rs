//! Which corners of a convex body can be the farthest in a direction, by cells of directions. A search for the farthest corner
//! looks at a few of them then, and finds the same one.

use glam::DVec3;

/// Directions sorted by where they leave a cube about the origin: six sides (+x, -x, +y, -y, +z, -z), each of `across` x
/// `across` cells. On a side of axis a cells go along the axes after a, in the order x, y, z, x.
#[derive(Debug, Clone, Copy)]
pub struct DirectionCells {
    /// cells along an edge
    pub across: u32,
}

/// Corners of a cell at most, where a cell has a list.
pub const LISTED_MAX: usize = 8;
/// Cells are widened by this part of half a side, so that rounding at their bounds does no harm.
const SLACK: f64 = 1e-3;
/// Corners that are lower by less than this part of the body's size are kept, since their heights are rounded.
const LEVEL: f64 = 1e-5;

impl DirectionCells {
    /// About as many cells as corners.
    pub fn for_corners(count: usize) -> DirectionCells {
        DirectionCells { across: (count as f64 / 6.0).sqrt().ceil().max(1.0) as u32 }
    }

    /// How many there are.
    pub fn count(self) -> usize {
        6 * (self.across * self.across) as usize
    }

    /// The cell of a direction, as the GPU finds it (`wgsl/contact_dynamics/farthest_corner.wgsl`).
    pub fn of(self, d: DVec3) -> usize {
        let size = d.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let place = [1, 2].map(|k| d[(axis + k) % 3] / size[axis]);
        let most = f64::from(self.across - 1);
        let [u, v] = place.map(|x| (0.5 * (x + 1.0) * f64::from(self.across)).floor().clamp(0.0, most) as usize);
        let side = 2 * axis + usize::from(d[axis] < 0.0);
        (side * self.across as usize + u) * self.across as usize + v
    }

    /// The four directions that bound a cell, which is a little wider than that.
    fn bounds(self, cell: usize) -> [DVec3; 4] {
        let across = self.across as usize;
        let (side, u, v) = (cell / (across * across), cell / across % across, cell % across);
        let at = |k: usize, upper: bool| {
            let way = if upper { SLACK } else { -SLACK };
            2.0 * (k + usize::from(upper)) as f64 / across as f64 - 1.0 + way
        };
        [(false, false), (false, true), (true, false), (true, true)].map(|(a, b)| {
            let mut d = DVec3::ZERO;
            d[side / 2] = if side % 2 == 0 { 1.0 } else { -1.0 };
            d[(side / 2 + 1) % 3] = at(u, a);
            d[(side / 2 + 2) % 3] = at(v, b);
            d
        })
    }

    /// The corners that can be the farthest in a direction of a cell, in their order: all but those that one other corner
    /// surpasses along all four bounds, and so along all directions between them.
    pub fn farthest(self, cell: usize, corners: &[DVec3]) -> Vec<u32> {
        let bounds = self.bounds(cell);
        let heights: Vec<[f64; 4]> = corners.iter().map(|c| bounds.map(|d| d.dot(*c))).collect();
        let spare = LEVEL * corners.iter().map(|c| c.length()).fold(0.0, f64::max);
        let surpassed = |k: usize, by: &usize| (0..4).all(|b| heights[*by][b] > heights[k][b] + spare);
        let top = |b: usize| (0..corners.len()).max_by(|i, j| heights[*i][b].total_cmp(&heights[*j][b]));
        // the farthest along the bounds leave few, which are compared with each other
        let tops: Vec<usize> = (0..4).filter_map(top).collect();
        let left: Vec<usize> = (0..corners.len()).filter(|k| !tops.iter().any(|t| surpassed(*k, t))).collect();
        left.iter().filter(|k| !left.iter().any(|other| surpassed(**k, other))).map(|k| *k as u32).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::generate::{Grains, grain};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    #[test]
    fn the_farthest_corner_is_in_the_list_of_its_cell_and_lists_are_short() {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let (mut lists, mut listed, mut long) = (0, 0, 0);
        for _ in 0..40 {
            let corners = grain(&Grains::default(), 2.0, &mut random).unwrap().body.vertices_m;
            let cells = DirectionCells::for_corners(corners.len());
            let table: Vec<Vec<u32>> = (0..cells.count()).map(|cell| cells.farthest(cell, &corners)).collect();
            for _ in 0..500 {
                let d = DVec3::from_array(std::array::from_fn(|_| random.random_range(-1.0..1.0)));
                let best = (0..corners.len()).max_by(|i, j| corners[*i].dot(d).total_cmp(&corners[*j].dot(d))).unwrap();
                assert!(table[cells.of(d)].contains(&(best as u32)), "{best} is farthest along {d}");
            }
            lists += table.len();
            listed += table.iter().map(Vec::len).sum::<usize>();
            long += table.iter().filter(|t| t.len() > LISTED_MAX).count();
        }
        let mean = listed as f64 / lists as f64;
        assert!(
            (3.0..6.0).contains(&mean) && long * 20 < lists,
            "{mean} in a list, {long} of {lists} longer than rows"
        );
    }
}
