//! Materials.

use serde::Serialize;

/// Parameters of the contact laws: soft spheres after Song et al. 2024, Tables 1 and 2, or Guidos et al. 2024; contact
/// dynamics takes density, restitution_normal, friction_sliding and the two of cohesion by force.
#[derive(Debug, Clone, Serialize, PartialEq)]
pub struct Material {
    /// name that bodies and walls use
    pub name: String,
    /// (kg/m3)
    pub density_kg_m3: f64,
    /// k_N (N/m); `None`: from `speed_max_m_s`
    pub stiffness_normal_n_m: Option<f64>,
    /// k_in of the hysteretic law, force over half the overlap (N/m); `None`: from `speed_max_m_s`
    pub stiffness_loading_n_m: Option<f64>,
    /// v_max of the stiffness rule k = m (v/(s R))^2 (m/s); `None` only if the stiffness is given
    pub speed_max_m_s: Option<f64>,
    /// s of that rule, an overlap over the radius (0.01; of the hysteretic law 0.1)
    pub overlap_at_speed_max: f64,
    /// k_S / k_N (2/7)
    pub stiffness_ratio: f64,
    /// eps_N in [0, 1]
    pub restitution_normal: f64,
    /// eps_S in [0, 1]
    pub restitution_tangential: f64,
    /// mu_S
    pub friction_sliding: f64,
    /// mu_R
    pub friction_rolling: f64,
    /// mu_T
    pub friction_twisting: f64,
    /// beta
    pub shape_parameter: f64,
    /// c (Pa)
    pub cohesion_pa: f64,
    /// attraction of a contact in contact dynamics (N)
    pub cohesion_force_n: f64,
    /// gap up to which it acts (m)
    pub cohesion_range_m: f64,
    /// how the normal force ends a contact
    pub normal_tension: NormalTension,
}

/// How the normal force ends a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NormalTension {
    /// `linear_spring_dashpot`: the dashpot may pull at the end (Song et al. eq. 1)
    Kept,
    /// `linear_spring_dashpot_no_tension`: force clamped at zero, damping re-tuned (Schwager and Poeschel 2007)
    None,
}
