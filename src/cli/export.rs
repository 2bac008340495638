//! `breccia export`: frames for ParaView and OVITO.

use super::common::Axes;
use breccia::base::error::{Error, Result};
use breccia::geometry::surface::Surface;
use breccia::record::files::recorded::{Wanted, choose};
use breccia::record::files::settings::scenario_of;
use breccia::render::export::{Exported, Format, export};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Write frames of a run for ParaView (VTP, PVD) and OVITO (extended XYZ)
#[derive(clap::Args)]
pub(super) struct Args {
    /// Run directory
    dir: PathBuf,
    /// A frame's number, `last` or `all`
    #[arg(long, default_value = "last", value_name = "NUMBER")]
    frame: Wanted,
    /// vtp: bodies, contacts and walls for ParaView; xyz: bodies for OVITO
    #[arg(long, value_enum, value_delimiter = ',', default_value = "vtp")]
    format: Vec<Kind>,
    /// body: coordinates of the frames, fixed to an asteroid if there is one; inertial: those of inertial space
    #[arg(long, value_enum, default_value = "body")]
    axes: Axes,
    /// vtp: leave out the asteroid of the run
    #[arg(long)]
    no_asteroid: bool,
    /// Folder of the files [default: DIR/export]
    #[arg(long)]
    out: Option<PathBuf>,
    /// What was written, as one JSON line
    #[arg(long)]
    json: bool,
}

/// As typed.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Vtp,
    Xyz,
}

/// `breccia export`.
pub(super) fn run(args: Args) -> Result<u8> {
    let frames = choose(&args.dir, args.frame)?;
    let folder = args.out.unwrap_or_else(|| args.dir.join("export"));
    let surface = surface(&args.dir, args.no_asteroid)?;
    let mut done = Exported::default();
    for kind in args.format {
        let format = if kind == Kind::Vtp { Format::Vtp } else { Format::Xyz };
        let made = export(&args.dir, &frames, format, &folder, args.axes == Axes::Inertial, surface.as_deref())?;
        done.files.extend(made.files);
        done.without_contacts += made.without_contacts;
    }
    if done.without_contacts > 0 {
        eprintln!(
            "{} of {} frames hold no contacts: a run writes them with `output.contacts = true`",
            done.without_contacts,
            frames.len()
        );
    }
    if args.json {
        let files: Vec<_> = done.files.iter().map(|f| f.display().to_string()).collect();
        println!("{}", serde_json::json!({ "frames": frames.len(), "files": files }));
    } else {
        // If there are many frames, the indices are enough.
        let few = frames.len() <= 2;
        let shown = done.files.iter().filter(|f| few || f.extension().is_some_and(|e| e != "vtp"));
        shown.for_each(|f| println!("{}", f.display()));
    }
    Ok(0)
}

/// The surface of the run's asteroid, if it has one and it is wanted.
fn surface(run: &Path, unwanted: bool) -> Result<Option<Arc<Surface>>> {
    let Some(spec) = (if unwanted { None } else { scenario_of(run)?.and_then(|s| s.asteroid) }) else {
        return Ok(None);
    };
    let missing = |e| Error::Data(format!("{e}; --no-asteroid exports the bodies alone"));
    spec.surface().map(Some).map_err(missing)
}
