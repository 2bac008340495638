import package::state::facet::{SurfaceTouch};
import package::surface::four::{Four, four_bits};

// What a sphere feels of all the facets that it meets: up to four contacts, each one normal, overlap and weight. Which they
// are, the modules in `area_weighted` or `closest_feature` say; a pipeline chooses one of the two. Private to an invocation.
// What a loop changes and leaves to what follows costs registers twice on NVIDIA GPUs with Mesa's compiler: loops change
// little.
var<storage, read_write> surface_touch: array<SurfaceTouch>; // SLOTS a body

const SLOTS: u32 = 4u;
const ALIKE: f32 = 0.70710678; // facets that face so much alike are one contact

var<private> foot_depth: f32; // radius less the distance of the closest point

// What each invocation has found, normal and overlap, and weight. In registers all contacts would be held while the law of one
// is evaluated.
var<workgroup> slot_contact: array<array<vec4<f32>, 64>, 4>;
var<workgroup> slot_weight: array<array<f32, 64>, 4>;

fn keep_contact(l: u32, k: u32, contact: vec4<f32>, weight: f32) {
    slot_contact[k][l] = contact;
    slot_weight[k][l] = weight;
}

fn keep_none(l: u32) {
    for (var k = 0u; k < SLOTS; k++) {
        keep_contact(l, k, vec4<f32>(0.0), 0.0);
    }
}

// Normal and overlap of the contact in slot k.
fn kept_contact(l: u32, k: u32) -> vec4<f32> {
    return slot_contact[k][l];
}

fn kept_weight(l: u32, k: u32) -> f32 {
    return slot_weight[k][l];
}

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
