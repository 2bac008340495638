//! Draws a scene on the GPU, compute passes only, by `pipelines/render.toml`.

use super::camera::{Camera, View};
use super::scene::Scene;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::pipeline::file::{self, PipelineFile};
use crate::pipeline::link::Sources;
use crate::pipeline::plan::{Plan, plan};
use crate::pipeline::run::{Buffers, Compiled, Pipeline};
use crate::state::{Counts, TABLE};
use image::RgbaImage;

/// Samples a side of one pixel.
const SAMPLES: u32 = 2;
/// Side of the sun's picture of depths, at most.
const SHADOW_SIDE: u32 = 2048;
/// Side of a picture (pixels): its samples fit the 128 MiB that every device binds.
pub const SIDE: std::ops::RangeInclusive<u32> = 64..=2800;

/// Draws pictures on one device.
pub struct Painter<'a> {
    gpu: &'a Gpu,
    file: PipelineFile,
    sources: Sources,
    compiled: Compiled,
}

impl<'a> Painter<'a> {
    /// Ready to draw on `gpu`, with shaders from `sources`.
    pub fn new(gpu: &'a Gpu, sources: Sources) -> Result<Painter<'a>> {
        Ok(Painter { gpu, file: file::load("render")?, sources, compiled: Compiled::default() })
    }

    /// The bodies on a transparent ground, `side` pixels a side.
    pub fn draw(&mut self, scene: &Scene, camera: &Camera, side: u32) -> Result<RgbaImage> {
        if !SIDE.contains(&side) {
            return Err(Error::Usage(format!(
                "--size {side}: pictures have {} to {} pixels",
                SIDE.start(),
                SIDE.end()
            )));
        }
        let (samples, shadow) = (side * SAMPLES, (side * SAMPLES).min(SHADOW_SIDE));
        let sun = camera.sun();
        let (patches, shadow_patches) = (camera.patches(scene, samples), sun.patches(scene, shadow));
        let counts = Counts::of_picture(
            [scene.spheres.len() as u64, scene.planes.len() as u64],
            [patches.len() as u64, shadow_patches.len() as u64],
            [samples, shadow, side].map(u64::from),
        );
        let plan = self.plan(&counts)?;
        let buffers = self.buffers(&counts)?;
        let view = |camera: &Camera, size: u32, list: &[[u32; 4]]| camera.view(size, list.len(), scene.grain);
        let views: [(&str, View); 2] =
            [("picture_view", view(camera, samples, &patches)), ("shadow_view", view(&sun, shadow, &shadow_patches))];
        for (name, view) in views {
            buffers.write(self.gpu, name, &[view])?;
        }
        buffers.write(self.gpu, "picture_sphere", &scene.spheres)?;
        buffers.write(self.gpu, "picture_face", &scene.faces)?;
        buffers.write(self.gpu, "picture_plane", &camera.planes(scene))?;
        buffers.write(self.gpu, "shadow_plane", &sun.planes(scene))?;
        buffers.write(self.gpu, "picture_tint", &scene.tints)?;
        buffers.write(self.gpu, "picture_patch", &patches)?;
        buffers.write(self.gpu, "shadow_patch", &shadow_patches)?;
        let pipeline = Pipeline::build(self.gpu, &plan, &buffers, &mut self.compiled)?;
        self.gpu.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pipeline.record(&mut pass, "picture");
        });
        let bytes: Vec<u8> = buffers.read(self.gpu, "picture", (side * side * 4) as usize)?;
        RgbaImage::from_raw(side, side, bytes)
            .ok_or_else(|| Error::DeviceLost("the device returned an incomplete picture".into()))
    }

    fn plan(&self, counts: &Counts) -> Result<Plan> {
        let limit = self.gpu.limits.max_storage_buffers_per_shader_stage;
        let no_block =
            |name: &str, _: &_, _: &Counts| Err(Error::Usage(format!("pictures use no blocks, `{name}` neither")));
        plan("render", &self.file, &self.sources, counts, limit, &no_block)
    }

    /// The table's buffers for pictures.
    fn buffers(&self, counts: &Counts) -> Result<Buffers> {
        let mut buffers = Buffers::default();
        for spec in TABLE.iter().filter(|s| s.name.starts_with("picture") || s.name.starts_with("shadow")) {
            buffers.create(self.gpu, spec.name, spec.bytes(counts), spec.name.ends_with("_view"))?;
        }
        self.gpu.check()?;
        Ok(buffers)
    }
}
