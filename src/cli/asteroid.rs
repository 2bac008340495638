//! The asteroid that a command is about: of a scenario, of a run, or a closed surface alone.

use super::complete;
use breccia::analysis::surface_field::SURFACE;
use breccia::base::error::{Error, Result};
use breccia::base::fault::Fault;
use breccia::base::quantity::{Dimension, parse};
use breccia::geometry::mesh::Mesh;
use breccia::geometry::surface::Surface;
use breccia::model::stored::frames::has_frames;
use breccia::record::files::directory::refuse_run;
use breccia::record::files::settings::scenario_of;
use breccia::scenario::load;
use clap_complete::engine::ArgValueCompleter;
use glam::DVec3;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Ends of names of files that are surfaces.
const SURFACES: [&str; 5] = ["obj", "ply", "stl", "icq", "tab"];

#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Scenario with an [asteroid] section (a file, or a built-in one), a run, or a closed surface: FILE.obj, .ply, .stl, .icq, .tab
    source: String,
    /// Change a key of the scenario, as in --set asteroid.rotation_period_s="3.4 h"
    #[arg(long, value_name = "KEY=VALUE", add = ArgValueCompleter::new(complete::settings))]
    set: Vec<String>,
    /// FILE.obj: length of one of its units, as in 1000, "1 km" or km
    #[arg(long, value_name = "M", value_parser = unit)]
    unit: Option<f64>,
    /// FILE.obj: density, as in 1190 or "1.19 g/cm^3"
    #[arg(long, value_name = "KG_M3", value_parser = density)]
    density: Option<f64>,
}

pub(super) fn positive(text: &str, dimension: Dimension) -> std::result::Result<f64, String> {
    let value = parse(text, dimension).map_err(|e| e.join("; "))?;
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err("give a number above zero".into()) }
}

pub(super) fn length(text: &str) -> std::result::Result<f64, String> {
    positive(text, Dimension::Length)
}

/// A length, or a unit of length by its name.
pub(super) fn unit(text: &str) -> std::result::Result<f64, String> {
    let named = text.starts_with(|first: char| first.is_ascii_alphabetic());
    if named { length(&format!("1 {text}")) } else { length(text) }
}

pub(super) fn density(text: &str) -> std::result::Result<f64, String> {
    positive(text, Dimension::Density)
}

pub(super) fn time(text: &str) -> std::result::Result<f64, String> {
    positive(text, Dimension::Time)
}

pub(super) struct Body {
    pub name: String,
    pub surface: Arc<Surface>,
    pub density_kg_m3: f64,
    /// of a surface alone none
    pub rotation_rad_s: DVec3,
}

impl Body {
    /// The folder of the arrays, which is no run's: as typed, or by its name in the folder `of` of the command.
    pub(super) fn folder(&self, typed: Option<&Path>, of: &str) -> Result<PathBuf> {
        let folder = typed.map_or_else(|| Path::new(of).join(&self.name), Path::to_owned);
        refuse_run(&folder)?;
        Ok(folder)
    }
}

impl Args {
    /// The source is a surface alone.
    pub(super) fn is_mesh(&self) -> bool {
        let end = Path::new(&self.source).extension().map(|e| e.to_string_lossy().to_lowercase());
        end.is_some_and(|e| SURFACES.contains(&e.as_str()))
    }

    /// The source, if it is the directory of a run.
    pub(super) fn run(&self) -> Option<&Path> {
        let path = Path::new(&self.source);
        has_frames(path).then_some(path)
    }

    /// Refuses options that describe a surface alone, and changes of a scenario.
    pub(super) fn is_bare(&self) -> Result<()> {
        for (option, given) in
            [("--set", !self.set.is_empty()), ("--unit", self.unit.is_some()), ("--density", self.density.is_some())]
        {
            if given {
                return Err(Error::Usage(format!("{option}: does not go with a run, which has its own; leave it out")));
            }
        }
        Ok(())
    }

    /// Refuses a folder in which the file that is read would be written over.
    pub(super) fn spare_source(&self, folder: &Path) -> Result<()> {
        let source = Path::new(&self.source).canonicalize();
        if source.is_ok_and(|source| folder.join(SURFACE).canonicalize().is_ok_and(|written| written == source)) {
            return Err(Fault::new("is the file that is read, and would be written over")
                .remedy("choose another --out")
                .path(&self.source)
                .into());
        }
        Ok(())
    }

    pub(super) fn read(&self) -> Result<Body> {
        if self.is_mesh() { self.mesh() } else { self.scenario() }
    }

    fn mesh(&self) -> Result<Body> {
        let path = Path::new(&self.source);
        let need = |option: &str, value: Option<f64>| {
            value.ok_or_else(|| Error::Usage(format!("{}: a surface without a scenario needs {option}", self.source)))
        };
        let (unit, density_kg_m3) = (need("--unit", self.unit)?, need("--density", self.density)?);
        if !self.set.is_empty() {
            return Err(Error::Usage("--set: changes a scenario; leave it out with FILE.obj".into()));
        }
        let name = path.file_stem().map_or("surface".into(), |s| s.to_string_lossy().into_owned());
        let surface = Arc::new(Surface::of_mesh(&Mesh::load(path, unit, None)?.sound()?));
        Ok(Body { name, surface, density_kg_m3, rotation_rad_s: DVec3::ZERO })
    }

    fn scenario(&self) -> Result<Body> {
        for (option, given) in [("--unit", self.unit), ("--density", self.density)] {
            if given.is_some() {
                let surfaces = SURFACES.join(", .");
                return Err(Error::Usage(format!(
                    "{option}: describes a surface alone, a file that ends in .{surfaces}; change the scenario with --set, or rename the surface (a plate model: .tab)"
                )));
            }
        }
        let recorded = if Path::new(&self.source).is_dir() { scenario_of(Path::new(&self.source))? } else { None };
        if recorded.is_some() && !self.set.is_empty() {
            return Err(Error::Usage("--set: changes a scenario, and a run has its own; leave it out".into()));
        }
        let scenario = recorded.map_or_else(|| load(&self.source, &self.set), Ok)?;
        let spec = scenario.asteroid.ok_or_else(|| {
            Error::Usage(format!("{}: there is no [asteroid] section; add one, or give FILE.obj", scenario.name))
        })?;
        let (surface, rotation_rad_s) = (spec.surface()?, spec.rotation_rad_s);
        Ok(Body { name: scenario.name, surface, density_kg_m3: spec.density_kg_m3, rotation_rad_s })
    }
}
