//! Surfaces in pictures: depth, owner and light of facets.

use super::harness::Harness;
use super::pictures::ray;
use super::shade::{Doubt, Shading};
use super::{Check, Family, Tally};
use crate::base::error::Result;
use crate::geometry::geodesic::geodesic;
use crate::gpu::constants::NOBODY;
use crate::gpu::elements::picture::{Facet, PixelPatch, Vertex};
use crate::gpu::layout::View;
use crate::render::camera::Camera;
use crate::render::colour::{label, map_tint, tint};
use crate::render::facets::{Facets, Pose};
use crate::render::scene::Scene;
use glam::DVec3;

/// The family.
pub const FAMILY: Family = Family {
    name: "facets",
    compares: "Surfaces in pictures: depth, owner and light of facets, against f64.",
    bounds: "Depths are rounded at 6e-8 over the least slope compared; bytes may round either way.",
    checks: CHECKS,
};

/// The checks of this family.
const CHECKS: &[Check] = &[
    Check {
        passes: &["render_facets"],
        what: "depth of the nearest facet at each pixel, and no gap between facets",
        unit: "scene radius",
        bound: 2e-4,
        reason: "distances of 5 rounded at 6e-8 in about 10 operations, over the least slope compared, 0.05; corners of the floor are at 60",
        compare: render_facets,
    },
    Check::exact(&["render_facet_owner"], "the facet that each pixel shows", render_facet_owner),
    Check {
        passes: &["render_facet_shade"],
        what: "sun, shadow and sky on each pixel of a facet",
        unit: "255ths",
        bound: 1.0,
        reason: "rounding to bytes may go either way; pixels where rounding chooses another sample are left out",
        compare: render_facet_shade,
    },
];

/// A surface before a camera.
struct Ground {
    name: &'static str,
    scene: Scene,
    camera: Camera,
    size: u32,
    /// a sphere of this radius about the origin lies within the surface
    core: f64,
}

/// A rough body with every twentieth facet twice, in perspective and as the sun sees it, among two bodies; the same larger
/// than the field; a floor that reaches far behind the eye.
fn grounds() -> Result<Vec<Ground>> {
    let height = |u: DVec3| 0.6 + 0.25 * ((7.0 * u.x + 3.0 * u.y).sin() * (5.0 * u.z).cos()).abs();
    let body = geodesic("rough", 6, height);
    let mut facets = Facets::of(&body, Pose::OWN, DVec3::ZERO, 1.0, |k| match k % 2 {
        0 => tint(label(k as u32)),
        _ => map_tint(label(k as u32)),
    });
    let again: Vec<Facet> = facets.facets.iter().step_by(20).copied().collect();
    facets.facets.extend(again);
    let floor = Facets {
        vertices: [[-60.0, -60.0, -0.5], [60.0, -60.0, -0.5], [0.0, 60.0, -0.5]]
            .map(|position| Vertex { position, pad: 0 })
            .to_vec(),
        facets: vec![Facet { corners: [0, 1, 2], tint: tint([0.7; 3]) }],
    };
    let spheres = vec![[0.8, -0.3, 0.3, 0.1], [-0.2, -0.8, 0.1, 0.1]];
    let scene = Scene { facets, ..Scene::of_spheres(spheres, vec![tint([0.7; 3]); 2], 0.1) };
    let floor = Scene { facets: floor, ..Scene::of_spheres(vec![], vec![], 0.1) };
    let mut beyond = scene.clone();
    beyond.facets.vertices.iter_mut().for_each(|v| v.position = v.position.map(|x| 1.8 * x));
    let front = Camera::from_direction(DVec3::new(-2.0, -3.0, 1.0))?;
    let of = |name, scene: &Scene, camera, size, core| Ground { name, scene: scene.clone(), camera, size, core };
    Ok(vec![
        of("perspective", &scene, front, 150, 0.45),
        of("parallel", &scene, front.sun(), 101, 0.45),
        of("beyond the sun's picture", &beyond, front, 120, 0.8),
        of("floor", &floor, front, 90, 0.0),
    ])
}

/// Depth and outward normal of a front facet on a ray. Outer `None`: it passes a side so near, or is so flat to the ray, that
/// rounding decides; inner: it is missed.
fn entry(facets: &Facets, facet: usize, (origin, d): (DVec3, DVec3)) -> Option<Option<(f64, DVec3)>> {
    let [a, b, c] = facets.corners(facet);
    let normal = (b - a).cross(c - a).normalize();
    let slope = -normal.dot(d);
    let depth = normal.dot(origin - a) / slope;
    let p = origin + depth * d;
    let area = |u: DVec3, v: DVec3| normal.dot((u - p).cross(v - p)) / normal.dot((b - a).cross(c - a));
    let least = area(a, b).min(area(b, c)).min(area(c, a));
    let near = least.abs() < 0.01 || (slope.abs() < 0.05 && least > -0.2);
    (!near).then(|| (slope > 0.0 && least > 0.0).then_some((depth, normal)))
}

/// Depth, number and normal of the nearest facet.
type Nearest = (f64, usize, DVec3);

impl Ground {
    fn view(&self) -> View {
        self.camera.view(&self.scene, self.size, [0, self.patches().len()])
    }

    fn patches(&self) -> Vec<PixelPatch> {
        self.scene.facets.patches(&self.camera, self.size)
    }

