import package::state::gravity::{Branch, Source};
import package::gravity::multipole::{unpack_rest};
import package::gravity::lists::{TILE, Targets, Whole, add_node, add_body};

// Tiles of what is listed go through `room`: of each tile a lane takes every eighth entry. `list_sums_on_cpu`
// has the other form.
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;

// Field of the `count` nodes listed from `start` on, at most 64: those of this lane's slice.
fn sum_nodes(l: u32, start: u32, count: u32, here: Targets, unit: f32) -> array<vec4<f32>, 4> {
    workgroupBarrier();
    if l < count {
        let node = listed_nodes[start + l];
        room[l] = vec4<u32>(bitcast<vec3<u32>>(tree_branch[node].centre), tree_branch[node].rest);
        room[64u + l] = bitcast<vec4<u32>>(vec4<f32>(tree_branch[node].diagonal, tree_branch[node].mass));
        room[128u + l] = vec4<u32>(bitcast<vec3<u32>>(tree_branch[node].cross), 0u);
    }
    workgroupBarrier();
    var field = array<vec4<f32>, 4>();
    for (var e = l >> 3u; e < min(count, TILE); e += 8u) {
        let centre = room[e];
        let diagonal = room[64u + e];
        let place = bitcast<vec4<i32>>(vec4<u32>(centre.xyz, diagonal.w));
        let cross = bitcast<vec3<f32>>(room[128u + e].xyz);
        let node = Whole(place, unpack_rest(centre.w), bitcast<vec3<f32>>(diagonal.xyz), cross);
        field = add_node(field, here, node, unit);
    }
    return field;
}

// The same of listed bodies.
fn sum_bodies(l: u32, start: u32, count: u32, here: Targets, unit: f32) -> array<vec4<f32>, 4> {
    workgroupBarrier();
    if l < count {
        let source = tree_source[listed_bodies[start + l]];
        room[l] = vec4<u32>(bitcast<vec3<u32>>(source.position), bitcast<u32>(source.mass));
        room[64u + l] = vec4<u32>(bitcast<vec3<u32>>(source.rest), 0u);
    }
    workgroupBarrier();
    var field = array<vec4<f32>, 4>();
    for (var e = l >> 3u; e < min(count, TILE); e += 8u) {
        let place = bitcast<vec4<i32>>(room[e]);
        field = add_body(field, here, place, bitcast<vec3<f32>>(room[64u + e].xyz), unit);
    }
    return field;
}
