//! Blocks that a pipeline file may name.

use super::gravity::method::self_gravity;
use super::{Block, radix_sort, scan};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::base::reader::nearest;
use crate::gpu::buffer_table::Counts;
use crate::gpu::pipeline::file::Step;
use crate::model::scenario::SelfGravityMethod;

/// Blocks that a pipeline may name, and the variables that it may bind.
const BLOCKS: [(&str, &[&str]); 4] = [
    ("exclusive_scan", &["input", "output"]),
    ("radix_sort", &["keys", "payload"]),
    ("radix_sort_64", &["keys", "payload"]),
    ("self_gravity", &["gravity_params", "body_gravity"]),
];

/// The block that a pipeline file names; `method` decides what `self_gravity` means in this run.
pub fn expand(name: &str, step: &Step, counts: &Counts, method: Option<SelfGravityMethod>) -> Result<Block> {
    let Some((_, variables)) = BLOCKS.iter().find(|b| b.0 == name) else {
        let remedy = nearest(name, BLOCKS.iter().map(|b| b.0));
        return Err(Fault::new(format!("unknown block `{name}`")).remedy(remedy).into());
    };
    if let Some(unused) = step.bind.keys().find(|k| !variables.contains(&k.as_str())) {
        let what = format!("`bind` names `{unused}`, which the block does not have");
        return Err(Fault::new(what).remedy(nearest(unused, variables.iter().copied())).into());
    }
    let bound = |variable: &str| {
        let found = step.bind.get(variable).map(String::as_str);
        found.ok_or_else(|| {
            let remedy = format!("add `bind = {{ {variable} = \"BUFFER\" }}`");
            Error::from(Fault::new(format!("the block needs `{variable}`")).remedy(remedy))
        })
    };
    let n = counts.known(step.over.as_deref().unwrap_or("body"))? as u32;
    match name {
        // an empty scan or sort needs no passes
        "exclusive_scan" if n == 0 => Ok(Block::default()),
        "exclusive_scan" => Ok(scan::exclusive_scan(bound("input")?, bound("output")?, n, "scan")),
        "radix_sort_64" if n == 0 => Ok(Block::default()),
        "radix_sort" | "radix_sort_64" => {
            let (key, most, prefix) = match name {
                "radix_sort" => (radix_sort::Key::Bits32, 32, "sort"),
                _ => (radix_sort::Key::Bits64, 64, "long_sort"),
            };
            let bits = step.bits.as_deref().map_or(Ok(most), |name| counts.known(name))? as u32;
            Ok(radix_sort::radix_sort(bound("keys")?, bound("payload")?, n, key, bits, prefix))
        }
        _ => Ok(self_gravity(step, n, method)),
    }
}
