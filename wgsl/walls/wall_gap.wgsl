import package::math::wide::{add64, sub64, f32_from64};
import package::math::wide96::{mul96_count, round96};
import package::math::position::{POSITION_UNIT};
import package::contact_dynamics::plane::{plane_height};
import package::state::state_row::{STATE_WORDS};

import package::state::wall::{WallState};

var<storage, read> wall_plane: array<WallState>;

// Component `axis` of a body's centre less that of the wall's moving point.
fn wall_offset(body: u32, plane: u32, axis: u32, step: u32) -> vec2<u32> {
    let point = vec2<u32>(wall_plane[plane].point_low[axis], wall_plane[plane].point_high[axis]);
    let velocity = vec2<u32>(wall_plane[plane].velocity_low[axis], wall_plane[plane].velocity_high[axis]);
    let s = STATE_WORDS * body + 2u * axis;
    // In 96 bits: 64 hold a way of 32 L alone.
    let moved = round96(mul96_count(velocity, step - wall_plane[plane].step), 20u);
    return sub64(vec2<u32>(body_state[s], body_state[s + 1u]), add64(point, moved));
}

// Gap between a sphere and a plane [L], from exact differences.
fn wall_gap(body: u32, radius: f32, plane: u32, step: u32) -> f32 {
    let q = wall_plane[plane].normal;
    let height = plane_height(wall_offset(body, plane, 0u, step), wall_offset(body, plane, 1u, step), wall_offset(body, plane, 2u, step), q);
    let size = u32(radius * 16777216.0);
    return f32_from64(sub64(height, vec2<u32>(size << 14u, size >> 18u))) * POSITION_UNIT;
}
