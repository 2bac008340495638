//! Which contacts of the first frame are broken in another, and whether those that are broken hang together as cracks do.

use super::report::Subject;
use crate::base::eigen::{outer, principal};
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::geometry::levels::Levels;
use crate::model::body::Bodies;
use crate::model::placed::touch_m;
use crate::model::stored::arrays::save;
use crate::physics::measure::aggregates::components;
use crate::physics::measure::links::{TOLERANCE, by_gap, gap_of};
use crate::record::files::recorded::{Recorded, Wanted, choose};
use glam::{DMat3, DVec3};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// Two broken contacts hang together if they are no farther apart than this, over the mean diameter of their bodies. In a cubic
/// lattice those across a plane are one diameter apart.
const REACH: f64 = 1.1;
/// Spreads along two axes are equal if they differ by no more than this share of the largest.
const EQUAL: f64 = 1e-9;
/// Draws of as many contacts as are broken.
const DRAWS: u32 = 100;

/// What has become of the contacts of the first frame.
#[derive(Debug, Clone, Serialize)]
pub struct Damage {
    /// the frame whose contacts count
    pub first_frame: usize,
    /// bodies touch if their gap is below this many mean radii
    pub tolerance: f64,
    /// pairs of bodies that touched in the first frame
    pub contacts: usize,
    /// of these the pairs that touch no longer
    pub broken: usize,
    /// broken over contacts; none without contacts
    pub broken_share: Option<f64>,
    /// pairs that touch now and did not in the first frame
    pub new: usize,
    /// sets of two broken contacts and more that hang together: in the first frame each was within 1.1 mean diameters of another
    pub cracks: usize,
    /// the crack of the most contacts; none if no contact is broken
    pub largest: Option<Crack>,
    /// contacts of the largest crack if as many broke at random: mean of the draws; none if no contact is broken
    pub random_largest_mean: Option<f64>,
    /// standard deviation of the draws
    pub random_largest_deviation: Option<f64>,
}

/// Broken contacts that hang together.
#[derive(Debug, Clone, Serialize)]
pub struct Crack {
    /// how many
    pub contacts: usize,
    /// these over all broken contacts
    pub broken_share: f64,
    /// bodies that they were of
    pub bodies: usize,
    /// how far they reach along their longest principal axis, in the first frame (m)
    pub length_m: f64,
    /// root mean square distance from the plane that fits them best (m); a slab is 3.5 times as thick
    pub thickness_m: f64,
    /// normal of that plane; none where no plane fits better than others, as about contacts on a line
    pub normal: Option<DVec3>,
}

impl Subject<'_> {
    /// Damage of the frame; `body_damage.npy` (n) has the share of each body's contacts that are broken, 0 for a body that
    /// touched none.
    pub fn damage(&self, folder: &Path) -> Result<Damage> {
        let (number, path) = choose(self.run, Wanted::All)?.swap_remove(0);
        let first = Recorded::unmoved(&path)?.instant.bodies;
        let now = &self.recorded.instant.bodies;
        if first.id != now.id {
            let what = format!("frame {} does not hold the bodies of frame {number}", self.recorded.number);
            return Err(Fault::new(what).remedy("damage compares the two; measure another part").path(self.run).data());
        }
        let tolerance = self.options.tolerance.unwrap_or(TOLERANCE);
        let [before, after] = [&first, now].map(|bodies| by_gap(bodies, tolerance));
        let still: HashSet<[u32; 2]> = after.iter().copied().collect();
        let is_broken: Vec<bool> = before.iter().map(|pair| !still.contains(pair)).collect();
        let broken: Vec<[u32; 2]> = before.iter().zip(&is_broken).filter(|(_, b)| **b).map(|(pair, _)| *pair).collect();
        let of_body = [&before, &broken].map(|pairs| counted(now.len(), pairs));
        let share = |(all, gone): (&u32, &u32)| f64::from(*gone) / f64::from((*all).max(1));
        let shares: Vec<f64> = of_body[0].iter().zip(&of_body[1]).map(share).collect();
        save(folder, "body_damage", &[shares.len() as u64], shares)?;
        Ok(damage(&first, &before, &is_broken, after.len(), (number, tolerance)))
    }
}

/// Contacts of each body.
fn counted(bodies: usize, pairs: &[[u32; 2]]) -> Vec<u32> {
    let mut counts = vec![0; bodies];
    pairs.iter().flatten().for_each(|k| counts[*k as usize] += 1);
    counts
}

