import package::state::wall::{WallState};
import package::math::plane::{direction};

// What passes read of walls. `plane`: index of the wall.
var<storage, read> wall_plane: array<WallState>;

fn wall_normal(plane: u32) -> vec3<f32> {
    return direction(wall_plane[plane].normal);
}

// Displacement window of a wall before the step.
fn wall_motion(plane: u32) -> vec3<u32> {
    return vec3<u32>(wall_plane[plane].window_x, wall_plane[plane].window_y, wall_plane[plane].window_z);
}

fn wall_stands(plane: u32, step: u32) -> bool {
    return step < wall_plane[plane].end;
}

fn wall_turns(plane: u32) -> bool {
    return wall_plane[plane].turns != 0u;
}

fn wall_is_block(plane: u32) -> bool {
    return wall_plane[plane].is_block != 0u;
}
