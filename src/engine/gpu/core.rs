//! What the GPU engines do alike: buffers of the table, the checked plan of a step, control words and faults, growth of
//! what is too small, the field at an instant.

use super::capacity::{Capacity, Drained};
use super::iterations::settled;
use super::parts::surface::footprint;
use super::parts::{Fill, Pause};
use super::phases::Phases;
use super::prepare::{Prepared, prepare};
use super::scales::speed_max_m_s;
use crate::base::error::{Error, Result};
use crate::base::fixed_point;
use crate::base::readable::quantity;
use crate::gpu::blocks::named::expand;
use crate::gpu::buffer_table::{Counts, TABLE};
use crate::gpu::constants::{
    COLOURS, OVERFLOW_COLOURS, OVERFLOW_CONTACTS, OVERFLOW_CROWDED, OVERFLOW_FACETS, OVERFLOW_PAIRS, OVERFLOW_WIDE,
    OVERFLOW_WIDE_FACETS, REQUEST_REBUILD, SOLVER_FOUND_AGAIN,
};
use crate::gpu::device::Gpu;
use crate::gpu::elements::body::Field;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::work::WorkSlot;
use crate::gpu::layout::control;
use crate::gpu::pipeline::file;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::{Plan, Slot, plan};
use crate::gpu::pipeline::run::{Buffers, Compiled, Pipeline};
use crate::model::body::Bodies;
use crate::model::scenario::{ContactSolver, Method, Scenario, Wall};
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

