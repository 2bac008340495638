//! The velocity field of a part of a frame, as arrays and as a picture.

use super::arrows;
use crate::analysis::envelope::automatic_alpha_m;
use crate::analysis::report::Subject;
use crate::analysis::velocity::{self, Plane};
use crate::base::error::Result;
use crate::model::stored::arrays::{flat, save};
use serde::Serialize;
use std::path::Path;

/// The velocity field in short.
#[derive(Debug, Clone, Serialize)]
pub struct VelocityMap {
    /// plane through the mass centre
    pub plane: Plane,
    /// reach of the kernel (m)
    pub reach_m: f64,
    /// of the grid
    pub rows: usize,
    /// of the grid
    pub columns: usize,
    /// largest speed of a node (m/s)
    pub speed_max_m_s: f64,
}

impl Subject<'_> {
    /// Velocity field; `velocity_PLANE.npy` (rows, columns, 3) m/s, `position_PLANE.npy` m and `density_PLANE.npy` (rows,
    /// columns) kg/m3 have it, `velocity_PLANE.svg` shows it.
    pub fn velocity(&self, folder: &Path) -> Result<VelocityMap> {
        let (plane, s) = (self.options.plane, &self.part);
        // One mean diameter between nodes.
        let reach_m = self.options.reach_m.unwrap_or_else(|| automatic_alpha_m(&s.bodies));
        let field = velocity::field(s, plane, reach_m)?;
        let name = |what: &str| format!("{what}_{}", plane.name());
        let [rows, columns] = field.shape.map(|n| n as u64);
        save(folder, &name("velocity"), &[rows, columns, 3], flat(&field.velocity_m_s))?;
        save(folder, &name("position"), &[rows, columns, 3], flat(&field.position_m))?;
        save(folder, &name("density"), &[rows, columns], field.density_kg_m3.clone())?;
        arrows::draw(&field, s, &folder.join(name("velocity") + ".svg"))?;
        let speeds = field.velocity_m_s.iter().map(|v| v.length()).filter(|v| v.is_finite());
        let [rows, columns] = field.shape;
        Ok(VelocityMap { plane, reach_m, rows, columns, speed_max_m_s: speeds.fold(0.0, f64::max) })
    }
}
