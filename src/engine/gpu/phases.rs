//! Where the time of steps goes: detection, gravity, contacts. Only on demand: a submission is then cut into compute
//! passes at the changes of phase, with timestamps at both ends of each, or, if the adapter has no timestamps, into
//! submissions of their own, timed by the wall clock. What the passes compute does not depend on it.

use crate::base::error::Result;
use crate::engine::{PHASES, Phase, Timing};
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::run::{Pipeline, Timer};
use std::time::Instant;

/// Phase of a stage; both pipelines name them alike.
fn phase_of(stage: &str) -> &'static str {
    let [detection, gravity, solver, contacts_and_motion, motion] = PHASES;
    match stage {
        "prepare" | "neighbours" | "detect" => detection,
        "gravity" => gravity,
        "setup" | "colour" | "iterate" | "measure" | "solve" => solver,
        "step" => contacts_and_motion,
        _ => motion,
    }
}

/// Times of all steps so far.
pub(super) struct Phases {
    timer: Option<Timer>,
    seconds: Vec<(&'static str, f64)>,
}

impl Phases {
    /// Uses the adapter's timestamps if it has them.
    pub(super) fn new(gpu: &Gpu) -> Phases {
        Phases { timer: Timer::new(gpu, Timer::ROOM), seconds: vec![] }
    }

    /// Submits these stages in their order.
    pub(super) fn submit(&mut self, gpu: &Gpu, pipeline: &Pipeline, stages: &[&'static str]) -> Result<()> {
        let pieces: Vec<_> = stages.chunk_by(|a, b| phase_of(a) == phase_of(b)).collect();
        match self.timer.take() {
            Some(mut timer) => {
                for part in pieces.chunks(Timer::ROOM as usize) {
                    stamped(gpu, pipeline, part, &mut timer);
                    for (index, seconds) in timer.collect(gpu)? {
                        self.add(phase_of(part[index][0]), seconds);
                    }
                }
                self.timer = Some(timer);
            }
            None => {
                gpu.wait()?;
                for piece in pieces {
                    let begun = Instant::now();
                    gpu.submit(|encoder| record(encoder, pipeline, piece, None));
                    gpu.wait()?;
                    self.add(phase_of(piece[0]), begun.elapsed().as_secs_f64());
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, phase: &'static str, seconds: f64) {
        match self.seconds.iter_mut().find(|p| p.0 == phase) {
            Some(sum) => sum.1 += seconds,
            None => self.seconds.push((phase, seconds)),
        }
    }

    /// What was measured.
    pub(super) fn timing(&self) -> Timing {
        let all: f64 = self.seconds.iter().map(|p| p.1).sum();
        let share = |seconds: f64| if all > 0.0 { seconds / all } else { 0.0 };
        Timing {
            clock: if self.timer.is_some() { "timestamps" } else { "wall" }.into(),
            phases: self
                .seconds
                .iter()
                .map(|(n, s)| Phase { name: (*n).into(), seconds: *s, share: share(*s) })
                .collect(),
        }
    }
}

/// One submission, a compute pass and two timestamps a piece.
fn stamped(gpu: &Gpu, pipeline: &Pipeline, pieces: &[&[&'static str]], timer: &mut Timer) {
    gpu.submit(|encoder| {
        for (index, piece) in pieces.iter().enumerate() {
            record(encoder, pipeline, piece, timer.around(index));
        }
    });
}

fn record(
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &Pipeline,
    stages: &[&str],
    timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
) {
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
    stages.iter().for_each(|stage| pipeline.record(&mut pass, stage));
}
