//! Clusters: bodies that touch or cannot escape each other, found from peaks of the smoothed mass (Guidos et al. 2024,
//! section 2.7).
//!
//! From the body at the highest peak a group takes in what touches it, again and again, and then what is slower, against the
//! group's mass centre, than the escape speed from its bodies: sqrt(2 G sum m / r). What a round takes in is judged by the group
//! as it was before the round, so the order of bodies does not matter.

use super::compact::{Compact, between, distance};
use super::smoothing::spread;
use crate::base::units::G;
use crate::geometry::box_tree::bounds;
use crate::model::snapshot::Snapshot;
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A group that is large enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// the bodies' indices in the frame's arrays, in order
    pub indices: Vec<usize>,
    /// bodies that came in by contact, the first one included; the others by their speed
    pub by_contact: usize,
}

/// Clusters of `minimum` bodies and more, in the order in which they are found. `s` is in inertial space; `links`:
/// pairs that touch. Groups below the minimum return their bodies, and no search starts from these again.
pub fn clusters(s: &Snapshot, links: &[[u32; 2]], minimum: usize) -> Vec<Cluster> {
    let mut search = Search::new(s, links);
    let mut found = vec![];
    while let Some(seed) = search.peak() {
        let group = search.grow(seed);
        group.members.iter().for_each(|k| search.tried[*k] = true);
        if group.members.len() < minimum {
            continue;
        }
        search.remove(&group.members);
        let mut indices: Vec<usize> = group.members.iter().map(|k| search.compact.order[*k]).collect();
        indices.sort_unstable();
        found.push(Cluster { indices, by_contact: group.by_contact });
    }
    found
}

/// Bodies in compact order, and what is known of each.
struct Search {
    compact: Compact,
    touching: Vec<Vec<usize>>,
    /// smoothed mass of the free bodies at each of them (kg/m3)
    density: Vec<f64>,
    /// candidates for a seed, densest first; entries may be out of date, then they are too high
    peaks: BinaryHeap<(i64, Reverse<u32>, usize)>,
    /// in no cluster yet
    free: Vec<bool>,
    /// in a group already
    tried: Vec<bool>,
    /// in the group that grows
    inside: Vec<bool>,
    /// sum of m / r over the group's first members (kg/m), and over how many
    pull: Vec<(f64, usize)>,
}

/// Bodies that were found from one seed, in the order in which they came in.
struct Group {
    members: Vec<usize>,
    by_contact: usize,
}

impl Search {
    fn new(s: &Snapshot, links: &[[u32; 2]]) -> Search {
        let (n, compact) = (s.bodies.len(), Compact::new(&s.bodies));
        let mut new = vec![0; n];
        compact.order.iter().enumerate().for_each(|(k, old)| new[*old] = k);
        let mut touching = vec![vec![]; n];
        for [a, b] in links.iter().map(|l| l.map(|k| new[k as usize])) {
            touching[a].push(b);
            touching[b].push(a);
        }
        let mut density = vec![0.0; n];
        let free = vec![true; n];
        spread(&compact, 0..n, 1.0, &free, &mut density);
        let peaks = (0..n).map(|k| (height(density[k]), Reverse(compact.bodies.id[k]), k)).collect();
        let (tried, inside) = (vec![false; n], vec![false; n]);
        Search { compact, touching, density, peaks, free, tried, inside, pull: vec![(0.0, 0); n] }
    }

    /// The densest body that was in no group yet.
    fn peak(&mut self) -> Option<usize> {
        while let Some((known, id, k)) = self.peaks.pop() {
            let now = height(self.density[k]);
            if self.tried[k] {
                continue;
            } else if now == known {
                return Some(k);
            }
            self.peaks.push((now, id, k));
        }
        None
    }

    fn remove(&mut self, members: &[usize]) {
        members.iter().for_each(|k| self.free[*k] = false);
        spread(&self.compact, members.iter().copied(), -1.0, &self.free, &mut self.density);
    }

    fn grow(&mut self, seed: usize) -> Group {
        let mut members = vec![seed];
        self.inside[seed] = true;
        let mut next = 0;
        while let Some(k) = members.get(next).copied() {
            for other in self.touching[k].iter().copied() {
                if self.free[other] && !self.inside[other] {
                    self.inside[other] = true;
                    members.push(other);
                }
            }
            next += 1;
        }
        let by_contact = members.len();
        let mut seen = vec![];
        loop {
            let bound = self.bound(&members, &mut seen);
            if bound.is_empty() {
                break;
            }
            bound.iter().for_each(|k| self.inside[*k] = true);
            members.extend(bound);
        }
        members.iter().for_each(|k| self.inside[*k] = false);
        seen.into_iter().for_each(|k| self.pull[k] = (0.0, 0));
        Group { members, by_contact }
    }

    /// Free bodies that are slower than the escape speed from the members; `seen` takes those whose pull was summed.
    fn bound(&mut self, members: &[usize], seen: &mut Vec<usize>) -> Vec<usize> {
        let b = &self.compact.bodies;
        let sum = |of: &[DVec3]| members.iter().map(|k| b.mass_kg[*k] * of[*k]).sum::<DVec3>();
        let mass: f64 = members.iter().map(|k| b.mass_kg[*k]).sum();
        let drift = sum(&b.velocity_m_s) / mass;
        let around = bounds(members.iter().map(|k| b.position_m[*k]));
        // No point at this distance from all members has a deeper potential than this.
        let deepest = |distance: f64| G * mass / distance;
        let mut list = vec![];
        for run in &self.compact.runs {
            let slowest = 0.5 * distance(drift, run.velocity_m_s).powi(2);
            if slowest >= deepest(between(run.position_m, around)) {
                continue;
            }
            for k in run.indices.clone().filter(|k| self.free[*k] && !self.inside[*k]) {
                let energy = 0.5 * b.velocity_m_s[k].distance_squared(drift);
                if energy >= deepest(distance(b.position_m[k], around)) {
                    continue;
                }
                let (pull, counted) = &mut self.pull[k];
                if *counted == 0 {
                    seen.push(k);
                }
                let more = |j: &usize| b.mass_kg[*j] / b.position_m[k].distance(b.position_m[*j]);
                *pull += members[*counted..].iter().map(more).sum::<f64>();
                *counted = members.len();
                if energy < G * *pull {
                    list.push(k);
                }
            }
        }
        list
    }
}

/// A density by which peaks are compared: steps of 1e-9 of it, so that rounding does not decide between equal ones.
fn height(density: f64) -> i64 {
    (density.max(f64::MIN_POSITIVE).ln() * 1e9).round() as i64
}
