import package::state::params::{Params};
import package::state::control::{Control};
import package::state::wall::{PlateDrive};
import package::walls::wall::{wall_normal, wall_stands};
import package::walls::wall_velocity::{wall_velocity};
import package::walls::wall_change::{wall_changed, put_velocity};
import package::math::dispatch::{linear_id};

// Free velocities of walls that answer to force: a servo pushes along the normal with a constant force, less where its
// largest speed would be passed. One that has been taken away stops.
var<uniform> params: Params;
var<storage, read> control: Control;
var<storage, read> plate_drive: array<PlateDrive>;

@compute @workgroup_size(64)
fn kick_plates(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let plane = linear_id(w, l, 64u);
    if (plane >= params.wall_count) {
        return;
    }
    let drive = plate_drive[plane];
    let is_gone = drive.speed_max > 0.0 && !wall_stands(plane, control.step);
    let way = sign(drive.kick);
    let room = max(drive.speed_max - way * dot(wall_velocity(plane), wall_normal(plane)), 0.0);
    let kick = way * min(abs(drive.kick), room);
    for (var axis = 0u; axis < 3u; axis++) {
        put_velocity(plane, axis, select(wall_changed(plane, axis, kick), vec2<u32>(0u), is_gone));
    }
}
