//! What is measured of a snapshot, once for all columns of the series.

use super::baseline::Baseline;
use super::contact_counts::{self, ContactCounts};
use super::energy::{self, Energy};
use super::frame::{self, AsteroidMotion};
use super::grains::{self, Grains};
use super::momentum::{self, Momentum};
use super::rotation::{self, Rotation};
use super::stress::{self, Stress};
use super::walls::{self, WallLoad};
use super::whole;
use crate::model::scenario::Scenario;
use crate::model::snapshot::Snapshot;
use glam::DVec3;

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
    /// how they turn together, without an asteroid
    pub rotation: Rotation,
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

impl<'a> Measured<'a> {
    /// Measures one instant. The first call sets the baseline.
    pub fn new(s: &'a Snapshot, scenario: &'a Scenario, baseline: &mut Baseline) -> Measured<'a> {
        let (centre_m, _) = whole::centre(s);
        let radius_m = whole::enclosing_radius_m(s, centre_m);
        let measured = Measured {
            s,
            scenario,
            centre_m,
            radius_m,
            solid_m3: whole::solid_volume_m3(s),
            semi_axes_m: whole::semi_axes_m(&s.bodies, centre_m),
            energy: energy::measure(s, scenario, baseline),
            momentum: momentum::measure(s, baseline),
            rotation: rotation::measure(s, scenario),
            contacts: contact_counts::measure(s),
            stress: stress::measure(s, scenario, radius_m),
            walls: walls::measure(s, scenario),
            grains: grains::measure(s, scenario),
            asteroid: frame::measure(s, scenario, &mut baseline.total),
        };
        baseline.set = true;
        measured
    }
}
