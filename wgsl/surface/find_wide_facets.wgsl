import package::state::facet::{Listed, SurfaceNode};
import package::state::params::{Params};
import package::state::control::{Control};
import package::state::body::{BodyView};
import package::neighbours::coarse::{body_coarse, box_near};
import package::surface::facet::{facet_listed};
import package::math::dispatch::{linear_id};

// As find_facets, of bodies that meet too many facets for one invocation: each looks at a run of boxes, and enters those
// in it that are near. `wide_list` starts with body and index of the first facet of every such body.
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read> control: Control;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_node: array<SurfaceNode>;
var<storage, read_write> wide_facets: array<u32>;
var<storage, read> wide_offset: array<u32>;
var<storage, read_write> wide_list: array<Listed>;

const WIDE_RUN: u32 = 256u; // boxes of a run

@compute @workgroup_size(64)
fn find_wide_facets(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let id = linear_id(w, l, 64u);
    let writing = pass_constants.x == 1u;
    let nodes = arrayLength(&surface_node);
    let runs = (nodes + WIDE_RUN - 1u) / WIDE_RUN;
    if (id >= params.wide_runs || (writing && control.overflow != 0u)) {
        return;
    }
    let k = id / runs;
    let run = id % runs;
    let b = wide_list[k].body;
    let here = body_coarse(b);
    let radius = body_view[b].radius;
    let reach = radius + params.skin_half;
    let head = params.wide_count + 1u;
    let first = head + select(0u, wide_offset[id], writing);
    var count = select(wide_facets[id], 0u, pass_constants.y == 0u);
    var node = run * WIDE_RUN;
    let last = min(node + WIDE_RUN, nodes);
    for (var turn = 0u; turn < WIDE_RUN && node < last; turn++) {
        let box = surface_node[node];
        let enter = box_near(box.low, box.high, here, reach);
        for (var f = 0u; f < (select(0u, box.faces, enter) & 7u); f++) {
            let face = (box.faces >> 3u) + f;
            if (facet_listed(face, b, radius, params.skin_half)) {
                if (writing) {
                    wide_list[first + count] = Listed(b, face);
                }
                count += 1u;
            }
        }
        node = select(box.next, node + 1u, enter);
    }
    wide_facets[id] = count;
    if (writing) {
        if (run == 0u) {
            wide_list[k].at = first;
        }
        if (id + 1u == params.wide_runs) {
            wide_list[params.wide_count].at = first + count;
        }
    }
}
