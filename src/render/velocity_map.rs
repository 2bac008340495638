//! The velocity field of a part of a frame, as arrays and as a picture.

use super::arrows;
use crate::analysis::envelope::automatic_alpha_m;
use crate::analysis::report::Subject;
use crate::analysis::velocity::{self, Plane};
use crate::base::error::{Error, Result};
use crate::model::body::Bodies;
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
    pub speed_max_m_s: Option<f64>,
}

/// One mean diameter between nodes.
fn automatic_reach_m(bodies: &Bodies) -> f64 {
    automatic_alpha_m(bodies)
}

impl Subject<'_> {
    /// Why there is no velocity field with the automatic reach; `None`: there is one, or a reach was given.
    pub fn too_wide(&self) -> Option<String> {
        let of_bodies = || velocity::too_wide(&self.part, self.options.plane, automatic_reach_m(&self.part.bodies));
        if self.options.reach_m.is_some() { None } else { of_bodies() }
    }

    /// Velocity field; `velocity_PLANE.npy` (rows, columns, 3) m/s, `position_PLANE.npy` m and `density_PLANE.npy` (rows,
    /// columns) kg/m3 have it, `velocity_PLANE.svg` shows it.
    pub fn velocity(&self, folder: &Path) -> Result<VelocityMap> {
        let (plane, s) = (self.options.plane, &self.part);
        if let Some(what) = self.too_wide() {
            return Err(Error::Usage(format!("velocity: {what}")));
        }
        let reach_m = self.options.reach_m.unwrap_or_else(|| automatic_reach_m(&s.bodies));
        let field = velocity::field(s, plane, reach_m)?;
        let name = |what: &str| format!("{what}_{}", plane.name());
        let [rows, columns] = field.shape.map(|n| n as u64);
        save(folder, &name("velocity"), &[rows, columns, 3], flat(&field.velocity_m_s))?;
        save(folder, &name("position"), &[rows, columns, 3], flat(&field.position_m))?;
        save(folder, &name("density"), &[rows, columns], field.density_kg_m3.clone())?;
        arrows::draw(&field, s, &folder.join(name("velocity") + ".svg"))?;
        let speeds = field.velocity_m_s.iter().map(|v| v.length()).filter(|v| v.is_finite());
        let [rows, columns] = field.shape;
        let speed_max_m_s = speeds.reduce(f64::max);
        if speed_max_m_s.is_none() {
            tracing::warn!("velocity: no node of the plane has a body within {reach_m} m; raise --reach");
        }
        Ok(VelocityMap { plane, reach_m, rows, columns, speed_max_m_s })
    }
}
