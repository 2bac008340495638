//! `breccia analyze`: aggregates, shape, stress, velocity field, clusters, strain, orbits, compression and damage of recorded
//! frames.

use super::analyze_print::print;
use super::safety_map;
use breccia::analysis::applies::parts_of;
use breccia::analysis::cluster_report::Clusters;
use breccia::analysis::compression::{Compression, STRENGTH_SHARE};
use breccia::analysis::damage::Damage;
use breccia::analysis::envelope::Envelope;
use breccia::analysis::orbits::{Centre, Orbits};
use breccia::analysis::outcome::Outcome;
use breccia::analysis::report::{Aggregates, Options, Subject};
use breccia::analysis::strain::{Strain, TOP_PERCENT};
use breccia::analysis::stress::{Region, Stress};
use breccia::analysis::tracks::Tracks;
use breccia::analysis::velocity::Plane;
use breccia::base::disk;
use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::base::quantity::{Dimension, parse};
use breccia::model::stored::frames::analysis_of;
use breccia::model::stored::names::{ANALYSIS, MEASURED};
use breccia::record::files::directory::need_run;
use breccia::record::files::recorded::{Recorded, Wanted, choose, nearest};
use breccia::record::files::settings::scenario_of;
use breccia::render::over_time::{
    At, write_aggregates, write_clusters, write_damages, write_orbits, write_outcomes, write_strains,
};
use breccia::render::plots::name_of;
use breccia::render::velocity_map::VelocityMap;
use clap::ValueEnum;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Measure the frames of a run: aggregates and their spin, shape and porosity, stress, velocity field; clusters, strain, orbits
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(super) struct Args {
    #[command(subcommand)]
    of: Option<Of>,
    /// Run directory
    #[arg(required = true)]
    dir: Option<PathBuf>,
    /// What to measure [default: aggregates, shape, velocity, and stress where contacts were written]
    #[arg(value_enum)]
    what: Vec<What>,
    /// A frame's number, `last` or `all`
    #[arg(long, default_value = "last", value_name = "NUMBER")]
    frame: Wanted,
    /// Besides, the frames nearest to these instants, as in 600 (s) or "10 min", several with commas
    #[arg(long, value_name = "S", value_delimiter = ',', allow_negative_numbers = true, value_parser = instant)]
    at: Vec<f64>,
    /// The aggregate that shape, stress and velocity are of: 0 is the heaviest; `all` for all bodies [default: 0, and all with a box as --region]
    #[arg(long, value_parser = rank, value_name = "RANK")]
    aggregate: Option<Rank>,
    /// Bodies touch if their gap is below this many mean radii [default: by force, or 0.01 without contacts]
    #[arg(long)]
    tolerance: Option<f64>,
    /// Least number of bodies of aggregates that are listed [default: 2], and of clusters [default: 50]
    #[arg(long, value_name = "BODIES", value_parser = minimum)]
    minimum: Option<usize>,
    /// shape: radius of the ball that rolls over the bodies (m), or `auto`, twice the mean diameter; several with commas
    /// [default: auto]
    #[arg(long, value_name = "M", value_delimiter = ',', value_parser = ball)]
    alpha: Vec<Ball>,
    /// shape: points on each body [default: 100000 in all, from 32 to 1024 each; of polyhedra the corners]
    #[arg(long)]
    points: Option<usize>,
    /// strain: share of the most strained bodies (percent) [default: 1]
    #[arg(long, value_name = "PERCENT")]
    top: Option<f64>,
    /// compression: share of the tensile strength that counts as pressure [default: 0.48]
    #[arg(long, value_name = "ALPHA")]
    strength_share: Option<f64>,
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

/// What a run holds besides its frames.
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
    /// Bodies that touch or cannot escape each other
    Clusters,
    /// Clusters in one row: what is left of a collision
    Outcome,
    /// Sizes of the most strained bodies
    Strain,
    /// Stress and inertial number of an aggregate between two plates
    Compression,
    /// Contacts of the first frame that are broken, and cracks
    Damage,
    /// Bodies aloft about an asteroid: which return, orbit, escape
    Orbits,
}

