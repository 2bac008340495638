import package::state::params::{Params};
import package::state::control::{Control};
import package::state::body::{BodyView};
import package::state::facet::{FacetMeeting, Listed};
import package::surface::facet::{facet_of, facet_feature, in_window};
import package::surface::circle::{facet_share};
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
    let rows = select(control.ground_count, params.wide_count, wide);
    let first = select(params.body_count, params.wide_count, wide) + 1u;
    if (control.phase == 0u || first + k >= surface_list[rows].at) {
        return;
    }
    let face = surface_list[first + k].at;
    if (!in_window(face)) {
        return;
    }
    let body = surface_list[first + k].body;
    let radius = body_view[body].radius;
    let f = facet_of(face, body, radius);
    let m = facet_feature(f, radius);
    let by_area = params.surface_law + control.zero == 1u;
    var share = -1.0;
    if (by_area && f.above < radius && m.overlap > 0.0) {
        share = facet_share(f, radius);
    }
    surface_meeting[k] = FacetMeeting(select(m.towards, f.normal, by_area), m.overlap, f.above, share);
}
