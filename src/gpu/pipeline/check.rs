//! What is refused of one pass: buffers that do not fit, or that hold nothing yet.

use super::plan::{Bound, Dispatch};
use super::reflect::Access;
use crate::base::reader::nearest;
use crate::gpu::buffer_table;
use crate::gpu::buffer_table::{Counts, Life, TABLE};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of the arguments of an indirect dispatch.
const ARGUMENTS: u64 = 12;

/// What a pass finds.
pub(super) struct Before<'a> {
    /// lengths of buffers
    pub counts: &'a Counts,
    /// buffers that blocks made for themselves: name and bytes
    pub scratch: &'a BTreeMap<String, u64>,
    /// buffers that the passes before may have written
    pub written: &'a BTreeSet<String>,
    /// storage buffers that a shader may bind
    pub storage_max: u32,
}

impl Before<'_> {
    /// Every fault of a pass that binds `bind`.
    pub fn faults(&self, bind: &[Bound], dispatch: &Dispatch) -> Vec<String> {
        let mut faults: Vec<String> = bind.iter().flat_map(|b| self.buffer(b)).collect();
        let storage = bind.iter().filter(|b| b.binding.access != Access::Uniform).count();
        if storage > self.storage_max as usize {
            faults.push(format!(
                "{storage} storage buffers, the device allows {}; join buffers, or split the pass in two",
                self.storage_max
            ));
        }
        for (k, a) in bind.iter().enumerate() {
            if bind[..k].iter().any(|b| b.buffer == a.buffer && (a.writes() || b.writes())) {
                faults.push(format!("`{}` is bound twice and written; bind another buffer to one of them", a.buffer));
            }
        }
        if let Dispatch::Indirect { buffer, offset } = dispatch {
            faults.extend(self.arguments(buffer, *offset, bind));
        }
        faults
    }

    /// Faults of one binding.
    fn buffer(&self, bound: &Bound) -> Vec<String> {
        let (b, buffer) = (&bound.binding, &bound.buffer);
        let mut faults = vec![];
        let (bytes, scratch) = match (self.scratch.get(buffer), buffer_table::spec(buffer)) {
            (Some(bytes), _) => (*bytes, true),
            (None, Some(spec)) => {
                if spec.stride != buffer_table::OPEN && spec.stride != b.stride {
                    faults.push(format!(
                        "`{buffer}` has elements of {} bytes, `{}` of the shader has {}; change one of them",
                        spec.stride, b.name, b.stride
                    ));
                }
                (spec.bytes(self.counts), spec.life == Life::Scratch)
            }
            (None, None) => {
                let way_out = nearest(buffer, TABLE.iter().map(|s| s.name));
                return vec![format!(
                    "no buffer is called `{buffer}` in the table of src/gpu/buffer_table.rs; {way_out}"
                )];
            }
        };
        if bytes.max(16) < b.min_size {
            faults.push(format!(
                "`{buffer}` has {bytes} bytes, `{}` of the shader needs {}; make it longer in src/gpu/buffer_table.rs",
                b.name, b.min_size
            ));
        }
        if scratch && b.access == Access::Read && !self.written.contains(buffer) {
            faults.push(format!("`{buffer}` is read before any pass writes it; move this pass behind one that does"));
        }
        faults
    }

    /// Faults of indirect arguments at `offset` of `buffer`.
    fn arguments(&self, buffer: &str, offset: u64, bind: &[Bound]) -> Vec<String> {
        let mut faults = vec![];
        match buffer_table::spec(buffer) {
            None => {
                let way_out = nearest(buffer, TABLE.iter().map(|s| s.name));
                return vec![format!("`args = \"{buffer}\"` is no buffer; {way_out}")];
            }
            Some(spec) => {
                let bytes = spec.bytes(self.counts);
                if bytes < offset + ARGUMENTS {
                    faults.push(format!(
                        "`{buffer}` has {bytes} bytes, too few for arguments; make it longer in src/gpu/buffer_table.rs"
                    ));
                }
                if spec.life == Life::Scratch && !self.written.contains(buffer) {
                    faults.push(format!(
                        "`{buffer}` holds its arguments, and no pass before writes them; move it behind one that does"
                    ));
                }
            }
        }
        if bind.iter().any(|b| b.buffer == buffer && b.writes()) {
            faults.push(format!(
                "`{buffer}` holds the pass's own arguments and may not be written by it; write them in a pass before"
            ));
        }
        faults
    }
}
