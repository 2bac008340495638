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
use crate::gpu::device::Gpu;
use crate::gpu::pipeline::run::Buffers;
use crate::gpu::uniform::Uniform;

/// Where parts write.
pub(crate) struct Fill<'a> {
    pub gpu: &'a Gpu,
    pub buffers: &'a Buffers,
}

impl Fill<'_> {
    /// Writes the first contents of a buffer.
    pub fn write<T: bytemuck::NoUninit>(&self, name: &str, contents: &[T]) -> Result<()> {
        self.buffers.write(self.gpu, name, contents)
    }

    /// Writes a uniform block.
    pub fn uniform<T: Uniform>(&self, name: &str, block: &T) -> Result<()> {
        self.buffers.write_uniform(self.gpu, name, block)
    }
}

/// A feature of a run.
pub(crate) trait Part {
    /// Writes the first contents of its buffers.
    fn fill(&self, to: &Fill) -> Result<()>;
}
