//! Where a picture is taken from, and which pixels each body may cover.

use crate::base::error::{Error, Result};
use crate::gpu::elements::in_f64;
use crate::gpu::elements::picture::Sphere;
use glam::{DVec2, DVec3};

/// Tangent of half the picture's angle: a long lens, so that bodies in front do not swell.
const HALF_ANGLE_TAN: f64 = 0.22;
/// Distance of the eye of a parallel view (scene radii): bodies outside of the field are before it too.
const FAR: f64 = 4.0;
/// Room around the bodies.
const MARGIN: f64 = 1.05;
/// Smallest radius that is drawn (scene radius) where nothing is zoomed: three pixels of a picture of 1,200.
const DOT: f64 = 0.0025;
/// Largest side of a patch (pixels).
pub const PATCH: u32 = 32;
/// What is nearer to the eye than this is left out (scene radius).
pub const NEAR: f64 = 0.05;

/// The sphere that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// (m)
    pub centre_m: DVec3,
    /// (m)
    pub radius_m: f64,
}

impl Field {
    /// The field about the bodies' mass centre that holds them all, but not more than three times what holds 90 % of
    /// the mass: a few ejecta must not shrink the rest to a dot.
    pub fn around(position_m: &[DVec3], radius_m: &[f64], mass_kg: &[f64]) -> Result<Field> {
        let total: f64 = mass_kg.iter().sum();
        let centre_m = position_m.iter().zip(mass_kg).map(|(p, m)| *p * *m).sum::<DVec3>() / total;
        let mut reach: Vec<(f64, f64)> =
            position_m.iter().zip(radius_m).zip(mass_kg).map(|((p, r), m)| (p.distance(centre_m) + r, *m)).collect();
        reach.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut inside = 0.0;
        let most = reach.iter().find(|(_, m)| {
            inside += m;
            inside >= 0.9 * total
        });
        let (Some((most, _)), Some((all, _))) = (most, reach.last()) else {
            return Err(Error::Data(
                "a frame without bodies, or with masses that are not finite, cannot be drawn".into(),
            ));
        };
        Ok(Field { centre_m, radius_m: all.min(3.0 * most) })
    }

    /// The smallest field about this one's centre that shows both.
    pub fn union(self, other: Field) -> Field {
        let radius_m = self.radius_m.max(self.centre_m.distance(other.centre_m) + other.radius_m);
        Field { centre_m: self.centre_m, radius_m }
    }
}

/// A point on a picture.
#[derive(Debug, Clone, Copy)]
pub struct Projected {
    /// from the left and from the top (pixels)
    pub pixel: DVec2,
    /// from the eye, along its direction (scene radii)
    pub depth: f64,
    /// pixels of one scene radius there
    pub scale: f64,
}

/// A camera in f64, lengths in scene radii, origin in the middle of the field.
#[derive(Debug, Clone, Copy)]
pub struct Camera {
    pub(super) right: DVec3,
    pub(super) up: DVec3,
    pub(super) forward: DVec3,
    pub(super) eye: DVec3,
    pub(super) half_width: f64,
    pub(super) perspective: bool,
    /// towards the sun, if it is not over the viewer's left shoulder
    pub(super) sun: Option<DVec3>,
}

impl Camera {
    /// Looks at the field from the direction `from` (any length), z up where that is possible.
    pub fn from_direction(from: DVec3) -> Result<Camera> {
        Camera::with_top(from, DVec3::Z)
    }

    /// A camera with `top` (a unit vector) up where that is possible.
    pub fn with_top(from: DVec3, top: DVec3) -> Result<Camera> {
        let forward = (-from).try_normalize().filter(|f| f.is_finite());
        let forward = forward.ok_or_else(|| {
            Error::Usage("--view: give three numbers that are not all zero, as in --view 1,-2,1".into())
        })?;
        // The picture's angle leaves room for the unit sphere: sin of half its angle is 1 / distance.
        let distance = MARGIN / HALF_ANGLE_TAN.atan().sin();
        Ok(Camera { eye: -forward * distance, half_width: HALF_ANGLE_TAN, ..Camera::along(forward, top) })
    }

    /// The same direction from infinitely far: parallel rays, one scale at all depths.
    pub fn orthographic(self) -> Camera {
        Camera { perspective: false, half_width: MARGIN, eye: -self.forward * FAR, ..self }
    }

    /// Shows a part of the field, 1 / `factor` as wide.
    pub fn zoomed(self, factor: f64) -> Camera {
        Camera { half_width: self.half_width / factor, ..self }
    }

    /// The smallest radius that is seen (scene radius): a dot of three pixels in a picture of 1,200, at the middle of the field.
    pub fn dot(&self) -> f64 {
        let usual = if self.perspective { HALF_ANGLE_TAN } else { MARGIN };
        DOT * self.half_width / usual
    }

    /// Sets the direction of the light, `sun` (any length).
    pub fn lit_from(self, sun: DVec3) -> Result<Camera> {
        let sun = sun.try_normalize().filter(|s| s.is_finite());
        let missing =
            || Error::Usage("--light: give three numbers that are not all zero, as in --light 1,0,0.5".into());
        Ok(Camera { sun: Some(sun.ok_or_else(missing)?), ..self })
    }

