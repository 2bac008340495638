//! Checks can fail: shaders with one edit each, and the checks of a pass that must notice it.

mod common;
use breccia::gpu::Gpu;
use breccia::pipeline::link::Sources;
use breccia::reference::checks::checks;
use common::gpu;
use common::shaders::{built_in, edit, shaders};
use std::path::Path;

/// The pass whose checks must fail, the file edited, what stands there, what is put in its place.
type Damage = (&'static str, &'static str, &'static str, &'static str);

const BLOCKS: &[Damage] = &[
    ("scan_runs", "scan_runs", "k < l; k++", "k <= l; k++"),
    ("scan_sums", "scan_sums", "i < count", "i <= count"),
    // the ranks of threads 32 to 63 forget the lower half
    ("sort_scatter", "sort_scatter", "countOneBits(low) + countOneBits(high &", "countOneBits(high &"),
    ("lbvh_link", "lbvh_link", "countLeadingZeros(u32(i ^ j))", "countLeadingZeros(u32(j))"),
    ("lbvh_keys", "shared/morton", "& 0x3ffu", "& 0x1ffu"),
];

const BODIES: &[Damage] = &[
    // the quotient check: cells, or levels, that share a key
    ("find_neighbours", "find_neighbours", "elsewhere || entry_level", "entry_level"),
    ("find_neighbours", "find_neighbours", "entry_level(other) != level ||", ""),
    ("hash_cells", "shared/cells", "select(q, q - 1, q * b > a)", "q"),
    ("link_pairs", "link_pairs", "- from_end) + 1u", "- from_end)"),
    (
        "carry_history",
        "carry_history",
        "pair_history_prev[pass_constants.x * low + row]",
        "pair_history_prev[pass_constants.x * low]",
    ),
    ("decide_work", "decide_work", "step >= atomicLoad", "step > atomicLoad"),
    ("integrate_bodies", "integrate_bodies", "select(r.xyz, -r.xyz, second == 1u)", "r.xyz"),
    // a carry lost
    ("integrate_bodies", "shared/wide", "a.y + b.y + select(0u, 1u, low < a.x)", "a.y + b.y"),
    ("apply_contacts", "shared/position", "+ dot(fine, fine))", ")"),
    ("apply_contacts", "laws/linear_spring_dashpot", "s.arm_j * turn - moment", "s.arm_j * turn + moment"),
    ("apply_contacts", "laws/linear_spring_dashpot", "damping * slip, limit)", "damping * slip, 1.1 * limit)"),
    (
        "apply_walls",
        "laws/linear_spring_dashpot",
        "0.5 * vec3<f32>(law.stiffness_sliding",
        "0.6 * vec3<f32>(law.stiffness_sliding",
    ),
];

const GRAVITY: &[Damage] = &[
    ("place_sources", "place_sources", "(1u << kept) - 1u", "(1u << kept) - 2u"),
    ("sum_direct", "sum_direct", "FINE: u32 = 18u", "FINE: u32 = 40u"),
    ("sum_direct", "sum_direct", "source < count)", "source + 1u < count)"),
    ("add_central", "shared/gravity", "mul64(velocity, steps), 21u", "mul64(velocity, steps), 20u"),
    ("sum_blocks", "shared/multipole", "+ g.mass * d.xxy * d.yzz", ""),
    ("merge_blocks", "shared/multipole", "+ unpack_rest(part.rest)", ""),
    ("gather_nodes", "gather_nodes", "3.0 * m.cross", "2.0 * m.cross"),
    ("bound_groups", "bound_groups", "GROUP: u32 = 32u", "GROUP: u32 = 16u"),
    // squares below the smallest number of f32
    (
        "bound_groups",
        "bound_groups",
        "length(body_gravity[tree_index[k]].xyz / gravity_params.gravity_constant)",
        "length(body_gravity[tree_index[k]].xyz) / gravity_params.gravity_constant",
    ),
    ("walk_tree", "walk_tree", "2.5 * quu", "1.5 * quu"),
    ("walk_tree", "walk_tree", "(unpack_rest(tree_branch[first].rest) - here.rest)", "vec3<f32>(0.0)"),
    ("sum_imbalance", "sum_imbalance", "cross(arm, force)", "cross(force, arm)"),
    ("solve_imbalance", "solve_imbalance", "- weight * middle * middle", ""),
    ("balance_gravity", "balance_gravity", "field - vec4<f32>(excess, 0.0)", "field"),
];

const PICTURES: &[Damage] = &[
    // the second dimension of workgroups
    ("render_clear", "shared/dispatch", "workgroup.y * grid.x + workgroup.x", "workgroup.x"),
    ("render_nearest", "shared/view", "- 1.0) * view.half_width", "- 0.98) * view.half_width"),
    ("render_owner", "render_owner", "t <= depth[at]", "t <= 1.1 * depth[at]"),
    ("render_shade", "render_shade", "- 0.12", "- 0.1"),
    ("render_shade", "render_shade", "at + 0.35 * radius", "at"),
    ("render_shade", "render_shade", "&& any(q != pixel)", ""),
    ("render_resolve", "render_resolve", "sample.rgb * sample.rgb", "sample.rgb"),
];

/// True if a check of the pass fails. Shaders that do not compile, or a device that gives up, would prove nothing.
fn noticed(gpu: &Gpu, folder: &Path, (pass, file, old, new): Damage) -> bool {
    edit(folder, file, old, new);
    let sources = Sources { directory: Some(folder.to_owned()) };
    let of_pass = checks().filter(|c| c.passes.contains(&pass));
    let failed = of_pass.map(|c| c.run(gpu, &sources).expect("runs")).any(|m| !m.passed);
    let name = format!("{file}.wgsl");
    std::fs::copy(built_in().join(&name), folder.join(&name)).expect("copy");
    failed
}

fn all_are_noticed(damages: &[Damage]) {
    let (gpu, folder) = (gpu(), shaders());
    let missed: Vec<_> = damages.iter().filter(|d| !noticed(&gpu, folder.path(), **d)).collect();
    assert!(missed.is_empty(), "no check fails with\n{missed:#?}");
}

#[test]
fn damage_to_blocks_is_noticed() {
    all_are_noticed(BLOCKS);
}

#[test]
fn damage_to_the_step_is_noticed() {
    all_are_noticed(BODIES);
}

#[test]
fn damage_to_gravity_is_noticed() {
    all_are_noticed(GRAVITY);
}

#[test]
fn damage_to_pictures_is_noticed() {
    all_are_noticed(PICTURES);
}
