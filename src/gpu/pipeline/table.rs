//! A checked pipeline as a table: for people, as JSON, and as bytes to be moved.

use super::plan::{Bound, Dispatch, GATES, Plan, PlannedPass};
use super::reflect::Access;
use crate::gpu::buffer_table::{Counts, spec};
use serde::Serialize;
use std::collections::BTreeSet;

/// One pass as printed.
#[derive(Debug, Serialize)]
pub struct Row {
    /// its stage
    pub stage: String,
    /// file stem of the shader
    pub pass: String,
    /// what it covers: a count, a block, or the buffer of its arguments
    pub over: String,
    /// invocations of a workgroup
    pub workgroup: [u32; 3],
    /// buffers it reads, uniforms among them
    pub reads: Vec<String>,
    /// buffers it writes
    pub writes: Vec<String>,
    /// workgroups
    pub dispatch: Workgroups,
}

/// How many workgroups a pass has, and who decides it.
#[derive(Debug, Serialize)]
pub struct Workgroups {
    /// as the host records them, or as a gate opens them; `null` if another pass writes them
    pub groups: Option<[u32; 3]>,
    /// gate that must be open
    pub when: Option<&'static str>,
    /// buffer of the arguments, if the GPU writes them
    pub args: Option<String>,
    /// offset of the arguments in it (bytes)
    pub offset: Option<u64>,
}

/// Buffers that a pass binds in a way, each once, by name.
fn names(p: &PlannedPass, wanted: fn(&Bound) -> bool) -> BTreeSet<&str> {
    p.bind.iter().filter(|b| wanted(b)).map(|b| b.buffer.as_str()).collect()
}

impl Plan {
    /// The passes in order.
    pub fn rows(&self) -> Vec<Row> {
        self.passes.iter().map(|p| self.row(p)).collect()
    }

    fn row(&self, p: &PlannedPass) -> Row {
        let list = |wanted| names(p, wanted).into_iter().map(str::to_owned).collect();
        Row {
            stage: p.stage.clone(),
            pass: p.shader.stem.clone(),
            over: p.over.clone(),
            workgroup: p.shader.workgroup,
            reads: list(|b| b.binding.reads),
            writes: list(Bound::writes),
            dispatch: self.workgroups(&p.dispatch),
        }
    }

    fn workgroups(&self, dispatch: &Dispatch) -> Workgroups {
        match dispatch {
            Dispatch::Groups(groups) => Workgroups { groups: Some(*groups), when: None, args: None, offset: None },
            Dispatch::Indirect { buffer, offset } => {
                let slot = self.slots.get((*offset / 12) as usize).filter(|_| buffer == "work_args");
                Workgroups {
                    groups: slot.map(|s| s.groups),
                    when: slot.and_then(|s| GATES.iter().find(|g| g.1 == s.gate)).map(|g| g.0),
                    args: Some(buffer.clone()),
                    offset: Some(*offset),
                }
            }
        }
    }

    /// Bytes of a buffer of the plan.
    pub fn bytes(&self, name: &str, counts: &Counts) -> u64 {
        self.scratch.get(name).copied().or_else(|| Some(spec(name)?.bytes(counts))).unwrap_or(0)
    }

    /// Bytes that a dispatch of `pass` moves if it reads and writes all of its storage buffers once, these as long as
    /// `counts` says. Uniforms count nothing.
    pub fn moved(&self, pass: &PlannedPass, counts: &Counts) -> u64 {
        let size = |name: &str| self.bytes(name, counts);
        let read = names(pass, |b| b.binding.reads && b.binding.access != Access::Uniform);
        read.into_iter().chain(names(pass, Bound::writes)).map(size).sum()
    }

    /// The step as a table: pass, what it covers, workgroup, dispatch, reads, writes.
    pub fn table(&self) -> String {
        let head = ["stage", "pass", "over", "workgroup", "dispatch", "reads", "writes"].map(str::to_owned);
        let mut lines = vec![head];
        lines.extend(self.rows().iter().map(Row::words));
        let width = |c: usize| lines.iter().map(|r| r[c].len()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..6).map(width).collect();
        let line = |r: &[String; 7]| {
            let head: String = (0..6).map(|c| format!("{:<w$}  ", r[c], w = widths[c])).collect();
            (head + &r[6]).trim_end().to_owned() + "\n"
        };
        lines.iter().map(line).collect()
    }
}

impl Row {
    fn words(&self) -> [String; 7] {
        let product = |n: &[u32; 3]| {
            let sides = n.iter().rev().skip_while(|k| **k == 1).map(u32::to_string).collect::<Vec<_>>();
            if sides.is_empty() { "1".to_owned() } else { sides.into_iter().rev().collect::<Vec<_>>().join(" x ") }
        };
        let d = &self.dispatch;
        let dispatch = match (&d.groups, d.when, &d.args) {
            (Some(groups), Some(gate), _) => format!("{} if {gate}", product(groups)),
            (Some(groups), None, _) => product(groups),
            (None, _, args) => args.clone().unwrap_or_default(),
        };
        let (reads, writes) = (self.reads.join(" "), self.writes.join(" "));
        [self.stage.clone(), self.pass.clone(), self.over.clone(), product(&self.workgroup), dispatch, reads, writes]
    }
}
