import package::shared::params::{Params};
import package::shared::control::{OVERFLOW};
import package::shared::place::{body_place, box_near};
import package::shared::facet::{facet_of, facet_feature};
import package::shared::dispatch::{linear_id};

// Facets within a body's radius and half the skin, by a walk over boxes of facets. Runs twice over the same predicate:
// first it counts (pass_constants.x = 0), then it writes the list (1), in the order of the walk. The list starts with the
// place of every body's first facet. Boxes: least coordinates [2^-14 L], node that follows the subtree; largest, eight
// times the first facet plus how many, 0 of an inner node.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> pass_constants: vec4<u32>;
@group(0) @binding(2) var<storage, read> control: array<u32>;
@group(0) @binding(3) var<storage, read> body_state: array<u32>;
@group(0) @binding(4) var<storage, read> body_view: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> surface_node: array<vec4<i32>>;
@group(0) @binding(6) var<storage, read> surface_face: array<vec4<u32>>;
@group(0) @binding(7) var<storage, read_write> surface_count: array<u32>;
@group(0) @binding(8) var<storage, read> surface_offset: array<u32>;
@group(0) @binding(9) var<storage, read_write> surface_list: array<u32>;

@compute @workgroup_size(64)
fn find_facets(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    let writing = pass_constants.x == 1u;
    if (b >= params.body_count || (writing && control[OVERFLOW] != 0u)) {
        return;
    }
    let here = body_place(b);
    let radius = bitcast<f32>(body_view[4u * b].w);
    let reach = radius + params.skin_half;
    let steps = reach * 16384.0 + 2.0;
    let first = params.body_count + 1u + select(0u, surface_offset[b], writing);
    var count = 0u;
    var node = 0u;
    let nodes = arrayLength(&surface_node) / 2u;
    while (node < nodes) {
        let low = surface_node[2u * node];
        let high = surface_node[2u * node + 1u];
        let enter = box_near(low.xyz, high.xyz, here, steps);
        let facets = select(0u, u32(high.w) & 7u, enter);
        for (var k = 0u; k < facets; k++) {
            let face = (u32(high.w) >> 3u) + k;
            if (facet_feature(facet_of(face, b, radius), radius).overlap > -1.0001 * params.skin_half) {
                if (writing) {
                    surface_list[first + count] = face;
                }
                count += 1u;
            }
        }
        node = select(u32(low.w), node + 1u, enter);
    }
    if (writing) {
        surface_list[b] = first;
        if (b + 1u == params.body_count) {
            surface_list[b + 1u] = first + count;
        }
    } else {
        surface_count[b] = count;
    }
}
