//! Bodies of the last frame of another run: positions, radii or shapes, velocities and spins, without the history of contacts.

use super::entry::{Entry, Group};
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::reader::Table;
use crate::base::reader::key::Key;
use crate::model::body::Bodies;
use crate::model::generator::{Generate, Generator, Keeps, SourcePath, Take, Whole};
use crate::model::scenario::{Material, Scenario};
use crate::model::stored::frames::{last_frame, read_frame};
use crate::model::stored::resolved::{FILE, Resolved};
use crate::physics::measure::aggregates::components;
use crate::physics::measure::links::{TOLERANCE, by_gap};
use crate::scenario::paths::run_at;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;
use std::path::Path;

pub(super) const ENTRY: Entry = Entry::new(
    "frame",
    "the bodies of the last frame of another run, without the history of their contacts",
    &[
        Key::text("path").required().says("directory of the run").eg("\"runs/rubble_pile\""),
        Key::flag("largest_aggregate").says("takes only the bodies of the heaviest aggregate").eg("true"),
    ],
    read,
);

/// Its values.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "generator", rename = "frame")]
struct Frame {
    /// run directory
    path: String,
    /// bodies keep their materials, found by name; else all have that of the group
    keep_materials: bool,
    /// only those that are connected to the heaviest aggregate by gaps below a hundredth of the mean radius
    largest_aggregate: bool,
}

fn read(t: &Table, group: &Group) -> Generator {
    Generator::new(Frame {
        path: run_at(t, t.text("path").unwrap_or_default(), group.folder),
        keep_materials: !t.has("material"),
        largest_aggregate: t.flag("largest_aggregate"),
    })
}

impl Generate for Frame {
    fn keeps(&self) -> Keeps {
        Keeps { shapes: true, materials: self.keep_materials }
    }

    fn sources(&mut self) -> Vec<SourcePath<'_>> {
        vec![SourcePath { key: "path".into(), path: &mut self.path, run: true }]
    }

    fn place(&self, _: &Scenario, _: usize, _: &mut Pcg64Mcg, _: &mut dyn Take) -> Result<()> {
        Ok(())
    }

    fn whole(&self, scenario: &Scenario, _: usize) -> Result<Option<Whole>> {
        let all = read_frame(&last_frame(Path::new(&self.path))?, "generator = \"frame\"", &["velocity", "spin"])?;
        let bodies = if self.largest_aggregate { heaviest_aggregate(&all) } else { all };
        let materials = match self.keep_materials {
            true => own_materials(&self.path, &bodies.material, &scenario.materials)?,
            false => None,
        };
        Ok(Some(Whole { bodies, materials }))
    }
}

/// Bodies of the heaviest aggregate, connected by small gaps.
fn heaviest_aggregate(all: &Bodies) -> Bodies {
    let parts = components(all.len(), &by_gap(all, TOLERANCE));
    let mass = |part: &Vec<usize>| part.iter().map(|k| all.mass_kg[*k]).sum::<f64>();
    let heaviest = parts.iter().rev().max_by(|a, b| mass(a).total_cmp(&mass(b)));
    heaviest.map_or_else(Bodies::default, |part| all.select(part))
}

/// The scenario's materials of the same names as the run's; `None` if the scenario has one, and nothing tells those of the run.
fn own_materials(path: &str, of_body: &[u32], materials: &[Material]) -> Result<Option<Vec<usize>>> {
    if materials.len() == 1 && !Path::new(path).join(FILE).exists() {
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
