//! Contact dynamics on the GPU: rigid bodies in large implicit steps, each with its own number of iterations.
//! `pipelines/contact_dynamics.toml` lists the passes of a step.

use super::core::{Core, Due, Pipelines, SUBMISSION_S, step_target};
use super::phases::Phases;
use crate::base::error::{Error, Result};
use crate::base::steps::steps_until;
use crate::engine::{ADVANCE_S, Engine, Timing};
use crate::gpu::constants::{GROUP_LOOKS, SOLVER_WAITS};
use crate::gpu::device::{Gpu, describe};
use crate::gpu::elements::control::Control;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::run::Timer;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::model::snapshot::{Added, Snapshot, Solved};
use crate::physics::rigid::judge::quad_dv;
use crate::physics::rigid::problem::Problem;
use glam::DVec3;
use std::iter::repeat_n;
use std::mem::offset_of;
use std::time::Instant;

/// Stages of a step before its iterations.
const BEFORE: [&str; 6] = ["prepare", "neighbours", "gravity", "detect", "setup", "colour"];
/// Recordings without progress after which the device is given up.
const IDLE_MAX: u32 = 1_000;

/// Rigid bodies on a GPU.
pub struct ContactDynamics {
    /// buffers and passes
    pub core: Core,
    /// recordings of a step in a submission
    blocks: u32,
    /// looks at the residual recorded for a step
    rounds: u32,
    /// first step with cohesion
    cohesion_step: u32,
    /// the laws on the device have it
    cohering: bool,
}

impl ContactDynamics {
    /// Opens a run of `bodies` at the time step `dt_s` on `gpu`.
    pub fn new(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, dt_s: f64, sources: Sources) -> Result<ContactDynamics> {
        let core = Core::new(gpu, scenario, bodies, dt_s, sources, Pipelines::CONTACT_DYNAMICS)?;
        let from_s = scenario.method.contact_dynamics().map_or(0.0, |c| c.cohesion_from_s);
        // at the end of time, if that is never
        let cohesion_step = u32::try_from(steps_until(from_s, dt_s)).unwrap_or(u32::MAX);
        Ok(ContactDynamics { core, blocks: 1, rounds: 4, cohesion_step, cohering: true })
    }

    /// Gives the laws their cohesion, or takes it from them, as the present step wants; the last step up to `target` that
    /// keeps it so.
    fn cohere(&mut self, target: u32) -> Result<u32> {
        let wanted = self.core.control.step >= self.cohesion_step;
        if wanted != self.cohering {
            let mut laws = self.core.prepared.rigid.laws.clone();
            laws.iter_mut().filter(|_| !wanted).for_each(|law| law.cohesion = 0.0);
            self.core.buffers.write(&self.core.gpu, "rigid_law", &laws)?;
            self.cohering = wanted;
        }
        Ok(if wanted { target } else { target.min(self.cohesion_step) })
    }

    /// The contact problem of the last step, read back, and the impulses that the GPU found: for the judge. Code units,
    /// bodies in memory order and then the walls; the inertia of polyhedra is that of the next detection.
    pub fn problem(&self) -> Result<(Problem, Vec<DVec3>)> {
        super::rigid_snapshot::problem(&self.core)
    }

    /// Contacts of the last step.
    pub fn contacts(&self) -> u32 {
        self.core.control.contact_count
    }

    /// Index in the plan and seconds of every dispatch of one recording with one round of iterations; none without
    /// timestamps. The step may be left unfinished: the next `advance` ends it.
    pub fn timed(&mut self) -> Result<Vec<(usize, f64)>> {
        let Some(mut timer) = Timer::new(&self.core.gpu, Timer::ROOM) else {
            return Ok(vec![]);
        };
        let stages: Vec<_> = BEFORE.into_iter().chain(self.round()).chain(["close"]).collect();
        self.core.trial(Due::Nothing, |encoder, pipeline| {
            stages.iter().for_each(|stage| pipeline.record_timed(encoder, stage, &mut timer));
        })?;
        timer.collect(&self.core.gpu)
    }

