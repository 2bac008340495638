//! An arrow along the axis that an asteroid turns about, with N at its tip.

use super::brush::line;
use super::camera::Camera;
use super::lettering::Item;
use super::picture::Depths;
use super::text::Anchor;
use glam::{DVec2, DVec3};
use image::{Rgba, RgbaImage};

const ARROW: Rgba<u8> = Rgba([232, 170, 24, 255]);
/// Pieces of the shaft, each seen or hidden.
const PIECES: u32 = 200;
/// Where the barbs of the tip begin (lengths of the arrow).
const BARBS: f64 = 0.94;

/// An arrow from the mass centre outwards; lengths in scene radii.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// mass centre
    pub origin: DVec3,
    /// to the tip
    pub arrow: DVec3,
}

impl Axis {
    fn at(&self, share: f64) -> DVec3 {
        self.origin + share * self.arrow
    }

    /// Draws the arrow as far as nothing hides it.
    pub(super) fn draw(&self, picture: &mut RgbaImage, camera: &Camera, depths: &Depths) {
        let side = picture.height();
        let width = f64::from(side) / 150.0;
        let pixel = |share: f64| camera.project(self.at(share), side).map(|p| p.pixel);
        let share = |k: u32| f64::from(k) / f64::from(PIECES);
        let seen = |k: &u32| depths.sees(camera, self.at(share(*k) + 0.5 / f64::from(PIECES)), 0.0);
        let list: Vec<u32> = (0..PIECES).filter(seen).collect();
        for run in list.chunk_by(|a, b| a + 1 == *b) {
            if let (Some(from), Some(to)) = (pixel(share(run[0])), pixel(share(run[run.len() - 1] + 1))) {
                line(picture, [from, to], width, ARROW);
            }
        }
        if let (true, Some(tip), Some(back)) = (depths.sees(camera, self.at(1.0), 0.0), pixel(1.0), pixel(BARBS)) {
            let aside: DVec2 = 0.6 * (tip - back).perp();
            [aside, -aside].into_iter().for_each(|a| line(picture, [tip, back + a], width, ARROW));
        }
    }

    /// The letter at the tip, if that is seen: north is where the asteroid turns counter-clockwise, seen from above.
    pub(super) fn letter(
        &self,
        camera: &Camera,
        depths: &Depths,
        side: u32,
        letters: u32,
        ink: Rgba<u8>,
    ) -> Option<Item> {
        let tip = camera.project(self.at(1.0), side).filter(|_| depths.sees(camera, self.at(1.0), 0.0))?;
        let aside = DVec2::new(f64::from(letters), 0.0);
        Some(Item::text("N", tip.pixel + aside, Anchor::Middle, letters, ink))
    }
}
