//! A finished figure: the drawn bodies on a ground, with colour scale, length bar and time.

use super::asteroid::Asteroid;
use super::camera::{Camera, Field};
use super::colour::viridis;
use super::picture::Painter;
use super::scale::{prefixed, round_down, three_digits, time_unit};
use super::scene::{ColourScale, Frame, Quantity, Scene};
use super::text::{Anchor, mix, width, write};
use super::{chains, walls};
use crate::analysis::force_chains::Link;
use crate::base::error::Result;
use crate::model::stored::resolved::Plane;
use image::imageops::replace;
use image::{Rgba, RgbaImage};

/// Colour behind the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// for paper
    White,
    /// for slides
    Dark,
}

impl Background {
    /// behind all
    pub fn ground(self) -> Rgba<u8> {
        match self {
            Background::White => Rgba([255, 255, 255, 255]),
            Background::Dark => Rgba([16, 19, 24, 255]),
        }
    }

    /// of words and lines
    pub fn ink(self) -> Rgba<u8> {
        match self {
            Background::White => Rgba([20, 20, 20, 255]),
            Background::Dark => Rgba([225, 228, 232, 255]),
        }
    }
}

/// How figures of a run are made; the same for all frames of a movie, so that they can be compared.
#[derive(Debug, Clone)]
pub struct Style {
    /// quantity that colours the bodies
    pub quantity: Quantity,
    /// its scale
    pub scale: Option<ColourScale>,
    /// what is shown
    pub field: Field,
    /// from where
    pub camera: Camera,
    /// height of the figure (pixels); the bodies' picture is square, with the scale to its right
    pub size: u32,
    /// behind the bodies
    pub background: Background,
    /// force chains are drawn over faded bodies, widths by this scale
    pub chains: Option<chains::Scale>,
    /// drawn as plates
    pub walls: Vec<Plane>,
    /// below the bodies
    pub asteroid: Option<Asteroid>,
}

/// How much of the bodies is left where force chains lie over them.
const FADED: f64 = 0.3;

/// Draws one frame; `links`: its force chains, drawn if the style has a scale for them.
pub fn figure(painter: &mut Painter, frame: &Frame, links: &[Link], style: &Style) -> Result<RgbaImage> {
    let mut square = square(painter, frame, links, style)?;
    let side = style.size;
    let letters = (side / 38).max(10);
    let (ground, ink) = (style.background.ground(), style.background.ink());
    let width_m = style.camera.width() * style.field.radius_m;
    if let Some(scale) = style.chains {
        chains::legend(&mut square, scale, f64::from(side) / width_m, letters, ink);
    }
    let (unit, factor) = time_unit(frame.time_s);
    let time = format!("t = {} {unit}", three_digits(frame.time_s * factor));
    let edge = i64::from(letters);
    write(&mut square, &time, (edge, edge + edge / 2), Anchor::Left, letters, ink);
    length_bar(&mut square, width_m, letters, ink);
    let Some(scale) = &style.scale else { return Ok(square) };
    let mut figure = RgbaImage::from_pixel(side + panel_width(scale, letters), side, ground);
    replace(&mut figure, &square, 0, 0);
    colour_bar(&mut figure, scale, side, letters, ink);
    Ok(figure)
}

/// Draws what a frame shows, without words and scales.
pub fn square(painter: &mut Painter, frame: &Frame, links: &[Link], style: &Style) -> Result<RgbaImage> {
    let mut scene = Scene::new(frame, style.field, style.quantity, style.scale.as_ref());
    if let Some(asteroid) = &style.asteroid {
        scene = scene.with_facets(asteroid.facets(frame, style.field));
    }
    let side = style.size;
    let (bodies, depths) = painter.draw_with_depth(&scene, &style.camera, side)?;
    let ground = style.background.ground();
    let mut square = RgbaImage::from_pixel(side, side, ground);
    let standing = walls::standing(&style.walls, frame);
    let plates = |square: &mut RgbaImage, side| walls::draw(square, &standing, style.field, &style.camera, side);
    plates(&mut square, walls::Side::Behind);
    let strength = if style.chains.is_some() { FADED } else { 1.0 };
    lay(&mut square, &bodies, strength);
    if let Some(asteroid) = &style.asteroid {
        asteroid.draw_axis(&mut square, frame, style.field, &style.camera, &depths);
    }
    plates(&mut square, walls::Side::Before);
    if let Some(scale) = style.chains {
        chains::draw(&mut square, links, scale, style.field, &style.camera, ground);
    }
    Ok(square)
}

