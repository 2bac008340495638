//! Reusable groups of passes: scan, radix sort, LBVH. A block is a list of passes that the caller runs, directly or
//! as part of a pipeline.

pub mod radix_sort;
pub mod scan;

use crate::error::{Error, Result};
use crate::pipeline::file::Step;
use crate::scenario::model::SelfGravityMethod;
use crate::state::Counts;

/// One pass of a block.
#[derive(Debug, Clone)]
pub struct BlockPass {
    /// file stem of the shader
    pub pass: &'static str,
    /// WGSL variable -> buffer name, for those that differ
    pub bind: Vec<(&'static str, String)>,
    /// a small constant uniform of this pass: variable and value
    pub constants: Option<(&'static str, [u32; 4])>,
    /// workgroups, before the split in two dimensions
    pub groups: u32,
}

/// A buffer that a block needs for itself.
#[derive(Debug, Clone)]
pub struct Scratch {
    /// name
    pub name: String,
    /// size (bytes)
    pub bytes: u64,
}

/// A group of passes in order, with the scratch it needs.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// in order
    pub passes: Vec<BlockPass>,
    /// created once, shared by all passes of the block
    pub scratch: Vec<Scratch>,
}

impl From<BlockPass> for Block {
    fn from(pass: BlockPass) -> Block {
        Block { passes: vec![pass], scratch: vec![] }
    }
}

/// The block that a pipeline file names; `method` decides what `self_gravity` means in this run.
pub fn expand(name: &str, step: &Step, counts: &Counts, method: Option<SelfGravityMethod>) -> Result<Block> {
    let count = |name: &str| counts.get(name).unwrap_or(0) as u32;
    let bound = |variable: &str| {
        let found = step.bind.get(variable).map(String::as_str);
        found.ok_or_else(|| Error::Usage(format!("block `{name}` needs `bind.{variable}`")))
    };
    let n = count("body");
    match name {
        "exclusive_scan" => Ok(scan::exclusive_scan(bound("input")?, bound("output")?, n, "scan")),
        "radix_sort" => {
            let bits = step.bits.as_deref().map_or(32, count);
            Ok(radix_sort::radix_sort(bound("keys")?, bound("payload")?, n, radix_sort::Key::Bits32, bits, "sort"))
        }
        "self_gravity" => Ok(crate::gravity::self_gravity(step, n, method)),
        _ => Err(Error::Usage(format!(
            "no block is called `{name}`; there are: exclusive_scan, radix_sort, self_gravity"
        ))),
    }
}
