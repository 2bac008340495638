import package::state::pair::{WallResult};
import package::state::params::{Params};
import package::state::control::{FAULT_LISTED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::surface::facet::{facet_of, facet_feature, Feature};
import package::surface::circle::{facet_share};
import package::surface::footprint::{ALIKE, SLACK, SLOTS, WHOLE, beyond, foot_close, foot_depth, foot_free, foot_known, foot_normal, foot_take, foot_weight};
import package::surface::surface_touch::{remember, touch_all, watch};
import package::math::dispatch::{linear_id};

// As apply_surface, for bodies that meet many facets: each has a workgroup, whose invocations share its facets. The contacts
// are the same as one invocation would find in the order of the list; sums are taken in a fixed tree.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> surface_list: array<u32>;
var<storage, read_write> wall_result: array<WallResult>;

const WIDE_LANES: u32 = 256u;
const WIDE_SHARE_MAX: u32 = 800u; // facets of an invocation; `gpu::layout::control::LISTED` states the product
const NONE: u32 = 0xffffffffu;

// What an invocation or all of them found most of, and at which index of the list.
struct Most {
    value: f32,
    index: u32,
}

var<workgroup> wide_sum: array<vec4<f32>, 256>;
var<workgroup> wide_most: array<Most, 256>;
var<workgroup> wide_law: u32;
var<private> known_from: array<u32, 4>; // index from which on a contact's direction is known
var<private> wide_first: u32;           // facets of this invocation: the first, how many
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
    var best = SLOTS;
    var likeness = ALIKE;
    for (var k = 0u; k < SLOTS; k++) {
        let like = select(0.0, dot(foot_known[k], normal), known_from[k] <= index);
        best = select(best, k, like > likeness);
        likeness = max(likeness, like);
    }
    return best;
}

// The first facet that faces as no contact does opens the next.
fn open_slots(l: u32, body: u32, radius: f32) {
    var share = wide_share;
    for (var k = 0u; k < SLOTS; k++) {
        var first = Most(0.0, NONE);
        for (var e = 0u; e < min(share, WIDE_SHARE_MAX); e++) {
            let index = wide_first + WIDE_LANES * e;
            let f = facet_of(surface_list[index], body, radius);
            let m = facet_feature(f, radius);
            let meets = f.above < radius && m.overlap > 0.0;
            foot_depth = max(foot_depth, m.overlap); // from both sides, as shared/footprint has it
            if (meets && first.index == NONE && slot_of(f.normal, index) == SLOTS) {
                first = Most(1.0, index);
            }
        }
        first = most_of_lanes(l, first);
        let free = countTrailingZeros(foot_free(0u));
        if (first.index != NONE && free < SLOTS) {
            foot_known[free] = facet_of(surface_list[first.index], body, radius).normal;
            known_from[free] = first.index;
        } else {
            share = 0u;
        }
    }
    foot_depth = most_of_lanes(l, Most(foot_depth, 0u)).value;
}

fn wide_by_area(l: u32, body: u32, radius: f32) {
    open_slots(l, body, radius);
    for (var e = 0u; e < min(wide_share, WIDE_SHARE_MAX); e++) {
        let index = wide_first + WIDE_LANES * e;
        let f = facet_of(surface_list[index], body, radius);
        if (f.above < radius && facet_feature(f, radius).overlap > 0.0) {
            let share = facet_share(f, radius);
            let k = min(slot_of(f.normal, index), SLOTS - 1u);
            foot_normal[k] += (share * f.above) * f.normal;
            foot_weight[k] += share * min(f.above / (WHOLE * foot_depth), 1.0);
        }
    }
    for (var k = 0u; k < SLOTS; k++) {
        let sum = sum_lanes(l, vec4<f32>(foot_normal[k], foot_weight[k]));
        foot_normal[k] = sum.xyz;
        foot_weight[k] = sum.w;
    }
    foot_close();
}

fn wide_by_feature(l: u32, body: u32, radius: f32) {
    var chosen: array<Feature, 4>;
    var entry: array<u32, 4>;
    var taken = 0u;
    var share = wide_share;
    for (var c = 0u; c < SLOTS; c++) {
        var most = Most(0.0, NONE);
        for (var e = 0u; e < min(share, WIDE_SHARE_MAX); e++) {
            let index = wide_first + WIDE_LANES * e;
            let f = facet_of(surface_list[index], body, radius);
            let m = facet_feature(f, radius);
            foot_depth = max(foot_depth, m.overlap);
            var left = select(0.0, m.overlap, f.above < radius);
            for (var a = 0u; a < min(c, SLOTS); a++) {
                left = select(min(left, beyond(m, chosen[a], radius) - SLACK * m.overlap), 0.0, entry[a] == index);
            }
            if (left > most.value) {
                most = Most(left, index);
            }
        }
        most = most_of_lanes(l, most);
        if (most.value > 0.0) {
            chosen[c] = facet_feature(facet_of(surface_list[most.index], body, radius), radius);
            entry[c] = most.index;
            taken = foot_take(chosen[c], most.value, taken);
        } else {
            share = 0u;
        }
    }
    foot_depth = most_of_lanes(l, Most(foot_depth, 0u)).value;
}

@compute @workgroup_size(256)
fn apply_wide_surface(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, n, 0u, 1u);
    let running = k < params.wide_count && atomicLoad(&control.phase) != 0u;
    let row = 2u * select(0u, k, running);
    let b = surface_list[row];
    let first = surface_list[row + 1u];
    let facets = select(0u, surface_list[row + 3u] - first, running);
    let radius = body_view[b].radius;
    wide_first = first + l;
    wide_share = (facets + WIDE_LANES - 1u - l) / WIDE_LANES;
    remember(b);
    if (l == 0u) {
        wide_law = params.surface_law + atomicLoad(&control.zero);
        if (facets > WIDE_LANES * WIDE_SHARE_MAX) {
            atomicOr(&control.fault_contact, FAULT_LISTED);
            atomicMin(&control.fault_index, b);
        }
    }
    if (workgroupUniformLoad(&wide_law) == 1u) {
        wide_by_area(l, b, radius);
    } else {
        wide_by_feature(l, b, radius);
    }
    let touched = wall_result[params.body_count * params.wall_count + b].overlap > 0.0;
    if (l == 0u && running) {
        if (foot_depth > 0.0 || touched) {
            touch_all(b, radius);
        }
        if (facets > 0u || touched) {
            watch(b, radius);
        }
    }
}
