// Planes as the passes see them. The pass that imports this binds `wall_plane`, five rows a plane: point low words,
// material; point high, the step at which it stands; velocity low; velocity high; normal in 2^-30. The last of the three
// rows of velocity and normal: the displacement window before the step, x, y, z, which no kick has changed yet.

fn wall_normal(plane: u32) -> vec3<f32> {
    return vec3<f32>(bitcast<vec3<i32>>(wall_plane[plane + 4u].xyz)) * 9.313225746154785e-10;
}

// Displacement window of a wall before the step.
fn wall_motion(plane: u32) -> vec3<u32> {
    return vec3<u32>(wall_plane[plane + 2u].w, wall_plane[plane + 3u].w, wall_plane[plane + 4u].w);
}
