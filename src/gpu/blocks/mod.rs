//! Reusable groups of passes: scan, radix sort, LBVH. A block is a list of passes that the caller runs, directly or
//! as part of a pipeline.

pub mod gravity;
pub mod named;
pub mod radix_sort;
pub mod scan;

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
