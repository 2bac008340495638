import package::state::body::{BodyInertia, BodyPush};
import package::contact_dynamics::dynamics::{root_times};
import package::contact_dynamics::meeting::{cone_of, velocity_of};
import package::contact_dynamics::relax::{relaxed, residual};
import package::state::contact::{ColourEntry, ContactFrame, ContactImpulse, Residual};

// Projected Gauss-Seidel, one contact of it: it takes its step from the velocities as they are by now, and leaves in them what
// its impulse has changed.
var<storage, read> contact_frame: array<ContactFrame>;
var<storage, read> body_inertia: array<BodyInertia>;
var<storage, read_write> body_push: array<BodyPush>;
var<storage, read_write> contact_impulse: array<ContactImpulse>;

// Adds to a body's velocity and spin what the impulse gives it. `zero` is 0: rows are written where they were read, but compilers
// do not know it, and hold no address meanwhile.
fn push(body: u32, zero: u32, velocity: vec3<f32>, spin: vec3<f32>, arm: vec3<f32>, impulse: vec3<f32>) {
    let inertia = body_inertia[body];
    let torque = cross(arm, impulse);
    let turning = root_times(inertia, root_times(inertia, torque));
    body_push[body + zero] = BodyPush(velocity + inertia.inverse_mass * impulse, 0.0, spin + turning);
}

fn sweep(entry: ColourEntry, zero: u32, momentum: f32) {
    let c = entry.contact;
    let arm_i = contact_frame[c].sides[0].arm;
    let arm_j = contact_frame[c].sides[1].arm;
    let velocity_i = body_push[entry.i].velocity;
    let velocity_j = body_push[entry.j].velocity;
    let spin_i = body_push[entry.i].spin;
    let spin_j = body_push[entry.j].spin;
    let u = contact_frame[c].free + velocity_i - velocity_j + cross(spin_i, arm_i) - cross(spin_j, arm_j);
    let before = contact_impulse[c];
    let next = relaxed(before.impulse, before.guess, u, cone_of(c), entry.scale.step, momentum);
    contact_impulse[c + zero] = ContactImpulse(next.impulse, 0.0, next.guess, 0.0);
    push(entry.i, zero, velocity_i, spin_i, arm_i, next.impulse - before.guess);
    if (entry.moves == 1u) {
        push(entry.j, zero, velocity_j, spin_j, arm_j, before.guess - next.impulse);
    }
}

// What of a contact its impulse has left, in the velocities that the sweep has left.
fn residual_left(entry: ColourEntry) -> Residual {
    let c = entry.contact;
    let u = velocity_of(c, entry.i, entry.j);
    return residual(contact_impulse[c].impulse, u, cone_of(c), entry.scale.diagonal);
}
