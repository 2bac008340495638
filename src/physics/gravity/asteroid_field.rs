//! The field of the asteroid: its surface, density, and how its faces are summed; for engines on a GPU and on the CPU alike.

use super::face_tree::{ACCURACY, FaceTree};
use crate::base::error::{Error, Result};
use crate::base::units::Units;
use crate::engine::gpu::prepare::G;
use crate::gpu::buffer_table::Counts;
use crate::gpu::layout::AsteroidParams;
use crate::model::scenario::{FaceSum, GravitySource, Scenario};
use glam::DVec3;

/// Faces from which `auto` takes the tree: where it overtakes the exact sum (docs/method/gravity.md).
pub const TREE_FROM: usize = 1_000;
/// Faces that an invocation sums at most: software devices end loops at 65,535 turns.
pub const SLICE_MAX: u32 = 1 << 15;
/// And at least, where few bodies would leave a device idle.
const SLICE_MIN: u32 = 1 << 10;
/// Workgroups that keep a device busy.
const GROUPS_WANTED: u32 = 1 << 10;
/// Accuracy of potentials, which the host always takes from the tree, beside an exact sum.
const POTENTIAL_ACCURACY: f64 = 1e-6;

/// The field of a homogeneous polyhedron that stands still about the origin.
pub struct AsteroidField {
    /// over the faces
    pub tree: FaceTree,
    /// `Auto` is decided
    pub sum: FaceSum,
    /// G rho (1/s2)
    pub g_rho_s2: f64,
}

impl AsteroidField {
    /// Of a scenario whose gravity has a source `asteroid`; `Err`: the surface cannot be made.
    pub fn of(scenario: &Scenario) -> Result<Option<AsteroidField>> {
        let typed = scenario.gravity.iter().find_map(|source| match source {
            GravitySource::Asteroid { sum, .. } => Some(*sum),
            _ => None,
        });
        let Some(typed) = typed else { return Ok(None) };
        let spec = scenario.asteroid.as_ref().ok_or_else(|| {
            let way_out = "add an [asteroid] section, or remove the source";
            Error::Usage(format!("{}: gravity: kind = \"asteroid\" has no asteroid; {way_out}", scenario.name))
        })?;
        let tree = FaceTree::new(&*spec.surface()?);
        Ok(Some(AsteroidField { sum: typed.decided(tree.len()), tree, g_rho_s2: G * spec.density_kg_m3 }))
    }

    /// G times the mass (m3/s2).
    pub fn gm_m3_s2(&self) -> f64 {
        self.g_rho_s2 * self.tree.volume * self.tree.unit_m.powi(3)
    }

    /// Field (m/s2, J/kg) at a place (m), in f64.
    pub fn at(&self, place_m: DVec3) -> (DVec3, f64) {
        let at = place_m / self.tree.unit_m;
        let field = match self.sum {
            FaceSum::Tree { accuracy } => self.tree.walk(at, accuracy).field,
            _ => self.tree.exact(at),
        };
        let scale = self.g_rho_s2 * self.tree.unit_m;
        (scale * field.acceleration, scale * self.tree.unit_m * field.potential)
    }

    /// Potentials at many places (m), by the tree on all cores (J/kg).
    pub fn potentials_j_kg(&self, places_m: &[DVec3]) -> Vec<f64> {
        let accuracy = match self.sum {
            FaceSum::Tree { accuracy } => accuracy,
            _ => POTENTIAL_ACCURACY,
        };
        let scale = self.g_rho_s2 * self.tree.unit_m.powi(2);
        on_all_cores(places_m, |p| scale * self.tree.walk(*p / self.tree.unit_m, accuracy).field.potential)
    }

    /// The uniform of the passes for `bodies` bodies in these units.
    pub fn params(&self, units: &Units, bodies: usize) -> AsteroidParams {
        let faces = self.tree.len() as u32;
        let slice_faces = slice_faces(faces, bodies);
        let (accuracy, slice_count) = match self.sum {
            FaceSum::Tree { accuracy } => (accuracy, 1),
            _ => (0.0, faces.div_ceil(slice_faces)),
        };
        AsteroidParams {
            pull: (self.g_rho_s2 * self.tree.unit_m * units.acceleration()) as f32,
            per_length: (units.length_m / self.tree.unit_m) as f32,
            strictness: (accuracy * self.tree.volume) as f32,
            round_square: self.tree.round_squared() as f32,
            face_count: faces,
            node_count: self.tree.nodes.len() as u32,
            slice_faces,
            slice_count,
        }
    }

    /// Counts of a run with what its passes go over.
    pub fn counts(&self, counts: Counts) -> Counts {
        let (bodies, faces) = (counts.of("body"), self.tree.len() as u64);
        match self.sum {
            FaceSum::Tree { .. } => counts.with_faces(faces, self.tree.nodes.len() as u64, 0),
            _ => counts.with_faces(faces, 0, faces.div_ceil(slice_faces(faces as u32, bodies as usize).into())),
        }
    }
}

/// Faces that an invocation sums: fewer where there are few bodies.
fn slice_faces(faces: u32, bodies: usize) -> u32 {
    let blocks = bodies.div_ceil(64) as u32;
    let idle = |slice: &u32| *slice > SLICE_MIN && blocks * faces.div_ceil(*slice) < GROUPS_WANTED;
    let mut slice = SLICE_MAX;
    while idle(&slice) {
        slice /= 2;
    }
    slice
}

/// Counts of a run with what the field of its asteroid takes, before that is made: some 0.75 nodes a face.
pub fn expected_counts(scenario: &Scenario, counts: Counts) -> Result<Counts> {
    let typed = scenario.gravity.iter().find_map(|source| match source {
        GravitySource::Asteroid { sum, .. } => Some(*sum),
        _ => None,
    });
    let (Some(typed), Some(spec)) = (typed, &scenario.asteroid) else { return Ok(counts) };
    let (faces, bodies) = (spec.surface()?.triangles.len(), counts.of("body"));
    Ok(match typed.decided(faces) {
        FaceSum::Tree { .. } => counts.with_faces(faces as u64, faces as u64 * 3 / 4, 0),
        _ => {
            let slices = (faces as u32).div_ceil(slice_faces(faces as u32, bodies as usize));
            counts.with_faces(faces as u64, 0, slices.into())
        }
    })
}

impl FaceSum {
    /// The same for so many faces, with `Auto` decided.
    pub fn decided(self, faces: usize) -> FaceSum {
        match self {
            FaceSum::Auto if faces < TREE_FROM => FaceSum::Exact,
            FaceSum::Auto => FaceSum::Tree { accuracy: ACCURACY },
            sum => sum,
        }
    }
}

/// `of` each item, in order.
pub fn on_all_cores<T: Sync, U: Send>(items: &[T], of: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let (of, share) = (&of, items.len().div_ceil(cores).max(64));
    std::thread::scope(|scope| {
        let run = |chunk| scope.spawn(move || Iterator::map(<[T]>::iter(chunk), of).collect::<Vec<U>>());
        let runs: Vec<_> = items.chunks(share).map(run).collect();
        runs.into_iter().flat_map(|r| r.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    })
}
