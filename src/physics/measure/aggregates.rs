//! Aggregates: bodies connected by contacts, as connected components (union-find).

use crate::model::snapshot::Snapshot;
use glam::DVec3;
use serde::Serialize;

/// Bodies that are connected.
#[derive(Debug, Clone, Serialize)]
pub struct Aggregate {
    /// number of bodies
    pub bodies: usize,
    /// (kg)
    pub mass_kg: f64,
    /// over the mass of all bodies
    pub mass_share: f64,
    /// mass centre (m)
    pub centre_m: DVec3,
    /// of the mass centre (m/s)
    pub velocity_m_s: DVec3,
    /// the bodies' indices in the frame's arrays, in order
    #[serde(skip)]
    pub indices: Vec<usize>,
}

impl Aggregate {
    /// The bodies of these indices in a snapshot of this mass in all.
    pub(crate) fn of(s: &Snapshot, total_kg: f64, indices: Vec<usize>) -> Aggregate {
        // Sums over the indices: a copy of these bodies would cost more, and each body may be an aggregate.
        let mass_kg = indices.iter().map(|k| s.bodies.mass_kg[*k]).sum::<f64>();
        let mean = |of: &[DVec3]| indices.iter().map(|k| of[*k] * s.bodies.mass_kg[*k]).sum::<DVec3>() / mass_kg;
        let (centre_m, velocity_m_s) = (mean(&s.bodies.position_m), mean(&s.bodies.velocity_m_s));
        let mass_share = mass_kg / total_kg;
        Aggregate { bodies: indices.len(), mass_kg, mass_share, centre_m, velocity_m_s, indices }
    }
}

/// Bodies without their contacts.
pub fn alone(s: &Snapshot, indices: &[usize]) -> Snapshot {
    Snapshot { bodies: s.bodies.select(indices), ..Snapshot::default() }
}

/// Components of the graph of bodies and `links`, heaviest first; single bodies are aggregates of one.
pub fn aggregates(s: &Snapshot, links: &[[u32; 2]]) -> Vec<Aggregate> {
    let total_kg = s.bodies.total_mass_kg();
    let members = components(s.bodies.len(), links).into_iter();
    let mut list: Vec<Aggregate> = members.map(|indices| Aggregate::of(s, total_kg, indices)).collect();
    list.sort_by(|a, b| b.mass_kg.total_cmp(&a.mass_kg).then(a.indices.cmp(&b.indices)));
    list
}

/// Indices of the bodies of each component of the graph of `bodies` and `links`, in order.
pub fn components(bodies: usize, links: &[[u32; 2]]) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..bodies).collect();
    for [a, b] in links {
        let (a, b) = (find(&mut root, *a as usize), find(&mut root, *b as usize));
        // The lowest index leads, so that the order of links does not matter.
        root[a.max(b)] = a.min(b);
    }
    let mut members = vec![vec![]; root.len()];
    for k in 0..root.len() {
        members[find(&mut root, k)].push(k);
    }
    members.retain(|m| !m.is_empty());
    members
}

/// The leader of a body's component; the way to it is halved.
fn find(root: &mut [usize], mut k: usize) -> usize {
    while root[k] != k {
        root[k] = root[root[k]];
        k = root[k];
    }
    k
}

/// Rank of each body's aggregate, 0 for the heaviest.
pub fn ranks(list: &[Aggregate], bodies: usize) -> Vec<u32> {
    let mut ranks = vec![0; bodies];
    for (rank, aggregate) in list.iter().enumerate() {
        aggregate.indices.iter().for_each(|k| ranks[*k] = rank as u32);
    }
    ranks
}
