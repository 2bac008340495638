//! Pictures: who is seen at each pixel and how far away, the light on it, and the mean of samples.

use super::cloud::{random, vector};
use super::harness::Harness;
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::geometry::generate::{Grains, grain};
use crate::geometry::narrow::Placed;
use crate::geometry::solids::{Regular, cuboid, regular};
use crate::gpu::constants::NOBODY;
use crate::gpu::elements::in_f64;
use crate::gpu::elements::picture::Plane;
use crate::gpu::layout::View;
use crate::render::camera::Camera;
use crate::render::colour::tint;
use crate::render::scene::Scene;
use glam::{DQuat, DVec3};
use rand::RngExt;

/// The family.
pub const FAMILY: Family = Family {
    name: "pictures",
    compares: "The body at each pixel and its depth, and the mean of samples, against f64.",
    bounds: "Depths are rounded at 6e-8 over the slope of a sphere's rim; bytes may round either way.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check::exact(&["render_clear"], "nobody at every sample", render_clear),
    Check {
        passes: &["render_nearest"],
        what: "depth of the nearest body at each pixel",
        unit: "scene radius",
        bound: 2e-5,
        reason: "distances of 5 rounded at 6e-8 in about 8 operations, over the slope of a sphere's outer rim, 0.2",
        compare: render_nearest,
    },
    Check::exact(&["render_owner"], "the body that each pixel shows", render_owner),
    Check {
        passes: &["render_resolve"],
        what: "mean light and cover of four samples",
        unit: "255ths",
        bound: 1.0,
        reason: "rounding to bytes may go either way",
        compare: render_resolve,
    },
];

/// A camera with what it sees, and the rays of its pixels in f64.
pub struct Picture {
    /// for people
    pub name: &'static str,
    /// what is seen
    pub scene: Scene,
    camera: Camera,
    /// pixels a side
    pub size: u32,
}

/// Spheres in the field, some in the same position, one that fills it, with mean sizes from less than a pixel to the
/// whole; from a camera in perspective and from the sun.
pub fn pictures() -> Result<Vec<Picture>> {
    let mut random = random(5);
    let mut spheres: Vec<[f32; 4]> =
        (0..60).map(|k| (0.7 * vector(&mut random)).extend([0.3, 0.1, 0.01][k % 3]).as_vec4().to_array()).collect();
    spheres.extend([spheres[0], spheres[3]]);
    let tints = vec![tint([0.7; 3]); spheres.len()];
    let scene = Scene::of_spheres(spheres, tints, 0.1);
    let (parts, many) = (parts()?, one_of_many_faces()?);
    let near = Scene::of_spheres(vec![[0.0, 0.0, 0.0, 1.6]], vec![tint([0.7; 3])], 1.6);
    let front = Camera::from_direction(DVec3::new(-2.0, -3.0, 1.0))?;
    let cameras = [("perspective", front), ("parallel", front.sun())];
    let pictures = cameras.into_iter().flat_map(|(name, camera)| {
        let of = |scene: &Scene, size: u32| Picture { name, scene: scene.clone(), camera, size };
        [
            of(&scene, 150),
            of(&Scene { grain: 0.01, ..scene.clone() }, 101),
            of(&near, 96),
            of(&parts, 150),
            of(&many, 120),
        ]
    });
    Ok(pictures.collect())
}

/// Boxes, tetrahedra and grains, turned any way and as large as the spheres, with a few of these among them.
fn parts() -> Result<Scene> {
    let mut random = random(6);
    let shapes = [
        cuboid(DVec3::new(1.0, 0.7, 1.2))?,
        regular(Regular::Tetrahedron, 1.0)?,
        grain(&Grains::default(), 2.0, &mut random)?.body,
    ];
    let mut scene = Scene::of_spheres(vec![[0.3, 0.2, 0.0, 0.2], [-0.2, 0.1, 0.3, 0.1]], vec![tint([0.7; 3]); 2], 0.1);
    for k in 0..60 {
        let (position, axis) = (0.7 * vector(&mut random), vector(&mut random));
        let size = [0.3, 0.1, 0.01][k % 3];
        let turn = DQuat::from_scaled_axis(3.0 * axis);
        scene.add_part(&Placed::new(&shapes[k / 3 % 3], position / size, turn), 1.0 / size, tint([0.7; 3]));
    }
    Ok(scene)
}

/// A near body whose box times its faces would be far more loop turns than software Vulkan makes.
fn one_of_many_faces() -> Result<Scene> {
    let grains = Grains { corners: 200..=200, ratio_min: 0.5 };
    let body = grain(&grains, 1.8, &mut random(7))?.body;
    let mut scene = Scene::of_spheres(vec![], vec![], 0.9);
    scene.add_part(&Placed::new(&body, DVec3::ZERO, DQuat::IDENTITY), 1.0, tint([0.7; 3]));
    Ok(scene)
}

