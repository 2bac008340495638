// Walls as the passes see them. The pass that imports this binds `wall_plane`, WALL_ROWS rows a wall: point low words,
// material; point high, the step at which it stands; velocity low; velocity high; normal in 2^-30; of a block its other two
// axes in 2^-30; halves of its edges along normal and axes, low words and high words [2^-38 L]. The last of the three rows
// of velocity and normal: the displacement window before the step, x, y, z, which no kick has changed yet. The last of
// the axes: the first step in which the wall is gone; 1 for a block. The last of the first row of halves: 1 if the wall stands
// in a frame that turns, of contact dynamics.

const WALL_ROWS: u32 = 9u;

fn wall_normal(plane: u32) -> vec3<f32> {
    return wall_axis(plane, 0u);
}

// Axes of a block, its normal first.
fn wall_axis(plane: u32, axis: u32) -> vec3<f32> {
    return vec3<f32>(bitcast<vec3<i32>>(wall_plane[plane + 4u + axis].xyz)) * 9.313225746154785e-10;
}

// Displacement window of a wall before the step.
fn wall_motion(plane: u32) -> vec3<u32> {
    return vec3<u32>(wall_plane[plane + 2u].w, wall_plane[plane + 3u].w, wall_plane[plane + 4u].w);
}

fn wall_stands(plane: u32, step: u32) -> bool {
    return step < wall_plane[plane + 5u].w;
}

fn wall_turns(plane: u32) -> bool {
    return wall_plane[plane + 7u].w != 0u;
}

fn wall_is_block(plane: u32) -> bool {
    return wall_plane[plane + 6u].w != 0u;
}
