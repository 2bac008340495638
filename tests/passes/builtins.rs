//! Which inexact built-in functions each shader file uses: none but those allowed here, each with the reason why its error
//! in Vulkan's table ("Precision and operation of SPIR-V instructions") does no harm there. `breccia verify --perturb`
//! shows that it does none.

use crate::common::translated::all_shaders;
use breccia::gpu::pipeline::reflect::Shader;
use naga::{BinaryOperator, Expression, Function, Handle, MathFunction, ScalarKind, TypeInner};
use std::collections::{BTreeMap, BTreeSet};

/// Exact or correctly rounded, and 8-bit colours.
const EXACT: &[MathFunction] = {
    use MathFunction as M;
    &[
        M::Abs,
        M::Min,
        M::Max,
        M::Clamp,
        M::Sign,
        M::Floor,
        M::Ceil,
        M::Round,
        M::Dot,
        M::Cross,
        M::Transpose,
        M::Pack4x8unorm,
        M::Unpack4x8unorm,
    ]
};

/// File, built-ins, why they may be used there.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    ("wgsl/math/root.wgsl", &["/", "Sqrt", "InverseSqrt"], "corrected there by what they leave"),
    ("wgsl/soft_sphere/apply_contacts.wgsl", &["/"], "reduced mass and radius, 3e-7"),
    ("wgsl/walls/apply_walls.wgsl", &["/"], "mass of a body, 3e-7"),
    ("wgsl/gravity/bound_groups.wgsl", &["/"], "mean size of self-gravity, against an accuracy of about 1e-4"),
    ("wgsl/gravity/measure_pull.wgsl", &["/", "Length"], "size of self-gravity, against the same accuracy"),
    (
        "wgsl/contact_dynamics/bound_splitting.wgsl",
        &["/", "Sqrt"],
        "an upper bound, above the eigenvalue by more than this",
    ),
    (
        "wgsl/contact_dynamics/clip_manifolds.wgsl",
        &["/", "Distance"],
        "where sides cross, to rounding over the sine of their angle; slacks are 1e-4 of a radius",
    ),
    ("wgsl/contact_dynamics/seen_face.wgsl", &["/"], "slopes of faces, to rounding over the cosine"),
    (
        "wgsl/contact_dynamics/find_planes.wgsl",
        &["/", "Length", "InverseSqrt"],
        "directions to try: the gap along each is by products alone, to 2.4e-7 of it",
    ),
    ("wgsl/contact_dynamics/plane_climb.wgsl", &["InverseSqrt"], "likewise, a direction to try"),
    ("wgsl/walls/find_wall_manifolds.wgsl", &["Length"], "how far a body may come, an upper bound"),
    ("wgsl/gravity/gather_nodes.wgsl", &["Length"], "how far a node reaches, against an opening of a tenth"),
    ("wgsl/soft_sphere/integrate_bodies.wgsl", &["Length"], "way of a step, with a tenth to spare"),
    ("wgsl/soft_sphere/integrate_in_frame.wgsl", &["Length"], "way of a step, with a tenth to spare"),
    ("wgsl/contact_dynamics/judge.wgsl", &["/", "Sqrt"], "residual, against a tolerance that is a choice"),
    ("wgsl/laws/hysteretic.wgsl", &["/"], "share of a gap, and constants: 3e-7 of a force"),
    ("wgsl/laws/hertz_mindlin.wgsl", &["/", "Sqrt"], "stiffness and lengths of springs: 6e-7 of a force"),
    ("wgsl/laws/linear_spring_dashpot.wgsl", &["Sqrt"], "damping: 6e-7 of a force"),
    ("wgsl/gravity/place_sources.wgsl", &["/"], "mass of a body, 3e-7"),
    ("wgsl/render/render_facet_shade.wgsl", &["Normalize"], "normal of a facet of a picture"),
    ("wgsl/render/render_resolve.wgsl", &["/"], "colours of 8 bits"),
    ("wgsl/render/render_shade.wgsl", &["/"], "normal and size of a body of a picture"),
    (
        "wgsl/contact_dynamics/scale_contacts.wgsl",
        &["/"],
        "length of a solver's step; the solution does not depend on it",
    ),
    (
        "wgsl/contact_dynamics/scale_sweeps.wgsl",
        &["/", "Sqrt", "InverseSqrt"],
        "length of a solver's step; the solution does not depend on it",
    ),
    ("wgsl/surface/circle.wgsl", &["/", "Sqrt"], "share of a circle, to 2e-6 of it: continuous in all that it divides"),
    ("wgsl/laws/contact.wgsl", &["/"], "a friction at its limit, to 1e-6 of it"),
    ("wgsl/math/raised.wgsl", &["/", "Length"], "a friction at its limit, to 1e-6 of it"),
    (
        "wgsl/contact_dynamics/dynamics.wgsl",
        &["/"],
        "an impulse on its cone, to 1e-6 of it, and any two vectors across a normal",
    ),
    (
        "wgsl/surface/facet.wgsl",
        &["/", "Sqrt"],
        "a difference of squares over the sum of the roots: 1e-6 of an overlap",
    ),
    ("wgsl/render/facet_hit.wgsl", &["/"], "depth in a picture"),
    (
        "wgsl/surface/area_weighted/sums.wgsl",
        &["/", "Length"],
        "mean overlap and normal of facets, weight by depth, to 1e-6",
    ),
    (
        "wgsl/surface/closest_feature/left.wgsl",
        &["/"],
        "what a plane reaches beyond another, against a fiftieth of an overlap",
    ),
    ("wgsl/soft_sphere/gather.wgsl", &["/"], "inverse inertia of a sphere, 3e-7 of a torque's effect"),
    ("wgsl/gravity/gravity.wgsl", &["InverseSqrt"], "one pair's attraction, to 7e-7 of it"),
    ("wgsl/render/light.wgsl", &["/", "Sqrt", "Length"], "light of a picture of 8 bits"),
    ("wgsl/gravity/multipole.wgsl", &["/"], "centre of mass: what it is off comes back in the moments about it"),
    ("wgsl/contact_dynamics/outline.wgsl", &["Distance"], "slopes and longest sides, against bounds of some percent"),
    (
        "wgsl/math/position.wgsl",
        &["/"],
        "a difference of squares over the sum of the roots: 3e-7 of a gap, not of a distance",
    ),
    ("wgsl/contact_dynamics/relax.wgsl", &["/", "Sqrt"], "a residual, and a momentum that no result depends on"),
    ("wgsl/contact_dynamics/list_near_pairs.wgsl", &["Length"], "how far bodies may come, an upper bound"),
    (
        "wgsl/contact_dynamics/farthest_corner.wgsl",
        &["/"],
        "the cell of a direction, which is wider than itself by 1e-3",
    ),
    (
        "wgsl/contact_dynamics/simplex.wgsl",
        &["/"],
        "weights of corners: the plane is taken from the corners afterwards",
    ),
    ("wgsl/math/solid.wgsl", &["/"], "depth in a picture"),
    (
        "wgsl/math/turn.wgsl",
        &["/", "Sqrt"],
        "spin from an angular momentum, 3e-7 of it; a root beyond half a turn in a step, and in how many parts a step is taken",
    ),
    ("wgsl/surface/surface_touch.wgsl", &["/"], "mass of a body, 3e-7"),
    ("wgsl/state/view.wgsl", &["/", "Sqrt", "Normalize"], "rays of a picture"),
    (
        "wgsl/gravity/solve_imbalance.wgsl",
        &["/", "Length"],
        "a correction of 1e-3 of the attraction at most, 1e-6 of it",
    ),
    ("wgsl/math/inertia_root.wgsl", &["InverseSqrt"], "root of an inverse inertia, to 2.4e-7"),
    (
        "wgsl/gravity/sum_imbalance.wgsl",
        &["/", "Length"],
        "middle of the weights: moments are about what it came to; mean size of forces: a share that is printed",
    ),
    ("wgsl/gravity/walk_faces.wgsl", &["/", "Sqrt"], "when a node is near"),
    ("wgsl/gravity/walk_tree.wgsl", &["Sqrt"], "when a node is near"),
    ("wgsl/gravity/lists.wgsl", &["InverseSqrt"], "terms of a sum, to 1e-6 of each"),
];