    /// Pixels that rounding does not change, with what they show.
    fn pixels(&self) -> Vec<(usize, Option<Nearest>)> {
        let view = self.view();
        let facets = &self.scene.facets;
        let nearest = |at: u32| {
            let ray = ray(&view, at % self.size, at / self.size);
            let mut first: Option<Nearest> = None;
            for f in 0..facets.facets.len() {
                let Some((depth, normal)) = entry(facets, f, ray)? else { continue };
                if depth > 0.0 && first.is_none_or(|n| depth < n.0) {
                    first = Some((depth, f, normal));
                }
            }
            Some((at as usize, first))
        };
        (0..self.size * self.size).filter_map(nearest).collect()
    }

    fn fill(&self, h: &mut Harness) -> Result<()> {
        h.uniform("view", &self.view())?;
        h.fill("vertex", &self.scene.facets.vertices)?;
        h.fill("facet", &self.scene.facets.facets)
    }

    /// Runs `render_facets`; the depths.
    fn depths(&self, h: &mut Harness) -> Result<Vec<f32>> {
        let patches = self.patches();
        self.fill(h)?;
        h.fill("pixel_patch", &patches)?;
        h.fill("depth", &vec![f32::INFINITY; (self.size * self.size) as usize])?;
        h.run("render_facets", (patches.len() as u32).div_ceil(64) + 1)?;
        h.read("depth")
    }
}

fn render_facets(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds()? {
        t.case(ground.name.to_owned());
        let depth = ground.depths(h)?;
        for (at, first) in ground.pixels() {
            match first {
                Some((truth, ..)) => t.off("depth of pixel", at, (f64::from(depth[at]) - truth).abs()),
                None => t.equal("depth of ground", &[depth[at]], &[f32::INFINITY]),
            }
        }
        let view = ground.view();
        for at in 0..ground.size * ground.size {
            let (origin, d) = ray(&view, at % ground.size, at / ground.size);
            if origin.cross(d).length() < ground.core {
                t.equal("gap at pixel", &[(at, depth[at as usize].is_finite())], &[(at, true)]);
            }
        }
    }
    Ok(())
}

fn render_facet_owner(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds()? {
        t.case(ground.name.to_owned());
        let mut depth = ground.depths(h)?;
        // every third pixel shows something nearer
        depth.iter_mut().step_by(3).for_each(|d| *d *= 0.999);
        h.fill("depth", &depth)?;
        h.fill("owner", &vec![NOBODY; depth.len()])?;
        h.run("render_facet_owner", (ground.patches().len() as u32).div_ceil(64) + 1)?;
        let owner = h.read::<u32>("owner")?;
        let bodies = ground.scene.spheres.len() as u32;
        for (at, first) in ground.pixels() {
            let shown = first.filter(|_| !at.is_multiple_of(3)).map_or(NOBODY, |f| bodies + f.1 as u32);
            t.equal("owner of pixel", &[(at, owner[at])], &[(at, shown)]);
        }
    }
    Ok(())
}

/// Depths of a picture of the same scene as the truth has them; nothing where rounding decides.
fn truth(ground: &Ground) -> (Vec<f32>, Vec<u32>, Vec<DVec3>) {
    let count = (ground.size * ground.size) as usize;
    let (mut depth, mut owner, mut normal) =
        (vec![f32::INFINITY; count], vec![NOBODY; count], vec![DVec3::ZERO; count]);
    let bodies = ground.scene.spheres.len() as u32;
    for (at, first) in ground.pixels() {
        if let Some((d, f, n)) = first {
            (depth[at], owner[at], normal[at]) = (d as f32, bodies + f as u32, n);
        }
    }
    (depth, owner, normal)
}

fn render_facet_shade(h: &mut Harness, t: &mut Tally) -> Result<()> {
    for ground in grounds()?.into_iter().filter(|g| g.core > 0.0) {
        t.case(ground.name.to_owned());
        let sun = Ground { camera: ground.camera.sun(), size: 160, scene: ground.scene.clone(), ..ground };
        let ((depth, mut owner, normal), (shadow, ..)) = (truth(&ground), truth(&sun));
        owner.iter_mut().step_by(7).for_each(|o| *o = 1); // a body's pixel
        ground.fill(h)?;
        h.uniform("shadow_view", &sun.view())?;
        h.fill("depth", &depth)?;
        h.fill("owner", &owner)?;
        h.fill("shadow_depth", &shadow)?;
        h.fill("light", &vec![5u32; depth.len()])?;
        h.run("render_facet_shade", (depth.len() as u32).div_ceil(64))?;
        let (view, scene) = (ground.view(), &ground.scene);
        let shading = Shading { view, sun: sun.view(), scene, tints: &[], depth: &depth, shadow: &shadow };
        let (mut compared, mut covered) = (0, 0);
        for (at, light) in h.read::<u32>("light")?.iter().enumerate() {
            if owner[at] < 2 || owner[at] == NOBODY {
                t.equal("pixel of another", &[*light], &[5]);
                continue;
            }
            covered += 1;
            t.equal("cover of pixel", &[light >> 24], &[255]);
            let (x, y) = (at as u32 % ground.size, at as u32 / ground.size);
            let (origin, d) = ray(&view, x, y);
            let own = scene.facets.facets[owner[at] as usize - 2].tint;
            let mut doubt = Doubt(false);
            let wanted = shading.reflected((x, y), origin + f64::from(depth[at]) * d, normal[at], own, &mut doubt);
            if !doubt.0 {
                compared += 1;
                for (got, wanted) in light.to_le_bytes().into_iter().zip(wanted) {
                    t.off("pixel", at, (f64::from(got) - 255.0 * wanted.clamp(0.0, 1.0).sqrt()).abs());
                }
            }
        }
        let few = || Err(format!("rounding decides all but {compared} of {covered} pixels"));
        t.hold(if 2 * compared > covered { Ok(()) } else { few() });
    }
    Ok(())
}
