//! Where a group of bodies goes as a whole, as a scenario gives it.

use glam::{DQuat, DVec3};
use serde::Serialize;

/// What is done to the bodies of a group once they are made, in this order.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Placing {
    /// velocities and spins are set to zero
    pub at_rest: bool,
    /// speed that each body gets in a direction of its own (m/s)
    pub random_speed_m_s: f64,
    /// spin that each body gets about an axis of its own (rad/s)
    pub random_spin_rad_s: f64,
    /// what their coordinates and velocities count from
    pub about: About,
    /// turns the group about its mass centre
    pub turn: DQuat,
    /// rigid rotation added about its mass centre (rad/s)
    pub rotation_rad_s: DVec3,
    /// another one, as a share of the rate of break-up
    pub spin_break_up: Option<SpinBreakUp>,
    /// added to every position (m)
    pub offset_m: DVec3,
    /// added to every velocity (m/s)
    pub velocity_m_s: DVec3,
}

/// What coordinates and velocities of a group count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// as the generator gives them
    Origin,
    /// its own mass centre, which is moved to the origin and brought to rest
    MassCentre,
}

/// A share of the rate sqrt(G M / R^3) at which the equator of a sphere is weightless, R being the radius of the homogeneous
/// sphere of the same mass and mean square distance from the mass centre.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SpinBreakUp {
    /// 0.5: half of that rate
    pub fraction: f64,
    /// direction of the rotation, of length 1
    pub axis: DVec3,
}
