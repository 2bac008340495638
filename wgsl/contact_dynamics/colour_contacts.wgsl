import package::state::contact::{BodyColours, ContactBody};
import package::state::params::{Params};
import package::state::body::{BodyLeaderAtomic};
import package::state::control_atomic::{ControlAtomic};
import package::contact_dynamics::colours::{COLOURS, colour_of, coloured, colour_bit, free_colour};
import package::math::dispatch::{linear_id};

// One round of colouring (Jones and Plassmann 1993). A contact without a colour proposes itself to its bodies; one whose
// proposal of the round before was the highest at both takes the lowest colour that neither has. Nobody else changes
// these bodies in that round, so that the result does not depend on timing. pass_constants.x: rounds recorded before it.
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read_write> control: ControlAtomic;
var<storage, read_write> contact_body: array<ContactBody>;
var<storage, read_write> body_colours: array<BodyColours>;
var<storage, read_write> body_leader: array<BodyLeaderAtomic>;

const HASH_BITS: u32 = 26u;
const HASH_MASK: u32 = 0x3ffffffu;

// A permutation of 26 bits: no two contacts have the same.
fn hash(c: u32) -> u32 {
    let a = (c * 0x2c1b3c6du + 0x297a2d39u) & HASH_MASK;
    let b = ((a ^ (a >> 13u)) * 0x1b56c4e9u) & HASH_MASK;
    return b ^ (b >> 14u);
}

// The highest proposal of a round to a body. Even and odd rounds have words of their own; a later round is above all earlier
// ones.
fn highest(body: u32, round: u32) -> u32 {
    return atomicLoad(&body_leader[body].proposal[round & 1u]);
}

fn propose(body: u32, round: u32, proposal: u32) {
    atomicMax(&body_leader[body].proposal[round & 1u], proposal);
}

fn take_colour(c: u32, own: ContactBody, moves: bool) {
    let i = own.i;
    let j = select(i, own.j, moves); // a body, which may also represent the wall
    let used = body_colours[i].used | body_colours[j].used;
    let colour = free_colour(used);
    if (colour > COLOURS) {
        atomicStore(&control.colour_short, 1u);
        return;
    }
    body_colours[i].used |= colour_bit(colour);
    if (moves) {
        body_colours[j].used |= colour_bit(colour);
    }
    contact_body[c].feature = coloured(own.feature, colour);
}

@compute @workgroup_size(64)
fn colour_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let c = linear_id(w, l, 64u);
    if (c >= atomicLoad(&control.contact_count)) {
        return;
    }
    let round = atomicLoad(&control.colour_round) + pass_constants.x;
    if (c == 0u) {
        atomicStore(&control.colour_done, round + 1u);
    }
    let own = contact_body[c];
    if (colour_of(own.feature) != 0u) {
        return;
    }
    let moves = own.j < params.body_count;
    let other = select(own.i, own.j, moves);
    let before = (round << HASH_BITS) | hash(c);
    let was = round + 1u;
    if (round > 0u && highest(own.i, was) == before && highest(other, was) == before) {
        take_colour(c, own, moves);
        return;
    }
    let proposal = ((round + 1u) << HASH_BITS) | hash(c);
    propose(own.i, round, proposal);
    propose(other, round, proposal);
    atomicStore(&control.colour_left, round + 1u);
}
