import package::shared::position::{DISPLACEMENT_UNIT};
import package::shared::wide::{sub64, f32_from64};

// The pass that imports this binds `body_state` and `wall_plane`.

// Free velocity of a body less that of a plane.
fn wall_apart(body: u32, plane: u32, axis: u32) -> f32 {
    let s = 16u * body + 6u + 2u * axis;
    let wall = vec2<u32>(wall_plane[plane + 2u][axis], wall_plane[plane + 3u][axis]);
    return f32_from64(sub64(vec2<u32>(body_state[s], body_state[s + 1u]), wall)) * DISPLACEMENT_UNIT;
}
