//! Reads the tables of a scenario. Nothing is silently defaulted that changes the physics of a material.

use super::asteroid::asteroid;
use super::gravity::{consistent, gravity};
use super::material::material;
use super::method::{method, soft_law, spin_up};
use super::paths::{run_at, stem};
use super::place::placing;
use super::region::region;
use super::shape::{shape, turn};
use super::sizes::{bounds, sizes};
use super::wall::walls;
use super::{collision, rest, site};
use crate::base::error::{Error, Result};
use crate::base::quantity::Dimension as D;
use crate::base::reader::{Reader, Table};
use crate::model::quantities::QUANTITIES;
use crate::model::scenario::*;
use crate::model::sizes::RadiusRange;
use crate::physics::laws::{self, LAWS};
use glam::DVec3;
use std::collections::{BTreeSet, HashSet};
use std::path::Path;

/// Most bodies of one generator, and of all: more than any device holds, few enough that a typing error is reported at
/// once.
const COUNT_MAX: u64 = 20_000_000;

/// Most materials: each pair of them has its law.
const MATERIALS_MAX: usize = 256;

/// Scenario from TOML text; `file` is named in messages, paths count from its folder. Every fault is listed in one error.
pub fn parse(text: &str, file: &str, overrides: &[String]) -> Result<Scenario> {
    parse_in(text, file, Path::new(file).parent().unwrap_or(Path::new("")), overrides)
}

/// As [`parse`], with the folder to which paths are relative; "" leaves paths as they are typed.
pub fn parse_in(text: &str, file: &str, folder: &Path, overrides: &[String]) -> Result<Scenario> {
    let document = toml_edit::Document::parse(text.to_owned()).map_err(|e| {
        let line = e.span().map_or(1, |s| 1 + text[..s.start.min(text.len())].matches('\n').count());
        Error::Usage(format!("{file}:{line}: {}", e.message()))
    })?;
    let reader = Reader::new(file, text, overrides);
    let root = reader.root(&document);
    if root.count("format", None, 1..=u64::MAX) > 1 {
        root.fault("format", "this program reads format 1");
    }
    let [material_tables, wall_tables, region_tables] = ["material", "wall", "region"].map(|key| root.tables(key));
    let run_table = root.table("run");
    let method = method(&root, &run_table);
    let law = soft_law(&run_table, &method);
    let materials: Vec<Material> = material_tables.iter().map(|t| material(t, &method, law)).collect();
    unique_names(&material_tables, "material");
    unique_names(&wall_tables, "wall");
    unique_names(&region_tables, "region");
    if materials.is_empty() {
        root.fault("material", "no material; add a [[material]] table");
    }
    if materials.len() > MATERIALS_MAX {
        root.fault(
            "material",
            format!(
                "{} materials; at most {MATERIALS_MAX} are allowed, because each pair has its own law",
                materials.len()
            ),
        );
    }
    let seed = root.count("seed", Some(1), 0..=u64::MAX);
    let regions: Vec<Region> = region_tables.iter().map(region).collect();
    let scenario = Scenario {
        name: root.name("name").unwrap_or_else(|| stem(&root, file)),
        title: root.text("title").unwrap_or_default(),
        seed,
        run: run(&run_table, &method, law),
        spin_up: spin_up(&root),
        bodies: root.tables("bodies").iter().map(|t| bodies(t, &materials, folder)).collect(),
        collision: collision::collision(&root),
        gravity: root.tables("gravity").iter().filter_map(gravity).collect(),
        asteroid: asteroid(&root, &materials, folder, seed),
        walls: wall_tables.iter().flat_map(|t| walls(t, &materials, &method)).collect(),
        neighbours: neighbours(&root.table("neighbours")),
        output: output(&root.table("output")),
        guards: guards(&root.table("guards")),
        expect: expect(&root.table("expect"), &regions),
        regions,
        materials,
        method,
        source: Some(Source {
            text: text.to_owned(),
            file: file.to_owned(),
            folder: folder.to_owned(),
            set: overrides.to_vec(),
        }),
    };
    if scenario.bodies.is_empty() {
        root.fault("bodies", "no bodies; add a [[bodies]] table");
    }
    let together = scenario.bodies.iter().fold(0usize, |n, g| n.saturating_add(g.generator.count()));
    if together as u64 > COUNT_MAX {
        root.fault("bodies", format!("make {together} bodies together; at most {COUNT_MAX} are taken, lower a count"));
    }
    consistent(&root, &scenario);
    if scenario.asteroid.is_some() && !laws::of(law).knows_facets() {
        let name = law.as_str();
        let knowing: Vec<String> =
            LAWS.iter().filter(|law| law.knows_facets()).map(|law| format!("\"{}\"", law.name())).collect();
        root.fault(
            "asteroid",
            format!(
                "run.contact_law = \"{name}\" knows no contact with facets; remove the asteroid, or take {}",
                knowing.join(" or ")
            ),
        );
    }
    site::consistent(&root, &scenario);
    rest::consistent(&root, &scenario);
    collision::consistent(&root, &scenario);
    root.close();
    let faults = reader.finish();
    if faults.is_empty() { Ok(scenario) } else { Err(Error::Usage(faults.join("\n"))) }
}

