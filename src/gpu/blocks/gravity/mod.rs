//! Self-gravity as blocks of passes: what `block = "self_gravity"` of a pipeline means in a run.

pub mod tree;

use super::{Block, BlockPass};
use crate::gpu::pipeline::file::Step;
use crate::model::scenario::SelfGravityMethod;

/// The passes that bring the field of `tree_position` (n bodies) into `body_gravity`, which the step may bind to another
/// buffer, as it may `gravity_params`.
pub fn self_gravity(step: &Step, n: u32, method: Option<SelfGravityMethod>) -> Block {
    use SelfGravityMethod as Method;
    match method {
        Some(how @ (Method::TreeGeometric { .. } | Method::TreeRelative { .. })) if n > 1 => {
            tree::self_gravity(step, n, how)
        }
        Some(_) => each("sum_direct", step, n),
        None => each("clear_gravity", step, n),
    }
}

fn each(pass: &'static str, step: &Step, n: u32) -> Block {
    Block { passes: vec![over(pass, n, renamed(step))], scratch: vec![] }
}

/// A pass with one invocation an item.
fn over(pass: &'static str, items: u32, bind: Vec<(&'static str, String)>) -> BlockPass {
    BlockPass { pass, bind, constants: None, groups: items.div_ceil(64) }
}

/// The two variables that a step may bind elsewhere.
fn renamed(step: &Step) -> Vec<(&'static str, String)> {
    let names = ["gravity_params", "body_gravity"];
    names.into_iter().filter_map(|v| Some((v, step.bind.get(v)?.clone()))).collect()
}
