//! Checks a pipeline against the buffer table before any GPU work, and lays out its dispatches.

use super::file::{PipelineFile, Step};
use super::link::Sources;
use super::reflect::{Access, Shader, load};
use crate::blocks::{Block, BlockPass};
use crate::error::{Error, Result};
use crate::state::{self, Counts, Life};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Largest workgroup count in one dimension that every WebGPU device takes.
pub const GROUPS_MAX: u32 = 65_535;

/// Work that the GPU itself finds due; the bit that `decide_work` sets.
pub const GATES: [(&str, u32); 2] = [("rebuild", 1), ("gravity", 2)];

/// How a pass is dispatched.
#[derive(Debug, Clone, PartialEq)]
pub enum Dispatch {
    /// always this many workgroups
    Groups([u32; 3]),
    /// arguments in a buffer, at this byte offset
    Indirect {
        /// buffer
        buffer: String,
        /// bytes
        offset: u64,
    },
}

/// A gated dispatch: `decide_work` writes its arguments, `groups` if the gate is open, else nothing.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// bit of [`GATES`]
    pub gate: u32,
    /// workgroups
    pub groups: [u32; 3],
}

/// One pass with everything bound by name.
pub struct PlannedPass {
    /// stage it stands in
    pub stage: String,
    /// the shader
    pub shader: Rc<Shader>,
    /// index, buffer name, access
    pub bind: Vec<(u32, String, Access)>,
    /// constant uniform: index in group 0 and value
    pub constants: Option<(u32, [u32; 4])>,
    /// how it is dispatched
    pub dispatch: Dispatch,
    /// what it covers, for people
    pub over: String,
}

/// A checked pipeline.
pub struct Plan {
    /// name of the file
    pub name: String,
    /// passes in order
    pub passes: Vec<PlannedPass>,
    /// arguments that `decide_work` fills, in order
    pub slots: Vec<Slot>,
    /// buffers that blocks need for themselves: name and bytes
    pub scratch: BTreeMap<String, u64>,
}

/// Expands a block that a pipeline names; Rust keeps sizes and inner loops.
pub type Expand<'a> = dyn Fn(&str, &Step, &Counts) -> Result<Block> + 'a;

/// Splits a workgroup count over two dimensions; shaders undo it with `linear_id`.
pub fn split_groups(groups: u64) -> Result<[u32; 3]> {
    let x = groups.min(GROUPS_MAX.into()).max(1);
    let y = groups.div_ceil(x).max(1);
    if y > GROUPS_MAX.into() {
        return Err(Error::Capacity(format!(
            "{groups} workgroups are more than a dispatch can hold; use fewer bodies"
        )));
    }
    Ok([x as u32, y as u32, 1])
}

/// Checks `file`; every fault found is named in one error.
pub fn plan(
    name: &str,
    file: &PipelineFile,
    sources: &Sources,
    counts: &Counts,
    storage_max: u32,
    expand: &Expand,
) -> Result<Plan> {
    let mut planner = Planner {
        name,
        sources,
        modules: &file.modules,
        counts,
        storage_max,
        shaders: BTreeMap::new(),
        written: BTreeSet::new(),
        faults: vec![],
        plan: Plan { name: name.to_owned(), passes: vec![], slots: vec![], scratch: BTreeMap::new() },
    };
    for stage in &file.stage {
        for step in &stage.steps {
            if let Err(e) = planner.step(&stage.name, step, expand) {
                planner.faults.push(e.to_string());
            }
        }
    }
    if planner.faults.is_empty() { Ok(planner.plan) } else { Err(Error::Usage(planner.faults.join("\n"))) }
}

struct Planner<'a> {
    name: &'a str,
    sources: &'a Sources,
    modules: &'a BTreeMap<String, String>,
    counts: &'a Counts,
    storage_max: u32,
    shaders: BTreeMap<String, Rc<Shader>>,
    written: BTreeSet<String>,
    faults: Vec<String>,
    plan: Plan,
}

