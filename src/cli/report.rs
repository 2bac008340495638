//! `breccia report`: the page of a run as one file.

use breccia::base::disk::write_new;
use breccia::base::error::{Error, Result};
use breccia::base::json;
use breccia::base::readable::bytes;
use breccia::model::stored::names::REPORT;
use breccia::record::files::rows;
use breccia::render::scene::Quantity;
use breccia::view::report::{Choice, report};
use std::path::PathBuf;

/// Write the page of a run as one HTML file, which shows bodies, series and expectations without a network or a server
#[derive(clap::Args)]
pub(super) struct Args {
    /// Run directory
    dir: PathBuf,
    /// The file [default: DIR/report.html]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace OUT if it is there
    #[arg(long)]
    overwrite: bool,
    /// Frames in it at most, evenly over the run
    #[arg(long, default_value_t = 60)]
    frames: usize,
    /// A quantity that colours the bodies, as of `breccia render`; may be given several times [default: speed, pressure,
    /// coordination, radius, material]
    #[arg(long, visible_alias = "colour", value_name = "QUANTITY")]
    color: Vec<String>,
    /// Size of the file at most (MB)
    #[arg(long, default_value_t = 100, value_name = "MB")]
    max_size: u64,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia report`.
pub(super) fn run(args: Args) -> Result<u8> {
    args.color.iter().try_for_each(|name| Quantity::parse(name).map(drop))?;
    if args.frames == 0 || args.max_size == 0 {
        return Err(Error::Usage("--frames and --max-size: whole numbers above 0".into()));
    }
    let choice = Choice { frames: args.frames, quantities: args.color, most: args.max_size.saturating_mul(1_000_000) };
    let made = report(&args.dir, &choice)?;
    if let Some(what) = rows::fault(&args.dir) {
        tracing::warn!("{what}; the report lacks these rows");
    }
    let out = args.out.unwrap_or_else(|| args.dir.join(REPORT));
    write_new(&out, made.html.as_bytes(), args.overwrite)?;
    let size = made.html.len() as u64;
    if args.json {
        let told =
            serde_json::json!({ "report": json::text(&out), "bytes": size, "frames": made.frames, "of": made.of });
        println!("{told}");
    } else {
        println!("{}", out.display());
        eprintln!("{}, {} of {} frames", bytes(size), made.frames, made.of);
    }
    Ok(0)
}
