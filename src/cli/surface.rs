//! `breccia surface`: gravity and slope on the surface of an asteroid.

use super::asteroid::time;
use super::{asteroid, shape_picture};
use breccia::analysis::surface_field::{Spread, SurfaceReport, surface_field};
use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::base::readable::{digits, number};
use breccia::render::colour_scale::{ColourScale, Spread as OfFaces};
use breccia::render::map::Map;
use breccia::render::scale::Ticks;
use glam::DVec3;
use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

/// Potential, gravity, effective gravity and slope on every face of an asteroid
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    asteroid: asteroid::Args,
    /// FILE.obj: period of its rotation about +z, as in "4.296 h" [default: it does not turn]
    #[arg(long, value_name = "S", value_parser = time)]
    period: Option<f64>,
    #[command(flatten)]
    picture: shape_picture::Args,
    /// Folder of the arrays [default: surface/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia surface`.
pub(super) fn run(args: Args) -> Result<u8> {
    if args.period.is_some() && !args.asteroid.is_mesh() {
        return Err(Error::Usage("--period: describes FILE.obj; change the scenario with --set".into()));
    }
    let body = args.asteroid.read()?;
    let folder = body.folder(args.out.as_deref(), "surface")?;
    args.asteroid.spare_source(&folder)?;
    let rotation = args.period.map_or(body.rotation_rad_s, |p| DVec3::Z * (TAU / p));
    let field = surface_field(&body.surface, body.density_kg_m3, rotation);
    let report = field.report(&body.surface, body.density_kg_m3, rotation);
    field.write(&folder, &report, &body.surface)?;
    let slopes = [report.slope_deg.min, report.slope_deg.max];
    let most = OfFaces::of(&field.slope_deg).map_or(slopes[1], |s| s.most);
    let map = Map {
        surface: &body.surface,
        values: &field.slope_deg,
        scale: ColourScale::fixed("slope [degrees]", "", [0.0, Ticks::over(0.0, most).high], slopes),
        contours: vec![],
        title: format!("{}, slope", body.name),
        rotation_rad_s: rotation,
    };
    shape_picture::clear("slope", &folder)?;
    let pictures = args.picture.draw(vec![("slope".to_owned(), map)], &folder)?;
    if args.json {
        println!("{}", json::pretty(&report)?);
    } else {
        print(&report, &folder);
        pictures.iter().for_each(|p| println!("{}", p.display()));
    }
    Ok(0)
}

fn print(r: &SurfaceReport, folder: &Path) {
    println!("{} faces, {} m3, {} kg", r.faces, digits(r.volume_m3, 6), digits(r.mass_kg, 6));
    match r.rotation_rad_s.length() {
        0.0 => println!("it does not turn"),
        speed => println!("it turns in {} h", number(TAU / speed / 3600.0)),
    }
    println!("{:34}{:>14}{:>14}{:>14}{:>14}", "", "mean of faces", "mean by area", "least", "most");
    let line = |what: &str, s: &Spread, unit: &str| {
        let [a, b, c, d] = [s.mean, s.mean_by_area, s.min, s.max].map(|v| digits(v, 6));
        println!("{:34}{a:>14}{b:>14}{c:>14}{d:>14}", format!("{what} ({unit})"));
    };
    line("gravity", &r.gravity_m_s2, "m/s2");
    line("effective gravity", &r.effective_m_s2, "m/s2");
    line("potential", &r.potential_j_kg, "J/kg");
    line("effective potential", &r.effective_potential_j_kg, "J/kg");
    line("slope", &r.slope_deg, "degrees");
    println!("files: {}", folder.display());
}
