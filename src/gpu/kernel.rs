//! A kernel whose text stands in the program. What is not a pass of a pipeline runs by it.

use super::device::Gpu;

/// A kernel, and the buffers that it binds.
pub struct Kernel {
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
}

impl Kernel {
    /// The only entry point of `text`, with these buffers at its bindings from 0 on.
    pub fn new(gpu: &Gpu, label: &str, text: &str, buffers: &[&wgpu::Buffer]) -> Kernel {
        let (label, source) = (Some(label), wgpu::ShaderSource::Wgsl(text.into()));
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let layout = &pipeline.get_bind_group_layout(0);
        let bindings = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout, entries: &entries });
        Kernel { pipeline, bindings }
    }

    /// Records so many dispatches of so many workgroups each.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder, groups: u32, dispatches: u64) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        (0..dispatches).for_each(|_| pass.dispatch_workgroups(groups, 1, 1));
    }
}
