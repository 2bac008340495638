//! `breccia mesh make`: a body by rule, as a file.

use super::complete;
use breccia::base::error::{Error, Result};
use breccia::base::fault::Fault;
use breccia::base::readable::{digits, number};
use breccia::geometry::made::body::Body;
use breccia::geometry::mesh::measure::Measures;
use breccia::geometry::mesh::write;
use breccia::model::scenario::{AsteroidSpec, SurfaceKind};
use breccia::scenario::load;
use breccia::scenario::made::from_words;
use clap_complete::engine::ArgValueCompleter;
use std::path::PathBuf;

/// Write a sphere, an ellipsoid or a spinning top with relief, in metres
#[derive(clap::Args)]
pub(super) struct Args {
    /// New file: .obj, .ply or .stl
    out: PathBuf,
    /// Keys of `[asteroid] shape`, as in kind=top faces=20000 equatorial_radius_m=250 relief.fractal.rms_m=2
    #[arg(value_name = "KEY=VALUE", required_unless_present = "scenario")]
    keys: Vec<String>,
    /// Take the shape of this scenario's asteroid instead
    #[arg(long, value_name = "FILE", conflicts_with = "keys")]
    scenario: Option<String>,
    /// Change a key of that scenario
    #[arg(long, value_name = "KEY=VALUE", requires = "scenario", add = ArgValueCompleter::new(complete::settings))]
    set: Vec<String>,
    /// Replace OUT if it is there
    #[arg(long)]
    overwrite: bool,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<u8> {
    write::format_of(&args.out)?;
    let body = match &args.scenario {
        Some(file) => of_scenario(file, &args.set)?,
        None => from_words(&args.keys)?,
    };
    let mesh = body.make(&args.out.display().to_string())?;
    let keys = serde_json::to_string(&body).map_err(|e| Error::Data(e.to_string()))?;
    write::write(&args.out, &mesh.vertices_m, &mesh.faces, &format!("in metres: {keys}"), args.overwrite)?;
    let m = Measures::of(&mesh);
    if args.json {
        let output = serde_json::json!({
            "file": mesh.name, "body": body, "vertices": mesh.vertices_m.len(), "faces": mesh.faces.len(), "measures": m,
        });
        println!("{output}");
    } else {
        println!("{}: {} vertices, {} faces, in metres", mesh.name, mesh.vertices_m.len(), mesh.faces.len());
        println!("volume            {} m3", digits(m.volume_m3, 9));
        println!("edges             mean {} m", number(m.edge_m[1]));
    }
    Ok(0)
}

fn of_scenario(file: &str, set: &[String]) -> Result<Body> {
    match load(file, set)?.asteroid.as_ref().map(AsteroidSpec::shape) {
        Some(SurfaceKind::Made { body }) => Ok(body.clone()),
        Some(SurfaceKind::Mesh { path, .. }) => {
            Err(Fault::new(format!("asteroid.shape is the file {path} already: copy it, or `breccia mesh fix`"))
                .file(file.to_string())
                .into())
        }
        Some(SurfaceKind::Box { .. }) => Err(Fault::new("asteroid.shape is a box, which has no file")
            .remedy("choose kind = \"sphere\", \"ellipsoid\" or \"top\"")
            .file(file.to_string())
            .into()),
        None => Err(Fault::new("no [asteroid] whose shape could be made").file(file.to_string()).into()),
    }
}
