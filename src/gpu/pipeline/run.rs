//! Builds a plan's pipelines and bind groups once, and records its passes.

use super::plan::{Dispatch, Plan};
use super::reflect::{Access, Shader};
use crate::base::error::{Error, Result};
use crate::gpu::buffer_table::{Counts, spec};
use crate::gpu::device::Gpu;
use crate::gpu::uniform;
use encase::ShaderType;
use encase::internal::WriteInto;
use std::collections::{BTreeMap, HashMap};

/// Named GPU buffers.
#[derive(Default)]
pub struct Buffers {
    map: BTreeMap<String, wgpu::Buffer>,
}

impl Buffers {
    /// Creates (or replaces) a zeroed buffer of at least 16 bytes, and of at least one element if it is in the table: no
    /// device binds less.
    pub fn create(&mut self, gpu: &Gpu, name: &str, bytes: u64, uniform: bool) -> Result<()> {
        let least = spec(name).map_or(16, |s| s.stride.max(s.stride_rigid).max(16));
        let size = bytes.max(least.into()).div_ceil(16) * 16;
        gpu.room(name, size)?;
        use wgpu::BufferUsages as U;
        let kind = if uniform { U::UNIFORM } else { U::STORAGE | U::INDIRECT };
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(name),
            size,
            usage: kind | U::COPY_SRC | U::COPY_DST,
            mapped_at_creation: false,
        });
        self.map.insert(name.to_owned(), buffer);
        Ok(())
    }

    /// Zeroed buffers for everything that a plan binds, as long as `counts` says.
    pub fn of_plan(gpu: &Gpu, plan: &Plan, counts: &Counts) -> Result<Buffers> {
        let mut buffers = Buffers::default();
        for b in plan.passes.iter().flat_map(|p| &p.bind) {
            if !buffers.contains(&b.buffer) {
                let uniform = b.binding.access == Access::Uniform;
                buffers.create(gpu, &b.buffer, plan.bytes(&b.buffer, counts).max(b.binding.min_size), uniform)?;
            }
        }
        gpu.check()?;
        Ok(buffers)
    }

    /// The buffer of that name.
    pub fn get(&self, name: &str) -> Result<&wgpu::Buffer> {
        self.map.get(name).ok_or_else(|| Error::Usage(format!("no buffer `{name}` has been made")))
    }

    /// True if a buffer of that name exists.
    pub fn contains(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// Writes host data to the start of a buffer.
    pub fn write<T: bytemuck::NoUninit>(&self, gpu: &Gpu, name: &str, data: &[T]) -> Result<()> {
        gpu.queue.write_buffer(self.get(name)?, 0, bytemuck::cast_slice(data));
        Ok(())
    }

    /// Writes a uniform block.
    pub fn write_uniform<T: ShaderType + WriteInto>(&self, gpu: &Gpu, name: &str, block: &T) -> Result<()> {
        gpu.queue.write_buffer(self.get(name)?, 0, &uniform::bytes(block));
        Ok(())
    }

    /// Reads the first `count` elements of a buffer.
    pub fn read<T: bytemuck::Pod>(&self, gpu: &Gpu, name: &str, count: usize) -> Result<Vec<T>> {
        let bytes = gpu.read(self.get(name)?, (count * size_of::<T>()) as u64)?;
        Ok(bytemuck::pod_collect_to_vec(&bytes))
    }
}

/// One recorded pass.
struct BuiltPass {
    stage: String,
    stem: String,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    groups: [u32; 3],
    indirect: Option<(wgpu::Buffer, u64)>,
}

/// A plan made ready: nothing is created while it runs.
pub struct Pipeline {
    passes: Vec<BuiltPass>,
}

/// Compiled pipelines by stem, shared between pipelines.
#[derive(Default)]
pub struct Compiled {
    map: HashMap<String, (wgpu::ComputePipeline, wgpu::BindGroupLayout)>,
}

impl Compiled {
    /// The pipeline of a shader, compiled at first use.
    pub fn get(&mut self, gpu: &Gpu, shader: &Shader) -> (wgpu::ComputePipeline, wgpu::BindGroupLayout) {
        let made = self.map.entry(shader.stem.clone()).or_insert_with(|| compile(gpu, shader));
        made.clone()
    }
}

/// The module of a pass. Checks at run time of loops and integer divisions cost up to half of its registers (in
/// `find_neighbours`), so that passes which are proven to need none go without; bounds of buffers stay checked.
#[allow(unsafe_code, reason = "wgpu leaves out checks of shaders on the caller's word alone")]
fn shader_module(gpu: &Gpu, shader: &Shader) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(&shader.stem),
        source: match &shader.perturbed {
            None => wgpu::ShaderSource::Wgsl(shader.linked.text.as_str().into()),
            Some(module) => wgpu::ShaderSource::Naga(std::borrow::Cow::Owned(module.clone())),
        },
    };
    let mut checks = wgpu::ShaderRuntimeChecks::checked();
    checks.force_loop_bounding = !shader.trusted;
    checks.int_div_checks = !shader.trusted;
    // SAFETY: a trusted shader is the program's own text. Every loop in it ends after a number of turns that is known from
    // the text (tests/passes/turns.rs reads them all), and every integer divisor is a constant other than 0, or there is a
    // reason why it is not 0 (tests/passes/divisors.rs lists them). All other checks are made.
    unsafe { gpu.device.create_shader_module_trusted(descriptor, checks) }
}

