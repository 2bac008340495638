//! Self-gravity as blocks of passes: what `block = "self_gravity"` of a pipeline means in a run.

pub mod method;
pub mod tree;

use super::BlockPass;
use crate::gpu::pipeline::file::Step;

/// A pass with one invocation an item.
fn over(pass: &'static str, items: u32, bind: Vec<(&'static str, String)>) -> BlockPass {
    BlockPass { pass, bind, constants: None, groups: items.div_ceil(64) }
}

/// The two variables that a step may bind elsewhere.
fn renamed(step: &Step) -> Vec<(&'static str, String)> {
    let names = ["gravity_params", "body_gravity"];
    names.into_iter().filter_map(|v| Some((v, step.bind.get(v)?.clone()))).collect()
}
