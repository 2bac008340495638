//! Triangles of a hull that lie in one plane become one polygon, and corners in the middle of an edge go.

use super::loops::{area_vector, sides};
use glam::DVec3;
use std::collections::HashMap;

/// Polygons (counter-clockwise from outside) in place of the closed surface `triangles`. Triangles join while their
/// corners are within `tolerance_m` of the plane of the largest of them. An error says that the surface is not sound.
pub(super) fn merge(points: &[DVec3], triangles: &[[u32; 3]], tolerance_m: f64) -> Result<Vec<Vec<u32>>, String> {
    let owner: HashMap<[u32; 2], usize> =
        triangles.iter().enumerate().flat_map(|(t, c)| sides(c).map(move |s| (s, t))).collect();
    let area2 = |t: usize| area_vector(points, &triangles[t]).length_squared();
    let mut order: Vec<usize> = (0..triangles.len()).collect();
    order.sort_by(|a, b| area2(*b).total_cmp(&area2(*a)));
    let mut group = vec![usize::MAX; triangles.len()];
    let mut polygons = vec![];
    for seed in order {
        if group[seed] == usize::MAX {
            let members = flood(points, triangles, &owner, &mut group, seed, tolerance_m)?;
            polygons.push(outline(triangles, &owner, &group, &members)?);
        }
    }
    drop_middles(&mut polygons, points.len());
    match polygons.iter().find(|p| p.len() < 3) {
        Some(_) => Err("a face shrinks to a line: some points lie too close together for a clean surface".into()),
        None => Ok(polygons),
    }
}

type Owner = HashMap<[u32; 2], usize>;

/// Triangles reached from `seed` without leaving its plane; they join its group.
fn flood(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    owner: &Owner,
    group: &mut [usize],
    seed: usize,
    tolerance_m: f64,
) -> Result<Vec<usize>, String> {
    let normal = area_vector(points, &triangles[seed]).normalize_or_zero();
    let height = |k: u32| normal.dot(points[k as usize] - points[triangles[seed][0] as usize]);
    let flat = |t: usize| triangles[t].iter().all(|k| height(*k).abs() <= tolerance_m);
    group[seed] = seed;
    let mut members = vec![seed];
    let mut next = 0;
    while next < members.len() {
        for [from, to] in sides(&triangles[members[next]]) {
            let across = *owner.get(&[to, from]).ok_or("the surface is open")?;
            if group[across] == usize::MAX && flat(across) {
                group[across] = seed;
                members.push(across);
            }
        }
        next += 1;
    }
    Ok(members)
}

/// The one loop around a group of triangles.
fn outline(triangles: &[[u32; 3]], owner: &Owner, group: &[usize], members: &[usize]) -> Result<Vec<u32>, String> {
    let own = group[members[0]];
    let sides = members.iter().flat_map(|t| sides(&triangles[*t]));
    let border: Vec<[u32; 2]> = sides.filter(|[a, b]| group[owner[&[*b, *a]]] != own).collect();
    let next: HashMap<u32, u32> = border.iter().map(|s| (s[0], s[1])).collect();
    let Some(&[start, _]) = border.first() else {
        return Err("all faces lie in one plane".into());
    };
    let mut corners = vec![start];
    let mut at = next[&start];
    while at != start && corners.len() <= next.len() {
        corners.push(at);
        at = next.get(&at).copied().unwrap_or(start);
    }
    if corners.len() == border.len() { Ok(corners) } else { Err("a face has a hole or touches itself".into()) }
}

/// A corner of only two polygons lies in the middle of their common edge.
fn drop_middles(polygons: &mut [Vec<u32>], points: usize) {
    let mut uses = vec![0; points];
    polygons.iter().flatten().for_each(|k| uses[*k as usize] += 1);
    polygons.iter_mut().for_each(|p| p.retain(|k| uses[*k as usize] > 2));
}