impl What {
    /// Its name on the command line, which is its key in a [`Report`].
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    fn file(self, folder: &Path) -> PathBuf {
        folder.join(self.name() + ".json")
    }

    /// Names of the files that it leaves beside its numbers, of the velocity field on this plane.
    fn beside(self, plane: Plane) -> Vec<String> {
        let plane = plane.name();
        let names: &[&str] = match self {
            What::Aggregates => &["aggregate.npy"],
            What::Shape => &["envelope.obj"],
            What::Stress => &["body_stress.npy", "body_principal_stress.npy"],
            What::Velocity => {
                return ["velocity_PLANE.npy", "position_PLANE.npy", "density_PLANE.npy", "velocity_PLANE.svg"]
                    .map(|name| name.replace("PLANE", plane))
                    .to_vec();
            }
            What::Clusters | What::Outcome => &["cluster.npy", "cluster_track.npy"],
            What::Strain => &["body_overlap.npy", "body_strain.npy"],
            What::Damage => &["body_damage.npy"],
            What::Orbits => &["orbit_kind.npy", "orbit_elements.npy"],
            What::Compression => &[],
        };
        names.iter().map(|name| (*name).to_owned()).collect()
    }
}

/// An aggregate's rank; `None` for all bodies.
#[derive(Debug, Clone, Copy)]
struct Rank(Option<usize>);

/// An instant (s); what a run has no frame near is refused later.
fn instant(text: &str) -> std::result::Result<f64, String> {
    parse(text, Dimension::Time).map_err(|fault| fault.join("; "))
}

fn rank(text: &str) -> std::result::Result<Rank, String> {
    match text {
        "all" => Ok(Rank(None)),
        _ => text.parse().map(|rank| Rank(Some(rank))).map_err(|_| "give a rank from 0, or `all`".into()),
    }
}

fn minimum(text: &str) -> std::result::Result<usize, String> {
    text.parse().ok().filter(|bodies| *bodies > 0).ok_or_else(|| "give a whole number of bodies from 1".into())
}

/// Radius of a ball (m); `None` for the automatic one.
type Ball = Option<f64>;

fn ball(text: &str) -> std::result::Result<Ball, String> {
    match text {
        "auto" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| "give a radius in m, or `auto`".into()),
    }
}

/// One frame's part of what `--json` prints.
#[derive(Default, Serialize)]
pub(super) struct Report {
    pub frame: usize,
    pub step: u64,
    pub time_s: f64,
    /// bodies that shape, stress and velocity are of
    pub bodies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregates: Option<Aggregates>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<Envelope>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stress: Option<Stress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<VelocityMap>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<Clusters>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strain: Option<Strain>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<Damage>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orbits: Option<Orbits>,
    pub folder: PathBuf,
}

/// `breccia analyze`.
pub(super) fn run(mut args: Args) -> Result<u8> {
    if let Some(Of::SafetyMap(args)) = args.of {
        return safety_map::run(args);
    }
    let dir = args.dir.take().ok_or_else(|| Error::Usage("analyze: give a run directory".into()))?;
    need_run(&dir)?;
    let options = options(&args)?;
    // What a campaign has had measured here may be something else from now on.
    disk::remove(&dir.join(ANALYSIS).join(MEASURED))?;
    let mut tracks = (args.frame == Wanted::All).then(Tracks::default);
    let mut reports = vec![];
    let at = nearest(&dir, &args.at)?;
    let mut frames = [at.clone(), choose(&dir, args.frame)?].concat();
    frames.sort();
    frames.dedup();
    let about = || Centre::of(scenario_of(&dir)?.as_ref(), &dir);
    let centre = wants(&args, What::Orbits).then(about).transpose()?;
    let last = frames.last().map(|f| f.0);
    for (number, path) in frames {
        let asked = args.frame != Wanted::All || Some(number) == last || at.iter().any(|f| f.0 == number);
        let found = measure(&args, &dir, &options, centre.as_ref(), &Recorded::read(&path)?, tracks.as_mut());
        let report = match found {
            Ok(report) => report,
            Err(error) if !asked => {
                tracing::warn!("frame {number} is passed over: {error}");
                continue;
            }
            Err(error) => return Err(error),
        };
        if !args.json {
            print(&report);
        }
        reports.push(report);
    }
    if tracks.is_some() {
        side_by_side(&dir, &reports)?;
    }
    if args.json {
        println!("{}", json::pretty(&serde_json::json!({ "frames": reports }))?);
    }
    Ok(0)
}

