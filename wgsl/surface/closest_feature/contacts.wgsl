import package::state::facet::{FacetMeeting};
import package::surface::closest_feature::left::{foot_left, foot_take, foot_weight};
import package::surface::footing::{FACETS_MAX};
import package::surface::footprint::{SLOTS, foot_depth, keep_contact, keep_none};

// Contacts of a body with the facets of its list, by one invocation, which keeps them.
var<storage, read> surface_meeting: array<FacetMeeting>;

fn find_contacts(b: u32, first: u32, count: u32, radius: f32, l: u32) {
    keep_none(l);
    var taken = 0u;
    var going = true;
    for (var c = 0u; c < min(count, SLOTS) && going; c++) {
        var most = 0.0;
        var best = vec4<f32>(0.0);
        for (var e = 0u; e < min(count, FACETS_MAX); e++) {
            let m = surface_meeting[first + e];
            // It counts from both sides: a centre on a facet, which is not a contact any more, is deep in the surface.
            foot_depth = max(foot_depth, m.overlap);
            let point = vec4<f32>(m.towards, m.overlap);
            let left = foot_left(point, radius);
            if (left > most && m.above < radius) {
                most = left;
                best = point;
            }
        }
        going = most > 0.0;
        if (going) {
            let weight = foot_weight(best, most, radius);
            let k = foot_take(b, best, taken);
            keep_contact(l, k, best, weight);
            taken |= 1u << k;
        }
    }
}