    fn along(forward: DVec3, top: DVec3) -> Camera {
        let aside = if top.z.abs() < 0.9 { DVec3::Z } else { DVec3::Y };
        let top = if forward.dot(top).abs() < 0.999 { top } else { aside };
        let right = forward.cross(top).normalize();
        let up = right.cross(forward);
        Camera { right, up, forward, eye: DVec3::ZERO, half_width: 1.0, perspective: true, sun: None }
    }

    /// The sun's parallel view of the same field: light comes over the viewer's left shoulder, or from where it was put.
    pub fn sun(&self) -> Camera {
        let shoulder = (0.55 * self.right - 0.75 * self.up + 0.75 * self.forward).normalize();
        let forward = self.sun.map_or(shoulder, |s| -s);
        Camera { eye: -forward * FAR, half_width: 1.02, perspective: false, ..Camera::along(forward, DVec3::Z) }
    }

    /// Whether sizes are the same at all depths.
    pub fn is_parallel(&self) -> bool {
        !self.perspective
    }

    /// Width of the picture through the middle of the field (scene radius).
    pub fn width(&self) -> f64 {
        2.0 * self.half_width * if self.perspective { self.eye.length() } else { 1.0 }
    }

    /// Where a point (scene radii) appears on a picture of `size` pixels a side; `None` if it is behind the eye or at
    /// it.
    pub fn project(&self, p: DVec3, size: u32) -> Option<Projected> {
        let d = p - self.eye;
        let (right, up, depth) = (d.dot(self.right), d.dot(self.up), d.dot(self.forward));
        let scale = 0.5 * f64::from(size) / (self.half_width * if self.perspective { depth } else { 1.0 });
        let pixel = DVec2::new(right, -up) * scale + 0.5 * f64::from(size);
        (depth >= NEAR).then_some(Projected { pixel, depth, scale })
    }

    /// The eye is on the side of the normal of a plane through `point` (scene radii); without perspective it is far away.
    pub fn is_above(&self, point: DVec3, normal: DVec3) -> bool {
        self.towards_eye(point).dot(normal) > 0.0
    }

    /// From a point (scene radii) towards the eye, of any length.
    pub(super) fn towards_eye(&self, point: DVec3) -> DVec3 {
        if self.perspective { self.eye - point } else { -self.forward }
    }

    /// The plane at a depth, its normal away from the eye (scene radii).
    pub fn near_plane(&self, depth: f64) -> (DVec3, DVec3) {
        (self.eye + depth * self.forward, self.forward)
    }

    /// Distance of a point from the eye, or from the plane of a parallel view (scene radii).
    pub fn distance(&self, p: DVec3) -> f64 {
        if self.perspective { p.distance(self.eye) } else { (p - self.eye).dot(self.forward) }
    }

    /// Bounds of a sphere to the right and upwards, 1 at the edge of the picture; `None` behind the eye.
    pub(super) fn bounds(&self, sphere: &Sphere) -> Option<[[f64; 2]; 2]> {
        let (d, r) = (in_f64(sphere.centre) - self.eye, f64::from(sphere.radius));
        let c = DVec3::new(d.dot(self.right), d.dot(self.up), d.dot(self.forward));
        if c.z - r < NEAR {
            return None;
        }
        let bounds = |a: f64| {
            if self.perspective {
                // the two tangents from the eye to the sphere's circle in the plane of this axis and depth
                let root = r * (a * a + c.z * c.z - r * r).max(0.0).sqrt();
                [-1.0, 1.0].map(|sign| (a * c.z + sign * root) / (c.z * c.z - r * r))
            } else {
                [a - r, a + r]
            }
        };
        Some([c.x, c.y].map(|a| bounds(a).map(|v| v / self.half_width)))
    }

    /// Columns and rows (first, end) that a sphere may cover, one pixel wide of the exact bounds; `None` if outside.
    pub(super) fn pixel_box(&self, sphere: &Sphere, size: u32) -> Option<[(u32, u32); 2]> {
        let [across, [low, high]] = self.bounds(sphere)?;
        let pixels = |[low, high]: [f64; 2]| {
            let pixel = |v: f64| (v + 1.0) * 0.5 * f64::from(size);
            let first = (pixel(low) - 1.0).floor().clamp(0.0, f64::from(size)) as u32;
            let end = (pixel(high) + 1.0).ceil().clamp(0.0, f64::from(size)) as u32;
            (first < end).then_some((first, end))
        };
        Some([pixels(across)?, pixels([-high, -low])?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ejecta_do_not_shrink_the_picture() {
        let mut position: Vec<DVec3> =
            (0..100).map(|k| DVec3::new(f64::from(k % 10), f64::from(k / 10), 0.0)).collect();
        position.push(DVec3::new(1e6, 0.0, 0.0));
        let mass = [vec![1.0; 100], vec![1e-9]].concat();
        let field = Field::around(&position, &[0.5; 101], &mass).unwrap();
        assert!(field.radius_m < 25.0, "radius {}", field.radius_m);
    }

    #[test]
    fn a_view_of_zero_length_is_refused() {
        assert!(Camera::from_direction(DVec3::ZERO).is_err());
    }
}
