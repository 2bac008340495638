//! Makes the bodies that a scenario describes. Same seed, same bodies, on every machine.

use super::apart::Apart;
use super::collision::arrange;
use super::model::*;
use super::reader::LENGTH_MAX_M;
use super::shape::Maker;
use super::site;
use crate::analysis::aggregates::components;
use crate::analysis::links::{TOLERANCE, by_gap};
use crate::body::{Bodies, Polyhedra};
use crate::error::{Error, Result};
use crate::output::frames::{last_frame, read_f64, read_frame};
use crate::output::resolved::Resolved;
use glam::{DQuat, DVec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::f64::consts::PI;
use std::ops::Range;
use std::path::Path;

/// Tries for all bodies together before the container of random seeding grows (Guidos et al. 2024, section 2.6).
pub(super) const TRIES: usize = 200;

/// Bodies of all groups, ids in order of generation, where the scenario places them.
pub fn generate(scenario: &Scenario) -> Result<Bodies> {
    Ok(arranged(scenario)?.0)
}

/// The same, and what their collision is if they are to collide.
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
    for (g, group) in scenario.bodies.iter().enumerate() {
        let Made { items, own, polyhedra } = items(scenario, g, &mut rng)?;
        groups.push(bodies.len()..bodies.len() + items.len());
        shapes.group();
        let first = polyhedra.as_ref().map_or(0, |p| shapes.take(&p.shapes));
        let placed = group.generator.places_at_random();
        for (k, mut i) in items.into_iter().enumerate() {
            let material = own.as_ref().map_or(group.material, |m| m[k]);
            let density = scenario.materials[material].density_kg_m3;
            let mut volume_m3 = 4.0 / 3.0 * PI * i.radius_m.powi(3);
            let made = match (&group.shape, &polyhedra) {
                (Some(shape), _) => {
                    let made = shapes.add(shape, &i, placed, &mut rng);
                    Some(made.map_err(|e| shape_fault(&scenario.name, g, shape, &e))?)
                }
                (None, Some(p)) => Some(shapes.keep(first + p.shape[k], p.orientation[k])),
                (None, None) => None,
            };
            if let Some(made) = made {
                (i.radius_m, volume_m3) = (made.radius_m, made.volume_m3);
                i.position_m += made.offset_m;
            }
            bodies.id.push(bodies.id.len() as u32);
            bodies.position_m.push(i.position_m);
            bodies.velocity_m_s.push(i.velocity_m_s);
            bodies.spin_rad_s.push(i.spin_rad_s);
            bodies.radius_m.push(i.radius_m);
            bodies.mass_kg.push(density * volume_m3);
            bodies.material.push(material as u32);
        }
    }
    bodies.polyhedra = shapes.finish(&scenario.name, bodies.len())?;
    Ok((bodies, groups))
}

/// What is wrong with a shape that the scenario gives, by its key.
fn shape_fault(name: &str, group: usize, shape: &ShapeSpec, error: &Error) -> Error {
    let key = match shape.kind {
        ShapeKind::Mesh { .. } | ShapeKind::Objects { .. } => "path",
        ShapeKind::Points { .. } => "points_m",
        ShapeKind::Box { .. } => "size_m",
        ShapeKind::Clump { .. } => "parts",
        ShapeKind::Regular { .. } | ShapeKind::Grain { .. } => "kind",
    };
    let way_out = match error {
        Error::Io { .. } => "; give an OBJ file, its path counted from the scenario's folder",
        _ => "",
    };
    Error::Usage(format!("{name}: bodies.{group}.shape.{key}: {error}{way_out}"))
}

/// Bodies of a group.
struct Made {
    items: Vec<ListItem>,
    /// their materials where these are not the group's
    own: Option<Vec<usize>>,
    /// what they were in another run
    polyhedra: Option<Polyhedra>,
}

