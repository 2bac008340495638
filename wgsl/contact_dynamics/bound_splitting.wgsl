import package::state::contact::{ContactFrame};
import package::state::params::{Params};
import package::state::body::{BodyInertia};
import package::contact_dynamics::dynamics::{root_times, tangents};
import package::neighbours::incidence::{CONTACTS_MAX};
import package::math::dispatch::{linear_id};

// Spectral body counts: n_eff of every body, so that the Delassus operator is below the diagonal that splits the body's
// mass over its contacts n_eff times. With A = sum_c M^-1/2 H_c D_c^-1 H_c^T M^-1/2 / n, its largest eigenvalue is at
// most the 32nd root of the Frobenius norm of A^32, and that at most 6^(1/64) = 1.028 times the eigenvalue: one contact
// has three alike. It must be a bound, not an estimate: Jacobi needs it for each body. n itself is not a bound where
// arms are not along normals; a wall, which moves along its normal alone, has just n.
var<uniform> params: Params;
var<storage, read> body_contact_offset: array<u32>;
var<storage, read> body_contact: array<u32>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> body_inertia: array<BodyInertia>;
var<storage, read> contact_offset: array<u32>;
var<storage, read_write> body_split: array<f32>;

// A symmetric 6 x 6 in blocks: translation, both, rotation.
struct Blocks {
    moving: mat3x3<f32>,
    mixed: mat3x3<f32>,
    turning: mat3x3<f32>,
}

fn outer(a: vec3<f32>, b: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(a * b.x, a * b.y, a * b.z);
}

fn add_direction(sum: Blocks, moving: vec3<f32>, turning: vec3<f32>, weight: f32) -> Blocks {
    return Blocks(
        sum.moving + weight * outer(moving, moving),
        sum.mixed + weight * outer(moving, turning),
        sum.turning + weight * outer(turning, turning),
    );
}

fn squared(a: Blocks) -> Blocks {
    let across = transpose(a.mixed);
    return Blocks(
        a.moving * a.moving + a.mixed * across,
        a.moving * a.mixed + a.mixed * a.turning,
        across * a.mixed + a.turning * a.turning,
    );
}

fn squares(m: mat3x3<f32>) -> f32 {
    return dot(m[0], m[0]) + dot(m[1], m[1]) + dot(m[2], m[2]);
}

@compute @workgroup_size(64)
fn bound_splitting(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count + params.wall_count) {
        return;
    }
    if (b >= params.body_count) {
        let range = params.pair_capacity + (b - params.body_count) * params.part_count;
        body_split[b] = f32(max(contact_offset[range + params.part_count] - contact_offset[range], 1u));
        return;
    }
    let first = body_contact_offset[b];
    let last = body_contact_offset[b + 1u];
    let inertia = body_inertia[b];
    let zero = mat3x3<f32>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    var sum = Blocks(zero, zero, zero);
    for (var e = 0u; e < min(max(last, first) - first, CONTACTS_MAX); e++) {
        let side = body_contact[first + e];
        let normal = contact_frame[side >> 1u].normal;
        let arm = contact_frame[side >> 1u].sides[side & 1u].arm;
        let across = tangents(normal);
        let turn_n = root_times(inertia, cross(arm, normal));
        let turn_t = root_times(inertia, cross(arm, across[0]));
        let turn_s = root_times(inertia, cross(arm, across[1]));
        let own_n = 1.0 / (inertia.inverse_mass + dot(turn_n, turn_n));
        let own_t = 1.0 / (inertia.inverse_mass + 0.5 * (dot(turn_t, turn_t) + dot(turn_s, turn_s)));
        let root = sqrt(inertia.inverse_mass);
        sum = add_direction(sum, root * normal, turn_n, own_n);
        sum = add_direction(sum, root * across[0], turn_t, own_t);
        sum = add_direction(sum, root * across[1], turn_s, own_t);
    }
    let count = f32(max(last - first, 1u));
    let scale = 1.0 / count;
    var power = Blocks(scale * sum.moving, scale * sum.mixed, scale * sum.turning);
    for (var k = 0u; k < 5u; k++) {
        power = squared(power);
    }
    let norm = sqrt(squares(power.moving) + 2.0 * squares(power.mixed) + squares(power.turning));
    body_split[b] = max(1.0, count * sqrt(sqrt(sqrt(sqrt(sqrt(norm))))));
}
