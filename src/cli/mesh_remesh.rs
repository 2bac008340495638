//! `breccia mesh remesh`: a surface over a grid of latitudes and longitudes.

use breccia::base::error::{Error, Result};
use breccia::base::readable::{number, percent};
use breccia::geometry::mesh::format::Format;
use breccia::geometry::mesh::lat_lon::{change, lat_lon};
use breccia::geometry::mesh::{Mesh, write};
use std::path::PathBuf;

/// Write a star-shaped surface anew over a grid of latitudes and longitudes, and report how far it is from the old one
#[derive(clap::Args)]
pub(super) struct Args {
    /// Surface: OBJ, PLY, STL, PDS plate model or ICQ
    file: PathBuf,
    /// New file: .obj, .ply or .stl, in the unit of the old one
    out: PathBuf,
    /// Step of latitude and longitude, of which 180 degrees are a whole number
    #[arg(long, value_name = "STEP_DEG")]
    lat_lon: f64,
    /// Format, if name and content do not show it
    #[arg(long, value_parser = super::mesh::format)]
    format: Option<Format>,
    /// Replace OUT if it is there; the file that is read never
    #[arg(long)]
    overwrite: bool,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<u8> {
    write::format_of(&args.out)?;
    super::mesh::refuse_same(&args.file, &args.out)?;
    let old = Mesh::load(&args.file, 1.0, args.format)?.whole()?;
    let new = lat_lon(&old, args.lat_lon)?;
    let comment = format!(
        "{} over latitudes and longitudes every {} degrees",
        args.file.file_name().unwrap_or_default().to_string_lossy(),
        args.lat_lon
    );
    write::write(&args.out, &new.vertices_m, &new.faces, &comment, args.overwrite)?;
    let c = change(&old, &new);
    let out = args.out.display();
    if args.json {
        let output = serde_json::json!({
            "file": out.to_string(), "vertices": new.vertices_m.len(), "faces": new.faces.len(), "change": c,
        });
        println!("{}", serde_json::to_string(&output).map_err(|e| Error::Data(e.to_string()))?);
    } else {
        println!("{out}: {} vertices, {} faces of {}", new.vertices_m.len(), new.faces.len(), old.faces.len());
        println!("volume            changed by {}", percent(c.volume));
        println!("mass centre       moved by {} units", number(c.centre));
        println!("inertia           changed by {}", c.inertia.map(percent).join(", "));
        println!("radius            off by {} units at most", number(c.radius));
    }
    Ok(0)
}
