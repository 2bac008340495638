//! Circles of latitude and longitude on an asteroid, about its mass centre in its own axes, with their degrees.

use super::camera::Camera;
use super::lettering::Item;
use super::picture::Depths;
use super::surface_lines::{LIFT, stroke, zeros, zeros_seen};
use super::text::Anchor;
use crate::base::error::{Error, Result};
use crate::geometry::surface::Surface;
use glam::{DVec2, DVec3};
use image::{Rgba, RgbaImage};

const INK: Rgba<u8> = Rgba([165, 165, 165, 255]);
/// Meridians between the quarters end so near to the poles (steps).
const POLAR: f64 = 1.0;
/// Degrees are written where the surface is turned to the eye by this cosine at least.
const FACING: f64 = 0.35;

/// Degrees between lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step(u32);

impl Step {
    /// A whole number of degrees of which 90 is a multiple; `None` for 0, which is no graticule.
    pub fn parse(option: &str, degrees: u32) -> Result<Option<Step>> {
        match degrees {
            0 => Ok(None),
            5..=90 if 90 % degrees == 0 => Ok(Some(Step(degrees))),
            _ => Err(Error::Usage(format!(
                "{option} {degrees}: give 5, 6, 9, 10, 15, 18, 30, 45 or 90 degrees, or 0 for none"
            ))),
        }
    }
}

/// A place where degrees are written.
#[derive(Debug, Clone)]
struct Mark {
    at: DVec3,
    outward: DVec3,
    words: String,
}

/// Lines and degrees in the scene of a picture.
#[derive(Debug, Clone)]
pub struct Graticule {
    /// scene radii
    pieces: Vec<[DVec3; 2]>,
    marks: Vec<Mark>,
}

fn degrees(value: i32, ends: [&str; 2]) -> String {
    match value {
        0 => "0".to_owned(),
        v if v > 0 => format!("{v} {}", ends[0]),
        v => format!("{} {}", -v, ends[1]),
    }
}

/// A circle of latitude by its pieces (m).
fn parallel(surface: &Surface, latitude: i32) -> Vec<[DVec3; 2]> {
    let sine = f64::from(latitude).to_radians().sin();
    zeros_seen(surface, |p| p.z - sine * p.length())
}

/// Half a circle of longitude by its pieces (m).
fn meridian(surface: &Surface, longitude: i32, step: Step) -> Vec<[DVec3; 2]> {
    let (sine, cosine) = f64::from(longitude).to_radians().sin_cos();
    let highest = if longitude % 90 == 0 { 90.0 } else { 90.0 - POLAR * f64::from(step.0) };
    let side = |p: &DVec3| cosine * p.x + sine * p.y > 0.0 && latitude_deg(*p).abs() <= highest;
    let circle = zeros(surface, |v| {
        let p = surface.vertices_m[v as usize];
        cosine * p.y - sine * p.x
    });
    circle.into_iter().filter(|[a, b]| side(&(0.5 * (*a + *b)))).collect()
}

fn latitude_deg(p: DVec3) -> f64 {
    p.z.atan2(p.x.hypot(p.y)).to_degrees()
}

impl Graticule {
    /// Of a surface in its own axes; `scene` takes a point (m) into the scene (scene radii).
    pub fn of(surface: &Surface, step: Step, scene: impl Fn(DVec3) -> DVec3) -> Graticule {
        let by = step.0 as i32;
        let latitudes = (-90 / by + 1..90 / by).map(|k| k * by);
        let longitudes = (0..360 / by).map(|k| k * by).map(|l| if l > 180 { l - 360 } else { l });
        let (mut pieces, mut marks) = (vec![], vec![]);
        let nearest = |line: &[[DVec3; 2]], to: DVec3| {
            let near = |[a, _]: &[DVec3; 2]| a.normalize_or_zero().dot(to);
            line.iter().max_by(|a, b| near(a).total_cmp(&near(b))).map(|[a, _]| *a)
        };
        let mut mark = |at: Option<DVec3>, words: String| {
            marks.extend(at.map(|at| Mark { at: scene(at), outward: scene(at) - scene(DVec3::ZERO), words }));
        };
        for latitude in latitudes {
            let line = parallel(surface, latitude);
            let (up, out) = f64::from(latitude).to_radians().sin_cos();
            for quarter in 0..4 {
                let (y, x) = (f64::from(quarter) * std::f64::consts::FRAC_PI_2).sin_cos();
                if latitude != 0 {
                    mark(nearest(&line, DVec3::new(out * x, out * y, up)), degrees(latitude, ["N", "S"]));
                }
            }
            pieces.extend(line);
        }
        for longitude in longitudes {
            let line = meridian(surface, longitude, step);
            let (y, x) = f64::from(longitude).to_radians().sin_cos();
            mark(nearest(&line, DVec3::new(x, y, 0.0)), degrees(longitude, ["E", "W"]));
            pieces.extend(line);
        }
        let pieces = pieces.into_iter().map(|ends: [DVec3; 2]| ends.map(&scene)).collect();
        Graticule { pieces, marks }
    }

