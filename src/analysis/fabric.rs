//! Fabric: how many contacts bodies have that carry force, and which way these point.

use super::stress::deviator;
use crate::base::eigen::{outer, principal};
use crate::model::snapshot::Snapshot;
use glam::{DMat3, DVec3};
use serde::Serialize;
use std::collections::BTreeSet;

/// Fabric of some bodies.
#[derive(Debug, Clone, Serialize)]
pub struct Fabric {
    /// bodies and walls that push or pull a body, mean over all of these bodies
    pub coordination: f64,
    /// bodies that nothing or one other holds: they pass no force on
    pub rattlers: usize,
    /// the same mean over the other bodies, contacts with rattlers left out (Thornton 2000); none without such a body
    pub coordination_without_rattlers: Option<f64>,
    /// contact points that carry force, as seen from each of these bodies
    pub points: usize,
    /// rows of the mean of n n over these points, n their normals; its trace is 1 (Satake 1982); none without a point
    pub tensor: Option<[[f64; 3]; 3]>,
    /// its principal values, largest first; a third each if no direction is preferred
    pub principal: Option<[f64; 3]>,
    /// sqrt(3/2 s:s) of its deviator s: 0 if no direction is preferred, 1 if all normals are parallel
    pub anisotropy: Option<f64>,
}

/// What a body is held by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Holder {
    Body(u32),
    Wall(u32),
}

/// Fabric of the bodies `chosen` of a snapshot. `wall_normal` is the unit normal at each of its contacts with walls.
pub fn fabric(s: &Snapshot, chosen: &[usize], wall_normal: &[DVec3]) -> Fabric {
    let mut holders: Vec<BTreeSet<Holder>> = vec![BTreeSet::new(); s.bodies.len()];
    let mut normals: Vec<Vec<DVec3>> = vec![vec![]; s.bodies.len()];
    let mut add = |k: u32, by: Holder, normal: DVec3| {
        holders[k as usize].insert(by);
        normals[k as usize].push(normal);
    };
    for c in s.contacts.iter().filter(|c| c.force_n != DVec3::ZERO) {
        add(c.i, Holder::Body(c.j), c.normal);
        add(c.j, Holder::Body(c.i), c.normal);
    }
    for (c, normal) in s.wall_contacts.iter().zip(wall_normal).filter(|(c, _)| c.force_n != DVec3::ZERO) {
        add(c.body, Holder::Wall(c.wall), *normal);
    }
    let rattles = |k: usize| holders[k].len() < 2;
    let firm: Vec<usize> = chosen.iter().copied().filter(|k| !rattles(*k)).collect();
    let counts = |by: &Holder| !matches!(by, Holder::Body(other) if rattles(*other as usize));
    let mean = |sum: usize, of: usize| sum as f64 / of as f64;
    let all: usize = chosen.iter().map(|k| holders[*k].len()).sum();
    let among_firm: usize = firm.iter().map(|k| holders[*k].iter().filter(|by| counts(by)).count()).sum();
    let points: usize = chosen.iter().map(|k| normals[*k].len()).sum();
    let sum: DMat3 = chosen.iter().flat_map(|k| &normals[*k]).map(|n| outer(*n, *n)).sum();
    let tensor = (points > 0).then(|| sum * (1.0 / points as f64));
    let values = tensor.map(|t| principal(t).0);
    Fabric {
        coordination: mean(all, chosen.len().max(1)),
        rattlers: chosen.len() - firm.len(),
        coordination_without_rattlers: (!firm.is_empty()).then(|| mean(among_firm, firm.len())),
        points,
        tensor: tensor.map(|t| t.transpose().to_cols_array_2d()),
        principal: values,
        anisotropy: values.map(deviator),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::body::Bodies;
    use crate::model::snapshot::{Contact, WallContact};

    fn snapshot(bodies: usize, contacts: &[(u32, u32, DVec3)]) -> Snapshot {
        let at = (0..bodies).map(|k| DVec3::X * k as f64).collect();
        let contact = |(i, j, normal): &(u32, u32, DVec3)| Contact {
            i: *i,
            j: *j,
            normal: *normal,
            force_n: -*normal,
            ..Contact::default()
        };
        Snapshot {
            bodies: Bodies::at_rest(at, vec![0.5; bodies], vec![1.0; bodies]),
            contacts: contacts.iter().map(contact).collect(),
            ..Snapshot::default()
        }
    }

    /// A triangle of bodies, and a fourth that leans on one of them.
    #[test]
    fn a_body_held_by_one_other_is_a_rattler() {
        let s = snapshot(4, &[(0, 1, DVec3::X), (1, 2, DVec3::Y), (0, 2, DVec3::Z), (2, 3, DVec3::X)]);
        let found = fabric(&s, &[0, 1, 2, 3], &[]);
        assert_eq!((found.coordination, found.rattlers, found.points), (2.0, 1, 8));
        assert_eq!(found.coordination_without_rattlers, Some(2.0));
        // half of the points along x, a quarter along y, a quarter along z
        let expected = [0.5, 0.25, 0.25];
        assert!(found.principal.unwrap().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
        assert!((found.anisotropy.unwrap() - 0.25).abs() < 1e-15);
    }

    /// Several points of one pair hold a body once; a wall holds it too, and a contact without force does not.
    #[test]
    fn points_of_a_pair_and_walls_hold_a_body_once_each() {
        let mut s = snapshot(2, &[(0, 1, DVec3::X), (0, 1, DVec3::X)]);
        let wall = |force_n: DVec3| WallContact { body: 0, wall: 3, force_n, ..WallContact::default() };
        s.wall_contacts = vec![wall(DVec3::X), wall(DVec3::ZERO)];
        let found = fabric(&s, &[0], &[DVec3::X, DVec3::Y]);
        assert_eq!((found.coordination, found.rattlers, found.points), (2.0, 0, 3));
        // the other body is a rattler, so that the wall alone is left
        assert_eq!(found.coordination_without_rattlers, Some(1.0));
        assert!((found.anisotropy.unwrap() - 1.0).abs() < 1e-12);
        let none = fabric(&snapshot(2, &[]), &[0, 1], &[]);
        assert_eq!((none.rattlers, none.points, none.tensor, none.coordination_without_rattlers), (2, 0, None, None));
    }

    /// Normals in all directions: a third along each axis.
    #[test]
    fn even_directions_have_no_anisotropy() {
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let normal = |k: u32| {
            let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 2000.0;
            let (sin, cos) = (golden * f64::from(k)).sin_cos();
            let side = (1.0 - z * z).sqrt();
            DVec3::new(side * cos, side * sin, z)
        };
        let contacts: Vec<(u32, u32, DVec3)> = (0..2000).map(|k| (0, 1, normal(k))).collect();
        let found = fabric(&snapshot(2, &contacts), &[0, 1], &[]);
        assert!(found.anisotropy.unwrap() < 1e-3, "{:?}", found.principal);
    }
}
