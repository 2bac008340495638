import package::state::facet::{FacetMeeting, SurfaceTouch};
import package::surface::footing::{FACETS_MAX};
import package::surface::four::{Four, four_at, four_bits, four_dot, four_is, four_with};

// What a sphere feels of all the facets that it meets: up to four contacts, each one normal, overlap and weight. Private
// to an invocation. What a loop changes and leaves to what follows costs registers twice on NVIDIA GPUs with Mesa's compiler:
// loops change little.
var<storage, read> surface_meeting: array<FacetMeeting>;
var<storage, read_write> surface_touch: array<SurfaceTouch>; // SLOTS a body

const SLOTS: u32 = 4u;
const ALIKE: f32 = 0.70710678; // facets that face so much alike are one contact
const WHOLE: f32 = 0.9;        // part of the depth from which on a facet counts whole, below 1 for rounding's sake
const SLACK: f32 = 0.02;       // share of an overlap that must be left: rounding makes no contact

var<private> foot_known: Four;         // by area: normals at the last step, and of new contacts; zero: none
var<private> foot_contact: Four;       // normal and overlap; before foot_close the sum that they are of
var<private> foot_weight: vec4<f32>;
var<private> foot_depth: f32;          // radius less the distance of the closest point

// The normal of a slot at the last step; zero: it had no contact.
fn normal_before(at: u32) -> vec4<f32> {
    return select(vec4<f32>(0.0), vec4<f32>(surface_touch[at].normal, 0.0), surface_touch[at].weight > 0.0);
}

// Normals of a body's contacts at the last step, where new ones find their slots.
fn normals_before(b: u32) -> Four {
    let at = SLOTS * b;
    return Four(normal_before(at), normal_before(at + 1u), normal_before(at + 2u), normal_before(at + 3u));
}

// The slot with a direction most alike, by these products with it, else the first of those free (a bit each), else SLOTS.
fn foot_slot(like: vec4<f32>, free: u32) -> u32 {
    let most = max(max(like.x, like.y), max(like.z, like.w));
    let best = countTrailingZeros(four_bits(like == vec4<f32>(most)));
    return select(min(countTrailingZeros(free), SLOTS), best, most > ALIKE);
}

// Slots without a known normal.
fn foot_free(known: Four) -> u32 {
    let size = vec4<f32>(
        dot(known.a.xyz, known.a.xyz), dot(known.b.xyz, known.b.xyz), dot(known.c.xyz, known.c.xyz), dot(known.d.xyz, known.d.xyz));
    return four_bits(size == vec4<f32>(0.0));
}

// Adds a facet's part to the contact in slot k.
fn foot_add(k: u32, m: FacetMeeting) {
    let weight = m.share * min(m.above / (WHOLE * foot_depth), 1.0);
    let sum = four_at(foot_contact, k) + vec4<f32>((m.share * m.above) * m.towards, 0.0);
    foot_contact = four_with(foot_contact, k, sum);
    foot_weight += select(vec4<f32>(0.0), vec4<f32>(weight), four_is(k));
}

// Facets that face alike make one contact: weight x overlap x normal = sum of share x (R - h) x normal; its weight is the
// sum of the shares, of a facet that is less deep than the closest point in proportion to that: it joins without a jump.
fn foot_by_area(b: u32, first: u32, count: u32) {
    foot_known = normals_before(b);
    for (var e = 0u; e < min(count, FACETS_MAX); e++) {
        // It counts from both sides: a centre on a facet, which is not a contact any more, is deep in the surface.
        foot_depth = max(foot_depth, surface_meeting[first + e].overlap);
    }
    for (var e = 0u; e < min(count, FACETS_MAX) && foot_depth > 0.0; e++) {
        let m = surface_meeting[first + e];
        if (m.share >= 0.0) {
            let k = min(foot_slot(four_dot(foot_known, m.towards), foot_free(foot_known)), SLOTS - 1u);
            let known = four_at(foot_known, k).xyz;
            let fresh = dot(known, known) == 0.0;
            foot_known = four_with(foot_known, k, vec4<f32>(select(known, m.towards, fresh), 0.0));
            foot_add(k, m);
        }
    }
    foot_close();
}

// Normal and overlap from a sum.
fn foot_mean(sum: vec4<f32>, weight: f32) -> vec4<f32> {
    let size = length(sum.xyz);
    return vec4<f32>(sum.xyz / max(size, 1.0e-30), size / max(weight, 1.0e-30));
}

fn foot_close() {
    let sum = foot_contact;
    let weight = foot_weight;
    foot_contact = Four(
        foot_mean(sum.a, weight.x), foot_mean(sum.b, weight.y), foot_mean(sum.c, weight.z), foot_mean(sum.d, weight.w));
}

// Part of a closest point's overlap that the deeper contact `a` does not account for: points of the plane across `a`
// account for nothing, and a plane that turns away from it by less than the sphere's cap for what it reaches beyond that.
// Closest points are unit vectors to the centre, and overlaps.
fn beyond(m: vec4<f32>, a: vec4<f32>, radius: f32) -> f32 {
    let apart = m.xyz - a.xyz;
    let cosine = dot(m.xyz, a.xyz);
    let behind = (radius - a.w) * 0.5 * dot(apart, apart) / max(cosine, 1.0e-6);
    return select(3.0e38, m.w - a.w + behind, cosine > 0.0);
}

// What the contacts leave of a closest point's overlap; those still empty leave all, and a contact nothing of its own.
fn foot_left(m: vec4<f32>, radius: f32) -> f32 {
    let so_far = foot_contact;
    let near = min(min(beyond(m, so_far.a, radius), beyond(m, so_far.b, radius)), min(beyond(m, so_far.c, radius), beyond(m, so_far.d, radius)));
    return min(m.w, near - SLACK * m.w);
}

// A contact at every closest point that no deeper one accounts for, the deepest first.
fn foot_by_feature(b: u32, first: u32, count: u32, radius: f32) {
    var taken = 0u;
    var going = true;
    for (var c = 0u; c < min(count, SLOTS) && going; c++) {
        var most = 0.0;
        var best = vec4<f32>(0.0);
        for (var e = 0u; e < min(count, FACETS_MAX); e++) {
            let m = surface_meeting[first + e];
            foot_depth = max(foot_depth, m.overlap); // as above
            let point = vec4<f32>(m.towards, m.overlap);
            let left = foot_left(point, radius);
            if (left > most && m.above < radius) {
                most = left;
                best = point;
            }
        }
        going = most > 0.0;
        if (going) {
            taken = foot_take(b, best, most, taken);
        }
    }
}

// Adds a contact at a closest point, of which `most` is left, to those taken (a bit each), and returns which are taken
// then.
fn foot_take(b: u32, m: vec4<f32>, most: f32, taken: u32) -> u32 {
    // read for each: held over the search they cost registers
    let known = normals_before(b);
    let is_taken = (vec4<u32>(taken) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>(0u);
    let like = select(four_dot(known, m.xyz), vec4<f32>(0.0), is_taken);
    let open = foot_slot(like, foot_free(known) & ~taken);
    let k = select(open, countTrailingZeros(~taken), open == SLOTS);
    foot_contact = four_with(foot_contact, k, m);
    foot_weight = select(foot_weight, vec4<f32>(most / m.w), four_is(k));
    return taken | (1u << k);
}
