//! `breccia analyze safety-map`: where the regolith of an asteroid slides and where it sheds.

use super::asteroid::{Body, density, length, time};
use super::{asteroid, shape_picture};
use breccia::analysis::safety_map::{Areas, Case, Regolith, SafetyMap, SafetyReport, safety_map, write};
use breccia::analysis::surface_field::surface_field;
use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::base::quantity::{Dimension, parse};
use breccia::render::colour_scale::ColourScale;
use breccia::render::map::{Contour, Map};
use glam::DVec3;
use image::Rgba;
use std::f64::consts::{FRAC_PI_6, TAU};
use std::path::{Path, PathBuf};

/// Factor of safety and fission of the regolith on every face of an asteroid, for every combination of period, cohesion and
/// thickness
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    asteroid: asteroid::Args,
    /// Periods of the rotation about +z, as in "3.4 h,2.6 h" [default: rotation of the scenario]
    #[arg(long, value_name = "S", value_delimiter = ',', value_parser = time)]
    period: Vec<f64>,
    /// Cohesions C, as in 0,1
    #[arg(long, value_name = "PA", value_delimiter = ',', default_value = "0", value_parser = cohesion, allow_hyphen_values = true)]
    cohesion: Vec<f64>,
    /// Thicknesses T of the layer that may fail, as in 3,5
    #[arg(long, value_name = "M", value_delimiter = ',', required = true, value_parser = length)]
    thickness: Vec<f64>,
    /// Friction angle phi
    #[arg(long, value_name = "DEG", default_value_t = 40.0)]
    friction_angle: f64,
    /// Radius R of a grain
    #[arg(long, value_name = "M", required = true, value_parser = length)]
    radius: f64,
    /// Shape parameter beta of the grains, which share the cohesive area
    #[arg(long, default_value_t = 0.5)]
    shape_parameter: f64,
    /// Bulk density of the regolith [default: that of the asteroid]
    #[arg(long, value_name = "KG_M3", value_parser = density)]
    regolith_density: Option<f64>,
    /// Density of a grain [default: 6/pi of the regolith's, as in the layers of eq. 17]
    #[arg(long, value_name = "KG_M3", value_parser = density)]
    grain_density: Option<f64>,
    #[command(flatten)]
    picture: shape_picture::Args,
    /// Folder of the files [default: safety_map/NAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

fn cohesion(text: &str) -> std::result::Result<f64, String> {
    let value = parse(text, Dimension::Pressure).map_err(|e| e.join("; "))?;
    if value.is_finite() && value >= 0.0 { Ok(value) } else { Err("give a number from 0".into()) }
}

/// `breccia analyze safety-map`.
pub(super) fn run(args: Args) -> Result<u8> {
    let body = args.asteroid.read()?;
    let folder = body.folder(args.out.as_deref(), "safety_map")?;
    args.asteroid.spare_source(&folder)?;
    let regolith = regolith(&args, body.density_kg_m3)?;
    thick_enough(&args)?;
    let spins = match args.period.is_empty() {
        true => vec![body.rotation_rad_s],
        false => args.period.iter().map(|p| DVec3::Z * (TAU / p)).collect(),
    };
    let mut field = surface_field(&body.surface, body.density_kg_m3, DVec3::ZERO);
    let (mut maps, mut cases): (Vec<SafetyMap>, Vec<Areas>) = (vec![], vec![]);
    for rotation_rad_s in spins {
        field.turn(rotation_rad_s);
        for (cohesion_pa, thickness_m) in
            args.cohesion.iter().flat_map(|c| args.thickness.iter().map(move |t| (*c, *t)))
        {
            let map = safety_map(&field, &regolith, Case { rotation_rad_s, cohesion_pa, thickness_m });
            cases.push(map.areas(&field, maps.len()));
            maps.push(map);
        }
    }
    let report = SafetyReport { faces: field.area_m2.len(), density_kg_m3: body.density_kg_m3, regolith, cases };
    write(&folder, &body.surface, &field, &maps, &report)?;
    shape_picture::clear("case_", &folder)?;
    let drawn = maps.iter().enumerate().map(|(k, m)| (format!("case_{k}"), picture(&body, m))).collect();
    let pictures = args.picture.draw(drawn, &folder)?;
    if args.json {
        println!("{}", json::pretty(&report)?);
    } else {
        print(&report, &folder);
        pictures.iter().for_each(|p| println!("{}", p.display()));
    }
    Ok(0)
}

