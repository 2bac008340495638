//! `breccia surface`: gravity and slope on the surface of an asteroid.

use breccia::analysis::surface_field::{Spread, SurfaceReport, surface_field};
use breccia::error::{Error, Result};
use breccia::scenario::load;
use breccia::scenario::quantity::{Dimension, parse};
use breccia::shape::mesh::Mesh;
use breccia::shape::surface::Surface;
use glam::DVec3;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Potential, gravity, effective gravity and slope on every face of an asteroid
#[derive(clap::Args)]
pub struct Args {
    /// Scenario with an [asteroid] section (a file, or a built-in one), or a closed surface: FILE.obj
    source: String,
    /// Change a key of the scenario, as in --set asteroid.rotation_period_s="3.4 h"
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// FILE.obj: length of one of its units, as in 1000 or "1 km"
    #[arg(long, value_name = "M", value_parser = length)]
    unit: Option<f64>,
    /// FILE.obj: density, as in 1190 or "1.19 g/cm^3"
    #[arg(long, value_name = "KG_M3", value_parser = density)]
    density: Option<f64>,
    /// FILE.obj: period of its rotation about +z, as in "4.296 h" [default: it does not turn]
    #[arg(long, value_name = "S", value_parser = time)]
    period: Option<f64>,
    /// Folder of the arrays [default: surface/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

fn positive(text: &str, dimension: Dimension) -> std::result::Result<f64, String> {
    let value = parse(text, dimension)?;
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err("give a number above zero".into()) }
}

fn length(text: &str) -> std::result::Result<f64, String> {
    positive(text, Dimension::Length)
}

fn density(text: &str) -> std::result::Result<f64, String> {
    positive(text, Dimension::Density)
}

fn time(text: &str) -> std::result::Result<f64, String> {
    positive(text, Dimension::Time)
}

/// `breccia surface`.
pub fn run(args: Args) -> Result<u8> {
    let is_mesh = Path::new(&args.source).extension().is_some_and(|e| e.eq_ignore_ascii_case("obj"));
    let (name, surface, density, rotation) = if is_mesh { mesh(&args)? } else { scenario(&args)? };
    let field = surface_field(&surface, density, rotation);
    let report = field.report(&surface, density, rotation);
    let folder = args.out.unwrap_or_else(|| Path::new("surface").join(name));
    field.write(&folder, &report, &surface)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&report).map_err(|e| Error::Data(e.to_string()))?);
    } else {
        print(&report, &folder);
    }
    Ok(0)
}

/// Name, surface, density and rotation.
type Body = (String, Surface, f64, DVec3);

fn mesh(args: &Args) -> Result<Body> {
    let path = Path::new(&args.source);
    let need = |option: &str, value: Option<f64>| {
        value.ok_or_else(|| Error::Usage(format!("{}: a surface alone needs {option}", args.source)))
    };
    let (unit, density) = (need("--unit", args.unit)?, need("--density", args.density)?);
    if !args.set.is_empty() {
        return Err(Error::Usage("--set: belongs to a scenario; leave it out beside FILE.obj".into()));
    }
    let name = path.file_stem().map_or("surface".into(), |s| s.to_string_lossy().into_owned());
    let rotation = DVec3::Z * args.period.map_or(0.0, |p| TAU / p);
    Ok((name, Surface::of_mesh(&Mesh::read(path, unit)?), density, rotation))
}

fn scenario(args: &Args) -> Result<Body> {
    for (option, given) in [("--unit", args.unit), ("--density", args.density), ("--period", args.period)] {
        if given.is_some() {
            return Err(Error::Usage(format!("{option}: belongs to FILE.obj; change the scenario with --set")));
        }
    }
    let scenario = load(&args.source, &args.set)?;
    let spec = scenario.asteroid.ok_or_else(|| {
        Error::Usage(format!("{}: there is no [asteroid] section; add one, or give FILE.obj", scenario.name))
    })?;
    Ok((scenario.name, (*spec.surface()?).clone(), spec.density_kg_m3, spec.rotation_rad_s))
}

fn print(r: &SurfaceReport, folder: &Path) {
    println!("{} faces, {:.6e} m3, {:.6e} kg", r.faces, r.volume_m3, r.mass_kg);
    match r.rotation_rad_s.length() {
        0.0 => println!("it does not turn"),
        speed => println!("it turns in {:.4} h", TAU / speed / 3600.0),
    }
    println!("{:34}{:>14}{:>14}{:>14}{:>14}", "", "mean of faces", "mean by area", "least", "most");
    let line = |what: &str, s: &Spread, unit: &str| {
        let [a, b, c, d] = [s.mean, s.mean_by_area, s.min, s.max].map(|v| format!("{v:.6e}"));
        println!("{:34}{a:>14}{b:>14}{c:>14}{d:>14}", format!("{what} ({unit})"));
    };
    line("gravity", &r.gravity_m_s2, "m/s2");
    line("effective gravity", &r.effective_m_s2, "m/s2");
    line("potential", &r.potential_j_kg, "J/kg");
    line("effective potential", &r.effective_potential_j_kg, "J/kg");
    line("slope", &r.slope_deg, "degrees");
    println!("files: {}", folder.display());
}
