//! A sphere of triangles: an icosahedron whose faces are cut into n^2 each, n any whole number.

use crate::geometry::loops::Loops;
use glam::DVec3;
use std::collections::HashMap;

/// Corners of an icosahedron: two poles and two rings of five.
fn corners() -> [DVec3; 12] {
    let (height, ring) = (0.2f64.sqrt(), 0.8f64.sqrt());
    std::array::from_fn(|k| match k {
        0 => DVec3::Z,
        11 => -DVec3::Z,
        _ => {
            let upper = k <= 5;
            let angle = std::f64::consts::TAU * ((k - 1) % 5) as f64 / 5.0
                + if upper { 0.0 } else { 0.2 * std::f64::consts::PI };
            DVec3::new(ring * angle.cos(), ring * angle.sin(), if upper { height } else { -height })
        }
    })
}

/// Its faces, counter-clockwise from outside.
fn faces() -> Vec<[u32; 3]> {
    (0..5)
        .flat_map(|k| {
            let [a, b, c, d] = [1 + k, 1 + (k + 1) % 5, 6 + k, 6 + (k + 1) % 5];
            [[0, a, b], [a, c, b], [b, c, d], [c, 11, d]]
        })
        .collect()
}

/// The least n for which 20 n^2 is `faces` or more.
pub(crate) fn frequency(faces: u64) -> u32 {
    let wanted = faces.div_ceil(20);
    let root = wanted.isqrt();
    (root + u64::from(root * root < wanted)).max(1) as u32
}

/// 10 n^2 + 2 points of the unit sphere, and 20 n^2 triangles.
pub(crate) fn icosphere(n: u32) -> (Vec<DVec3>, Loops) {
    let corners = corners();
    let mut points = corners.to_vec();
    let mut edges: HashMap<[u32; 2], u32> = HashMap::new();
    let mut triangles = Loops::default();
    for [a, b, c] in faces() {
        let [pa, pb, pc] = [a, b, c].map(|k| corners[k as usize]);
        let at = |i: u32, j: u32| (f64::from(n - i - j) * pa + f64::from(i) * pb + f64::from(j) * pc).normalize();
        for [p, q] in [[a, b], [a, c], [b, c]] {
            let [p, q] = [p.min(q), p.max(q)];
            edges.entry([p, q]).or_insert_with(|| {
                let [low, high] = [p, q].map(|k| corners[k as usize]);
                let first = points.len() as u32;
                points.extend((1..n).map(|k| (f64::from(n - k) * low + f64::from(k) * high).normalize()));
                first
            });
        }
        let inner = points.len() as u32;
        points.extend((1..n).flat_map(|i| (1..n - i).map(move |j| (i, j))).map(|(i, j)| at(i, j)));
        let along = |p: u32, q: u32, k: u32| match k {
            0 => p,
            k if k == n => q,
            k => edges[&[p.min(q), p.max(q)]] + if p < q { k - 1 } else { n - 1 - k },
        };
        let index = |i: u32, j: u32| match (i, j) {
            (i, 0) => along(a, b, i),
            (0, j) => along(a, c, j),
            (i, j) if i + j == n => along(b, c, j),
            // rows i of n - i - 1 points each
            (i, j) => inner + (i - 1) * (n - 1) - i * (i - 1) / 2 + j - 1,
        };
        for (i, j) in (0..n).flat_map(|i| (0..n - i).map(move |j| (i, j))) {
            triangles.push(&[index(i, j), index(i + 1, j), index(i, j + 1)]);
            if i + j + 1 < n {
                triangles.push(&[index(i + 1, j), index(i + 1, j + 1), index(i, j + 1)]);
            }
        }
    }
    (points, triangles)
}
