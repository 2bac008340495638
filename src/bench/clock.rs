//! Times by the device's timestamps, or by the wall clock if it has none; and the copy bandwidth to compare with.

use crate::base::cpu_time::cpu_time;
use crate::base::error::Result;
use crate::gpu::device::Gpu;
use crate::gpu::kernel::Kernel;
use crate::gpu::pipeline::run::{Pipeline, Timer};
use std::time::Instant;

/// A single run that takes longer than this is not repeated (s).
const LONG_S: f64 = 1.0;
/// Repetitions end after this time (s) or [`REPEATS`].
const ENOUGH_S: f64 = 0.5;
const REPEATS: usize = 15;

/// What one piece of work took.
#[derive(Debug, Clone, Copy)]
pub struct Took {
    seconds: f64,
    /// CPU time of all threads (s)
    cpu: Option<f64>,
}

impl Took {
    /// Does `work`, which returns its seconds.
    pub fn told(work: impl FnOnce() -> Result<f64>) -> Result<Took> {
        let before = cpu_time();
        let seconds = work()?;
        let cpu = before.and_then(|before| Some(cpu_time()?.saturating_sub(before).as_secs_f64()));
        Ok(Took { seconds, cpu })
    }

    /// Does `work`, timed by the wall clock.
    pub fn by_wall(work: impl FnOnce() -> Result<()>) -> Result<Took> {
        let begun = Instant::now();
        Took::told(|| work().map(|()| begun.elapsed().as_secs_f64()))
    }

    /// Wall time (s).
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// What one of `count` steps took.
    pub fn each(self, count: u64) -> Took {
        Took { seconds: self.seconds / count as f64, cpu: self.cpu.map(|s| s / count as f64) }
    }
}

/// Times of the same work.
#[derive(Debug, Clone, Copy)]
pub struct Seconds {
    /// the middle one (s)
    pub median: f64,
    /// the least (s): what the device can, where other programs use it too
    pub least: f64,
    /// least CPU time of all threads (s), where the system tells
    pub cpu: Option<f64>,
}

impl Seconds {
    /// Median and least of these, given in any order.
    pub fn of(all: &[Took]) -> Seconds {
        let least = all.iter().map(|t| t.seconds).fold(f64::INFINITY, f64::min);
        let cpu = all.iter().filter_map(|t| t.cpu).reduce(f64::min);
        Seconds { median: median(all.iter().map(|t| t.seconds).collect()), least, cpu }
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
    let first = Took::told(&mut once)?;
    if first.seconds > LONG_S {
        return Ok(Seconds::of(&[first]));
    }
    let mut all: Vec<Took> = vec![];
    while all.len() < REPEATS && all.iter().map(Took::seconds).sum::<f64>() < ENOUGH_S {
        all.push(Took::told(&mut once)?);
    }
    Ok(Seconds::of(&all))
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

/// Copies of a row of 16 bytes by each invocation.
const COPY: &str = "
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> copy: array<vec4<u32>>;
@compute @workgroup_size(256)
fn copy_rows(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&source)) { copy[id.x] = source[id.x]; }
}";
/// Bytes that a workgroup of it copies.
const COPY_GROUP: u64 = 256 * 16;

/// Bandwidth of copies of up to 128 MiB, read plus written (GB/s): by the command for it or by a kernel, whichever is faster:
/// on an H100 the command takes three times as long.
pub fn copy_bandwidth(gpu: &Gpu) -> Result<f64> {
    // many a submission, so that its start does not show
    const COPIES: u64 = 16;
    let limit = gpu.limits.max_buffer_size.min(gpu.limits.max_storage_buffer_binding_size);
    let bytes = limit.min(128 << 20) / COPY_GROUP * COPY_GROUP;
    let make = |label| {
        use wgpu::BufferUsages as U;
        let usage = U::COPY_SRC | U::COPY_DST | U::STORAGE;
        gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage,
            mapped_at_creation: false,
        })
    };
    let (source, copy) = (make("source"), make("copy"));
    let kernel = Kernel::new(gpu, "copy_rows", COPY, &[&source, &copy]);
    let groups = (bytes / COPY_GROUP) as u32;
    let by_command = |encoder: &mut wgpu::CommandEncoder| {
        (0..COPIES).for_each(|_| encoder.copy_buffer_to_buffer(&source, 0, &copy, 0, bytes));
    };
    let by_kernel = |encoder: &mut wgpu::CommandEncoder| kernel.record(encoder, groups, COPIES);
    let mut best = f64::INFINITY;
    for k in 0..8 {
        let begun = Instant::now();
        gpu.submit(|encoder| if k % 2 == 0 { by_command(encoder) } else { by_kernel(encoder) });
        gpu.wait()?;
        best = best.min(begun.elapsed().as_secs_f64());
    }
    Ok((2 * COPIES * bytes) as f64 / best * 1e-9)
}
