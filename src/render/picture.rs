//! Draws a scene on the GPU, compute passes only, by `pipelines/render.toml`.

use super::camera::Camera;
use super::facets::FACETS_MAX;
use super::scene::Scene;
use crate::base::error::{Error, Result};
use crate::gpu::buffer_table::{Counts, TABLE};
use crate::gpu::device::Gpu;
use crate::gpu::layout::View;
use crate::gpu::pipeline::file;
use crate::gpu::pipeline::file::PipelineFile;
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::plan::{Plan, plan};
use crate::gpu::pipeline::run::{Buffers, Compiled, Pipeline};
use glam::DVec3;
use image::RgbaImage;

/// Samples a side of one pixel.
const SAMPLES: u32 = 2;
/// Side of the sun's picture of depths, at most.
const SHADOW_SIDE: u32 = 2048;
/// Side of a picture (pixels): its samples fit the 128 MiB that every device binds.
pub const SIDE: std::ops::RangeInclusive<u32> = 64..=2800;

/// Refuses what the buffers of a picture cannot hold.
fn refuse_sizes(scene: &Scene, side: u32) -> Result<()> {
    if !SIDE.contains(&side) {
        return Err(Error::Usage(format!("--size {side}: pictures have {} to {} pixels", SIDE.start(), SIDE.end())));
    }
    match scene.facets.facets.len() {
        n if n > FACETS_MAX => Err(Error::Usage(format!(
            "the surface has {n} facets, and pictures take up to {FACETS_MAX}; leave it out (--no-asteroid), or draw a coarser one"
        ))),
        _ => Ok(()),
    }
}

/// How far what a picture shows is from the eye.
pub struct Depths {
    /// of every sample (scene radius); infinite where nothing is
    distance: Vec<f32>,
    /// a side
    samples: u32,
}

impl Depths {
    /// Whether a point (scene radii) is seen, if it is not more than `slack` (scene radius) below what hides it.
    pub fn sees(&self, camera: &Camera, p: DVec3, slack: f64) -> bool {
        let Some(at) = camera.project(p, self.samples) else { return false };
        let last = f64::from(self.samples - 1);
        if at.pixel.min_element() < 0.0 || at.pixel.max_element() > last {
            return false;
        }
        let first = f64::from(self.distance[at.pixel.y as usize * self.samples as usize + at.pixel.x as usize]);
        camera.distance(p) <= first + slack
    }
}

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

    /// The bodies and facets on a transparent ground, `side` pixels a side.
    pub fn draw(&mut self, scene: &Scene, camera: &Camera, side: u32) -> Result<RgbaImage> {
        let buffers = self.record(scene, camera, side)?;
        self.picture(&buffers, side)
    }

    /// Draws, and returns the distance of what each sample shows, so that lines can be hidden by what is before them.
    pub fn draw_with_depth(&mut self, scene: &Scene, camera: &Camera, side: u32) -> Result<(RgbaImage, Depths)> {
        let buffers = self.record(scene, camera, side)?;
        let samples = side * SAMPLES;
        let distance = buffers.read(self.gpu, "picture_depth", (samples * samples) as usize)?;
        Ok((self.picture(&buffers, side)?, Depths { distance, samples }))
    }

    fn picture(&self, buffers: &Buffers, side: u32) -> Result<RgbaImage> {
        let bytes: Vec<u8> = buffers.read(self.gpu, "picture", (side * side * 4) as usize)?;
        RgbaImage::from_raw(side, side, bytes)
            .ok_or_else(|| Error::DeviceLost("the device returned an incomplete picture".into()))
    }

    /// Draws into buffers.
    fn record(&mut self, scene: &Scene, camera: &Camera, side: u32) -> Result<Buffers> {
        refuse_sizes(scene, side)?;
        let (samples, shadow) = (side * SAMPLES, (side * SAMPLES).min(SHADOW_SIDE));
        let sun = camera.sun();
        let (patches, shadow_patches) = (camera.patches(scene, samples), sun.patches(scene, shadow));
        let facets = &scene.facets;
        let (facet_patches, shadow_facets) = (facets.patches(camera, samples), facets.patches(&sun, shadow));
        let lengths = |a: usize, b: usize| [a as u64, b as u64];
        let [bodies, planes] = lengths(scene.spheres.len(), scene.planes.len());
        let [vertices, triangles] = lengths(facets.vertices.len(), facets.facets.len());
        let counts = Counts::of_picture(
            [bodies, planes, vertices, triangles],
            lengths(patches.len(), facet_patches.len()),
            lengths(shadow_patches.len(), shadow_facets.len()),
            [samples, shadow, side].map(u64::from),
        );
        let plan = self.plan(&counts)?;
        let buffers = self.buffers(&counts)?;
        let views: [(&str, View); 2] = [
            ("picture_view", camera.view(scene, samples, [patches.len(), facet_patches.len()])),
            ("shadow_view", sun.view(scene, shadow, [shadow_patches.len(), shadow_facets.len()])),
        ];
        for (name, view) in views {
            buffers.write_uniform(self.gpu, name, &view)?;
        }
        buffers.write(self.gpu, "picture_sphere", &scene.spheres)?;
        buffers.write(self.gpu, "picture_face", &scene.faces)?;
        buffers.write(self.gpu, "picture_plane", &camera.planes(scene))?;
        buffers.write(self.gpu, "shadow_plane", &sun.planes(scene))?;
        buffers.write(self.gpu, "picture_tint", &scene.tints)?;
        buffers.write(self.gpu, "picture_vertex", &facets.vertices)?;
        buffers.write(self.gpu, "picture_facet", &facets.facets)?;
        for (name, list) in [
            ("picture_patch", &patches),
            ("shadow_patch", &shadow_patches),
            ("picture_facet_patch", &facet_patches),
            ("shadow_facet_patch", &shadow_facets),
        ] {
            buffers.write(self.gpu, name, list)?;
        }
        let pipeline = Pipeline::build(self.gpu, &plan, &buffers, &mut self.compiled)?;
        self.gpu.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pipeline.record(&mut pass, "picture");
        });
        Ok(buffers)
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
            buffers.create(self.gpu, spec.name, spec.room(counts), spec.name.ends_with("_view"))?;
        }
        self.gpu.check()?;
        Ok(buffers)
    }
}
