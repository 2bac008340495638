import package::state::control::{Control};
import package::state::contact::{ContactBody, ContactFrame, ContactScale};
import package::contact_dynamics::opposes::{turns, opposes, diagonal_of};
import package::math::dispatch::{linear_id};

// As scale_contacts, for Gauss-Seidel, which splits nothing. Its momentum asks for a bound of the contact's own block, of
// which the diagonal falls short where its directions are coupled, as they are for bodies other than spheres.
var<storage, read> control: Control;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read_write> contact_scale: array<ContactScale>;

// The largest eigenvalue of D^-1/2 W D^-1/2 is at most this: the lesser of the largest sum of a row (exact without
// coupling) and the eighth root of the Frobenius norm of the eighth power (never far above); 1 where D holds as it is.
fn coupling(block: mat3x3<f32>, diagonal: vec2<f32>) -> f32 {
    let root = inverseSqrt(diagonal.xyy);
    let scaled = mat3x3<f32>(block[0] * root * root.x, block[1] * root * root.y, block[2] * root * root.z);
    let sums = abs(scaled[0]) + abs(scaled[1]) + abs(scaled[2]);
    let second = scaled * scaled;
    let fourth = second * second;
    let eighth = fourth * fourth;
    let norm = sqrt(dot(eighth[0], eighth[0]) + dot(eighth[1], eighth[1]) + dot(eighth[2], eighth[2]));
    return max(1.0, min(max(sums.x, max(sums.y, sums.z)), sqrt(sqrt(sqrt(norm)))));
}

@compute @workgroup_size(64)
fn scale_sweeps(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    let normal = contact_frame[c].normal;
    let block = opposes(body.i, turns(body.i, contact_frame[c].sides[0].arm, normal))
        + opposes(body.j, turns(body.j, contact_frame[c].sides[1].arm, normal));
    let diagonal = diagonal_of(block);
    contact_scale[c] = ContactScale(1.0 / (coupling(block, diagonal) * diagonal), diagonal);
}
