//! The field of the asteroid: its surface, density, and how its faces are summed; for engines on a GPU and on the CPU alike.

use super::face_tree::{ACCURACY, FaceTree};
use crate::base::cores::on_all_cores_from;
use crate::base::error::Result;
use crate::base::units::G;
use crate::model::deferred::Deferred;
use crate::model::scenario::{FaceSum, NO_ASTEROID, Scenario};
use glam::DVec3;
use std::sync::Arc;

/// Faces from which `auto` takes the tree: where it overtakes the exact sum (docs/method/gravity.md).
pub const TREE_FROM: usize = 1_000;
/// Accuracy of potentials beside a GPU, which the host takes from the tree, also if forces are summed exactly.
const POTENTIAL_ACCURACY: f64 = 1e-6;

/// The field of a homogeneous polyhedron at rest about the origin.
pub struct AsteroidField {
    /// over the faces
    pub tree: FaceTree,
    /// how a GPU sums the faces; `Auto` is decided
    pub sum: FaceSum,
    /// G rho (1/s2)
    pub g_rho_s2: f64,
}

impl AsteroidField {
    /// The field of a scenario whose gravity has a source `asteroid`; `Err`: the surface cannot be made.
    pub fn of(scenario: &Scenario) -> Result<Option<Arc<AsteroidField>>> {
        let Some(typed) = scenario.asteroid_sum() else { return Ok(None) };
        let spec = scenario.asteroid.as_ref().ok_or_else(|| {
            let [what, remedy] = NO_ASTEROID;
            scenario.fault("gravity", what, remedy)
        })?;
        let tree = FaceTree::new(&*spec.surface()?);
        Ok(Some(Arc::new(AsteroidField { sum: typed.decided(tree.len()), tree, g_rho_s2: G * spec.density_kg_m3 })))
    }

    /// G times the mass (m3/s2).
    pub fn gm_m3_s2(&self) -> f64 {
        self.g_rho_s2 * self.tree.volume * self.tree.unit_m.powi(3)
    }

    /// Field (m/s2, J/kg) at a position (m), in f64, summed over every face whatever `sum` is: the truth that a tree is
    /// compared with.
    pub fn at(&self, position_m: DVec3) -> (DVec3, f64) {
        let field = self.tree.exact(position_m / self.tree.unit_m);
        let scale = self.g_rho_s2 * self.tree.unit_m;
        (scale * field.acceleration, scale * self.tree.unit_m * field.potential)
    }

    /// Potentials at many positions (m), by the tree on all cores (J/kg).
    pub fn potentials_j_kg(&self, positions_m: &[DVec3]) -> Vec<f64> {
        let accuracy = match self.sum {
            FaceSum::Tree { accuracy } => accuracy,
            _ => POTENTIAL_ACCURACY,
        };
        let scale = self.g_rho_s2 * self.tree.unit_m.powi(2);
        let points: Vec<DVec3> = positions_m.iter().map(|p| *p / self.tree.unit_m).collect();
        self.tree.potentials(&points, accuracy).into_iter().map(|potential| scale * potential).collect()
    }

    /// As [`AsteroidField::potentials_j_kg`], but not before they are read.
    pub fn potentials_on_demand(self: &Arc<Self>, positions_m: &[DVec3]) -> Deferred {
        let (field, positions_m) = (self.clone(), positions_m.to_vec());
        Deferred::new(move || field.potentials_j_kg(&positions_m))
    }

    /// Potentials summed over every face, not before they are read.
    pub fn exact_potentials_on_demand(self: &Arc<Self>, positions_m: &[DVec3]) -> Deferred {
        let (field, positions_m) = (self.clone(), positions_m.to_vec());
        Deferred::new(move || on_all_cores_from(&positions_m, 1, |position| field.at(*position).1))
    }
}

impl FaceSum {
    /// Decides `Auto` for this number of faces.
    pub fn decided(self, faces: usize) -> FaceSum {
        match self {
            FaceSum::Auto if faces < TREE_FROM => FaceSum::Exact,
            FaceSum::Auto => FaceSum::Tree { accuracy: ACCURACY },
            sum => sum,
        }
    }
}
