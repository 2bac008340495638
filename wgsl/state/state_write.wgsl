import package::math::wide3::{Wide3};

// The three axes from word `at` of `body_state` on, which the pass that imports this binds.
fn put_state3(at: u32, v: Wide3) {
    body_state[at] = v.x.x;
    body_state[at + 1u] = v.x.y;
    body_state[at + 2u] = v.y.x;
    body_state[at + 3u] = v.y.y;
    body_state[at + 4u] = v.z.x;
    body_state[at + 5u] = v.z.y;
}
