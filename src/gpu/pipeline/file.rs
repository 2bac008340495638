//! Pipeline files: ordered passes in TOML. No expressions and no inheritance; the only conditions are features of the run
//! (`for`) and gates that the GPU opens (`when`).

use crate::base::error::Result;
use crate::base::fault::Fault;
use crate::base::reader::nearest;
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/pipelines");

/// A pipeline as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineFile {
    /// what `import package::<name>` means here
    #[serde(default)]
    pub modules: BTreeMap<String, String>,
    /// stages in order
    pub stage: Vec<Stage>,
}

/// A named run of steps.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// key of timings and of the plan table
    pub name: String,
    /// steps in order
    pub steps: Vec<Step>,
}

/// One pass or block.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// pass: stem of a shader file
    pub pass: Option<String>,
    /// block: name of a group of passes
    pub block: Option<String>,
    /// count of the items that a pass covers, one invocation each
    pub over: Option<String>,
    /// features of the runs that have this step, one name or a list; without it all have
    #[serde(default, rename = "for", deserialize_with = "one_or_more")]
    pub features: Vec<String>,
    /// indirect arguments written on the GPU
    pub args: Option<String>,
    /// runs only when the GPU finds this work due
    pub when: Option<String>,
    /// WGSL variable -> buffer
    #[serde(default)]
    pub bind: BTreeMap<String, String>,
    /// small constant uniform `pass_constants` of a pass
    pub constants: Option<[u32; 4]>,
    /// key bits that a sort covers: name of a count
    pub bits: Option<String>,
}

/// A name, or a list of names.
fn one_or_more<'d, D: Deserializer<'d>>(from: D) -> std::result::Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "a feature or a list of features")]
    enum Names {
        One(String),
        More(Vec<String>),
    }
    Ok(match Names::deserialize(from)? {
        Names::One(name) => vec![name],
        Names::More(names) => names,
    })
}

/// Names of the built-in pipelines, sorted.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> =
        EMBEDDED.files().filter_map(|f| Some(f.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    names
}

/// Reads the built-in pipeline `name`.
pub fn load(name: &str) -> Result<PipelineFile> {
    let text = EMBEDDED.get_file(format!("{name}.toml")).and_then(|f| f.contents_utf8()).ok_or_else(|| {
        let known = names();
        Fault::new(format!("unknown pipeline `{name}`")).remedy(nearest(name, known.iter().map(String::as_str)))
    })?;
    parse(name, text)
}

/// How a pair finds its law among those of several materials.
pub const MANY_MATERIALS: &str = "soft_sphere/many_materials";
/// The same where there is one material.
pub const ONE_MATERIAL: &str = "soft_sphere/one_material";
/// How losses of contacts are kept on a GPU: summed over a workgroup.
pub const LOSSES_BY_GROUP: &str = "soft_sphere/losses_by_group";
/// The same on a software device, where barriers cost more than words: by pair.
pub const LOSSES_BY_PAIR: &str = "soft_sphere/losses_by_pair";

/// Contacts with an asteroid by facets: those that face alike are one, each counts by its area.
pub const AREA_WEIGHTED: &str = "surface/area_weighted";
/// The same by the closest points of facets.
pub const CLOSEST_FEATURE: &str = "surface/closest_feature";

/// What `import package::<name>` means in the step of soft spheres with the contact law of the module `law`.
pub fn soft_modules(law: &str) -> BTreeMap<String, String> {
    let modules = [
        ("law", law),
        ("materials", MANY_MATERIALS),
        ("losses", LOSSES_BY_GROUP),
        ("history", "soft_sphere/history"),
        ("footprint", AREA_WEIGHTED),
    ];
    modules.map(|(name, module)| (name.into(), module.into())).into()
}

/// The same in the step of contact dynamics.
pub fn rigid_modules() -> BTreeMap<String, String> {
    BTreeMap::from([("history".to_owned(), "contact_dynamics/history".to_owned())])
}

/// Reads a pipeline from its text; unknown keys are refused with their line and those that are known.
pub fn parse(name: &str, text: &str) -> Result<PipelineFile> {
    toml::from_str(text).map_err(|e| Fault::new(e.to_string()).file(format!("pipelines/{name}.toml")).into())
}