impl Planner<'_> {
    fn step(&mut self, stage: &str, step: &Step, expand: &Expand) -> Result<()> {
        match (&step.pass, &step.block) {
            (Some(pass), None) => self.single(stage, step, pass),
            (None, Some(block)) => {
                let block = expand(block, step, self.counts)?;
                for scratch in block.scratch {
                    let bytes = self.plan.scratch.entry(scratch.name).or_default();
                    *bytes = (*bytes).max(scratch.bytes);
                }
                for pass in block.passes {
                    self.block_pass(stage, step, &pass)?;
                }
                Ok(())
            }
            _ => Err(self.fault(stage, "?", "a step names either a pass or a block")),
        }
    }

    fn single(&mut self, stage: &str, step: &Step, pass: &str) -> Result<()> {
        let shader = self.shader(pass)?;
        let (dispatch, over) = match (&step.over, &step.args) {
            (Some(over), None) => {
                let items = self.counts.get(over).ok_or_else(|| {
                    let known: Vec<_> = self.counts.names().collect();
                    self.fault(
                        stage,
                        pass,
                        &format!("`over = \"{over}\"` is no count; there are: {}", known.join(", ")),
                    )
                })?;
                if items == 0 {
                    return Ok(()); // nothing of the kind in this scenario: no walls, say
                }
                let groups = split_groups(items.div_ceil(shader.workgroup[0].into()))?;
                (self.gated(stage, pass, step, groups)?, over.clone())
            }
            (None, Some(args)) => (Dispatch::Indirect { buffer: args.clone(), offset: 0 }, args.clone()),
            _ => return Err(self.fault(stage, pass, "a pass has either `over` or `args`")),
        };
        let bind = |name: &str| step.bind.get(name).cloned().unwrap_or_else(|| name.to_owned());
        if let Some(unused) = step.bind.keys().find(|k| shader.bindings.iter().all(|b| b.name != **k)) {
            return Err(self.fault(stage, pass, &format!("`bind` names `{unused}`, which the shader does not have")));
        }
        let constants = step.constants.map(|value| ("pass_constants", value));
        self.push(stage, shader, &bind, constants, dispatch, over)
    }

    fn block_pass(&mut self, stage: &str, step: &Step, pass: &BlockPass) -> Result<()> {
        let shader = self.shader(pass.pass)?;
        let dispatch = self.gated(stage, pass.pass, step, split_groups(pass.groups.into())?)?;
        let bind = |name: &str| {
            let found = pass.bind.iter().find(|(v, _)| *v == name);
            found.map_or_else(|| name.to_owned(), |(_, b)| b.clone())
        };
        self.push(stage, shader, &bind, pass.constants, dispatch, step.block.clone().unwrap_or_default())
    }

    fn gated(&mut self, stage: &str, pass: &str, step: &Step, groups: [u32; 3]) -> Result<Dispatch> {
        let Some(when) = &step.when else {
            return Ok(Dispatch::Groups(groups));
        };
        let (_, gate) = GATES.iter().find(|(n, _)| n == when).ok_or_else(|| {
            self.fault(stage, pass, &format!("`when = \"{when}\"` is no gate; there are: rebuild, gravity"))
        })?;
        if self.plan.slots.len() as u64 >= self.counts.of("slot") {
            return Err(self.fault(
                stage,
                pass,
                "more gated passes than `work_slot` holds; raise `slot` in src/state.rs",
            ));
        }
        self.plan.slots.push(Slot { gate: *gate, groups });
        Ok(Dispatch::Indirect { buffer: "work_args".into(), offset: (self.plan.slots.len() as u64 - 1) * 12 })
    }

    fn shader(&mut self, stem: &str) -> Result<Rc<Shader>> {
        if let Some(shader) = self.shaders.get(stem) {
            return Ok(shader.clone());
        }
        let shader = Rc::new(load(stem, self.sources, self.modules)?);
        self.shaders.insert(stem.to_owned(), shader.clone());
        Ok(shader)
    }

    fn push(
        &mut self,
        stage: &str,
        shader: Rc<Shader>,
        name_of: &dyn Fn(&str) -> String,
        constants: Option<(&str, [u32; 4])>,
        dispatch: Dispatch,
        over: String,
    ) -> Result<()> {
        let stem = shader.stem.clone();
        let mut bind: Vec<(u32, String, Access)> = vec![];
        let mut constant_at = None;
        for b in &shader.bindings {
            if let Some((variable, value)) = constants.filter(|(v, _)| *v == b.name) {
                debug_assert_eq!(variable, b.name);
                constant_at = Some((b.index, value));
                continue;
            }
            let buffer = name_of(&b.name);
            self.check_buffer(stage, &stem, &buffer, b.stride, b.access);
            bind.push((b.index, buffer, b.access));
        }
        self.check_pass(stage, &stem, &bind, &dispatch);
        self.written.extend(bind.iter().filter(|b| b.2 == Access::ReadWrite).map(|b| b.1.clone()));
        self.plan.passes.push(PlannedPass {
            stage: stage.to_owned(),
            shader,
            bind,
            constants: constant_at,
            dispatch,
            over,
        });
        Ok(())
    }

    fn check_buffer(&mut self, stage: &str, pass: &str, buffer: &str, stride: u32, access: Access) {
        if self.plan.scratch.contains_key(buffer) {
            return;
        }
        let Some(spec) = state::spec(buffer) else {
            let fault =
                self.fault(stage, pass, &format!("no buffer is called `{buffer}` (see the table in src/state.rs)"));
            return self.faults.push(fault.to_string());
        };
        if spec.stride != stride {
            let text = format!("`{buffer}` has elements of {} bytes, the shader reads {stride}", spec.stride);
            let fault = self.fault(stage, pass, &text).to_string();
            self.faults.push(fault);
        }
        if spec.life == Life::Scratch && access == Access::Read && !self.written.contains(buffer) {
            let fault = self.fault(stage, pass, &format!("`{buffer}` is read before any pass writes it")).to_string();
            self.faults.push(fault);
        }
    }

    fn check_pass(&mut self, stage: &str, pass: &str, bind: &[(u32, String, Access)], dispatch: &Dispatch) {
        let mut faults = vec![];
        let storage = bind.iter().filter(|b| b.2 != Access::Uniform).count();
        if storage > self.storage_max as usize {
            faults.push(format!("{storage} storage buffers, the device allows {}", self.storage_max));
        }
        for (k, a) in bind.iter().enumerate() {
            if bind[..k].iter().any(|b| b.1 == a.1 && (a.2 == Access::ReadWrite || b.2 == Access::ReadWrite)) {
                faults.push(format!("`{}` is bound twice and written", a.1));
            }
        }
        if let Dispatch::Indirect { buffer, .. } = dispatch {
            if state::spec(buffer).is_none() {
                faults.push(format!("`args = \"{buffer}\"` is no buffer"));
            }
            if bind.iter().any(|b| b.1 == *buffer && b.2 == Access::ReadWrite) {
                faults.push(format!("`{buffer}` holds the pass's own arguments and may not be written by it"));
            }
        }
        for text in faults {
            let fault = self.fault(stage, pass, &text).to_string();
            self.faults.push(fault);
        }
    }

    fn fault(&self, stage: &str, pass: &str, text: &str) -> Error {
        Error::Usage(format!("pipelines/{}.toml: stage `{stage}`, pass `{pass}`: {text}", self.name))
    }
}

impl Plan {
    /// The step as a table: pass, what it covers, workgroup, reads, writes.
    pub fn table(&self) -> String {
        let mut rows = vec![["stage", "pass", "over", "workgroup", "reads", "writes"].map(str::to_owned)];
        for p in &self.passes {
            let list = |write: bool| {
                let names = p.bind.iter().filter(|b| (b.2 == Access::ReadWrite) == write).map(|b| b.1.as_str());
                names.collect::<Vec<_>>().join(" ")
            };
            let size = p.shader.workgroup[0].to_string();
            rows.push([p.stage.clone(), p.shader.stem.clone(), p.over.clone(), size, list(false), list(true)]);
        }
        let width = |c: usize| rows.iter().map(|r| r[c].len()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..5).map(width).collect();
        let line = |r: &[String; 6]| {
            let head: String = (0..5).map(|c| format!("{:<w$}  ", r[c], w = widths[c])).collect();
            (head + &r[5]).trim_end().to_owned() + "\n"
        };
        rows.iter().map(line).collect()
    }
}
