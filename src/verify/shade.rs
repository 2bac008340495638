//! The light on each pixel. A way of shading has no truth but its own formulas: here they are in f64.

use super::harness::Harness;
use super::pictures::{Picture, entry, pictures, ray};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::gpu::layout::View;
use crate::render::colour::{label, tint};
use crate::render::scene::Scene;
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

/// The family.
pub const FAMILY: Family = Family {
    name: "shade",
    compares: "Sun, shadow, sky and outline of each pixel against the same formulas in f64.",
    bounds: "Bytes may round either way.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[Check {
    passes: &["render_shade"],
    what: "sun, shadow, sky and outline of each pixel",
    unit: "255ths",
    bound: 1.0,
    reason: "rounding to bytes may go either way; pixels where rounding chooses another sample are left out",
    compare: render_shade,
}];

/// Samples nearer to the edge of a pixel than this are left to rounding (pixels), and depths to one another (scene
/// radius).
const DOUBT: f64 = 5e-4;

/// What the pass reads.
pub struct Shading<'a> {
    /// camera
    pub view: View,
    /// camera in the sun
    pub sun: View,
    /// what is seen
    pub scene: &'a Scene,
    /// of bodies
    pub tints: &'a [u32],
    /// of the picture
    pub depth: &'a [f32],
    /// of the sun's picture
    pub shadow: &'a [f32],
}

/// A value that rounding may decide otherwise.
pub struct Doubt(pub bool);

impl Doubt {
    fn above(&mut self, a: f64, b: f64) -> bool {
        self.0 |= (a - b).abs() < DOUBT;
        a > b
    }

    /// The pixel at a point of the picture, within the picture.
    fn pixel(&mut self, point: DVec2, size: u32) -> (u32, u32) {
        let last = f64::from(size) - 1.0;
        let mut axis = |x: f64| {
            self.0 |= (x - x.round()).abs() < DOUBT && x > -1.0 && x < last + 1.0;
            x.clamp(0.0, last) as u32
        };
        (axis(point.x), axis(point.y))
    }
}

/// Sample k of `count` on the unit disc.
fn disc(k: u32, count: u32, turn: f64) -> DVec2 {
    let angle = f64::from(2.399_963_2f32) * f64::from(k) + turn;
    ((f64::from(k) + 0.5) / f64::from(count)).sqrt() * DVec2::new(angle.cos(), angle.sin())
}

fn at((x, y): (u32, u32), size: u32) -> usize {
    (y * size + x) as usize
}

