//! How many contacts the bodies have, and how deep they are.

use super::aggregates::{Aggregate, aggregates};
use crate::geometry::touching::{TOUCH_TOLERANCE, touching_pairs};
use crate::model::snapshot::Snapshot;

/// Contacts between bodies.
pub struct ContactCounts {
    /// that carry force and touch
    pub contacts: f64,
    /// bodies with such a contact
    pub bodies_touching: usize,
    /// that pull across a gap
    pub pulling: f64,
    /// pairs of spheres whose surfaces touch, whether or not they carry force; NaN for polyhedra
    pub near_pairs: f64,
    /// bodies of the heaviest aggregate by contacts; 1 if there are none
    pub aggregate_bodies: usize,
    /// mass of the heaviest aggregate over that of all, by contacts and, of spheres, by surfaces that touch without force
    pub aggregate_share: f64,
    /// largest overlap over the smaller radius, walls included
    pub overlap_max: f64,
}

/// Counts them.
pub(super) fn measure(s: &Snapshot) -> ContactCounts {
    let b = &s.bodies;
    let mut touched = vec![false; b.len()];
    let (mut contacts, mut pulling) = (0.0, 0.0);
    let mut overlap_max = 0.0f64;
    for c in &s.contacts {
        if c.touches(b) {
            (touched[c.i as usize], touched[c.j as usize]) = (true, true);
            contacts += 1.0;
        } else if c.normal_force_n() < 0.0 {
            pulling += 1.0;
        }
        overlap_max = overlap_max.max(c.overlap_m / b.radius_m[c.i as usize].min(b.radius_m[c.j as usize]));
    }
    for c in &s.wall_contacts {
        overlap_max = overlap_max.max(c.overlap_m / b.radius_m[c.body as usize]);
    }
    let near = near_pairs(s);
    let bodies_touching = touched.iter().filter(|t| **t).count();
    let near_pairs = near.as_ref().map_or(f64::NAN, |pairs| pairs.len() as f64);
    let aggregate_bodies = aggregates(s, &by_contacts(s)).first().map_or(0, |a| a.bodies);
    let aggregate_share = joined(s, near).map_or(0.0, |a| a.mass_share);
    ContactCounts { contacts, bodies_touching, pulling, near_pairs, aggregate_bodies, aggregate_share, overlap_max }
}

/// Bodies of the heaviest aggregate, by contacts and, of spheres, by surfaces that touch without force.
pub fn heaviest(s: &Snapshot) -> Vec<usize> {
    joined(s, near_pairs(s)).map_or(vec![], |a| a.indices)
}

fn by_contacts(s: &Snapshot) -> Vec<[u32; 2]> {
    s.contacts.iter().map(|c| [c.i, c.j]).collect()
}

/// Spheres whose surfaces touch. The gaps of all near pairs of polyhedra would cost more than the steps between two rows.
fn near_pairs(s: &Snapshot) -> Option<Vec<(u32, u32)>> {
    let b = &s.bodies;
    b.polyhedra.is_none().then(|| touching_pairs(&b.position_m, &b.radius_m, TOUCH_TOLERANCE))
}

/// The heaviest aggregate by contacts and these pairs.
fn joined(s: &Snapshot, near: Option<Vec<(u32, u32)>>) -> Option<Aggregate> {
    let near = near.into_iter().flatten().map(|(i, j)| [i, j]);
    let links: Vec<[u32; 2]> = by_contacts(s).into_iter().chain(near).collect();
    aggregates(s, &links).into_iter().next()
}
