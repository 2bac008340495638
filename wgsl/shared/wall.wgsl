import package::shared::position::{motion_window};

// Planes as the passes see them. The pass that imports this binds `wall_plane`, five rows a plane: point low words,
// material; point high; velocity low; velocity high; normal in 2^-30.

fn wall_normal(plane: u32) -> vec3<f32> {
    return vec3<f32>(bitcast<vec3<i32>>(wall_plane[plane + 4u].xyz)) * 9.313225746154785e-10;
}

// Displacement window of a wall.
fn wall_motion(plane: u32) -> vec3<u32> {
    let low = wall_plane[plane + 2u];
    let high = wall_plane[plane + 3u];
    return vec3<u32>(
        motion_window(vec2<u32>(low.x, high.x)),
        motion_window(vec2<u32>(low.y, high.y)),
        motion_window(vec2<u32>(low.z, high.z)),
    );
}
