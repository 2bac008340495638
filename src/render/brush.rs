//! Lines and surfaces painted over a picture, with soft edges.

use super::text::mix;
use glam::DVec2;
use image::{Rgba, RgbaImage};

/// Pixels of a picture whose centres lie in a box, with their centres.
fn pixels(picture: &RgbaImage, low: DVec2, high: DVec2) -> impl Iterator<Item = (u32, u32, DVec2)> + use<> {
    let end = |side: u32, v: f64| v.clamp(0.0, f64::from(side)) as u32;
    let columns = end(picture.width(), low.x.floor())..end(picture.width(), high.x.ceil());
    let rows = end(picture.height(), low.y.floor())..end(picture.height(), high.y.ceil());
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y, DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5))))
}

/// A round-ended line of some width (pixels) with a darker rim; thinner than a pixel it grows faint instead.
pub fn line(picture: &mut RgbaImage, [a, b]: [DVec2; 2], width: f64, ink: Rgba<u8>) {
    let half = 0.5 * width.max(1.0);
    let rim = (0.15 * width).min(2.0);
    let dark = Rgba([ink[0] / 5 * 3, ink[1] / 5 * 3, ink[2] / 5 * 3, 255]);
    let reach = DVec2::splat(half + 1.0);
    let (along, length) = ((b - a), (b - a).length_squared());
    for (x, y, centre) in pixels(picture, a.min(b) - reach, a.max(b) + reach) {
        let part = if length > 0.0 { ((centre - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        let inside = half - centre.distance(a + part * along);
        let cover = (inside + 0.5).clamp(0.0, 1.0) * width.min(1.0);
        if cover > 0.0 {
            let colour = mix(dark, ink, (inside - rim + 0.5).clamp(0.0, 1.0));
            let pixel = picture.get_pixel_mut(x, y);
            *pixel = mix(*pixel, colour, cover);
        }
    }
}

/// A convex surface of some opacity; its corners go round in either sense.
pub fn surface(picture: &mut RgbaImage, corners: &[DVec2], ink: Rgba<u8>, opacity: f64) {
    let low = corners.iter().fold(DVec2::INFINITY, |a, b| a.min(*b));
    let high = corners.iter().fold(DVec2::NEG_INFINITY, |a, b| a.max(*b));
    let next = |k: usize| corners[(k + 1) % corners.len()];
    let area: f64 = (0..corners.len()).map(|k| corners[k].perp_dot(next(k))).sum();
    for (x, y, centre) in pixels(picture, low, high) {
        let inside = |k: usize| {
            let side = next(k) - corners[k];
            area.signum() * side.perp_dot(centre - corners[k]) / side.length().max(1e-9)
        };
        let depth = (0..corners.len()).map(inside).fold(f64::INFINITY, f64::min);
        let cover = (depth + 0.5).clamp(0.0, 1.0);
        if cover > 0.0 {
            let pixel = picture.get_pixel_mut(x, y);
            *pixel = mix(*pixel, ink, cover * opacity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Rgba<u8> = Rgba([0, 0, 0, 255]);

    /// Area in pixels that has been painted, by how dark it became.
    fn painted(paint: impl FnOnce(&mut RgbaImage)) -> f64 {
        let mut picture = RgbaImage::from_pixel(100, 80, Rgba([255, 255, 255, 255]));
        paint(&mut picture);
        picture.pixels().map(|p| 1.0 - f64::from(p[0]) / 255.0).sum()
    }

    #[test]
    fn lines_have_their_area_at_any_width_and_angle() {
        for (width, angle) in [(0.3, 0.4), (1.0, 1.0), (2.5, 0.0), (8.0, 2.2), (20.0, 0.7)] {
            let (middle, arm) = (DVec2::new(50.0, 40.0), 25.0 * DVec2::from_angle(angle));
            let found = painted(|p| line(p, [middle - arm, middle + arm], width, BLACK));
            let w = f64::max(width, 1.0);
            let expected = (50.0 * w + std::f64::consts::FRAC_PI_4 * w * w) * width / w;
            assert!((found / expected - 1.0).abs() < 0.05, "width {width}: {found} pixels, {expected} expected");
        }
    }

    #[test]
    fn surfaces_have_their_area_and_opacity_and_are_cut_off_at_the_edge() {
        let corners = [(20.0, 10.0), (70.0, 20.0), (60.0, 60.0), (10.0, 50.0)].map(|(x, y)| DVec2::new(x, y));
        let area = 2100.0; // shoelace
        for mut corners in [corners.to_vec(), corners.iter().rev().copied().collect()] {
            let found = painted(|p| surface(p, &corners, BLACK, 0.5));
            assert!((found / (0.5 * area) - 1.0).abs() < 0.02, "{found}, {} expected", 0.5 * area);
            corners.iter_mut().for_each(|c| c.x -= 1000.0);
            assert_eq!(painted(|p| surface(p, &corners, BLACK, 0.5)), 0.0);
        }
    }
}
