//! Makes the bodies that a scenario describes. Same seed, same bodies, on every machine.

use super::apart::Apart;
use super::bundled::built_in;
use super::collision::arrange;
use super::shape::Maker;
use super::take::{TRIES, Take, at_rest};
use super::{site, table};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::model::body::Bodies;
use crate::model::scenario::*;
use crate::model::stored::frames::{last_frame, read_frame};
use crate::model::stored::resolved::Resolved;
use crate::physics::measure::aggregates::components;
use crate::physics::measure::links::{TOLERANCE, by_gap};
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;
use std::ops::Range;
use std::path::Path;

/// Bodies of all groups, ids in order of generation, where the scenario places them.
pub fn generate(scenario: &Scenario) -> Result<Bodies> {
    Ok(arranged(scenario)?.0)
}

/// Makes the bodies, and describes their collision if they are to collide.
pub fn arranged(scenario: &Scenario) -> Result<(Bodies, Option<Impact>)> {
    let (mut bodies, groups) = made(scenario)?;
    for (group, range) in scenario.bodies.iter().zip(&groups) {
        group.placing.apply(&mut bodies, range.clone());
    }
    let impact = scenario.collision.as_ref().map(|spec| arrange(scenario, spec, &mut bodies, &groups)).transpose()?;
    Ok((bodies, impact))
}

/// Bodies as their generators give them, and the place of each group among them.
fn made(scenario: &Scenario) -> Result<(Bodies, Vec<Range<usize>>)> {
    let mut rng = Pcg64Mcg::seed_from_u64(scenario.seed);
    let mut bodies = Bodies::default();
    let mut shapes = Maker::default();
    let mut groups = vec![];
    bodies.reserve(scenario.bodies.iter().map(|g| g.generator.count()).sum());
    for (g, group) in scenario.bodies.iter().enumerate() {
        let first = bodies.len();
        shapes.group();
        match (&group.shape, &group.generator) {
            (_, Generator::Frame { path, keep_materials, largest_aggregate }) => {
                let kept = from_frame(path, [*keep_materials, *largest_aggregate], scenario, g)?;
                keep(scenario, group.material, kept, &mut bodies, &mut shapes);
            }
            (Some(shape), _) => shaped(scenario, g, shape, &mut bodies, &mut shapes, &mut rng)?,
            (None, _) => {
                let density_kg_m3 = scenario.materials[group.material].density_kg_m3;
                let mut spheres = Spheres { bodies: &mut bodies, density_kg_m3, material: group.material };
                items(scenario, g, &mut rng, &mut spheres)?;
            }
        }
        groups.push(first..bodies.len());
    }
    bodies.polyhedra = shapes.finish(scenario, bodies.len())?;
    Ok((bodies, groups))
}

/// Bodies that are spheres at once.
struct Spheres<'a> {
    bodies: &'a mut Bodies,
    density_kg_m3: f64,
    material: usize,
}

impl Take for Spheres<'_> {
    fn room(&mut self, more: usize) {
        self.bodies.reserve(more);
    }

    fn take(&mut self, body: ListItem) {
        push(self.bodies, &body, self.density_kg_m3 * ball_m3(body.radius_m), self.material);
    }
}

fn ball_m3(radius_m: f64) -> f64 {
    4.0 / 3.0 * PI * radius_m.powi(3)
}

fn push(bodies: &mut Bodies, i: &ListItem, mass_kg: f64, material: usize) {
    bodies.id.push(bodies.id.len() as u32);
    bodies.position_m.push(i.position_m);
    bodies.velocity_m_s.push(i.velocity_m_s);
    bodies.spin_rad_s.push(i.spin_rad_s);
    bodies.radius_m.push(i.radius_m);
    bodies.mass_kg.push(mass_kg);
    bodies.material.push(material as u32);
}

