import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide::{f32_from64};

import package::state::wall::{WallState};

var<storage, read> wall_plane: array<WallState>;

fn wall_velocity_along(plane: u32, axis: u32) -> f32 {
    return f32_from64(vec2<u32>(wall_plane[plane].velocity_low[axis], wall_plane[plane].velocity_high[axis])) * DISPLACEMENT_UNIT;
}

// Free velocity of a wall, with the kick of its servo.
fn wall_velocity(plane: u32) -> vec3<f32> {
    return vec3<f32>(wall_velocity_along(plane, 0u), wall_velocity_along(plane, 1u), wall_velocity_along(plane, 2u));
}
