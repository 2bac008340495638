import package::state::control::{Control};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::meeting::{cone_of, velocity_of};
import package::contact_dynamics::relax::{relaxed, residual, momentum_at};
import package::state::contact::{ContactBody, ContactImpulse, ContactScale, Residual};
import package::math::dispatch::{linear_id};

// One projected Jacobi step of every contact, from its guess and what all guesses together make of the bodies.
// pass_constants.x = 1: also the residual; 2: that alone, of the impulses that a sweep has left, in the velocities that it
// has left.
var<uniform> pass_constants: vec4<u32>;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> contact_body: array<ContactBody>;
var<storage, read> contact_scale: array<ContactScale>;
var<storage, read_write> contact_impulse: array<ContactImpulse>;
var<storage, read_write> contact_residual: array<Residual>;

@compute @workgroup_size(64)
fn relax_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= control.contact_count) {
        return;
    }
    let body = contact_body[c];
    let cone = cone_of(c);
    let scale = contact_scale[c];
    let u = velocity_of(c, body.i, body.j);
    let y = contact_impulse[c].guess;
    if (pass_constants.x < 2u) {
        let momentum = momentum_at(dynamics, control.iteration);
        let next = relaxed(contact_impulse[c].impulse, y, u, cone, scale.step, momentum);
        contact_impulse[c] = ContactImpulse(next.impulse, 0.0, next.guess, 0.0);
    }
    if (pass_constants.x > 0u) {
        contact_residual[c] = residual(select(y, contact_impulse[c].impulse, pass_constants.x == 2u), u, cone, scale.diagonal);
    }
}
