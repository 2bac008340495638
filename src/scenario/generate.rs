//! Makes the bodies that a scenario describes. Same seed, same bodies, on every machine.

use super::collision::arrange;
use super::inputs::refuse_missing;
use super::shape::Maker;
use super::take::at_rest;
use crate::base::error::{Error, Result};
use crate::geometry::mass::ball_m3;
use crate::model::body::Bodies;
use crate::model::generator::{Take, Whole};
use crate::model::scenario::*;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::ops::Range;

/// Bodies of all groups, ids in order of generation, where the scenario places them.
pub fn generate(scenario: &Scenario) -> Result<Bodies> {
    Ok(placed(scenario)?.0)
}

/// The same, and where the bodies of each group are among them.
pub fn generate_groups(scenario: &Scenario) -> Result<(Bodies, Vec<Range<usize>>)> {
    placed(scenario).map(|(bodies, groups, _)| (bodies, groups))
}

/// Makes the bodies, lets walls that are to touch them do so, and describes the collision of bodies that are to collide.
pub fn arranged(scenario: &mut Scenario) -> Result<(Bodies, Option<Impact>)> {
    let (bodies, _, impact) = placed(scenario)?;
    scenario.walls.iter_mut().for_each(|wall| wall.touch(&bodies));
    Ok((bodies, impact))
}

fn placed(scenario: &Scenario) -> Result<(Bodies, Vec<Range<usize>>, Option<Impact>)> {
    refuse_missing(scenario)?;
    refuse_unknown_materials(scenario)?;
    let mut rng = Pcg64Mcg::seed_from_u64(scenario.seed);
    let (mut bodies, groups) = made(scenario, &mut rng)?;
    for (group, range) in scenario.bodies.iter().zip(&groups) {
        group.placing.apply(&mut bodies, range.clone(), &mut rng);
    }
    let impact = scenario.collision.as_ref().map(|spec| arrange(scenario, spec, &mut bodies, &groups)).transpose()?;
    Ok((bodies, groups, impact))
}

/// Refuses groups whose material is not in the list, which a program may have set.
fn refuse_unknown_materials(scenario: &Scenario) -> Result<()> {
    let there = scenario.materials.len();
    let Some(g) = scenario.bodies.iter().position(|group| group.material >= there) else { return Ok(()) };
    let what =
        format!("material {} is not there: the scenario has {there}, counted from 0", scenario.bodies[g].material);
    Err(scenario.fault(&format!("bodies.{g}.material"), what, "name one of them").into())
}

/// Bodies as their generators give them, and the range of each group among them.
fn made(scenario: &Scenario, rng: &mut Pcg64Mcg) -> Result<(Bodies, Vec<Range<usize>>)> {
    let mut bodies = Bodies::default();
    let mut shapes = Maker::default();
    let mut groups = vec![];
    bodies.reserve(scenario.bodies.iter().map(|g| g.generator.count()).sum());
    for (g, group) in scenario.bodies.iter().enumerate() {
        let first = bodies.len();
        shapes.group();
        match (group.generator.whole(scenario, g)?, &group.shape) {
            (Some(whole), _) => keep(scenario, group.material, whole, &mut bodies, &mut shapes),
            (None, Some(shape)) => shaped(scenario, g, shape, &mut bodies, &mut shapes, rng)?,
            (None, None) => {
                let materials = &scenario.materials;
                let mut spheres = Spheres { bodies: &mut bodies, materials, material: group.material };
                group.generator.place(scenario, g, rng, &mut spheres)?;
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
    materials: &'a [Material],
    /// of the group
    material: usize,
}

impl Take for Spheres<'_> {
    fn reserve(&mut self, more: usize) {
        self.bodies.reserve(more);
    }

    fn take(&mut self, body: ListItem) {
        let material = body.material.unwrap_or(self.material);
        push(self.bodies, &body, self.materials[material].density_kg_m3 * ball_m3(body.radius_m), material);
    }
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
    let placed = group.generator.places_at_random();
    let mut list: Vec<ListItem> = vec![];
    group.generator.place(scenario, g, rng, &mut list)?;
    for mut i in list {
        let made = shapes.add(shape, &i, placed, rng).map_err(|e| shape_fault(scenario, g, shape, &e))?;
        i.radius_m = made.radius_m;
        i.position_m += made.offset_m;
        let material = i.material.unwrap_or(group.material);
        push(bodies, &i, scenario.materials[material].density_kg_m3 * made.volume_m3, material);
    }
    Ok(())
}

/// Bodies as they were in another run.
fn keep(scenario: &Scenario, material: usize, whole: Whole, bodies: &mut Bodies, shapes: &mut Maker) {
    let Whole { bodies: of, materials } = whole;
    let first = of.polyhedra.as_ref().map_or(0, |p| shapes.take(&p.shapes));
    for k in 0..of.len() {
        let material = materials.as_ref().map_or(material, |m| m[k]);
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
