import package::state::contact::{ContactFrame};
import package::state::body::{BodyInertia, BodyPush};
import package::contact_dynamics::dynamics::{root_times};
import package::contact_dynamics::given::{given};
import package::math::turns::{turns, TURNS_MAX};

// Velocity and spin that impulses, or guesses, give a body: summed afresh from its list, so that f32 rounding does not add
// up over iterations, in the list's order, so that every run sums alike. Walls have no list and stay.
var<storage, read> body_contact_offset: array<u32>;
var<storage, read> body_contact: array<u32>;
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> body_inertia: array<BodyInertia>;

fn pushed(b: u32, of_guesses: bool) -> BodyPush {
    var force = vec3<f32>(0.0);
    var torque = vec3<f32>(0.0);
    let first = body_contact_offset[b];
    let last = body_contact_offset[b + 1u];
    // Walls have no list, and lanes beyond all bodies read whatever is there: a count below zero would be very large.
    for (var e = 0u; e < max(last, first) - first && turns < TURNS_MAX; e++) {
        turns += 1u;
        let side = body_contact[first + e];
        let contact = side >> 1u;
        var p = given(contact, of_guesses);
        p = select(p, -p, (side & 1u) == 1u);
        force += p;
        torque += cross(contact_frame[contact].sides[side & 1u].arm, p);
    }
    let inertia = body_inertia[b];
    let turning = root_times(inertia, root_times(inertia, torque));
    return BodyPush(inertia.inverse_mass * force, 0.0, turning);
}
