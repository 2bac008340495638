import package::state::control::{Control};
import package::state::contact::{ContactBody, ContactFrame, ContactScale};
import package::contact_dynamics::opposes::{turns, opposes, diagonal_of};
import package::math::dispatch::{linear_id};

// Step lengths of a contact, normal and tangential, in the metric that splits the bodies' masses; and the diagonal of
// the Delassus operator, in which the residual is measured.
var<storage, read> control: Control;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> body_split: array<f32>;
var<storage, read_write> contact_scale: array<ContactScale>;

@compute @workgroup_size(64)
fn scale_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    let normal = contact_frame[c].normal;
    let one = diagonal_of(opposes(body.i, turns(body.i, contact_frame[c].sides[0].arm, normal)));
    let other = diagonal_of(opposes(body.j, turns(body.j, contact_frame[c].sides[1].arm, normal)));
    contact_scale[c] = ContactScale(1.0 / (body_split[body.i] * one + body_split[body.j] * other), one + other);
}
