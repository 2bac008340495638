//! Features of a run on a GPU. Each file counts what the buffers of its feature hold, writes their first contents and reads
//! them back; a run without the feature has its smallest buffers.

pub mod asteroid_field;
pub mod face_rows;
pub mod gravity;
pub mod law;
pub(crate) mod orientation;
pub(crate) mod polyhedra;
pub(crate) mod rigid;
pub mod surface;
pub(crate) mod turning_frame;
pub(crate) mod walls;

use crate::base::error::Result;
use crate::base::units::Units;
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::run::Buffers;
use crate::gpu::uniform::Uniform;
use crate::model::body::Bodies;

/// Where parts write.
pub(crate) struct Fill<'a> {
    pub gpu: &'a Gpu,
    pub buffers: &'a Buffers,
}

impl Fill<'_> {
    /// Writes the first contents of a buffer.
    pub(crate) fn write<T: bytemuck::NoUninit>(&self, name: &str, contents: &[T]) -> Result<()> {
        self.buffers.write(self.gpu, name, contents)
    }

    /// Writes a uniform block.
    pub(crate) fn uniform<T: Uniform>(&self, name: &str, block: &T) -> Result<()> {
        self.buffers.write_uniform(self.gpu, name, block)
    }
}

/// A run between two steps, as features read it back.
pub(crate) struct Pause<'a> {
    pub gpu: &'a Gpu,
    pub buffers: &'a Buffers,
    pub bodies: &'a Bodies,
    /// index in memory -> index in `bodies`
    pub order: &'a [u32],
    pub units: Units,
    pub step: u64,
    /// positions are stored so many steps later: 0 for soft spheres
    pub earlier: f64,
}

/// A feature of a run.
pub(crate) trait Part {
    /// Writes the first contents of its buffers.
    fn fill(&self, to: &Fill) -> Result<()>;
}
