//! Soft spheres in a turning frame. With a free asteroid submissions end where the frame is known to, and the sums of an
//! interval come back while the next one runs.

pub(crate) mod rows;
pub(crate) mod snapshot;

use crate::base::error::{Error, Result};
use crate::base::units::DISPLACEMENT_BITS;
use crate::engine::ADVANCE_S;
use crate::engine::gpu::core::Core;
use crate::engine::saved::value;
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::REACTION_PARTS;
use crate::gpu::elements::control::Control;
use crate::gpu::elements::frame::{FrameRow, Reaction};
use crate::model::scenario::Scenario;
use crate::physics::frame::Frame;
use crate::physics::frame::coupling::{Coupling, LEGS};
use glam::DVec3;
use rows::{given, rows, weights};
use std::collections::VecDeque;
use std::iter::repeat_n;
use std::mem::offset_of;
use std::time::Instant;

/// Submissions under way: one that runs and one that waits.
const FLIGHTS: usize = 2;
/// Intervals up to this are submitted without the neighbour search until a step has asked for it.
const BARE_INTERVAL_MAX: u64 = 8;
/// Name of the books in a checkpoint.
const BOOKS: &str = "frame_books";

/// The frame of a run on a GPU.
pub(crate) struct Framed {
    pub coupling: Coupling,
    flights: VecDeque<Flight>,
    spare: Vec<wgpu::Buffer>,
    /// steps done once all flights have landed, if none of them has to wait
    expected: u32,
    /// the next submission begins with what is due besides steps
    due: bool,
}

/// Makes room for the rows of the frame, and for its reaction on an asteroid.
pub(crate) fn counts(scenario: &Scenario, counts: Counts) -> Counts {
    match Frame::of(scenario) {
        Frame::Inertial => counts,
        framed => counts.with_frame(LEGS, framed.reaction_slots().into()),
    }
}

/// A submission whose control words and reactions will be read.
struct Flight {
    staging: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
}

/// Where the slots of steps begin in a staging buffer (bytes).
const SLOTS_AT: u64 = size_of::<Control>() as u64;

impl Framed {
    /// Fills the buffers of the frame.
    pub(crate) fn open(core: &Core, coupling: Coupling) -> Result<Framed> {
        let (p, units) = (&core.prepared, core.prepared.units);
        let grain = (-f64::from(DISPLACEMENT_BITS)).exp2() * units.length_m;
        let coupling = coupling.with_grain(grain);
        core.buffers.write(&core.gpu, "body_weight", &weights(&core.bodies, &p.order, &units))?;
        let framed = Framed { flights: VecDeque::new(), spare: vec![], expected: 0, due: true, coupling };
        framed.upload(core, 0..framed.coupling.known())?;
        Ok(framed)
    }

    /// True of a free asteroid's.
    pub(crate) fn is_free(&self) -> bool {
        self.coupling.asteroid().is_some()
    }

    fn upload(&self, core: &Core, intervals: std::ops::Range<u64>) -> Result<()> {
        let buffer = core.buffers.get("frame_row")?;
        for (index, pair) in rows(&self.coupling, intervals, core.prepared.units.length_m) {
            let at = index * 2 * size_of::<FrameRow>() as u64;
            core.gpu.queue.write_buffer(buffer, at, bytemuck::cast_slice(&pair));
        }
        Ok(())
    }

    /// Steps towards `target` for a while, with a free asteroid.
    pub(crate) fn advance(&mut self, core: &mut Core, target: u32, block: u32) -> Result<()> {
        let start = Instant::now();
        self.expected = core.control.step;
        self.due = true;
        let mut still = 0;
        // Between a growth and the list that follows it the state is not complete.
        let mut grown = false;
        while core.control.step < target {
            let limit = u32::try_from(self.coupling.limit()).unwrap_or(u32::MAX).min(target);
            let late = !grown && start.elapsed().as_secs_f64() > ADVANCE_S;
            if late && self.flights.is_empty() {
                break;
            }
            if !late && self.expected < limit && self.flights.len() < FLIGHTS {
                self.launch(core, limit, block)?;
                continue;
            }
            let before = core.control.step;
            grown = self.land(core)?;
            still = if core.control.step > before || grown { 0 } else { still + 1 };
            if still > FLIGHTS {
                return Err(Error::idle(before));
            }
        }
        while !self.flights.is_empty() {
            self.land(core)?;
        }
        Ok(())
    }