fn options(args: &Args) -> Result<Options> {
    refuse_unused(args)?;
    if let Some(t) = args.tolerance.filter(|t| !t.is_finite() || *t < 0.0) {
        return Err(Error::Usage(format!("--tolerance {t}: give a number from 0")));
    }
    if let Some(p) = args.top.filter(|p| !(*p > 0.0 && *p <= 100.0)) {
        return Err(Error::Usage(format!("--top {p}: give a percentage above 0, up to 100")));
    }
    if let Some(share) = args.strength_share.filter(|s| !s.is_finite() || *s < 0.0) {
        return Err(Error::Usage(format!("--strength-share {share}: give a number from 0")));
    }
    Ok(Options {
        tolerance: args.tolerance,
        minimum: args.minimum.unwrap_or(2),
        cluster_minimum: args.minimum.unwrap_or(50),
        aggregate: args.aggregate.map_or_else(|| usual_aggregate(args.region), |rank| rank.0),
        alpha_m: args.alpha.clone(),
        points: args.points,
        top_percent: args.top.unwrap_or(TOP_PERCENT),
        strength_share: args.strength_share.unwrap_or(STRENGTH_SHARE),
        region: args.region.unwrap_or(Region::Whole),
        plane: args.plane.unwrap_or(Plane::Xy),
        reach_m: args.reach,
    })
}

/// The heaviest aggregate; in a box whatever lies there.
fn usual_aggregate(region: Option<Region>) -> Option<usize> {
    if matches!(region, Some(Region::Box { .. })) { None } else { Some(0) }
}

/// Refuses an option of parts that are not measured: it would change nothing.
fn refuse_unused(args: &Args) -> Result<()> {
    let given = [
        ("--minimum", args.minimum.is_some()),
        ("--tolerance", args.tolerance.is_some()),
        ("--aggregate", args.aggregate.is_some()),
        ("--alpha", !args.alpha.is_empty()),
        ("--points", args.points.is_some()),
        ("--region", args.region.is_some()),
        ("--plane", args.plane.is_some()),
        ("--reach", args.reach.is_some()),
        ("--top", args.top.is_some()),
        ("--strength-share", args.strength_share.is_some()),
    ];
    let is_wanted = |name: &&str| What::from_str(name, false).is_ok_and(|part| wants(args, part));
    let unused = |option: &str| !parts_of(option).iter().any(is_wanted);
    let Some((option, _)) = given.iter().find(|(option, given)| *given && unused(option)) else {
        return Ok(());
    };
    let names = parts_of(option).iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
    Err(Error::Usage(format!(
        "{option}: applies to {names}, which is not measured here; add it, or leave the option out"
    )))
}

/// Parts that are costly, or need more of a run than any has, are measured if they are named.
fn wants(args: &Args, part: What) -> bool {
    let usual = matches!(part, What::Aggregates | What::Shape | What::Stress | What::Velocity);
    args.what.contains(&part) || (args.what.is_empty() && usual)
}

/// Whether a part that is measured changes with the bodies that touch.
fn rests_on_aggregates(args: &Args, options: &Options) -> bool {
    let of_one = [What::Shape, What::Stress, What::Velocity].iter().any(|part| wants(args, *part));
    let of_all = [What::Aggregates, What::Clusters, What::Outcome].iter().any(|part| wants(args, *part));
    of_all || (of_one && options.aggregate.is_some())
}

