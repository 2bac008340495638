//! Clusters by all pairs, straight from Guidos et al. 2024, section 2.7: no cells, no bounds, no order but that of the ids.

use breccia::model::snapshot::Snapshot;
use glam::DVec3;
use std::collections::BTreeSet;
use std::f64::consts::PI;

const G: f64 = 6.6743e-11;

/// Mass density at body `i` by the bodies of `pool`: Gaussians of ten radii, cut off at four times that.
fn density(s: &Snapshot, i: usize, pool: &BTreeSet<usize>) -> f64 {
    let b = &s.bodies;
    let of = |j: &usize| {
        let (sigma, d) = (10.0 * b.radius_m[*j], b.position_m[i].distance(b.position_m[*j]));
        let inside = if d < 4.0 * sigma { (-d * d / (2.0 * sigma * sigma)).exp() } else { 0.0 };
        b.mass_kg[*j] * inside / (2.0 * PI * sigma * sigma).powf(1.5)
    };
    pool.iter().map(of).sum()
}

/// The bodies that one seed gathers from the pool.
fn gather(s: &Snapshot, touch: &dyn Fn(usize, usize) -> bool, seed: usize, pool: &BTreeSet<usize>) -> BTreeSet<usize> {
    let b = &s.bodies;
    let mut group = BTreeSet::from([seed]);
    let rounds = |group: &mut BTreeSet<usize>, joins: &dyn Fn(usize, &BTreeSet<usize>) -> bool| loop {
        let new: Vec<usize> = pool.iter().copied().filter(|k| !group.contains(k) && joins(*k, group)).collect();
        if new.is_empty() {
            return;
        }
        group.extend(new);
    };
    rounds(&mut group, &|k, group| group.iter().any(|j| touch(k, *j)));
    rounds(&mut group, &|k, group| {
        let mass: f64 = group.iter().map(|j| b.mass_kg[*j]).sum();
        let drift = group.iter().map(|j| b.mass_kg[*j] / mass * b.velocity_m_s[*j]).sum::<DVec3>();
        let well: f64 = group.iter().map(|j| G * b.mass_kg[*j] / b.position_m[k].distance(b.position_m[*j])).sum();
        (b.velocity_m_s[k] - drift).length() < (2.0 * well).sqrt()
    });
    group
}

/// The clusters of `minimum` bodies and more, in the order in which they are found.
pub fn clusters(s: &Snapshot, touch: &dyn Fn(usize, usize) -> bool, minimum: usize) -> Vec<BTreeSet<usize>> {
    let mut pool: BTreeSet<usize> = (0..s.bodies.len()).collect();
    let mut tried = BTreeSet::new();
    let mut found = vec![];
    loop {
        let open: Vec<(f64, usize)> = pool.difference(&tried).map(|k| (density(s, *k, &pool), *k)).collect();
        let Some(highest) = open.iter().map(|o| o.0).max_by(f64::total_cmp) else { return found };
        let seed = open.iter().filter(|o| o.0 > highest * (1.0 - 1e-9)).map(|o| o.1).min_by_key(|k| s.bodies.id[*k]);
        let group = gather(s, touch, seed.unwrap(), &pool);
        tried.extend(group.iter().copied());
        if group.len() >= minimum {
            pool = pool.difference(&group).copied().collect();
            found.push(group);
        }
    }
}
