import package::state::body::{BodyState};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::axes::{carried};
import package::math::wide::{shift_right64};
import package::math::wide3::{Wide3, wide3_of, plus3, minus3, rounded3};
import package::math::position::{window_difference, motion_window, DISPLACEMENT_UNIT, MOTION_UNIT};
import package::state::wall::{WallState};
import package::walls::wall::{wall_motion, wall_turns};

// Velocities of a body less those of a wall [L/T]. In a turning frame the wall is carried along, and the body's own velocity is
// as large as what carries it there: their difference is taken in whole numbers. The point of the wall that is at the centre
// came from where it stood in the axes before, and goes to where it stands in the axes after the step: the frame carries
// the way of a wall that moves in it, too.
var<storage, read> body_state: array<BodyState>;
var<storage, read> wall_plane: array<WallState>;

fn own_velocity(plane: u32) -> Wide3 {
    return wide3_of(wall_plane[plane].velocity_low, wall_plane[plane].velocity_high);
}

// What the wall itself does in a step [2^-38 L].
fn own_way(plane: u32) -> Wide3 {
    let v = own_velocity(plane);
    return Wide3(shift_right64(v.x, 20u), shift_right64(v.y, 20u), shift_right64(v.z, 20u));
}

// Velocity of the centre before the step; `motion`: the body's displacement window.
fn wall_before(d: DynamicsParams, body: u32, plane: u32, motion: vec3<u32>) -> vec3<f32> {
    var wall = wall_motion(plane);
    if (wall_turns(plane)) {
        let way = carried(d, minus3(body_state[body].position, own_way(plane))).behind;
        wall += vec3<u32>(motion_window(way.x), motion_window(way.y), motion_window(way.z));
    }
    return vec3<f32>(window_difference(motion, wall)) * MOTION_UNIT;
}

// Free velocity of the centre.
fn wall_free(d: DynamicsParams, body: u32, plane: u32) -> vec3<f32> {
    let v = body_state[body].velocity;
    var wall = own_velocity(plane);
    if (wall_turns(plane)) {
        let way = carried(d, plus3(body_state[body].position, own_way(plane))).ahead;
        wall = plus3(wall, way);
    }
    return rounded3(minus3(v, wall)) * DISPLACEMENT_UNIT;
}

// What the arm adds to both. A body and a wall that turn with the frame have the same there, so that what is at rest sticks: a
// frame that does not turn has no rotation.
fn wall_at_arm(d: DynamicsParams, spin: vec3<f32>, arm: vec3<f32>) -> vec3<f32> {
    return cross(spin - d.rotation, arm);
}
