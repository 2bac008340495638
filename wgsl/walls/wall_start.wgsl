import package::state::body::{BodyState};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::axes::{carried};
import package::math::wide3::{wide3_of, plus3, minus3, rounded3};
import package::math::position::{window_difference, motion_window, DISPLACEMENT_UNIT, MOTION_UNIT};
import package::state::wall::{WallState};
import package::walls::wall::{wall_motion, wall_turns};

// Velocities of a body less those of a wall [L/T]. In a turning frame the wall is carried along, and the body's own velocity is
// as large as what carries it there: their difference is taken in whole numbers.
var<storage, read> body_state: array<BodyState>;
var<storage, read> wall_plane: array<WallState>;

// Velocity of the centre before the step; `motion`: the body's displacement window.
fn wall_before(d: DynamicsParams, body: u32, plane: u32, motion: vec3<u32>) -> vec3<f32> {
    var wall = wall_motion(plane);
    if (wall_turns(plane)) {
        let way = carried(d, body_state[body].position).behind;
        wall += vec3<u32>(motion_window(way.x), motion_window(way.y), motion_window(way.z));
    }
    return vec3<f32>(window_difference(motion, wall)) * MOTION_UNIT;
}

// Free velocity of the centre.
fn wall_free(d: DynamicsParams, body: u32, plane: u32) -> vec3<f32> {
    let v = body_state[body].velocity;
    var wall = wide3_of(wall_plane[plane].velocity_low, wall_plane[plane].velocity_high);
    if (wall_turns(plane)) {
        let way = carried(d, body_state[body].position).ahead;
        wall = plus3(wall, way);
    }
    return rounded3(minus3(v, wall)) * DISPLACEMENT_UNIT;
}

// What the arm adds to both: before the step, and free. A frame that does not turn has no rotation.
struct AtArm {
    before: vec3<f32>,
    free: vec3<f32>,
}

fn wall_at_arm(d: DynamicsParams, spin: vec3<f32>, arm: vec3<f32>) -> AtArm {
    let turning = cross(spin - d.rotation, arm);
    let bend = 0.5 * cross(d.rotation, cross(d.rotation, arm));
    return AtArm(turning + bend, turning - bend);
}
