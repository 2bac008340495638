//! A collision as a scenario gives it, and what it is in numbers.

use serde::{Deserialize, Serialize};

/// How the first two groups, target and projectile, meet.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct CollisionSpec {
    /// between the velocity at contact and the line of centres (degrees)
    pub impact_angle_deg: f64,
    /// how fast at contact, where the mass centres are the sum of the groups' radii (as in [`Impact::radius_m`]) apart
    pub speed: ImpactSpeed,
    /// between the spheres that hold the groups at the start (m)
    pub gap_m: f64,
}

/// Relative speed at contact.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImpactSpeed {
    /// kinetic energy of the relative motion over |U|, U the potential energy of all pairs with the groups in contact
    Eta(f64),
    /// (m/s)
    SpeedMS(f64),
    /// over the mutual escape speed sqrt(2 G M / (R_t + R_p))
    SpeedOverEscape(f64),
}

/// What the collision of a run is, in numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Impact {
    /// of target and projectile (kg)
    pub mass_kg: [f64; 2],
    /// R_t and R_p: of homogeneous spheres of the same masses and mean square distances from the mass centres (m)
    pub radius_m: [f64; 2],
    /// of the spheres about their mass centres that hold them (m)
    pub reach_m: [f64; 2],
    /// of the rigid rotations with their angular momenta, as they begin (rad/s)
    pub rotation_rad_s: [[f64; 3]; 2],
    /// potential energy of each, over pairs of its bodies (J)
    pub potential_j: [f64; 2],
    /// potential energy of pairs of one body of each, in contact: mass centres R_t + R_p apart (J)
    pub potential_mutual_j: f64,
    /// kinetic energy of the relative motion at contact over |potential energy|
    pub eta: f64,
    /// relative speed at contact (m/s)
    pub speed_m_s: f64,
    /// sqrt(2 G M / (R_t + R_p)) (m/s)
    pub escape_speed_m_s: f64,
    /// kinetic energy of the relative motion at contact over the total mass, Q_R (J/kg)
    pub specific_energy_j_kg: f64,
    /// (degrees)
    pub impact_angle_deg: f64,
    /// (R_t + R_p) sin(impact angle) (m)
    pub impact_parameter_m: f64,
    /// between the spheres that hold them at the start (m)
    pub gap_m: f64,
    /// relative speed at the start (m/s)
    pub speed_start_m_s: f64,
    /// from the start to the contact, as two mass points (s)
    pub time_to_contact_s: f64,
}