/// What a pass uses: file, line, built-in.
type Use = (String, u32, String);

fn uses(shader: &Shader) -> BTreeSet<Use> {
    let functions = shader.module.functions.iter().map(|(h, f)| (f, &shader.info[h]));
    let entry = (&shader.module.entry_points[0].function, shader.info.get_entry_point(0));
    functions.chain([entry]).flat_map(|(f, info)| of_function(shader, f, info)).collect()
}

fn of_function(shader: &Shader, function: &Function, info: &naga::valid::FunctionInfo) -> Vec<Use> {
    let float = |h: Handle<Expression>| {
        let kind = match info[h].ty.inner_with(&shader.module.types) {
            TypeInner::Scalar(s) | TypeInner::Vector { scalar: s, .. } => s.kind,
            TypeInner::Matrix { .. } => ScalarKind::Float,
            _ => ScalarKind::Bool,
        };
        kind == ScalarKind::Float
    };
    let name = |expression: &Expression| match *expression {
        Expression::Math { fun, arg, .. } if float(arg) && !EXACT.contains(&fun) => Some(format!("{fun:?}")),
        Expression::Binary { op: BinaryOperator::Divide, left, .. } if float(left) => Some("/".to_owned()),
        Expression::Binary { op: BinaryOperator::Modulo, left, .. } if float(left) => Some("%".to_owned()),
        _ => None,
    };
    let at = |h: Handle<Expression>| {
        let line = function.expressions.get_span(h).location(&shader.linked.text).line_number as usize;
        shader.linked.lines[line - 1].clone()
    };
    let found = function.expressions.iter().filter_map(|(h, e)| Some((h, name(e)?)));
    found.map(|(h, name)| (at(h).0, at(h).1, name)).collect()
}

