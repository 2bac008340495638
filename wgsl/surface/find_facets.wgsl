import package::state::facet::{Listed, SurfaceNode};
import package::state::params::{Params};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::neighbours::coarse::{body_coarse, box_near};
import package::surface::facet::{facet_listed};
import package::surface::footing::{FACETS_MAX};
import package::math::dispatch::{linear_id};

// Facets within a body's radius and half the skin, by a walk over boxes of facets. Runs twice over the same predicate:
// first it counts (pass_constants.x = 0), then it writes the list (1), in the order of the walk. Windows of faces follow one
// another: `surface_count` says how many the windows before have found. list_ground writes the rows at the list's start.
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_node: array<SurfaceNode>;
var<storage, read_write> surface_count: array<u32>;
var<storage, read> surface_offset: array<u32>;
var<storage, read_write> surface_list: array<Listed>;

const WALK_MAX: u32 = 4096u;   // boxes that one invocation looks at
const LOOKED_MAX: u32 = 4096u; // facets in them

@compute @workgroup_size(64)
fn find_facets(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let writing = pass_constants.x == 1u;
    if (b >= params.body_count || (writing && atomicLoad(&control.overflow) != 0u)) {
        return;
    }
    let here = body_coarse(b);
    let radius = body_view[b].radius;
    let reach = radius + params.skin_half;
    let first = params.body_count + 1u + select(0u, surface_offset[b], writing);
    var count = select(surface_count[b], 0u, pass_constants.y == 0u);
    let nodes = arrayLength(&surface_node);
    var node = select(0u, nodes, radius >= params.wide_radius); // find_wide_facets has those
    var left = LOOKED_MAX;
    for (var turn = 0u; turn < WALK_MAX && node < nodes; turn++) {
        let box = surface_node[node];
        let enter = box_near(box.low, box.high, here, reach);
        let look = min(select(0u, box.faces & 7u, enter), left);
        left -= look;
        for (var k = 0u; k < look; k++) {
            let face = (box.faces >> 3u) + k;
            if (facet_listed(face, b, radius, params.skin_half)) {
                if (writing) {
                    surface_list[first + count] = Listed(b, face);
                }
                count += 1u;
            }
        }
        node = select(box.next, node + 1u, enter);
    }
    // Too many for one invocation: bodies of this radius become wide.
    if (node < nodes || left == 0u || count > FACETS_MAX) {
        atomicMax(&control.wide_found, ~bitcast<u32>(radius));
        count = 0u;
    }
    surface_count[b] = count;
}
