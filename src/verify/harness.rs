//! Fill named buffers, run passes, read named buffers: how tests and `breccia verify` look at single passes.

use crate::base::error::{Error, Result};
use crate::gpu::blocks::{Block, BlockPass};
use crate::gpu::device::Gpu;
use crate::gpu::element::Element;
use crate::gpu::pipeline::file::soft_modules;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::split_groups;
use crate::gpu::pipeline::reflect::{Access, Shader, load};
use crate::gpu::pipeline::run::{Buffers, Compiled};
use crate::gpu::uniform;
use encase::ShaderType;
use encase::internal::WriteInto;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An element whose words all are `word`, but padding, which is 0: what a pass must leave as it is.
pub fn filled<T: Element>(word: u32) -> T {
    let mut words = vec![0u32; size_of::<T>() / 4];
    for member in T::LAYOUT.members.iter().filter(|m| !m.name.starts_with("pad")) {
        words[member.offset / 4..(member.offset + member.size) / 4].fill(word);
    }
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&words))
}

/// Named buffers on a device and the passes run over them.
pub struct Harness<'a> {
    /// the device
    pub gpu: &'a Gpu,
    /// what `import package::<name>` means
    pub modules: BTreeMap<String, String>,
    /// where shaders come from
    pub sources: Sources,
    buffers: Buffers,
    sizes: BTreeMap<String, usize>,
    /// by `sources.cpu_forms`
    made: [Made; 2],
}

/// What was made of passes.
#[derive(Default)]
struct Made {
    shaders: BTreeMap<&'static str, Arc<Shader>>,
    compiled: Compiled,
}

impl<'a> Harness<'a> {
    /// An empty bench with the embedded shaders.
    pub fn new(gpu: &'a Gpu) -> Self {
        Harness::with_sources(gpu, Sources::default())
    }

    /// An empty bench with shaders from elsewhere; `law` is the linear spring-dashpot.
    pub fn with_sources(gpu: &'a Gpu, sources: Sources) -> Self {
        let modules = soft_modules("laws/linear_spring_dashpot");
        let sources = sources.on(gpu);
        let (buffers, sizes, made) = Default::default();
        Harness { gpu, modules, sources, buffers, sizes, made }
    }

    /// Has `import package::<name>` mean another module from now on.
    pub fn choose(&mut self, name: &str, module: String) {
        if self.modules.get(name) != Some(&module) {
            self.modules.insert(name.to_owned(), module);
            self.made = Default::default();
        }
    }

    /// What `work` gives with modules in the form that all devices take, and in the one for software devices if this is such
    /// a device.
    pub fn by_form<T>(&mut self, mut work: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let both = self.sources.cpu_forms;
        let mut found = vec![];
        for cpu_forms in [false, true].into_iter().filter(|on| both || !on) {
            self.sources.cpu_forms = cpu_forms;
            found.push(work(self)?);
        }
        Ok(found)
    }

    /// Does `work` with modules in both of their forms.
    pub fn in_forms(&mut self, work: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        self.by_form(work).map(drop)
    }

    /// Creates a storage buffer holding `data`.
    pub fn fill<T: bytemuck::NoUninit>(&mut self, name: &str, data: &[T]) -> Result<()> {
        self.make(name, data, false)
    }

    /// Creates a uniform buffer holding `block`.
    pub fn uniform<T: ShaderType + WriteInto>(&mut self, name: &str, block: &T) -> Result<()> {
        self.make(name, &uniform::bytes(block), true)
    }

    /// Creates a zeroed storage buffer.
    pub fn zeros(&mut self, name: &str, bytes: usize) -> Result<()> {
        self.sizes.insert(name.to_owned(), bytes);
        self.buffers.create(self.gpu, name, bytes as u64, false)
    }

