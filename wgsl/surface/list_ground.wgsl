import package::state::params::{Params};
import package::state::control::{Control};
import package::state::facet::{Listed};
import package::state::work::{PairArgs};
import package::math::dispatch::{linear_id};
import package::neighbours::args::{args_over};

// Rows of the marked bodies one behind the other, in the order of the bodies, at the start of the list of facets. Writes the
// arguments over these bodies, and over the facets.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read> ground_offset: array<u32>;
var<storage, read> surface_offset: array<u32>;
var<storage, read_write> surface_list: array<Listed>;
var<storage, read_write> ground_args: array<PairArgs>;
var<storage, read_write> facet_args: array<PairArgs>;

@compute @workgroup_size(64)
fn list_ground(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count || control.overflow != 0u) {
        return;
    }
    let head = params.body_count + 1u;
    let row = ground_offset[b];
    let next = ground_offset[b + 1u];
    if (next > row) {
        surface_list[row] = Listed(b, head + surface_offset[b]);
    }
    if (b + 1u == params.body_count) {
        let facets = surface_offset[b + 1u];
        surface_list[next] = Listed(0u, head + facets);
        control.listed_count = next;
        ground_args[0] = args_over(next);
        facet_args[0] = args_over(facets);
    }
}
