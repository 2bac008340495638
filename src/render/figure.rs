//! A finished figure: the drawn bodies on a ground, with colour scale or legend, length bar, time and title.

use super::asteroid::Asteroid;
use super::axis::Axis;
use super::camera::{Camera, Field};
use super::colour::bytes;
use super::colour_scale::ColourScale;
use super::graticule::Graticule;
use super::lettering::{Item, Lettered};
use super::picture::{Depths, Painter};
use super::scale::{prefixed, round_down, three_digits, time_unit};
use super::scene::{Frame, Quantity, Scene};
use super::text::{Anchor, fitting, mix, width};
use super::viewpoint::Cut;
use super::{chains, legend, walls};
use crate::analysis::force_chains::Chain;
use crate::base::error::Result;
use crate::model::stored::resolved::Plane;
use glam::DVec2;
use image::imageops::replace;
use image::{Rgba, RgbaImage};

/// Colour behind the bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// for paper
    White,
    /// for slides
    Dark,
    /// none: for any light page
    Transparent,
}

impl Background {
    /// Reads a name.
    pub fn parse(name: &str) -> Option<Background> {
        match name {
            "white" => Some(Background::White),
            "dark" => Some(Background::Dark),
            "transparent" => Some(Background::Transparent),
            _ => None,
        }
    }

    /// behind all
    pub fn ground(self) -> Rgba<u8> {
        match self {
            Background::White | Background::Transparent => Rgba([255, 255, 255, 255]),
            Background::Dark => Rgba([16, 19, 24, 255]),
        }
    }

