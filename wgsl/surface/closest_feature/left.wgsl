import package::surface::footprint::{SLOTS, foot_free, foot_slot, normals_before};
import package::surface::four::{Four, four_dot, four_with};

// A contact at every closest point that no deeper one accounts for, the deepest first.
const SLACK: f32 = 0.02; // share of an overlap that must be left: rounding makes no contact

var<private> foot_contact: Four; // so far: normal and overlap

// How far the plane across the contact `a` lies behind the sphere in the direction of a closest point, less how far it lies
// behind at `a`. Closest points are unit vectors to the centre, and overlaps.
fn behind(m: vec4<f32>, a: vec4<f32>, radius: f32) -> f32 {
    let apart = m.xyz - a.xyz;
    let cosine = dot(m.xyz, a.xyz);
    return select(3.0e37, (radius - a.w) * 0.5 * dot(apart, apart) / max(cosine, 1.0e-6), cosine > 0.0);
}

// Part of a closest point's overlap that the deeper contact `a` does not account for: points of the plane across `a`
// account for nothing, and a plane that turns away from it by less than the sphere's cap for what it reaches beyond that.
fn beyond(m: vec4<f32>, a: vec4<f32>, radius: f32) -> f32 {
    return m.w - a.w + behind(m, a, radius);
}

// Part of its weight that a closest point keeps beside the contact `a`. On the circle in which the plane across `a` cuts the
// sphere (`behind` = overlap) it is the ratio of the elastic energies: what is barely reached there belongs to the same
// contact, whose cohesion and damping count once. Where two such circles lie beside each other (`behind` = four overlaps) it
// is 1, as it is beside an empty slot.
fn foot_kept(m: vec4<f32>, a: vec4<f32>, radius: f32) -> f32 {
    // bounded first: a quotient beyond f32 may be anything
    let bounded = clamp(behind(m, a, radius), a.w, 4.0 * a.w);
    let away = (bounded - a.w) / max(3.0 * a.w, 1.0e-30);
    let near = min(m.w / max(a.w, 1.0e-30), 1.0);
    return near * near + (1.0 - near * near) * away;
}

// The weight of a contact at a closest point of whose overlap so much is left.
fn foot_weight(m: vec4<f32>, left: f32, radius: f32) -> f32 {
    let so_far = foot_contact;
    let two = min(foot_kept(m, so_far.a, radius), foot_kept(m, so_far.b, radius));
    let kept = min(two, min(foot_kept(m, so_far.c, radius), foot_kept(m, so_far.d, radius)));
    return kept * left / m.w;
}

// What the contacts leave of a closest point's overlap; those still empty leave all, and a contact nothing of its own.
fn foot_left(m: vec4<f32>, radius: f32) -> f32 {
    let so_far = foot_contact;
    let near = min(min(beyond(m, so_far.a, radius), beyond(m, so_far.b, radius)), min(beyond(m, so_far.c, radius), beyond(m, so_far.d, radius)));
    return min(m.w, near - SLACK * m.w);
}

// Adds a contact at a closest point to those taken (a bit each), and returns its slot.
fn foot_take(b: u32, m: vec4<f32>, taken: u32) -> u32 {
    // read for each: held over the search they cost registers
    let known = normals_before(b);
    let is_taken = (vec4<u32>(taken) & vec4<u32>(1u, 2u, 4u, 8u)) != vec4<u32>(0u);
    let like = select(four_dot(known, m.xyz), vec4<f32>(0.0), is_taken);
    let open = foot_slot(like, foot_free(known) & ~taken);
    let k = select(open, countTrailingZeros(~taken), open == SLOTS);
    foot_contact = four_with(foot_contact, k, m);
    return k;
}
