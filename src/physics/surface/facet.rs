//! One facet and a sphere: height over its plane, closest point, part of the sphere's circle in it.

use super::circle::{Side, share};
use glam::{DVec2, DVec3};

/// Height below which a facet fades, over the radius: there the plane's overlap R - h is not a penetration any more:
/// the centre is about to go behind the plane, and a facet that vanished at h = 0 all at once would shake the grain.
pub const FADE: f64 = 0.5;

/// A triangle of a surface.
#[derive(Debug, Clone, Copy)]
pub struct Facet {
    /// corners, counter-clockwise from outside (m)
    pub corner: [DVec3; 3],
    /// unit, outward
    pub normal: DVec3,
}

/// A sphere in reach of a facet, its centre before it.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    /// outward unit normal of the facet
    pub normal: DVec3,
    /// of the centre over the facet's plane (m)
    pub height: f64,
    /// radius less the distance of the facet's closest point (m), positive
    pub overlap: f64,
    /// unit, from that point to the centre
    pub towards: DVec3,
    /// S_P / S_O of Song et al. (2024), eq. 6, faded near the plane
    pub share: f64,
}

impl Facet {
    /// Makes a facet of its corners in order.
    pub fn new(corner: [DVec3; 3]) -> Facet {
        Facet { corner, normal: (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalize() }
    }

    /// What a sphere meets of it; `None`: out of reach, or the centre is behind.
    pub fn meet(&self, centre: DVec3, radius: f64) -> Option<Meeting> {
        let height = self.normal.dot(centre - self.corner[0]);
        let closest = self.closest(centre);
        let distance = closest.distance(centre);
        (height > 0.0 && distance < radius).then(|| Meeting {
            normal: self.normal,
            height,
            overlap: radius - distance,
            towards: (centre - closest) / distance,
            share: self.share(centre, (radius * radius - height * height).sqrt()) * (height / (FADE * radius)).min(1.0),
        })
    }

    /// Part of the circle of this radius about the foot of `centre` that lies in the triangle.
    fn share(&self, centre: DVec3, radius: f64) -> f64 {
        let east = (self.corner[1] - self.corner[0]).normalize();
        let north = self.normal.cross(east);
        let flat = self.corner.map(|c| DVec2::new((c - centre).dot(east), (c - centre).dot(north)) / radius);
        share(&[0, 1, 2].map(|k| Side::between(flat[k], flat[(k + 1) % 3])))
    }

    /// Point of the triangle closest to `p`: its foot if that lies inside, else of the sides.
    pub fn closest(&self, p: DVec3) -> DVec3 {
        let side = |k: usize| (self.corner[k], self.corner[(k + 1) % 3]);
        let inside = (0..3).all(|k| self.normal.cross(side(k).1 - side(k).0).dot(p - side(k).0) >= 0.0);
        if inside {
            return p - self.normal * self.normal.dot(p - self.corner[0]);
        }
        let on_side = |k: usize| {
            let (a, along) = (side(k).0, side(k).1 - side(k).0);
            a + along * ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0)
        };
        let points = [0, 1, 2].map(on_side);
        points.into_iter().min_by(|a, b| a.distance_squared(p).total_cmp(&b.distance_squared(p))).unwrap_or(points[0])
    }
}
