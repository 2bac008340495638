// How the invocations of a workgroup share the facets of one body, and bring together what each has found: in a fixed tree.
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
var<private> wide_first: u32; // where the body's facets begin
var<private> wide_share: u32; // how many this invocation has: every WIDE_LANES-th from its own place on

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
