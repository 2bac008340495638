//! What is refused of one pass: buffers that do not fit, or that hold nothing yet.

use super::plan::{Bound, Dispatch};
use super::reflect::Access;
use crate::base::fault::Fault;
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
    pub(super) fn faults(&self, bind: &[Bound], dispatch: &Dispatch) -> Vec<Fault> {
        let mut faults: Vec<Fault> = bind.iter().flat_map(|b| self.buffer(b)).collect();
        let storage = bind.iter().filter(|b| b.binding.access != Access::Uniform).count();
        if storage > self.storage_max as usize {
            let what =
                format!("{storage} storage buffers are more than the {} that the device allows", self.storage_max);
            faults.push(Fault::new(what).remedy("join buffers, or split the pass in two"));
        }
        for (k, a) in bind.iter().enumerate() {
            if bind[..k].iter().any(|b| b.buffer == a.buffer && (a.writes() || b.writes())) {
                let what = format!("`{}` is bound twice and written", a.buffer);
                faults.push(Fault::new(what).remedy("bind another buffer to one of the two"));
            }
        }
        if let Dispatch::Indirect { buffer, offset } = dispatch {
            faults.extend(self.arguments(buffer, *offset, bind));
        }
        faults
    }

    /// Faults of one binding.
    fn buffer(&self, bound: &Bound) -> Vec<Fault> {
        let (b, buffer) = (&bound.binding, &bound.buffer);
        let mut faults = vec![];
        let (bytes, scratch) = match (self.scratch.get(buffer), buffer_table::spec(buffer)) {
            (Some(bytes), _) => (*bytes, true),
            (None, Some(spec)) => {
                if spec.stride != buffer_table::OPEN
                    && !b.by_doublets
                    && spec.element(self.counts) != u64::from(b.stride)
                {
                    let what = format!(
                        "`{buffer}` has elements of {} bytes, but `{}` of the shader has elements of {}",
                        spec.element(self.counts),
                        b.name,
                        b.stride
                    );
                    faults.push(Fault::new(what).remedy("change one of the two"));
                }
                (spec.room(self.counts), spec.life == Life::Scratch)
            }
            (None, None) => {
                let what = format!("unknown buffer `{buffer}`: src/gpu/buffer_table.rs lacks it");
                return vec![Fault::new(what).remedy(nearest(buffer, TABLE.iter().map(|s| s.name)))];
            }
        };
        if bytes < b.min_size {
            let what = format!("`{buffer}` has {bytes} bytes, but `{}` of the shader needs {}", b.name, b.min_size);
            faults.push(Fault::new(what).remedy("make it longer in src/gpu/buffer_table.rs"));
        }
        if scratch && b.access == Access::Read && !self.written.contains(buffer) {
            let what = format!("`{buffer}` is read before any pass writes it");
            faults.push(Fault::new(what).remedy("move this pass behind one that writes it"));
        }
        faults
    }

    /// Faults of indirect arguments at `offset` of `buffer`.
    fn arguments(&self, buffer: &str, offset: u64, bind: &[Bound]) -> Vec<Fault> {
        let mut faults = vec![];
        match buffer_table::spec(buffer) {
            None => {
                let what = format!("unknown buffer `{buffer}` in `args`");
                return vec![Fault::new(what).remedy(nearest(buffer, TABLE.iter().map(|s| s.name)))];
            }
            Some(spec) => {
                let bytes = spec.bytes(self.counts);
                if bytes < offset + ARGUMENTS {
                    let what = format!("`{buffer}` has {bytes} bytes, too few for arguments");
                    faults.push(Fault::new(what).remedy("make it longer in src/gpu/buffer_table.rs"));
                }
                if spec.life == Life::Scratch && !self.written.contains(buffer) {
                    let what = format!("`{buffer}` holds the arguments of this pass, but no pass before writes them");
                    faults.push(Fault::new(what).remedy("move this pass behind one that writes them"));
                }
            }
        }
        if bind.iter().any(|b| b.buffer == buffer && b.writes()) {
            let what = format!("`{buffer}` holds the arguments of this pass, which may not write them");
            faults.push(Fault::new(what).remedy("write them in a pass before"));
        }
        faults
    }
}
