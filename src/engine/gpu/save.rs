//! What goes into a checkpoint: the buffers that live from step to step, and energies drained from contacts.

use super::capacity::{Capacity, Drained};
use super::core::Core;
use super::sound::Saved;
use crate::base::error::Result;
use crate::engine::saved::{array, value};
use crate::gpu::buffer_table::{Life, TABLE};

impl Core {
    /// The complete state by name.
    pub(super) fn save_state(&mut self) -> Result<Vec<(String, Vec<u8>)>> {
        let mut out = vec![
            ("capacity".to_owned(), bytemuck::bytes_of(&self.capacity()).to_vec()),
            ("drained".to_owned(), bytemuck::bytes_of(&self.drained).to_vec()),
        ];
        for spec in TABLE.iter().filter(|s| s.life == Life::State) {
            let bytes = spec.bytes(&self.prepared.counts);
            out.push((spec.name.to_owned(), self.gpu.read(self.buffers.get(spec.name)?, bytes)?));
        }
        Ok(out)
    }

    /// Takes a state that `save_state` gave.
    pub(super) fn restore_state(&mut self, state: &[(String, Vec<u8>)]) -> Result<()> {
        let capacity: Capacity = value(state, "capacity")?;
        let drained: Drained = value(state, "drained")?;
        Saved::new(state, &self.prepared, capacity).check()?;
        self.drained = drained;
        if capacity != self.capacity() {
            self.set_capacity(capacity)?;
        }
        for spec in TABLE.iter().filter(|s| s.life == Life::State) {
            self.buffers.write(&self.gpu, spec.name, array(state, spec.name)?)?;
        }
        self.look().map(|_| ())
    }
}
