import package::state::params::{Params};
import package::state::control::{FAULT_CROWD};
import package::state::control_atomic::{ControlAtomic};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::neighbours::incidence::{CONTACTS_MAX};
import package::math::dispatch::{linear_id};

// Contacts of every body, part by part, pairs first, then walls. Runs twice: it counts (pass_constants.x = 0), then writes
// the list (1): 2 contact + side, in the order of the neighbours. Walls have none in the list: theirs follow each other anyway.
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read_write> control: ControlAtomic;
var<storage, read> incident_offset: array<u32>;
var<storage, read> incident_pair: array<u32>;
var<storage, read> contact_offset: array<u32>;
var<storage, read> body_contact_offset: array<u32>;
var<storage, read_write> body_contact_count: array<u32>;
var<storage, read_write> body_contact: array<u32>;
var<storage, read> body_part: array<u32>;

// Contacts of one candidate, listed from `at` on; where the next one's begin. No loop: a body may have very many of these.
fn of_candidate(candidate: u32, side: u32, at: u32, writing: bool) -> u32 {
    let c = contact_offset[candidate];
    let count = contact_offset[candidate + 1u] - c;
    if (writing && count > 0u) {
        body_contact[at] = 2u * c + side;
        if (count > 1u) {
            body_contact[at + 1u] = 2u * (c + 1u) + side;
        }
        if (count > 2u) {
            body_contact[at + 2u] = 2u * (c + 2u) + side;
        }
        if (count > 3u) {
            body_contact[at + 3u] = 2u * (c + 3u) + side;
        }
    }
    return at + count;
}

// Contacts of one part, listed from `start` on; where the next one's begin.
fn of_part(row: u32, start: u32, writing: bool) -> u32 {
    var at = start;
    for (var e = incident_offset[row]; e < incident_offset[row + 1u] && turns < TURNS_MAX; e++) {
        turns += 1u;
        let side = incident_pair[e];
        at = of_candidate(side >> 1u, side & 1u, at, writing);
    }
    let walls = params.wall_count + atomicLoad(&control.zero);
    for (var k = 0u; k < walls && turns < TURNS_MAX; k++) {
        turns += 1u;
        at = of_candidate(params.pair_capacity + k * params.part_count + row, 0u, at, writing);
    }
    return at;
}

@compute @workgroup_size(64)
fn count_incidence(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count + params.wall_count) {
        return;
    }
    if (b >= params.body_count) {
        body_contact_count[b] = 0u;
        return;
    }
    let writing = pass_constants.x == 1u;
    let first = select(0u, body_contact_offset[b], writing);
    var at = of_part(b, first, writing);
    for (var part = body_part[b]; part < body_part[b + 1u] && turns < TURNS_MAX; part++) {
        turns += 3u;
        at = of_part(params.body_count + part, at, writing);
    }
    if (!writing) {
        body_contact_count[b] = at - first;
    }
    if (turns >= TURNS_MAX || cut_short(atomicLoad(&control.zero), turns) || at - first > CONTACTS_MAX) {
        atomicOr(&control.fault_body, FAULT_CROWD);
        atomicMin(&control.fault_index, b);
    }
}
