import package::state::params::{Params};
import package::state::control::{FAULT_NON_FINITE, PHASE_PAUSED};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyLoad, BodyState, BodyView, BodyWeight};
import package::state::frame::{FrameRow, Reaction};
import package::math::wide::{add64, sub64, shift_right64, finite};
import package::math::wide3::{Wide3, wide3_of, plus3, fixed3, next_axis3, rounded3};
import package::math::position::{position_window, motion_window, with_tail, drift, DISPLACEMENT_UNIT, POSITION_UNIT};
import package::math::turning::{turn_way, row_times};
import package::soft_sphere::reaction::{Kick, aligned, kick_way, reaction};
import package::soft_sphere::sum_reaction::{REACTION_PARTS, sum_reaction};
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

// Element of `frame_row` of this step.
var<private> row: u32;
// Of that element, read once a workgroup: the matrices, and the rows of C by number.
var<workgroup> back: mat3x3<f32>;
var<workgroup> turn_rest: mat3x3<f32>;
var<workgroup> by_position: array<vec3<i32>, 3>;
// 3. Compilers write a loop of a length that they know out in full, and then hold all axes at once: 80 registers of an AMD GPU,
// where 64 do.
var<workgroup> axes: u32;

// The number of a body whose row was met before. Compilers do not know it for the same, and hold no address meanwhile.
fn again(b: u32) -> u32 {
    return b + atomicLoad(&control.zero);
}

// Velocity predicted for the next instant: half a step's change further on, all of it after the first step, of a half.
fn ahead(before: vec2<u32>, after: vec2<u32>, share: f32) -> vec2<u32> {
    let change = sub64(after, before);
    return add64(after, select(change, shift_right64(change, 1u), share == 1.0));
}

// Spin relative to the frame after the step.
fn next_spin(spin: Wide3, turning: Wide3) -> Wide3 {
    let change = wide3_of(frame_row[row].spin_low, frame_row[row].spin_high);
    let pushed = plus3(plus3(spin, turning), change);
    return plus3(pushed, fixed3(back * rounded3(pushed) * DISPLACEMENT_UNIT));
}

// The displacement of the step from that of the last.
fn next_way(d: Wide3, x: Wide3, kick: Wide3) -> Wide3 {
    var push = plus3(kick, wide3_of(frame_row[row].shift_low, frame_row[row].shift_high));
    for (var a = 0u; a < min(axes, 16u); a++) {
        let carried = row_times(x, by_position[a], frame_row[row].by_position_shift);
        push = next_axis3(Wide3(add64(push.x, carried), push.y, push.z));
    }
    let rest = frame_row[row].by_position_rest * rounded3(x) * POSITION_UNIT;
    let small = turn_rest * rounded3(d) * DISPLACEMENT_UNIT + rest + back * (rounded3(push) * DISPLACEMENT_UNIT + rest);
    var way = plus3(push, fixed3(small));
    var turned = d;
    var turn = frame_row[row].turn;
    for (var a = 0u; a < min(axes, 16u); a++) {
        let more = add64(turned.x, turn_way(turn, frame_row[row].turn_shift, turned));
        way = next_axis3(Wide3(add64(way.x, more), way.y, way.z));
        turned = next_axis3(turned);
        turn = turn.yzx;
    }
    return way;
}

// What rounding adds to the position beyond the displacement [2^-58 L].
fn slip(way: vec2<u32>, rounding: u32) -> f32 {
    return f32(bitcast<i32>(rounding >> 12u) - bitcast<i32>((way.x + (rounding >> 12u)) & 1048575u));
}

// The displacement as the next step needs it: turned with the frame, a position rounded to 2^-38 L would else push the body.
fn kept_way(way: Wide3, rounding: u32) -> Wide3 {
    let off = vec3<f32>(slip(way.x, rounding), slip(way.y, rounding), slip(way.z, rounding)) * DISPLACEMENT_UNIT;
    return plus3(way, fixed3(-(off * back)));
}

// What must be small of a body's motion: bodies that meet move alike except for their motion in inertial space. Walls
// are at rest in the frame. Windows of positions hold a displacement of 1 L, which is the only limit for a body that
// meets nobody.
fn speeds(b: u32, way: vec3<f32>, at: vec3<f32>) -> vec3<f32> {
    // The rotation of one step, from 1 + B, its inverse.
    let turn = 0.5 * vec3<f32>(back[2].y - back[1].z, back[0].z - back[2].x, back[1].x - back[0].y);
    let frame = abs(way) * select(params.motion_max, 0.5, params.wall_count > 0u);
    return select(max(abs(way + cross(turn, at)), frame), frame, alone(b));
}