/// Contents of the buffers of a run, with the solver that it takes on a GPU or on a software device.
pub fn prepared_for(scenario: &Scenario, bodies: &Bodies, dt_s: f64, software: bool) -> Result<Prepared> {
    let mut prepared = Prepared { software, ..prepare(scenario, bodies, dt_s)? };
    if let Some(settings) = settled(scenario, bodies, software) {
        prepared.set_solver(&settings);
    }
    Ok(prepared)
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
    names: Pipelines,
    compiled: Compiled,
    sources: Sources,
    plan: Plan,
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
        let mut prepared = prepared_for(scenario, bodies, dt_s, gpu.is_software())?;
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
        let faults = self.control.fault_contact | self.control.fault_body;
        if faults == 0 {
            return Ok(grown);
        }
        if faults == control::BUDGET.0 {
            let (d, residual) = (&self.prepared.rigid.params, f32::from_bits(self.control.residual));
            return Err(Error::over_budget(self.step(), residual, d.tolerance, self.control.iteration));
        }
        let sized = control::SIZES.iter().find(|(fault, _)| fault.0 & faults != 0);
        let what: Vec<&str> = control::FAULTS.iter().filter(|f| f.0 & faults != 0).map(|f| f.1).collect();
        let named = |id: Option<u32>| id.map_or("a body".to_owned(), |id| format!("body {id}"));
        let index = self.control.fault_index as usize;
        let id = |index: usize| self.prepared.order.get(index).map(|k| self.bodies.id[*k as usize]);
        let (what, dt_s) = (what.join(" and ") + &self.too_fast(faults), self.prepared.units.time_s);
        if let Some((fault, remedy)) = sized {
            let who = match (faults & control::PLATE.0, self.walls.get(index)) {
                (0, _) => named(id(self.leader(index))),
                (_, wall) => wall.map_or("a wall".into(), |w| format!("wall `{}`", w.name)),
            };
            return Err(Error::guard_size(self.step(), &who, fault.1, remedy));
        }
        let who = named(id(index));
        if let Some(name) = index.checked_sub(self.bodies.len()).and_then(|k| self.walls.get(k)).map(|w| &w.name) {
            return Err(Error::guard_wall(self.step(), name, &what, dt_s));
        }
        Err(match self.prepared.rigid.params.contact_capacity {
            0 if !control::is_of_speed(faults) => {
                Error::guard(self.step(), &who, &what, dt_s, self.prepared.params.overlap_max.into())
            }
            _ => Error::guard_step(self.step(), &who, &what, dt_s),
        })
    }

    /// The body to which a row of the neighbour list belongs: rows behind the bodies are further parts of clumps.
    fn leader(&self, row: usize) -> usize {
        let further = row.checked_sub(self.bodies.len()).and_then(|k| self.prepared.shapes.leader.get(k));
        further.map_or(row, |leader| *leader as usize)
    }

    /// What is too fast, if that is among the faults.
    fn too_fast(&self, faults: u32) -> String {
        if faults & control::OVERSPEED.0 == 0 {
            return String::new();
        }
        let remedy = match self.typed.contact_dynamics() {
            Some(_) => "; contact_dynamics.speed_max_m_s allows more",
            None => "",
        };
        let limit = quantity(speed_max_m_s(&self.prepared.units), "m/s");
        format!(" (the limit is {limit} near other bodies, walls and surfaces{remedy})")
    }

    /// More room for pairs, contacts, colours or facets: new buffers with the old contents; the pass that failed runs again.
    fn grow(&mut self) -> Result<()> {
        let roomy = |wanted: u32| wanted.saturating_add(wanted / 2).saturating_add(64);
        let mut capacity = self.capacity();
        match self.control.overflow {
            OVERFLOW_PAIRS => capacity.pairs = roomy(self.control.pair_wanted),
            OVERFLOW_CONTACTS => capacity.contacts = roomy(self.control.contact_wanted),
            OVERFLOW_FACETS => capacity.facets = roomy(self.control.facet_wanted),
            OVERFLOW_CROWDED => capacity.crowded = 1,
            OVERFLOW_WIDE_FACETS => capacity.wide_facets = roomy(self.control.wide_wanted),
            OVERFLOW_WIDE => capacity.wide_radius = f32::from_bits(!self.control.wide_found),
            OVERFLOW_COLOURS => capacity.colours = self.colours_wanted()?,
            other => return Err(Error::Numerical(format!("the device lacks something unknown ({other})"))),
        }
        tracing::info!("room for {capacity:?}");
        self.set_capacity(capacity)?;
        (self.control.overflow, self.control.crowded, self.control.wide_found) = (0, 0, 0);
        self.buffers.write(&self.gpu, "control", &[self.control])
    }

    /// Remakes every buffer whose length depends on the capacities, keeping contents, and binds again.
    pub(super) fn set_capacity(&mut self, capacity: Capacity) -> Result<()> {
        let old = self.prepared.counts.clone();
        let p = &mut self.prepared;
        p.counts.set_pair(capacity.pairs.into());
        p.params.pair_capacity = capacity.pairs;
        p.counts.set_facet_list(capacity.facets.into());
        p.params.surface_capacity = capacity.facets;
        if capacity.crowded == 1 {
            p.counts.set_crowded();
        }
        let wide = p.set_wide(capacity.wide_radius, capacity.wide_facets);
        if capacity.contacts > 0 {
            p.counts.set_contact(capacity.contacts.into());
            p.rigid.params.contact_capacity = capacity.contacts;
            p.rigid.params.candidate_count = p.counts.of("candidate") as u32;
        }
        if let Some(settings) = self.typed.contact_dynamics() {
            p.set_colours(capacity.colours, settings);
        }
        for spec in TABLE.iter().filter(|s| s.bytes(&old) != s.bytes(&self.prepared.counts)) {
            if !self.buffers.contains(spec.name) {
                continue;
            }
            let before = self.buffers.get(spec.name)?.clone();
            self.buffers.create(&self.gpu, spec.name, spec.room(&self.prepared.counts), false)?;
            let after = self.buffers.get(spec.name)?;
            self.gpu.submit(|e| e.copy_buffer_to_buffer(&before, 0, after, 0, before.size().min(after.size())));
        }
        self.buffers.write(&self.gpu, "wide_list", &wide)?;
        let storage = self.gpu.limits.max_storage_buffers_per_shader_stage;
        self.plan = plan_named(self.names.step, &self.prepared, storage, &self.sources)?;
        create_scratch(&self.gpu, &mut self.buffers, &self.plan)?;
        // Longer scans have more passes.
        self.prepared.params.slot_count = self.plan.slots.len() as u32;
        self.buffers.write(&self.gpu, "work_slot", &slots(&self.plan))?;
        self.buffers.write_uniform(&self.gpu, "params", &self.prepared.params)?;
        self.buffers.write_uniform(&self.gpu, "dynamics", &self.prepared.rigid.params)?;
        self.pipeline = Pipeline::build(&self.gpu, &self.plan, &self.buffers, &mut self.compiled)?;
        Ok(())
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

fn slots(plan: &Plan) -> Vec<WorkSlot> {
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
fn create_scratch(gpu: &Gpu, buffers: &mut Buffers, plan: &Plan) -> Result<()> {
    for (name, bytes) in &plan.scratch {
        if !buffers.get(name).is_ok_and(|b| b.size() >= *bytes) {
            buffers.create(gpu, name, *bytes, false)?;
        }
    }
    Ok(())
}

impl Core {
    /// Colours to record sweeps for, after a step that could not go on. Too many for Gauss-Seidel: the run goes on with
    /// Jacobi, with a message, if the choice was left to it; otherwise it ends.
    pub(super) fn colours_wanted(&mut self) -> Result<u32> {
        let wanted = self.control.colour_wanted;
        if wanted <= COLOURS {
            return Ok(wanted);
        }
        let what = format!("step {}: a body has more contacts than {} colours", self.step(), COLOURS);
        if self.typed.contact_dynamics().is_some_and(|c| c.solver == ContactSolver::Auto) {
            tracing::warn!("{what}; Jacobi iterations from here on");
            self.control.solver = SOLVER_FOUND_AGAIN;
            return Ok(0);
        }
        let way_out = "contact_dynamics.solver = \"jacobi\" or \"auto\" takes any";
        Err(Error::Numerical(format!("{what}; {way_out}")))
    }
}
