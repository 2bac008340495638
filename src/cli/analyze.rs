//! `breccia analyze`: aggregates, shape, stress and velocity field of recorded frames.

use super::safety_map;
use breccia::analysis::envelope::Envelope;
use breccia::analysis::report::{Aggregates, Options, Subject, VelocityMap};
use breccia::analysis::stress::{Region, Stress};
use breccia::analysis::velocity::Plane;
use breccia::error::{Error, Result};
use breccia::output::recorded::{Recorded, Wanted, choose};
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Measure the frames of a run: aggregates and their spin, shape and porosity, stress, velocity field
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    of: Option<Of>,
    /// Run directory
    #[arg(required = true)]
    dir: Option<PathBuf>,
    /// What to measure [default: all; stress only where contacts were written]
    #[arg(value_enum)]
    what: Vec<What>,
    /// A frame's number, `last` or `all`
    #[arg(long, default_value = "last", value_name = "NUMBER")]
    frame: Wanted,
    /// The aggregate that shape, stress and velocity are of: 0 is the heaviest; `all` for all bodies
    #[arg(long, default_value = "0", value_parser = rank, value_name = "RANK")]
    aggregate: Rank,
    /// Bodies touch if their gap is below this many mean radii [default: by force, or 0.01 without contacts]
    #[arg(long)]
    tolerance: Option<f64>,
    /// aggregates: least number of bodies of those listed [default: 2]
    #[arg(long, value_name = "BODIES")]
    minimum: Option<usize>,
    /// shape: radius of the ball that rolls over the bodies (m) [default: twice the mean diameter]
    #[arg(long, value_name = "M")]
    alpha: Option<f64>,
    /// shape: points on each body [default: 100000 in all, from 32 to 1024 each; of polyhedra the corners]
    #[arg(long)]
    points: Option<usize>,
    /// stress: whole, sphere:R about the mass centre, or box:X0,X1,Y0,Y1,Z0,Z1 (m) [default: whole]
    #[arg(long, allow_hyphen_values = true)]
    region: Option<Region>,
    /// velocity: plane through the mass centre, xy, xz or yz [default: xy]
    #[arg(long)]
    plane: Option<Plane>,
    /// velocity: reach of the average (m) [default: twice the mean diameter]
    #[arg(long, value_name = "M")]
    reach: Option<f64>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// Beside the frames of a run.
#[derive(clap::Subcommand)]
enum Of {
    SafetyMap(safety_map::Args),
}

/// What can be measured.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Connected components, their mass, spin, period, elongation
    Aggregates,
    /// Alpha shape: volume, bulk density, porosity
    Shape,
    /// Stress of every body, and its mean over a volume
    Stress,
    /// Velocity field on a plane
    Velocity,
}

/// An aggregate's rank; `None` for all bodies.
type Rank = Option<usize>;

fn rank(text: &str) -> std::result::Result<Rank, String> {
    match text {
        "all" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| "a rank from 0 on, or `all`".into()),
    }
}

/// One frame's part of what `--json` prints.
#[derive(Serialize)]
struct Report {
    frame: usize,
    step: u64,
    time_s: f64,
    /// bodies that shape, stress and velocity are of
    bodies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    aggregates: Option<Aggregates>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<Envelope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stress: Option<Stress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    velocity: Option<VelocityMap>,
    folder: PathBuf,
}

/// `breccia analyze`.
pub fn run(mut args: Args) -> Result<u8> {
    if let Some(Of::SafetyMap(args)) = args.of {
        return safety_map::run(args);
    }
    let dir = args.dir.take().ok_or_else(|| Error::Usage("analyze: give a run directory".into()))?;
    let options = options(&args)?;
    let mut reports = vec![];
    for (_, path) in choose(&dir, args.frame)? {
        let report = measure(&args, &dir, &options, &Recorded::read(&path)?)?;
        if !args.json {
            print(&report);
        }
        reports.push(report);
    }
    if args.json {
        let text = serde_json::to_string_pretty(&serde_json::json!({ "frames": reports }));
        println!("{}", text.map_err(|e| Error::Data(e.to_string()))?);
    }
    Ok(0)
}

/// Refuses an option of a part that is not measured: it would change nothing.
fn options(args: &Args) -> Result<Options> {
    let given = [
        ("--minimum", What::Aggregates, "aggregates", args.minimum.is_some()),
        ("--alpha", What::Shape, "shape", args.alpha.is_some()),
        ("--points", What::Shape, "shape", args.points.is_some()),
        ("--region", What::Stress, "stress", args.region.is_some()),
        ("--plane", What::Velocity, "velocity", args.plane.is_some()),
        ("--reach", What::Velocity, "velocity", args.reach.is_some()),
    ];
    if let Some((option, _, part, _)) = given.iter().find(|(_, part, _, given)| *given && !wants(args, *part)) {
        return Err(Error::Usage(format!("{option}: belongs to `{part}`, which is not among what is to be measured")));
    }
    if let Some(t) = args.tolerance.filter(|t| !t.is_finite() || *t < 0.0) {
        return Err(Error::Usage(format!("--tolerance {t}: a number from 0 on")));
    }
    Ok(Options {
        tolerance: args.tolerance,
        minimum: args.minimum.unwrap_or(2),
        aggregate: args.aggregate,
        alpha_m: args.alpha,
        points: args.points,
        region: args.region.unwrap_or(Region::Whole),
        plane: args.plane.unwrap_or(Plane::Xy),
        reach_m: args.reach,
    })
}

