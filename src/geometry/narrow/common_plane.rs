//! The common plane of two convex polyhedra by support evaluations alone, from a normal that is about right: a
//! direction of the last step or from centre to centre.
//!
//! The set of differences C = i - j of two convex bodies is convex, and the gap along n is the least n.c in C. With i
//! lifted along n until it is clear of j, the distance algorithm of Gilbert, Johnson and Keerthi (1988) never meets an
//! origin inside; the direction n' of the shortest link between the lifted bodies has a gap that is larger by at least
//! lift (1 - n.n'). Lifting along n' in turn, until it stays, ends in the common plane (for overlaps: in the nearest one
//! uphill), whether the bodies are apart or overlap.

use super::simplex::closest;
use super::{Placed, Plane};
use glam::DVec3;

/// Least clearance of the lifted bodies as a part of the smaller radius.
const CLEARANCE: f64 = 1e-4;

/// Bound on the steps of a search.
pub const STEPS_MAX: u32 = 64;

/// Heights (as parts of the sum of the radii) and angles (rad) that count as equal: about ten times the rounding of a
/// direction at the least clearance.
const EQUAL: f64 = 1e-11;

/// A lift in another direction must gain this part of the sum of the radii, or the search ends.
const GAIN: f64 = 1e-8;

/// Where a search starts and where it ended: the next start.
#[derive(Debug, Clone)]
pub struct Link {
    /// unit, from j to i
    pub normal: DVec3,
    /// up to 3 pairs of corners (of i, of j) that the plane touches; none where nothing is known
    pub corners: Vec<[u32; 2]>,
}

/// What a search found, and what it took.
#[derive(Debug, Clone)]
pub struct Found {
    /// the best plane that was met
    pub plane: Plane,
    /// for the next search of the pair
    pub link: Link,
    /// steps of the climb: each is a support evaluation of both bodies and the closest point of a simplex
    pub steps: u32,
    /// lifts among them
    pub lifts: u32,
    /// steps spent on making sure that bodies overlap
    pub proof_steps: u32,
}

/// Climbs from `start` to the common plane. Ends early with any plane whose gap is more than `far_m`.
///
/// An overlap is proved by a second climb without a lift, which ends around the origin or with a plane that separates
/// the bodies: near a sharp edge the climb may stop at the face behind it, at an overlap as small as the distance.
pub fn common_plane(i: &Placed, j: &Placed, start: Link, far_m: f64) -> Found {
    let mut climb = Climb {
        i,
        j,
        size: i.body.radius_m + j.body.radius_m,
        clearance: CLEARANCE * i.body.radius_m.min(j.body.radius_m),
        plane: Plane { normal: start.normal, gap_m: f64::MIN },
        link: start,
        steps: 0,
        lifts: 0,
    };
    climb.run(true, far_m);
    let (steps, lifts, touching) = (climb.steps, climb.lifts, climb.link.clone());
    if climb.plane.gap_m < -EQUAL * climb.size {
        climb.run(false, far_m);
        if climb.plane.gap_m < 0.0 {
            climb.link = touching;
        }
    }
    Found { plane: climb.plane, link: climb.link, steps, lifts, proof_steps: climb.steps - steps }
}

struct Climb<'a> {
    i: &'a Placed<'a>,
    j: &'a Placed<'a>,
    size: f64,
    clearance: f64,
    plane: Plane,
    link: Link,
    steps: u32,
    lifts: u32,
}

impl Climb<'_> {
    fn difference(&self, corners: &[u32; 2]) -> DVec3 {
        self.i.vertices_m[corners[0] as usize] - self.j.vertices_m[corners[1] as usize]
    }

    /// Steps until the direction is its own shortest link, or no step gains; at most [`STEPS_MAX`].
    fn run(&mut self, lifting: bool, far_m: f64) {
        let (mut lift, mut lifted_gap_m, mut lifts) = (DVec3::ZERO, f64::MIN, 0);
        for _ in 0..STEPS_MAX {
            let normal = self.link.normal;
            let corner = [self.i.support(-normal) as u32, self.j.support(normal) as u32];
            let gap_m = normal.dot(self.difference(&corner));
            self.steps += 1;
            if gap_m > self.plane.gap_m {
                self.plane = Plane { normal, gap_m };
            }
            if self.plane.gap_m > far_m {
                return;
            }
            // no corner is lower than those of the simplex: this is the shortest link of the lifted bodies
            let level = gap_m + EQUAL * self.size;
            let shortest = self.link.corners.iter().any(|c| normal.dot(self.difference(c)) <= level);
            if lifting && (shortest || lifts == 0) {
                if lifts > 1 && self.plane.gap_m <= lifted_gap_m + GAIN * self.size {
                    break;
                }
                lifted_gap_m = self.plane.gap_m;
                lift = self.plane.normal * (self.clearance.max(-lifted_gap_m) - lifted_gap_m).max(0.0);
                lifts += 1;
            }
            if !shortest {
                self.link.corners.push(corner);
            }
            let Some(along) = self.shortest_link(lift) else { break };
            if shortest && along.distance(normal) < EQUAL {
                break;
            }
            self.link.normal = along;
        }
        self.lifts += lifts;
    }

    /// Direction from the origin to the lifted simplex, of which the part around its closest point is kept. `None` if
    /// the origin is inside.
    fn shortest_link(&mut self, lift: DVec3) -> Option<DVec3> {
        let lifted: Vec<DVec3> = self.link.corners.iter().map(|c| self.difference(c) + lift).collect();
        let (link, between) = closest(&lifted);
        let mut bits = 0..;
        self.link.corners.retain(|_| bits.next().is_some_and(|k| between >> k & 1 == 1));
        (between != 15 && link.length() > EQUAL * self.size).then(|| link.normalize())
    }
}
