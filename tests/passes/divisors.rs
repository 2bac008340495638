//! No integer divisor is zero: shaders run without the check that would make such a quotient harmless.

use crate::common::translated::all_shaders;
use breccia::gpu::pipeline::reflect::Shader;
use naga::{BinaryOperator as Op, Expression as E, Function, Handle, Literal, ScalarKind};
use std::collections::BTreeSet;

/// File, division, why its divisor is not 0. All others divide by a positive constant.
const REASONS: [(&str, &str, &str); 36] = [
    (
        "wgsl/contact_dynamics/store_impulses.wgsl",
        "k / params.part_count",
        "k counts parts and walls, of which there are none without parts",
    ),
    ("wgsl/gravity/gather_nodes.wgsl", "lbvh_params.x / size", "a power of two, no larger than the number of bodies"),
    ("wgsl/gravity/gather_nodes.wgsl", "index / size", "a power of two, no larger than the number of bodies"),
    ("wgsl/gravity/sum_faces.wgsl", "group % asteroid_params.slice_count", "the host makes one slice or more"),
    ("wgsl/gravity/sum_faces.wgsl", "group / asteroid_params.slice_count", "the host makes one slice or more"),
    ("wgsl/neighbours/cells.wgsl", "a / b", "the side of a cell of a level that has bodies, in units of the grid"),
    (
        "wgsl/neighbours/search.wgsl",
        "(rest + vec3<u32>(reach)) / side",
        "the side of a cell of a level that has bodies, in units of the grid",
    ),
    (
        "wgsl/neighbours/search.wgsl",
        "(vec3<u32>(reach + side - 1u) - rest) / side",
        "the side of a cell of a level that has bodies, in units of the grid",
    ),
    ("wgsl/neighbours/args.wgsl", "(groups + x - 1u) / x", "of max(.., 1) the least with 65535"),
    ("wgsl/render/render_facet_shade.wgsl", "i % view.size", "there is a pixel i"),
    ("wgsl/render/render_facet_shade.wgsl", "i / view.size", "there is a pixel i"),
    ("wgsl/render/render_nearest.wgsl", "k % width", "the patch has a pixel k"),
    ("wgsl/render/render_nearest.wgsl", "k / width", "the patch has a pixel k"),
    ("wgsl/render/render_owner.wgsl", "k % width", "the patch has a pixel k"),
    ("wgsl/render/render_owner.wgsl", "k / width", "the patch has a pixel k"),
    ("wgsl/render/render_resolve.wgsl", "i % side", "there is a pixel i"),
    ("wgsl/render/render_resolve.wgsl", "i / side", "there is a pixel i"),
    ("wgsl/render/render_shade.wgsl", "i % view.size", "there is a pixel i"),
    ("wgsl/render/render_shade.wgsl", "i / view.size", "there is a pixel i"),
    ("wgsl/soft_sphere/gather_loads.wgsl", "step % max(params.reaction_slots, 1u)", "one at least"),
    (
        "wgsl/soft_sphere/gather_loads.wgsl",
        "step / params.frame_interval",
        "a turning frame has an interval of one step or more",
    ),
    ("wgsl/soft_sphere/integrate_in_frame.wgsl", "(slot + slots / 2u) % slots", "one at least"),
    ("wgsl/render/facet_hit.wgsl", "k % patch_seen.width", "the patch has a pixel k"),
    ("wgsl/render/facet_hit.wgsl", "k / patch_seen.width", "the patch has a pixel k"),
    ("wgsl/surface/find_wide_facets.wgsl", "id % runs", "a buffer has one node or more, and they make one run or more"),
    ("wgsl/surface/find_wide_facets.wgsl", "id / runs", "a buffer has one node or more, and they make one run or more"),
    (
        "wgsl/walls/apply_walls.wgsl",
        "c % params.wall_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/apply_walls.wgsl",
        "c / params.wall_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/detect_walls.wgsl",
        "c % params.body_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/detect_walls.wgsl",
        "c / params.body_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/find_wall_manifolds.wgsl",
        "c % params.part_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/find_wall_manifolds.wgsl",
        "c / params.part_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/make_wall_contacts.wgsl",
        "k % params.body_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/make_wall_contacts.wgsl",
        "k / params.body_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/make_wall_manifold_contacts.wgsl",
        "k % params.part_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
    (
        "wgsl/walls/make_wall_manifold_contacts.wgsl",
        "k / params.part_count",
        "the pass returns where the counts of bodies and walls have a product of 0",
    ),
];

/// A constant above 0, or a vector of such.
fn is_positive(shader: &Shader, expressions: &naga::Arena<E>, at: Handle<E>) -> bool {
    match &expressions[at] {
        E::Literal(Literal::U32(n)) => *n > 0,
        E::Literal(Literal::I32(n)) => *n > 0,
        E::Constant(c) => is_positive(shader, &shader.module.global_expressions, shader.module.constants[*c].init),
        E::Splat { value, .. } => is_positive(shader, expressions, *value),
        E::Compose { components, .. } => components.iter().all(|c| is_positive(shader, expressions, *c)),
        _ => false,
    }
}

/// File and text of every integer quotient and remainder of a function whose divisor is no positive constant.
fn divisions(shader: &Shader, function: &Function, info: &naga::valid::FunctionInfo) -> Vec<(String, String)> {
    let mut found = vec![];
    for (handle, expression) in function.expressions.iter() {
        let E::Binary { op: Op::Divide | Op::Modulo, left, right } = expression else { continue };
        let kind = info[*left].ty.inner_with(&shader.module.types).scalar_kind();
        if !matches!(kind, Some(ScalarKind::Uint | ScalarKind::Sint)) {
            continue;
        }
        if is_positive(shader, &function.expressions, *right) {
            continue;
        }
        let span = function.expressions.get_span(handle);
        let text = span.to_range().map_or("", |range| &shader.linked.text[range]);
        let line = span.location(&shader.linked.text).line_number as usize;
        found.push((shader.linked.lines[line - 1].0.clone(), text.to_owned()));
    }
    found
}

#[test]
fn no_integer_divisor_is_zero() {
    let mut found = BTreeSet::new();
    for shader in all_shaders() {
        assert!(shader.trusted, "{}", shader.stem);
        for (handle, function) in shader.module.functions.iter() {
            found.extend(divisions(&shader, function, &shader.info[handle]));
        }
        let entry = &shader.module.entry_points[0].function;
        found.extend(divisions(&shader, entry, shader.info.get_entry_point(0)));
    }
    let listed: BTreeSet<_> = REASONS.iter().map(|(file, text, _)| ((*file).to_owned(), (*text).to_owned())).collect();
    let unproven: Vec<_> = found.difference(&listed).collect();
    assert!(unproven.is_empty(), "divisors that may be 0: {unproven:#?}");
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(gone.is_empty(), "divisions that are no more: {gone:#?}");
}
