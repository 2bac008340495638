//! Boxes and regular solids.

use super::polyhedron::ConvexPolyhedron;
use crate::error::Result;
use glam::DVec3;

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
