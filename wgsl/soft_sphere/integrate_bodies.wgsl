import package::state::params::{Params};
import package::state::control::{FAULT_NON_FINITE, PHASE_PAUSED, PHASE_FIRST};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView, STATE_POSITION, STATE_VELOCITY, STATE_SPIN};
import package::math::wide::{add64, fixed_from_f32, fixed_rounded, f32_from64, finite};
import package::math::wide3::{Wide3, rounded3};
import package::math::position::{position_window, motion_window, with_tail, drift, DISPLACEMENT_UNIT};
import package::neighbours::watch::{alone, ask_list_roaming, watch_speed, watch_range, watch_turn};
import package::math::dispatch::{linear_id};
import package::soft_sphere::gather::{gather_load};
import package::soft_sphere::state_row::{state_of, keep_state};

// Gathers the forces on a body in the order of its neighbours, kicks and drifts it: leapfrog in fixed point. Leaves
// the velocity predicted for the next instant, v + a/2, for the dashpots. Asks for a new neighbour list when a body
// has left half the skin.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> body_view: array<BodyView>;

struct Axis {
    position: vec2<u32>,
    velocity: vec2<u32>,
    predicted: vec2<u32>,
    speed: f32, // [2^-58 L/T]
}

// Kick by `kick`, drift, and the velocity half a kick further on.
fn move_axis(position: vec2<u32>, velocity: vec2<u32>, kick: f32, half_kick: f32, rounding: u32) -> Axis {
    let kicked = add64(velocity, fixed_rounded(kick, 58, rounding));
    return Axis(drift(position, kicked, rounding), kicked, add64(kicked, fixed_from_f32(half_kick, 58)), abs(f32_from64(kicked)));
}

@compute @workgroup_size(64)
fn integrate_bodies(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    // Read before any branch, so that one read serves many invocations.
    let phase = atomicLoad(&control.phase);
    let fault = atomicLoad(&control.fault_contact);
    let zero = atomicLoad(&control.zero);
    let rounding = atomicLoad(&control.rounding);
    // fault_contact: an overlap too large stops the run before this step moves anything.
    if ((b >= params.body_count) | (phase == PHASE_PAUSED) | (fault != 0u)) {
        return;
    }
    // The row where the state is left is that of `b`, but compilers do not know it, and hold no address meanwhile.
    let row = b + zero;
    let load = gather_load(b, zero);
    let a = load.kick;
    let turning = load.turning;
    let size = abs(a) + abs(turning);
    if (!finite(size.x) || !finite(size.y) || !finite(size.z)) {
        atomicOr(&control.fault_body, FAULT_NON_FINITE);
        atomicMin(&control.fault_index, b);
        return;
    }
    // The first step kicks by half: velocities come in at the instant, and go on at the half step.
    let part = select(1.0, 0.5, phase == PHASE_FIRST);
    // An axis is written before the next is read: all three together take more registers.
    let x = move_axis(state_of(b, STATE_POSITION), state_of(b, STATE_VELOCITY), part * a.x, 0.5 * a.x, rounding);
    keep_state(row, STATE_POSITION, x.position);
    keep_state(row, STATE_VELOCITY, x.velocity);
    let y = move_axis(state_of(b, STATE_POSITION + 1u), state_of(b, STATE_VELOCITY + 1u), part * a.y, 0.5 * a.y, rounding);
    keep_state(row, STATE_POSITION + 1u, y.position);
    keep_state(row, STATE_VELOCITY + 1u, y.velocity);
    let z = move_axis(state_of(b, STATE_POSITION + 2u), state_of(b, STATE_VELOCITY + 2u), part * a.z, 0.5 * a.z, rounding);
    keep_state(row, STATE_POSITION + 2u, z.position);
    keep_state(row, STATE_VELOCITY + 2u, z.velocity);
    let change = part * turning;
    let turned = Wide3(
        add64(state_of(b, STATE_SPIN), fixed_rounded(change.x, 58, rounding)),
        add64(state_of(b, STATE_SPIN + 1u), fixed_rounded(change.y, 58, rounding)),
        add64(state_of(b, STATE_SPIN + 2u), fixed_rounded(change.z, 58, rounding)),
    );
    keep_state(row, STATE_SPIN, turned.x);
    keep_state(row, STATE_SPIN + 1u, turned.y);
    keep_state(row, STATE_SPIN + 2u, turned.z);
    let spin = rounded3(turned) * DISPLACEMENT_UNIT;
    let here = vec3<u32>(position_window(x.position), position_window(y.position), position_window(z.position));
    body_view[b].position = here;
    let tailed = with_tail(body_view[b].material_and_tail, x.position.x, y.position.x, z.position.x);
    body_view[b].material_and_tail = tailed;
    body_view[b].velocity = vec3<u32>(motion_window(x.predicted), motion_window(y.predicted), motion_window(z.predicted));
    body_view[b].spin = spin + 0.5 * turning;

    let speeds = vec3<f32>(x.speed, y.speed, z.speed) * DISPLACEMENT_UNIT;
    ask_list_roaming(b, here, params.skin_half, length(speeds));
    // Windows of velocities serve contacts alone; windows of positions hold a displacement of 1 L.
    watch_speed(b, speeds * select(1.0, params.motion_max, alone(b)));
    watch_range(b, x.position, y.position, z.position);
    watch_turn(b, max(abs(spin), abs(change)));
    if (b == 0u) {
        atomicAdd(&control.step, 1u);
    }
}
