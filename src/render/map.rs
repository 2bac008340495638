//! A quantity on the faces of a shape, seen from some sides: colours, lines at some values, scale, title.

use super::axis::Axis;
use super::camera::{Camera, Field};
use super::colour::map_tint;
use super::colour_scale::ColourScale;
use super::facets::{Facets, Pose};
use super::figure::{Background, colour_bar, length_bar, panel_width};
use super::graticule::{Graticule, Step};
use super::lettering::{Item, Lettered};
use super::picture::Painter;
use super::scene::Scene;
use super::surface_lines::{stroke, zeros};
use super::text::Anchor;
use crate::base::error::Result;
use crate::geometry::surface::Surface;
use glam::{DVec2, DVec3};
use image::imageops::replace;
use image::{Rgba, RgbaImage};

/// Tip of the arrow of rotation from the mass centre (radius of the shape).
const TIP: f64 = 1.25;

/// Width of a line with what is around it (widths of the line).
const CASING: f64 = 2.0;

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
    /// of the rotation; an arrow is along it if it is not zero
    pub rotation_rad_s: DVec3,
}

/// How maps are drawn.
pub struct View {
    /// one picture from each
    pub cameras: Vec<Camera>,
    /// side of each picture (pixels)
    pub side: u32,
    /// circles of latitude and longitude
    pub graticule: Option<Step>,
}

/// Draws a map as pictures next to each other, on white.
pub fn draw(painter: &mut Painter, map: &Map, view: &View) -> Result<Lettered> {
    let axis = map.rotation_rad_s.try_normalize().map(|n| Axis { origin: DVec3::ZERO, arrow: n });
    let side = view.side;
    let radius_m = map.surface.radius_m();
    let reach = if axis.is_some() { TIP } else { 1.0 };
    let field = Field { centre_m: DVec3::ZERO, radius_m: reach * radius_m };
    let colour = |k: usize| map_tint(map.scale.colour(map.values[k]));
    let scene = Scene::of_facets(Facets::of(map.surface, Pose::OWN, DVec3::ZERO, field.radius_m, colour));
    let lines: Vec<(Vec<[DVec3; 2]>, &Contour)> =
        map.contours.iter().map(|c| (segments(map.surface, field.radius_m, c), c)).collect();
    let graticule = view.graticule.map(|step| Graticule::of(map.surface, step, |p| p / field.radius_m));
    let letters = (side / 30).max(10);
    let (ground, ink) = (Background::White.ground(), Background::White.ink());
    let head = letters * 2;
    let width = side * view.cameras.len() as u32;
    let mut picture = RgbaImage::from_pixel(width + panel_width(&map.scale, letters), side + head, ground);
    let mut items = vec![];
    for (k, camera) in view.cameras.iter().enumerate() {
        let (shape, depths) = painter.draw_with_depth(&scene, camera, side)?;
        let mut square = RgbaImage::from_pixel(side, side, ground);
        super::figure::lay(&mut square, &shape, 1.0);
        let mut over = vec![];
        if let Some(graticule) = &graticule {
            graticule.draw(&mut square, camera, &depths);
            over.extend(graticule.items(camera, &depths, side, letters * 3 / 4));
        }
        for (segments, contour) in &lines {
            let width = f64::from(side) / 250.0;
            if let Some(around) = casing(contour.ink) {
                stroke(&mut square, segments, camera, &depths, CASING * width, around);
            }
            stroke(&mut square, segments, camera, &depths, width, contour.ink);
        }
        if let Some(axis) = &axis {
            axis.draw(&mut square, camera, &depths);
            over.extend(axis.letter(camera, &depths, side, letters, ink));
        }
        if k == 0 {
            over.extend(length_bar(camera.width() * field.radius_m, camera.is_parallel(), side, letters, ink));
        }
        let left = side * k as u32;
        items.extend(over.into_iter().map(|item| item.moved([left, head])));
        replace(&mut picture, &square, i64::from(left), i64::from(head));
    }
    let edge = f64::from(letters);
    items.extend(colour_bar(&map.scale, width + letters / 2, side + head, letters, ink));
    items.extend(legend(&map.contours, width, side + head, letters, ink));
    items.push(Item::text(&map.title, DVec2::new(edge, 1.25 * edge), Anchor::Left, letters, ink));
    Ok(Lettered { picture, items })
}

/// What is around a dark line, so that it is seen on dark colours; light ones have a dark rim of their own.
fn casing(ink: Rgba<u8>) -> Option<Rgba<u8>> {
    (ink.0[..3].iter().all(|c| *c < 128)).then_some(Rgba([255; 4]))
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
            Item::Stroke { ends, width: CASING * size * 0.2, ink: casing(contour.ink).unwrap_or(contour.ink) },
            Item::Stroke { ends, width: size * 0.2, ink: contour.ink },
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
    let pieces = zeros(surface, |v| sums[v as usize].0 / sums[v as usize].1);
    pieces.into_iter().map(|ends| ends.map(|p| p / radius_m)).collect()
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