/// Bodies of a group that has a shape: they are placed first, then shaped.
fn shaped(
    scenario: &Scenario,
    g: usize,
    shape: &ShapeSpec,
    bodies: &mut Bodies,
    shapes: &mut Maker,
    rng: &mut Pcg64Mcg,
) -> Result<()> {
    let group = &scenario.bodies[g];
    let (placed, material) = (group.generator.places_at_random(), &scenario.materials[group.material]);
    let mut list: Vec<ListItem> = vec![];
    items(scenario, g, rng, &mut list)?;
    for mut i in list {
        let made = shapes.add(shape, &i, placed, rng).map_err(|e| shape_fault(scenario, g, shape, &e))?;
        i.radius_m = made.radius_m;
        i.position_m += made.offset_m;
        push(bodies, &i, material.density_kg_m3 * made.volume_m3, group.material);
    }
    Ok(())
}

/// Bodies as they were in another run.
fn keep(scenario: &Scenario, material: usize, kept: Kept, bodies: &mut Bodies, shapes: &mut Maker) {
    let Kept { bodies: of, own } = kept;
    let first = of.polyhedra.as_ref().map_or(0, |p| shapes.take(&p.shapes));
    for k in 0..of.len() {
        let material = own.as_ref().map_or(material, |m| m[k]);
        let mut volume_m3 = ball_m3(of.radius_m[k]);
        let mut i = ListItem {
            velocity_m_s: of.velocity_m_s[k],
            spin_rad_s: of.spin_rad_s[k],
            ..at_rest(of.position_m[k], of.radius_m[k])
        };
        if let Some(p) = &of.polyhedra {
            let made = shapes.keep(first + p.shape[k], p.orientation[k]);
            (i.radius_m, volume_m3) = (made.radius_m, made.volume_m3);
        }
        push(bodies, &i, scenario.materials[material].density_kg_m3 * volume_m3, material);
    }
}

/// What is wrong with a shape that the scenario gives, by its key.
fn shape_fault(scenario: &Scenario, group: usize, shape: &ShapeSpec, error: &Error) -> Error {
    let key = match shape.kind {
        ShapeKind::Mesh { .. } | ShapeKind::Objects { .. } => "path",
        ShapeKind::Points { .. } => "points_m",
        ShapeKind::Box { .. } => "size_m",
        ShapeKind::Clump { .. } => "parts",
        ShapeKind::Regular { .. } | ShapeKind::Grain { .. } => "kind",
    };
    let remedy = match error {
        Error::Io { .. } => "give an OBJ file; its path is relative to the folder of the scenario",
        _ => "",
    };
    scenario.fault(&format!("bodies.{group}.shape.{key}"), error.to_string(), remedy).into()
}

/// Bodies of another run, and their materials here where these are not the group's.
struct Kept {
    bodies: Bodies,
    own: Option<Vec<usize>>,
}

/// Hands over the bodies of a group that its generator places, one by one: there may be many millions.
fn items(scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg, to: &mut dyn Take) -> Result<()> {
    match &scenario.bodies[group].generator {
        Generator::Lattice { count, cells, grid_spacing_m, radius } => {
            let side = || (1..).find(|s: &usize| s * s * s >= *count).unwrap_or(1);
            lattice(*count, cells.unwrap_or_else(|| [side(); 3]), *grid_spacing_m, radius, rng, to);
        }
        Generator::Sphere { count, container_radius_m, radius } => {
            sphere(*count, *container_radius_m, radius, rng, to);
        }
        Generator::List { items } => items.iter().cloned().for_each(|body| to.take(body)),
        Generator::File { path } => table::read(path, to)?,
        Generator::Site(site) => site::place(site, scenario, group, rng)?.into_iter().for_each(|body| to.take(body)),
        Generator::Frame { .. } => {} // its bodies are kept, not placed
    }
    Ok(())
}

/// One body in each cell of a box of cells, layer by layer from below, shaken inside its cell; the box is centred on the
/// origin.
fn lattice(count: usize, cells: [usize; 3], spacing: f64, sizes: &Sizes, rng: &mut Pcg64Mcg, to: &mut dyn Take) {
    let [nx, ny, _] = cells;
    let middle = 0.5 * (DVec3::from_array(cells.map(|n| n as f64)) - 1.0);
    let mut radii = sizes.draw(count, rng);
    let place = |k: usize| {
        let cell = DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
        let r = radii.next(rng);
        let room = 0.5 * spacing - r;
        let shake = DVec3::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0));
        at_rest((cell - middle) * spacing + room * shake, r)
    };
    (0..count).map(place).for_each(|body| to.take(body));
}