/// Counts the contacts `before`, of the bodies in the first frame, that are broken, and their cracks. `after` pairs touch now.
/// `by`: the number of the first frame, and the largest gap of bodies that touch (mean radius).
fn damage(first: &Bodies, before: &[[u32; 2]], is_broken: &[bool], after: usize, by: (usize, f64)) -> Damage {
    let far_m = gap_of(first, by.1);
    let places: Vec<Place> = before.iter().map(|pair| Place::of(first, *pair, far_m)).collect();
    let near = near(&places);
    let found = cracks(&near, is_broken);
    let broken = is_broken.iter().filter(|b| **b).count();
    let drawn = random_largest(&near, is_broken);
    let mean = drawn.iter().sum::<f64>() / f64::from(DRAWS);
    let variance = drawn.iter().map(|n| (n - mean).powi(2)).sum::<f64>() / f64::from(DRAWS - 1);
    let largest = found.first().map(|crack| {
        let pairs: Vec<[u32; 2]> = crack.iter().map(|k| before[*k]).collect();
        let at_m: Vec<DVec3> = crack.iter().map(|k| places[*k].at_m).collect();
        Crack::of(&pairs, &at_m, broken)
    });
    Damage {
        first_frame: by.0,
        tolerance: by.1,
        contacts: before.len(),
        broken,
        broken_share: (!before.is_empty()).then(|| broken as f64 / before.len() as f64),
        new: after + broken - before.len(),
        cracks: found.iter().filter(|crack| crack.len() > 1).count(),
        random_largest_mean: largest.as_ref().map(|_| mean),
        random_largest_deviation: largest.as_ref().map(|_| variance.sqrt()),
        largest,
    }
}

/// Where two bodies touch in the first frame.
struct Place {
    /// (m)
    at_m: DVec3,
    /// those whose spheres of this radius meet hang together (m)
    reach_m: f64,
}

impl Place {
    /// `far_m`: largest gap of bodies that touch.
    fn of(bodies: &Bodies, pair: [u32; 2], far_m: f64) -> Place {
        let [i, j] = pair.map(|k| k as usize);
        let sum_m = bodies.radius_m[i] + bodies.radius_m[j];
        Place { at_m: touch_m(bodies, i, j, far_m), reach_m: 0.5 * REACH * sum_m }
    }
}

/// Pairs of contacts that hang together if both are broken.
fn near(places: &[Place]) -> Vec<[u32; 2]> {
    let reaches: Vec<f64> = places.iter().map(|p| p.reach_m).collect();
    let mut levels = Levels::new(&reaches);
    let mut pairs = vec![];
    for (k, place) in places.iter().enumerate() {
        levels.near(place.at_m, place.reach_m, |other| {
            if place.at_m.distance(places[other].at_m) <= place.reach_m + reaches[other] {
                pairs.push([other as u32, k as u32]);
            }
            true
        });
        levels.put(k, place.at_m, place.reach_m);
    }
    pairs
}

/// Chosen contacts by the sets that hang together, the largest first.
fn cracks(near: &[[u32; 2]], is_chosen: &[bool]) -> Vec<Vec<usize>> {
    let both = |pair: &&[u32; 2]| pair.iter().all(|k| is_chosen[*k as usize]);
    let links: Vec<[u32; 2]> = near.iter().filter(both).copied().collect();
    let mut found = components(is_chosen.len(), &links);
    found.retain(|set| is_chosen[set[0]]);
    found.sort_by_key(|set| std::cmp::Reverse(set.len()));
    found
}

/// Contacts of the largest set that hangs together, for each draw of as many contacts as are broken.
fn random_largest(near: &[[u32; 2]], is_broken: &[bool]) -> Vec<f64> {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let mut chosen = is_broken.to_vec();
    let mut draw = |_| {
        chosen.shuffle(&mut rng);
        cracks(near, &chosen).first().map_or(0.0, |set| set.len() as f64)
    };
    (0..DRAWS).map(&mut draw).collect()
}

impl Crack {
    /// Broken contacts of these pairs, where they were in the first frame, of so many broken.
    fn of(contacts: &[[u32; 2]], at_m: &[DVec3], broken: usize) -> Crack {
        let count = at_m.len() as f64;
        let mean = at_m.iter().sum::<DVec3>() / count;
        let spread = at_m.iter().map(|p| outer(*p - mean, *p - mean)).fold(DMat3::ZERO, |sum, m| sum + m);
        let (squares, axes) = principal(spread);
        let along = at_m.iter().map(|p| (*p - mean).dot(axes[0]));
        let ends = along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
        Crack {
            contacts: contacts.len(),
            broken_share: count / broken as f64,
            bodies: contacts.iter().flatten().collect::<HashSet<_>>().len(),
            length_m: ends[1] - ends[0],
            thickness_m: (squares[2].max(0.0) / count).sqrt(),
            normal: (squares[1] - squares[2] > EQUAL * squares[0]).then_some(axes[2]),
        }
    }
}
