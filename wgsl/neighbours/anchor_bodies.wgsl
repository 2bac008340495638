import package::state::body::{BodyView};
import package::state::params::{Params};
import package::state::control::{Control, REQUEST_REBUILD};
import package::math::dispatch::{linear_id};

// Remembers where the bodies were when the list was made, and closes the request.
var<uniform> params: Params;
var<storage, read_write> control: Control;
var<storage, read_write> body_view: array<BodyView>;

@compute @workgroup_size(64)
fn anchor_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.part_count || control.overflow != 0u) {
        return;
    }
    body_view[b].anchor = body_view[b].position;
    if (b == 0u) {
        control.request &= ~REQUEST_REBUILD;
        control.rebuilds += 1u;
    }
}
