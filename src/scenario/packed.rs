//! What the generators of a scenario have made: packing and overlaps, and a table of the bodies that the generator `file`
//! reads.

use super::generate::generate_groups;
use super::generators::file::{COLUMNS, MATERIAL, si};
use super::overlap::worst_overlap;
use crate::base::disk::write_new;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::geometry::mass::ball_m3;
use crate::model::body::Bodies;
use crate::model::scenario::{Material, Scenario};
use crate::model::stored::arrays::npy_bytes;
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

/// What was made.
#[derive(Debug, Clone, Serialize)]
pub struct Packed {
    /// all together
    pub bodies: usize,
    /// all together (kg)
    pub mass_kg: f64,
    /// smallest and largest radius (m)
    pub radius_m: [f64; 2],
    /// deepest overlap of two bodies over the smaller radius; 0: none overlaps
    pub overlap_max: f64,
    /// group by group
    pub groups: Vec<Group>,
    /// by materials that bodies have, in the order of the scenario
    pub materials: Vec<Share>,
}

/// A group of bodies.
#[derive(Debug, Clone, Serialize)]
pub struct Group {
    /// in it
    pub bodies: usize,
    /// of its bodies (m3)
    pub solid_m3: f64,
    /// of the spheres around its bodies, which are the bodies themselves if they are spheres (m3)
    pub spheres_m3: f64,
    /// what it fills, if it fills a container
    pub filled: Option<Filled>,
}

/// A container that was filled.
#[derive(Debug, Clone, Serialize)]
pub struct Filled {
    /// of the container (m3)
    pub volume_m3: f64,
    /// volume of the bodies over it
    pub packing: f64,
    /// 1 less the packing
    pub porosity: f64,
}

/// What is of one material.
#[derive(Debug, Clone, Serialize)]
pub struct Share {
    /// its name
    pub material: String,
    /// of it
    pub bodies: usize,
    /// of it (kg)
    pub mass_kg: f64,
}

/// Makes the bodies of a scenario and measures them.
pub fn packed(scenario: &Scenario) -> Result<(Bodies, Packed)> {
    let (bodies, ranges) = generate_groups(scenario)?;
    if bodies.is_empty() {
        return Err(scenario.fault("bodies", "the generators made no bodies", "raise a count, or add a group").into());
    }
    let groups =
        ranges.iter().enumerate().map(|(g, range)| group(scenario, g, &bodies, range)).collect::<Result<_>>()?;
    let (least, most) = bodies.radius_m.iter().fold((f64::INFINITY, 0.0f64), |(a, b), r| (a.min(*r), b.max(*r)));
    let report = Packed {
        bodies: bodies.len(),
        mass_kg: bodies.total_mass_kg(),
        radius_m: [least, most],
        overlap_max: worst_overlap(&bodies, 0.0).map_or(0.0, |(_, _, overlap)| overlap),
        groups,
        materials: shares(scenario, &bodies),
    };
    Ok((bodies, report))
}

fn group(scenario: &Scenario, g: usize, bodies: &Bodies, range: &Range<usize>) -> Result<Group> {
    let solid_m3: f64 = range.clone().map(|k| bodies.volume_m3(k)).sum();
    let filled = scenario.bodies[g].generator.container_m3(scenario, g)?.map(|volume_m3| {
        let packing = solid_m3 / volume_m3;
        Filled { volume_m3, packing, porosity: 1.0 - packing }
    });
    let spheres_m3 = range.clone().map(|k| ball_m3(bodies.radius_m[k])).sum();
    Ok(Group { bodies: range.len(), solid_m3, spheres_m3, filled })
}

fn shares(scenario: &Scenario, bodies: &Bodies) -> Vec<Share> {
    let none = |m: &Material| Share { material: m.name.clone(), bodies: 0, mass_kg: 0.0 };
    let mut list: Vec<Share> = scenario.materials.iter().map(none).collect();
    for (material, mass_kg) in bodies.material.iter().zip(&bodies.mass_kg) {
        let share = &mut list[*material as usize];
        share.bodies += 1;
        share.mass_kg += mass_kg;
    }
    list.retain(|share| share.bodies > 0);
    list
}

/// Writes a table that `generator = "file"` reads: .csv, which names materials, or .npy, which has room for one.
pub fn write_table(path: &Path, scenario: &Scenario, bodies: &Bodies, overwrite: bool) -> Result<()> {
    write_new(path, &table(path, scenario, bodies)?, overwrite)
}

/// Refuses what no table can hold, as far as it shows before the bodies are made.
pub fn refuse_unfit(path: &Path, scenario: &Scenario) -> Result<()> {
    refuse_table(path)?;
    if scenario.bodies.iter().any(|group| group.shape.is_some()) { Err(shaped(path)) } else { Ok(()) }
}

fn shaped(path: &Path) -> Error {
    let remedy = "run the scenario, and take its bodies with generator = \"frame\"";
    Fault::new("a table holds spheres, and these bodies have shapes").remedy(remedy).path(path).into()
}

/// Refuses a file whose name is that of no table.
pub fn refuse_table(path: &Path) -> Result<()> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("csv" | "npy") => Ok(()),
        _ => Err(Fault::new("unknown format of a table").remedy("end the name with .csv or .npy").path(path).into()),
    }
}

fn table(path: &Path, scenario: &Scenario, bodies: &Bodies) -> Result<Vec<u8>> {
    refuse_table(path)?;
    if bodies.polyhedra.is_some() {
        return Err(shaped(path));
    }
    if path.extension().is_some_and(|e| e == "csv") {
        return Ok(text(scenario, bodies).into_bytes());
    }
    if bodies.material.windows(2).any(|m| m[0] != m[1]) {
        let remedy = "end the name with .csv, which names the material of each";
        return Err(Fault::new("the bodies have several materials, which an array does not hold")
            .remedy(remedy)
            .path(path)
            .into());
    }
    let rows = (0..bodies.len()).flat_map(|k| row(bodies, k)).collect();
    npy_bytes(&[bodies.len() as u64, COLUMNS.len() as u64], rows).map_err(|e| Error::io(path, e))
}

fn row(b: &Bodies, k: usize) -> [f64; COLUMNS.len()] {
    let ([x, y, z], [vx, vy, vz], [wx, wy, wz]) =
        (b.position_m[k].to_array(), b.velocity_m_s[k].to_array(), b.spin_rad_s[k].to_array());
    [x, y, z, b.radius_m[k], vx, vy, vz, wx, wy, wz]
}

fn text(scenario: &Scenario, bodies: &Bodies) -> String {
    let names = COLUMNS.iter().map(|(name, dimension)| format!("{name}_{}", si(*dimension)));
    let mut text = names.chain([MATERIAL.to_owned()]).collect::<Vec<_>>().join(",") + "\n";
    for (k, material) in bodies.material.iter().enumerate() {
        for value in row(bodies, k) {
            let _ = write!(text, "{value},"); // to a string nothing can fail
        }
        text += &scenario.materials[*material as usize].name;
        text.push('\n');
    }
    text
}
