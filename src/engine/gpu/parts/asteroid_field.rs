//! The field of the asteroid on the GPU: its rows, its uniform, what its passes go over.

use super::{Fill, Part};
use crate::base::error::Result;
use crate::base::units::Units;
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::SLICE_MAX;
use crate::gpu::layout::AsteroidParams;
use crate::model::scenario::{FaceSum, Scenario};
use crate::physics::gravity::asteroid_field::AsteroidField;
use std::sync::Arc;

/// Faces that an invocation sums at least, where few bodies would leave a device idle.
const SLICE_MIN: u32 = 1 << 10;
/// Workgroups that keep a device busy.
const GROUPS_WANTED: u32 = 1 << 10;

impl AsteroidField {
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
        with_faces(counts, self.sum, self.tree.len() as u64, self.tree.nodes.len() as u64)
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

/// The counts of a run with those of its asteroid's field, before that is made: about 0.75 nodes a face.
pub fn expected_counts(scenario: &Scenario, counts: Counts) -> Result<Counts> {
    let (Some(typed), Some(spec)) = (scenario.asteroid_sum(), &scenario.asteroid) else { return Ok(counts) };
    let faces = spec.surface()?.triangles.len() as u64;
    Ok(with_faces(counts, typed.decided(faces as usize), faces, faces * 3 / 4))
}

/// Counts with those of so many faces, in so many nodes if a tree sums them.
fn with_faces(counts: Counts, sum: FaceSum, faces: u64, nodes: u64) -> Counts {
    let bodies = counts.of("body");
    match sum {
        FaceSum::Tree { .. } => counts.with_faces(faces, nodes, 0),
        _ => counts.with_faces(faces, 0, faces.div_ceil(slice_faces(faces as u32, bodies as usize).into())),
    }
}

/// The asteroid's field in a run.
pub struct AsteroidPart {
    /// in f64
    pub field: Arc<AsteroidField>,
    params: AsteroidParams,
}

impl AsteroidPart {
    /// For `bodies` bodies in these units.
    pub(crate) fn new(field: Arc<AsteroidField>, units: &Units, bodies: usize) -> AsteroidPart {
        AsteroidPart { params: field.params(units, bodies), field }
    }
}

impl Part for AsteroidPart {
    fn fill(&self, to: &Fill) -> Result<()> {
        self.field.fill(&self.params, to)
    }
}

impl AsteroidField {
    /// Writes what the passes over the faces read.
    pub(crate) fn fill(&self, params: &AsteroidParams, to: &Fill) -> Result<()> {
        let (corners, sides) = self.tree.face_rows();
        to.uniform("asteroid_params", params)?;
        to.write("face_corner", &corners)?;
        to.write("face_side", &sides)?;
        if let FaceSum::Tree { .. } = self.sum {
            to.write("face_node", &self.tree.node_rows())?;
            to.write("face_first", &self.tree.moment_rows(|m| m.first))?;
            to.write("face_second", &self.tree.moment_rows(|m| m.second))?;
        }
        Ok(())
    }
}
