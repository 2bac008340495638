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

    /// Volume of body `k` (m3): a sphere.
    pub fn volume_m3(&self, k: usize) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.radius_m[k].powi(3)
    }

    /// Moment of inertia of body `k` about any axis through its centre (kg m2): a homogeneous sphere.
    pub fn inertia_kg_m2(&self, k: usize) -> f64 {
        0.4 * self.mass_kg[k] * self.radius_m[k].powi(2)
    }

    /// The bodies at these places, in this order.
    pub fn select(&self, places: &[usize]) -> Bodies {
        fn pick<T: Copy>(list: &[T], places: &[usize]) -> Vec<T> {
            places.iter().map(|k| list[*k]).collect()
        }
        Bodies {
            id: pick(&self.id, places),
            position_m: pick(&self.position_m, places),
            velocity_m_s: pick(&self.velocity_m_s, places),
            spin_rad_s: pick(&self.spin_rad_s, places),
            radius_m: pick(&self.radius_m, places),
            mass_kg: pick(&self.mass_kg, places),
            material: pick(&self.material, places),
        }
    }
}
