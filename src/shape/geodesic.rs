//! Closed surfaces from the sides of an icosahedron, cut into equal triangles and moved to a given height.

use super::surface::Surface;
use glam::DVec3;
use std::collections::HashMap;

/// Corners of an icosahedron by twos of its rectangles, and its sides.
const SIDES: [[usize; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// A surface of 20 `cuts`^2 triangles, star-shaped about the origin: `radius_m` of a unit vector is the distance of the
/// surface there (m).
pub fn geodesic(name: &str, cuts: u32, radius_m: impl Fn(DVec3) -> f64) -> Surface {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let (g, o) = (golden, 0.0);
    let corners = [[-1.0, g, o], [1.0, g, o], [-1.0, -g, o], [1.0, -g, o]];
    let rectangles = [0, 2, 1].map(|turn| corners.map(|c| DVec3::from_array([0, 1, 2].map(|k| c[(k + turn) % 3]))));
    let corner: Vec<DVec3> = rectangles.as_flattened().iter().map(|c| c.normalize()).collect();
    let (mut known, mut vertices, mut triangles) = (HashMap::new(), vec![], vec![]);
    for side in SIDES {
        let mut vertex = |i: u32, j: u32| {
            let mut weights = [(side[0], cuts - i), (side[1], i - j), (side[2], j)];
            weights.sort_by_key(|w| (w.1 == 0, w.0));
            let key = weights.map(|w| if w.1 == 0 { (0, 0) } else { w });
            *known.entry(key).or_insert_with(|| {
                let up = weights.iter().map(|w| f64::from(w.1) * corner[w.0]).sum::<DVec3>().normalize();
                vertices.push(radius_m(up) * up);
                vertices.len() as u32 - 1
            })
        };
        for i in 0..cuts {
            for j in 0..=i {
                triangles.push([vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1)]);
                if j < i {
                    triangles.push([vertex(i, j), vertex(i + 1, j + 1), vertex(i, j + 1)]);
                }
            }
        }
    }
    Surface::new(name, vertices, triangles)
}

/// A body of some 245 m: broad at the equator, with relief down to some metres.
pub fn bumpy(cuts: u32) -> Surface {
    let height = |u: DVec3| {
        let wave = |k: f64, turn: f64| {
            (k * u.x + turn).sin() * (k * u.y + 2.0 * turn).sin() + (k * u.z + 3.0 * turn).sin() * (k * u.x).cos()
        };
        let relief = 8.0 * wave(5.0, 0.3) + 3.0 * wave(13.0, 1.1) + 1.0 * wave(41.0, 2.3);
        225.0 + 30.0 * (1.0 - u.z * u.z).powi(2) + relief
    };
    geodesic("bumpy", cuts, height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn closed_outward_and_round() {
        for cuts in [1, 2, 7] {
            let s = geodesic("sphere", cuts, |_| 2.0);
            assert_eq!(s.triangles.len() as u32, 20 * cuts * cuts);
            assert_eq!(s.vertices_m.len() as u32, 10 * cuts * cuts + 2, "vertices are shared");
            let outward = |k: usize| {
                let [a, b, c] = s.corners_m(k);
                (b - a).cross(c - a).dot(a) > 0.0
            };
            assert!((0..s.triangles.len()).all(outward));
            assert!(s.vertices_m.iter().all(|v| (v.length() - 2.0).abs() < 1e-12));
        }
        let volume = geodesic("sphere", 30, |_| 1.0).volume_m3;
        assert!((volume / (4.0 / 3.0 * PI) - 1.0).abs() < 5e-3, "{volume}");
    }
}
