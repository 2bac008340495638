//! Checks a pipeline against the buffer table before any GPU work, and lays out its dispatches.

use super::check::Before;
use super::file::{PipelineFile, Step};
use super::link::Sources;
use super::reflect::{Access, Binding, Shader, load};
use crate::base::error::{Error, Result};
use crate::base::fault::{Fault, FaultKind, Faults};
use crate::base::reader::nearest;
use crate::gpu::blocks::{Block, BlockPass};
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::{
    GATE_CLOSE, GATE_COLOUR, GATE_DETECT, GATE_GRAVITY, GATE_ITERATE, GATE_KICK, GATE_LIST, GATE_REBUILD, GATE_SOLVE,
    GROUPS_MAX,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The small constant uniform that a step may fill.
const CONSTANTS: &str = "pass_constants";

/// Work that the GPU itself finds due; the bit that `decide_work` sets.
pub const GATES: [(&str, u32); 9] = [
    ("rebuild", GATE_REBUILD),
    ("gravity", GATE_GRAVITY),
    ("detect", GATE_DETECT),
    ("solve", GATE_SOLVE),
    ("iterate", GATE_ITERATE),
    ("close", GATE_CLOSE),
    ("colour", GATE_COLOUR),
    ("list", GATE_LIST),
    ("kick", GATE_KICK),
];

/// The count whose items the GPU itself counts: gated passes over it run over those alone.
const CONTACT: &str = "contact";

/// A pass over these is one dispatch a colour, over its contacts; `pass_constants.x` counts them.
const COLOUR: &str = "colour";

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

/// Items that the GPU itself counts: a gated pass over them runs over those alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Live {
    /// none such: always the same workgroups
    Fixed,
    /// contacts of the step
    Contacts,
    /// contacts of a colour
    Colour(u32),
}

impl Live {
    /// As `work_slot` has it; `wgsl/neighbours/counted.wgsl` reads it.
    pub fn code(self) -> u32 {
        match self {
            Live::Fixed => 0,
            Live::Contacts => 1,
            Live::Colour(k) => 2 + k,
        }
    }
}

/// A gated dispatch: `decide_work` writes its arguments, `groups` if the gate is open, else nothing.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// bit of [`GATES`]
    pub gate: u32,
    /// workgroups
    pub groups: [u32; 3],
    /// what it goes over, if the GPU itself counts that
    pub live: Live,
}

/// A binding of a shader and the buffer that it got.
#[derive(Debug, Clone)]
pub struct Bound {
    /// what the shader declares
    pub binding: Binding,
    /// name of the buffer
    pub buffer: String,
}

impl Bound {
    /// True if the pass may write the buffer.
    pub fn writes(&self) -> bool {
        self.binding.access == Access::ReadWrite
    }
}

/// One pass with everything bound by name.
pub struct PlannedPass {
    /// its stage
    pub stage: String,
    /// the shader
    pub shader: Arc<Shader>,
    /// buffers in order of their index
    pub bind: Vec<Bound>,
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
            "{groups} workgroups are more than the {GROUPS_MAX} x {GROUPS_MAX} of a dispatch; use fewer bodies"
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
    if let Some(folder) = sources.directory.as_ref().filter(|_| sources.names().is_empty()) {
        let fault = Fault::new("has no shaders").remedy("give a folder of .wgsl files, such as wgsl");
        return Err(fault.file(folder.display().to_string()).into());
    }
    let mut planner = Planner::new(name, sources, &file.modules, counts, storage_max);
    for (k, stage) in file.stage.iter().enumerate() {
        if file.stage[..k].iter().any(|before| before.name == stage.name) {
            let fault = Fault::new("two stages have this name").remedy("rename one of the two");
            planner.note(&stage.name, "any", Err(fault.into()));
        }
        for step in &stage.steps {
            planner.step(&stage.name, step, expand);
        }
    }
    planner.finish()
}

/// Checks a block by itself, as stage `name`, on buffers of the table of which the host has filled `given`.
pub fn plan_block(
    name: &str,
    block: Block,
    sources: &Sources,
    counts: &Counts,
    storage_max: u32,
    given: &[&str],
) -> Result<Plan> {
    let modules = BTreeMap::new();
    let mut planner = Planner::new(name, sources, &modules, counts, storage_max);
    planner.written.extend(given.iter().map(|b| (*b).to_owned()));
    let step = Step { block: Some(name.to_owned()), ..Step::default() };
    let result = planner.expanded(name, &step, block);
    planner.note(name, name, result);
    planner.finish()
}

