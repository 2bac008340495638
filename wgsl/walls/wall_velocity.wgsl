import package::math::position::{DISPLACEMENT_UNIT};
import package::math::wide::{f32_from64};

// The pass that imports this binds `wall_plane`.

fn wall_velocity_along(plane: u32, axis: u32) -> f32 {
    return f32_from64(vec2<u32>(wall_plane[plane + 2u][axis], wall_plane[plane + 3u][axis])) * DISPLACEMENT_UNIT;
}

// Free velocity of a wall, with the kick of its servo.
fn wall_velocity(plane: u32) -> vec3<f32> {
    return vec3<f32>(wall_velocity_along(plane, 0u), wall_velocity_along(plane, 1u), wall_velocity_along(plane, 2u));
}
