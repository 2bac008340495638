import package::state::params::{Params};
import package::state::body::{BodyView};
import package::state::pair::{WallResult};
import package::math::dispatch::{linear_id};

// Marks the bodies that apply_surface must look at until the next list: those near a facet, and those that touched one and
// are near none any more, since it ends their contacts. apply_wide_surface has the wide ones.
var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_offset: array<u32>;
var<storage, read> wall_result: array<WallResult>;
var<storage, read_write> ground_mark: array<u32>;

@compute @workgroup_size(64)
fn mark_ground(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let near = surface_offset[b + 1u] > surface_offset[b];
    let touched = wall_result[params.body_count * params.wall_count + b].overlap > 0.0;
    ground_mark[b] = select(0u, 1u, (near || touched) && body_view[b].radius < params.wide_radius);
}
