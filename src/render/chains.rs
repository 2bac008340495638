//! Force chains over a picture: a line between what touches, as wide as its force over the mean, red where it pushes and
//! blue where it pulls.

use super::brush::line;
use super::camera::{Camera, Field};
use super::lettering::Item;
use super::scale::{prefixed, three_digits};
use super::text::{Anchor, mix, width};
use crate::analysis::force_chains::Chain;
use glam::DVec2;
use image::{Rgba, RgbaImage};

/// Width of the mean force's line (mean diameter).
const MEAN: f64 = 0.12;
/// Largest width (mean diameter).
const MOST: f64 = 0.6;
/// How far the farthest lines fade into the ground.
const FOG: f64 = 0.55;
pub(super) const PUSH: Rgba<u8> = Rgba([206, 34, 43, 255]);
pub(super) const PULL: Rgba<u8> = Rgba([36, 92, 196, 255]);

/// What the widths of all chains of a movie refer to.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// mean size of the normal force over all contacts shown (N)
    pub mean_n: f64,
    /// mean diameter of the bodies (m)
    pub diameter_m: f64,
}

impl Scale {
    /// Width of a force's line (m).
    fn width_m(&self, force_n: f64) -> f64 {
        let share = if self.mean_n > 0.0 { force_n.abs() / self.mean_n } else { 0.0 };
        self.diameter_m * (MEAN * share).min(MOST)
    }
}

/// Draws the chains, the farthest first.
pub fn draw(picture: &mut RgbaImage, forces: &[&Chain], scale: Scale, field: Field, camera: &Camera, ground: Rgba<u8>) {
    let side = picture.height();
    let shown = |l: &&Chain| {
        let ends = l.ends_m.map(|p| camera.project((p - field.centre_m) / field.radius_m, side));
        let [Some(a), Some(b)] = ends else { return None };
        let pixels = 0.5 * (a.scale + b.scale) / field.radius_m * scale.width_m(l.normal_force_n);
        Some(([a.pixel, b.pixel], 0.5 * (a.depth + b.depth), pixels, l.tensile()))
    };
    let mut lines: Vec<_> = forces.iter().filter_map(shown).collect();
    lines.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (far, near) = (lines.first().map_or(1.0, |l| l.1), lines.last().map_or(0.0, |l| l.1));
    for (ends, depth, pixels, tensile) in lines {
        let fog = FOG * (depth - near) / (far - near).max(1e-9);
        line(picture, ends, pixels, mix(if tensile { PULL } else { PUSH }, ground, fog));
    }
}

/// The width of the mean force, and what the colours mean, in the lower right corner.
pub fn legend(scale: Scale, pixels_per_m: f64, side: u32, letters: u32, ink: Rgba<u8>) -> Vec<Item> {
    let (unit, factor) = prefixed("N", scale.mean_n);
    let rows =
        [(PUSH, format!("pushes, mean force {} {unit}", three_digits(scale.mean_n * factor))), (PULL, "pulls".into())];
    let longest = rows.iter().map(|(_, text)| width(text, letters)).max().unwrap_or(0);
    let (right, size) = (f64::from(side - letters), f64::from(letters));
    let left = right - f64::from(longest);
    let row = |(k, (colour, text)): (usize, (Rgba<u8>, String))| {
        let y = f64::from(side) - size * (3.2 - 1.7 * k as f64);
        let width = (scale.width_m(scale.mean_n) * pixels_per_m).clamp(1.0, 1.3 * size);
        let ends = [DVec2::new(left - 3.2 * size, y), DVec2::new(left - 1.2 * size, y)];
        let text = Item::text(text, DVec2::new(left.floor(), y.floor()), Anchor::Left, letters, ink);
        [Item::Stroke { ends, width, ink: colour }, text]
    };
    rows.into_iter().enumerate().flat_map(row).collect()
}