    /// of words and lines
    pub fn ink(self) -> Rgba<u8> {
        match self {
            Background::White | Background::Transparent => Rgba([20, 20, 20, 255]),
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
    /// height of the figure without its title (pixels); the bodies' picture is square, with the scale to its right
    pub size: u32,
    /// behind the bodies
    pub background: Background,
    /// force chains are drawn over faded bodies, widths by this scale
    pub chains: Option<chains::Scale>,
    /// drawn as plates
    pub walls: Vec<Plane>,
    /// below the bodies
    pub asteroid: Option<Asteroid>,
    /// bodies and chains before this plane are left out
    pub cut: Option<Cut>,
    /// names of materials, for the legend
    pub materials: Vec<String>,
    /// above the picture
    pub title: Option<String>,
}

impl Style {
    /// A plain picture of bodies on white: no chains, walls, asteroid, cut or title.
    pub fn plain(quantity: Quantity, scale: Option<ColourScale>, field: Field, camera: Camera, size: u32) -> Style {
        Style {
            quantity,
            scale,
            field,
            camera,
            size,
            background: Background::White,
            chains: None,
            walls: vec![],
            asteroid: None,
            cut: None,
            materials: vec![],
            title: None,
        }
    }

    /// Height of letters (pixels).
    fn letters(&self) -> u32 {
        (self.size / 38).max(10)
    }

    /// Width of the picture at the middle of the field (m).
    pub fn width_m(&self) -> f64 {
        self.camera.width() * self.field.radius_m
    }
}

/// How much of the bodies is left where force chains lie over them.
const FADED: f64 = 0.3;

/// Draws one frame; `forces`: its force chains, drawn if the style has a scale for them.
pub fn figure(painter: &mut Painter, frame: &Frame, forces: &[Chain], style: &Style) -> Result<Lettered> {
    let drawn = Drawn::new(painter, frame, forces, style)?;
    let (side, letters) = (style.size, style.letters());
    let head = if style.title.is_some() { 2 * letters } else { 0 };
    let panel = match &style.scale {
        Some(scale) => panel_width(scale, letters),
        None => legend::panel_width(&style.quantity, &style.materials, letters),
    };
    let on = |ground: Rgba<u8>| {
        let mut figure = RgbaImage::from_pixel(side + panel, head + side, ground);
        replace(&mut figure, &drawn.on(ground), 0, i64::from(head));
        figure
    };
    let picture = match style.background {
        Background::Transparent => between(&on(Rgba([255; 4])), &on(Rgba([0, 0, 0, 255]))),
        opaque => on(opaque.ground()),
    };
    Ok(Lettered { picture, items: words(&drawn, [side + panel, head]) })
}

/// Draws what a frame shows, without words and scales.
pub fn square(painter: &mut Painter, frame: &Frame, style: &Style) -> Result<RgbaImage> {
    Ok(Drawn::new(painter, frame, &[], style)?.on(style.background.ground()))
}

/// A frame that the device has drawn.
struct Drawn<'a> {
    bodies: RgbaImage,
    depths: Depths,
    axis: Option<Axis>,
    graticule: Option<Graticule>,
    frame: &'a Frame,
    forces: Vec<&'a Chain>,
    style: &'a Style,
}

impl<'a> Drawn<'a> {
    fn new(painter: &mut Painter, frame: &'a Frame, forces: &'a [Chain], style: &'a Style) -> Result<Drawn<'a>> {
        let kept = |at: glam::DVec3| style.cut.is_none_or(|cut| cut.keeps(at - style.field.centre_m));
        let mut scene =
            Scene::new(frame, style.field, &style.quantity, style.scale.as_ref(), &kept, style.camera.dot());
        if let Some(asteroid) = &style.asteroid {
            scene = scene.with_facets(asteroid.facets(frame, style.field));
        }
        let (bodies, depths) = painter.draw_with_depth(&scene, &style.camera, style.size)?;
        let forces = forces.iter().filter(|l| kept(0.5 * (l.ends_m[0] + l.ends_m[1]))).collect();
        let asteroid = style.asteroid.as_ref();
        let axis = asteroid.and_then(|a| a.axis(frame, style.field));
        let graticule = asteroid.and_then(|a| a.graticule(frame, style.field));
        Ok(Drawn { bodies, depths, axis, graticule, frame, forces, style })
    }

    /// What is written on the asteroid.
    fn asteroid_items(&self, letters: u32) -> Vec<Item> {
        let (camera, depths, side) = (&self.style.camera, &self.depths, self.style.size);
        let degrees = self.graticule.iter().flat_map(|g| g.items(camera, depths, side, letters * 3 / 4));
        let ink = self.style.background.ink();
        degrees.chain(self.axis.and_then(|a| a.letter(camera, depths, side, letters, ink))).collect()
    }

    /// Lays it over a ground.
    fn on(&self, ground: Rgba<u8>) -> RgbaImage {
        let (style, side) = (self.style, self.style.size);
        let mut square = RgbaImage::from_pixel(side, side, ground);
        let standing = walls::standing(&style.walls, self.frame);
        let polygons = walls::polygons(&standing, self.frame, style.field);
        let plates = |square: &mut RgbaImage, side| walls::draw(square, &polygons, style.field, &style.camera, side);
        plates(&mut square, walls::Side::Behind);
        let strength = if style.chains.is_some() { FADED } else { 1.0 };
        lay(&mut square, &self.bodies, strength);
        if let Some(graticule) = &self.graticule {
            graticule.draw(&mut square, &style.camera, &self.depths);
        }
        if let Some(axis) = &self.axis {
            axis.draw(&mut square, &style.camera, &self.depths);
        }
        plates(&mut square, walls::Side::Before);
        if let Some(scale) = style.chains {
            chains::draw(&mut square, &self.forces, scale, style.field, &style.camera, ground);
        }
        square
    }
}

/// What is written over a figure of this width and beside it, below a head of this height (pixels).
fn words(drawn: &Drawn, [whole, head]: [u32; 2]) -> Vec<Item> {
    let (frame, style) = (drawn.frame, drawn.style);
    let (side, letters, ink) = (style.size, style.letters(), style.background.ink());
    let mut items = drawn.asteroid_items(letters);
    if let Some(scale) = style.chains {
        items.extend(chains::legend(scale, f64::from(side) / style.width_m(), side, letters, ink));
    }
    let (unit, factor) = time_unit(frame.time_s);
    let time = format!("t = {} {unit}", three_digits(frame.time_s * factor));
    let (edge, beside) = (f64::from(letters), side + letters / 2);
    items.push(Item::text(time, DVec2::new(edge, 1.5 * edge), Anchor::Left, letters, ink));
    items.extend(length_bar(style.width_m(), style.camera.is_parallel(), side, letters, ink));
    match &style.scale {
        Some(scale) => items.extend(colour_bar(scale, beside, side, letters, ink)),
        None => {
            let rows = legend::entries(frame, &style.quantity, &style.materials);
            items.extend(legend::items(&rows, beside, side, letters, ink));
        }
    }
    let mut items: Vec<Item> = items.into_iter().map(|item| item.moved([0, head])).collect();
    if let Some(title) = &style.title {
        let height = fitting(title, whole - 2 * letters, letters * 5 / 4);
        items.push(Item::text(title, DVec2::new(edge, 1.25 * edge), Anchor::Left, height, ink));
    }
    items
}

/// The picture with transparent parts that looks like `white` on white and like `black` on black.
fn between(white: &RgbaImage, black: &RgbaImage) -> RgbaImage {
    RgbaImage::from_fn(white.width(), white.height(), |x, y| {
        let (w, b) = (white.get_pixel(x, y), black.get_pixel(x, y));
        let through = (0..3).map(|c| w[c].saturating_sub(b[c])).max().unwrap_or(0);
        let cover = 255 - u32::from(through);
        let channel = |c: usize| (u32::from(b[c]) * 255).checked_div(cover).unwrap_or(0).min(255) as u8;
        Rgba([channel(0), channel(1), channel(2), cover as u8])
    })
}

/// Lays a picture with transparent parts over another of its size.
pub(super) fn lay(under: &mut RgbaImage, over: &RgbaImage, strength: f64) {
    for (x, y, pixel) in over.enumerate_pixels() {
        let below = *under.get_pixel(x, y);
        under.put_pixel(x, y, mix(below, *pixel, strength * f64::from(pixel[3]) / 255.0));
    }
}

/// A bar of round length at the foot of a picture of `size` pixels a side, of a field that is `width_m` wide in the middle. Where
/// rays are not parallel it is true there alone, and says so.
pub(super) fn length_bar(width_m: f64, parallel: bool, size: u32, letters: u32, ink: Rgba<u8>) -> Vec<Item> {
    let length_m = round_down(0.25 * width_m);
    let pixels = (length_m / width_m * f64::from(size)).round() as u32;
    let (unit, factor) = prefixed("m", length_m);
    let there = if parallel { "" } else { " in the middle" };
    let label = format!("{} {unit}{there}", (length_m * factor).round());
    let (left, bottom, thick) = (letters, size - letters, (letters / 6).max(2));
    let rise = thick * 2;
    let end = |at: u32| Item::Box { low: [at, bottom - thick - rise], high: [at + thick, bottom], ink };
    let bar = Item::Box { low: [left, bottom - thick], high: [left + pixels, bottom], ink };
    let y = f64::from(bottom - thick - rise) - 0.75 * f64::from(letters);
    let (x, anchor) = if width(&label, letters) > pixels {
        (f64::from(left), Anchor::Left)
    } else {
        (f64::from(left + pixels / 2), Anchor::Middle)
    };
    vec![
        bar,
        end(left),
        end((left + pixels).saturating_sub(thick)),
        Item::text(label, DVec2::new(x, y), anchor, letters, ink),
    ]
}

/// Columns for the bar, its numbers and its title, none of which touches the edge.
pub(super) fn panel_width(scale: &ColourScale, letters: u32) -> u32 {
    let labels = scale.labels().iter().map(|(_, text)| width(text, letters)).max().unwrap_or(0);
    let words = width(&scale.title, letters).max(scale.note().map_or(0, |note| width(note, letters * 3 / 4)));
    let wanted = (letters * 5 / 2 + labels).max(words);
    (wanted + letters * 3 / 2).next_multiple_of(2)
}

/// The bar at the columns from `left` on, for a picture of so many rows.
pub(super) fn colour_bar(scale: &ColourScale, left: u32, height: u32, letters: u32, ink: Rgba<u8>) -> Vec<Item> {
    let (top, bottom) = (height / 5, height - height / 6);
    let (thick, line) = (letters * 5 / 4, (letters / 14).max(1));
    let mut items = vec![Item::Box {
        low: [left.saturating_sub(line), top - line],
        high: [left + thick + line, bottom + line],
        ink,
    }];
    for y in top..bottom {
        let value = f64::from(bottom - 1 - y) / f64::from(bottom - 1 - top);
        let [r, g, b] = bytes(scale.map.colour(value));
        items.push(Item::Box { low: [left, y], high: [left + thick, y + 1], ink: Rgba([r, g, b, 255]) });
    }
    for (part, label) in scale.labels() {
        let y = f64::from(bottom) - part * f64::from(bottom - top);
        let row = (y.round() as u32).clamp(top, bottom - 1);
        items.push(Item::Box { low: [left + thick, row], high: [left + thick + letters / 3, row + line], ink });
        let at = DVec2::new(f64::from(left + thick + letters / 2), f64::from(row));
        items.push(Item::text(label, at, Anchor::Left, letters, ink));
    }
    let at = DVec2::new(f64::from(left), f64::from(top) - 1.5 * f64::from(letters));
    items.push(Item::text(&scale.title, at, Anchor::Left, letters, ink));
    if let Some(note) = scale.note() {
        let at = DVec2::new(f64::from(left), f64::from(bottom) + 1.5 * f64::from(letters));
        items.push(Item::text(note, at, Anchor::Left, letters * 3 / 4, ink));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transparent_picture_looks_the_same_on_white_and_on_black() {
        let ink = Rgba([200, 90, 10, 255]);
        let on = |ground: u8| {
            let ground = Rgba([ground, ground, ground, 255]);
            let cover = |x: u32| mix(ground, ink, f64::from(x) / 10.0);
            RgbaImage::from_fn(11, 1, |x, _| cover(x))
        };
        let found = between(&on(255), &on(0));
        assert_eq!((found.get_pixel(0, 0)[3], found.get_pixel(10, 0)), (0, &ink));
        for ground in [0, 255] {
            let mut under = RgbaImage::from_pixel(11, 1, Rgba([ground, ground, ground, 255]));
            lay(&mut under, &found, 1.0);
            let differs = under.iter().zip(on(ground).iter()).map(|(a, b)| a.abs_diff(*b)).max();
            assert!(differs <= Some(2), "{differs:?}");
        }
    }
}
