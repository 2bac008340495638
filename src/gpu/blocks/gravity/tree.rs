//! Self-gravity from a binary radix tree (Karras 2012) with quadrupoles, walked by groups of 32 bodies.
//!
//! Keys, sort, links, moments by way of a pyramid of aligned blocks, walk, and the net force and torque taken out again.

use super::{over, renamed};
use crate::gpu::blocks::radix_sort::{Key, radix_sort};
use crate::gpu::blocks::{Block, BlockPass};
use crate::gpu::constants::{BLOCK, GROUP, SHARE, STEPS};
use crate::gpu::pipeline::file::Step;
use crate::model::gravity::{TREE_ACCURACY, TREE_OPENING_ANGLE};
use crate::model::scenario::SelfGravityMethod;

/// Blocks that the pyramid over `n` bodies holds, all levels; at least one.
pub fn block_count(n: u64) -> u64 {
    let levels = std::iter::successors(Some(n / u64::from(BLOCK)), |k| Some(k / u64::from(BLOCK)));
    levels.take_while(|k| *k > 0).sum::<u64>().max(1)
}

/// Rows of `tree_target`.
pub fn group_count(n: u64) -> u64 {
    n.div_ceil(GROUP.into())
}

/// Rows of `tree_partial`.
pub fn partial_count(n: u64) -> u64 {
    n.div_ceil(SHARE.into())
}

/// Rounds of the walk: a workgroup takes nodes from its stack at most [`STEPS`] times, so each round takes what begins in its
/// share of the sorted bodies. A walk of 10,000 bodies in a ball takes at most 33 steps of up to 64 nodes; what it visits
/// grows as the inverse cube of the opening angle, and is at most all nodes. With a margin of six, usual walks have one round.
pub fn rounds(n: u32, method: SelfGravityMethod) -> u32 {
    let finer = match method {
        SelfGravityMethod::TreeGeometric { opening_angle } => (TREE_OPENING_ANGLE / opening_angle).powi(3),
        SelfGravityMethod::TreeRelative { accuracy } => (TREE_ACCURACY / accuracy).powf(0.6),
        SelfGravityMethod::Direct | SelfGravityMethod::Auto => 0.0,
    };
    let steps = (200.0 * finer.max(1.0)).min(f64::from(n) / 40.0);
    (steps / f64::from(STEPS)).ceil().max(1.0) as u32
}

/// The passes from `tree_position` to `body_gravity` for n > 1 bodies.
pub fn self_gravity(step: &Step, n: u32, method: SelfGravityMethod) -> Block {
    let count = |mut pass: BlockPass| {
        pass.constants = Some(("lbvh_params", [n, 0, 0, 0]));
        pass
    };
    let mut block = Block { passes: vec![count(over("lbvh_keys", n, vec![]))], scratch: vec![] };
    let sort = radix_sort("tree_key", "tree_index", n, Key::Bits64, 64, "tree_sort");
    block.passes.extend(sort.passes);
    block.scratch.extend(sort.scratch);
    block.passes.push(count(over("sort_sources", n, vec![])));
    block.passes.push(count(over("lbvh_link", n, vec![])));
    block.passes.extend(pyramid(n));
    block.passes.push(count(over("gather_nodes", n - 1, vec![])));
    let params: Vec<_> = renamed(step).into_iter().filter(|b| b.0 == "gravity_params").collect();
    let groups = group_count(n.into()) as u32;
    block.passes.push(over("bound_groups", groups, params.clone()));
    let rounds = rounds(n, method);
    let share = n.div_ceil(rounds);
    for first in (0..n).step_by(share as usize) {
        let constants = Some(("walk_round", [first, n.min(first + share), 0, 0]));
        block.passes.push(BlockPass { constants, groups, ..over("walk_tree", 0, params.clone()) });
    }
    block.passes.push(count(BlockPass { groups: n.div_ceil(SHARE), ..over("sum_imbalance", 0, vec![]) }));
    block.passes.push(over("solve_imbalance", 1, vec![]));
    block.passes.push(over("balance_gravity", n, renamed(step)));
    block
}

/// One pass a level, until a level has no full block; the lowest even if it has none.
fn pyramid(n: u32) -> Vec<BlockPass> {
    let level = |pass, [blocks, below, here]: [u32; 3]| BlockPass {
        constants: Some(("block_params", [blocks, below, here, 0])),
        ..over(pass, blocks.max(1), vec![])
    };
    let mut blocks = n / BLOCK;
    let mut passes = vec![level("sum_blocks", [blocks, 0, 0])];
    let (mut below, mut here) = (0, blocks);
    while blocks >= BLOCK {
        blocks /= BLOCK;
        passes.push(level("merge_blocks", [blocks, below, here]));
        (below, here) = (here, here + blocks);
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_walks_have_one_round_and_the_finest_as_many_as_all_nodes_need() {
        for n in [2_000, 70_000, 1_000_000] {
            assert_eq!(rounds(n, SelfGravityMethod::TreeGeometric { opening_angle: TREE_OPENING_ANGLE }), 1);
            assert_eq!(rounds(n, SelfGravityMethod::TreeRelative { accuracy: TREE_ACCURACY }), 1);
            assert_eq!(
                rounds(n, SelfGravityMethod::TreeGeometric { opening_angle: 0.3 }),
                if n < 10_000 { 1 } else { 4 }
            );
        }
        assert_eq!(rounds(70_000, SelfGravityMethod::TreeGeometric { opening_angle: 0.1 }), 4);
        assert_eq!(rounds(1_000_000, SelfGravityMethod::TreeGeometric { opening_angle: 0.1 }), 50);
    }

    #[test]
    fn the_pyramid_holds_what_its_levels_need() {
        for n in [2, 7, 8, 63, 64, 65, 511, 512, 1_000_000] {
            let levels = pyramid(n);
            let blocks: u32 = levels.iter().map(|p| p.constants.unwrap().1[0]).sum();
            assert_eq!(u64::from(blocks.max(1)), block_count(n.into()), "n = {n}");
            for pair in levels.windows(2) {
                let [low, high] = [0, 1].map(|k| pair[k].constants.unwrap().1);
                assert_eq!((high[1], high[2]), (low[2], low[2] + low[0]), "n = {n}");
                assert_eq!(high[0], low[0] / 8);
            }
        }
    }
}
