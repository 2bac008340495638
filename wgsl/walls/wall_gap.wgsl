import package::state::body::{BodyState};
import package::math::wide::{add64, sub64, f32_from64};
import package::math::wide96::{mul96_count, round96};
import package::math::wide3::{Wide3};
import package::math::position::{POSITION_UNIT};
import package::contact_dynamics::plane::{plane_height};

var<storage, read> body_state: array<BodyState>;
var<storage, read> wall_plane: array<vec4<u32>>;

// A body's centre less the wall's moving point.
fn wall_offset(body: u32, plane: u32, step: u32) -> Wide3 {
    let steps = step - wall_plane[plane + 1u].w;
    let here = body_state[body].position;
    return Wide3(
        sub64(here.x, wall_coordinate(plane, 0u, steps)),
        sub64(here.y, wall_coordinate(plane, 1u, steps)),
        sub64(here.z, wall_coordinate(plane, 2u, steps)),
    );
}

// Component `axis` of the wall's moving point after so many steps.
fn wall_coordinate(plane: u32, axis: u32, steps: u32) -> vec2<u32> {
    let point = vec2<u32>(wall_plane[plane][axis], wall_plane[plane + 1u][axis]);
    let velocity = vec2<u32>(wall_plane[plane + 2u][axis], wall_plane[plane + 3u][axis]);
    // In 96 bits: 64 hold a way of 32 L alone.
    return add64(point, round96(mul96_count(velocity, steps), 20u));
}

// Gap between a sphere and a plane [L], from exact differences.
fn wall_gap(body: u32, radius: f32, plane: u32, step: u32) -> f32 {
    let q = bitcast<vec3<i32>>(wall_plane[plane + 4u].xyz);
    let height = plane_height(wall_offset(body, plane, step), q);
    let size = u32(radius * 16777216.0);
    return f32_from64(sub64(height, vec2<u32>(size << 14u, size >> 18u))) * POSITION_UNIT;
}
