//! A velocity field as arrows in SVG, over the bodies that its plane cuts.

use super::colour::{ColourMap, bytes};
use super::plots::{Area, FINE, Failure, fine_svg};
use super::ruler::Ruler;
use super::scale::{prefixed, round_down, three_digits};
use crate::analysis::velocity::Field;
use crate::base::disk;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::geometry::narrow::Placed;
use crate::model::placed::placed;
use crate::model::snapshot::Snapshot;
use glam::{DVec2, DVec3};
use plotters::prelude::*;
use std::path::Path;

/// Longer side of the map (pixels).
const SIDE: f64 = 640.0;
/// Room for axes to the left and below, and for the arrow of the scale above (pixels).
const MARGINS: [i32; 3] = [100, 70, 60];
/// Arrows along a side, at most.
const ARROWS: usize = 40;

/// Draws the part of the velocity in the plane; colour and length by its size.
pub fn draw(field: &Field, s: &Snapshot, path: &Path) -> Result<()> {
    let text = svg(field, s).map_err(|e| Fault::new(e.to_string()).path(path).data())?;
    disk::write_new(path, text.as_bytes(), true)
}

/// Arrows ready to draw: start and vector, lengths in the plane's coordinates (m), and the speed of each (m/s).
struct Arrows {
    list: Vec<(DVec2, DVec2, f64)>,
    /// (m/s)
    fastest: f64,
    /// length of an arrow of the fastest speed (m)
    longest_m: f64,
}

impl Arrows {
    fn of(field: &Field, flat: &dyn Fn(DVec3) -> DVec2) -> Arrows {
        let [rows, columns] = field.shape;
        let every = rows.max(columns).div_ceil(ARROWS);
        let longest_m = 0.45 * field.reach_m * every as f64;
        let moving: Vec<(DVec2, DVec2)> =
            moving(field, every).map(|(at, velocity)| (flat(at), flat(velocity))).collect();
        let fastest = moving.iter().map(|(_, v)| v.length()).fold(0.0, f64::max);
        let scale = if fastest > 0.0 { longest_m / fastest } else { 0.0 };
        Arrows { list: moving.into_iter().map(|(p, v)| (p, v * scale, v.length())).collect(), fastest, longest_m }
    }
}

/// Position and velocity of every so many nodes, along rows and columns, that bodies are near.
pub(super) fn moving(field: &Field, every: usize) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
    let [rows, columns] = field.shape;
    (0..rows * columns)
        .filter(move |k| (k / columns).is_multiple_of(every) && (k % columns).is_multiple_of(every))
        .map(|k| (field.position_m[k], field.velocity_m_s[k]))
        .filter(|(_, velocity)| velocity.is_finite())
}

