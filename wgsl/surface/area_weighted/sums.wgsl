import package::state::facet::{FacetMeeting};
import package::surface::footprint::{foot_depth, keep_contact};
import package::surface::four::{Four};

// Facets that face alike make one contact: weight x overlap x normal = sum of share x (R - h) x normal; its weight is the
// sum of the shares, of a facet that is less deep than the closest point in proportion to that: it joins without a jump.
const WHOLE: f32 = 0.9; // part of the depth from which on a facet counts whole, below 1 for rounding's sake

var<private> foot_known: Four; // normals at the last step, and of new contacts; zero: none

// A facet's part in the sums of a contact: weight x overlap x normal, weight.
fn part_of(m: FacetMeeting) -> vec4<f32> {
    return vec4<f32>((m.share * m.above) * m.towards, m.share * min(m.above / (WHOLE * foot_depth), 1.0));
}

// Keeps the contact of these sums in slot k of invocation l.
fn keep_sum(l: u32, k: u32, sum: vec4<f32>) {
    let size = length(sum.xyz);
    keep_contact(l, k, vec4<f32>(sum.xyz / max(size, 1.0e-30), size / max(sum.w, 1.0e-30)), sum.w);
}