    /// The stages of iterations up to a look at the residual; of one workgroup, those of many looks.
    fn round(&self) -> Vec<&'static str> {
        if self.in_one_group() {
            return vec!["solve"];
        }
        let between = self.core.prepared.rigid.params.look_every as usize - 1;
        repeat_n("iterate", between).chain(["measure"]).collect()
    }

    fn in_one_group(&self) -> bool {
        self.core.prepared.counts.has("one_group")
    }

    fn submit(&mut self) -> Result<()> {
        let rounds = self.round().repeat(self.rounds as usize);
        let block: Vec<_> = BEFORE.into_iter().chain(rounds).chain(["close"]).collect();
        self.core.submit(&block.repeat(self.blocks as usize))
    }

    /// Iterations of a round.
    fn round_iterations(&self) -> u32 {
        let looks = if self.in_one_group() { GROUP_LOOKS } else { 1 };
        looks * self.core.prepared.rigid.params.look_every
    }

    /// How a submission of `before` to now went decides the next one's size.
    fn adapt(&mut self, steps: u32, took_s: f64) {
        // Steps that ran out of recorded rounds took several recordings each.
        if steps < self.blocks {
            self.rounds = (2 * self.rounds).min(64);
        } else {
            let used = self.core.control.solved_iterations / self.core.control.solved_steps.max(1);
            self.rounds = (used / self.round_iterations() + 2).clamp(1, self.rounds.max(2));
        }
        let wanted = (SUBMISSION_S * f64::from(self.blocks) / took_s.max(1e-6)).clamp(1.0, 256.0) as u32;
        self.blocks = wanted.clamp(1, 2 * self.blocks);
    }
}

impl Engine for ContactDynamics {
    fn time_step_s(&self) -> f64 {
        self.core.prepared.units.time_s
    }

    fn step(&self) -> u64 {
        self.core.step()
    }

    fn advance(&mut self, target: u64) -> Result<()> {
        let target = self.cohere(self.core.until_drain(step_target(target)?))?;
        self.core.set_word(offset_of!(Control, step_target), target)?;
        let start = Instant::now();
        let mut idle = 0;
        let within = |core: &Core| core.control.step < target && start.elapsed().as_secs_f64() < ADVANCE_S;
        // A step once begun is ended, and a growth is followed by its list: the state is complete then alone.
        let mut grown = false;
        while within(&self.core) || grown || self.core.control.solver != SOLVER_WAITS {
            let begun = Instant::now();
            let before = self.core.control.step;
            self.blocks = self.blocks.min((target - before).max(1));
            self.submit()?;
            grown = self.core.look()?;
            let steps = self.core.control.step - before;
            idle = if steps == 0 && !grown { idle + 1 } else { 0 };
            if idle > IDLE_MAX {
                return Err(Error::idle(before));
            }
            self.adapt(steps, begun.elapsed().as_secs_f64());
        }
        self.core.drain_if_due()
    }

    fn snapshot(&mut self) -> Result<Snapshot> {
        let mut snapshot = super::rigid_snapshot::take(&mut self.core)?;
        let control = &self.core.control;
        let drained = self.core.drained.solved;
        snapshot.solved = Some(Solved {
            steps: (u64::from(control.solved_steps) + drained[0]) as u32,
            iterations: u64::from(control.solved_iterations) + drained[1],
            iterations_worst: control.iterations_worst,
            residual: f32::from_bits(control.residual).into(),
            residual_worst: f32::from_bits(control.residual_worst).into(),
            over_budget: control.budget_hits,
            judged: None,
        });
        Ok(snapshot)
    }

    fn judge(&mut self) -> Result<Option<f64>> {
        let (problem, impulses) = self.problem()?;
        Ok(Some(quad_dv(&problem, &impulses).above(f64::from(self.core.prepared.rigid.params.velocity_floor))))
    }

    fn restart_counts(&mut self) -> Result<()> {
        self.core.drained.solved = [0; 2];
        self.core.control = Control {
            solved_steps: 0,
            solved_iterations: 0,
            iterations_worst: 0,
            residual_worst: 0,
            budget_hits: 0,
            ..self.core.control
        };
        self.core.buffers.write(&self.core.gpu, "control", &[self.core.control])
    }

    fn spin(&mut self, rad_s: DVec3, only: Option<&[usize]>) -> Result<Added> {
        super::spin_up::add(&mut self.core, rad_s, only)
    }

    fn save(&mut self) -> Result<Vec<(String, Vec<u8>)>> {
        self.core.save_state()
    }

    fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        self.core.restore_state(state)
    }

    fn time_phases(&mut self) {
        self.core.phases = Some(Phases::new(&self.core.gpu));
    }

    fn timing(&self) -> Option<Timing> {
        self.core.phases.as_ref().map(Phases::timing)
    }

    fn describe(&self) -> String {
        let solver = match self.core.capacity().colours {
            0 => "Jacobi",
            _ if self.in_one_group() => "Gauss-Seidel (one workgroup)",
            _ => "Gauss-Seidel",
        };
        format!("contact dynamics by {solver} iterations on {}", describe(&self.core.gpu.info))
    }
}
