//! `breccia field`: gravity at points of a table or a grid.

use super::asteroid;
use super::asteroid::time;
use super::common::refuse_unwritable;
use breccia::analysis::field::{Field, Masses, Polyhedron};
use breccia::analysis::points::{Points, grid, read_points};
use breccia::base::disk::write_new_in_parts;
use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::base::readable::{digits, whole};
use breccia::base::units::G;
use breccia::model::scenario::{GravitySource, Scenario};
use breccia::model::stored::arrays::npy_in_parts;
use breccia::model::stored::frames::{read_frame, read_pose};
use breccia::record::files::recorded::{Wanted, choose};
use breccia::record::files::settings::scenario_of;
use breccia::scenario::packed::refuse_table;
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::TAU;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Points that are computed and written at once: some 100 MB.
const BLOCK: usize = 1 << 18;
/// Points up to which the table is shown.
const SHOWN: usize = 12;

/// Gravity at any points: potential, acceleration, Laplacian, inside or outside, of an asteroid or of all bodies of a run
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: asteroid::Args,
    /// A run: a frame's number, or `last` [default: last]
    #[arg(long, value_name = "NUMBER")]
    frame: Option<Wanted>,
    /// Points of a table: .npy with three columns (m), or .csv with the columns x, y and z, such as x_km
    #[arg(long, value_name = "FILE", conflicts_with = "grid")]
    points: Option<PathBuf>,
    /// Points of a grid: XMIN:XMAX:N,YMIN:YMAX:N,ZMIN:ZMAX:N in metres or with units; one number in place of a range gives
    /// a plane, as in -500:500:101,-500:500:101,0
    #[arg(long, value_name = "RANGES", allow_hyphen_values = true)]
    grid: Option<String>,
    /// FILE.obj, or a run without an asteroid: period of a rotation of the coordinates about +z through the mass centre, as in "4.296 h";
    /// adds effective potential and acceleration
    #[arg(long, value_name = "S", value_parser = time)]
    period: Option<f64>,
    /// Sum the faces of the asteroid by a tree, with errors of 2e-5, of very flat or long bodies 2e-4, in place of one by one
    #[arg(long)]
    fast: bool,
    /// The table: .csv or .npy, a point a row
    #[arg(long, default_value = "field.csv")]
    out: PathBuf,
    /// Replace OUT if it is there
    #[arg(long)]
    overwrite: bool,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// What attracts, in words and numbers.
#[derive(Serialize)]
struct Report {
    of: String,
    /// spheres that attract
    bodies: usize,
    /// faces of the asteroid
    faces: usize,
    mass_kg: f64,
    mass_centre_m: DVec3,
    rotation_rad_s: DVec3,
    points: usize,
    /// along x, y and z
    grid: Option<[usize; 3]>,
    inside: usize,
    /// least and largest
    potential_j_kg: [f64; 2],
    acceleration_m_s2: [f64; 2],
    columns: Vec<&'static str>,
    /// sources of the run that are not summed here
    fields_left_out: Vec<String>,
    #[serde(serialize_with = "json::as_text")]
    file: PathBuf,
}

/// `breccia field`.
pub(super) fn run(args: Args) -> Result<u8> {
    refuse_table(&args.out)?;
    refuse_unwritable(&args.out, args.overwrite)?;
    let points = match (&args.points, &args.grid) {
        (Some(file), _) => Points::Listed(read_points(file)?),
        (None, Some(text)) => grid(text)?,
        (None, None) => return Err(Error::Usage("give --points FILE or --grid RANGES".into())),
    };
    let (masses, mut report) = masses(&args)?;
    (report.points, report.grid, report.columns) = (points.count(), points.sides(), masses.columns());
    write(&args, &masses, &points, &mut report)?;
    if args.json {
        println!("{}", json::pretty(&report)?);
    } else {
        print(&report);
        if points.count() <= SHOWN {
            let shown: Vec<DVec3> = points.blocks(SHOWN).flatten().collect();
            print!("{}\n{}", report.columns.join(","), text(&masses, &shown, &masses.at_all(&shown)));
        }
    }
    Ok(0)
}