/// Vector of three numbers of f32.
/// A pixel's ray: where it starts and its direction, in the scene.
pub fn ray(view: &View, x: u32, y: u32) -> (DVec3, DVec3) {
    let at = |k: u32| ((f64::from(k) + 0.5) * 2.0 / f64::from(view.size) - 1.0) * f64::from(view.half_width);
    let aside = at(x) * view.right.as_dvec3() - at(y) * view.up.as_dvec3();
    let forward = view.forward.as_dvec3();
    match view.perspective {
        0.0 => (view.eye.as_dvec3() + aside, forward),
        _ => (view.eye.as_dvec3(), (forward + aside).normalize()),
    }
}

/// Where a ray enters a body: distance and outward normal; none where it is missed.
pub type Entry = Option<(f64, DVec3)>;

/// Where a ray enters a body; `None` where it grazes it, so that rounding decides.
pub fn entry(scene: &Scene, body: usize, (origin, direction): (DVec3, DVec3)) -> Option<Entry> {
    let sphere = &scene.spheres[body];
    let (c, r) = (in_f64(sphere.centre) - origin, f64::from(sphere.radius));
    if scene.faces[body].count > 0 {
        return part_entry(scene.planes_of(body), r, -c, direction);
    }
    let b = c.dot(direction);
    let inside = r * r - (c - b * direction).length_squared();
    let clear = inside.abs() >= 0.04 * r * r + 2e-5 * r;
    let depth = b - inside.max(0.0).sqrt();
    clear.then(|| (inside > 0.0).then(|| (depth, (depth * direction - c) / r)))
}

/// The entry into a convex part of size `r`; `from`: start of the ray from the centre. Rounding decides between planes
/// entered one right after the other, too.
fn part_entry(planes: &[Plane], r: f64, from: DVec3, direction: DVec3) -> Option<Entry> {
    let (mut enter, mut leave) = (vec![], f64::INFINITY);
    for plane in planes {
        let (normal, offset) = (in_f64(plane.normal), f64::from(plane.distance));
        let slope = normal.dot(direction);
        let at = (offset - normal.dot(from)) / slope;
        if slope < 0.0 { enter.push((at, normal, slope)) } else { leave = leave.min(at) }
    }
    enter.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (first, normal, slope) = enter[0];
    let alone = enter.get(1).is_none_or(|second| first - second.0 > 1e-3 * r);
    let clear = (leave - first).abs() > 0.02 * r && slope < -0.1 && alone;
    let missed = first > leave + 0.02 * r;
    (clear || missed).then(|| (first < leave).then_some((first, normal)))
}

/// Depths of the bodies that a ray meets, with their indices; `None` where it grazes one, so that rounding decides.
fn hits(scene: &Scene, ray: (DVec3, DVec3)) -> Option<Vec<(f64, u32)>> {
    let mut list = vec![];
    for k in 0..scene.spheres.len() {
        if let Some((depth, _)) = entry(scene, k, ray)? {
            list.push((depth, k as u32));
        }
    }
    list.sort_by(|a, b| a.0.total_cmp(&b.0));
    Some(list)
}

impl Picture {
    /// The camera as the shaders know it.
    pub fn view(&self) -> View {
        self.camera.view(&self.scene, self.size, [self.camera.patches(&self.scene, self.size).len(), 0])
    }

    /// Planes as the shaders have them.
    pub fn planes(&self) -> Vec<Plane> {
        self.camera.planes(&self.scene)
    }

    /// Pixels whose bodies no rounding changes, and those bodies by depth.
    pub fn pixels(&self) -> impl Iterator<Item = (usize, Vec<(f64, u32)>)> {
        let (view, size) = (self.view(), self.size);
        let one = move |at: u32| Some((at as usize, hits(&self.scene, ray(&view, at % size, at / size))?));
        (0..size * size).filter_map(one)
    }

    /// The bodies as the sun sees them.
    pub fn from_sun(&self, size: u32) -> Picture {
        Picture { name: "sun", scene: self.scene.clone(), camera: self.camera.sun(), size }
    }

    /// Depth and owner of every pixel; ground where a ray grazes a body.
    pub fn seen(&self) -> (Vec<f32>, Vec<u32>) {
        let count = (self.size * self.size) as usize;
        let (mut depth, mut owner) = (vec![f32::INFINITY; count], vec![NOBODY; count]);
        for (at, hits) in self.pixels() {
            if let Some(first) = hits.first() {
                (depth[at], owner[at]) = (first.0 as f32, first.1);
            }
        }
        (depth, owner)
    }

