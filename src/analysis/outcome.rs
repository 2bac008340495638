//! What became of a collision in one row: what is left of the bodies, as parameter studies compare it.

use super::cluster_report::Clusters;
use serde::Serialize;

/// One frame in one row; quantities of clusters that are not there are none.
#[derive(Debug, Clone, Serialize)]
pub struct Outcome {
    /// number of the frame
    pub frame: usize,
    /// simulated (s)
    pub time_s: f64,
    /// of the frame
    pub bodies: usize,
    /// least number of bodies of a cluster
    pub minimum_bodies: usize,
    /// number of clusters
    pub clusters: usize,
    /// of the heaviest cluster
    pub largest_bodies: Option<usize>,
    /// of the heaviest cluster (kg)
    pub largest_mass_kg: Option<f64>,
    /// the same over the mass of all bodies
    pub largest_mass_share: Option<f64>,
    /// of the second heaviest, over the mass of all bodies
    pub second_mass_share: Option<f64>,
    /// of bodies in no cluster
    pub free_mass_share: f64,
    /// mean mass of a body of the heaviest cluster over that of all bodies
    pub largest_mean_body_mass_ratio: Option<f64>,
    /// size of the angular momentum of the heaviest cluster (kg m2/s)
    pub largest_angular_momentum_kg_m2_s: Option<f64>,
    /// size of the angular velocity of the rigid rotation of the heaviest cluster (rad/s)
    pub largest_spin_rad_s: Option<f64>,
    /// its period (h); none at rest
    pub largest_period_h: Option<f64>,
    /// of clusters
    pub bound_pairs: usize,
}

impl Outcome {
    /// Summarises the clusters of a frame.
    pub fn of(frame: usize, time_s: f64, bodies: usize, found: &Clusters) -> Outcome {
        let (first, second) = (found.list.first(), found.list.get(1));
        Outcome {
            frame,
            time_s,
            bodies,
            minimum_bodies: found.minimum_bodies,
            clusters: found.count,
            largest_bodies: first.map(|r| r.aggregate.bodies),
            largest_mass_kg: first.map(|r| r.aggregate.mass_kg),
            largest_mass_share: first.map(|r| r.aggregate.mass_share),
            second_mass_share: second.map(|r| r.aggregate.mass_share),
            free_mass_share: found.free_mass_share,
            largest_mean_body_mass_ratio: first.map(|r| r.mean_body_mass_ratio),
            largest_angular_momentum_kg_m2_s: first.map(|r| r.rotation.angular_momentum_kg_m2_s.length()),
            largest_spin_rad_s: first.map(|r| r.rotation.angular_velocity_rad_s.length()),
            largest_period_h: first.and_then(|r| r.rotation.period_h),
            bound_pairs: found.bound_pairs.len(),
        }
    }

    /// Names and values in one order, as a row of a table; missing values are NaN.
    pub fn columns(&self) -> [(&'static str, f64); 15] {
        let count = |n: Option<usize>| n.map_or(f64::NAN, |n| n as f64);
        let value = |v: Option<f64>| v.unwrap_or(f64::NAN);
        [
            ("frame", self.frame as f64),
            ("time_s", self.time_s),
            ("bodies", self.bodies as f64),
            ("minimum_bodies", self.minimum_bodies as f64),
            ("clusters", self.clusters as f64),
            ("largest_bodies", count(self.largest_bodies)),
            ("largest_mass_kg", value(self.largest_mass_kg)),
            ("largest_mass_share", value(self.largest_mass_share)),
            ("second_mass_share", value(self.second_mass_share)),
            ("free_mass_share", self.free_mass_share),
            ("largest_mean_body_mass_ratio", value(self.largest_mean_body_mass_ratio)),
            ("largest_angular_momentum_kg_m2_s", value(self.largest_angular_momentum_kg_m2_s)),
            ("largest_spin_rad_s", value(self.largest_spin_rad_s)),
            ("largest_period_h", value(self.largest_period_h)),
            ("bound_pairs", self.bound_pairs as f64),
        ]
    }
}