/// Random in a sphere without overlap: a body that touches another is moved, `TRIES` rounds for all; then the sphere
/// grows by the largest diameter and all start again.
fn sphere(count: usize, container: f64, sizes: &Sizes, rng: &mut Pcg64Mcg, to: &mut dyn Take) {
    let radii = sizes.all(count, rng);
    let mut room = container.max(sizes.max_m() * 1.001);
    loop {
        if let Some(places) = seed_sphere(&radii, room, rng) {
            return places.into_iter().zip(radii).for_each(|(p, r)| to.take(at_rest(p, r)));
        }
        room += 2.0 * sizes.max_m();
    }
}

fn seed_sphere(radii: &[f64], room: f64, rng: &mut Pcg64Mcg) -> Option<Vec<DVec3>> {
    let mut apart = Apart::new(radii);
    let mut tries = TRIES * radii.len();
    while apart.places().len() < radii.len() {
        if tries == 0 {
            return None;
        }
        tries -= 1;
        let r = radii[apart.places().len()];
        let p =
            DVec3::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0)) * room;
        if p.length() + r <= room {
            apart.add(p);
        }
    }
    Some(apart.into_places())
}

/// Bodies of a run's last frame, and their materials here if they keep theirs.
fn from_frame(
    path: &str,
    [keep_materials, largest_aggregate]: [bool; 2],
    scenario: &Scenario,
    group: usize,
) -> Result<Kept> {
    if !Path::new(path).join("frames").is_dir() {
        return Err(no_run(path, scenario, group));
    }
    let frame = last_frame(Path::new(path))?;
    let all = read_frame(&frame)?;
    let bodies = if largest_aggregate { heaviest_aggregate(&all) } else { all };
    let own = if keep_materials { own_materials(path, &bodies.material, &scenario.materials)? } else { None };
    Ok(Kept { bodies, own })
}

/// Bodies of the heaviest aggregate, connected by small gaps.
fn heaviest_aggregate(all: &Bodies) -> Bodies {
    let parts = components(all.len(), &by_gap(all, TOLERANCE));
    let mass = |part: &Vec<usize>| part.iter().map(|k| all.mass_kg[*k]).sum::<f64>();
    let heaviest = parts.iter().rev().max_by(|a, b| mass(a).total_cmp(&mass(b)));
    heaviest.map_or_else(Bodies::default, |part| all.select(part))
}

/// A frame is wanted of a run that was not made yet.
fn no_run(path: &str, scenario: &Scenario, group: usize) -> Error {
    let leaves = |name: &String| path == format!("runs/{name}");
    let made = built_in().into_iter().map(|b| b.name).find(leaves);
    let first = made.map_or("make the run first".into(), |name| format!("make it first with `breccia run {name}`"));
    let key = format!("bodies.{group}.path");
    let remedy = format!("{first}, or name another run with --set {key}=DIRECTORY");
    scenario.fault(&key, format!("{path} does not hold a run with frames"), remedy).data()
}

/// The scenario's materials of the same names as the run's; `None` if its only one replaces the only one of the run.
fn own_materials(path: &str, of_body: &[u32], materials: &[Material]) -> Result<Option<Vec<usize>>> {
    if materials.len() == 1 && of_body.windows(2).all(|m| m[0] == m[1]) {
        return Ok(None);
    }
    let run = Resolved::read(Path::new(path))?;
    let here = |m: &u32| {
        let name = run.material(*m)?.name.as_str();
        materials.iter().position(|own| own.name == name).ok_or_else(|| {
            let what = format!("holds bodies of the material `{name}`, which the scenario lacks");
            let remedy = "add a [[material]] of that name, or give the group a material for all its bodies";
            Fault::new(what).remedy(remedy).file(path).into()
        })
    };
    of_body.iter().map(here).collect::<Result<_>>().map(Some)
}
