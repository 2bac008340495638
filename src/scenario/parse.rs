//! Reads the tables of a scenario. Nothing is silently defaulted that changes the physics of a material.

use super::asteroid::asteroid;
use super::bodies;
use super::bodies::bodies;
use super::collision;
use super::common::COUNT_MAX;
use super::expect::expect;
use super::gravity::{consistent, gravity};
use super::keys;
use super::material::material;
use super::method::{method, soft_law, spin_up};
use super::output::{self, output};
use super::paths::stem;
use super::region::region;
use super::rest;
use super::settings::{guards, neighbours, run};
use super::wall::walls;
use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::readable::as_name;
use crate::base::reader::{Reader, Table, not_toml};
use crate::model::scenario::*;
use crate::physics::laws::registry;
use crate::physics::laws::registry::{LAWS, all};
use std::collections::HashSet;
use std::path::Path;

/// Most materials: each pair of them has its law.
const MATERIALS_MAX: usize = 256;

/// Scenario from TOML text; `file` is named in messages, paths count from its folder. Every fault is listed in one error.
pub fn parse(text: &str, file: &str, overrides: &[String]) -> Result<Scenario> {
    parse_in(text, file, Path::new(file).parent().unwrap_or(Path::new("")), overrides)
}

/// Reads the text of a scenario with these keys changed, in the place of those that it names.
pub(super) fn parse_source(source: &Source, overrides: &[String]) -> Result<Scenario> {
    let Source { text, file, folder, law, .. } = source;
    let document = toml_edit::Document::parse(text.clone()).map_err(|e| not_toml(file, text, &e))?;
    if document.contains_key("scenario") && !document.contains_key("run") {
        return Err(Fault::new("is a campaign, not a scenario")
            .remedy("`breccia sweep` runs it")
            .path(Path::new(file))
            .into());
    }
    let reader = Reader::new(file, text, overrides);
    let scenario = read(&reader.root(&document, keys::KEYS), folder, law.as_deref());
    reader.finish().check()?;
    Ok(Scenario { source: Some(Source { set: overrides.to_vec(), ..source.clone() }), ..scenario })
}

/// Reads a scenario; paths count from `folder`, and with an empty one they are left as they are typed.
pub fn parse_in(text: &str, file: &str, folder: &Path, overrides: &[String]) -> Result<Scenario> {
    let (text, file, folder) = (text.to_owned(), file.to_owned(), folder.to_owned());
    parse_source(&Source { text, file, folder, set: vec![], law: None }, overrides)
}

/// Reads all tables; the faults are with the reader.
pub(super) fn read(root: &Table, folder: &Path, kept: Option<&Path>) -> Scenario {
    root.refuse_other_format();
    let [material_tables, wall_tables, region_tables] = ["material", "wall", "region"].map(|key| root.tables(key));
    let run_table = root.table("run");
    let method = method(root, &run_table);
    let law = soft_law(&run_table, &method, folder, kept);
    let materials: Vec<Material> = material_tables.iter().map(|t| material(t, &method, law.as_ref())).collect();
    let law = law.unwrap_or_else(|| LAWS[0].law.choice());
    unique_names(&material_tables, "material");
    unique_names(&wall_tables, "wall");
    unique_names(&region_tables, "region");
    let seed = root.count("seed");
    let regions: Vec<Region> = region_tables.iter().map(region).collect();
    let scenario = Scenario {
        name: root.name("name").unwrap_or_else(|| as_name(&stem(root, root.file()))),
        title: root.text("title").unwrap_or_default(),
        seed,
        run: run(&run_table, &method, law.clone()),
        spin_up: spin_up(root),
        bodies: root.tables("bodies").iter().map(|t| bodies(t, &materials, folder, seed)).collect(),
        collision: collision::collision(root),
        gravity: root.tables("gravity").iter().map(gravity).collect(),
        asteroid: asteroid(root, &materials, folder, seed),
        walls: wall_tables.iter().flat_map(|t| walls(t, &materials, &method)).collect(),
        neighbours: neighbours(&root.table("neighbours")),
        output: output(&root.table("output"), &regions),
        guards: guards(&root.table("guards")),
        expect: expect(root, &regions),
        regions,
        materials,
        method,
        source: None,
    };
    counts(root, &scenario);
    consistent(root, &scenario);
    if scenario.asteroid.is_some() && !registry::of(&law).knows_facets() {
        let knowing: Vec<String> =
            all().filter(|law| law.knows_facets()).map(|law| format!("\"{}\"", law.name())).collect();
        root.fault(
            "asteroid",
            format!("conflicts with run.contact_law = \"{}\", which has no contacts with facets", law.typed()),
            format!("remove it, or take {}", knowing.join(" or ")),
        );
    }
    bodies::consistent(root, &scenario);
    rest::consistent(root, &scenario);
    output::consistent(root, &scenario);
    collision::consistent(root, &scenario);
    root.close();
    scenario
}

/// Too few or too many materials and bodies.
fn counts(root: &Table, scenario: &Scenario) {
    let materials = scenario.materials.len();
    if materials == 0 {
        root.fault("material", "there is no material", "add a [[material]] table");
    }
    if materials > MATERIALS_MAX {
        let what = format!("{materials} materials are more than {MATERIALS_MAX}, and each pair has a law of its own");
        root.fault("material", what, "remove some");
    }
    if scenario.bodies.is_empty() {
        let [what, remedy] = NO_BODIES;
        root.fault("bodies", what, remedy);
    }
    let together = scenario.bodies.iter().fold(0usize, |n, g| n.saturating_add(g.generator.count()));
    if together as u64 > COUNT_MAX {
        root.fault(
            "bodies",
            format!("{together} bodies together are more than {COUNT_MAX}"),
            "lower a count, or fill a container with larger bodies",
        );
    }
}

/// Bodies find their material, and rows their wall, by name.
fn unique_names(tables: &[Table], default: &str) {
    let names: Vec<String> = tables.iter().map(|t| t.text_if("name").unwrap_or_else(|| default.into())).collect();
    let mut taken = HashSet::new();
    for (t, name) in tables.iter().zip(&names).filter(|(_, name)| !taken.insert(name.as_str())) {
        t.fault("name", format!("\"{name}\" is taken"), format!("give every [[{default}]] a name of its own"));
    }
}
