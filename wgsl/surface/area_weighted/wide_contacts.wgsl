import package::state::facet::{FacetMeeting};
import package::surface::area_weighted::sums::{foot_known, keep_sum, part_of};
import package::surface::footprint::{SLOTS, foot_depth, foot_free, foot_slot, normals_before};
import package::surface::four::{four_dot, four_with};
import package::surface::lanes::{Most, NONE, WIDE_LANES, WIDE_SHARE_MAX, most_of_lanes, sum_lanes, wide_first, wide_share};

// As `contacts`, by a workgroup: the contacts are those that one invocation would find in the order of the list. The first
// invocation keeps them.
var<storage, read> surface_meeting: array<FacetMeeting>;

// The contact that a facet at this place of the body's list joins: the one most alike of those known by then, else SLOTS. The
// last component of a known direction is the place from which on it is known; places are below 2^24.
fn slot_of(normal: vec3<f32>, place: f32) -> u32 {
    let known_from = vec4<f32>(foot_known.a.w, foot_known.b.w, foot_known.c.w, foot_known.d.w);
    return foot_slot(select(vec4<f32>(0.0), four_dot(foot_known, normal), known_from <= vec4<f32>(place)), 0u);
}

// The first facet that faces as no contact does opens the next.
fn open_slots(l: u32) {
    var share = wide_share;
    for (var k = 0u; k < SLOTS; k++) {
        var opens = NONE;
        for (var e = 0u; e < min(share, WIDE_SHARE_MAX); e++) {
            let place = l + WIDE_LANES * e;
            let m = surface_meeting[wide_first + place];
            foot_depth = max(foot_depth, m.overlap); // from both sides, as in `contacts`
            if (m.share >= 0.0 && opens == NONE && slot_of(m.towards, f32(place)) == SLOTS) {
                opens = place;
            }
        }
        opens = most_of_lanes(l, Most(select(1.0, 0.0, opens == NONE), opens)).index;
        let free = countTrailingZeros(foot_free(foot_known));
        if (opens != NONE && free < SLOTS) {
            foot_known = four_with(foot_known, free, vec4<f32>(surface_meeting[wide_first + opens].towards, f32(opens)));
        } else {
            share = 0u;
        }
    }
    foot_depth = most_of_lanes(l, Most(foot_depth, 0u)).value;
}

// The sums of slot k over the facets of this invocation. One slot at a time: a loop that changes all of them holds them twice.
fn sums_of(k: u32, l: u32) -> vec4<f32> {
    var sum = vec4<f32>(0.0);
    let none = (foot_free(foot_known) & (1u << k)) != 0u;
    for (var e = 0u; e < select(min(wide_share, WIDE_SHARE_MAX), 0u, none); e++) {
        let place = l + WIDE_LANES * e;
        let m = surface_meeting[wide_first + place];
        if (m.share >= 0.0 && min(slot_of(m.towards, f32(place)), SLOTS - 1u) == k) {
            sum += part_of(m);
        }
    }
    return sum;
}

fn find_wide_contacts(b: u32, radius: f32, l: u32) {
    foot_known = normals_before(b);
    open_slots(l);
    for (var k = 0u; k < SLOTS; k++) {
        let sum = sum_lanes(l, sums_of(k, l));
        if (l == 0u) {
            keep_sum(l, k, sum);
        }
    }
}
