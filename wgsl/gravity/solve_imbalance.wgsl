import package::state::gravity::{Balance, Branch, Imbalance};
import package::math::reduce::{reduce_sums};

// The correction a -> a - |a|^2 (b + omega x arm) that leaves neither net force nor net torque, arms about the middle of all
// weights. The weight |a|^2 keeps it small against every body's own acceleration: a correction by a rigid motion would drown
// that of bodies far out.
// One workgroup.
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_partial: array<Imbalance>;
var<storage, read_write> tree_balance: Balance;

const LINE: f32 = 1.0e-3;        // volume of the moments over the cube of their trace: below it they are those of a line
const RUNS_MAX: u32 = 524288u; // of 1,024 bodies: as many as keys count

// The symmetric matrix of this diagonal and these products xy, xz, yz.
fn symmetric(d: vec3<f32>, c: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(vec3<f32>(d.x, c.x, c.y), vec3<f32>(c.x, d.y, c.z), vec3<f32>(c.y, c.z, d.z));
}

fn volume(m: mat3x3<f32>) -> f32 {
    return dot(m[0], cross(m[1], m[2]));
}

// Solves I omega = torque. About a line on which nearly all the weight lies there is next to no rotation: a thousandth of the
// moments is added to those about all axes.
fn angular(torque: vec3<f32>, squares: vec3<f32>, products: vec3<f32>) -> vec3<f32> {
    let trace = squares.x + squares.y + squares.z;
    let scale = 1.0 / max(trace, 1.0e-30);
    let d = (trace - squares) * scale;
    let line = volume(symmetric(d, -products * scale)) < LINE;
    let m = symmetric(d + select(0.0, LINE, line), -products * scale);
    let solved = torque.x * cross(m[1], m[2]) + torque.y * cross(m[2], m[0]) + torque.z * cross(m[0], m[1]);
    let some = trace > 1.0e-30;
    return select(vec3<f32>(0.0), solved * scale / select(1.0, volume(m), some), some);
}

// Moments about the middle of all weights, of one run about its own.
fn about(partial: array<vec4<f32>, 5>, middle: vec3<f32>) -> array<vec4<f32>, 5> {
    let arm = partial[4].xyz - middle;
    let weight = partial[4].w;
    return array<vec4<f32>, 5>(
        partial[0],
        partial[1] + vec4<f32>(cross(arm, partial[0].xyz), 0.0),
        partial[2] + weight * vec4<f32>(arm * arm, 0.0),
        partial[3] + weight * vec4<f32>(arm.xxy * arm.yzz, 0.0),
        vec4<f32>(0.0, 0.0, 0.0, weight),
    );
}

@compute @workgroup_size(64)
fn solve_imbalance(@builtin(local_invocation_index) l: u32) {
    let runs = min((tree_branch[0].count + 1023u) / 1024u, RUNS_MAX);
    var arms = array<vec4<f32>, 5>();
    for (var p = l; p < runs; p += 64u) {
        let weighed = tree_partial[p].sums[4];
        arms[0] += weighed.w * vec4<f32>(weighed.xyz, 1.0);
    }
    let first = reduce_sums(l, arms)[0];
    let middle = first.xyz / max(first.w, 1.0e-30);
    workgroupBarrier();
    var sums = array<vec4<f32>, 5>();
    for (var p = l; p < runs; p += 64u) {
        let moved = about(tree_partial[p].sums, middle);
        // written out: a loop in this one would pass the turns that software devices grant
        sums[0] += moved[0];
        sums[1] += moved[1];
        sums[2] += moved[2];
        sums[3] += moved[3];
        sums[4] += moved[4];
    }
    let total = reduce_sums(l, sums);
    if l == 0u {
        let force = total[0].xyz;
        let omega = angular(total[1].xyz, total[2].xyz, total[3].xyz);
        let share = length(force) / max(total[0].w, 1.0e-30);
        tree_balance = Balance(force / max(total[4].w, 1.0e-30), share, omega, 0u, middle, 0u);
    }
}
