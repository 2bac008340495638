//! Workgroup memory is not set to zero before a pass runs: a variable that is only added to, or only read, begins with what another
//! pass has left.

use crate::common::shaders::{edit, shaders as copied};
use crate::common::translated::shaders;
use crate::hlsl_rules::{each_store, from_folder};
use breccia::gpu::pipeline::reflect::Shader;
use naga::{AddressSpace, Arena, Expression, GlobalVariable, Handle};
use std::collections::BTreeSet;

/// The global variable that a pointer leads into.
fn root(of: &Arena<Expression>, pointer: Handle<Expression>) -> Option<Handle<GlobalVariable>> {
    match of[pointer] {
        Expression::Access { base, .. } | Expression::AccessIndex { base, .. } => root(of, base),
        Expression::GlobalVariable(variable) => Some(variable),
        _ => None,
    }
}

/// Names of workgroup variables that a pass uses and never stores to.
fn never_stored(shader: &Shader) -> Vec<String> {
    let (module, mut found) = (&shader.module, BTreeSet::new());
    let functions = module.functions.iter().map(|(_, function)| function);
    for function in functions.chain(module.entry_points.iter().map(|entry| &entry.function)) {
        each_store(&function.body, &mut |pointer, _| found.extend(root(&function.expressions, pointer)));
    }
    let used = shader.info.get_entry_point(0);
    let variables = module.global_variables.iter();
    let of_groups = variables.filter(|(handle, v)| v.space == AddressSpace::WorkGroup && !used[*handle].is_empty());
    of_groups.filter(|(handle, _)| !found.contains(handle)).filter_map(|(_, v)| v.name.clone()).collect()
}

#[test]
fn every_variable_of_a_workgroup_is_stored_to() {
    let all = shaders();
    let groups = |s: &&Shader| s.module.global_variables.iter().any(|(_, v)| v.space == AddressSpace::WorkGroup);
    assert!(all.iter().filter(groups).count() > 20, "the rule finds nothing: it does not look properly");
    let found: BTreeSet<String> = all.iter().flat_map(never_stored).collect();
    assert!(found.is_empty(), "store a value before these are read or added to: {found:?}");
}

/// The rule finds a flag that is only set by an atomic.
#[test]
fn a_flag_that_begins_with_anything_is_found() {
    let folder = copied();
    edit(folder.path(), "contact_dynamics/solve_contacts", "        atomicStore(&solve_cut, 0u);\n", "");
    assert_eq!(never_stored(&from_folder("solve_contacts", folder.path())), ["solve_cut"]);
}