fn items(scenario: &Scenario, group: usize, rng: &mut Pcg64Mcg) -> Result<Made> {
    let items = match &scenario.bodies[group].generator {
        Generator::Lattice { count, cells, grid_spacing_m, radius } => {
            let side = || (1..).find(|s: &usize| s * s * s >= *count).unwrap_or(1);
            lattice(*count, cells.unwrap_or_else(|| [side(); 3]), *grid_spacing_m, radius, rng)
        }
        Generator::Sphere { count, container_radius_m, radius } => sphere(*count, *container_radius_m, radius, rng),
        Generator::List { items } => items.clone(),
        Generator::File { path } => from_file(path)?,
        Generator::Site(site) => site::place(site, scenario, group, rng)?,
        Generator::Frame { path, keep_materials, largest_aggregate } => {
            return from_frame(path, [*keep_materials, *largest_aggregate], scenario, group);
        }
    };
    Ok(Made { items, own: None, polyhedra: None })
}

pub(super) fn at_rest(position_m: DVec3, radius_m: f64) -> ListItem {
    ListItem { position_m, radius_m, velocity_m_s: DVec3::ZERO, spin_rad_s: DVec3::ZERO, orientation: DQuat::IDENTITY }
}

/// One body in each cell of a box of cells, layer by layer from below, shaken inside its cell; the box is centred on the
/// origin.
fn lattice(count: usize, cells: [usize; 3], spacing: f64, sizes: &Sizes, rng: &mut Pcg64Mcg) -> Vec<ListItem> {
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
    (0..count).map(place).collect()
}

/// Random in a sphere without overlap: a body that touches another is moved, `TRIES` rounds for all; then the sphere
/// grows by the largest diameter and all start again.
fn sphere(count: usize, container: f64, sizes: &Sizes, rng: &mut Pcg64Mcg) -> Vec<ListItem> {
    let radii = sizes.all(count, rng);
    let mut room = container.max(sizes.max_m() * 1.001);
    loop {
        if let Some(places) = seed_sphere(&radii, room, rng) {
            return places.into_iter().zip(radii).map(|(p, r)| at_rest(p, r)).collect();
        }
        room += 2.0 * sizes.max_m();
    }
}

fn seed_sphere(radii: &[f64], room: f64, rng: &mut Pcg64Mcg) -> Option<Vec<DVec3>> {
    let mut apart = Apart::new(radii.iter().copied().fold(0.0, f64::max));
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
            apart.add(p, r);
        }
    }
    Some(apart.into_places())
}

fn row(values: &[f64]) -> Option<ListItem> {
    let vector = |k: usize| DVec3::new(values[k], values[k + 1], values[k + 2]);
    let mut item = match values.len() {
        4 | 7 | 10 if values[3] > 0.0 && values.iter().all(|v| v.abs() <= LENGTH_MAX_M) => {
            at_rest(vector(0), values[3])
        }
        _ => return None,
    };
    if values.len() >= 7 {
        item.velocity_m_s = vector(4);
    }
    if values.len() == 10 {
        item.spin_rad_s = vector(7);
    }
    Some(item)
}

/// True of a line of names: in the order of the columns if it names them as they are named here.
fn is_header(line: &str) -> bool {
    let cells: Vec<&str> = line.split(',').map(|c| c.trim().trim_matches('"')).collect();
    let known = ["x", "y", "z", "radius", "vx", "vy", "vz", "wx", "wy", "wz"];
    let in_place = |(k, cell): (usize, &&str)| known.iter().position(|name| name == cell).is_none_or(|at| at == k);
    cells.len() > 1
        && cells.iter().all(|c| c.starts_with(char::is_alphabetic))
        && cells.iter().enumerate().all(in_place)
}

