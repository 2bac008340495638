import package::math::wide3::{fixed3};
import package::math::inertia_root::{inertia_root};
import package::state::body::{BodyInertia, BodyMoment, BodyState, BodyView, Orientation};

// What a step leaves of a body that is not a sphere.
var<storage, read_write> body_turn: array<Orientation>;
var<storage, read_write> body_state: array<BodyState>;
var<storage, read_write> body_view: array<BodyView>;
var<storage, read_write> body_inertia: array<BodyInertia>;

// Orientation, and what the next step needs of it.
fn leave_shape(b: u32, turn: vec4<i32>, q: vec4<f32>, spin: vec3<f32>, moment: BodyMoment) {
    body_turn[b].quaternion = turn;
    body_state[b].spin = fixed3(spin);
    body_view[b].spin = spin;
    let root = inertia_root(q, moment.relative * moment.largest);
    body_inertia[b] = BodyInertia(body_inertia[b].inverse_mass, root.diagonal.x, root.diagonal.y, root.diagonal.z, root.mixed, 0.0);
}
