import package::state::body::{BodyState};
import package::math::wide::{add64, sub64, f32_from64};
import package::math::wide96::{mul96_count, round96};
import package::math::wide3::{Wide3, minus3};
import package::math::position::{POSITION_UNIT, radius64};
import package::math::plane::{plane_height};
import package::state::wall::{WallState};

var<storage, read> body_state: array<BodyState>;
var<storage, read> wall_plane: array<WallState>;

// A coordinate of the wall's moving point after so many steps.
fn moved_on(low: u32, high: u32, velocity: vec2<u32>, steps: u32) -> vec2<u32> {
    // In 96 bits: 64 hold a displacement of 32 L alone.
    return add64(vec2<u32>(low, high), round96(mul96_count(velocity, steps), 20u));
}

// A body's centre less the wall's moving point.
fn wall_offset(body: u32, plane: u32, step: u32) -> Wide3 {
    let low = wall_plane[plane].point_low;
    let high = wall_plane[plane].point_high;
    let velocity_low = wall_plane[plane].velocity_low;
    let velocity_high = wall_plane[plane].velocity_high;
    let steps = step - wall_plane[plane].step;
    let x = moved_on(low.x, high.x, vec2<u32>(velocity_low.x, velocity_high.x), steps);
    let y = moved_on(low.y, high.y, vec2<u32>(velocity_low.y, velocity_high.y), steps);
    let z = moved_on(low.z, high.z, vec2<u32>(velocity_low.z, velocity_high.z), steps);
    return minus3(body_state[body].position, Wide3(x, y, z));
}

// Gap between a sphere and a plane [L], from exact differences.
fn wall_gap(body: u32, radius: f32, plane: u32, step: u32) -> f32 {
    let q = wall_plane[plane].normal;
    let height = plane_height(wall_offset(body, plane, step), q);
    return f32_from64(sub64(height, radius64(radius))) * POSITION_UNIT;
}
