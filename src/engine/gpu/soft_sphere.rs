//! The soft-sphere engine on the GPU: submissions sized by measured time. `pipelines/soft_sphere.toml` lists the passes
//! of a step.

use super::core::{Core, Pipelines, SUBMISSION_S, step_target};
use super::parts::turning_frame::Framed;
use super::phases::Phases;
use super::rhythm::{Rhythm, Start};
use crate::base::error::{Error, Result};
use crate::engine::{ADVANCE_S, Engine, Timing};
use crate::gpu::device::{Gpu, describe};
use crate::gpu::elements::control::Control;
use crate::gpu::pipeline::link::Sources;
use crate::model::body::Bodies;
use crate::model::scenario::Scenario;
use crate::model::snapshot::Added;
use crate::physics::frame::coupling;
use glam::DVec3;
use std::mem::offset_of;
use std::time::Instant;

/// Soft spheres on a GPU.
pub struct SoftSphere {
    /// buffers and passes
    pub core: Core,
    frame: Option<Framed>,
    blocks_per_submission: u32,
    rhythm: Rhythm,
}

impl SoftSphere {
    /// Opens a run of `bodies` at the time step `dt_s` on `gpu`.
    pub fn new(gpu: Gpu, scenario: &Scenario, bodies: &Bodies, dt_s: f64, sources: Sources) -> Result<SoftSphere> {
        let coupling = coupling(scenario, dt_s)?;
        let core = Core::new(gpu, scenario, bodies, dt_s, sources, Pipelines::SOFT_SPHERE)?;
        let frame = coupling.map(|c| Framed::open(&core, c)).transpose()?;
        Ok(SoftSphere { core, frame, blocks_per_submission: 1, rhythm: Rhythm::new() })
    }

    /// Steps recorded between two looks at what is due: the gravity interval in equal parts, as nearly as whole steps allow.
    pub fn steps_per_block(&self) -> u32 {
        steps_per_block(&self.core)
    }

    fn submit(&mut self, blocks: u32) -> Result<()> {
        let (gravity, control) = (&self.core.prepared.gravity, &self.core.control);
        let gravity = gravity.held.then_some((control.gravity_next, gravity.every));
        let stages = self.rhythm.stages(&Start { step: control.step, gravity }, blocks, self.steps_per_block());
        self.core.submit(&stages)
    }
}

fn steps_per_block(core: &Core) -> u32 {
    let every = if core.prepared.gravity.held { core.prepared.gravity.every } else { 32 };
    every.div_ceil(every.div_ceil(32))
}

impl Engine for SoftSphere {
    fn time_step_s(&self) -> f64 {
        self.core.prepared.units.time_s
    }

    fn step(&self) -> u64 {
        self.core.step()
    }

    fn advance(&mut self, target: u64) -> Result<()> {
        let target = self.core.until_drain(step_target(target)?);
        if let Some(frame) = self.frame.as_mut().filter(|f| f.is_free()) {
            let steps = steps_per_block(&self.core);
            frame.advance(&mut self.core, target, steps)?;
            return self.core.drain_if_due();
        }
        self.core.set_word(offset_of!(Control, step_target), target)?;
        let start = Instant::now();
        // Between a growth and the list that follows it the state is not complete.
        let mut grown = false;
        while self.core.control.step < target && (grown || start.elapsed().as_secs_f64() < ADVANCE_S) {
            let left = (target - self.core.control.step).div_ceil(self.steps_per_block());
            let blocks = self.blocks_per_submission.min(left.max(1));
            let begun = Instant::now();
            let before = self.core.control;
            self.submit(blocks)?;
            grown = self.core.look()?;
            if self.core.control.step == before.step && !grown {
                return Err(Error::idle(before.step));
            }
            self.rhythm.heed(&before, &self.core.control);
            let took = begun.elapsed().as_secs_f64() / f64::from(blocks);
            let wanted = (SUBMISSION_S / took.max(1e-6)).clamp(1.0, 512.0) as u32;
            self.blocks_per_submission = wanted.clamp(1, 2 * self.blocks_per_submission);
        }
        self.core.drain_if_due()
    }

    fn snapshot(&mut self) -> Result<crate::model::snapshot::Snapshot> {
        super::snapshot::take(&mut self.core, self.frame.as_ref())
    }

    fn spin(&mut self, rad_s: DVec3, only: Option<&[usize]>) -> Result<Added> {
        super::spin_up::add(&mut self.core, rad_s, only)
    }

    fn save(&mut self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut state = self.core.save_state()?;
        state.extend(self.frame.iter().map(Framed::saved));
        Ok(state)
    }

    fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        if let Some(frame) = &mut self.frame {
            frame.restore(state)?;
        }
        self.core.restore_state(state)
    }

    fn time_phases(&mut self) {
        self.core.phases = Some(Phases::new(&self.core.gpu));
    }

    fn timing(&self) -> Option<Timing> {
        self.core.phases.as_ref().map(Phases::timing)
    }

    fn describe(&self) -> String {
        format!("soft spheres on {}", describe(&self.core.gpu.info))
    }
}
