import package::state::facet::{FacetMeeting};
import package::surface::closest_feature::left::{foot_left, foot_take, foot_weight};
import package::surface::footprint::{SLOTS, foot_depth, keep_contact, keep_none};
import package::surface::lanes::{Most, NONE, WIDE_LANES, WIDE_SHARE_MAX, most_of_lanes, wide_first, wide_share};

// As `contacts`, by a workgroup: the contacts are those that one invocation would find in the order of the list. The first
// invocation keeps them.
var<storage, read> surface_meeting: array<FacetMeeting>;

fn find_wide_contacts(b: u32, radius: f32, l: u32) {
    if (l == 0u) {
        keep_none(l);
    }
    var taken = 0u;
    var share = wide_share;
    for (var c = 0u; c < SLOTS; c++) {
        var most = Most(0.0, NONE);
        for (var e = 0u; e < min(share, WIDE_SHARE_MAX); e++) {
            let place = l + WIDE_LANES * e;
            let m = surface_meeting[wide_first + place];
            foot_depth = max(foot_depth, m.overlap);
            let left = foot_left(vec4<f32>(m.towards, m.overlap), radius);
            if (left > most.value && m.above < radius) {
                most = Most(left, place);
            }
        }
        most = most_of_lanes(l, most);
        if (most.value > 0.0) {
            let m = surface_meeting[wide_first + most.index];
            let best = vec4<f32>(m.towards, m.overlap);
            let weight = foot_weight(best, most.value, radius);
            let k = foot_take(b, best, taken);
            if (l == 0u) {
                keep_contact(l, k, best, weight);
            }
            taken |= 1u << k;
        } else {
            share = 0u;
        }
    }
    foot_depth = most_of_lanes(l, Most(foot_depth, 0u)).value;
}
