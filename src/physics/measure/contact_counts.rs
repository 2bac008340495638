//! How many contacts the bodies have, and how deep they are.

use super::aggregates::aggregates;
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
    /// bodies of the heaviest set that contacts hold together; 1 if there are none
    pub largest_aggregate: usize,
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
    // The gaps of all near pairs of polyhedra would cost more than the steps between two rows.
    let near_pairs = if b.polyhedra.is_some() {
        f64::NAN
    } else {
        touching_pairs(&b.position_m, &b.radius_m, TOUCH_TOLERANCE).len() as f64
    };
    let bodies_touching = touched.iter().filter(|t| **t).count();
    let links: Vec<[u32; 2]> = s.contacts.iter().map(|c| [c.i, c.j]).collect();
    let largest_aggregate = aggregates(s, &links).first().map_or(0, |a| a.bodies);
    ContactCounts { contacts, bodies_touching, pulling, near_pairs, largest_aggregate, overlap_max }
}