struct Planner<'a> {
    name: &'a str,
    sources: &'a Sources,
    modules: &'a BTreeMap<String, String>,
    counts: &'a Counts,
    storage_max: u32,
    shaders: BTreeMap<String, Arc<Shader>>,
    written: BTreeSet<String>,
    faults: Vec<Fault>,
    /// true as long as all faults are of capacity
    of_capacity: bool,
    plan: Plan,
}

impl<'a> Planner<'a> {
    fn new(
        name: &'a str,
        sources: &'a Sources,
        modules: &'a BTreeMap<String, String>,
        counts: &'a Counts,
        storage_max: u32,
    ) -> Planner<'a> {
        let plan = Plan { name: name.to_owned(), passes: vec![], slots: vec![], scratch: BTreeMap::new() };
        let (shaders, written, faults) = Default::default();
        Planner { name, sources, modules, counts, storage_max, shaders, written, faults, of_capacity: true, plan }
    }

    fn step(&mut self, stage: &str, step: &Step, expand: &Expand) {
        let (name, result) = match (&step.pass, &step.block) {
            (Some(pass), None) => (pass.clone(), self.single(stage, step, pass)),
            (None, Some(block)) => (format!("block {block}"), self.block(stage, step, block, expand)),
            (pass, _) => {
                let fault = Fault::new("a step needs either a `pass` or a `block`").remedy("remove one, or add one");
                (pass.clone().unwrap_or_else(|| "unnamed".into()), Err(fault.into()))
            }
        };
        self.note(stage, &name, result);
    }

    fn single(&mut self, stage: &str, step: &Step, pass: &str) -> Result<()> {
        let refuse = |what: String, remedy: &str| Err(Fault::new(what).remedy(remedy).into());
        if step.bits.is_some() {
            return refuse("`bits` belongs to block radix_sort".into(), "remove it");
        }
        let shader = self.shader(pass)?;
        if let Some(unused) = step.bind.keys().find(|k| shader.bindings.iter().all(|b| b.name != **k)) {
            let remedy = nearest(unused, shader.bindings.iter().map(|b| b.name.as_str()));
            return refuse(format!("`bind` names `{unused}`, which the shader does not have"), &remedy);
        }
        let takes_constants = shader.bindings.iter().any(|b| b.name == CONSTANTS);
        if step.constants.is_some() != takes_constants {
            let [has, remedy] = match takes_constants {
                true => ["needs", "add `constants`"],
                false => ["has no", "remove `constants`"],
            };
            return refuse(format!("the shader {has} the uniform `{CONSTANTS}`"), remedy);
        }
        if step.over.as_deref() == Some(COLOUR) && (!takes_constants || step.when.is_none()) {
            let remedy = "add `when`, and take the colour as a constant of the shader";
            return refuse("`over = \"colour\"` lacks a condition or a constant".into(), remedy);
        }
        let bind = |name: &str| step.bind.get(name).cloned().unwrap_or_else(|| name.to_owned());
        for (k, (dispatch, over)) in self.dispatches(step, shader.workgroup[0])?.into_iter().enumerate() {
            let constants = step.constants.map(|[x, y, z, w]| (CONSTANTS, [x + k as u32, y, z, w]));
            self.push(stage, shader.clone(), &bind, constants, dispatch, over);
        }
        Ok(())
    }

    /// How a pass is dispatched, and over what; none if the run lacks a feature, or has nothing of the kind: no walls, say.
    fn dispatches(&mut self, step: &Step, workgroup: u32) -> Result<Vec<(Dispatch, String)>> {
        if !self.counts.features().all(&step.features)? {
            return Ok(vec![]);
        }
        let refuse = |what: &str, remedy: &str| Err(Fault::new(what).remedy(remedy).into());
        match (&step.over, &step.args) {
            (Some(over), None) => {
                let items = self.counts.known(over)?;
                let (times, items) =
                    if over == COLOUR { (items, self.counts.of(CONTACT)) } else { (items.min(1), items) };
                let groups = split_groups(items.div_ceil(workgroup.into()))?;
                let live = if over == CONTACT { Live::Contacts } else { Live::Fixed };
                let live = |k: u64| if over == COLOUR { Live::Colour(k as u32) } else { live };
                (0..times).map(|k| Ok((self.gated(step, groups, live(k))?, over.clone()))).collect()
            }
            (None, Some(args)) if step.when.is_none() => {
                Ok(vec![(Dispatch::Indirect { buffer: args.clone(), offset: 0 }, args.clone())])
            }
            (None, Some(_)) => refuse("`args` cannot have a condition", "remove `when`"),
            _ => refuse("a pass needs either `over = COUNT` or `args = BUFFER`", "remove one, or add one"),
        }
    }

    fn block(&mut self, stage: &str, step: &Step, name: &str, expand: &Expand) -> Result<()> {
        let sized = step.over.is_some() && name == "self_gravity";
        if sized || step.args.is_some() || step.constants.is_some() {
            return Err(Fault::new("a block sizes itself").remedy("remove `over`, `args` and `constants`").into());
        }
        let block = expand(name, step, self.counts)?;
        match self.counts.features().all(&step.features)? {
            true => self.expanded(stage, step, block),
            false => Ok(()),
        }
    }

    fn expanded(&mut self, stage: &str, step: &Step, block: Block) -> Result<()> {
        for scratch in block.scratch {
            let bytes = self.plan.scratch.entry(scratch.name).or_default();
            *bytes = (*bytes).max(scratch.bytes);
        }
        block.passes.iter().try_for_each(|pass| self.block_pass(stage, step, pass))
    }

    fn block_pass(&mut self, stage: &str, step: &Step, pass: &BlockPass) -> Result<()> {
        let shader = self.shader(pass.pass)?;
        let dispatch = self.gated(step, split_groups(pass.groups.into())?, Live::Fixed)?;
        let bind = |name: &str| {
            let found = pass.bind.iter().find(|(v, _)| *v == name);
            found.map_or_else(|| name.to_owned(), |(_, b)| b.clone())
        };
        self.push(stage, shader, &bind, pass.constants, dispatch, step.block.clone().unwrap_or_default());
        Ok(())
    }

    fn gated(&mut self, step: &Step, groups: [u32; 3], live: Live) -> Result<Dispatch> {
        let Some(when) = &step.when else {
            return Ok(Dispatch::Groups(groups));
        };
        let (_, gate) = GATES.iter().find(|(n, _)| n == when).ok_or_else(|| {
            Fault::new(format!("unknown condition `{when}` in `when`")).remedy(nearest(when, GATES.iter().map(|g| g.0)))
        })?;
        if self.plan.slots.len() as u64 >= self.counts.of("slot") {
            let what = "there are more passes with a condition than `work_slot` holds";
            return Err(Fault::new(what)
                .remedy("raise `SLOTS_MAX` in src/gpu/constants.rs and wgsl/neighbours/gates.wgsl")
                .into());
        }
        self.plan.slots.push(Slot { gate: *gate, groups, live });
        Ok(Dispatch::Indirect { buffer: "work_args".into(), offset: (self.plan.slots.len() as u64 - 1) * 12 })
    }

    fn shader(&mut self, stem: &str) -> Result<Arc<Shader>> {
        if let Some(shader) = self.shaders.get(stem) {
            return Ok(shader.clone());
        }
        let shader = Arc::new(load(stem, self.sources, self.modules)?);
        self.shaders.insert(stem.to_owned(), shader.clone());
        Ok(shader)
    }

    fn push(
        &mut self,
        stage: &str,
        shader: Arc<Shader>,
        name_of: &dyn Fn(&str) -> String,
        constants: Option<(&str, [u32; 4])>,
        dispatch: Dispatch,
        over: String,
    ) {
        let (mut bind, mut constant_at) = (vec![], None);
        for b in &shader.bindings {
            match constants.filter(|(variable, _)| *variable == b.name) {
                Some((_, value)) => constant_at = Some((b.index, value)),
                None => bind.push(Bound { binding: b.clone(), buffer: name_of(&b.name) }),
            }
        }
        let before = Before {
            counts: self.counts,
            scratch: &self.plan.scratch,
            written: &self.written,
            storage_max: self.storage_max,
        };
        for fault in before.faults(&bind, &dispatch) {
            self.note(stage, &shader.stem, Err(fault.into()));
        }
        self.written.extend(bind.iter().filter(|b| b.writes()).map(|b| b.buffer.clone()));
        let stage = stage.to_owned();
        self.plan.passes.push(PlannedPass { stage, shader, bind, constants: constant_at, dispatch, over });
    }

    /// Keeps the faults of a pass, with pipeline, stage and pass.
    fn note(&mut self, stage: &str, pass: &str, result: Result<()>) {
        let Err(error) = result else { return };
        self.of_capacity &= error.exit_code() == Error::Capacity(String::new()).exit_code();
        let (file, pass_name) = (format!("pipelines/{}.toml", self.name), format!("stage `{stage}`, pass `{pass}`"));
        let located = |fault: Fault| match fault.file {
            // a fault of a shader keeps its file and line
            Some(_) => fault.context(format!("{file}: {pass_name}")),
            None => fault.file(&file).key(&pass_name),
        };
        self.faults.extend(error.faults().into_iter().map(located));
    }

    /// The plan, or all faults in one error: of capacity if they all are.
    fn finish(self) -> Result<Plan> {
        let kind = if self.of_capacity { FaultKind::Capacity } else { FaultKind::Usage };
        Faults { kind, ..Faults::of(self.faults) }.check()?;
        Ok(self.plan)
    }
}
