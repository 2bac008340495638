//! What this machine's driver makes of the passes: registers, instructions, local memory. Nothing is run.

pub mod budget;
mod vulkan;

use crate::base::error::Result;
use crate::base::version::version;
use crate::gpu::pipeline::file::{CLOSEST_FEATURE, ONE_MATERIAL, rigid_modules, soft_modules};
use crate::gpu::pipeline::link::Sources;
use crate::gpu::pipeline::reflect::{Shader, load};
use crate::physics::laws::BuiltIn;
use crate::physics::laws::registry::{self, LAWS};
use serde::Serialize;
use std::collections::BTreeMap;

/// A table of passes.
#[derive(Debug, Serialize)]
pub struct Table {
    /// as the driver calls the device
    pub device: String,
    /// version of the program
    pub breccia: &'static str,
    /// one row a pass, or a pass and contact law
    pub passes: Vec<Row>,
    /// what is over its budget
    pub over: Vec<String>,
}

/// A pass as it was compiled. What a driver does not tell is `None`.
#[derive(Debug, Serialize)]
pub struct Row {
    /// name of the pass
    pub pass: String,
    /// which of the forms that a pass has: contact law, one material, contacts by the closest feature
    pub form: Option<String>,
    /// registers of an invocation
    pub registers: Option<u64>,
    /// registers that did not fit
    pub spilled: Option<u64>,
    /// local memory of an invocation, or of a wave where the driver counts so (bytes)
    pub local_bytes: Option<u64>,
    /// machine instructions
    pub instructions: Option<u64>,
    /// size of the machine code (bytes)
    pub code_bytes: Option<u64>,
    /// waves that one SIMD or multiprocessor holds
    pub waves: Option<u64>,
    /// the most that it could hold
    pub waves_max: Option<u64>,
    /// time that the driver took (s)
    pub seconds: f64,
}

/// Names under which drivers give a number: RADV, NVK, ANV, NVIDIA.
const REGISTERS: [&str; 5] = ["VGPRs", "Number of GPRs", "GRF registers", "Max live registers", "Register Count"];
const SPILLED: [&str; 3] = ["Spilled VGPRs", "Spill Count", "Spilled registers"];
const LOCAL: [&str; 4] = ["Scratch size", "SLM Size", "Scratch Memory Size", "Local Memory Size"];
const INSTRUCTIONS: [&str; 3] = ["Instructions", "Instruction count", "Instruction Count"];
const CODE: [&str; 3] = ["Code size", "Code Size", "Binary Size"];
const WAVES: &str = "Subgroups per SIMD";

/// Warps of an NVIDIA multiprocessor of the Ampere and Ada generations, where the driver does not tell, and its registers.
const WARPS: u64 = 48;
const WARP_REGISTERS: u64 = 65_536 / 32;
/// Local memory of an invocation at most (bytes). NVIDIA's driver 580 says 2^36 of every pass: it does not tell.
const LOCAL_MAX: u64 = 512 << 10;

fn find(statistics: &[(String, f64)], names: &[&str]) -> Option<u64> {
    statistics.iter().find(|s| names.contains(&s.0.as_str())).map(|s| s.1 as u64)
}

impl Row {
    fn new(shader: &Shader, form: Option<String>, driver: &vulkan::Driver) -> Result<Row> {
        let said = driver.compile(shader)?;
        let of = |names: &[&str]| find(&said.statistics, names);
        let registers = of(&REGISTERS);
        // Warps follow from registers, which NVIDIA allots by eights.
        let warps = of(&["Number of GPRs", "Register Count"])
            .map(|r| (WARP_REGISTERS / (r.max(1).div_ceil(8) * 8) / 2 * 2).min(driver.waves_max.unwrap_or(WARPS)));
        let waves_max = driver.waves_max.or(warps.map(|_| WARPS));
        Ok(Row {
            pass: shader.stem.clone(),
            form,
            registers,
            spilled: of(&SPILLED),
            local_bytes: of(&LOCAL).filter(|bytes| *bytes <= LOCAL_MAX),
            instructions: of(&INSTRUCTIONS),
            code_bytes: of(&CODE),
            waves: of(&[WAVES]).or(warps).map(|n| n.min(waves_max.unwrap_or(n))),
            waves_max,
            seconds: said.seconds,
        })
    }
}

/// What runs may choose for the modules of passes, and what the choice is called: every law, every law by the closest feature,
/// one material, contact dynamics.
pub fn forms() -> Vec<(BTreeMap<String, String>, Option<String>)> {
    let with = |law: &dyn BuiltIn, role: &str, module: &str, name: &str| {
        let mut modules = soft_modules(&law.module());
        modules.insert(role.to_owned(), module.to_owned());
        (modules, Some(format!("{}, {name}", law.name())))
    };
    let first = LAWS[0].law;
    let plain = registry::all().map(|law| (soft_modules(&law.module()), Some(law.name().to_owned())));
    let closest = registry::all().map(|law| with(law, "footprint", CLOSEST_FEATURE, "closest feature"));
    let mut rigid = soft_modules(&first.module());
    rigid.extend(rigid_modules());
    plain.chain(closest).chain([with(first, "materials", ONE_MATERIAL, "one material"), (rigid, None)]).collect()
}

/// Every pass once, and again in each form in which its text is another.
fn shaders() -> Result<Vec<(Shader, Option<String>)>> {
    let sources = Sources::default();
    let mut list: Vec<(Shader, Option<String>)> = vec![];
    for (modules, form) in forms() {
        for pass in sources.passes() {
            let shader = load(&pass, &sources, &modules)?;
            if !list.iter().any(|(known, _)| known.stem == pass && known.linked.text == shader.linked.text) {
                list.push((shader, form.clone()));
            }
        }
    }
    list.sort_by(|a, b| a.0.stem.cmp(&b.0.stem));
    let several = |stem: &str| list.iter().filter(|s| s.0.stem == stem).count() > 1;
    let named: Vec<bool> = list.iter().map(|s| several(&s.0.stem)).collect();
    Ok(list.into_iter().zip(named).map(|((shader, form), named)| (shader, form.filter(|_| named))).collect())
}

/// Compiles every pass with the driver of the device whose name holds `wish`; `said` hears of each row.
pub fn table(wish: Option<&str>, said: &mut dyn FnMut(&str, &Row)) -> Result<Table> {
    let driver = vulkan::Driver::open(wish)?;
    let mut passes = vec![];
    for (shader, form) in shaders()? {
        let row = Row::new(&shader, form, &driver)?;
        said(&driver.name, &row);
        passes.push(row);
    }
    if passes.iter().all(|r| r.waves_max.is_none()) {
        // the lightest pass has all the waves there are
        let most = passes.iter().filter_map(|r| r.waves).max();
        passes.iter_mut().for_each(|r| r.waves_max = r.waves.and(most));
    }
    let over = budget::over(&passes);
    Ok(Table { device: driver.name.clone(), breccia: version(), passes, over })
}
