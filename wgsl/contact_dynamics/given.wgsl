import package::state::contact::{ContactImpulse};

// The impulse of a contact, or the guess of it.
var<storage, read> contact_impulse: array<ContactImpulse>;

fn given(c: u32, guess: bool) -> vec3<f32> {
    if (guess) {
        return contact_impulse[c].guess;
    }
    return contact_impulse[c].impulse;
}
