//! One row of the series: what is measured of a snapshot, once for all columns.

use super::columns;
use super::contact_counts::{self, ContactCounts};
use super::energy::{self, Energy};
use super::frame::{self, AsteroidMotion};
use super::grains::{self, Grains};
use super::momentum::{self, Momentum};
use super::stress::{self, Stress};
use super::walls::{self, WallLoad};
use super::whole;
use crate::model::scenario::Scenario;
use crate::model::snapshot::{Added, Snapshot};
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
    total: frame::TotalBaseline,
}

impl Baseline {
    /// Moves the baseline by what a spin-up adds, so that it does not count as drift.
    pub fn add(&mut self, added: &Added) {
        self.energy_j += added.energy_j;
        self.momentum = (DVec3::from_array(self.momentum) + added.momentum).to_array();
        self.angular = (DVec3::from_array(self.angular) + added.angular).to_array();
    }
}

/// What was measured of one snapshot. Columns take their values from here.
pub struct Measured<'a> {
    /// the snapshot itself
    pub s: &'a Snapshot,
    /// of the run
    pub scenario: &'a Scenario,
    /// mass centre of the bodies (m)
    pub centre_m: DVec3,
    /// radius of the enclosing sphere about it (m)
    pub radius_m: f64,
    /// volume of all bodies (m3)
    pub solid_m3: f64,
    /// of the ellipsoid with the same second moments, longest first (m)
    pub semi_axes_m: [f64; 3],
    /// energies and their ledger
    pub energy: Energy,
    /// momenta and their drifts
    pub momentum: Momentum,
    /// contacts between bodies
    pub contacts: ContactCounts,
    /// contact stress
    pub stress: Stress,
    /// loads and motions of the walls, in the scenario's order
    pub walls: Vec<WallLoad>,
    /// how the bodies lie on an asteroid
    pub grains: Grains,
    /// motion of an asteroid that rotates
    pub asteroid: AsteroidMotion,
}

/// Measures one instant. The first call sets the baseline.
pub fn measure(s: &Snapshot, scenario: &Scenario, baseline: &mut Baseline) -> Vec<f64> {
    let (centre_m, velocity_m_s) = whole::centre(s);
    let radius_m = whole::enclosing_radius_m(s, centre_m);
    let measured = Measured {
        s,
        scenario,
        centre_m,
        radius_m,
        solid_m3: whole::solid_volume_m3(s),
        semi_axes_m: whole::semi_axes_m(s, centre_m),
        energy: energy::measure(s, scenario, baseline),
        momentum: momentum::measure(s, centre_m, baseline),
        contacts: contact_counts::measure(s),
        stress: stress::measure(s, centre_m, velocity_m_s, radius_m),
        walls: walls::measure(s, scenario),
        grains: grains::measure(s, scenario),
        asteroid: frame::measure(s, scenario, &mut baseline.total),
    };
    baseline.set = true;
    columns::row(&measured)
}