fn compile(gpu: &Gpu, shader: &Shader) -> (wgpu::ComputePipeline, wgpu::BindGroupLayout) {
    let entries = shader.bindings.iter().map(|b| wgpu::BindGroupLayoutEntry {
        binding: b.index,
        visibility: wgpu::ShaderStages::COMPUTE,
        count: None,
        ty: wgpu::BindingType::Buffer {
            has_dynamic_offset: false,
            min_binding_size: std::num::NonZeroU64::new(b.min_size),
            ty: match b.access {
                Access::Uniform => wgpu::BufferBindingType::Uniform,
                access => wgpu::BufferBindingType::Storage { read_only: access == Access::Read },
            },
        },
    });
    let label = Some(shader.stem.as_str());
    let entries: Vec<_> = entries.collect();
    let layout = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label, entries: &entries });
    let module = shader_module(gpu, shader);
    let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &[Some(&layout)],
        immediate_size: 0,
    });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label,
        layout: Some(&pipeline_layout),
        module: &module,
        entry_point: Some(&shader.stem),
        compilation_options: wgpu::PipelineCompilationOptions {
            constants: &[],
            zero_initialize_workgroup_memory: false,
        },
        cache: None,
    });
    (pipeline, layout)
}

/// A small uniform that never changes.
fn constant(gpu: &Gpu, label: &str, value: [u32; 4]) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: 16,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&value));
    buffer
}

impl Pipeline {
    /// Makes pipelines and bind groups for `plan` on `buffers`.
    pub fn build(gpu: &Gpu, plan: &Plan, buffers: &Buffers, compiled: &mut Compiled) -> Result<Pipeline> {
        let mut passes = vec![];
        for p in &plan.passes {
            let (pipeline, layout) = compiled.get(gpu, &p.shader);
            let constant = p.constants.map(|(index, value)| (index, constant(gpu, &p.shader.stem, value)));
            let mut entries = vec![];
            for b in &p.bind {
                let resource = buffers.get(&b.buffer)?.as_entire_binding();
                entries.push(wgpu::BindGroupEntry { binding: b.binding.index, resource });
            }
            if let Some((index, buffer)) = &constant {
                entries.push(wgpu::BindGroupEntry { binding: *index, resource: buffer.as_entire_binding() });
            }
            let label = Some(p.shader.stem.as_str());
            let descriptor = wgpu::BindGroupDescriptor { label, layout: &layout, entries: &entries };
            let (groups, indirect) = match &p.dispatch {
                Dispatch::Groups(groups) => (*groups, None),
                Dispatch::Indirect { buffer, offset } => ([0; 3], Some((buffers.get(buffer)?.clone(), *offset))),
            };
            passes.push(BuiltPass {
                stage: p.stage.clone(),
                stem: p.shader.stem.clone(),
                group: gpu.device.create_bind_group(&descriptor),
                pipeline,
                groups,
                indirect,
            });
        }
        gpu.check()?;
        Ok(Pipeline { passes })
    }

    /// Records all passes of a stage.
    pub fn record(&self, pass: &mut wgpu::ComputePass<'_>, stage: &str) {
        for p in self.passes.iter().filter(|p| p.stage == stage) {
            p.record(pass);
        }
    }

    /// Records a stage, each pass between two timestamps of `timer`, tagged by its index in the plan.
    pub fn record_timed(&self, encoder: &mut wgpu::CommandEncoder, stage: &str, timer: &mut Timer) {
        for (index, p) in self.passes.iter().enumerate().filter(|(_, p)| p.stage == stage) {
            let writes = timer.around(index);
            let mut pass = encoder
                .begin_compute_pass(&wgpu::ComputePassDescriptor { label: Some(&p.stem), timestamp_writes: writes });
            p.record(&mut pass);
        }
    }
}

impl BuiltPass {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        match &self.indirect {
            Some((buffer, offset)) => pass.dispatch_workgroups_indirect(buffer, *offset),
            None => pass.dispatch_workgroups(self.groups[0], self.groups[1], self.groups[2]),
        }
    }
}

/// Timestamps around compute passes.
pub struct Timer {
    set: wgpu::QuerySet,
    resolve: wgpu::Buffer,
    tags: Vec<usize>,
    capacity: u32,
}

impl Timer {
    /// Passes that a query set has room for, two timestamps each.
    pub const ROOM: u32 = 2048;

    /// Room for `capacity` passes, at most [`Timer::ROOM`]; `None` where the adapter has no timestamps.
    pub fn new(gpu: &Gpu, capacity: u32) -> Option<Timer> {
        gpu.timestamp_period?;
        let capacity = capacity.min(Timer::ROOM);
        let descriptor =
            wgpu::QuerySetDescriptor { label: Some("timer"), ty: wgpu::QueryType::Timestamp, count: 2 * capacity };
        let resolve = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("timer"),
            size: u64::from(capacity) * 16,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Some(Timer { set: gpu.device.create_query_set(&descriptor), resolve, tags: vec![], capacity })
    }

    /// Where the next compute pass writes its times; `None` if the set is full.
    pub fn around(&mut self, tag: usize) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let index = self.tags.len() as u32;
        if index >= self.capacity {
            return None;
        }
        self.tags.push(tag);
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.set,
            beginning_of_pass_write_index: Some(2 * index),
            end_of_pass_write_index: Some(2 * index + 1),
        })
    }

    /// Tag and seconds of every pass since the last call, in order.
    pub fn collect(&mut self, gpu: &Gpu) -> Result<Vec<(usize, f64)>> {
        let count = self.tags.len() as u32;
        if count == 0 {
            return Ok(vec![]);
        }
        gpu.submit(|e| e.resolve_query_set(&self.set, 0..2 * count, &self.resolve, 0));
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(&gpu.read(&self.resolve, u64::from(count) * 16)?);
        let period = f64::from(gpu.timestamp_period.unwrap_or(1.0)) * 1e-9;
        let seconds = ticks.chunks(2).map(|t| t[1].saturating_sub(t[0]) as f64 * period);
        Ok(self.tags.drain(..).zip(seconds).collect())
    }
}
