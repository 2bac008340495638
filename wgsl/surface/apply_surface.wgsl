import package::state::pair::{WallResult};
import package::state::params::{Params};
import package::state::control::{PHASE_PAUSED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::state::facet::{Listed};
import package::footprint::contacts::{find_contacts};
import package::surface::footprint::{foot_depth};
import package::surface::surface_touch::{touch_all, watch};
import package::math::dispatch::{linear_id};

// Force and torque of the asteroid's surface on every body of `list_ground`'s rows: up to four contacts each.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_list: array<Listed>;
var<storage, read_write> wall_result: array<WallResult>;

@compute @workgroup_size(64)
fn apply_surface(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k >= atomicLoad(&control.listed_count) || atomicLoad(&control.phase) == PHASE_PAUSED) {
        return;
    }
    let b = surface_list[k].body;
    let first = surface_list[k].at - params.body_count - 1u;
    let count = surface_list[k + 1u].at - surface_list[k].at;
    let touched = wall_result[params.body_count * params.wall_count + b].overlap > 0.0;
    if (count == 0u && !touched) {
        return;
    }
    let radius = body_view[b].radius;
    find_contacts(b, first, count, radius, l);
    if (foot_depth > 0.0 || touched) {
        touch_all(b, radius, l);
    }
    watch(b, radius);
}
