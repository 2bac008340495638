//! Clusters from frame to frame: the one that has most bodies of an earlier one goes on under its number.

use crate::model::body::Bodies;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Which bodies belonged to which cluster when they last belonged to one.
#[derive(Debug, Clone, Default)]
pub struct Tracks {
    last: HashMap<u32, usize>,
    next: usize,
}

impl Tracks {
    /// Numbers of the clusters of the next frame, given by the indices of their bodies: those that share most bodies
    /// take the earlier number first, and what is left over gets new ones. A cluster that was gone for some frames is
    /// known again.
    pub fn follow<'a>(&mut self, bodies: &Bodies, clusters: impl Iterator<Item = &'a [usize]>) -> Vec<usize> {
        let ids: Vec<Vec<u32>> = clusters.map(|indices| indices.iter().map(|k| bodies.id[*k]).collect()).collect();
        let mut shared = BTreeMap::<(usize, usize), usize>::new();
        for (cluster, members) in ids.iter().enumerate() {
            members
                .iter()
                .filter_map(|id| self.last.get(id))
                .for_each(|t| *shared.entry((*t, cluster)).or_default() += 1);
        }
        let mut shared: Vec<_> = shared.into_iter().collect();
        shared.sort_by_key(|(pair, count)| (Reverse(*count), *pair));
        let mut numbers = vec![None; ids.len()];
        let mut taken = vec![false; self.next];
        for ((track, cluster), _) in shared {
            if !taken[track] && numbers[cluster].is_none() {
                (taken[track], numbers[cluster]) = (true, Some(track));
            }
        }
        let numbers: Vec<usize> = numbers.into_iter().map(|n| n.unwrap_or_else(|| self.new_number())).collect();
        for (members, number) in ids.iter().zip(&numbers) {
            self.last.extend(members.iter().map(|id| (*id, *number)));
        }
        numbers
    }

    fn new_number(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }
}