    fn make<T: bytemuck::NoUninit>(&mut self, name: &str, data: &[T], uniform: bool) -> Result<()> {
        let bytes = size_of_val(data);
        self.sizes.insert(name.to_owned(), bytes);
        // a shader binds one element at least
        self.buffers.create(self.gpu, name, bytes.max(size_of::<T>()) as u64, uniform)?;
        self.buffers.write(self.gpu, name, data)
    }

    /// Runs one pass over `groups` workgroups.
    pub fn run(&mut self, pass: &'static str, groups: u32) -> Result<()> {
        self.run_block(&Block::from(BlockPass { pass, bind: vec![], constants: None, groups }))
    }

    /// Runs one pass over `groups` workgroups with a small constant uniform.
    pub fn run_with(&mut self, pass: &'static str, groups: u32, uniform: &'static str, value: [u32; 4]) -> Result<()> {
        let constants = Some((uniform, value));
        self.run_block(&Block::from(BlockPass { pass, bind: vec![], constants, groups }))
    }

    /// Runs the passes of a block in order and waits.
    pub fn run_block(&mut self, block: &Block) -> Result<()> {
        for s in &block.scratch {
            if self.sizes.get(&s.name).is_none_or(|b| (*b as u64) < s.bytes) {
                self.zeros(&s.name, s.bytes as usize)?;
            }
        }
        for pass in &block.passes {
            self.dispatch(pass)?;
        }
        self.gpu.wait()
    }

    fn dispatch(&mut self, pass: &BlockPass) -> Result<()> {
        if pass.groups == 0 {
            return Ok(());
        }
        let made = &mut self.made[usize::from(self.sources.cpu_forms)];
        let shader = match made.shaders.get(pass.pass) {
            Some(shader) => shader.clone(),
            None => Arc::new(load(pass.pass, &self.sources, &self.modules)?),
        };
        made.shaders.insert(pass.pass, shader.clone());
        let (pipeline, layout) = made.compiled.get(self.gpu, &shader);
        let mut owned = vec![];
        for b in &shader.bindings {
            let constant = pass.constants.filter(|(v, _)| *v == b.name);
            if let Some((variable, value)) = constant {
                let name = format!("{variable} of {}", pass.pass);
                self.buffers.create(self.gpu, &name, 16, true)?;
                self.buffers.write(self.gpu, &name, &value)?;
                owned.push((b.index, name));
                continue;
            }
            let name = pass.bind.iter().find(|(v, _)| *v == b.name).map_or(b.name.clone(), |(_, n)| n.clone());
            if !self.buffers.contains(&name) {
                let kind = if b.access == Access::Uniform { "uniform" } else { "buffer" };
                return Err(Error::Usage(format!("pass `{}` wants {kind} `{name}`, which was not filled", pass.pass)));
            }
            owned.push((b.index, name));
        }
        let mut entries = vec![];
        for (index, name) in &owned {
            entries
                .push(wgpu::BindGroupEntry { binding: *index, resource: self.buffers.get(name)?.as_entire_binding() });
        }
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries };
        let group = self.gpu.device.create_bind_group(&descriptor);
        let [x, y, z] = split_groups(pass.groups.into())?;
        self.gpu.submit(|e| {
            let mut p = e.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            p.set_pipeline(&pipeline);
            p.set_bind_group(0, &group, &[]);
            p.dispatch_workgroups(x, y, z);
        });
        self.gpu.check()
    }

    /// The first element of a buffer.
    pub fn read_one<T: bytemuck::Pod>(&self, name: &str) -> Result<T> {
        Ok(self.buffers.read(self.gpu, name, 1)?[0])
    }

    /// The first elements of a buffer, as many as were filled.
    pub fn read<T: bytemuck::Pod>(&self, name: &str) -> Result<Vec<T>> {
        let bytes = *self.sizes.get(name).ok_or_else(|| Error::Usage(format!("no buffer `{name}`")))?;
        self.buffers.read(self.gpu, name, bytes / size_of::<T>())
    }
}
