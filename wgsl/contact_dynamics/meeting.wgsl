import package::state::body::{BodyPush};
import package::state::contact::{ContactFrame};
import package::contact_dynamics::relax::{Cone};

// Where bodies i and j meet in contact c: the cone that holds the impulse, and their relative velocity.
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> body_push: array<BodyPush>;

fn cone_of(c: u32) -> Cone {
    return Cone(contact_frame[c].normal, contact_frame[c].friction, contact_frame[c].sides[0].extra);
}

fn velocity_of(c: u32, i: u32, j: u32) -> vec3<f32> {
    return contact_frame[c].free
        + body_push[i].velocity - body_push[j].velocity
        + cross(body_push[i].spin, contact_frame[c].sides[0].arm) - cross(body_push[j].spin, contact_frame[c].sides[1].arm);
}
