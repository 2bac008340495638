import package::state::params::{Params};
import package::walls::wall::{WALL_ROWS, wall_normal};
import package::walls::wall_velocity::{wall_velocity};
import package::walls::wall_change::{wall_changed, put_velocity};
import package::math::dispatch::{linear_id};

// Free velocities of walls that answer to force: a servo pushes along the normal with a constant force, less where its
// largest speed would be passed. plate_drive: velocity that the force gives in a step, that speed [L/T].
var<uniform> params: Params;
var<storage, read> plate_drive: array<vec4<f32>>;
var<storage, read_write> wall_plane: array<vec4<u32>>;

@compute @workgroup_size(64)
fn kick_plates(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, n, l, 64u);
    if (k >= params.wall_count) {
        return;
    }
    let plane = WALL_ROWS * k;
    let drive = plate_drive[k];
    let way = sign(drive.x);
    let room = max(drive.y - way * dot(wall_velocity(plane), wall_normal(plane)), 0.0);
    let kick = way * min(abs(drive.x), room);
    for (var axis = 0u; axis < 3u; axis++) {
        put_velocity(plane, axis, wall_changed(plane, axis, kick));
    }
}