fn run(t: &Table, method: &Method, contact_law: LawName) -> RunSpec {
    let automatic = !t.has("time_step_s") || t.text_if("time_step_s").as_deref() == Some("auto");
    let spec = RunSpec {
        duration_s: t.positive("duration_s", t.need("duration_s", D::Time)),
        time_step_s: if automatic {
            None
        } else {
            t.number("time_step_s", D::Time).map(|v| t.positive("time_step_s", v))
        },
        time_step_fraction: t.within(
            "time_step_fraction",
            t.number("time_step_fraction", D::Pure).unwrap_or(laws::of(contact_law).time_step_fraction()),
            1e-4,
            0.1,
        ),
        contact_law,
        stop_when: rest::stop_when(t),
    };
    let rigid = method.contact_dynamics().is_some();
    if rigid && automatic {
        let what = if t.has("time_step_s") { "\"auto\" has nothing to go by" } else { "is missing" };
        t.fault("time_step_s", format!("{what}: contact dynamics has no stiffness to take it from; type the largest step in which no body moves more than some percent of its diameter"));
    }
    if t.has("time_step_fraction") && rigid {
        t.fault("time_step_fraction", "is for method = \"soft_sphere\"; remove it");
    } else if t.has("time_step_fraction") && !automatic {
        t.fault("time_step_fraction", "stands beside a typed time_step_s, which it would not change; keep one");
    }
    if let Some(step) = spec.time_step_s.filter(|s| *s > spec.duration_s) {
        t.fault(
            "time_step_s",
            format!("{step} s is longer than the run, duration_s = {}; shorten it", spec.duration_s),
        );
    }
    t.close();
    spec
}

/// Bodies find their material, and rows their wall, by name.
fn unique_names(tables: &[Table], default: &str) {
    let names: Vec<String> = tables.iter().map(|t| t.text_if("name").unwrap_or_else(|| default.into())).collect();
    let mut taken = HashSet::new();
    for (t, name) in tables.iter().zip(&names).filter(|(_, name)| !taken.insert(name.as_str())) {
        t.fault("name", format!("\"{name}\" is taken; give every [[{default}]] its own name"));
    }
}

pub(super) fn material_index(t: &Table, materials: &[Material]) -> usize {
    let Some(name) = t.text("material") else {
        if materials.len() > 1 {
            t.fault("material", "is missing; there are several");
        }
        return 0;
    };
    let found = materials.iter().position(|m| m.name == name);
    found.unwrap_or_else(|| {
        t.fault(
            "material",
            format!("no material is called \"{name}\"; {}", t.hint(&name, materials.iter().map(|m| m.name.as_str()))),
        );
        0
    })
}

/// Bodies of a generator.
pub(super) fn count(t: &Table) -> usize {
    t.count("count", None, 1..=COUNT_MAX) as usize
}

/// A positive length, or two of them as a range.
pub(super) fn range(t: &Table, key: &str) -> RadiusRange {
    if t.is_table(key) {
        let r = t.table(key);
        let range = bounds(&r);
        r.close();
        range
    } else {
        let r = t.positive(key, t.need(key, D::Length));
        RadiusRange { min_m: r, max_m: r }
    }
}

/// Cells of a lattice along x, y, z that hold `count` bodies.
fn cells(t: &Table, count: usize) -> [usize; 3] {
    let typed = t.vector("cells", D::Pure).unwrap_or(DVec3::ONE).to_array();
    if typed.iter().any(|n| *n < 1.0 || n.fract() != 0.0 || *n > COUNT_MAX as f64) {
        t.fault("cells", "are no whole numbers of at least 1, along x, y and z");
    } else if typed.iter().product::<f64>() < count as f64 {
        t.fault(
            "cells",
            format!("are {} together and do not hold count = {count} bodies; add some", typed.iter().product::<f64>()),
        );
    }
    typed.map(|n| n.max(1.0) as usize)
}

