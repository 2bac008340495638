//! Sums of contacts that are taken out of their slots into f64.

use super::core::Core;
use crate::base::error::Result;
use crate::gpu::elements::facet::SurfaceTouch;
use crate::gpu::elements::manifold::WallImpulses;
use crate::gpu::elements::pair::{Dissipation, WallMemory};
use crate::physics::surface::footprint::SLOTS;

/// Steps after which slots are drained even if no row asks for it: of equal additions to an f32 the last of n is off by up to
/// n 2^-24 of itself, here 5e-4.
pub(super) const DRAIN_STEPS: u32 = 8192;

/// What is kept of a body and a wall, with the work that the wall has done.
pub(super) trait Works: bytemuck::Pod {
    /// (M L2/T2)
    fn work(&mut self) -> &mut f32;
}

impl Works for WallMemory {
    fn work(&mut self) -> &mut f32 {
        &mut self.work
    }
}

impl Works for WallImpulses {
    fn work(&mut self) -> &mut f32 {
        &mut self.work
    }
}

impl Core {
    /// Moves what the slots of contacts hold into `drained`, in f64; `walls` is what `wall_history` holds, whose work goes too.
    /// Which pair used a slot does not matter for the sum.
    pub(super) fn drain<T: Works>(&mut self, walls: &mut [T]) -> Result<()> {
        let pairs = self.prepared.params.pair_capacity as usize;
        for (name, count) in [("pair_dissipated", pairs), ("wall_dissipated", self.wall_contacts())] {
            for slot in self.buffers.read::<Dissipation>(&self.gpu, name, count)? {
                self.drained.add(slot.energy);
            }
            let buffer = self.buffers.get(name)?;
            self.gpu.submit(|encoder| encoder.clear_buffer(buffer, 0, None));
        }
        for wall in walls.iter_mut() {
            self.drained.wall_work += f64::from(std::mem::take(wall.work()));
        }
        self.buffers.write(&self.gpu, "wall_history", walls)
    }

    /// Bodies, or their parts, times walls.
    pub(super) fn wall_contacts(&self) -> usize {
        self.prepared.counts.of("part_wall") as usize
    }

    /// `target`, or the step before it at which slots are drained.
    pub(super) fn until_drain(&self, target: u32) -> u32 {
        let next = (self.control.step / DRAIN_STEPS + 1).saturating_mul(DRAIN_STEPS);
        target.min(next)
    }

    /// Drains all slots at every [`DRAIN_STEPS`]th step, however submissions are cut.
    pub(super) fn drain_if_due(&mut self) -> Result<()> {
        if !self.control.step.is_multiple_of(DRAIN_STEPS) {
            return Ok(());
        }
        if self.prepared.rigid.params.contact_capacity == 0 {
            let mut walls: Vec<WallMemory> = self.buffers.read(&self.gpu, "wall_history", self.wall_contacts())?;
            self.drain(&mut walls)?;
            let mut touches = self.touches()?;
            return self.drain_surface(&mut touches);
        }
        let mut walls: Vec<WallImpulses> = self.buffers.read(&self.gpu, "wall_history", self.wall_contacts())?;
        self.drain(&mut walls)?;
        let counts = [&mut self.control.solved_steps, &mut self.control.solved_iterations];
        self.drained.solved.iter_mut().zip(counts).for_each(|(sum, count)| *sum += u64::from(std::mem::take(count)));
        self.buffers.write(&self.gpu, "control", &[self.control])
    }

    /// Contacts with an asteroid's surface as the last step left them.
    pub(super) fn touches(&self) -> Result<Vec<SurfaceTouch>> {
        let bodies = self.prepared.counts.of_feature("surface", "body") as usize;
        self.buffers.read(&self.gpu, "surface_touch", SLOTS * bodies)
    }

    /// The same of contacts with an asteroid's surface.
    pub(super) fn drain_surface(&mut self, touches: &mut [SurfaceTouch]) -> Result<()> {
        for touch in touches.iter_mut() {
            self.drained.add(std::mem::take(&mut touch.energy));
        }
        self.buffers.write(&self.gpu, "surface_touch", touches)
    }
}
