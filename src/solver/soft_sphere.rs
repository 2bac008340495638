//! The soft-sphere engine on the GPU: buffers, submissions sized by measured time, growth of capacity, faults, and the
//! host's view of the state. The step itself stands in `pipelines/soft_sphere.toml`.

use super::layout::control;
use super::prepare::{Prepared, prepare};
use super::save::Drained;
use crate::blocks::expand;
use crate::body::Bodies;
use crate::engine::Engine;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, describe};
use crate::pipeline::link::Sources;
use crate::pipeline::plan::{Plan, plan};
use crate::pipeline::run::{Buffers, Compiled, Pipeline};
use crate::pipeline::{file, plan as planning};
use crate::scenario::model::Scenario;
use crate::state::{Counts, TABLE};
use std::time::Instant;

/// GPU time that one submission aims at [s]: long enough to hide the host, short enough for watchdogs and signals.
const SUBMISSION_S: f64 = 0.03;
/// Wall time after which `advance` returns to its caller (s).
const ADVANCE_S: f64 = 0.25;

/// Soft spheres on a GPU.
pub struct SoftSphere {
    /// the device
    pub gpu: Gpu,
    pub(super) prepared: Prepared,
    pub(super) bodies: Bodies,
    pub(super) buffers: Buffers,
    pub(super) control: [u32; control::WORDS],
    pub(super) drained: Drained,
    compiled: Compiled,
    sources: Sources,
    step_plan: Plan,
    step_pipeline: Pipeline,
    measure_pipeline: Option<Pipeline>,
    blocks_per_submission: u32,
}

impl SoftSphere {
    /// Opens a run of `bodies` at the time step `dt_s` on `gpu`.
    pub fn new(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, dt_s: f64, sources: Sources) -> Result<SoftSphere> {
        let mut prepared = prepare(scenario, bodies, dt_s)?;
        let mut compiled = Compiled::default();
        let mut buffers = Buffers::default();
        let step_plan =
            plan_named("soft_sphere", &prepared, gpu.limits.max_storage_buffers_per_shader_stage, &sources)?;
        prepared.params.slot_count = step_plan.slots.len() as u32;
        let held = prepared.control[control::GRAVITY_NEXT] == 0;
        let measure_plan = if held {
            Some(plan_named("measure_field", &prepared, gpu.limits.max_storage_buffers_per_shader_stage, &sources)?)
        } else {
            None
        };
        create(&gpu, &mut buffers, &prepared, [Some(&step_plan), measure_plan.as_ref()].into_iter().flatten())?;
        fill(&gpu, &buffers, &prepared, &step_plan)?;
        let step_pipeline = Pipeline::build(&gpu, &step_plan, &buffers, &mut compiled)?;
        let measure_pipeline = match &measure_plan {
            Some(plan) => Some(Pipeline::build(&gpu, plan, &buffers, &mut compiled)?),
            None => None,
        };
        let control = prepared.control;
        Ok(SoftSphere {
            gpu,
            prepared,
            bodies: bodies.clone(),
            buffers,
            control,
            drained: Drained::default(),
            compiled,
            sources,
            step_plan,
            step_pipeline,
            measure_pipeline,
            blocks_per_submission: 1,
        })
    }

    /// Pairs in the neighbour list, rebuilds so far.
    pub fn list_statistics(&self) -> (u32, u32) {
        (self.control[control::PAIR_COUNT], self.control[control::REBUILDS])
    }

    /// Steps recorded between two looks at what is due: a divisor of the gravity interval, so that none is idle.
    pub fn steps_per_block(&self) -> u32 {
        let every = if self.measure_pipeline.is_some() { self.prepared.gravity_every } else { 32 };
        every.div_ceil(every.div_ceil(32))
    }

