import package::state::facet::{FacetMeeting};
import package::surface::area_weighted::sums::{foot_known, keep_sum, part_of};
import package::surface::footing::{FACETS_MAX};
import package::surface::footprint::{SLOTS, foot_depth, foot_free, foot_slot, normals_before};
import package::surface::four::{Four, four_at, four_dot, four_with};

// Contacts of a body with the facets of its list, by one invocation, which keeps them.
var<storage, read> surface_meeting: array<FacetMeeting>;

fn find_contacts(b: u32, first: u32, count: u32, radius: f32, l: u32) {
    foot_known = normals_before(b);
    for (var e = 0u; e < min(count, FACETS_MAX); e++) {
        // It counts from both sides: a centre on a facet, which is not a contact any more, is deep in the surface.
        foot_depth = max(foot_depth, surface_meeting[first + e].overlap);
    }
    var sums: Four;
    for (var e = 0u; e < min(count, FACETS_MAX) && foot_depth > 0.0; e++) {
        let m = surface_meeting[first + e];
        if (m.share >= 0.0) {
            let k = min(foot_slot(four_dot(foot_known, m.towards), foot_free(foot_known)), SLOTS - 1u);
            let known = four_at(foot_known, k).xyz;
            let fresh = dot(known, known) == 0.0;
            foot_known = four_with(foot_known, k, vec4<f32>(select(known, m.towards, fresh), 0.0));
            sums = four_with(sums, k, four_at(sums, k) + part_of(m));
        }
    }
    keep_sum(l, 0u, sums.a);
    keep_sum(l, 1u, sums.b);
    keep_sum(l, 2u, sums.c);
    keep_sum(l, 3u, sums.d);
}
