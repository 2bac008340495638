//! Which engine computes a scenario. This is the only place that chooses engines and pipelines by the method: runs open
//! their engine here, and `breccia plan` takes the pipelines from here.

use super::Engine;
use crate::base::error::{Error, Result};
use crate::engine::gpu::contact_dynamics::ContactDynamics;
use crate::engine::gpu::core::{Pipelines, plan_named};
use crate::engine::gpu::prepare::prepare;
use crate::engine::gpu::soft_sphere::SoftSphere;
use crate::engine::reference::contact_dynamics::RigidReference;
use crate::engine::reference::range;
use crate::engine::reference::soft_sphere::ReferenceEngine;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::Plan;
use crate::model::body::Bodies;
use crate::model::scenario::{Method, Scenario};
use crate::physics::time_step::time_step;
use serde::{Deserialize, Serialize};

/// What computes a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineKind {
    /// WGSL passes on a GPU, or on a software adapter
    #[default]
    Gpu,
    /// The same scheme in f64 on one CPU core: slow, takes any ratio of sizes, needs no GPU
    Reference,
}

/// The pipelines of a method on a GPU.
pub fn pipelines(method: &Method) -> Pipelines {
    match method {
        Method::SoftSphere => Pipelines::SOFT_SPHERE,
        Method::ContactDynamics(_) => Pipelines::CONTACT_DYNAMICS,
    }
}

/// The engine of the scenario's method on a GPU, before its first step.
pub fn on_gpu(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, dt_s: f64, sources: Sources) -> Result<Box<dyn Engine>> {
    Ok(match scenario.method {
        Method::SoftSphere => Box::new(SoftSphere::new(gpu, scenario, bodies, dt_s, sources)?),
        Method::ContactDynamics(_) => Box::new(ContactDynamics::new(gpu, scenario, bodies, dt_s, sources)?),
    })
}

/// The engine of the scenario's method in f64, before its first step.
pub fn in_f64(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Result<Box<dyn Engine>> {
    range::refuse(scenario, bodies)?;
    Ok(match &scenario.method {
        Method::SoftSphere => Box::new(ReferenceEngine::new(scenario, bodies, dt_s)?),
        Method::ContactDynamics(settings) => Box::new(RigidReference::new(scenario, settings, bodies, dt_s)?),
    })
}

/// The checked plan of the scenario's time step, or of the pipeline `named`, without a device: the WebGPU default limits
/// stand in for a device's, and where the solver depends on the kind of device, a GPU is assumed.
pub fn plan(scenario: &Scenario, bodies: &Bodies, named: Option<&str>, sources: &Sources) -> Result<Plan> {
    let Pipelines { step, measure } = pipelines(&scenario.method);
    let name = named.unwrap_or(step);
    if name != step && name != measure {
        return Err(Error::Usage(format!(
            "--pipeline {name}: {} has the pipelines {step} and {measure}; name one of them, or leave --pipeline out",
            scenario.name
        )));
    }
    let prepared = prepare(scenario, bodies, time_step(scenario, bodies).dt_s, false)?;
    let storage_max = wgpu::Limits::default().max_storage_buffers_per_shader_stage;
    plan_named(name, &prepared, storage_max, sources)
}
