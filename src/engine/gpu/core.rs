//! What the GPU engines do alike: buffers of the table, the checked plan of a step, control words, the field
//! at an instant. Faults and growth have files of their own.

use super::capacity::Drained;
use super::parts::surface::footprint;
use super::parts::{Fill, Pause};
use super::phases::Phases;
use super::prepare::{Prepared, prepare};
use crate::base::error::{Error, Result};
use crate::base::fixed_point;
use crate::gpu::blocks::named::expand;
use crate::gpu::buffer_table::{Counts, TABLE};
use crate::gpu::constants::REQUEST_REBUILD;
use crate::gpu::device::Gpu;
use crate::gpu::elements::body::Field;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::work::WorkSlot;
use crate::gpu::pipeline::file;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::{Plan, Slot, plan};
use crate::gpu::pipeline::run::{Buffers, Compiled, Pipeline};
use crate::model::body::Bodies;
use crate::model::scenario::{Method, Scenario, Wall};
use std::mem::offset_of;

/// GPU time that one submission aims at [s]: long enough to hide the host, short enough for watchdogs and signals.
pub(super) const SUBMISSION_S: f64 = 0.03;

/// Work besides steps that a trial asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// none
    Nothing,
    /// a neighbour list
    List,
    /// held gravity
    Gravity,
}

/// The pipelines of an engine.
#[derive(Debug, Clone, Copy)]
pub struct Pipelines {
    /// of a step
    pub step: &'static str,
    /// of the field at an instant
    pub measure: &'static str,
}

impl Pipelines {
    /// Of soft spheres.
    pub const SOFT_SPHERE: Pipelines = Pipelines { step: "soft_sphere", measure: "measure_field" };
    /// Of contact dynamics.
    pub const CONTACT_DYNAMICS: Pipelines = Pipelines { step: "contact_dynamics", measure: "measure_dynamics" };
}

/// A run's buffers and passes on a device.
pub struct Core {
    /// the device
    pub gpu: Gpu,
    pub(super) prepared: Prepared,
    pub(super) bodies: Bodies,
    pub(super) buffers: Buffers,
    pub(super) control: Control,
    pub(super) drained: Drained,
    pub(super) pipeline: Pipeline,
    pub(super) measure: Pipeline,
    pub(super) typed: Method,
    pub(super) phases: Option<Phases>,
    pub(super) walls: Vec<Wall>,
    pub(super) names: Pipelines,
    pub(super) compiled: Compiled,
    pub(super) sources: Sources,
    pub(super) plan: Plan,
}

impl Core {
    /// Opens a run of `bodies` at the time step `dt_s` on `gpu`.
    pub fn new(
        gpu: Gpu,
        scenario: &Scenario,
        bodies: &Bodies,
        dt_s: f64,
        sources: Sources,
        names: Pipelines,
    ) -> Result<Core> {
        let sources = sources.on(&gpu);
        let mut prepared = prepare(scenario, bodies, dt_s, gpu.is_software())?;
        let mut compiled = Compiled::default();
        let mut buffers = Buffers::default();
        let storage = gpu.limits.max_storage_buffers_per_shader_stage;
        let plan = plan_named(names.step, &prepared, storage, &sources)?;
        let measure_plan = plan_named(names.measure, &prepared, storage, &sources)?;
        prepared.params.slot_count = plan.slots.len() as u32;
        create(&gpu, &mut buffers, &prepared, &[&plan, &measure_plan])?;
        prepared.fill(&Fill { gpu: &gpu, buffers: &buffers })?;
        buffers.write(&gpu, "work_slot", &slots(&plan))?;
        let pipeline = Pipeline::build(&gpu, &plan, &buffers, &mut compiled)?;
        let measure = Pipeline::build(&gpu, &measure_plan, &buffers, &mut compiled)?;
        let control = prepared.control;
        Ok(Core {
            gpu,
            typed: scenario.method.clone(),
            phases: None,
            walls: scenario.walls.clone(),
            prepared,
            bodies: bodies.clone(),
            buffers,
            control,
            drained: Drained::default(),
            pipeline,
            measure,
            names,
            compiled,
            sources,
            plan,
        })
    }