impl Shading<'_> {
    /// Share of the sun that reaches a point.
    fn sunlight(&self, point: DVec3, margin: f64, turn: f64, doubt: &mut Doubt) -> f64 {
        let sun = &self.sun;
        let d = point - sun.eye.as_dvec3();
        let scale = 0.5 * f64::from(sun.size) / f64::from(sun.half_width);
        let middle =
            scale * DVec2::new(d.dot(sun.right.as_dvec3()), -d.dot(sun.up.as_dvec3())) + 0.5 * f64::from(sun.size);
        let lit = |k: &u32| {
            let sample = middle + scale * f64::from(sun.blur) * disc(*k, 16, turn);
            let q = doubt.pixel(sample, sun.size);
            let outside = sample.min_element() < 0.0 || sample.max_element() >= f64::from(sun.size);
            outside || doubt.above(self.shadow[at(q, sun.size)].into(), d.dot(sun.forward.as_dvec3()) - margin)
        };
        (0..16).filter(lit).count() as f64 / 16.0
    }

    /// Share of the sky that nearby bodies leave open.
    fn open_sky(&self, (x, y): (u32, u32), point: DVec3, normal: DVec3, turn: f64, doubt: &mut Doubt) -> f64 {
        let (view, grain) = (&self.view, f64::from(self.view.grain));
        let z = (point - view.eye.as_dvec3()).dot(view.forward.as_dvec3());
        let reach = (grain / (z * f64::from(view.half_width)) * f64::from(view.size)).clamp(3.0, 160.0);
        let hidden = |k: u32| {
            let sample = DVec2::new(x.into(), y.into()) + 0.5 + reach * disc(k, 24, turn);
            let q = doubt.pixel(sample, view.size);
            let t = f64::from(self.depth[at(q, view.size)]);
            if t.is_infinite() || q == (x, y) {
                return 0.0;
            }
            let (origin, direction) = ray(view, q.0, q.1);
            let v = origin + t * direction - point;
            let far = v.length() / grain;
            let rise = (normal.dot(v) / v.length().max(1e-12) - 0.12).max(0.0);
            if doubt.above(6.0, far) { rise / (1.0 + 0.25 * far * far) } else { 0.0 }
        };
        (1.0 - 2.2 * (0..24).map(hidden).sum::<f64>() / 24.0).clamp(0.0, 1.0)
    }

    /// Share of the four neighbours that show something clearly behind.
    fn outline(&self, (x, y): (u32, u32), depth: f64, step: f64, doubt: &mut Doubt) -> f64 {
        let mut behind = |side: &(f64, f64)| {
            let sample = DVec2::new(x.into(), y.into()) + 0.5 + FRAC_1_SQRT_2 * step * DVec2::new(side.0, side.1);
            let q = doubt.pixel(sample, self.view.size);
            doubt.above(self.depth[at(q, self.view.size)].into(), depth)
        };
        [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].iter().filter(|s| behind(s)).count() as f64 / 4.0
    }

    /// Square roots of red, green, blue of a pixel that shows `body`; `None` if rounding decides.
    fn light(&self, pixel: (u32, u32), body: usize) -> Option<[f64; 3]> {
        let (view, mut doubt) = (&self.view, Doubt(false));
        let r = f64::from(self.scene.spheres[body].radius);
        let (origin, direction) = ray(view, pixel.0, pixel.1);
        let (t, out) = entry(self.scene, body, (origin, direction))??;
        let point = origin + t * direction;
        let depth = (point - view.eye.as_dvec3()).dot(view.forward.as_dvec3());
        let width = r / (depth * f64::from(view.half_width)) * 0.5 * f64::from(view.size);
        let line = self.outline(pixel, t + 0.35 * r, (0.08 * width).clamp(1.0, 3.0), &mut doubt);
        let line = line * (0.1 * width).clamp(0.0, 0.75);
        let light = self.reflected(pixel, point, out, self.tints[body], &mut doubt);
        (!doubt.0).then(|| light.map(|c| (c * (1.0 - line)).clamp(0.0, 1.0).sqrt()))
    }

    /// Red, green, blue that a point of this outward normal and tint sends back.
    pub fn reflected(&self, pixel: (u32, u32), point: DVec3, out: DVec3, tint: u32, doubt: &mut Doubt) -> [f64; 3] {
        let turn = FRAC_PI_2 * f64::from((pixel.0 & 1) + 2 * (pixel.1 & 1)) / 1.7;
        let texel = 2.0 * f64::from(self.sun.half_width) / f64::from(self.sun.size);
        let margin = 1.5 * texel + 0.5 * f64::from(self.sun.blur);
        let lambert = (-out.dot(self.sun.forward.as_dvec3())).max(0.0);
        let sun = lambert * self.sunlight(point + 1.5 * texel * out, margin, turn, doubt);
        let sky = self.open_sky(pixel, point, out, turn, doubt);
        let white = 0.007 * sky * (0.6 + 0.4 * out.z) + 0.010 * sun;
        let shaded = 0.56 * sky * (0.85 + 0.15 * out.z) + 0.58 * sun;
        let counts = f64::from(tint.to_le_bytes()[3]) / 255.0;
        let light = 1.0 - counts + counts * shaded;
        let [r, g, b, _] = tint.to_le_bytes().map(|c| (f64::from(c) / 255.0).powi(2) * light + white);
        [r, g, b]
    }
}

/// The picture of every kind of body, shadows of 200 pixels a side.
fn shade(h: &mut Harness, t: &mut Tally, picture: &Picture) -> Result<()> {
    let sun = picture.from_sun(200);
    let ((depth, owner), (shadow, _)) = (picture.seen(), sun.seen());
    let tints: Vec<u32> = (0..picture.scene.spheres.len() as u32).map(|k| tint(label(k))).collect();
    h.uniform("view", &picture.view())?;
    h.uniform("shadow_view", &sun.view())?;
    h.fill("sphere", &picture.scene.spheres)?;
    h.fill("face", &picture.scene.faces)?;
    h.fill("plane", &picture.planes())?;
    h.fill("tint", &tints)?;
    h.fill("depth", &depth)?;
    h.fill("owner", &owner)?;
    h.fill("shadow_depth", &shadow)?;
    h.zeros("light", 4 * depth.len())?;
    h.run("render_shade", (depth.len() as u32).div_ceil(64))?;
    let scene = &picture.scene;
    let shading =
        Shading { view: picture.view(), sun: sun.view(), scene, tints: &tints, depth: &depth, shadow: &shadow };
    let (mut compared, mut covered) = (0, 0);
    for (at, light) in h.read::<u32>("light")?.iter().enumerate() {
        let pixel = (at as u32 % picture.size, at as u32 / picture.size);
        let Some(body) = Some(owner[at] as usize).filter(|k| *k < tints.len()) else {
            t.equal("ground", &[*light], &[0]);
            continue;
        };
        covered += 1;
        t.equal("cover of pixel", &[light >> 24], &[255]);
        if let Some(wanted) = shading.light(pixel, body) {
            compared += 1;
            for (got, wanted) in light.to_le_bytes().into_iter().zip(wanted) {
                t.off("pixel", at, (f64::from(got) - 255.0 * wanted).abs());
            }
        }
    }
    let few = || Err(format!("rounding decides all but {compared} of {covered} pixels"));
    t.hold(if 2 * compared > covered { Ok(()) } else { few() });
    Ok(())
}

fn render_shade(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for picture in pictures()? {
        t.case(format!("{} bodies, {}", picture.scene.spheres.len(), picture.name));
        shade(h, t, &picture)?;
    }
    Ok(())
}