    /// Draws the lines that nothing hides.
    pub fn draw(&self, square: &mut RgbaImage, camera: &Camera, depths: &Depths) {
        let width = f64::from(square.height()) / 700.0;
        stroke(square, &self.pieces, camera, depths, width, INK);
    }

    /// The degrees that are seen, each on a light ground of its own.
    pub fn items(&self, camera: &Camera, depths: &Depths, side: u32, letters: u32) -> Vec<Item> {
        let mut items = vec![];
        for mark in &self.marks {
            let facing = mark.outward.normalize_or_zero().dot(camera.towards_eye(mark.at).normalize_or_zero());
            let Some(at) = camera.project(mark.at, side) else { continue };
            if facing < FACING || !depths.sees(camera, mark.at, LIFT) {
                continue;
            }
            let put = |by: DVec2, ink| Item::text(&mark.words, at.pixel + by, Anchor::Middle, letters, ink);
            let around = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)].map(|(x, y)| DVec2::new(x, y));
            let halo = (f64::from(letters) / 12.0).max(1.0);
            items.extend(around.map(|by| put(halo * by, Rgba([255, 255, 255, 255]))));
            items.push(put(DVec2::ZERO, Rgba([20, 20, 20, 255])));
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::geodesic::geodesic;
    use crate::geometry::solids::cuboid_facets;
    use std::f64::consts::{PI, TAU};

    #[test]
    fn lines_have_the_lengths_of_circles_and_their_degrees() {
        let ball = geodesic("ball", 40, |_| 50.0);
        let step = Step::parse("--graticule", 30).unwrap().unwrap();
        let length = |line: &[[DVec3; 2]]| line.iter().map(|[a, b]| a.distance(*b)).sum::<f64>() / 50.0;
        let close = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.01, "{found}, {expected}");
        for latitude in [-60, 0, 30] {
            let line = parallel(&ball, latitude);
            close(length(&line), TAU * f64::from(latitude).to_radians().cos());
            assert!(line.iter().flatten().all(|p| (latitude_deg(*p) - f64::from(latitude)).abs() < 0.2));
        }
        close(length(&meridian(&ball, 90, step)), PI);
        let between = meridian(&ball, -30, step);
        close(length(&between), PI * 120.0 / 180.0);
        assert!(between.iter().flatten().all(|p| (p.y.atan2(p.x).to_degrees() + 30.0).abs() < 0.2));
        let whole = Graticule::of(&ball, step, |p| p / 50.0);
        // four of each of four circles of latitude, and twelve longitudes
        assert_eq!(whole.marks.len(), 4 * 4 + 12);
        let of = |words: &str| whole.marks.iter().find(|m| m.words == words).unwrap().at;
        assert!((of("90 E") - DVec3::Y).length() < 0.05 && (of("0") - DVec3::X).length() < 0.05);
        assert!((latitude_deg(of("60 S")) + 60.0).abs() < 0.2);
    }

    /// On the faces of a cube, two triangles each, a circle of latitude is a curve, and one inside the top face crosses no edge.
    #[test]
    fn circles_are_right_on_large_facets() {
        let (points_m, facets) = cuboid_facets(DVec3::splat(100.0), 1);
        let cube = Surface::new("cube", points_m, facets);
        for latitude in [-60, 30] {
            let line = parallel(&cube, latitude);
            assert!(line.iter().flatten().all(|p| (latitude_deg(*p) - f64::from(latitude)).abs() < 0.05), "{latitude}");
            assert!(line.len() > 40, "{latitude}: {} pieces", line.len());
        }
    }

    #[test]
    fn steps_divide_a_quarter() {
        for degrees in [5, 10, 30, 90] {
            assert_eq!(Step::parse("--graticule", degrees).unwrap(), Some(Step(degrees)));
        }
        assert_eq!(Step::parse("--graticule", 0).unwrap(), None);
        for degrees in [1, 7, 40, 180] {
            assert!(Step::parse("--graticule", degrees).is_err(), "{degrees}");
        }
    }
}