    /// Submits the steps up to `limit`, and the copies of what comes back.
    fn launch(&mut self, core: &mut Core, limit: u32, block: u32) -> Result<()> {
        core.set_word(offset_of!(Control, step_target), limit)?;
        let stages = self.stages(core, limit, block);
        self.expected = limit;
        let [words, slots] = [core.buffers.get("control")?.clone(), core.buffers.get("frame_reaction")?.clone()];
        let staging = self.spare.pop().unwrap_or_else(|| core.gpu.staging(SLOTS_AT + slots.size()));
        let submission = core.submit_then(&stages, |encoder| {
            encoder.copy_buffer_to_buffer(&words, 0, &staging, 0, SLOTS_AT);
            encoder.copy_buffer_to_buffer(&slots, 0, &staging, SLOTS_AT, slots.size());
        })?;
        staging.map_async(wgpu::MapMode::Read, .., |_| {});
        self.flights.push_back(Flight { staging, submission });
        Ok(())
    }

    /// Blocks of steps that end where gravity falls due; what is due besides is left out where nothing can be.
    fn stages(&mut self, core: &Core, limit: u32, block: u32) -> Vec<&'static str> {
        let every = if core.prepared.gravity.held { core.prepared.gravity.every } else { u32::MAX };
        let bare = self.coupling.interval <= BARE_INTERVAL_MAX;
        let mut stages = vec![];
        let mut at = self.expected;
        while at < limit {
            let steps = block.min(limit - at).min(every - at % every);
            if !bare || self.due || at.is_multiple_of(every) {
                stages.extend(["prepare", "neighbours", "gravity"]);
                self.due = false;
            }
            stages.extend(repeat_n("step", steps as usize));
            at += steps;
        }
        stages
    }

    /// Takes what the oldest submission left: progress, faults, and the reactions of intervals that are whole.
    fn land(&mut self, core: &mut Core) -> Result<bool> {
        let Some(flight) = self.flights.pop_front() else { return Ok(false) };
        core.gpu.wait_for(flight.submission)?;
        let (head, slots): (Control, Vec<Reaction>) = {
            let view = flight.staging.get_mapped_range(..).map_err(|e| Error::DeviceLost(e.to_string()))?;
            let (head, slots) = view.split_at(SLOTS_AT as usize);
            (bytemuck::pod_read_unaligned(head), bytemuck::pod_collect_to_vec(slots))
        };
        flight.staging.unmap();
        self.spare.push(flight.staging);
        if head.overflow != 0 {
            return self.stop(core);
        }
        core.heed(head)?;
        self.due |= head.request != 0;
        if self.flights.is_empty() {
            self.due |= core.control.step < self.expected;
            self.expected = core.control.step;
        }
        self.book(core, &slots)?;
        Ok(false)
    }

    /// Lets all submissions end, and makes room.
    fn stop(&mut self, core: &mut Core) -> Result<bool> {
        for flight in self.flights.drain(..) {
            core.gpu.wait_for(flight.submission)?;
            flight.staging.unmap();
            self.spare.push(flight.staging);
        }
        let grown = core.look()?;
        (self.expected, self.due) = (core.control.step, true);
        Ok(grown)
    }

    fn book(&mut self, core: &Core, slots: &[Reaction]) -> Result<()> {
        while self.coupling.booked_steps() + self.coupling.interval <= core.step() {
            let first = self.coupling.booked_steps();
            let sums = sums(core, first, first + self.coupling.interval, slots)?;
            self.coupling.book(|step| sums[(step - first) as usize]);
            let new = self.coupling.extend();
            self.upload(core, new)?;
        }
        Ok(())
    }

    /// What bodies got in the steps that are not booked, up to now.
    pub(crate) fn pending(&self, core: &Core) -> Result<Vec<[DVec3; 2]>> {
        let count = REACTION_PARTS as usize * core.prepared.params.reaction_slots as usize;
        let slots: Vec<Reaction> = core.buffers.read(&core.gpu, "frame_reaction", count)?;
        sums(core, self.coupling.booked_steps(), core.step(), &slots)
    }

    /// The state as an array of a checkpoint.
    pub(crate) fn saved(&self) -> (String, Vec<u8>) {
        (BOOKS.into(), bytemuck::bytes_of(&self.coupling.books()).to_vec())
    }

    /// Takes the state from a checkpoint.
    pub(crate) fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        self.coupling.set_books(&value(state, BOOKS)?);
        Ok(())
    }
}

/// Impulse (N s) and torque impulse (N m s) of each of these steps.
fn sums(core: &Core, first: u64, end: u64, slots: &[Reaction]) -> Result<Vec<[DVec3; 2]>> {
    let (params, units) = (&core.prepared.params, &core.prepared.units);
    let bits = [params.impulse_bits, params.torque_bits];
    let slots: Vec<&[Reaction]> = slots.chunks_exact(REACTION_PARTS as usize).collect();
    let one = |step: u64| {
        given(slots[step as usize % slots.len()], units, bits).ok_or_else(|| {
            Error::Data(format!(
                "step {step}: the bodies' reaction on the asteroid is too large for its sum; lower run.time_step_s"
            ))
        })
    };
    (first..end).map(one).collect()
}
