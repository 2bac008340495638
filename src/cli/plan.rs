//! `breccia plan`: the step as a table.

use super::common::Source;
use breccia::base::error::Result;
use breccia::engine::open::plan;
use breccia::gpu::pipeline::link::Sources;
use breccia::scenario::{generate::generate, load};
use std::path::PathBuf;

/// Print the passes of a time step for a scenario
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Pipeline: a step (soft_sphere, contact_dynamics) or the forces and fields at an instant (measure_field,
    /// measure_dynamics) [default: the step of the scenario's method]
    #[arg(long)]
    pipeline: Option<String>,
    /// Read shaders from this directory instead of the embedded ones
    #[arg(long)]
    shader_dir: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia plan`. It needs no GPU.
pub(super) fn run(args: Args) -> Result<u8> {
    let scenario = load(&args.source.scenario, &args.source.set)?;
    let bodies = generate(&scenario)?;
    let sources = Sources { directory: args.shader_dir, ..Default::default() };
    let plan = plan(&scenario, &bodies, args.pipeline.as_deref(), &sources)?;
    if args.json {
        println!("{}", serde_json::json!({ "pipeline": plan.name, "passes": plan.rows() }));
    } else {
        print!("{}", plan.table());
    }
    Ok(0)
}
