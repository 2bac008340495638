import package::state::params::{Params};
import package::state::control::{Control, FAULT_BUDGET};
import package::state::body::{BodyPush};
import package::state::contact::{ColourEntry, ContactImpulse};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::colours::{COLOURS};
import package::contact_dynamics::judge::{judge};
import package::contact_dynamics::push::{pushed};
import package::contact_dynamics::relax::{momentum_at};
import package::contact_dynamics::sweep::{residual_left, sweep};
import package::math::turns::{turns, TURNS_MAX};

// The sweeps of a step by one workgroup, with a look at the residual after every look_every of them, until the step is
// solved, its budget gone, or GROUP_LOOKS looks are taken; then the next dispatch goes on. Few contacts keep a device waiting for
// dispatches: here a colour is a turn of a loop.
var<uniform> params: Params;
var<uniform> dynamics: DynamicsParams;
var<storage, read_write> control: Control;
var<storage, read> colour_list: array<ColourEntry>;
var<storage, read_write> body_push: array<BodyPush>;
var<storage, read_write> contact_impulse: array<ContactImpulse>;

const LANES: u32 = 256u;
const GROUP_LOOKS: u32 = 4u;
const SWEEPS_MAX: u32 = 8u; // between two looks
// Turns of a body besides its contacts: its own, and the one that ends its list. The host gives one workgroup 4,096 bodies at
// most. With 63 contacts each, a colour each, an invocation then takes fewer than 30,000 turns in a dispatch.
const BODY_TURNS: u32 = 2u;

var<workgroup> solve_room: array<vec2<f32>, LANES>; // error and size
var<workgroup> solve_colours: u32;
var<workgroup> solve_iteration: u32;
var<workgroup> solve_ends: u32;
var<workgroup> solve_zero: u32;
var<workgroup> solve_cut: atomic<u32>; // 1 where an invocation ran out of turns

// Velocities by the guesses, then the contacts colour by colour.
fn sweep_all(l: u32, colours: u32, momentum: f32) {
    for (var b = l; b < params.body_count + control.zero && turns < TURNS_MAX; b += LANES) {
        turns += BODY_TURNS;
        body_push[b] = pushed(b, true);
    }
    storageBarrier();
    for (var colour = 0u; colour < min(colours, COLOURS); colour++) {
        let last = control.colour_first[colour] + control.colour_size[colour];
        for (var k = control.colour_first[colour] + l; k < last && turns < TURNS_MAX; k += LANES) {
            turns += 1u;
            sweep(colour_list[k], control.zero, momentum);
        }
        storageBarrier();
    }
}

// The residual of what the sweeps have left. It is summed in the order of the contacts: that of the list is chance within a
// colour, and a sum in another order rounds to another number of sweeps.
fn look(l: u32) {
    for (var k = l; k < control.contact_count && turns < TURNS_MAX; k += LANES) {
        turns += 1u;
        let entry = colour_list[k];
        let left = residual_left(entry);
        contact_impulse[entry.contact].error = left.error;
        contact_impulse[entry.contact].size = left.size;
    }
    storageBarrier();
    var sum = vec2<f32>(0.0);
    for (var c = l; c < control.contact_count && turns < TURNS_MAX; c += LANES) {
        turns += 1u;
        sum += vec2<f32>(contact_impulse[c].error, contact_impulse[c].size);
    }
    solve_room[l] = sum;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if (l < half) {
            solve_room[l] += solve_room[l + half];
        }
    }
    if (l == 0u) {
        solve_ends = select(0u, 1u, judge(solve_room[0], control.contact_count));
        solve_iteration = control.iteration;
    }
}

@compute @workgroup_size(LANES)
fn solve_contacts(@builtin(local_invocation_index) l: u32) {
    if (l == 0u) {
        solve_iteration = control.iteration;
        solve_colours = control.colour_wanted;
        solve_zero = control.zero;
        atomicStore(&solve_cut, 0u);
    }
    let zero = workgroupUniformLoad(&solve_zero);
    let colours = workgroupUniformLoad(&solve_colours);
    var ends = false;
    for (var looks = 0u; looks < GROUP_LOOKS && !ends; looks++) {
        let momentum = momentum_at(dynamics, workgroupUniformLoad(&solve_iteration));
        for (var k = 0u; k < min(dynamics.look_every + zero, SWEEPS_MAX); k++) {
            sweep_all(l, colours, momentum);
        }
        look(l);
        ends = workgroupUniformLoad(&solve_ends) == 1u;
    }
    // More contacts than the host grants one workgroup: what is left of them was not solved.
    if (turns >= TURNS_MAX) {
        atomicOr(&solve_cut, 1u);
    }
    workgroupBarrier();
    if (l == 0u && atomicLoad(&solve_cut) != 0u) {
        control.fault_body |= FAULT_BUDGET;
    }
}
