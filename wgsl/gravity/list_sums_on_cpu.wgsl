import package::state::gravity::{Branch, Source};
import package::gravity::multipole::{unpack_rest};
import package::gravity::lists::{Targets, Whole, add_node, add_body};

// `list_sums` for subgroups of eight lanes: each lane loads one entry of their slice and hands it to the others. Sums have
// the same order, so they have the same bits. Past the end of a list stands its last entry without mass.
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;

// Field of the `count` nodes listed from `start` on, at most 64: those of this lane's slice.
fn sum_nodes(l: u32, start: u32, count: u32, here: Targets, unit: f32) -> array<vec4<f32>, 4> {
    let entry = (l >> 3u) + 8u * (l & 7u);
    let own = listed_nodes[start + min(entry, count - 1u)];
    let listed = select(0.0, 1.0, entry < count);
    let mass = listed * tree_branch[own].mass;
    let place = vec4<i32>(tree_branch[own].centre, bitcast<i32>(mass));
    let rest = unpack_rest(tree_branch[own].rest);
    let diagonal = listed * tree_branch[own].diagonal;
    let cross = listed * tree_branch[own].cross;
    var field = array<vec4<f32>, 4>();
    for (var lane = 0u; lane < 8u; lane++) {
        let node = Whole(
            subgroupShuffle(place, lane),
            subgroupShuffle(rest, lane),
            subgroupShuffle(diagonal, lane),
            subgroupShuffle(cross, lane),
        );
        field = add_node(field, here, node, unit);
    }
    return field;
}

// The same of listed bodies.
fn sum_bodies(l: u32, start: u32, count: u32, here: Targets, unit: f32) -> array<vec4<f32>, 4> {
    let entry = (l >> 3u) + 8u * (l & 7u);
    let own = tree_source[listed_bodies[start + min(entry, count - 1u)]];
    let mass = select(0.0, own.mass, entry < count);
    let place = vec4<i32>(own.position, bitcast<i32>(mass));
    let rest = own.rest;
    var field = array<vec4<f32>, 4>();
    for (var lane = 0u; lane < 8u; lane++) {
        field = add_body(field, here, subgroupShuffle(place, lane), subgroupShuffle(rest, lane), unit);
    }
    return field;
}