#[test]
fn passes_use_no_built_in_function_but_those_allowed() {
    let allowed: BTreeSet<(&str, &str)> =
        ALLOWED.iter().flat_map(|(file, names, _)| names.iter().map(move |n| (*file, *n))).collect();
    let mut used = BTreeSet::new();
    let mut faults: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for shader in all_shaders() {
        let found = uses(&shader);
        let names: BTreeSet<_> = found.iter().map(|(_, _, name)| name.as_str()).collect();
        println!("{}: {}", shader.stem, names.into_iter().collect::<Vec<_>>().join(" "));
        for (file, line, name) in found {
            let spot = format!("{file}:{line}: {name}, not allowed there");
            match allowed.iter().find(|pair| pair.0 == file && pair.1 == name) {
                Some(pair) => _ = used.insert(*pair),
                None => faults.entry(spot).or_default().extend([shader.stem.clone()]),
            }
        }
    }
    let faults: Vec<_> = faults.iter().map(|(spot, passes)| format!("{spot} (in {passes:?})")).collect();
    assert!(faults.is_empty(), "write it with wgsl/shared/elementary or sine, or say why not:\n{}", faults.join("\n"));
    let unused: Vec<_> = allowed.difference(&used).collect();
    assert!(unused.is_empty(), "allowed, but not used any more: {unused:?}");
}

#[test]
fn every_permission_has_a_reason() {
    for (file, names, why) in ALLOWED {
        assert!(!names.is_empty() && why.len() > 10, "{file}: {why}");
    }
}
