//! What FXC, the compiler that wgpu takes on DirectX 12 where DXC is missing, cannot keep: a store with a dynamic index to a
//! component of a vector, or to an array in a struct, forces it to unroll the loop around, and then it gives up (error X3511).
//! No Windows needed: naga's modules show such stores. And what Metal and WGSL leave open: a store to a component of a vector in
//! a buffer may write all of the vector, so that invocations that write one each lose what the others wrote.

use crate::common::shaders::{edit, shaders as copied};
use crate::common::translated::{passes, shaders};
use breccia::gpu::pipeline::link::{Linked, Sources};
use breccia::gpu::pipeline::reflect::{Shader, load};
use naga::{AddressSpace, Block, Expression, Function, Handle, Module, Span, Statement, TypeInner};
use std::path::Path;

/// A function of a module, and the types of its expressions.
struct Within<'a> {
    module: &'a Module,
    function: &'a Function,
    info: &'a naga::valid::FunctionInfo,
    /// what is wrong with a pointer that is stored to
    wrong: fn(&Within, Handle<Expression>) -> bool,
}

impl Within<'_> {
    /// What a pointer points to; `None` where it points into a buffer, whose words HLSL addresses by number.
    fn pointee(&self, pointer: Handle<Expression>) -> Option<&TypeInner> {
        match *self.info[pointer].ty.inner_with(&self.module.types) {
            TypeInner::Pointer { base, space } if kept(space) => Some(&self.module.types[base].inner),
            _ => None,
        }
    }

    /// True if a part of what it points to is found by a number that is not known, and FXC cannot address it.
    fn refused(&self, pointer: Handle<Expression>) -> bool {
        match self.function.expressions[pointer] {
            Expression::Access { base, .. } => match self.pointee(base) {
                Some(TypeInner::Vector { .. } | TypeInner::Matrix { .. }) => true,
                Some(TypeInner::Array { .. }) => self.in_struct(base) || self.refused(base),
                _ => false,
            },
            Expression::AccessIndex { base, .. } => self.refused(base),
            _ => false,
        }
    }

    /// True if it points to a component of a vector in a buffer, which is found by a number that is not known.
    fn of_shared_vector(&self, pointer: Handle<Expression>) -> bool {
        let Expression::Access { base, .. } = self.function.expressions[pointer] else { return false };
        let TypeInner::Pointer { base, space } = *self.info[base].ty.inner_with(&self.module.types) else {
            return false;
        };
        matches!(space, AddressSpace::Storage { .. })
            && matches!(self.module.types[base].inner, TypeInner::Vector { .. })
    }

    /// True if it points to a member of a struct.
    fn in_struct(&self, pointer: Handle<Expression>) -> bool {
        match self.function.expressions[pointer] {
            Expression::AccessIndex { base, .. } => {
                matches!(self.pointee(base), Some(TypeInner::Struct { .. })) || self.in_struct(base)
            }
            Expression::Access { base, .. } => self.in_struct(base),
            _ => false,
        }
    }

    fn stores(&self, linked: &Linked, found: &mut Vec<String>) {
        each_store(&self.function.body, &mut |pointer, span| {
            if (self.wrong)(self, pointer) {
                let line = span.location(&linked.text).line_number as usize - 1;
                let (file, number) = &linked.lines[line];
                let code = linked.text.lines().nth(line).unwrap_or_default().trim();
                found.push(format!("{file}:{number}: {code}"));
            }
        });
    }
}

/// Calls `visit` with the pointer and the place of every store of a block; an atomic sum or maximum is no store.
pub fn each_store(block: &Block, visit: &mut dyn FnMut(Handle<Expression>, Span)) {
    for (statement, span) in block.span_iter() {
        match statement {
            Statement::Store { pointer, .. } => visit(*pointer, *span),
            Statement::Block(inner) => each_store(inner, visit),
            Statement::If { accept, reject, .. } => [accept, reject].into_iter().for_each(|b| each_store(b, visit)),
            Statement::Switch { cases, .. } => cases.iter().for_each(|c| each_store(&c.body, visit)),
            Statement::Loop { body, continuing, .. } => {
                [body, continuing].into_iter().for_each(|b| each_store(b, visit));
            }
            _ => {}
        }
    }
}

