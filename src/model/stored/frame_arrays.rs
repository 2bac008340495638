//! The arrays of a frame.

use super::arrays::Numbers::{F32, F64, U32};
use super::arrays::{Array, flat};
use crate::model::snapshot::{Contact, Snapshot, WallContact};
use glam::DVec3;

/// What never changes: arrays of the folder [`FOLDER`] of a run, or of every frame.
pub const CONSTANTS: &[Array<Snapshot>] = &[
    Array::new(
        "radius",
        ("n", 1),
        "m",
        "radius; for a polyhedron that of the sphere about its mass centre that holds it",
        F64(|s| s.bodies.radius_m.clone()),
    ),
    Array::new("mass", ("n", 1), "kg", "mass", F64(|s| s.bodies.mass_kg.clone())),
    Array::new("id", ("n", 1), "", "identity of the body; the order of all arrays", U32(|s| s.bodies.id.clone())),
    Array::new("material", ("n", 1), "", "index of its `[[material]]`, from 0", U32(|s| s.bodies.material.clone())),
];

/// Name of the folder in a run directory.
pub const FOLDER: &str = "bodies";

/// Rows of the folder's arrays that a frame holds, if it holds a part of the bodies.
pub const PART: &[Array<Snapshot>] = &[Array::new(
    "body",
    ("n", 1),
    "",
    "row of the body in the arrays of `bodies/`; only with `output.stride` or `output.region`",
    U32(|s| (0..s.bodies.len() as u32).collect()),
)];

/// Arrays of every frame.
pub const BODIES: &[Array<Snapshot>] = &[
    Array::new(
        "position",
        ("n", 3),
        "m",
        "position of the mass centre",
        F64(|s: &Snapshot| flat(&s.bodies.position_m)),
    )
    .about(centre_m),
    Array::new(
        "velocity",
        ("n", 3),
        "m/s",
        "velocity of the mass centre",
        F64(|s: &Snapshot| flat(&s.bodies.velocity_m_s)),
    )
    .about(centre_velocity_m_s),
    Array::new("spin", ("n", 3), "rad/s", "angular velocity", F64(|s| flat(&s.bodies.spin_rad_s))),
    Array::new(
        "orientation",
        ("n", 4),
        "",
        "quaternion x, y, z, w that rotates the shape from its principal axes into the axes of the frame",
        F64(|s: &Snapshot| s.bodies.polyhedra.iter().flat_map(|p| &p.orientation).flat_map(|q| q.to_array()).collect()),
    )
    .when("polyhedra", |s| s.bodies.polyhedra.is_some()),
    Array::new(
        "wall_travel",
        ("walls", 1),
        "m",
        "distance of each wall along its normal since time 0",
        F64(|s: &Snapshot| s.wall_motion.iter().map(|w| w.travel_m).collect()),
    )
    .when("a wall with a servo", |s| !s.wall_motion.is_empty()),
    Array::new(
        "coordination",
        ("n", 1),
        "",
        "contacts that [touch](#what-touches), walls included; for polyhedra each contact point counts",
        U32(coordination),
    ),
    Array::new(
        "pressure",
        ("n", 1),
        "Pa",
        "a third of the trace of the contact stress over the body's own volume, walls included",
        F32(pressure),
    ),
];

/// Names that `output.columns` takes: arrays of [`BODIES`] with a row a body.
pub fn columns() -> impl Iterator<Item = &'static str> {
    BODIES.iter().filter(|a| a.rows == "n").map(|a| a.name)
}

/// Arrays of contacts between bodies, with `output.contacts = true`.
pub const CONTACTS: &[Array<Snapshot>] = &[
    Array::new(
        "pair",
        ("m", 2),
        "",
        "indices i < j into the arrays of bodies",
        U32(|s| s.contacts.iter().flat_map(|c| [c.i, c.j]).collect()),
    ),
    Array::new("contact_force", ("m", 3), "N", "force on i", F64(|s| vectors(s, |c| c.force_n))),
    Array::new("contact_normal", ("m", 3), "", "unit vector from i to j", F64(|s| vectors(s, |c| c.normal))),
    Array::new(
        "contact_overlap",
        ("m", 1),
        "m",
        "overlap of the radii as the GPU holds them, rounded to 2^-24 of at least twice the largest; below zero it is a gap",
        F64(|s| numbers(s, |c| c.overlap_m)),
    ),
    Array::new(
        "contact_normal_force",
        ("m", 1),
        "N",
        "normal force, positive where the bodies push each other",
        F64(|s| numbers(s, Contact::normal_force_n)),
    ),
    Array::new(
        "contact_tangential_force",
        ("m", 3),
        "N",
        "tangential force on i; with the normal force it is `contact_force`",
        F64(|s| vectors(s, Contact::tangential_force_n)),
    ),
    Array::new(
        "contact_point",
        ("m", 3),
        "m",
        "where the force acts, halfway between the ends of the two lever arms",
        F64(|s| vectors(s, |c| c.at_m.unwrap_or(DVec3::NAN))),
    )
    .about(centre_m)
    .when("polyhedra", |s| s.bodies.polyhedra.is_some()),
    Array::new(
        "contact_torque",
        ("m", 6),
        "N m",
        "torques on i and on j about their centres",
        F64(|s| s.contacts.iter().flat_map(|c| [c.torque_i_n_m, c.torque_j_n_m]).flat_map(|t| t.to_array()).collect()),
    ),
];

