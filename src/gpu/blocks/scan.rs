//! Exclusive scan of u32, reduce-then-scan over runs of 1,024 values: no workgroup waits for another.

use super::{Block, BlockPass, Scratch};

/// Values that one workgroup scans.
const RUN: u32 = 1024;

/// `output(i) = input(0) + ... + input[i-1]` for `n` values, and the total in `output[n]`; both buffers of u32,
/// `output` one longer. `prefix` names the scratch.
pub fn exclusive_scan(input: &str, output: &str, n: u32, prefix: &str) -> Block {
    let mut block = Block::default();
    level(&mut block, input, output, n, prefix, 0);
    block
}

fn level(block: &mut Block, input: &str, output: &str, n: u32, prefix: &str, depth: u32) {
    let runs = n.div_ceil(RUN).max(1);
    // A single run has no sums before it, and the buffer bound in their place is not read.
    let mut before = input.to_owned();
    if runs > 1 {
        let sums = format!("{prefix}_sums_{depth}");
        before = format!("{prefix}_scanned_{depth}");
        let size = u64::from(runs) * 4 + 4;
        block.scratch.push(Scratch { name: sums.clone(), bytes: size });
        block.scratch.push(Scratch { name: before.clone(), bytes: size });
        block.passes.push(BlockPass {
            pass: "scan_sums",
            bind: vec![("input", input.to_owned()), ("sums", sums.clone())],
            constants: Some(("pass_constants", [n, 0, 0, 0])),
            groups: runs,
        });
        level(block, &sums, &before, runs, prefix, depth + 1);
    }
    block.passes.push(BlockPass {
        pass: "scan_runs",
        bind: vec![("input", input.to_owned()), ("sums", before), ("output", output.to_owned())],
        constants: Some(("pass_constants", [n, u32::from(runs > 1), 0, 0])),
        groups: runs,
    });
}
