//! What a picture leaves out: bodies that lie beside it, or behind the eye.

use super::camera::Camera;
use super::figure::Style;
use super::scene::Frame;
use crate::gpu::elements::picture::Sphere;

/// Bodies that pictures leave out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// of the picture that leaves out most of them
    pub bodies: usize,
    /// of these, behind the eye
    pub behind: usize,
    /// besides, those that `--clip` takes away
    pub cut: usize,
    /// of the frame
    pub of: usize,
    /// with so many times the magnification no body is beside a picture
    pub factor: f64,
}

impl LeftOut {
    /// What the picture of a frame leaves out without being asked to.
    pub fn of(frame: &Frame, style: &Style) -> LeftOut {
        let b = &frame.bodies;
        let (centre_m, unit_m) = (style.field.centre_m, style.field.radius_m);
        let mut found = LeftOut { bodies: 0, behind: 0, cut: 0, of: b.len(), factor: 1.0 };
        for (p, r) in b.position_m.iter().zip(&b.radius_m) {
            let from_middle_m = *p - centre_m;
            if style.cut.is_some_and(|cut| !cut.keeps(from_middle_m)) {
                found.cut += 1;
                continue;
            }
            let centre = (from_middle_m / unit_m).as_vec3().to_array();
            found.add(&style.camera, &Sphere { centre, radius: (r / unit_m) as f32 });
        }
        found
    }

    fn add(&mut self, camera: &Camera, sphere: &Sphere) {
        let Some(bounds) = camera.bounds(sphere) else {
            (self.bodies, self.behind) = (self.bodies + 1, self.behind + 1);
            return;
        };
        if bounds.iter().any(|[low, high]| *low > 1.0 || *high < -1.0) {
            self.bodies += 1;
            let reach = bounds.as_flattened().iter().map(|v| v.abs()).fold(0.0, f64::max);
            self.factor = self.factor.min(1.0 / reach);
        }
    }

    /// The worse of two pictures.
    pub fn or(self, other: LeftOut) -> LeftOut {
        let worse = if other.bodies > self.bodies { other } else { self };
        LeftOut { factor: self.factor.min(other.factor), ..worse }
    }
}
