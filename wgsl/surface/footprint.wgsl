import package::surface::facet::{facet_of, facet_feature, Feature};
import package::surface::circle::{facet_share};
import package::surface::footing::{FACETS_MAX};

// What a sphere feels of all the facets that it meets: up to four contacts, each one normal, overlap and weight. Private
// to an invocation.
var<storage, read> surface_list: array<u32>;

const SLOTS: u32 = 4u;
const ALIKE: f32 = 0.70710678; // facets that face so much alike are one contact
const WHOLE: f32 = 0.9;        // part of the depth from which on a facet counts whole, below 1 for rounding's sake
const SLACK: f32 = 0.02;       // share of an overlap that must be left: rounding makes no contact

var<private> foot_known: array<vec3<f32>, 4>;  // normals at the last step, and of new contacts; zero: none
var<private> foot_normal: array<vec3<f32>, 4>;
var<private> foot_overlap: array<f32, 4>;
var<private> foot_weight: array<f32, 4>;
var<private> foot_depth: f32;                  // radius less the distance of the closest point

// The slot of `normal`: the known one most alike, else the first of those free (a bit each), else SLOTS.
fn foot_slot(normal: vec3<f32>, free: u32) -> u32 {
    var best = SLOTS;
    var likeness = ALIKE;
    for (var k = 0u; k < SLOTS; k++) {
        let like = dot(foot_known[k], normal);
        best = select(best, k, like > likeness);
        likeness = max(likeness, like);
    }
    return select(best, min(countTrailingZeros(free), SLOTS), best == SLOTS);
}

// Slots without a known normal that are not taken.
fn foot_free(taken: u32) -> u32 {
    var free = 0u;
    for (var k = 0u; k < SLOTS; k++) {
        free |= select(0u, 1u << k, dot(foot_known[k], foot_known[k]) == 0.0);
    }
    return free & ~taken;
}

// Facets that face alike make one contact: weight x overlap x normal = sum of share x (R - h) x normal; its weight is the
// sum of the shares, of a facet that is less deep than the closest point in proportion to that: it joins without a jump.
fn foot_by_area(body: u32, radius: f32, first: u32, last: u32) {
    for (var e = 0u; e < min(last - first, FACETS_MAX); e++) {
        let f = facet_of(surface_list[first + e], body, radius);
        // It counts from both sides: a centre on a facet, which is not a contact any more, is deep in the surface.
        foot_depth = max(foot_depth, facet_feature(f, radius).overlap);
    }
    for (var e = 0u; e < min(last - first, FACETS_MAX) && foot_depth > 0.0; e++) {
        let f = facet_of(surface_list[first + e], body, radius);
        if (f.above < radius && facet_feature(f, radius).overlap > 0.0) {
            let share = facet_share(f, radius);
            let k = min(foot_slot(f.normal, foot_free(0u)), SLOTS - 1u);
            let fresh = dot(foot_known[k], foot_known[k]) == 0.0;
            foot_known[k] = select(foot_known[k], f.normal, fresh);
            foot_normal[k] += (share * f.above) * f.normal;
            foot_weight[k] += share * min(f.above / (WHOLE * foot_depth), 1.0);
        }
    }
    foot_close();
}

// Normals and overlaps from the sums.
fn foot_close() {
    for (var k = 0u; k < SLOTS; k++) {
        let size = length(foot_normal[k]);
        foot_overlap[k] = size / max(foot_weight[k], 1.0e-30);
        foot_normal[k] = foot_normal[k] / max(size, 1.0e-30);
    }
}

// Part of a closest point's overlap that the deeper contact `a` does not account for: points of the plane across `a`
// account for nothing, and a plane that turns away from it by less than the sphere's cap for what it reaches beyond that.
fn beyond(m: Feature, a: Feature, radius: f32) -> f32 {
    let apart = m.towards - a.towards;
    let cosine = dot(m.towards, a.towards);
    let behind = (radius - a.overlap) * 0.5 * dot(apart, apart) / max(cosine, 1.0e-6);
    return select(3.0e38, m.overlap - a.overlap + behind, cosine > 0.0);
}

// A contact at every closest point that no deeper one accounts for, the deepest first.
fn foot_by_feature(body: u32, radius: f32, first: u32, last: u32) {
    var chosen: array<Feature, 4>;
    var entry: array<u32, 4>;
    var taken = 0u;
    for (var c = 0u; c < SLOTS; c++) {
        var most = 0.0;
        for (var e = 0u; e < min(last - first, FACETS_MAX); e++) {
            let f = facet_of(surface_list[first + e], body, radius);
            let m = facet_feature(f, radius);
            foot_depth = max(foot_depth, m.overlap); // as above
            var left = select(0.0, m.overlap, f.above < radius);
            for (var a = 0u; a < min(c, SLOTS); a++) {
                left = select(min(left, beyond(m, chosen[a], radius) - SLACK * m.overlap), 0.0, entry[a] == e);
            }
            if (left > most) {
                most = left;
                chosen[c] = m;
                entry[c] = e;
            }
        }
        if (most <= 0.0) {
            break;
        }
        taken = foot_take(chosen[c], most, taken);
    }
}

// Adds a contact at a closest point, of which `most` is left, to those taken (a bit each), and returns which are taken
// then.
fn foot_take(m: Feature, most: f32, taken: u32) -> u32 {
    foot_depth = max(foot_depth, m.overlap);
    let open = foot_slot(m.towards, foot_free(taken));
    let k = select(open, countTrailingZeros(~taken), open == SLOTS);
    foot_normal[k] = m.towards;
    foot_overlap[k] = m.overlap;
    foot_weight[k] = most / m.overlap;
    foot_known[k] = vec3<f32>(0.0);
    return taken | (1u << k);
}
