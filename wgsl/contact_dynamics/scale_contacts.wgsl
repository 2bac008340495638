import package::state::control::{Control};
import package::contact_dynamics::dynamics::{FRAME_ROWS};
import package::contact_dynamics::opposes::{turns, opposes, diagonal_of};
import package::math::dispatch::{linear_id};

// Step lengths of a contact, normal and tangential, in the metric that splits the bodies' masses; and the diagonal of
// the Delassus operator, in which the residual is measured.
var<storage, read> control: Control;
var<storage, read> contact_body: array<vec4<u32>>;
var<storage, read> contact_frame: array<vec4<f32>>;
var<storage, read> body_split: array<f32>;
var<storage, read_write> contact_scale: array<vec4<f32>>;

@compute @workgroup_size(64)
fn scale_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, n, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    let normal = contact_frame[FRAME_ROWS * c].xyz;
    let one = diagonal_of(opposes(body.x, turns(body.x, contact_frame[FRAME_ROWS * c + 1u].xyz, normal)));
    let other = diagonal_of(opposes(body.y, turns(body.y, contact_frame[FRAME_ROWS * c + 2u].xyz, normal)));
    contact_scale[c] = vec4<f32>(1.0 / (body_split[body.x] * one + body_split[body.y] * other), one + other);
}