// Turns a body.
fn spin_body(b: u32) {
    let change = frame_row[row].share * body_load[b].turning;
    let spin = next_spin(body_state[b].spin, fixed3(change));
    body_state[b].spin = spin;
    let spin_now = rounded3(spin) * DISPLACEMENT_UNIT;
    body_view[b].spin = spin_now + 0.5 * body_load[b].turning;
    watch_turn(b, max(abs(spin_now), abs(change)));
}

// Keeps what a body takes.
fn keep_reaction(b: u32, l: u32, kick: Kick) {
    var turning = fixed3(frame_row[row].share * body_load[b].turning);
    var x = body_state[b].position;
    var push = kick;
    for (var a = 0u; a < min(axes, 16u); a++) {
        let part = reaction(push, turning, x, body_weight[b], vec2<u32>(params.impulse_bits, params.torque_bits));
        reaction_room[l][a] = part[0];
        reaction_room[l][3u + a] = part[1];
        turning = next_axis3(turning);
        x = next_axis3(x);
        push = Kick(push.count.yzx, push.bits);
    }
}

// Moves a body.
fn move_body(b: u32, kick: Kick) {
    let d = body_state[b].velocity;
    let way = next_way(d, body_state[b].position, kick_way(kick));
    body_view[b].velocity =
        vec3<u32>(motion_window(ahead(d.x, way.x, frame_row[row].share)), motion_window(ahead(d.y, way.y, frame_row[row].share)), motion_window(ahead(d.z, way.z, frame_row[row].share)));
    let same = again(b);
    let rounding = atomicLoad(&control.rounding);
    body_state[same].velocity = kept_way(way, rounding);
    let x = body_state[same].position;
    let at = Wide3(drift(x.x, way.x, rounding), drift(x.y, way.y, rounding), drift(x.z, way.z, rounding));
    body_state[same].position = at;
    let here = vec3<u32>(position_window(at.x), position_window(at.y), position_window(at.z));
    body_view[b].position = here;
    body_view[b].material_and_tail = with_tail(body_view[b].material_and_tail, at.x.x, at.y.x, at.z.x);
    let moved = rounded3(way) * DISPLACEMENT_UNIT;
    ask_list_roaming(b, here, params.skin_half, length(moved));
    watch_speed(b, speeds(b, moved, rounded3(at) * POSITION_UNIT));
    watch_range(b, at.x, at.y, at.z);
}

// More than any body may move in a step [L], and less than what a kick in whole numbers holds.
const KICK_MAX: f32 = 4.0;

// The step of one body; one thing after the other, so that few words are held at a time.
fn step_body(b: u32, l: u32) {
    let given = frame_row[row].share * body_load[b].kick;
    let kick = aligned(clamp(given, vec3<f32>(-KICK_MAX), vec3<f32>(KICK_MAX)));
    keep_reaction(b, l, kick);
    spin_body(b);
    move_body(again(b), kick);
}

@compute @workgroup_size(64)
fn integrate_in_frame(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let going = atomicLoad(&control.phase) != PHASE_PAUSED && atomicLoad(&control.fault_contact) == 0u;
    let slot = atomicLoad(&control.reaction_slot);
    row = atomicLoad(&control.frame_row);
    if (l == 0u) {
        let now = frame_row[row];
        back = now.back;
        turn_rest = now.turn_rest;
        by_position = array<vec3<i32>, 3>(now.by_position_x, now.by_position_y, now.by_position_z);
        axes = 3u + atomicLoad(&control.zero);
    }
    workgroupBarrier();
    var takes = false;
    if (going && b < params.body_count) {
        let size = abs(body_load[b].kick) + abs(body_load[b].turning);
        if (finite(size.x) && finite(size.y) && finite(size.z)) {
            step_body(b, l);
            takes = true;
            if (b == 0u) {
                atomicAdd(&control.step, 1u);
            }
        } else {
            atomicOr(&control.fault_body, FAULT_NON_FINITE);
            atomicMin(&control.fault_index, b);
        }
    }
    if (!takes) {
        reaction_room[l] = array<vec2<u32>, 6>();
    }
    // Nobody reads the one slot of a frame that no reaction turns.
    let slots = max(params.reaction_slots, 1u);
    if (going && b < 6u * REACTION_PARTS) {
        // The host has booked this slot: half the ring ago.
        let far = REACTION_PARTS * ((slot + slots / 2u) % slots) + b / 6u;
        atomicStore(&frame_reaction[far].sum[b % 6u].low, 0u);
        atomicStore(&frame_reaction[far].sum[b % 6u].high, 0u);
    }
    sum_reaction(l, REACTION_PARTS * slot + b / 64u % REACTION_PARTS);
}
