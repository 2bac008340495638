import package::state::params::{Params};
import package::state::control::{FAULT_NON_FINITE};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyLoad, BodyState, BodyView, BodyWeight};
import package::state::frame::{FrameRow, Reaction};
import package::math::wide::{add64, sub64, shift_right64, finite};
import package::math::wide3::{Wide3, plus3, fixed3, rounded3};
import package::math::position::{position_window, motion_window, drift, DISPLACEMENT_UNIT, POSITION_UNIT};
import package::soft_sphere::turning::{turn_way, position_way};
import package::soft_sphere::reaction::{aligned, kick_way, reaction};
import package::soft_sphere::sum_reaction::{sum_reaction};
import package::neighbours::watch::{alone, ask_list_roaming, watch_speed, watch_range, watch_turn};
import package::math::dispatch::{linear_id};

// Kick and drift in a frame that turns (src/physics/frame/step.rs), for the loads that `gather_loads` left. What all bodies took in this
// step is summed to the bit, impulse and torque impulse in one slot a step: forces between bodies cancel in it but for their
// rounding, and the rest came from the asteroid, which takes it all.
var<uniform> params: Params;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> body_state: array<BodyState>;
var<storage, read_write> body_view: array<BodyView>;
var<storage, read> body_load: array<BodyLoad>;
var<storage, read> body_weight: array<BodyWeight>;
var<storage, read> frame_row: array<FrameRow>;
var<storage, read_write> frame_reaction: array<Reaction>;

// Velocity predicted for the next instant: half a step's change further on, all of it after the first step, of a half.
fn ahead(before: vec2<u32>, now: vec2<u32>, share: f32) -> vec2<u32> {
    let change = sub64(now, before);
    return add64(now, select(change, shift_right64(change, 1u), share == 1.0));
}

// Spin relative to the frame after the step.
fn next_spin(spin: Wide3, index: u32, turning: Wide3) -> Wide3 {
    let change = Wide3(
        vec2<u32>(frame_row[index].spin_low.x, frame_row[index].spin_high.x),
        vec2<u32>(frame_row[index].spin_low.y, frame_row[index].spin_high.y),
        vec2<u32>(frame_row[index].spin_low.z, frame_row[index].spin_high.z),
    );
    let pushed = plus3(plus3(spin, turning), change);
    return plus3(pushed, fixed3(frame_row[index].back * rounded3(pushed) * DISPLACEMENT_UNIT));
}

fn next_way(d: Wide3, x: Wide3, index: u32, kick: Wide3) -> Wide3 {
    let row = frame_row[index];
    let shift = Wide3(
        vec2<u32>(row.shift_low.x, row.shift_high.x),
        vec2<u32>(row.shift_low.y, row.shift_high.y),
        vec2<u32>(row.shift_low.z, row.shift_high.z),
    );
    let push = plus3(plus3(kick, position_way(row, x)), shift);
    let rest = row.by_position_rest * rounded3(x) * POSITION_UNIT;
    let small = row.turn_rest * rounded3(d) * DISPLACEMENT_UNIT + rest + row.back * (rounded3(push) * DISPLACEMENT_UNIT + rest);
    return plus3(plus3(d, turn_way(row, d)), plus3(push, fixed3(small)));
}

// What rounding adds to the position beyond the displacement [2^-58 L].
fn slip(way: vec2<u32>) -> f32 {
    return f32(524288 - i32((way.x + 524288u) & 1048575u));
}

// The displacement as the next step needs it: turned with the frame, a position rounded to 2^-38 L would else push the body.
fn kept_way(way: Wide3, index: u32) -> Wide3 {
    let off = vec3<f32>(slip(way.x), slip(way.y), slip(way.z)) * DISPLACEMENT_UNIT;
    return plus3(way, fixed3(-(off * frame_row[index].back)));
}

// What must be small of a body's motion: bodies that meet move alike except for their motion in inertial space. Walls
// are at rest in the frame. Windows of positions hold a displacement of 1 L, which is the only limit for a body that
// meets nobody.
fn speeds(b: u32, way: vec3<f32>, at: vec3<f32>, index: u32) -> vec3<f32> {
    // The rotation of one step, from 1 + B, its inverse.
    let back = frame_row[index].back;
    let turn = 0.5 * vec3<f32>(back[2].y - back[1].z, back[0].z - back[2].x, back[1].x - back[0].y);
    let frame = abs(way) * select(0.0078125, 0.5, params.wall_count > 0u);
    return select(max(abs(way + cross(turn, at)), frame), frame, alone(b));
}

// The step of one body; what it took.
fn step_body(b: u32, index: u32) -> array<vec2<u32>, 6> {
    let share = frame_row[index].share;
    let d = body_state[b].velocity;
    let x = body_state[b].position;
    let kick = aligned(share * body_load[b].kick);
    let turning = fixed3(share * body_load[b].turning);
    let way = next_way(d, x, index, kick_way(kick));
    let spin = next_spin(body_state[b].spin, index, turning);
    let at = Wide3(drift(x.x, way.x), drift(x.y, way.y), drift(x.z, way.z));
    body_state[b].position = at;
    body_state[b].velocity = kept_way(way, index);
    body_state[b].spin = spin;
    let spin_now = rounded3(spin) * DISPLACEMENT_UNIT;
    let here = vec3<u32>(position_window(at.x), position_window(at.y), position_window(at.z));
    let motion = vec3<u32>(motion_window(ahead(d.x, way.x, share)), motion_window(ahead(d.y, way.y, share)), motion_window(ahead(d.z, way.z, share)));
    body_view[b].position = here;
    body_view[b].velocity = motion;
    body_view[b].spin = spin_now + 0.5 * body_load[b].turning;
    let moved = rounded3(way) * DISPLACEMENT_UNIT;
    ask_list_roaming(b, here, params.skin_half, length(moved));
    watch_speed(b, speeds(b, moved, rounded3(at) * POSITION_UNIT, index));
    watch_range(b, at.x, at.y, at.z);
    watch_turn(b, max(abs(spin_now), abs(share * body_load[b].turning)));
    return reaction(kick, turning, x, body_weight[b], vec2<u32>(params.impulse_bits, params.torque_bits));
}

@compute @workgroup_size(64)
fn integrate_in_frame(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
    let runs = b < params.body_count && atomicLoad(&control.phase) != 0u && atomicLoad(&control.fault_contact) == 0u;
    let slot = atomicLoad(&control.reaction_slot);
    var own = array<vec2<u32>, 6>();
    if (runs) {
        let size = abs(body_load[b].kick) + abs(body_load[b].turning);
        if (finite(size.x) && finite(size.y) && finite(size.z)) {
            own = step_body(b, atomicLoad(&control.frame_row));
            if (b == 0u) {
                atomicAdd(&control.step, 1u);
            }
        } else {
            atomicOr(&control.fault_body, FAULT_NON_FINITE);
            atomicMin(&control.fault_index, b);
        }
    }
    // Nobody reads the one slot of a frame that no reaction turns.
    let slots = max(params.reaction_slots, 1u);
    if (runs && b == 0u) {
        // The host has booked this slot: half the ring ago.
        let far = (slot + slots / 2u) % slots;
        for (var k = 0u; k < 6u; k++) {
            atomicStore(&frame_reaction[far].sum[k].low, 0u);
            atomicStore(&frame_reaction[far].sum[k].high, 0u);
        }
    }
    sum_reaction(l, slot, own);
}
