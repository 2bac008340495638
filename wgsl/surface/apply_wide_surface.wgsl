import package::state::pair::{WallResult};
import package::state::params::{Params};
import package::state::control::{FAULT_LISTED, PHASE_PAUSED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::state::facet::{Listed};
import package::footprint::wide_contacts::{find_wide_contacts};
import package::surface::footprint::{foot_depth};
import package::surface::lanes::{WIDE_LANES, WIDE_SHARE_MAX, wide_first, wide_share};
import package::surface::surface_touch::{touch_all, watch};
import package::math::dispatch::{linear_id};

// As apply_surface, for bodies that meet many facets: each has a workgroup, whose invocations share its facets.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_list: array<Listed>;
var<storage, read_write> wall_result: array<WallResult>;

@compute @workgroup_size(256)
fn apply_wide_surface(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, 0u, 1u);
    let running = k < params.wide_count && atomicLoad(&control.phase) != PHASE_PAUSED;
    let row = select(0u, k, running);
    let b = surface_list[row].body;
    let facets = select(0u, surface_list[row + 1u].at - surface_list[row].at, running);
    let radius = body_view[b].radius;
    wide_first = surface_list[row].at - params.wide_count - 1u;
    wide_share = (facets + WIDE_LANES - 1u - l) / WIDE_LANES;
    if (l == 0u && facets > WIDE_LANES * WIDE_SHARE_MAX) {
        atomicOr(&control.fault_contact, FAULT_LISTED);
        atomicMin(&control.fault_index, b);
    }
    find_wide_contacts(b, radius, l);
    if (l == 0u && running) {
        let touched = wall_result[params.body_count * params.wall_count + b].overlap > 0.0;
        if (foot_depth > 0.0 || touched) {
            touch_all(b, radius, l);
        }
        if (facets > 0u || touched) {
            watch(b, radius);
        }
    }
}
