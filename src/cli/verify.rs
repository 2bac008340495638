//! `breccia verify`: every pass against its truth on the CPU, on the user's own GPU.

use super::common::Device;
use super::mesa;
use breccia::base::error::{Error, Result};
use breccia::base::exit_code;
use breccia::base::json;
use breccia::gpu::device::{Gpu, describe};
use breccia::gpu::pipeline::link::Sources;
use breccia::gpu::pipeline::perturb;
use breccia::gpu::pipeline::perturb::Perturb;
use breccia::gpu::threads::Share;
use breccia::verify::families::FAMILIES;
use breccia::verify::{Check, Family};
use serde::Serialize;
use std::time::Instant;

/// Compare every pass with the same computation in f64 or in integers on the CPU
#[derive(clap::Args)]
pub(super) struct Args {
    /// Families of checks, as `--list` prints them [default: all]
    families: Vec<String>,
    /// Print the families, what each compares and why its bounds are what they are; needs no GPU
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    device: Device,
    /// Compute with shaders as wrong as Vulkan allows, of these kinds, or `all`: docs/method/verify.md
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    perturb: Vec<String>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// One check as printed.
#[derive(Serialize)]
struct Row {
    family: &'static str,
    passes: &'static [&'static str],
    compared: &'static str,
    /// inputs tried
    cases: usize,
    /// values that should be equal and are not
    wrong: usize,
    /// worst error in `unit`; null if it is infinite
    error: f64,
    /// largest error allowed; 0 where all values must be equal
    bound: f64,
    unit: &'static str,
    reason: &'static str,
    /// where the first wrong value or the worst error is
    place: String,
    ok: bool,
    seconds: f64,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    device: String,
    failed: usize,
    checks: Vec<Row>,
}

/// `breccia verify`: 0, or 1 if a check failed.
pub(super) fn run(args: Args) -> Result<u8> {
    let families = chosen(&args.families)?;
    if args.list {
        return list(&families, args.json);
    }
    if let Some(folder) = args.device.shader_dir.as_ref().filter(|f| !f.is_dir()) {
        return Err(Error::Usage(format!("--shader-dir {}: there is no such folder", folder.display())));
    }
    let sources = Sources { perturb: Perturb::of(&args.perturb)?, ..args.device.sources() };
    mesa::suit(Share::SoftSpheres, 0); // its cases are small
    let gpu = match sources.perturb {
        None => args.device.open()?,
        Some(_) => args.device.open_with(perturb::FEATURES)?,
    };
    if sources.perturb.is_some() {
        Perturb::check(&gpu)?;
    }
    let mut checks = vec![];
    let mut stopped = None;
    for (family, check) in families.iter().flat_map(|f| f.checks.iter().map(|c| (f.name, c))) {
        match measure(&gpu, &sources, family, check) {
            Ok(row) => checks.push(row),
            Err(e) => {
                tracing::error!("{}: {}: the check failed", check.passes.join(" "), check.what);
                stopped = Some(e);
                break;
            }
        }
    }
    let failed = checks.iter().filter(|r| !r.ok).count();
    let words =
        if args.perturb.is_empty() { String::new() } else { format!(", perturbed: {}", args.perturb.join(" ")) };
    let report = Report { device: describe(&gpu.info) + &words, failed, checks };
    match args.json {
        true => println!("{}", json::pretty(&report)?),
        false => print(&report),
    }
    stopped.map_or(Ok(if failed > 0 { exit_code::MISSED } else { exit_code::DONE }), Err)
}

/// The families named, all if none is, in the order of a step.
fn chosen(names: &[String]) -> Result<Vec<&'static Family>> {
    for name in names {
        if !FAMILIES.iter().any(|f| f.name == name) {
            let known: Vec<_> = FAMILIES.iter().map(|f| f.name).collect();
            return Err(Error::Usage(format!("unknown family `{name}`; known families: {}", known.join(", "))));
        }
    }
    Ok(FAMILIES.iter().filter(|f| names.is_empty() || names.iter().any(|n| n == f.name)).collect())
}

/// A check as `--list --json` prints it.
#[derive(Serialize)]
struct Listed {
    passes: &'static [&'static str],
    compared: &'static str,
    bound: f64,
    unit: &'static str,
    reason: &'static str,
}

/// A family as `--list --json` prints it.
#[derive(Serialize)]
struct ListedFamily {
    family: &'static str,
    compares: &'static str,
    bounds: &'static str,
    checks: Vec<Listed>,
}

/// `--list`: the table of families and their checks.
fn list(families: &[&'static Family], machine_readable: bool) -> Result<u8> {
    let listed = |c: &'static Check| Listed {
        passes: c.passes,
        compared: c.what,
        bound: c.bound,
        unit: c.unit,
        reason: c.reason,
    };
    let family = |f: &&'static Family| ListedFamily {
        family: f.name,
        compares: f.compares,
        bounds: f.bounds,
        checks: f.checks.iter().map(listed).collect(),
    };
    if machine_readable {
        println!("{}", json::pretty(&families.iter().map(family).collect::<Vec<_>>())?);
        return Ok(exit_code::DONE);
    }
    for f in families {
        println!("{}: {}\n  bounds: {}", f.name, f.compares, f.bounds);
        for c in f.checks {
            println!("  {}: {}; {}: {}", c.passes.join(" "), c.what, c.limit(), c.reason);
        }
    }
    Ok(exit_code::DONE)
}

fn measure(gpu: &Gpu, sources: &Sources, family: &'static str, check: &'static Check) -> Result<Row> {
    let begun = Instant::now();
    let m = check.run(gpu, sources)?;
    let Check { passes, what, unit, bound, reason, .. } = *check;
    let (seconds, place) = (begun.elapsed().as_secs_f64(), m.worst);
    let (cases, wrong, error, ok) = (m.cases, m.wrong, m.error, m.passed);
    Ok(Row { family, passes, compared: what, cases, wrong, error, bound, unit, reason, place, ok, seconds })
}

/// Cells of a line of the table.
fn cells(row: &Row) -> [String; 7] {
    let exact = row.bound == 0.0;
    let error = match (row.wrong, exact) {
        (0, true) => "none".into(),
        (0, false) => format!("{:.1e}", row.error),
        (wrong, _) => format!("{wrong} wrong"),
    };
    let bound = if exact { "equal".into() } else { format!("{:.1e} {}", row.bound, row.unit) };
    let state = if row.ok { "ok" } else { "FAIL" };
    let (passes, cases) = (row.passes.join(" "), row.cases.to_string());
    [state.into(), row.family.into(), passes, row.compared.into(), cases, error, bound]
}

fn print(report: &Report) {
    let head = ["", "family", "passes", "compared", "cases", "error", "bound"].map(str::to_owned);
    let lines: Vec<[String; 7]> = std::iter::once(head).chain(report.checks.iter().map(cells)).collect();
    let widths = [0, 1, 2, 3, 4, 5, 6].map(|k| lines.iter().map(|l| l[k].len()).max().unwrap_or(0));
    println!("{}", report.device);
    let found = std::iter::once(None).chain(report.checks.iter().map(Some));
    for (line, row) in lines.iter().zip(found) {
        let padded: Vec<_> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        println!("{}", padded.join("  ").trim_end());
        if let Some(row) = row.filter(|r| !r.ok) {
            println!("      {}; the bound: {}", row.place, row.reason);
        }
    }
    let seconds: f64 = report.checks.iter().map(|r| r.seconds).sum();
    println!("{} checks in {seconds:.1} s, {} failed", report.checks.len(), report.failed);
}
