//! How many contacts the bodies have, how deep they are, and how densely the bodies are packed.

use super::columns::Column;
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
    /// largest overlap over the smaller radius, walls included
    pub overlap_max: f64,
}

/// Contacts and packing.
pub(super) const COLUMNS: &[Column] = &[
    Column::one(
        "contacts",
        "",
        "contacts between bodies that carry force and [touch](#what-touches); for polyhedra contact points",
        |m| m.contacts.contacts,
    ),
    Column::one("coordination", "", "contacts per body, mean over all bodies; walls do not count", |m| {
        2.0 * m.contacts.contacts / m.s.bodies.len() as f64
    }),
    Column::one("coordination_touching", "", "contacts per body, mean over the bodies that have any", |m| {
        let touching = m.contacts.bodies_touching;
        if touching > 0 { 2.0 * m.contacts.contacts / touching as f64 } else { 0.0 }
    }),
    Column::one(
        "contacts_pulling",
        "",
        "contacts that pull across an open gap, by cohesion with a range; they are not among `contacts`",
        |m| m.contacts.pulling,
    ),
    Column::one(
        "coordination_geometric",
        "",
        "pairs of spheres that [touch](#what-touches) by their positions alone, with or without force, times 2 over the number of bodies; NaN for polyhedra",
        |m| 2.0 * m.contacts.near_pairs / m.s.bodies.len() as f64,
    ),
    Column::one(
        "overlap_max",
        "",
        "largest overlap over the smaller radius, walls included; in contact dynamics of contacts with an impulse",
        |m| m.contacts.overlap_max,
    ),
    Column::one(
        "packing_sphere",
        "",
        "solid volume over the volume of the enclosing sphere about the mass centre",
        |m| {
            let r = m.radius_m;
            m.solid_m3 / ellipsoid_m3([r, r, r])
        },
    ),
    Column::one(
        "packing_ellipsoid",
        "",
        "solid volume over the volume of the ellipsoid with the same second moments",
        |m| m.solid_m3 / ellipsoid_m3(m.semi_axes_m),
    ),
    Column::one("diameter_m", "m", "diameter of the enclosing sphere", |m| 2.0 * m.radius_m),
    Column::one("semi_axis_a_m", "m", "longest semi-axis of the ellipsoid with the same second moments", |m| {
        m.semi_axes_m[0]
    }),
    Column::one("semi_axis_b_m", "m", "its middle semi-axis", |m| m.semi_axes_m[1]),
    Column::one("semi_axis_c_m", "m", "its shortest semi-axis", |m| m.semi_axes_m[2]),
    Column::one("half_mass_radius_m", "m", "radius about the mass centre that holds half the mass", |m| {
        super::whole::half_mass_radius_m(m.s, m.centre_m)
    }),
];

/// Volume of an ellipsoid with these semi-axes (m3).
fn ellipsoid_m3([a, b, c]: [f64; 3]) -> f64 {
    4.0 / 3.0 * std::f64::consts::PI * a * b * c
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
    ContactCounts { contacts, bodies_touching, pulling, near_pairs, overlap_max }
}
