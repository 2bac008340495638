//! `breccia plan`: the step as a table.

use super::common::Source;
use breccia::error::Result;
use breccia::pipeline::link::Sources;
use breccia::scenario::{closure::time_step, generate::generate, load};
use breccia::solver::core::plan_named;
use breccia::solver::prepare::prepare;
use std::path::PathBuf;

/// Print the passes of a time step for a scenario
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Pipeline: soft_sphere or measure_field
    #[arg(long, default_value = "soft_sphere")]
    pipeline: String,
    /// Read shaders from this directory instead of the embedded ones
    #[arg(long)]
    shader_dir: Option<PathBuf>,
    /// Machine-readable
    #[arg(long)]
    json: bool,
}

/// `breccia plan`. Needs no GPU: the WebGPU default limits stand for the device.
pub fn run(args: Args) -> Result<u8> {
    let scenario = load(&args.source.scenario, &args.source.set)?;
    let bodies = generate(&scenario)?;
    let prepared = prepare(&scenario, &bodies, time_step(&scenario, &bodies).dt_s)?;
    let limit = wgpu::Limits::default().max_storage_buffers_per_shader_stage;
    let plan = plan_named(&args.pipeline, &prepared, limit, &Sources { directory: args.shader_dir })?;
    if args.json {
        println!("{}", serde_json::json!({ "pipeline": plan.name, "passes": plan.rows() }));
    } else {
        print!("{}", plan.table());
    }
    Ok(0)
}
