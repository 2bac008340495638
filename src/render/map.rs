//! A quantity on the faces of a shape, seen from some sides: colours, lines at some values, scale, title.

use super::brush::line;
use super::camera::{Camera, Field};
use super::colour::tint;
use super::colour_scale::ColourScale;
use super::facets::{Facets, Pose};
use super::figure::{Background, colour_bar, length_bar, panel_width};
use super::lettering::{self, Item};
use super::picture::{Depths, Painter};
use super::scene::Scene;
use super::text::Anchor;
use crate::base::error::Result;
use crate::geometry::surface::Surface;
use glam::{DVec2, DVec3};
use image::imageops::replace;
use image::{Rgba, RgbaImage};

/// Lines drawn are lifted by this, that their own facets do not hide them (scene radius).
const LIFT: f64 = 0.004;

/// Where a quantity has one value.
pub struct Contour {
    /// one value a face
    pub values: Vec<f64>,
    /// where the line runs
    pub level: f64,
    /// colour
    pub ink: Rgba<u8>,
    /// in the legend
    pub label: &'static str,
}

/// What is drawn.
pub struct Map<'a> {
    /// about its mass centre
    pub surface: &'a Surface,
    /// one value a face
    pub values: &'a [f64],
    /// their colours
    pub scale: ColourScale,
    /// over them
    pub contours: Vec<Contour>,
    /// above the picture
    pub title: String,
}

/// Draws a map from directions to the eye, as pictures of `side` pixels next to each other.
pub fn draw(
    painter: &mut Painter,
    map: &Map,
    views: &[Camera],
    side: u32,
    background: Background,
) -> Result<RgbaImage> {
    let field = Field { centre_m: DVec3::ZERO, radius_m: map.surface.radius_m() };
    let colour = |k: usize| tint(map.scale.colour(map.values[k]));
    let scene = Scene::of_facets(Facets::of(map.surface, Pose::OWN, DVec3::ZERO, field.radius_m, colour));
    let lines: Vec<(Vec<[DVec3; 2]>, &Contour)> =
        map.contours.iter().map(|c| (segments(map.surface, field.radius_m, c), c)).collect();
    let letters = (side / 30).max(10);
    let (ground, ink) = (background.ground(), background.ink());
    let head = letters * 2;
    let width = side * views.len() as u32;
    let mut figure = RgbaImage::from_pixel(width + panel_width(&map.scale, letters), side + head, ground);
    for (k, camera) in views.iter().enumerate() {
        let (picture, depths) = painter.draw_with_depth(&scene, camera, side)?;
        let mut square = RgbaImage::from_pixel(side, side, ground);
        super::figure::lay(&mut square, &picture, 1.0);
        for (segments, contour) in &lines {
            stroke(&mut square, segments, camera, &depths, contour.ink);
        }
        if k == 0 {
            lettering::draw(&mut square, &length_bar(camera.width() * field.radius_m, side, letters, ink));
        }
        replace(&mut figure, &square, i64::from(side * k as u32), i64::from(head));
    }
    let edge = f64::from(letters);
    let title = Item::text(&map.title, DVec2::new(edge, 1.25 * edge), Anchor::Left, letters, ink);
    let mut items = colour_bar(&map.scale, width, side + head, letters, ink);
    items.extend(legend(&map.contours, width, side + head, letters, ink));
    items.push(title);
    lettering::draw(&mut figure, &items);
    Ok(figure)
}

/// What the lines mean, at the lower right of the pictures; white ones have a grey background.
fn legend(contours: &[Contour], right: u32, height: u32, letters: u32, ink: Rgba<u8>) -> Vec<Item> {
    let size = f64::from(letters);
    let row = |(k, contour): (usize, &Contour)| {
        let y = f64::from(height) - size * (1.2 + 1.5 * (contours.len() - 1 - k) as f64);
        let end = f64::from(right) - size * 2.5;
        let ends = [DVec2::new(end - 2.0 * size, y), DVec2::new(end, y)];
        let at = DVec2::new((end - 2.8 * size).floor(), y.floor());
        [
            Item::Stroke { ends, width: size * 0.7, ink: Rgba([120, 130, 140, 255]) },
            Item::Stroke { ends, width: size * 0.25, ink: contour.ink },
            Item::text(contour.label, at, Anchor::Right, letters, ink),
        ]
    };
    contours.iter().enumerate().flat_map(row).collect()
}

/// The pieces of the line on each facet (scene radius): at the corners the values are the means of the faces around, by area.
fn segments(surface: &Surface, radius_m: f64, contour: &Contour) -> Vec<[DVec3; 2]> {
    let mut sums = vec![(0.0, 0.0); surface.vertices_m.len()];
    for (k, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = surface.corners_m(k);
        let area = (b - a).cross(c - a).length();
        for v in triangle {
            let sum = &mut sums[*v as usize];
            *sum = (sum.0 + area * (contour.values[k] - contour.level), sum.1 + area);
        }
    }
    let value = |v: u32| sums[v as usize].0 / sums[v as usize].1;
    let mut found = vec![];
    for (k, triangle) in surface.triangles.iter().enumerate() {
        let corners = surface.corners_m(k);
        let at = triangle.map(value);
        let crossing = |s: usize| {
            let e = (s + 1) % 3;
            let part = at[s] / (at[s] - at[e]);
            ((at[s] < 0.0) != (at[e] < 0.0)).then(|| corners[s].lerp(corners[e], part) / radius_m)
        };
        let ends: Vec<DVec3> = (0..3).filter_map(crossing).collect();
        found.extend(<[DVec3; 2]>::try_from(ends));
    }
    found
}

/// Draws the pieces that nothing hides.
fn stroke(square: &mut RgbaImage, segments: &[[DVec3; 2]], camera: &Camera, depths: &Depths, ink: Rgba<u8>) {
    let side = square.height();
    for ends in segments.iter().filter(|[a, b]| depths.sees(camera, 0.5 * (*a + *b), LIFT)) {
        if let [Some(a), Some(b)] = ends.map(|p| camera.project(p, side)) {
            line(square, [a.pixel, b.pixel], f64::from(side) / 250.0, ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::geodesic::geodesic;

    #[test]
    fn a_contour_runs_where_the_quantity_has_its_value() {
        let ball = geodesic("ball", 30, |_| 50.0);
        let middle = |k: usize| ball.corners_m(k).iter().sum::<DVec3>() / 3.0;
        let values = (0..ball.triangles.len()).map(|k| middle(k).z).collect();
        let contour = Contour { values, level: 20.0, ink: Rgba([0; 4]), label: "20 m" };
        let found = segments(&ball, 50.0, &contour);
        let length: f64 = found.iter().map(|[a, b]| 50.0 * a.distance(*b)).sum();
        let circle = std::f64::consts::TAU * (2500.0f64 - 400.0).sqrt();
        assert!((length / circle - 1.0).abs() < 0.02, "{length} m, {circle} expected");
        assert!(found.iter().flatten().all(|p| (50.0 * p.z - 20.0).abs() < 0.3));
    }
}