    /// Runs `render_nearest`; the depths.
    fn nearest(&self, h: &mut Harness) -> Result<Vec<f32>> {
        let patches = self.camera.patches(&self.scene, self.size);
        h.uniform("view", &self.view())?;
        h.fill("sphere", &self.scene.spheres)?;
        h.fill("face", &self.scene.faces)?;
        h.fill("plane", &self.planes())?;
        h.fill("pixel_patch", &patches)?;
        h.fill("depth", &vec![f32::INFINITY; (self.size * self.size) as usize])?;
        h.run("render_nearest", (patches.len() as u32).div_ceil(64) + 1)?;
        h.read("depth")
    }
}

fn render_clear(h: &mut Harness, t: &mut Tally) -> Result<()> {
    // The last takes more workgroups than one dimension has.
    for n in [1, 63, 64, 65, 5000, 65_540 * 64] {
        t.case(format!("{n} samples"));
        h.fill("word", &vec![7u32; n])?;
        h.run("render_clear", (n as u32).div_ceil(64))?;
        t.equal("word", &h.read::<u32>("word")?, &vec![NOBODY; n]);
    }
    Ok(())
}

fn render_nearest(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for picture in pictures()? {
        t.case(format!("{} bodies, {}", picture.scene.spheres.len(), picture.name));
        let depth = picture.nearest(h)?;
        for (at, hits) in picture.pixels() {
            match hits.first() {
                Some((truth, _)) => t.off("depth of pixel", at, (f64::from(depth[at]) - truth).abs()),
                None => t.equal("depth of ground", &[depth[at]], &[f32::INFINITY]),
            }
        }
    }
    Ok(())
}

fn render_owner(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for picture in pictures()? {
        t.case(format!("{} bodies, {}", picture.scene.spheres.len(), picture.name));
        picture.nearest(h)?;
        let patches = picture.camera.patches(&picture.scene, picture.size);
        h.fill("owner", &vec![NOBODY; (picture.size * picture.size) as usize])?;
        h.run("render_owner", (patches.len() as u32).div_ceil(64) + 1)?;
        let owner = h.read::<u32>("owner")?;
        for (at, hits) in picture.pixels() {
            let front = hits.first().map_or(0.0, |f| f.0);
            let close: Vec<_> = hits.iter().filter(|k| k.0 < front + 1e-4).collect();
            // Bodies in the same position are as far; others so close are left to rounding.
            if close.iter().all(|k| k.0 == front) {
                let wanted = close.iter().map(|k| k.1).min().unwrap_or(NOBODY);
                t.equal("owner of pixel", &[(at, owner[at])], &[(at, wanted)]);
            }
        }
    }
    Ok(())
}

/// sRGB of linear light.
fn srgb(c: f64) -> f64 {
    if c <= 0.0031308 { 12.92 * c } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
}

fn render_resolve(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for side in [2u32, 17, 64] {
        t.case(format!("{side} pixels a side"));
        let mut random = random(side.into());
        // A sample is covered or not, and dark, or any colour.
        let mut sample = || match random.random_range(0..4) {
            0 => 0,
            1 => (random.random_range(0..12) * 0x0001_0101) | 0xff00_0000,
            _ => random.random::<u32>() | 0xff00_0000,
        };
        let light: Vec<u32> = (0..4 * side * side).map(|_| sample()).collect();
        h.uniform("view", &View { size: 2 * side, ..View::default() })?;
        h.fill("light", &light)?;
        h.fill("picture", &vec![3u32; (side * side + 5) as usize])?;
        h.run("render_resolve", (side * side + 5).div_ceil(64))?;
        let got = h.read::<u32>("picture")?;
        t.equal("row beyond", &got[(side * side) as usize..], &[3; 5]);
        for at in 0..side * side {
            let first = 4 * side * (at / side) + 2 * (at % side);
            let four =
                [first, first + 1, first + 2 * side, first + 2 * side + 1].map(|k| light[k as usize].to_le_bytes());
            let covered = four.iter().filter(|s| s[3] > 0).count() as f64;
            let mean =
                |c: usize| four.iter().map(|s| (f64::from(s[c]) / 255.0).powi(2)).sum::<f64>() / covered.max(1.0);
            let wanted = [255.0 * srgb(mean(0)), 255.0 * srgb(mean(1)), 255.0 * srgb(mean(2)), 63.75 * covered];
            for (got, wanted) in got[at as usize].to_le_bytes().into_iter().zip(wanted) {
                t.off("pixel", at as usize, (f64::from(got) - wanted).abs());
            }
        }
    }
    Ok(())
}
