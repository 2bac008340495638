//! A contact problem whose Delassus operator is given as a matrix of 3x3 blocks, in the frames of its contacts.

use breccia::base::error::{Error, Result};
use breccia::physics::rigid::{Delassus, Law};
use glam::{DMat3, DVec3};

/// Sparse blocks, row by row. Every contact has its own frame (n, t, s), so that x is the normal for all of them; W
/// need not be symmetric.
#[derive(Debug, Clone)]
pub struct BlockMatrix {
    /// of every contact: (column, block), in ascending order of columns
    rows: Vec<Vec<(usize, DMat3)>>,
    free: Vec<DVec3>,
    friction: Vec<f64>,
}

impl BlockMatrix {
    /// Makes a problem from the rows of W (1/kg), the free velocities q (m/s) and the coefficients of friction, each
    /// one a contact. Fails with the contact's number where lengths differ, a column does not exist or comes twice, a
    /// number is not finite, friction is negative, or a diagonal entry is not positive.
    pub fn new(mut rows: Vec<Vec<(usize, DMat3)>>, free: Vec<DVec3>, friction: Vec<f64>) -> Result<BlockMatrix> {
        if rows.len() != free.len() || rows.len() != friction.len() {
            let counts = [rows.len(), free.len(), friction.len()];
            return Err(Error::Data(format!("rows, free velocities and friction must be as many: {counts:?}")));
        }
        for (c, row) in rows.iter_mut().enumerate() {
            row.sort_by_key(|(column, _)| *column);
            if let Some(fault) = fault_of_row(c, row, free.len(), free[c], friction[c]) {
                return Err(Error::Data(format!("contact {c}: {fault}")));
            }
        }
        Ok(BlockMatrix { rows, free, friction })
    }

    /// Blocks that are stored, over blocks of a full matrix.
    pub fn fill(&self) -> f64 {
        let stored: usize = self.rows.iter().map(Vec::len).sum();
        stored as f64 / (self.rows.len() * self.rows.len()).max(1) as f64
    }
}

fn fault_of_row(c: usize, row: &[(usize, DMat3)], count: usize, free: DVec3, friction: f64) -> Option<String> {
    if row.windows(2).any(|pair| pair[0].0 == pair[1].0) || row.iter().any(|(column, _)| *column >= count) {
        return Some(format!("every column must come once and be below {count}"));
    }
    if !free.is_finite() || !row.iter().all(|(_, block)| block.is_finite()) {
        return Some("a number is not finite".into());
    }
    if !friction.is_finite() || friction < 0.0 {
        return Some(format!("friction {friction} must be finite and not negative"));
    }
    let own = row.iter().find(|(column, _)| *column == c);
    let positive = own.is_some_and(|(_, m)| m.x_axis.x > 0.0 && m.y_axis.y > 0.0 && m.z_axis.z > 0.0);
    (!positive).then(|| "the diagonal of its own block must be positive".into())
}

impl Delassus for BlockMatrix {
    /// The impulses themselves: a row gives the velocity without what incremental sums would gather of rounding.
    type State = Vec<DVec3>;

    fn count(&self) -> usize {
        self.rows.len()
    }

    fn law(&self, c: usize) -> Law {
        Law { normal: DVec3::X, friction: self.friction[c], cohesion: 0.0 }
    }

    fn free_velocity(&self, c: usize) -> DVec3 {
        self.free[c]
    }

    fn diagonal_block(&self, c: usize) -> DMat3 {
        self.rows[c].iter().filter(|(column, _)| *column == c).map(|(_, block)| *block).sum()
    }

    fn state(&self, impulses: &[DVec3]) -> Vec<DVec3> {
        impulses.to_vec()
    }

    fn velocity(&self, state: &Vec<DVec3>, c: usize) -> DVec3 {
        self.rows[c].iter().fold(self.free[c], |sum, (column, block)| sum + *block * state[*column])
    }

    fn add(&self, state: &mut Vec<DVec3>, c: usize, change: DVec3) {
        state[c] += change;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_give_velocities() {
        let (a, b) =
            (DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0)), DMat3::from_cols(DVec3::Y, DVec3::ZERO, DVec3::Z));
        let rows = vec![vec![(1, b), (0, a)], vec![(1, a)]];
        let w = BlockMatrix::new(rows, vec![DVec3::ONE, -DVec3::ONE], vec![0.5, 0.0]).unwrap();
        let u = w.velocities(&[DVec3::ONE, DVec3::X * 10.0]);
        assert_eq!(u, [DVec3::new(2.0, 13.0, 4.0), DVec3::new(9.0, -1.0, -1.0)]);
        assert_eq!((w.fill(), w.diagonal_block(0)), (0.75, a));
    }

    #[test]
    fn faults_are_named() {
        let one = DMat3::IDENTITY;
        let try_row = |row: Vec<(usize, DMat3)>, mu: f64| {
            BlockMatrix::new(vec![row], vec![DVec3::ONE], vec![mu]).map(|_| ()).map_err(|e| e.to_string())
        };
        assert_eq!(try_row(vec![(0, one)], 0.5), Ok(()));
        for (row, mu, expected) in [
            (vec![(0, one), (0, one)], 0.5, "every column"),
            (vec![(0, one), (1, one)], 0.5, "every column"),
            (vec![(0, -one)], 0.5, "the diagonal"),
            (vec![], 0.5, "the diagonal"),
            (vec![(0, one * f64::NAN)], 0.5, "a number"),
            (vec![(0, one)], -0.5, "friction"),
        ] {
            let text = try_row(row, mu).unwrap_err();
            assert!(text.starts_with(&format!("contact 0: {expected}")), "{text}");
        }
        assert!(BlockMatrix::new(vec![], vec![DVec3::ONE], vec![]).is_err());
    }
}