/// Computes the table a block at a time, writes it and takes it into the report.
fn write(args: &Args, masses: &Masses, points: &Points, report: &mut Report) -> Result<()> {
    let (columns, count) = (masses.columns(), points.count() as u64);
    let mut blocks = points.blocks(BLOCK).map(|block| {
        let fields = masses.at_all(&block);
        summarize(report, &fields);
        (block, fields)
    });
    write_new_in_parts(&args.out, args.overwrite, |file| {
        if args.out.extension().is_some_and(|e| e == "npy") {
            let parts = blocks.map(|(points, fields)| rows(masses, &points, &fields));
            return npy_in_parts(file, &[count, columns.len() as u64], parts);
        }
        writeln!(file, "{}", columns.join(","))?;
        blocks.try_for_each(|(points, fields)| file.write_all(text(masses, &points, &fields).as_bytes()))
    })
}

fn masses(args: &Args) -> Result<(Masses, Report)> {
    match args.source.run() {
        Some(run) => of_run(args, run),
        None => of_asteroid(args),
    }
}

/// A surface alone counts from its own origin, the asteroid of a scenario from its mass centre.
fn of_asteroid(args: &Args) -> Result<(Masses, Report)> {
    let is_mesh = args.source.is_mesh();
    if args.frame.is_some() {
        return Err(Error::Usage("--frame: chooses a frame of a run; leave it out".into()));
    }
    if args.period.is_some() && !is_mesh {
        return Err(Error::Usage("--period: describes FILE.obj; change the scenario with --set".into()));
    }
    let body = args.source.read()?;
    let centre_m = if is_mesh { body.surface.origin_m } else { DVec3::ZERO };
    let rotation_rad_s = args.period.map_or(body.rotation_rad_s, |p| DVec3::Z * (TAU / p));
    let polyhedron = Some(Polyhedron::new(&body.surface, centre_m, body.density_kg_m3, args.fast));
    let masses = Masses { polyhedron, spheres: vec![], rotation_rad_s, centre_m };
    let mass_kg = body.density_kg_m3 * body.surface.volume_m3;
    let report = report(args, &masses, body.name, body.surface.triangles.len(), mass_kg);
    Ok((masses, report))
}

/// All bodies of a frame, and the asteroid of the run if there is one.
fn of_run(args: &Args, run: &Path) -> Result<(Masses, Report)> {
    args.source.is_bare()?;
    let wanted = args.frame.unwrap_or(Wanted::Last);
    let frames = choose(run, wanted)?;
    let [(_, frame)] = &frames[..] else {
        return Err(Error::Usage("--frame: give one frame, by its number or `last`".into()));
    };
    let bodies = read_frame(frame, "`breccia field`", &[])?;
    let pose = read_pose(frame)?;
    let scenario = scenario_of(run)?;
    let fields_left_out = scenario.as_ref().map(left_out).unwrap_or_default();
    let asteroid = match scenario.and_then(|s| s.asteroid) {
        Some(spec) => Some((spec.surface()?, spec.density_kg_m3)),
        None => None,
    };
    if args.period.is_some() && (pose.is_some() || asteroid.is_some()) {
        return Err(Error::Usage("--period: the coordinates of this run turn already; leave it out".into()));
    }
    let spheres = Masses::spheres_of(&bodies);
    let of_bodies = bodies.total_mass_kg();
    let centre = bodies.mean_by_mass(&bodies.position_m);
    if args.fast && asteroid.is_none() {
        return Err(Error::Usage("--fast: sums the faces of an asteroid, and this run has none; leave it out".into()));
    }
    let (polyhedron, faces, of_asteroid) = match &asteroid {
        Some((surface, density)) => (
            Some(Polyhedron::new(surface, DVec3::ZERO, *density, args.fast)),
            surface.triangles.len(),
            density * surface.volume_m3,
        ),
        None => (None, 0, 0.0),
    };
    let rotation_rad_s = match args.period {
        Some(period) => DVec3::Z * (TAU / period),
        None => pose.map_or(DVec3::ZERO, |p| p.spin_rad_s),
    };
    // coordinates that turn by themselves do so about their origin
    let centre_m = if pose.is_some() || asteroid.is_some() { DVec3::ZERO } else { centre };
    let masses = Masses { polyhedron, spheres, rotation_rad_s, centre_m };
    let name = frame.display().to_string();
    let report = Report {
        mass_centre_m: centre * (of_bodies / (of_bodies + of_asteroid)),
        fields_left_out,
        ..report(args, &masses, name, faces, of_bodies + of_asteroid)
    };
    Ok((masses, report))
}

