import package::state::gravity::{Balance, Branch, Imbalance};
import package::math::reduce::{reduce_sums};

// The correction a -> a - |a|^2 (b + omega x arm) that leaves neither net force nor net torque. The weight |a|^2 keeps it
// small against every body's own acceleration: a correction by a rigid motion would drown that of bodies far out.
// One workgroup.
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_partial: array<Imbalance>;
var<storage, read_write> tree_balance: Balance;

const RUNS_MAX: u32 = 524288u; // of 1,024 bodies: as many as keys count

// Solves I omega = torque; no rotation about an axis on which nearly all the weight lies.
fn angular(torque: vec3<f32>, squares: vec3<f32>, products: vec3<f32>) -> vec3<f32> {
    let trace = squares.x + squares.y + squares.z;
    let scale = 1.0 / max(trace, 1.0e-30);
    let d = (trace - squares) * scale;
    let c = -products * scale;
    let x = vec3<f32>(d.x, c.x, c.y);
    let y = vec3<f32>(c.x, d.y, c.z);
    let z = vec3<f32>(c.y, c.z, d.z);
    let determinant = dot(x, cross(y, z));
    let sound = determinant > 1.0e-5;
    let solved = torque.x * cross(y, z) + torque.y * cross(z, x) + torque.z * cross(x, y);
    return select(vec3<f32>(0.0), solved * scale / select(1.0, determinant, sound), sound);
}

@compute @workgroup_size(64)
fn solve_imbalance(@builtin(local_invocation_index) l: u32) {
    var sums = array<vec4<f32>, 5>();
    let runs = (tree_branch[0].count + 1023u) / 1024u;
    for (var p = l; p < min(runs, RUNS_MAX); p += 64u) {
        for (var k = 0u; k < 5u; k++) {
            sums[k] += tree_partial[p].sums[k];
        }
    }
    let total = reduce_sums(l, sums);
    if l == 0u {
        let weight = max(total[2].w, 1.0e-30);
        let middle = total[2].xyz / weight;
        let force = total[0].xyz;
        let squares = total[3].xyz - weight * middle * middle;
        let products = total[4].xyz - weight * middle.xxy * middle.yzz;
        let omega = angular(total[1].xyz - cross(middle, force), squares, products);
        tree_balance = Balance(force / weight - cross(omega, middle), length(force) / max(total[0].w, 1.0e-30), omega);
    }
}