fn svg(field: &Field, s: &Snapshot) -> std::result::Result<String, Failure> {
    let [right, up, _] = field.plane.axes();
    let flat = |v: DVec3| DVec2::new(v[right], v[up]);
    let arrows = Arrows::of(field, &flat);
    let corner = |pick: fn(DVec2, DVec2) -> DVec2, start: f64, widen: f64| {
        field.position_m.iter().map(|p| flat(*p)).fold(DVec2::splat(start), pick) + widen * field.reach_m
    };
    let (low, high) = (corner(DVec2::min, f64::INFINITY, -0.5), corner(DVec2::max, f64::NEG_INFINITY, 0.5));
    let (unit, factor) = prefixed("m", (high - low).max_element());
    let size = (high - low) / (high - low).max_element() * SIDE;
    let [left, below, above] = MARGINS;
    let whole = (size.x.round() as i32 + left + 30, size.y.round() as i32 + below + above);
    let [across, upwards] = [(low.x, high.x), (low.y, high.y)].map(|(a, b)| Ruler::linear(a * factor, b * factor));
    fine_svg(whole, |root| {
        let texts = [across.clone(), upwards.clone()];
        let mut chart = ChartBuilder::on(root)
            .margin_top(above * FINE)
            .margin_right(30 * FINE)
            .x_label_area_size(below * FINE)
            .y_label_area_size(left * FINE)
            .build_cartesian_2d(across, upwards)?;
        axes(&mut chart, texts, [right, up].map(|axis| format!("{} [{unit}]", ["x", "y", "z"][axis])))?;
        let pixels = SIDE * f64::from(FINE) / (high - low).max_element();
        bodies(&mut chart, field, s, factor, pixels)?;
        for (start, along, speed) in &arrows.list {
            let shape = head((*start) * factor, *along * factor).map(|p| (p.x, p.y)).to_vec();
            chart.draw_series([PathElement::new(
                shape,
                colour(speed / arrows.fastest).stroke_width(3 * FINE as u32 / 2),
            )])?;
        }
        scale(root, &arrows, pixels, left)
    })
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Ruler, Ruler>>;

fn axes(chart: &mut Chart, texts: [Ruler; 2], [x, y]: [String; 2]) -> std::result::Result<(), Failure> {
    let [across, upwards] = texts.map(|ruler| move |v: &f64| ruler.text(*v));
    chart
        .configure_mesh()
        .disable_mesh()
        .x_desc(x)
        .y_desc(y)
        .axis_desc_style(("sans-serif", 20 * FINE))
        .label_style(("sans-serif", 17 * FINE))
        .x_label_formatter(&across)
        .y_label_formatter(&upwards)
        .draw()?;
    Ok(())
}

/// What the plane cuts of each body; `factor`: chart units a metre.
fn bodies(
    chart: &mut Chart,
    field: &Field,
    s: &Snapshot,
    factor: f64,
    pixels: f64,
) -> std::result::Result<(), Failure> {
    let [right, up, _] = field.plane.axes();
    let fill = RGBColor(232, 230, 226).filled();
    let flat = |p: DVec3| (p[right] * factor, p[up] * factor);
    for cut in cuts(field, s) {
        match cut {
            Cut::Disc(centre, half_m) => {
                let disc = Circle::new(flat(centre), (half_m * pixels) as i32, fill);
                chart.draw_series(std::iter::once(disc))?;
            }
            Cut::Polygon(corners) => {
                let polygon = Polygon::new(corners.into_iter().map(flat).collect::<Vec<_>>(), fill);
                chart.draw_series(std::iter::once(polygon))?;
            }
        }
    }
    Ok(())
}

/// What a plane cuts of a body.
pub(super) enum Cut {
    /// centre and radius (m)
    Disc(DVec3, f64),
    /// corners in their order (m)
    Polygon(Vec<DVec3>),
}

/// What the plane of a field cuts of the bodies.
pub(super) fn cuts(field: &Field, s: &Snapshot) -> Vec<Cut> {
    let [_, _, across] = field.plane.axes();
    let height = field.position_m.first().map_or(0.0, |p| p[across]);
    match &s.bodies.polyhedra {
        Some(p) => {
            let parts = (0..s.bodies.len()).flat_map(|k| placed(p, k, s.bodies.position_m[k]));
            parts.map(|part| section(&part, across, height)).filter(|cut| cut.len() > 2).map(Cut::Polygon).collect()
        }
        None => {
            let disc = |(p, r): (&DVec3, &f64)| {
                let half = (r * r - (p[across] - height).powi(2)).max(0.0).sqrt();
                (half > 0.0).then_some(Cut::Disc(*p, half))
            };
            s.bodies.position_m.iter().zip(&s.bodies.radius_m).filter_map(disc).collect()
        }
    }
}

/// The polygon in which the plane at `height` along an axis cuts a convex part.
fn section(part: &Placed, axis: usize, height: f64) -> Vec<DVec3> {
    let crossing = |e: usize| {
        let [a, b] = part.edge(e);
        let share = (height - a[axis]) / (b[axis] - a[axis]);
        ((a[axis] < height) != (b[axis] < height)).then(|| a.lerp(b, share))
    };
    let mut corners: Vec<DVec3> = (0..part.body.edges.len()).filter_map(crossing).collect();
    let middle = corners.iter().sum::<DVec3>() / corners.len().max(1) as f64;
    let angle =
        |p: &DVec3| (p[(axis + 2) % 3] - middle[(axis + 2) % 3]).atan2(p[(axis + 1) % 3] - middle[(axis + 1) % 3]);
    corners.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    corners
}

/// Shaft and two barbs in one line.
pub(super) fn head(start: DVec2, along: DVec2) -> [DVec2; 5] {
    let (tip, back, aside) = (start + along, -0.35 * along, 0.2 * along.perp());
    [start, tip, tip + back + aside, tip, tip + back - aside]
}

fn colour(value: f64) -> RGBColor {
    // The lightest colours would be lost on paper.
    let [r, g, b] = bytes(ColourMap::Viridis.colour(0.85 * value));
    RGBColor(r, g, b)
}

/// An arrow of round speed and its value, above the map.
fn scale(root: &Area, arrows: &Arrows, pixels: f64, left: i32) -> std::result::Result<(), Failure> {
    if arrows.fastest <= 0.0 {
        root.draw(&Text::new("at rest", (left * FINE, 18 * FINE), ("sans-serif", 17 * FINE)))?;
        return Ok(());
    }
    let speed = round_down(arrows.fastest);
    let length = speed / arrows.fastest * arrows.longest_m * pixels;
    let (unit, factor) = prefixed("m/s", speed);
    let (start, y) = (f64::from(left * FINE), f64::from(30 * FINE));
    let line = head(DVec2::new(start, y), DVec2::new(length, 0.0)).map(|p| (p.x as i32, p.y as i32));
    root.draw(&PathElement::new(line.to_vec(), colour(speed / arrows.fastest).stroke_width(2 * FINE as u32)))?;
    let text = format!("{} {unit}, less the velocity of the mass centre", three_digits(speed * factor));
    let at = ((start + length) as i32 + 10 * FINE, 22 * FINE);
    root.draw(&Text::new(text, at, ("sans-serif", 17 * FINE)))?;
    Ok(())
}