/// Columns x y z radius [vx vy vz [wx wy wz]] in SI, from .npy (float64, two-dimensional) or .csv.
fn from_file(path: &str) -> Result<Vec<ListItem>> {
    let bad = |line: usize, what: &str| {
        Error::Usage(format!(
            "{path}: row {line}: {what}; columns are x y z radius [vx vy vz [wx wy wz]] in SI, 4, 7 or 10 of them"
        ))
    };
    let rows: Vec<(usize, Vec<f64>)> = if path.ends_with(".npy") {
        let (data, shape) = read_f64(Path::new(path))?;
        let [_, columns] = shape.as_slice() else {
            return Err(bad(0, "the array is not two-dimensional"));
        };
        data.chunks((*columns).max(1)).map(<[f64]>::to_vec).enumerate().map(|(k, r)| (k + 1, r)).collect()
    } else {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, e))?;
        let text = text.trim_start_matches('\u{feff}');
        let filled = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
        let mut rows = vec![];
        for (place, (k, line)) in filled.enumerate() {
            let cells: std::result::Result<Vec<f64>, _> = line.split(',').map(|c| c.trim().parse()).collect();
            match cells {
                Ok(cells) => rows.push((k + 1, cells)),
                Err(_) if place == 0 && is_header(line) => {}
                Err(_) => return Err(bad(k + 1, "a cell is no number, or cells are not separated by commas")),
            }
        }
        rows
    };
    rows.iter().map(|(k, r)| row(r).ok_or_else(|| bad(*k, "the row does not fit"))).collect()
}

/// Bodies of a run's last frame, and their materials here if they keep theirs.
fn from_frame(
    path: &str,
    [keep_materials, largest_aggregate]: [bool; 2],
    scenario: &Scenario,
    group: usize,
) -> Result<Made> {
    if !Path::new(path).join("frames").is_dir() {
        return Err(no_run(path, scenario, group));
    }
    let frame = last_frame(Path::new(path))?;
    let all = read_frame(&frame)?;
    let b = if largest_aggregate { heaviest_aggregate(&all) } else { all };
    let item = |k: usize| ListItem {
        position_m: b.position_m[k],
        radius_m: b.radius_m[k],
        velocity_m_s: b.velocity_m_s[k],
        spin_rad_s: b.spin_rad_s[k],
        orientation: DQuat::IDENTITY,
    };
    let items = (0..b.len()).map(item).collect();
    let own = if keep_materials { own_materials(path, &b.material, &scenario.materials)? } else { None };
    Ok(Made { items, own, polyhedra: b.polyhedra })
}

/// Bodies that hang together by small gaps, of the heaviest such aggregate.
fn heaviest_aggregate(all: &Bodies) -> Bodies {
    let parts = components(all.len(), &by_gap(all, TOLERANCE));
    let mass = |part: &Vec<usize>| part.iter().map(|k| all.mass_kg[*k]).sum::<f64>();
    let heaviest = parts.iter().rev().max_by(|a, b| mass(a).total_cmp(&mass(b)));
    heaviest.map_or_else(Bodies::default, |part| all.select(part))
}

/// A frame is wanted of a run that was not made yet.
fn no_run(path: &str, scenario: &Scenario, group: usize) -> Error {
    let leaves = |name: &String| path == format!("runs/{name}");
    let made = super::built_in().into_iter().map(|b| b.name).find(leaves);
    let first = made.map_or("make the run first".into(), |name| format!("make it first with `breccia run {name}`"));
    Error::Data(format!(
        "{}: bodies.{group}.path: {path} holds no run whose last frame could be taken; {first}, or name another with --set bodies.{group}.path=DIRECTORY",
        scenario.name
    ))
}

/// The scenario's materials of the same names as the run's; `None` where its only one stands for the only one of the run.
fn own_materials(path: &str, of_body: &[u32], materials: &[Material]) -> Result<Option<Vec<usize>>> {
    if materials.len() == 1 && of_body.windows(2).all(|m| m[0] == m[1]) {
        return Ok(None);
    }
    let run = Resolved::read(Path::new(path))?;
    let here = |m: &u32| {
        let name = run.material(*m)?.name.as_str();
        materials.iter().position(|own| own.name == name).ok_or_else(|| {
            Error::Usage(format!(
                "{path}: holds bodies of `{name}`; add a [[material]] of that name, or give the group the `material` that all are to have"
            ))
        })
    };
    of_body.iter().map(here).collect::<Result<_>>().map(Some)
}
