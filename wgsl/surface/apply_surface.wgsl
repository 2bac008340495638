import package::state::pair::{WallResult};
import package::state::params::{Params};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::surface::footprint::{foot_depth, foot_by_area, foot_by_feature};
import package::surface::surface_touch::{remember, touch_all, watch};
import package::math::dispatch::{linear_id};

// Force and torque of the asteroid's surface on every body that meets few facets: up to four contacts each.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_list: array<u32>;
var<storage, read_write> wall_result: array<WallResult>;

@compute @workgroup_size(64)
fn apply_surface(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    if (b >= params.body_count || atomicLoad(&control.phase) == 0u) {
        return;
    }
    let first = surface_list[b];
    let last = surface_list[b + 1u];
    let touched = wall_result[params.body_count * params.wall_count + b].overlap > 0.0;
    if (first == last && !touched) {
        return;
    }
    let radius = body_view[b].radius;
    // apply_wide_surface finds the contacts of wide bodies.
    if (radius >= params.wide_radius) {
        return;
    }
    remember(b);
    if (params.surface_law + atomicLoad(&control.zero) == 1u) {
        foot_by_area(b, radius, first, last);
    } else {
        foot_by_feature(b, radius, first, last);
    }
    if (foot_depth <= 0.0 && !touched) {
        watch(b, radius);
        return;
    }
    touch_all(b, radius);
    watch(b, radius);
}