    fn submit(&self, blocks: u32) {
        let steps = self.steps_per_block();
        self.gpu.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for _ in 0..blocks {
                for stage in ["prepare", "neighbours", "gravity"] {
                    self.step_pipeline.record(&mut pass, stage);
                }
                for _ in 0..steps {
                    self.step_pipeline.record(&mut pass, "step");
                }
            }
        });
    }

    /// The checked plan of the step.
    pub fn plan(&self) -> &Plan {
        &self.step_plan
    }

    /// Lengths of the buffers as far as they are in use: with the pairs of the list, not those it has room for.
    pub fn counts_in_use(&self) -> Counts {
        let mut counts = self.prepared.counts.clone();
        counts.set_pair(u64::from(self.control[control::PAIR_COUNT]));
        counts
    }

    /// Submits what `record` makes of the step's stages, with a new neighbour list asked for if `list`, and waits.
    pub fn trial(&mut self, list: bool, record: impl FnOnce(&mut wgpu::CommandEncoder, &Pipeline)) -> Result<()> {
        self.set_word(control::STEP_TARGET, u32::MAX - 1)?;
        if list {
            self.set_word(control::REQUEST, 1)?;
        }
        self.gpu.submit(|encoder| record(encoder, &self.step_pipeline));
        self.look().map(|_| ())
    }

    fn set_word(&self, word: usize, value: u32) -> Result<()> {
        let buffer = self.buffers.get("control")?;
        self.gpu.queue.write_buffer(buffer, 4 * word as u64, &value.to_le_bytes());
        Ok(())
    }

    /// Reads the control words; grows what is too small (then true), reports faults.
    pub(super) fn look(&mut self) -> Result<bool> {
        let words: Vec<u32> = self.buffers.read(&self.gpu, "control", control::WORDS)?;
        self.control.copy_from_slice(&words);
        let grown = self.control[control::OVERFLOW] != 0;
        if grown {
            self.grow()?;
        }
        let faults = self.control[control::FAULT_CONTACT] | self.control[control::FAULT_BODY];
        if faults == 0 {
            return Ok(grown);
        }
        let what: Vec<&str> = control::FAULTS.iter().filter(|f| f.0 & faults != 0).map(|f| f.1).collect();
        let place = self.control[control::FAULT_INDEX] as usize;
        let id = self.prepared.order.get(place).map_or(u32::MAX, |k| self.bodies.id[*k as usize]);
        Err(Error::guard(self.step(), id, &what.join(", "), self.prepared.units.time_s))
    }

    /// More room for pairs: new buffers with the old contents; the rebuild that failed runs again.
    fn grow(&mut self) -> Result<()> {
        let wanted = u64::from(self.control[control::PAIR_WANTED]);
        let capacity = wanted + wanted / 2 + 64;
        tracing::info!("pair buffers grow to {capacity}");
        self.set_capacity(capacity as u32)?;
        self.control[control::OVERFLOW] = 0;
        self.buffers.write(&self.gpu, "control", &self.control)
    }

    /// Remakes every buffer whose length depends on the pair capacity, keeping contents, and binds again.
    pub(super) fn set_capacity(&mut self, capacity: u32) -> Result<()> {
        let old = self.prepared.counts.clone();
        self.prepared.counts.set_pair(u64::from(capacity));
        self.prepared.params.pair_capacity = capacity;
        for spec in TABLE.iter().filter(|s| s.bytes(&old) != s.bytes(&self.prepared.counts)) {
            if !self.buffers.contains(spec.name) {
                continue;
            }
            let before = self.buffers.get(spec.name)?.clone();
            self.buffers.create(&self.gpu, spec.name, spec.bytes(&self.prepared.counts), false)?;
            let after = self.buffers.get(spec.name)?;
            self.gpu.submit(|e| e.copy_buffer_to_buffer(&before, 0, after, 0, before.size().min(after.size())));
        }
        self.step_plan = plan_named(
            "soft_sphere",
            &self.prepared,
            self.gpu.limits.max_storage_buffers_per_shader_stage,
            &self.sources,
        )?;
        self.buffers.write(&self.gpu, "work_slot", &slots(&self.step_plan))?;
        self.buffers.write(&self.gpu, "params", &[self.prepared.params])?;
        self.step_pipeline = Pipeline::build(&self.gpu, &self.step_plan, &self.buffers, &mut self.compiled)?;
        Ok(())
    }

    /// Evaluates self-gravity and central field at the present instant into `body_field`.
    pub(super) fn measure_field(&mut self) -> Result<Vec<[f32; 4]>> {
        let Some(pipeline) = &self.measure_pipeline else {
            return Ok(vec![]);
        };
        let extent = self.buffers.get("gravity_extent")?;
        self.gpu.submit(|encoder| {
            encoder.clear_buffer(extent, 0, None);
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pipeline.record(&mut pass, "measure");
        });
        self.buffers.read(&self.gpu, "body_field", self.bodies.len())
    }
}

