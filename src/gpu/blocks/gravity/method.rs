//! Self-gravity by the method of a run.

use super::{over, renamed, tree};
use crate::gpu::blocks::Block;
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
