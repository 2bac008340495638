//! Boxes and regular solids.

use super::polyhedron::ConvexPolyhedron;
use crate::base::error::Result;
use glam::DVec3;
use std::collections::HashMap;

/// Regular solids with convex faces of equal shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regular {
    /// 4 triangles
    Tetrahedron,
    /// 6 squares
    Cube,
    /// 8 triangles
    Octahedron,
    /// 20 triangles
    Icosahedron,
}

/// A box of these edge lengths (m).
pub fn cuboid(size_m: DVec3) -> Result<ConvexPolyhedron> {
    ConvexPolyhedron::from_points(&signs().map(|s| 0.5 * s * size_m))
}

/// A box of these edge lengths (m) about its middle, as triangles: every edge in `parts`, so 12 parts^2 of them.
pub fn cuboid_facets(size_m: DVec3, parts: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let n = parts as i64;
    let mut names = HashMap::new();
    let mut vertices = vec![];
    let mut vertex = |at: [i64; 3]| {
        *names.entry(at).or_insert_with(|| {
            let share = DVec3::from_array(at.map(|k| k as f64 / n as f64 - 0.5));
            vertices.push(share * size_m);
            vertices.len() as u32 - 1
        })
    };
    let mut triangles = vec![];
    for (axis, top, u, v) in (0..3).flat_map(|a| [(a, false), (a, true)].map(|(a, t)| (a, t, (a + 1) % 3, (a + 2) % 3)))
    {
        let mut corner = |i: i64, j: i64| {
            let mut at = [0; 3];
            (at[axis], at[u], at[v]) = (if top { n } else { 0 }, i, j);
            vertex(at)
        };
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            triangles.extend(if top { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
        }
    }
    (vertices, triangles)
}

/// A regular solid in the sphere of `radius_m`.
pub fn regular(solid: Regular, radius_m: f64) -> Result<ConvexPolyhedron> {
    let points: Vec<DVec3> = match solid {
        Regular::Tetrahedron => signs().into_iter().filter(|s| s.element_product() > 0.0).collect(),
        Regular::Cube => signs().into(),
        Regular::Octahedron => DVec3::AXES.into_iter().flat_map(|a| [a, -a]).collect(),
        Regular::Icosahedron => {
            let golden = 0.5 * (1.0 + 5f64.sqrt());
            let rectangle = [(1.0, golden), (-1.0, golden), (1.0, -golden), (-1.0, -golden)];
            rectangle.iter().flat_map(|(a, b)| [[0.0, *a, *b], [*a, *b, 0.0], [*b, 0.0, *a]].map(DVec3::from)).collect()
        }
    };
    ConvexPolyhedron::from_points(&points.iter().map(|p| radius_m * p.normalize()).collect::<Vec<_>>())
}

/// Corners of the cube with edges of 2.
fn signs() -> [DVec3; 8] {
    std::array::from_fn(|k| DVec3::from_array([0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 })))
}