/// FS up to this has colours of its own, at least; up to twice what it is on the weakest twentieth of the faces.
const FS_SHOWN: f64 = 2.0;

fn shown(map: &SafetyMap) -> f64 {
    let mut sorted = map.factor_of_safety.clone();
    sorted.sort_by(f64::total_cmp);
    let weakest = sorted.get(sorted.len() / 20).map_or(0.0, |fs| 2.0 * fs);
    if weakest.is_finite() { weakest.max(FS_SHOWN) } else { FS_SHOWN }
}

/// FS in colours; a white line where it is 1, a black one around fission, as in Fig. 11 of Song et al. (2024).
fn picture<'a>(body: &'a Body, map: &'a SafetyMap) -> Map<'a> {
    let c = &map.case;
    let period = c.period_s().map_or("no rotation".into(), |p| format!("P = {:.3} h", p / 3600.0));
    let contour = |values, level, grey: u8, label| Contour { values, level, ink: Rgba([grey, grey, grey, 255]), label };
    // means over faces are of FS where it is near 1
    let near = map.factor_of_safety.iter().map(|fs| fs.clamp(-FS_SHOWN, 2.0 * FS_SHOWN)).collect();
    let all = map.factor_of_safety.iter().copied();
    let all = [all.clone().fold(f64::INFINITY, f64::min), all.fold(f64::NEG_INFINITY, f64::max)];
    Map {
        surface: &body.surface,
        values: &map.factor_of_safety,
        scale: ColourScale::fixed("FS", "", [0.0, shown(map)], all),
        contours: vec![contour(near, 1.0, 255, "FS = 1"), contour(map.fission_margin_n.clone(), 0.0, 0, "fission")],
        title: format!("{}: {period}, C = {} Pa, T = {} m", body.name, c.cohesion_pa, c.thickness_m),
        rotation_rad_s: c.rotation_rad_s,
    }
}

fn regolith(args: &Args, asteroid_kg_m3: f64) -> Result<Regolith> {
    let within = |option: &str, value: f64, most: f64| match value >= 0.0 && value < most {
        true => Ok(value),
        false => Err(Error::Usage(format!("{option} {value}: give a number from 0 to below {most}"))),
    };
    let density_kg_m3 = args.regolith_density.unwrap_or(asteroid_kg_m3);
    Ok(Regolith {
        friction_angle_deg: within("--friction-angle", args.friction_angle, 90.0)?,
        density_kg_m3,
        radius_m: args.radius,
        grain_density_kg_m3: args.grain_density.unwrap_or(density_kg_m3 / FRAC_PI_6),
        shape_parameter: within("--shape-parameter", args.shape_parameter, 1e3)?,
    })
}

/// Refuses a layer that no grain fits into: eq. 17 would count less than no grains above the lowest.
fn thick_enough(args: &Args) -> Result<()> {
    let diameter_m = 2.0 * args.radius;
    let thin = args.thickness.iter().find(|thickness_m| **thickness_m < diameter_m);
    thin.map_or(Ok(()), |thickness_m| {
        Err(Error::Usage(format!(
            "--thickness {thickness_m}: is thinner than a grain, whose diameter is {diameter_m} m by --radius {}",
            args.radius
        )))
    })
}

fn print(report: &SafetyReport, folder: &Path) {
    let r = &report.regolith;
    println!(
        "{} faces; regolith of {:.0} kg/m3, friction angle {} degrees; grains of {} m, {:.0} kg/m3",
        report.faces, r.density_kg_m3, r.friction_angle_deg, r.radius_m, r.grain_density_kg_m3
    );
    println!("                                              share of the area");
    println!("  case   period h      C Pa       T m    FS < 1  landslide  fission   lifted");
    for c in &report.cases {
        let period = c.period_s.map_or("none".into(), |p| format!("{:.4}", p / 3600.0));
        let [a, b, d, e] = [c.unstable, c.landslide, c.fission, c.outward].map(|r| format!("{:.2} %", 100.0 * r.share));
        println!("{:>6}  {period:>9} {:>9} {:>9} {a:>9} {b:>10} {d:>8} {e:>8}", c.case, c.cohesion_pa, c.thickness_m);
    }
    println!("files: {}", folder.display());
}