fn wants(args: &Args, part: What) -> bool {
    args.what.is_empty() || args.what.contains(&part)
}

fn measure(args: &Args, dir: &Path, options: &Options, recorded: &Recorded) -> Result<Report> {
    let subject = Subject::new(recorded, dir, options)?;
    let folder = subject.folder()?;
    let mut report = Report {
        frame: recorded.number,
        step: recorded.instant.step,
        time_s: recorded.instant.time_s,
        bodies: subject.bodies(),
        aggregates: None,
        shape: None,
        stress: None,
        velocity: None,
        folder: folder.clone(),
    };
    if wants(args, What::Aggregates) {
        report.aggregates = Some(subject.aggregates(&folder)?);
    }
    if wants(args, What::Shape) {
        report.shape = Some(subject.shape(&folder)?);
    }
    // Asked for by name or by an option it is an error that there are no contacts.
    if args.what.contains(&What::Stress) || args.region.is_some() || (args.what.is_empty() && recorded.has_contacts) {
        report.stress = Some(subject.stress(&folder)?);
    }
    if wants(args, What::Velocity) {
        report.velocity = Some(subject.velocity(&folder)?);
    }
    write(&folder, &report)?;
    Ok(report)
}

/// Each part as PART.json, so that parts measured one after another stand side by side.
fn write(folder: &Path, report: &Report) -> Result<()> {
    let fault = |e: serde_json::Error| Error::Data(e.to_string());
    let parts = [
        ("aggregates", report.aggregates.as_ref().map(serde_json::to_value)),
        ("shape", report.shape.as_ref().map(serde_json::to_value)),
        ("stress", report.stress.as_ref().map(serde_json::to_value)),
        ("velocity", report.velocity.as_ref().map(serde_json::to_value)),
    ];
    for (name, value) in parts {
        let Some(value) = value else { continue };
        let path = folder.join(format!("{name}.json"));
        let text = serde_json::to_string_pretty::<Value>(&value.map_err(fault)?).map_err(fault)? + "\n";
        std::fs::write(&path, text).map_err(|e| Error::io(path, e))?;
    }
    Ok(())
}

fn print(report: &Report) {
    println!("frame {}, step {}, t = {} s", report.frame, report.step, report.time_s);
    report.aggregates.iter().for_each(print_aggregates);
    if report.shape.is_some() || report.stress.is_some() || report.velocity.is_some() {
        println!("of {} bodies:", report.bodies);
    }
    report.shape.iter().for_each(print_shape);
    report.stress.iter().for_each(print_stress);
    if let Some(v) = &report.velocity {
        println!(
            "  velocity        plane {}, {} x {} nodes, up to {:.4e} m/s",
            v.plane.name(),
            v.columns,
            v.rows,
            v.speed_max_m_s
        );
    }
    println!("files: {}", report.folder.display());
}

/// Lines of the table at most; `--json` and aggregates.json have all.
const LINES: usize = 20;

fn print_aggregates(a: &Aggregates) {
    println!("aggregates by {}: {}, and {} single bodies", a.linked_by, a.count, a.single_bodies);
    let head = ["rank", "bodies", "mass kg", "share", "period h", "rigid", "wobble", "I_max/I_min", "semi-axes m"];
    let mut lines = vec![head.map(str::to_owned)];
    for row in a.list.iter().take(LINES) {
        let (g, r) = (&row.aggregate, &row.rotation);
        let or_none = |v: Option<f64>, digits: usize| v.map_or("-".into(), |v| format!("{v:.digits$}"));
        let [a, b, c] = r.semi_axes_m;
        lines.push([
            row.rank.to_string(),
            g.bodies.to_string(),
            format!("{:.4e}", g.mass_kg),
            format!("{:.4}", g.mass_share),
            or_none(r.period_h, 3),
            or_none(r.rigid_share, 4),
            or_none(r.wobble_deg, 1),
            format!("{:.4}", r.elongation),
            format!("{a:.3} {b:.3} {c:.3}"),
        ]);
    }
    let widths: [usize; 9] = std::array::from_fn(|k| lines.iter().map(|l| l[k].len()).max().unwrap_or(0));
    for line in lines {
        let cells: Vec<_> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        println!("  {}", cells.join("  "));
    }
    if a.list.len() > LINES {
        println!("  and {} more: aggregates.json", a.list.len() - LINES);
    }
}

fn print_shape(e: &Envelope) {
    println!("  alpha           {} m, {} points on each body", e.alpha_m, e.points_per_body);
    println!(
        "  volume          {:.6e} m3, of it closed voids {:.3e} m3; area {:.4e} m2",
        e.volume_m3, e.voids_m3, e.area_m2
    );
    println!(
        "  bulk density    {:.2} kg/m3, of the material {:.2} kg/m3",
        e.bulk_density_kg_m3, e.material_density_kg_m3
    );
    println!("  porosity        {:.2} %", 100.0 * e.porosity);
}

fn print_stress(s: &Stress) {
    let [a, b, c] = s.principal_pa;
    println!("  stress over     {:.4e} m3 with {} bodies, packing {:.4}", s.volume_m3, s.bodies, s.packing);
    println!("  principal       {a:.5e} {b:.5e} {c:.5e} Pa, compression positive");
    println!("  pressure        {:.5e} Pa, deviator {:.5e} Pa", s.pressure_pa, s.deviator_pa);
}