/// Sources of a run that are neither its bodies nor its asteroid.
fn left_out(scenario: &Scenario) -> Vec<String> {
    let other = |source: &GravitySource| {
        !matches!(
            source,
            GravitySource::SelfGravity { .. } | GravitySource::Asteroid { .. } | GravitySource::RotatingFrame { .. }
        )
    };
    let numbered = scenario.gravity.iter().enumerate().filter(|(_, source)| other(source));
    numbered.map(|(k, source)| format!("gravity.{k} ({})", source.kind())).collect()
}

fn report(args: &Args, masses: &Masses, of: String, faces: usize, mass_kg: f64) -> Report {
    Report {
        of,
        bodies: masses.spheres.len(),
        faces,
        mass_kg,
        mass_centre_m: masses.centre_m,
        rotation_rad_s: masses.rotation_rad_s,
        points: 0,
        grid: None,
        inside: 0,
        potential_j_kg: [f64::INFINITY, f64::NEG_INFINITY],
        acceleration_m_s2: [f64::INFINITY, f64::NEG_INFINITY],
        columns: vec![],
        fields_left_out: vec![],
        file: args.out.clone(),
    }
}

/// Takes further points into the report.
fn summarize(report: &mut Report, fields: &[Field]) {
    let spread = |so_far: [f64; 2], of: fn(&Field) -> f64| {
        fields.iter().map(of).fold(so_far, |[low, high], v| [low.min(v), high.max(v)])
    };
    report.inside += fields.iter().filter(|f| f.inside).count();
    report.potential_j_kg = spread(report.potential_j_kg, |f| f.potential_j_kg);
    report.acceleration_m_s2 = spread(report.acceleration_m_s2, |f| f.acceleration_m_s2.length());
}

/// Lines of the table.
fn text(masses: &Masses, points: &[DVec3], fields: &[Field]) -> String {
    let mut text = String::new();
    for (p, field) in points.iter().zip(fields) {
        // with exponents where numbers are small
        let cells: Vec<String> = masses.row(*p, field).iter().map(|value| format!("{value:?}")).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

fn rows(masses: &Masses, points: &[DVec3], fields: &[Field]) -> Vec<f64> {
    points.iter().zip(fields).flat_map(|(p, field)| masses.row(*p, field)).collect()
}

fn print(r: &Report) {
    let mut parts = vec![];
    if r.bodies > 0 {
        parts.push(format!("{} bodies", whole(r.bodies as u64)));
    }
    if r.faces > 0 {
        parts.push(format!("an asteroid of {} faces", whole(r.faces as u64)));
    }
    println!("{}: {}", r.of, parts.join(" and "));
    println!("mass              {} kg, G m {} m3/s2", digits(r.mass_kg, 6), digits(G * r.mass_kg, 6));
    let centre = r.mass_centre_m.to_array().map(|c| digits(c, 6)).join(", ");
    println!("mass centre       {centre} m");
    if r.rotation_rad_s != DVec3::ZERO {
        println!("rotation          {} h", digits(TAU / r.rotation_rad_s.length() / 3600.0, 6));
    }
    println!("points            {}, {} of them inside", whole(r.points as u64), whole(r.inside as u64));
    println!("potential         {} to {} J/kg", digits(r.potential_j_kg[0], 6), digits(r.potential_j_kg[1], 6));
    println!("acceleration      {} to {} m/s2", digits(r.acceleration_m_s2[0], 6), digits(r.acceleration_m_s2[1], 6));
    if !r.fields_left_out.is_empty() {
        println!("left out          {}: the numbers are of bodies and asteroid alone", r.fields_left_out.join(", "));
    }
    println!("file              {}", r.file.display());
}
