//! Reads with naga what a linked shader binds: the shader is the only place that declares a binding.

use super::link::{Linked, Sources, link};
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use std::collections::BTreeMap;

/// How a shader uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// uniform block
    Uniform,
    /// storage, read only
    Read,
    /// storage, written
    ReadWrite,
}

/// A buffer that the entry point uses.
#[derive(Clone, Debug)]
pub struct Binding {
    /// index in group 0
    pub index: u32,
    /// WGSL variable name
    pub name: String,
    /// how it is used
    pub access: Access,
    /// false if the shader only writes it
    pub reads: bool,
    /// smallest binding size (bytes)
    pub min_size: u64,
    /// bytes of one element of a runtime-sized array, else of the whole type
    pub stride: u32,
    /// the shader takes the buffer as words of 64 bits, whatever its elements are
    pub by_doublets: bool,
}

/// A parsed, validated shader with one entry point.
pub struct Shader {
    /// file stem = entry point = label
    pub stem: String,
    /// linked WGSL
    pub linked: Linked,
    /// naga's module
    pub module: naga::Module,
    /// naga's validation result
    pub info: naga::valid::ModuleInfo,
    /// workgroup size
    pub workgroup: [u32; 3],
    /// bindings in order of index
    pub bindings: Vec<Binding>,
    /// workgroup memory (bytes)
    pub shared_bytes: u32,
    /// what runs instead of the linked text
    pub perturbed: Option<naga::Module>,
    /// loops and divisions need no checks as it runs: [`Sources::trusts`]
    pub trusted: bool,
}

impl Shader {
    /// Names of the members of a struct, with their type where it is not f32; `None`: the shader has no such struct.
    pub fn members_of(&self, name: &str) -> Option<Vec<String>> {
        let types = &self.module.types;
        let (_, found) = types.iter().find(|(_, t)| t.name.as_deref() == Some(name))?;
        let naga::TypeInner::Struct { members, .. } = &found.inner else { return None };
        let text = |m: &naga::StructMember| {
            let name = m.name.clone().unwrap_or_default();
            match types[m.ty].inner {
                naga::TypeInner::Scalar(naga::Scalar::F32) => name,
                _ => format!("{name}, which is not f32"),
            }
        };
        Some(members.iter().map(text).collect())
    }
}

/// Links, parses and validates the pass `stem`. Errors name the file and line that they come from.
pub fn load(stem: &str, sources: &Sources, modules: &BTreeMap<String, String>) -> Result<Shader> {
    let path = sources.path(&sources.file_of(stem));
    let linked = link(stem, sources, modules)?;
    let module = naga::front::wgsl::parse_str(&linked.text)
        .map_err(|e| explain(&linked, e.message(), e.labels().map(|(s, l)| (s, l.to_string())).collect()))?;
    let info = validator(&linked).validate(&module).map_err(|e| {
        let mut message = e.to_string();
        let mut source: &dyn std::error::Error = e.as_inner();
        while let Some(next) = source.source() {
            message = format!("{message}: {next}");
            source = next;
        }
        explain(&linked, &message, e.spans().map(|(s, l)| (*s, l.clone())).collect())
    })?;
    let [entry] = module.entry_points.as_slice() else {
        let what = format!("a pass has exactly one entry point, `{stem}`");
        return Err(Fault::new(what).file(path).into());
    };
    if entry.name != stem {
        let what = format!("the entry point is called `{}`", entry.name);
        return Err(Fault::new(what).remedy(format!("name it `{stem}` like the file")).file(path).into());
    }
    let (bindings, shared_bytes) = bindings(&path, &linked, &module, &info)?;
    let workgroup = entry.workgroup_size;
    let perturbed = sources.perturb.map(|p| p.module(&linked)).transpose()?;
    let trusted = sources.trusts(&linked);
    Ok(Shader { stem: stem.to_owned(), linked, workgroup, bindings, shared_bytes, info, module, perturbed, trusted })
}