    /// Steps done.
    pub fn step(&self) -> u64 {
        u64::from(self.control.step)
    }

    /// The checked plan of the step.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Pairs in the neighbour list, rebuilds so far.
    pub fn list_statistics(&self) -> (u32, u32) {
        (self.control.pair_count, self.control.rebuilds)
    }

    /// Lengths of the buffers as far as they are in use: with the pairs of the list and the contacts of the
    /// step, not those there is room for.
    pub fn counts_in_use(&self) -> Counts {
        let mut counts = self.prepared.counts.clone();
        counts.set_pair(u64::from(self.control.pair_count));
        if self.prepared.rigid.params.contact_capacity > 0 {
            counts.set_contact(u64::from(self.control.contact_count));
        }
        counts
    }

    /// The run as its features read it back.
    pub(super) fn pause(&self) -> Pause<'_> {
        Pause {
            gpu: &self.gpu,
            buffers: &self.buffers,
            bodies: &self.bodies,
            order: &self.prepared.order,
            units: self.prepared.units,
            step: self.step(),
            earlier: fixed_point::value(self.prepared.rigid.params.earlier.into(), 30),
        }
    }

    /// Submits what `record` makes of the step's stages, with `due` asked for, and waits.
    pub fn trial(&mut self, due: Due, record: impl FnOnce(&mut wgpu::CommandEncoder, &Pipeline)) -> Result<()> {
        self.set_word(offset_of!(Control, step_target), u32::MAX - 1)?;
        match due {
            Due::Nothing => (),
            Due::List => self.set_word(offset_of!(Control, request), REQUEST_REBUILD)?,
            Due::Gravity => self.set_word(offset_of!(Control, gravity_next), 0)?,
        }
        self.gpu.submit(|encoder| record(encoder, &self.pipeline));
        self.look().map(|_| ())
    }

    /// Submits these stages of the step, with times taken if they are asked for.
    pub(super) fn submit(&mut self, stages: &[&'static str]) -> Result<()> {
        self.submit_then(stages, |_| ()).map(|_| ())
    }

    /// The same, and what `after` records, in one submission where no times are taken.
    pub(super) fn submit_then(
        &mut self,
        stages: &[&'static str],
        after: impl FnOnce(&mut wgpu::CommandEncoder),
    ) -> Result<wgpu::SubmissionIndex> {
        if let Some(phases) = &mut self.phases {
            phases.submit(&self.gpu, &self.pipeline, stages)?;
            return Ok(self.gpu.submit(after));
        }
        Ok(self.gpu.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            stages.iter().for_each(|stage| self.pipeline.record(&mut pass, stage));
            drop(pass);
            after(encoder);
        }))
    }

    /// Sets the member of [`Control`] at `offset`, which `offset_of!` gives.
    pub(super) fn set_word(&self, offset: usize, value: u32) -> Result<()> {
        let buffer = self.buffers.get("control")?;
        self.gpu.queue.write_buffer(buffer, offset as u64, &value.to_le_bytes());
        Ok(())
    }

    /// Reads the control words; grows what is too small (then true), reports faults.
    pub(super) fn look(&mut self) -> Result<bool> {
        let found = self.buffers.read(&self.gpu, "control", 1)?;
        self.heed(found[0])
    }

    /// What `look` makes of the control words.
    pub(super) fn heed(&mut self, found: Control) -> Result<bool> {
        self.control = found;
        let grown = self.control.overflow != 0;
        if grown {
            self.grow()?;
        }
        self.fault().map_or(Ok(grown), Err)
    }

    /// Evaluates self-gravity, and what the asteroid pulls, at the present instant; empty without either. `body_field` is zero without
    /// self-gravity.
    pub(super) fn measure_field(&mut self) -> Result<Vec<Field>> {
        if self.prepared.gravity.self_gravity.is_none() && self.prepared.asteroid.is_none() {
            return Ok(vec![]);
        }
        let extent = self.buffers.get("gravity_extent")?;
        self.gpu.submit(|encoder| {
            encoder.clear_buffer(extent, 0, None);
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            self.measure.record(&mut pass, "measure");
        });
        // A walk that did not end leaves no field to write down.
        self.look()?;
        self.buffers.read(&self.gpu, "body_field", self.bodies.len())
    }
}