/// Plans a built-in pipeline for a run; `storage_max`: storage buffers that a shader may bind.
pub fn plan_named(name: &str, prepared: &Prepared, storage_max: u32, sources: &Sources) -> Result<Plan> {
    let file = file::load(name)?;
    let method = prepared.self_gravity;
    let expand = |block: &str, step: &file::Step, counts: &Counts| expand(block, step, counts, method);
    plan(name, &file, sources, &prepared.counts, storage_max, &expand)
}

fn slots(plan: &Plan) -> Vec<[u32; 4]> {
    plan.slots.iter().map(|s: &planning::Slot| [s.gate, s.groups[0], s.groups[1], 0]).collect()
}

fn create<'a>(
    gpu: &Gpu,
    buffers: &mut Buffers,
    prepared: &Prepared,
    plans: impl Iterator<Item = &'a Plan>,
) -> Result<()> {
    for spec in TABLE {
        let uniform = matches!(spec.name, "params" | "gravity_params" | "measure_params");
        buffers.create(gpu, spec.name, spec.bytes(&prepared.counts), uniform)?;
    }
    for plan in plans {
        for (name, bytes) in &plan.scratch {
            if !buffers.contains(name) {
                buffers.create(gpu, name, *bytes, false)?;
            }
        }
    }
    gpu.check()
}

fn fill(gpu: &Gpu, buffers: &Buffers, prepared: &Prepared, plan: &Plan) -> Result<()> {
    let mut measure = prepared.gravity;
    measure.predict_steps = 0;
    buffers.write(gpu, "params", &[prepared.params])?;
    buffers.write(gpu, "gravity_params", &[prepared.gravity])?;
    buffers.write(gpu, "measure_params", &[measure])?;
    buffers.write(gpu, "work_slot", &slots(plan))?;
    buffers.write(gpu, "control", &prepared.control)?;
    buffers.write(gpu, "pair_args", &[1u32, 1, 1, 0])?;
    buffers.write(gpu, "contact_law", &prepared.laws)?;
    buffers.write(gpu, "wall_plane", &prepared.walls)?;
    buffers.write(gpu, "body_state", &prepared.state)?;
    buffers.write(gpu, "body_view", &prepared.view)
}

impl Engine for SoftSphere {
    fn time_step_s(&self) -> f64 {
        self.prepared.units.time_s
    }

    fn step(&self) -> u64 {
        u64::from(self.control[control::STEP])
    }

    fn advance(&mut self, target: u64) -> Result<()> {
        let target = u32::try_from(target).ok().filter(|t| *t < u32::MAX).ok_or_else(|| {
            Error::Usage(format!(
                "{target} steps are more than a run can count (4.29e9); shorten it or raise the time step"
            ))
        })?;
        self.set_word(control::STEP_TARGET, target)?;
        let start = Instant::now();
        while self.control[control::STEP] < target && start.elapsed().as_secs_f64() < ADVANCE_S {
            let left = (target - self.control[control::STEP]).div_ceil(self.steps_per_block());
            let blocks = self.blocks_per_submission.min(left.max(1));
            let begun = Instant::now();
            let before = self.control[control::STEP];
            self.submit(blocks);
            let grown = self.look()?;
            if self.control[control::STEP] == before && !grown {
                return Err(Error::DeviceLost(format!(
                    "step {before}: the device took the work and did nothing; see `breccia doctor`"
                )));
            }
            let took = begun.elapsed().as_secs_f64() / f64::from(blocks);
            let wanted = (SUBMISSION_S / took.max(1e-6)).clamp(1.0, 512.0) as u32;
            self.blocks_per_submission = wanted.clamp(1, 2 * self.blocks_per_submission);
        }
        Ok(())
    }

    fn snapshot(&mut self) -> Result<crate::diagnostics::snapshot::Snapshot> {
        super::snapshot::take(self)
    }

    fn save(&mut self) -> Result<Vec<(String, Vec<u8>)>> {
        self.save_state()
    }

    fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        self.restore_state(state)
    }

    fn describe(&self) -> String {
        format!("soft spheres on {}", describe(&self.gpu.info))
    }
}