/// No capability beyond WGSL's core, so that what passes here runs on every backend; but for a pass with a form that only software
/// devices take.
fn validator(linked: &Linked) -> naga::valid::Validator {
    use naga::valid::{Capabilities, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator};
    if !linked.lines.iter().any(|(file, _)| file.ends_with("_on_cpu.wgsl")) {
        return Validator::new(ValidationFlags::all(), Capabilities::empty());
    }
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::SUBGROUP | Capabilities::SHADER_INT64);
    validator.subgroup_stages(ShaderStages::COMPUTE).subgroup_operations(SubgroupOperationSet::all());
    validator
}

/// Buffers that the entry point uses, and bytes of workgroup memory. A buffer that an imported module declares for
/// functions which this pass does not call is left out; one that the pass itself declares must be used.
fn bindings(
    path: &str,
    linked: &Linked,
    module: &naga::Module,
    info: &naga::valid::ModuleInfo,
) -> Result<(Vec<Binding>, u32)> {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).map_err(|e| Fault::new(e.to_string()).file(path))?;
    let used = info.get_entry_point(0);
    let (mut list, mut shared) = (vec![], 0);
    for (handle, global) in module.global_variables.iter() {
        let name = global.name.clone().unwrap_or_default();
        if global.space == naga::AddressSpace::WorkGroup {
            shared += layouter[global.ty].size;
        }
        let Some(at) = &global.binding else { continue };
        let own = declared_in(linked, module.global_variables.get_span(handle)) == Some(path);
        if used[handle].is_empty() && !own {
            continue;
        }
        if used[handle].is_empty() || at.group != 0 {
            let what = format!("binding `{name}` is not used, or not in group 0");
            return Err(Fault::new(what).remedy("remove it, or move it to group 0").file(path).into());
        }
        let access = match global.space {
            naga::AddressSpace::Uniform => Access::Uniform,
            naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE) => Access::ReadWrite,
            _ => Access::Read,
        };
        if own
            && access == Access::ReadWrite
            && !used[handle].contains(naga::valid::GlobalUse::WRITE)
            && !is_atomic(module, global.ty)
        {
            let what = format!("`{name}` is declared read_write but never written");
            return Err(Fault::new(what).remedy("declare it `read`").file(path).into());
        }
        let (stride, by_doublets) = match module.types[global.ty].inner {
            naga::TypeInner::Array { base, stride, .. } => {
                (stride, module.types[base].inner == naga::TypeInner::Scalar(naga::Scalar::U64))
            }
            _ => (layouter[global.ty].size, false),
        };
        let reads = used[handle].intersects(naga::valid::GlobalUse::READ | naga::valid::GlobalUse::ATOMIC);
        list.push(Binding {
            index: at.binding,
            name,
            access,
            reads,
            min_size: layouter[global.ty].size.into(),
            stride,
            by_doublets,
        });
    }
    list.sort_by_key(|b| b.index);
    Ok((list, shared))
}

/// The file that contains `span`.
fn declared_in(linked: &Linked, span: naga::Span) -> Option<&str> {
    let line = span.location(&linked.text).line_number as usize;
    linked.lines.get(line.checked_sub(1)?).map(|(file, _)| file.as_str())
}

fn is_atomic(module: &naga::Module, ty: naga::Handle<naga::Type>) -> bool {
    match &module.types[ty].inner {
        naga::TypeInner::Atomic(_) => true,
        naga::TypeInner::Array { base, .. } => is_atomic(module, *base),
        naga::TypeInner::Struct { members, .. } => members.iter().any(|m| is_atomic(module, m.ty)),
        _ => false,
    }
}

fn explain(linked: &Linked, message: &str, spans: Vec<(naga::Span, String)>) -> Error {
    let mut text = message.to_owned();
    for (span, label) in spans {
        let at = span.location(&linked.text);
        let index = (at.line_number as usize).saturating_sub(1);
        let (Some((file, line)), Some(code)) = (linked.lines.get(index), linked.text.lines().nth(index)) else {
            continue;
        };
        let column = at.line_position as usize;
        let marks = "^".repeat((at.length as usize).clamp(1, code.len().max(1)));
        text += &format!(
            "\n  --> {file}:{line}:{column}\n   | {code}\n   | {}{marks} {label}",
            " ".repeat(column.saturating_sub(1))
        );
    }
    Fault::new(text).into()
}
