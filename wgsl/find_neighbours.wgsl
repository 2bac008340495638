import package::shared::params::{Params};
import package::shared::control::{OVERFLOW};
import package::shared::position::{window_difference, WINDOW_UNIT};
import package::shared::cells::{level_cell, level_radius, entry_body, entry_level, floor_divide, hash_cell};
import package::shared::dispatch::{linear_id};

// Neighbours of every body within the sum of the radii and the skin. Runs twice over the same predicate: first it
// counts (pass_constants.x = 0), then it writes the list, ascending (1).
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> pass_constants: vec4<u32>;
@group(0) @binding(2) var<storage, read> control: array<u32>;
@group(0) @binding(3) var<storage, read> body_view: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> cell_entry: array<vec4<i32>>;
@group(0) @binding(5) var<storage, read> cell_range: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> neighbour_count: array<u32>;
@group(0) @binding(7) var<storage, read_write> upper_count: array<u32>;
@group(0) @binding(8) var<storage, read> incident_offset: array<u32>;
@group(0) @binding(9) var<storage, read_write> incident_body: array<u32>;

fn is_neighbour(coarse: vec3<i32>, near: vec4<u32>, other_coarse: vec3<i32>, other_near: vec4<u32>) -> bool {
    let apart = abs(coarse - other_coarse);
    let d = vec3<f32>(window_difference(other_near.xyz, near.xyz)) * WINDOW_UNIT;
    let reach = bitcast<f32>(near.w) + bitcast<f32>(other_near.w) + 2.0 * params.skin_half;
    // Far apart in whole units the window wraps.
    return max(apart.x, max(apart.y, apart.z)) <= 70 && dot(d, d) < reach * reach;
}

// Parts of one body do not touch each other. Where there are none the word has another meaning.
fn same_clump(a: u32, b: u32) -> bool {
    let clump = body_view[4u * a + 3u].w;
    return params.part_count > params.body_count && clump != 0u && clump == body_view[4u * b + 3u].w;
}

// Shell sort of a body's neighbours: insertion for the few that a packing has, still short for hundreds.
fn sort_neighbours(first: u32, count: u32) {
    var stride = 1u;
    while (stride < count / 3u) {
        stride = 3u * stride + 1u;
    }
    while (stride > 0u) {
        for (var k = stride; k < count; k++) {
            let value = incident_body[first + k];
            var at = k;
            while (at >= stride && incident_body[first + at - stride] > value) {
                incident_body[first + at] = incident_body[first + at - stride];
                at -= stride;
            }
            incident_body[first + at] = value;
        }
        stride = stride / 3u;
    }
}

@compute @workgroup_size(64)
fn find_neighbours(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let entry = linear_id(w, n, l, 64u);
    let writing = pass_constants.x == 1u;
    if (entry >= params.part_count || (writing && control[OVERFLOW] != 0u)) {
        return;
    }
    let me = cell_entry[entry]; // in cell order: neighbouring invocations read the same cells
    let body = entry_body(me);
    let near = body_view[4u * body];
    let radius = bitcast<f32>(near.w);
    let first = select(0u, incident_offset[body], writing);
    var count = 0u;
    var upper = 0u;
    for (var level = 0u; level < params.level_count; level++) {
        let size = level_cell(params, level);
        let reach = i32(ceil((radius + level_radius(params, level) + 2.0 * params.skin_half) * 64.0)) + 1;
        let low = vec3<i32>(floor_divide(me.x - reach, size), floor_divide(me.y - reach, size), floor_divide(me.z - reach, size));
        let high = vec3<i32>(floor_divide(me.x + reach, size), floor_divide(me.y + reach, size), floor_divide(me.z + reach, size));
        for (var z = low.z; z <= high.z; z++) {
            for (var y = low.y; y <= high.y; y++) {
                for (var x = low.x; x <= high.x; x++) {
                    let cell = vec3<i32>(x, y, z);
                    let corner = cell * size;
                    let range = cell_range[hash_cell(cell, level) & params.hash_mask];
                    for (var e = range.x; e < range.y; e++) {
                        let other = cell_entry[e];
                        // The quotient check: another cell, or another level, may share the key.
                        let elsewhere = any(bitcast<vec3<u32>>(other.xyz - corner) >= vec3<u32>(u32(size)));
                        if (elsewhere || entry_level(other) != level || e == entry) {
                            continue;
                        }
                        let j = entry_body(other);
                        if (is_neighbour(me.xyz, near, other.xyz, body_view[4u * j]) && !same_clump(body, j)) {
                            if (writing) {
                                incident_body[first + count] = j;
                            }
                            count += 1u;
                            upper += select(0u, 1u, j > body);
                        }
                    }
                }
            }
        }
    }
    if (writing) {
        sort_neighbours(first, count);
    } else {
        neighbour_count[body] = count;
        upper_count[body] = upper;
    }
}
