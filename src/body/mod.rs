//! Bodies as the host sees them: structure of arrays in SI, f64.

use glam::DVec3;

/// All bodies of a run, one entry per body in every array. `id` is the order of generation and never changes.
#[derive(Debug, Clone, Default)]
pub struct Bodies {
    /// stable identity
    pub id: Vec<u32>,
    /// (m)
    pub position_m: Vec<DVec3>,
    /// (m/s)
    pub velocity_m_s: Vec<DVec3>,
    /// (rad/s)
    pub spin_rad_s: Vec<DVec3>,
    /// (m)
    pub radius_m: Vec<f64>,
    /// (kg)
    pub mass_kg: Vec<f64>,
    /// index into the scenario's materials
    pub material: Vec<u32>,
}

impl Bodies {
    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.id.len()
    }
    /// No body at all.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }
}
