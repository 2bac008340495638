import package::state::params::{Params};
import package::state::control::{Control, PHASE_PAUSED};
import package::state::body::{BodyView};
import package::state::facet::{FacetMeeting, Listed};
import package::footprint::meeting::{meeting};
import package::surface::facet::{facet_of, in_window};
import package::math::dispatch::{linear_id};

// What every body meets at every facet of its list that lies in this window of faces, an invocation each.
// pass_constants.x: 1 of wide bodies, else 0.
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read> control: Control;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_list: array<Listed>;
var<storage, read_write> surface_meeting: array<FacetMeeting>;

@compute @workgroup_size(64)
fn meet_facets(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    let wide = pass_constants.x == 1u;
    let rows = select(control.listed_count, params.wide_count, wide);
    let first = select(params.body_count, params.wide_count, wide) + 1u;
    if (control.phase == PHASE_PAUSED || first + k >= surface_list[rows].at) {
        return;
    }
    let face = surface_list[first + k].at;
    if (!in_window(face)) {
        return;
    }
    let body = surface_list[first + k].body;
    let radius = body_view[body].radius;
    surface_meeting[k] = meeting(facet_of(face, body, radius), radius);
}