fn measure(
    args: &Args,
    dir: &Path,
    options: &Options,
    centre: Option<&Centre>,
    recorded: &Recorded,
    tracks: Option<&mut Tracks>,
) -> Result<Report> {
    forget(args, options, &analysis_of(dir, recorded.number))?;
    let subject = Subject::new(recorded, dir, options)?;
    if rests_on_aggregates(args, options) {
        subject.warn_of_loose_contacts();
    }
    let folder = subject.folder()?;
    let mut report = Report {
        frame: recorded.number,
        step: recorded.instant.step,
        time_s: recorded.instant.time_s,
        bodies: subject.bodies(),
        folder: folder.clone(),
        ..Report::default()
    };
    if wants(args, What::Aggregates) {
        report.aggregates = Some(subject.aggregates(&folder)?);
    }
    if wants(args, What::Shape) {
        report.shape = Some(subject.shape(&folder)?);
    }
    // Missing contacts are an error only if the part was requested by name or by an option.
    if args.what.contains(&What::Stress) || args.region.is_some() || (args.what.is_empty() && recorded.has_contacts) {
        report.stress = Some(subject.stress(&folder)?);
    }
    // bodies far apart are an error only if the field was requested
    let velocity = args.what.contains(&What::Velocity) || args.plane.is_some() || args.reach.is_some();
    match subject.too_wide().filter(|_| args.what.is_empty() && !velocity) {
        Some(what) => tracing::warn!("frame {}: no velocity field: {what}", recorded.number),
        None if wants(args, What::Velocity) => report.velocity = Some(subject.velocity(&folder)?),
        None => {}
    }
    if wants(args, What::Clusters) || wants(args, What::Outcome) {
        let found = subject.clusters(&folder, tracks)?;
        let bodies = recorded.instant.bodies.len();
        let outcome = Outcome::of(report.frame, report.time_s, bodies, &found);
        report.outcome = Some(outcome).filter(|_| wants(args, What::Outcome));
        report.clusters = Some(found).filter(|_| wants(args, What::Clusters));
    }
    if wants(args, What::Strain) {
        report.strain = Some(subject.strain(&folder)?);
    }
    if wants(args, What::Compression) {
        report.compression = Some(subject.compression()?);
    }
    if wants(args, What::Damage) {
        report.damage = Some(subject.damage(&folder)?);
    }
    if let Some(centre) = centre {
        report.orbits = Some(subject.orbits(&folder, centre)?);
    }
    write(&folder, &report)?;
    Ok(report)
}

/// Takes away what an earlier call with other options left of these parts, numbers and arrays, since a frame that cannot be
/// measured now would show it.
fn forget(args: &Args, options: &Options, folder: &Path) -> Result<()> {
    for part in What::value_variants().iter().filter(|part| wants(args, **part)) {
        disk::remove(&part.file(folder))?;
        part.beside(options.plane).iter().try_for_each(|name| disk::remove(&folder.join(name)))?;
    }
    Ok(())
}

/// Each part as PART.json, so that parts measured one after another are kept together.
fn write(folder: &Path, report: &Report) -> Result<()> {
    let found = serde_json::to_value(report).map_err(|e| Error::Data(e.to_string()))?;
    for part in What::value_variants() {
        found.get(part.name()).map_or(Ok(()), |value| json::write(&part.file(folder), value))?;
    }
    Ok(())
}

/// Tables and plots over all frames.
fn side_by_side(run: &Path, reports: &[Report]) -> Result<()> {
    fn at<T>(reports: &[Report], part: fn(&Report) -> Option<&T>) -> Vec<At<'_, T>> {
        reports.iter().filter_map(|r| Some((r.frame, r.time_s, part(r)?))).collect()
    }
    let outcomes: Vec<Outcome> = reports.iter().filter_map(|r| r.outcome.clone()).collect();
    let (folder, name) = (&run.join(ANALYSIS), &name_of(run));
    write_aggregates(folder, name, &at(reports, |r| r.aggregates.as_ref()))?;
    write_clusters(folder, &at(reports, |r| r.clusters.as_ref()))?;
    write_outcomes(folder, name, &outcomes)?;
    write_damages(folder, name, &at(reports, |r| r.damage.as_ref()))?;
    write_orbits(folder, name, &at(reports, |r| r.orbits.as_ref()))?;
    write_strains(folder, name, &at(reports, |r| r.strain.as_ref()))
}