impl Core {
    /// The asteroid's acceleration where the last [`Core::measure_field`] was taken; empty without an asteroid.
    pub(super) fn measured_pull(&self) -> Result<Vec<Field>> {
        let bodies = if self.prepared.asteroid.is_some() { self.bodies.len() } else { 0 };
        self.buffers.read(&self.gpu, "body_pull", bodies)
    }
}

/// A step's number as the GPU counts it.
pub(super) fn step_target(target: u64) -> Result<u32> {
    u32::try_from(target).ok().filter(|t| *t < u32::MAX).ok_or_else(|| {
        Error::Usage(format!(
            "{target} steps are more than the 4.29e9 that a run can count; shorten the run, or raise the time step"
        ))
    })
}

/// Plans a built-in pipeline for a run, with the contact law of the run; `storage_max`: storage buffers that a shader may
/// bind.
pub fn plan_named(name: &str, prepared: &Prepared, storage_max: u32, sources: &Sources) -> Result<Plan> {
    let mut file = file::load(name)?;
    for (role, chosen) in chosen_modules(prepared) {
        if let (Some(module), Some(chosen)) = (file.modules.get_mut(role), chosen) {
            chosen.clone_into(module);
        }
    }
    let method = prepared.gravity.self_gravity;
    let expand = |block: &str, step: &file::Step, counts: &Counts| expand(block, step, counts, method);
    let plan = plan(name, &file, &prepared.law.sources(sources), &prepared.counts, storage_max, &expand)?;
    prepared.law.check(&plan)?;
    Ok(plan)
}

/// Modules that a run takes in place of those that the pipeline's file names.
fn chosen_modules(prepared: &Prepared) -> [(&'static str, Option<&str>); 4] {
    let one_material = prepared.params.material_count == 1;
    [
        ("law", prepared.law.module.as_deref()),
        ("losses", prepared.software.then_some(file::LOSSES_BY_PAIR)),
        ("materials", one_material.then_some(file::ONE_MATERIAL)),
        ("footprint", prepared.surface.ground.as_ref().map(|ground| footprint(ground.law))),
    ]
}

pub(super) fn slots(plan: &Plan) -> Vec<WorkSlot> {
    let slot =
        |s: &Slot| WorkSlot { gate: s.gate, groups_x: s.groups[0], groups_y: s.groups[1], counted: s.live.code() };
    plan.slots.iter().map(slot).collect()
}

/// Uniform buffers of the table.
const UNIFORMS: [&str; 5] = ["params", "gravity_params", "measure_params", "asteroid_params", "dynamics"];

fn create(gpu: &Gpu, buffers: &mut Buffers, prepared: &Prepared, plans: &[&Plan]) -> Result<()> {
    for spec in TABLE {
        buffers.create(gpu, spec.name, spec.room(&prepared.counts), UNIFORMS.contains(&spec.name))?;
    }
    plans.iter().try_for_each(|plan| create_scratch(gpu, buffers, plan))?;
    gpu.check()
}

/// Makes what a plan's blocks need for themselves; two plans may share a name, and then the longer one.
pub(super) fn create_scratch(gpu: &Gpu, buffers: &mut Buffers, plan: &Plan) -> Result<()> {
    for (name, bytes) in &plan.scratch {
        if !buffers.get(name).is_ok_and(|b| b.size() >= *bytes) {
            buffers.create(gpu, name, *bytes, false)?;
        }
    }
    Ok(())
}
