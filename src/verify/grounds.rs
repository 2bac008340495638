//! Surfaces of triangles and bodies at them, for the checks of `surface` and `wide`.

use super::cloud::{CODE, Cloud, RADIUS_MAX, direction, random};
use super::harness::Harness;
use crate::base::error::Result;
use crate::base::fixed_point;
use crate::base::units::{DISPLACEMENT_BITS, POSITION_BITS};
use crate::engine::gpu::parts::surface::{SurfaceTables, footprint};
use crate::geometry::solids::cuboid_facets;
use crate::geometry::surface::Surface;
use crate::gpu::constants::PHASE_RUNS;
use crate::gpu::elements::control::Control;
use crate::gpu::layout::Params;
use crate::model::body::Bodies;
use crate::model::scenario::SurfaceLaw;
use crate::physics::contacts::Moving;
use crate::physics::surface::ground::Ground;
use crate::physics::surface::touch::deepest;
use glam::DVec3;
use rand::RngExt;

pub(super) const SURFACE_LAWS: [SurfaceLaw; 2] = [SurfaceLaw::AreaWeighted, SurfaceLaw::ClosestFeature];

/// Facets much larger than the bodies, far from the origin; and smaller ones.
pub(super) fn grounds(law: SurfaceLaw) -> [Ground; 2] {
    [(2000.0, 3, 0.2), (6.0, 18, 0.02)].map(|(size, parts, rough)| ground(law, size, parts, rough))
}

/// A rough sphere of a radius (L), of 12 `parts`^2 facets.
pub(super) fn ground(law: SurfaceLaw, size: f64, parts: usize, rough: f64) -> Ground {
    let mut random = random(parts as u64);
    let (vertices, triangles) = cuboid_facets(DVec3::ONE, parts);
    let vertex = |v: &DVec3| size * v.normalize() * (1.0 + rough * random.random_range(-1.0..1.0));
    Ground::new(&Surface::new("check", vertices.iter().map(vertex).collect(), triangles), 1, law)
}

/// Bodies outside a ground, `depth` in the plane of one of its facets, many of them near a side or a corner.
pub(super) fn bodies(ground: &Ground, n: usize, depth: impl Fn(usize) -> f64, seed: u64) -> Cloud {
    sized(ground, n, 8.0, depth, seed)
}

/// The same, with radii up to so many times smaller than the largest.
pub(super) fn sized(ground: &Ground, n: usize, smaller: f64, depth: impl Fn(usize) -> f64, seed: u64) -> Cloud {
    let mut random = random(seed);
    let mut bodies = vec![];
    while bodies.len() < n {
        let facet = &ground.facets[random.random_range(0..ground.facets.len())];
        let r = f64::from(CODE.radius(RADIUS_MAX / random.random_range(1.0..smaller)));
        let rare = 10f64.powf(random.random_range(-6.0..0.0));
        let share = [random.random_range(0.0..1.0), rare, random.random_range(0.0..1.0f64).powi(4)];
        let foot = (0..3).map(|k| facet.corner[k] * share[k]).sum::<DVec3>() / share.iter().sum::<f64>();
        let centre = foot + (r - depth(bodies.len())) * facet.normal;
        if !ground.holds(centre) && deepest(&ground.met(centre, r)) < 0.2 * r {
            bodies.push((centre, r));
        }
    }
    let mut cloud = Cloud::new("bodies at a surface", bodies).moving(2e-5, seed);
    for (k, body) in cloud.bodies.iter_mut().enumerate() {
        body.spin = (1e-4 * direction(&mut random)).to_array().map(|w| CODE.angle(w));
        body.material = (k % 2) as u32;
    }
    cloud
}

/// The bodies in f64 as the integers have them; the time step is 1.
pub(super) fn exact(cloud: &Cloud) -> (Bodies, Vec<Moving>) {
    let of = |f: &dyn Fn(&crate::gpu::layout::BodyWords) -> f64| cloud.bodies.iter().map(f).collect::<Vec<_>>();
    let moving = cloud.bodies.iter().map(|b| {
        let (velocity, spin) = (fixed_point::vector(b.velocity, DISPLACEMENT_BITS), b.seen_spin());
        let position = fixed_point::vector(b.position, POSITION_BITS);
        Moving { position, velocity, spin, velocity_now: velocity, spin_now: spin, held: DVec3::ZERO }
    });
    let moving: Vec<_> = moving.collect();
    let bodies = Bodies {
        id: (0..cloud.len() as u32).collect(),
        position_m: moving.iter().map(|m| m.position).collect(),
        velocity_m_s: moving.iter().map(|m| m.velocity).collect(),
        spin_rad_s: moving.iter().map(|m| m.spin).collect(),
        radius_m: of(&|b| b.radius.into()),
        mass_kg: of(&|b| 1.0 / f64::from(b.inverse_mass)),
        material: cloud.bodies.iter().map(|b| b.material).collect(),
        polyhedra: None,
    };
    (bodies, moving)
}

/// Indices of the facets within `reach` of the surface of every body, in the order of the tree.
pub(super) fn near(ground: &Ground, cloud: &Cloud, reach: f64) -> Vec<Vec<u32>> {
    let (bodies, _) = exact(cloud);
    let row = |b: usize| {
        let (p, reach) = (bodies.position_m[b], bodies.radius_m[b] + reach);
        let within = |k: &u32| ground.facets[*k as usize].closest(p).distance(p) < reach;
        (0..ground.facets.len() as u32).filter(within).collect()
    };
    (0..cloud.len()).map(row).collect()
}

/// Walls whose results lie before those of the surface.
pub(super) const WALLS: usize = 2;

pub(super) fn surface_params(ground: &Ground, cloud: &Cloud) -> Params {
    let surface_material = ground.material as u32;
    Params { material_count: 2, has_surface: 1, surface_material, wall_count: WALLS as u32, ..cloud.params() }
}

pub(super) fn fill(h: &mut Harness, ground: &Ground, cloud: &Cloud) -> Result<()> {
    h.choose("footprint", footprint(ground.law).to_owned());
    h.uniform("params", &surface_params(ground, cloud))?;
    h.fill("body_state", &cloud.state())?;
    h.fill("body_view", &cloud.view())?;
    let tables = SurfaceTables::new(&ground.tree, &CODE);
    h.fill("surface_node", &tables.nodes)?;
    h.fill("surface_face", &tables.faces)
}

/// Control words of a step that runs.
pub(super) fn running() -> Control {
    Control { step: 9, phase: PHASE_RUNS, fault_index: u32::MAX, ..Control::default() }
}
