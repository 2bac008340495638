import package::state::pair::{WallResult};
import package::state::params::{Params};
import package::state::control::{FAULT_LISTED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::state::facet::{FacetMeeting, Listed};
import package::surface::footprint::{SLOTS, foot_add, foot_close, foot_contact, foot_depth, foot_free, foot_known, foot_left, foot_slot, foot_take, foot_weight, normals_before};
import package::surface::four::{four_at, four_dot, four_is, four_with};
import package::surface::surface_touch::{touch_all, watch};
import package::math::dispatch::{linear_id};

// As apply_surface, for bodies that meet many facets: each has a workgroup, whose invocations share its facets. The contacts
// are the same as one invocation would find in the order of the list; sums are taken in a fixed tree.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_list: array<Listed>;
var<storage, read> surface_meeting: array<FacetMeeting>;
var<storage, read_write> wall_result: array<WallResult>;

const NONE: u32 = 0xffffffffu;
const WIDE_LANES: u32 = 256u;
const WIDE_SHARE_MAX: u32 = 800u; // facets of an invocation; `gpu::layout::control::LISTED` states the product

// What an invocation or all of them found most of, and at which index of the list.
struct Most {
    value: f32,
    index: u32,
}

var<workgroup> wide_sum: array<vec4<f32>, 256>;
var<workgroup> wide_most: array<Most, 256>;
var<workgroup> wide_law: u32;
var<private> known_from: vec4<u32>; // facet from which on a contact's direction is known
var<private> wide_first: u32;       // facets of this invocation: the first, how many
var<private> wide_share: u32;

fn sum_lanes(l: u32, value: vec4<f32>) -> vec4<f32> {
    workgroupBarrier();
    wide_sum[l] = value;
    for (var half = WIDE_LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (l < half) {
            wide_sum[l] += wide_sum[l + half];
        }
    }
    workgroupBarrier();
    return wide_sum[0];
}

fn more(a: Most, b: Most) -> bool {
    return a.value > b.value || (a.value == b.value && a.index < b.index);
}

// The most of all, of equals the first in the list.
fn most_of_lanes(l: u32, own: Most) -> Most {
    workgroupBarrier();
    wide_most[l] = own;
    for (var half = WIDE_LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (l < half) {
            let other = wide_most[l + half];
            if (more(other, wide_most[l])) {
                wide_most[l] = other;
            }
        }
    }
    workgroupBarrier();
    return wide_most[0];
}

// The contact that a facet at this index of the list joins: the one most alike of those known by then, else SLOTS.
fn slot_of(normal: vec3<f32>, index: u32) -> u32 {
    let like = four_dot(foot_known, normal);
    return foot_slot(select(vec4<f32>(0.0), like, known_from <= vec4<u32>(index)), 0u);
}

// The first facet that faces as no contact does opens the next.
fn open_slots(l: u32) {
    var share = wide_share;
    for (var k = 0u; k < SLOTS; k++) {
        var first = Most(0.0, NONE);
        for (var e = 0u; e < min(share, WIDE_SHARE_MAX); e++) {
            let index = wide_first + WIDE_LANES * e;
            let m = surface_meeting[index];
            foot_depth = max(foot_depth, m.overlap); // from both sides, as surface/footprint has it
            if (m.share >= 0.0 && first.index == NONE && slot_of(m.towards, index) == SLOTS) {
                first = Most(1.0, index);
            }
        }
        first = most_of_lanes(l, first);
        let free = countTrailingZeros(foot_free(foot_known));
        if (first.index != NONE && free < SLOTS) {
            foot_known = four_with(foot_known, free, vec4<f32>(surface_meeting[first.index].towards, 0.0));
            known_from = select(known_from, vec4<u32>(first.index), four_is(free));
        } else {
            share = 0u;
        }
    }
    foot_depth = most_of_lanes(l, Most(foot_depth, 0u)).value;
}

fn wide_by_area(b: u32, l: u32) {
    foot_known = normals_before(b);
    open_slots(l);
    for (var e = 0u; e < min(wide_share, WIDE_SHARE_MAX); e++) {
        let index = wide_first + WIDE_LANES * e;
        let m = surface_meeting[index];
        if (m.share >= 0.0) {
            foot_add(min(slot_of(m.towards, index), SLOTS - 1u), m);
        }
    }
    for (var k = 0u; k < SLOTS; k++) {
        foot_contact = four_with(foot_contact, k, sum_lanes(l, four_at(foot_contact, k)));
    }
    foot_weight = sum_lanes(l, foot_weight);
    foot_close();
}

fn wide_by_feature(b: u32, l: u32, radius: f32) {
    var taken = 0u;
    var share = wide_share;
    for (var c = 0u; c < SLOTS; c++) {
        var most = Most(0.0, NONE);
        for (var e = 0u; e < min(share, WIDE_SHARE_MAX); e++) {
            let index = wide_first + WIDE_LANES * e;
            let m = surface_meeting[index];
            foot_depth = max(foot_depth, m.overlap);
            let left = foot_left(vec4<f32>(m.towards, m.overlap), radius);
            if (left > most.value && m.above < radius) {
                most = Most(left, index);
            }
        }
        most = most_of_lanes(l, most);
        if (most.value > 0.0) {
            let m = surface_meeting[most.index];
            let best = vec4<f32>(m.towards, m.overlap);
            taken = foot_take(b, best, most.value, taken);
        } else {
            share = 0u;
        }
    }
    foot_depth = most_of_lanes(l, Most(foot_depth, 0u)).value;
}

@compute @workgroup_size(256)
fn apply_wide_surface(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, 0u, 1u);
    let running = k < params.wide_count && atomicLoad(&control.phase) != 0u;
    let row = select(0u, k, running);
    let b = surface_list[row].body;
    let first = surface_list[row].at - params.wide_count - 1u;
    let facets = select(0u, surface_list[row + 1u].at - surface_list[row].at, running);
    let radius = body_view[b].radius;
    wide_first = first + l;
    wide_share = (facets + WIDE_LANES - 1u - l) / WIDE_LANES;
    if (l == 0u) {
        wide_law = params.surface_law + atomicLoad(&control.zero);
        if (facets > WIDE_LANES * WIDE_SHARE_MAX) {
            atomicOr(&control.fault_contact, FAULT_LISTED);
            atomicMin(&control.fault_index, b);
        }
    }
    if (workgroupUniformLoad(&wide_law) == 1u) {
        wide_by_area(b, l);
    } else {
        wide_by_feature(b, l, radius);
    }
    let touched = wall_result[params.body_count * params.wall_count + b].overlap > 0.0;
    if (l == 0u && running) {
        if (foot_depth > 0.0 || touched) {
            touch_all(b, radius, l);
        }
        if (facets > 0u || touched) {
            watch(b, radius);
        }
    }
}
