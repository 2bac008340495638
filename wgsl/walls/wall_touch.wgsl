import package::math::wide::{sub64, neg64, shift_right64, f32_from64};
import package::math::wide3::{Wide3};
import package::math::position::{separation, radius64, POSITION_UNIT, WINDOW_SHIFT};
import package::math::plane::{plane_height, direction};
import package::state::wall::{WallState};
import package::walls::wall::{wall_normal, wall_is_block};
import package::walls::wall_gap::{wall_gap, wall_offset};

var<storage, read> wall_plane: array<WallState>;

struct WallTouch {
    normal: vec3<f32>, // towards the body
    gap: f32,          // [L]
}

struct Beyond {
    out: vec2<u32>, // beyond the face [2^-38 L]
    side: f32,      // of which face, 1 or -1
}

// How far a centre, `d` from the middle of a block, lies beyond the nearer of its faces across `axis`, which are
// `half` from the middle.
fn beyond_face(d: Wide3, axis: vec3<i32>, half: vec2<u32>) -> Beyond {
    let height = plane_height(d, axis);
    let below = (height.y >> 31u) == 1u;
    return Beyond(sub64(select(height, neg64(height), below), half), select(1.0, -1.0, below));
}

// The same in windows of 2^-30 L, from 0 to 1 L: farther bodies touch nothing.
fn out_window(out: vec2<u32>) -> i32 {
    let window = shift_right64(out, WINDOW_SHIFT);
    let far = bitcast<i32>(window.y) > 0 || window.x > 1073741824u;
    return select(select(bitcast<i32>(window.x), 1073741824, far), 0, bitcast<i32>(window.y) < 0);
}

// Sphere and block: the closest point of a face, an edge or a corner; of a centre inside the nearest face. Over a face the
// gap is a plane's, exact; over an edge it comes from an integer split, as between bodies.
fn block_touch(body: u32, radius: f32, plane: u32, step: u32) -> WallTouch {
    let d = wall_offset(body, plane, step);
    let low = wall_plane[plane].half_low;
    let high = wall_plane[plane].half_high;
    let x = beyond_face(d, wall_plane[plane].normal, vec2<u32>(low.x, high.x));
    let y = beyond_face(d, wall_plane[plane].axis_x, vec2<u32>(low.y, high.y));
    let z = beyond_face(d, wall_plane[plane].axis_y, vec2<u32>(low.z, high.z));
    let window = vec3<i32>(out_window(x.out), out_window(y.out), out_window(z.out));
    let sphere = radius64(radius);
    let flat = vec3<f32>(f32_from64(sub64(x.out, sphere)), f32_from64(sub64(y.out, sphere)), f32_from64(sub64(z.out, sphere))) * POSITION_UNIT;
    let most = max(flat.x, max(flat.y, flat.z));
    let first = vec3<f32>(select(0.0, 1.0, flat.x == most), select(0.0, 1.0, flat.x < most && flat.y == most), select(0.0, 1.0, max(flat.x, flat.y) < most));
    let round = separation(window, vec3<f32>(0.0), radius);
    let faces = select(0u, 1u, window.x > 0) + select(0u, 1u, window.y > 0) + select(0u, 1u, window.z > 0);
    let local = select(round.normal, first, faces < 2u) * vec3<f32>(x.side, y.side, z.side);
    let along = local.x * wall_normal(plane);
    let normal = along + local.y * direction(wall_plane[plane].axis_x) + local.z * direction(wall_plane[plane].axis_y);
    return WallTouch(normal, select(round.gap, most, faces < 2u));
}

// Gap and normal of a sphere at a wall.
fn wall_touch(body: u32, radius: f32, plane: u32, step: u32) -> WallTouch {
    var touch: WallTouch;
    if (wall_is_block(plane)) {
        touch = block_touch(body, radius, plane, step);
    } else {
        touch.normal = wall_normal(plane);
        touch.gap = wall_gap(body, radius, plane, step);
    }
    return touch;
}
