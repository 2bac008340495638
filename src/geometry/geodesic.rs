//! Closed surfaces star-shaped about their origin, whose height is given by a function.

use super::made::icosphere::icosphere;
use super::surface::Surface;
use glam::DVec3;

/// A surface of 20 `cuts`^2 triangles: `radius_m` of a unit vector is the distance of the surface there (m).
pub fn geodesic(name: &str, cuts: u32, radius_m: impl Fn(DVec3) -> f64) -> Surface {
    let (directions, faces) = icosphere(cuts);
    let vertices = directions.into_iter().map(|up| radius_m(up) * up).collect();
    Surface::new(name, vertices, faces.iter().map(|f| [f[0], f[1], f[2]]).collect())
}

/// A body of about 245 m: broad at the equator, with relief down to a few metres.
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
