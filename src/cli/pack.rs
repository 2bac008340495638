//! `breccia pack`: bodies of a scenario, made once, as a table for others.

use super::common::{Source, refuse_unwritable};
use breccia::base::error::Result;
use breccia::base::json;
use breccia::base::readable::{digits, number, percent, whole};
use breccia::record::warnings::source_warnings;
use breccia::scenario::load;
use breccia::scenario::packed::{Packed, packed, refuse_unfit, write_table};
use std::path::{Path, PathBuf};

/// Make the bodies of a scenario once, as a table that generator = "file" reads, and tell how densely they are packed
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// The table: .csv, with the name of each body's material, or .npy [default: NAME.csv]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace OUT if it is there
    #[arg(long)]
    overwrite: bool,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia pack`.
pub(super) fn run(args: Args) -> Result<u8> {
    let scenario = load(&args.source.scenario, &args.source.set)?;
    let out = args.out.unwrap_or_else(|| PathBuf::from(format!("{}.csv", scenario.name)));
    refuse_unfit(&out, &scenario)?;
    refuse_unwritable(&out, args.overwrite)?;
    source_warnings(&scenario)?.iter().for_each(|text| tracing::warn!("{text}"));
    let (bodies, report) = packed(&scenario)?;
    write_table(&out, &scenario, &bodies, args.overwrite)?;
    if args.json {
        let output = serde_json::json!({ "file": json::text(&out), "packed": report });
        println!("{}", json::pretty(&output)?);
    } else {
        print(&report, &out);
    }
    Ok(0)
}

fn print(r: &Packed, out: &Path) {
    println!("bodies            {}", whole(r.bodies as u64));
    println!("mass              {} kg", digits(r.mass_kg, 6));
    for share in &r.materials {
        println!("  {:15} {} bodies, {} kg", share.material, whole(share.bodies as u64), digits(share.mass_kg, 6));
    }
    println!("radii             {} to {} m", number(r.radius_m[0]), number(r.radius_m[1]));
    for (g, group) in r.groups.iter().enumerate() {
        let Some(filled) = &group.filled else { continue };
        let title = if r.groups.len() > 1 { format!("packing, group {g}") } else { "packing".into() };
        let volume = digits(filled.volume_m3, 6);
        println!("{title:17} {} of {volume} m3, porosity {}", digits(filled.packing, 4), digits(filled.porosity, 4));
        if group.spheres_m3 > group.solid_m3 * (1.0 + 1e-9) {
            let share = digits(group.spheres_m3 / filled.volume_m3, 4);
            println!("                  the spheres around the bodies fill {share}");
        }
    }
    match r.overlap_max {
        0.0 => println!("largest overlap   none"),
        overlap => println!("largest overlap   {} of the smaller radius", percent(overlap)),
    }
    println!("file              {}", out.display());
}
