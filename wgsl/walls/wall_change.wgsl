import package::math::wide::{add64, fixed_from_f32};
import package::math::plane::{scale_q30};

import package::state::wall::{WallState};

var<storage, read_write> wall_plane: array<WallState>;

// Component `axis` of a wall's velocity with `change` more along its normal [L/T]: one number for all axes, so that a
// plate keeps to its normal.
fn wall_changed(plane: u32, axis: u32, change: f32) -> vec2<u32> {
    let part = scale_q30(fixed_from_f32(change, 58), wall_plane[plane].normal[axis]);
    return add64(vec2<u32>(wall_plane[plane].velocity_low[axis], wall_plane[plane].velocity_high[axis]), part);
}

fn put_velocity(plane: u32, axis: u32, velocity: vec2<u32>) {
    wall_plane[plane].velocity_low[axis] = velocity.x;
    wall_plane[plane].velocity_high[axis] = velocity.y;
}