/// A pass with the shaders of a folder.
pub fn from_folder(stem: &str, folder: &Path) -> Shader {
    let sources = Sources { directory: Some(folder.into()), ..Sources::default() };
    let (_, modules) = passes().into_iter().find(|(s, _)| s == stem).expect("a pass");
    load(stem, &sources, &modules).unwrap_or_else(|e| panic!("{e}"))
}

/// Memory of an invocation or a workgroup, of which FXC makes registers and named arrays.
fn kept(space: AddressSpace) -> bool {
    matches!(space, AddressSpace::Function | AddressSpace::Private | AddressSpace::WorkGroup)
}

/// Stores that FXC cannot keep in a loop, by file and line.
fn refused_stores(shader: &Shader) -> Vec<String> {
    stores(shader, |within, pointer| within.refused(pointer))
}

/// Stores through pointers that are wrong, by file and line.
fn stores(shader: &Shader, wrong: fn(&Within, Handle<Expression>) -> bool) -> Vec<String> {
    let (module, mut found) = (&shader.module, vec![]);
    for (handle, function) in module.functions.iter() {
        let within = Within { module, function, info: &shader.info[handle], wrong };
        within.stores(&shader.linked, &mut found);
    }
    let function = &module.entry_points[0].function;
    let within = Within { module, function, info: shader.info.get_entry_point(0), wrong };
    within.stores(&shader.linked, &mut found);
    found
}

#[test]
fn no_pass_stores_where_fxc_cannot_find_the_element() {
    let mut found: Vec<String> = shaders().iter().flat_map(refused_stores).collect();
    found.sort();
    found.dedup();
    assert!(
        found.is_empty(),
        "write these with a constant index, or into an array that is a variable of its own:\n{}",
        found.join("\n")
    );
}

/// Rows whose vectors one invocation owns, so that it may write them as it likes.
const OWNED: [&str; 1] = ["wall_plane["];

#[test]
fn no_invocations_share_a_vector_in_a_buffer() {
    let mut found: Vec<String> = shaders().iter().flat_map(|s| stores(s, |w, p| w.of_shared_vector(p))).collect();
    found.sort();
    found.dedup();
    let (owned, shared): (Vec<String>, Vec<String>) =
        found.into_iter().partition(|line| OWNED.iter().any(|row| line.contains(row)));
    assert!(!owned.is_empty(), "the rule finds nothing: it does not look properly");
    assert!(
        shared.is_empty(),
        "write these into an array of numbers, or name the row as owned:\n{}",
        shared.join("\n")
    );
}

/// The rule finds what it is for, in the places where FXC was seen to fail, and leaves what FXC takes.
#[test]
fn such_stores_are_found_by_file_and_line() {
    let folder = copied();
    edit(
        folder.path(),
        "find_wall_manifolds",
        "    let kind = outline_reduce(",
        "    var four = vec4<u32>(0u);\n    four[c & 3u] = 1u;\n    let kind = four.x * 0u + outline_reduce(",
    );
    edit(
        folder.path(),
        "surface/facet",
        "    return f;\n}\n\nstruct Feature",
        "    for (var k = 0u; k < 3u; k++) {\n        f.inward[k] = -f.inward[k];\n    }\n    return f;\n}\n\nstruct Feature",
    );
    for (stem, code) in [("find_wall_manifolds", "four[c & 3u] = 1u;"), ("find_facets", "f.inward[k] = -f.inward[k];")]
    {
        let found = refused_stores(&from_folder(stem, folder.path()));
        assert!(found.len() == 1 && found[0].ends_with(code) && found[0].contains(".wgsl:"), "{stem}: {found:?}");
    }
}