/// Lays a picture with transparent parts over another of its size.
pub(super) fn lay(under: &mut RgbaImage, over: &RgbaImage, strength: f64) {
    for (x, y, pixel) in over.enumerate_pixels() {
        let below = *under.get_pixel(x, y);
        under.put_pixel(x, y, mix(below, *pixel, strength * f64::from(pixel[3]) / 255.0));
    }
}

fn fill(figure: &mut RgbaImage, x: std::ops::Range<u32>, y: std::ops::Range<u32>, colour: Rgba<u8>) {
    for y in y.start..y.end.min(figure.height()) {
        for x in x.start..x.end.min(figure.width()) {
            figure.put_pixel(x, y, colour);
        }
    }
}

/// A bar of round length on a square picture, true at the middle of the field, which is `width_m` wide.
pub(super) fn length_bar(figure: &mut RgbaImage, width_m: f64, letters: u32, ink: Rgba<u8>) {
    let size = figure.height();
    let length_m = round_down(0.25 * width_m);
    let pixels = (length_m / width_m * f64::from(size)).round() as u32;
    let (unit, factor) = prefixed("m", length_m);
    let label = format!("{} {unit}", (length_m * factor).round());
    let (left, bottom, thick) = (letters, size - letters, (letters / 6).max(2));
    fill(figure, left..left + pixels, bottom - thick..bottom, ink);
    let rise = thick * 2;
    for end in [left, left + pixels - thick] {
        fill(figure, end..end + thick, bottom - thick - rise..bottom, ink);
    }
    let middle = (i64::from(left + pixels / 2), i64::from(bottom - thick - rise) - i64::from(letters) * 3 / 4);
    let anchor = if width(&label, letters) > pixels + 2 * letters { Anchor::Left } else { Anchor::Middle };
    let at = if anchor == Anchor::Left { (i64::from(left), middle.1) } else { middle };
    write(figure, &label, at, anchor, letters, ink);
}

/// Columns for the bar, its numbers and its title.
pub(super) fn panel_width(scale: &ColourScale, letters: u32) -> u32 {
    let labels = scale.labels().iter().map(|(_, text)| width(text, letters)).max().unwrap_or(0);
    let wanted = (letters * 5 / 2 + labels).max(width(&scale.title, letters));
    (wanted + letters * 3 / 2).next_multiple_of(2)
}

/// The bar at the columns from `left` on.
pub(super) fn colour_bar(figure: &mut RgbaImage, scale: &ColourScale, left: u32, letters: u32, ink: Rgba<u8>) {
    let height = figure.height();
    let (top, bottom) = (height / 5, height - height / 6);
    let (thick, line) = (letters * 5 / 4, (letters / 14).max(1));
    fill(figure, left - line..left + thick + line, top - line..bottom + line, ink);
    for y in top..bottom {
        let value = f64::from(bottom - 1 - y) / f64::from(bottom - 1 - top);
        let [r, g, b] = viridis(value).map(|c| (c * 255.0).round() as u8);
        fill(figure, left..left + thick, y..y + 1, Rgba([r, g, b, 255]));
    }
    for (value, label) in scale.labels() {
        let part = (value - scale.ticks.low) / (scale.ticks.high - scale.ticks.low);
        let y = f64::from(bottom) - part * f64::from(bottom - top);
        let row = (y.round() as u32).clamp(top, bottom - 1);
        fill(figure, left + thick..left + thick + letters / 3, row..row + line, ink);
        let at = (i64::from(left + thick + letters / 2), i64::from(row));
        write(figure, &label, at, Anchor::Left, letters, ink);
    }
    let at = (i64::from(left), i64::from(top) - i64::from(letters) * 3 / 2);
    write(figure, &scale.title, at, Anchor::Left, letters, ink);
}
