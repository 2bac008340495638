import package::math::wide::{add64, fixed_from_f32};
import package::contact_dynamics::plane::{scale_q30};

// The pass that imports this binds `wall_plane` for writing.

// Component `axis` of a wall's velocity with `change` more along its normal [L/T]: one number for all axes, so that a
// plate keeps to its normal.
fn wall_changed(plane: u32, axis: u32, change: f32) -> vec2<u32> {
    let part = scale_q30(fixed_from_f32(change, 58), bitcast<i32>(wall_plane[plane + 4u][axis]));
    return add64(vec2<u32>(wall_plane[plane + 2u][axis], wall_plane[plane + 3u][axis]), part);
}

fn put_velocity(plane: u32, axis: u32, velocity: vec2<u32>) {
    wall_plane[plane + 2u][axis] = velocity.x;
    wall_plane[plane + 3u][axis] = velocity.y;
}
