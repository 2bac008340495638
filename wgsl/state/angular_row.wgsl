import package::math::wide3::{Wide3};

// Angular momentum of body `b` over its largest moment of inertia [2^-58 /T], in `body_angular`, which the pass that imports
// this binds.

fn angular_of(b: u32) -> Wide3 {
    let at = 6u * b;
    let x = vec2<u32>(body_angular[at], body_angular[at + 1u]);
    let y = vec2<u32>(body_angular[at + 2u], body_angular[at + 3u]);
    return Wide3(x, y, vec2<u32>(body_angular[at + 4u], body_angular[at + 5u]));
}

fn put_angular(b: u32, v: Wide3) {
    let at = 6u * b;
    body_angular[at] = v.x.x;
    body_angular[at + 1u] = v.x.y;
    body_angular[at + 2u] = v.y.x;
    body_angular[at + 3u] = v.y.y;
    body_angular[at + 4u] = v.z.x;
    body_angular[at + 5u] = v.z.y;
}
