//! `breccia plan`: the step as a table.

use super::common::Source;
use breccia::base::error::{Error, Result};
use breccia::engine::gpu::core::{Pipelines, plan_named, prepared_for};
use breccia::gpu::pipeline::link::Sources;
use breccia::model::scenario::Scenario;
use breccia::physics::time_step::time_step;
use breccia::scenario::generate::generate;
use breccia::scenario::load;
use std::path::PathBuf;

/// Print the passes of a time step for a scenario
#[derive(clap::Args)]
pub struct Args {
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

/// The pipeline to show: the step of the scenario's method, or the one named, if the method has it.
fn pipeline(scenario: &Scenario, wanted: Option<String>) -> Result<String> {
    let Pipelines { step, measure } = Pipelines::of(&scenario.method);
    match wanted {
        None => Ok(step.to_owned()),
        Some(name) if name == step || name == measure => Ok(name),
        Some(name) => Err(Error::Usage(format!(
            "--pipeline {name}: {} has the pipelines {step} and {measure}; name one of them, or leave --pipeline out",
            scenario.name
        ))),
    }
}

/// `breccia plan`. Needs no GPU: the default limits of WebGPU replace those of the device, and where the solver depends
/// on the kind of device, a GPU is assumed.
pub fn run(args: Args) -> Result<u8> {
    let scenario = load(&args.source.scenario, &args.source.set)?;
    let bodies = generate(&scenario)?;
    let pipeline = pipeline(&scenario, args.pipeline)?;
    let prepared = prepared_for(&scenario, &bodies, time_step(&scenario, &bodies).dt_s, false)?;
    let limit = wgpu::Limits::default().max_storage_buffers_per_shader_stage;
    let sources = Sources { directory: args.shader_dir, ..Default::default() };
    let plan = plan_named(&pipeline, &prepared, limit, &sources)?;
    if args.json {
        println!("{}", serde_json::json!({ "pipeline": plan.name, "passes": plan.rows() }));
    } else {
        print!("{}", plan.table());
    }
    Ok(0)
}