fn bodies(t: &Table, materials: &[Material], folder: &Path) -> BodyGroup {
    let shape = shape(t, folder);
    let sized = shape.as_ref().is_some_and(ShapeSpec::sized);
    let kind = t.choice("generator", &["lattice", "sphere", "list", "file", "frame", "site"], None);
    let path = || {
        t.text("path").unwrap_or_else(|| {
            t.fault("path", "is missing");
            String::new()
        })
    };
    let generator = match kind.as_str() {
        "lattice" => {
            let count = t.count("count", None, 1..=COUNT_MAX) as usize;
            let g = Generator::Lattice {
                count,
                cells: t.has("cells").then(|| cells(t, count)),
                grid_spacing_m: t.positive("grid_spacing_m", t.need("grid_spacing_m", D::Length)),
                radius: sizes(t),
            };
            if let Generator::Lattice { grid_spacing_m, radius, .. } = &g
                && *grid_spacing_m < 2.0 * radius.max_m()
            {
                t.fault(
                    "grid_spacing_m",
                    format!("{grid_spacing_m} is below the largest diameter {}", 2.0 * radius.max_m()),
                );
            }
            g
        }
        "sphere" => Generator::Sphere {
            count: count(t),
            container_radius_m: t.positive("container_radius_m", t.need("container_radius_m", D::Length)),
            radius: sizes(t),
        },
        "list" => {
            let items: Vec<ListItem> = t.tables("body").iter().map(|t| item(t, shape.is_some(), sized)).collect();
            if items.is_empty() {
                t.fault("body", "the list is empty");
            }
            Generator::List { items }
        }
        "file" => Generator::File { path: folder.join(path()).to_string_lossy().into_owned() },
        "site" => Generator::Site(site::read(t)),
        _ => Generator::Frame {
            path: run_at(t, path(), folder),
            keep_materials: !t.has("material"),
            largest_aggregate: t.flag("largest_aggregate", false),
        },
    };
    if !matches!(generator, Generator::List { .. }) && sized {
        t.fault("shape", "a shape with a size of its own is for generator = \"list\"; add fit_radius = true, so that bodies are as large as their radii say, or take a grain or a regular solid");
    }
    if matches!(generator, Generator::Frame { .. }) && shape.is_some() {
        t.fault("shape", "stands beside generator = \"frame\", whose bodies are what they were; remove it");
    }
    let keeps = matches!(generator, Generator::Frame { keep_materials: true, .. });
    let group = BodyGroup {
        material: if keeps { 0 } else { material_index(t, materials) },
        generator,
        shape,
        placing: placing(t),
    };
    t.close();
    group
}

/// `shaped`: the body is a polyhedron; `sized`: one whose shape has a size of its own.
fn item(t: &Table, shaped: bool, sized: bool) -> ListItem {
    if !t.has("position_m") {
        t.fault("position_m", "is missing");
    }
    let item = ListItem {
        position_m: t.vector("position_m", D::Length).unwrap_or_default(),
        radius_m: if sized { 0.0 } else { t.positive("radius_m", t.need("radius_m", D::Length)) },
        velocity_m_s: t.vector("velocity_m_s", D::Speed).unwrap_or_default(),
        spin_rad_s: t.vector("spin_rad_s", D::AngularSpeed).unwrap_or_default(),
        orientation: turn(t),
    };
    if sized && t.has("radius_m") {
        t.fault("radius_m", "stands beside a shape that has its own size; remove it");
    }
    if !shaped && t.has("turn_deg") {
        t.fault("turn_deg", "turns a body that is a sphere; remove it, or give the group a shape");
    }
    t.close();
    item
}

fn neighbours(t: &Table) -> Neighbours {
    let n = Neighbours {
        skin_radii: t.within("skin_radii", t.number("skin_radii", D::Pure).unwrap_or(0.1), 0.001, SKIN_RADII_MAX),
        hash_ratio: t.within("hash_ratio", t.number("hash_ratio", D::Pure).unwrap_or(4.0), 0.5, 64.0),
    };
    t.close();
    n
}

fn output(t: &Table) -> OutputSpec {
    let o = OutputSpec {
        frames: t.count("frames", Some(50), 1..=1_000_000) as usize,
        series_rows: t.count("series_rows", Some(400), 1..=10_000_000) as usize,
        contacts: t.flag("contacts", false),
        checkpoint_minutes: t.positive("checkpoint_minutes", t.number("checkpoint_minutes", D::Pure).unwrap_or(10.0)),
    };
    t.close();
    o
}

fn guards(t: &Table) -> Guards {
    let share = t.number("energy_residual_max", D::Pure);
    let g = Guards {
        overlap_max: t.within("overlap_max", t.number("overlap_max", D::Pure).unwrap_or(0.25), 1e-4, 0.5),
        energy_residual_max: share.map(|share| t.within("energy_residual_max", share, 1e-3, 1e6)),
    };
    t.close();
    g
}

fn expect(t: &Table, regions: &[Region]) -> Vec<Expectation> {
    let in_regions = regions.iter().map(Region::quantity);
    let known: BTreeSet<String> = QUANTITIES.iter().map(|q| q.0.to_owned()).chain(in_regions).collect();
    let mut list = vec![];
    for quantity in t.keys() {
        let e = t.table(&quantity);
        if !known.contains(&quantity) {
            let close = t.hint(&quantity, known.iter().map(String::as_str));
            t.fault(&quantity, format!("unknown quantity; {close}"));
        }
        let absolute = e.has("tolerance_absolute");
        let key = if absolute { "tolerance_absolute" } else { "tolerance" };
        if !absolute && e.number("value", D::Pure) == Some(0.0) {
            e.fault("tolerance", "is relative to a value of 0 and allows nothing; give tolerance_absolute");
        }
        let source = e.text("source").unwrap_or_default();
        if source.is_empty() {
            e.fault("source", "is missing: say where the number comes from");
        }
        list.push(Expectation {
            value: e.need("value", D::Pure),
            tolerance: e.positive(key, e.need(key, D::Pure)),
            absolute,
            source,
            quantity,
        });
        e.close();
    }
    list
}
