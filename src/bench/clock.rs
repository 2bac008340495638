//! Times by the device's timestamps, or by the wall clock if it has none; and the copy bandwidth to compare with.

use crate::base::error::Result;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::run::{Pipeline, Timer};
use std::time::Instant;

/// A single run that takes longer than this is not repeated (s).
const LONG_S: f64 = 1.0;
/// Repetitions end after this time (s) or [`REPEATS`].
const ENOUGH_S: f64 = 0.5;
const REPEATS: usize = 15;

/// Times of the same work.
#[derive(Debug, Clone, Copy)]
pub struct Seconds {
    /// the middle one (s)
    pub median: f64,
    /// the least (s): what the device can, where other programs use it too
    pub least: f64,
}

impl Seconds {
    /// Median and least of these times, given in any order.
    pub fn of(seconds: Vec<f64>) -> Seconds {
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        Seconds { median: median(seconds), least }
    }
}

/// Where times come from on this device.
pub fn name(gpu: &Gpu) -> &'static str {
    if gpu.timestamp_period.is_some() { "timestamps" } else { "wall" }
}

/// The middle one.
pub fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or(0.0)
}

/// Repeated runs of `once`, which returns its seconds. The first run, which compiles, only counts if it is long.
pub fn repeat(mut once: impl FnMut() -> Result<f64>) -> Result<Seconds> {
    let first = once()?;
    if first > LONG_S {
        return Ok(Seconds::of(vec![first]));
    }
    let mut seconds = vec![];
    while seconds.len() < REPEATS && seconds.iter().sum::<f64>() < ENOUGH_S {
        seconds.push(once()?);
    }
    Ok(Seconds::of(seconds))
}

/// Seconds of one compute pass that holds all that `record` puts into it. `prepare` goes before and is not timed.
pub fn whole(
    gpu: &Gpu,
    prepare: impl FnOnce(&mut wgpu::CommandEncoder),
    record: impl FnOnce(&mut wgpu::ComputePass<'_>),
) -> Result<f64> {
    gpu.submit(prepare);
    gpu.wait()?;
    let mut timer = Timer::new(gpu, 1);
    let begun = Instant::now();
    gpu.submit(|encoder| {
        let timestamp_writes = timer.as_mut().and_then(|t| t.around(0));
        record(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes }));
    });
    gpu.wait()?;
    stamped(gpu, timer, begun)
}

/// Seconds of the only pass of `timer`; without one, those since `begun`.
pub fn stamped(gpu: &Gpu, timer: Option<Timer>, begun: Instant) -> Result<f64> {
    let wall = begun.elapsed().as_secs_f64();
    let samples = timer.map(|mut t| t.collect(gpu)).transpose()?;
    Ok(samples.and_then(|s| Some(s.first()?.1)).unwrap_or(wall))
}

/// Index in the plan and seconds of every pass of a stage, after `prepare`; none without timestamps.
pub fn single(
    gpu: &Gpu,
    prepare: impl FnOnce(&mut wgpu::CommandEncoder),
    pipeline: &Pipeline,
    stage: &str,
) -> Result<Vec<(usize, f64)>> {
    let Some(mut timer) = Timer::new(gpu, 2048) else {
        return Ok(vec![]);
    };
    gpu.submit(prepare);
    gpu.submit(|encoder| pipeline.record_timed(encoder, stage, &mut timer));
    timer.collect(gpu)
}

/// Buffer-to-buffer copies of up to 256 MiB, many a submission so that its start does not show; read plus written.
pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64> {
    const COPIES: u64 = 16;
    let bytes = gpu.limits.max_buffer_size.min(256 << 20) / 4 * 4;
    let make = |label| {
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let (from, to) = (make("copy from"), make("copy to"));
    let mut best = f64::INFINITY;
    for _ in 0..4 {
        let begun = Instant::now();
        gpu.submit(|e| (0..COPIES).for_each(|_| e.copy_buffer_to_buffer(&from, 0, &to, 0, bytes)));
        gpu.wait()?;
        best = best.min(begun.elapsed().as_secs_f64());
    }
    Ok((2 * COPIES * bytes) as f64 / best * 1e-9)
}
