import package::math::wide3::{fixed3};
import package::state::state_write::{put_state3};
import package::state::state_row::{STATE_WORDS, STATE_SPIN};
import package::math::inertia_root::{inertia_root};

// Orientation, and what the next step needs of it, of a body with these moments over the largest one (the last component).
// The pass that imports this binds `body_turn`, `body_state`, `body_view` and `body_inertia`.
fn leave_shape(b: u32, turn: vec4<i32>, q: vec4<f32>, spin: vec3<f32>, moment: vec4<f32>) {
    body_turn[b] = turn;
    put_state3(STATE_WORDS * b + STATE_SPIN, fixed3(spin));
    body_view[4u * b + 2u] = vec4<u32>(bitcast<vec3<u32>>(spin), body_view[4u * b + 2u].w);
    let root = inertia_root(q, moment.xyz * moment.w);
    body_inertia[2u * b] = vec4<f32>(body_inertia[2u * b].x, root.diagonal);
    body_inertia[2u * b + 1u] = vec4<f32>(root.mixed, 0.0);
}
