//! What later rows of the series are compared with.

use super::frame::TotalBaseline;
use crate::model::snapshot::Added;
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// What later rows are compared with; goes into the checkpoint.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub struct Baseline {
    pub(super) set: bool,
    pub(super) energy_j: f64,
    pub(super) momentum: [f64; 3],
    pub(super) angular: [f64; 3],
    /// largest sum of |p| so far (kg m/s)
    pub(super) momentum_scale: f64,
    /// largest sum of |r x p| + |I w| so far (kg m2/s)
    pub(super) angular_scale: f64,
    /// of bodies and a free asteroid together
    pub(super) total: TotalBaseline,
}

impl Baseline {
    /// Moves the baseline by what a spin-up adds, so that it does not count as drift.
    pub fn add(&mut self, added: &Added) {
        self.energy_j += added.energy_j;
        self.momentum = (DVec3::from_array(self.momentum) + added.momentum).to_array();
        self.angular = (DVec3::from_array(self.angular) + added.angular).to_array();
    }
}