/// Arrays of contacts with walls, with `output.contacts = true`.
pub const WALL_CONTACTS: &[Array<Snapshot>] = &[
    Array::new(
        "wall_pair",
        ("w", 2),
        "",
        "index of the body, and of the wall in resolved.json; the surface of an asteroid comes after the last wall",
        U32(|s| s.wall_contacts.iter().flat_map(|c| [c.body, c.wall]).collect()),
    ),
    Array::new("wall_force", ("w", 3), "N", "force on the body", F64(|s| wall_vectors(s, |c| c.force_n))),
    Array::new(
        "wall_point",
        ("w", 3),
        "m",
        "where the force acts; NaN means the point below the centre of a sphere",
        F64(|s| wall_vectors(s, |c| c.at_m.unwrap_or(DVec3::NAN))),
    )
    .about(centre_m)
    .when("polyhedra, or contacts with blocks or the surface of an asteroid", |s| {
        s.bodies.polyhedra.is_some() || s.wall_contacts.iter().any(|c| c.at_m.is_some())
    }),
    Array::new(
        "wall_overlap",
        ("w", 1),
        "m",
        "overlap; below zero it is a gap",
        F64(|s| s.wall_contacts.iter().map(|c| c.overlap_m).collect()),
    ),
];

/// Mass centre of all bodies (m).
fn centre_m(s: &Snapshot) -> DVec3 {
    or_origin(s.bodies.mean_by_mass(&s.bodies.position_m))
}

/// Its velocity (m/s).
fn centre_velocity_m_s(s: &Snapshot) -> DVec3 {
    or_origin(s.bodies.mean_by_mass(&s.bodies.velocity_m_s))
}

/// A mean, which is not a number where there is no body.
fn or_origin(mean: DVec3) -> DVec3 {
    if mean.is_finite() { mean } else { DVec3::ZERO }
}

fn vectors(s: &Snapshot, of: fn(&Contact) -> DVec3) -> Vec<f64> {
    s.contacts.iter().flat_map(|c| of(c).to_array()).collect()
}

fn numbers(s: &Snapshot, of: fn(&Contact) -> f64) -> Vec<f64> {
    s.contacts.iter().map(of).collect()
}

fn wall_vectors(s: &Snapshot, of: fn(&WallContact) -> DVec3) -> Vec<f64> {
    s.wall_contacts.iter().flat_map(|c| of(c).to_array()).collect()
}

/// Contacts of every body that touch.
fn coordination(s: &Snapshot) -> Vec<u32> {
    let mut count = vec![0u32; s.bodies.len()];
    for c in &s.contacts {
        for k in [c.i as usize, c.j as usize] {
            count[k] += u32::from(c.touches(&s.bodies));
        }
    }
    for c in &s.wall_contacts {
        count[c.body as usize] += u32::from(c.touches(&s.bodies));
    }
    count
}

/// Pressure in every body: -tr(sum f l) / (3 V) with l from the centre to the point of contact. It is not a number where a
/// sphere touches a wall whose normal the snapshot does not have.
fn pressure(s: &Snapshot) -> Vec<f32> {
    let n = s.bodies.len();
    let mut trace = vec![0.0f64; n];
    for c in &s.contacts {
        let normal = c.force_n.dot(c.normal); // negative when pushing
        for (k, force) in [(c.i as usize, c.force_n), (c.j as usize, -c.force_n)] {
            trace[k] -= match c.at_m {
                Some(point) => force.dot(point - s.bodies.position_m[k]),
                None => normal * (s.bodies.radius_m[k] - 0.5 * c.overlap_m),
            };
        }
    }
    for c in &s.wall_contacts {
        let k = c.body as usize;
        // A contact point that is known needs no normal.
        let normal = s.wall_normals.get(c.wall as usize).copied().unwrap_or(DVec3::NAN);
        trace[k] -= c.force_n.dot(c.point_m(&s.bodies, normal) - s.bodies.position_m[k]);
    }
    (0..n).map(|k| (trace[k] / (3.0 * s.bodies.volume_m3(k))) as f32).collect()
}
