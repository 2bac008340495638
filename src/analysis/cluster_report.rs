//! The report on the clusters of a frame.

use super::orbit::{Orbit, orbit};
use super::report::Subject;
use super::rotation::{Rotation, rotation};
use super::sizes;
use super::sizes::Class;
use super::tracks::Tracks;
use crate::base::error::Result;
use crate::model::snapshot::Snapshot;
use crate::model::stored::arrays::save;
use crate::physics::measure::aggregates::{Aggregate, alone};
use crate::physics::measure::clusters::{Cluster, clusters};
use serde::Serialize;
use std::path::Path;

/// Clusters of a frame, in inertial space.
#[derive(Debug, Clone, Serialize)]
pub struct Clusters {
    /// what counts as touching
    pub linked_by: String,
    /// least number of bodies of a cluster
    pub minimum_bodies: usize,
    /// clusters found
    pub count: usize,
    /// bodies in no cluster
    pub free_bodies: usize,
    /// their mass over that of all
    pub free_mass_share: f64,
    /// of all bodies of the frame (kg)
    pub parent_mean_body_mass_kg: f64,
    /// heaviest first
    pub list: Vec<ClusterRow>,
    /// pairs of clusters that orbit each other
    pub bound_pairs: Vec<BoundPair>,
}

/// A cluster.
#[derive(Debug, Clone, Serialize)]
pub struct ClusterRow {
    /// 0 for the heaviest
    pub rank: usize,
    /// number that it keeps from frame to frame; none where one frame alone was measured
    pub track: Option<usize>,
    /// what it is
    #[serde(flatten)]
    pub aggregate: Aggregate,
    /// bodies that came in by contact; the others are bound
    pub by_contact: usize,
    /// mean mass of its bodies (kg)
    pub mean_body_mass_kg: f64,
    /// the same over that of all bodies of the frame
    pub mean_body_mass_ratio: f64,
    /// its bodies by size
    pub sizes: Vec<SizeCount>,
    /// how it turns
    #[serde(flatten)]
    pub rotation: Rotation,
}

/// Bodies of a class of sizes.
#[derive(Debug, Clone, Serialize)]
pub struct SizeCount {
    /// which
    #[serde(flatten)]
    pub class: Class,
    /// in the cluster
    pub bodies: usize,
    /// in the whole frame
    pub bodies_of_all: usize,
}

/// Two clusters whose mutual energy, as points, is below zero.
#[derive(Debug, Clone, Serialize)]
pub struct BoundPair {
    /// the heavier one first
    pub ranks: [usize; 2],
    /// about each other
    #[serde(flatten)]
    pub orbit: Orbit,
}

impl Subject<'_> {
    /// Clusters; `cluster.npy` (n), int64, has the rank of each body's, -1 for free ones; with `tracks`, which follow the frames,
    /// `cluster_track.npy` its number over time.
    pub fn clusters(&self, folder: &Path, tracks: Option<&mut Tracks>) -> Result<Clusters> {
        let s = &self.inertial;
        let n = s.bodies.len();
        let found = clusters(s, &self.links, self.options.cluster_minimum);
        let mut report = Clusters::of(s, found, self.linked_by.clone(), self.options.cluster_minimum);
        save(folder, "cluster", &[n as u64], report.labels(n, |r| r.rank))?;
        if let Some(tracks) = tracks {
            let numbers = tracks.follow(&s.bodies, report.list.iter().map(|r| &r.aggregate.indices[..]));
            report.list.iter_mut().zip(&numbers).for_each(|(row, number)| row.track = Some(*number));
            save(folder, "cluster_track", &[n as u64], report.labels(n, |r| numbers[r.rank]))?;
        }
        Ok(report)
    }
}

impl Clusters {
    /// Ranks the clusters of an instant in inertial space, and measures each.
    pub fn of(s: &Snapshot, found: Vec<Cluster>, linked_by: String, minimum_bodies: usize) -> Clusters {
        let (b, n) = (&s.bodies, s.bodies.len());
        let total_kg = b.total_mass_kg();
        let mut free = vec![true; n];
        found.iter().flat_map(|c| &c.indices).for_each(|k| free[*k] = false);
        let list = rows(s, found, total_kg);
        let free: Vec<usize> = (0..n).filter(|k| free[*k]).collect();
        Clusters {
            linked_by,
            minimum_bodies,
            count: list.len(),
            free_bodies: free.len(),
            free_mass_share: free.iter().fold(0.0, |sum, k| sum + b.mass_kg[*k]) / total_kg,
            parent_mean_body_mass_kg: total_kg / n as f64,
            bound_pairs: bound_pairs(&list),
            list,
        }
    }

    /// Each of `bodies` bodies' cluster by `name`, -1 for free ones.
    fn labels(&self, bodies: usize, name: impl Fn(&ClusterRow) -> usize) -> Vec<i64> {
        let mut labels = vec![-1; bodies];
        for row in &self.list {
            row.aggregate.indices.iter().for_each(|k| labels[*k] = name(row) as i64);
        }
        labels
    }
}

/// The clusters, heaviest first; `total_kg`: mass of all bodies.
fn rows(s: &Snapshot, found: Vec<Cluster>, total_kg: f64) -> Vec<ClusterRow> {
    let b = &s.bodies;
    let mean = total_kg / b.len() as f64;
    let mut groups: Vec<_> = found.into_iter().map(|c| (Aggregate::of(s, total_kg, c.indices), c.by_contact)).collect();
    let first = |a: &Aggregate| a.indices.iter().map(|k| b.id[*k]).min();
    groups.sort_by(|(x, _), (y, _)| y.mass_kg.total_cmp(&x.mass_kg).then(first(x).cmp(&first(y))));
    let classes = sizes::classes(&b.radius_m);
    let of_all = sizes::counts(&classes, b.radius_m.iter().copied());
    let row = |(rank, (aggregate, by_contact)): (usize, (Aggregate, usize))| {
        let counts = sizes::counts(&classes, aggregate.indices.iter().map(|k| b.radius_m[*k]));
        let size = |k: usize| SizeCount { class: classes[k], bodies: counts[k], bodies_of_all: of_all[k] };
        let own_mean = aggregate.mass_kg / aggregate.bodies as f64;
        ClusterRow {
            rank,
            track: None,
            by_contact,
            mean_body_mass_kg: own_mean,
            mean_body_mass_ratio: own_mean / mean,
            sizes: (0..classes.len()).map(size).collect(),
            rotation: rotation(&alone(s, &aggregate.indices)),
            aggregate,
        }
    };
    groups.into_iter().enumerate().map(row).collect()
}

fn bound_pairs(list: &[ClusterRow]) -> Vec<BoundPair> {
    let pair = |a: &ClusterRow, b: &ClusterRow| {
        let (x, y) = (&a.aggregate, &b.aggregate);
        let found = orbit([x.mass_kg, y.mass_kg], y.centre_m - x.centre_m, y.velocity_m_s - x.velocity_m_s)?;
        Some(BoundPair { ranks: [a.rank, b.rank], orbit: found })
    };
    let after = |k: usize| list[k + 1..].iter().filter_map(move |b| pair(&list[k], b));
    (0..list.len()).flat_map(after).collect()
}
