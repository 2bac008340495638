import package::shared::params::{Params};
import package::shared::control::{ZERO};
import package::shared::dispatch::{linear_id};

// Contacts of every body, part by part, pairs first, then walls. Runs twice: it counts (pass_constants.x = 0), then writes
// the list (1): 2 contact + side, in the order of the neighbours. Walls have none in the list: theirs follow each other anyway.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<uniform> pass_constants: vec4<u32>;
@group(0) @binding(2) var<storage, read> control: array<u32>;
@group(0) @binding(3) var<storage, read> incident_offset: array<u32>;
@group(0) @binding(4) var<storage, read> incident_pair: array<u32>;
@group(0) @binding(5) var<storage, read> contact_offset: array<u32>;
@group(0) @binding(6) var<storage, read> body_contact_offset: array<u32>;
@group(0) @binding(7) var<storage, read_write> body_contact_count: array<u32>;
@group(0) @binding(8) var<storage, read_write> body_contact: array<u32>;
@group(0) @binding(9) var<storage, read> body_part: array<u32>;

// Contacts of one part, listed from `start` on; where the next one's begin.
fn of_part(row: u32, start: u32, writing: bool) -> u32 {
    var at = start;
    for (var e = incident_offset[row]; e < incident_offset[row + 1u]; e++) {
        let side = incident_pair[e];
        for (var c = contact_offset[side >> 1u]; c < contact_offset[(side >> 1u) + 1u]; c++) {
            if (writing) {
                body_contact[at] = 2u * c + (side & 1u);
            }
            at += 1u;
        }
    }
    let walls = params.wall_count + control[ZERO];
    for (var k = 0u; k < walls; k++) {
        let candidate = params.pair_capacity + k * params.part_count + row;
        for (var c = contact_offset[candidate]; c < contact_offset[candidate + 1u]; c++) {
            if (writing) {
                body_contact[at] = 2u * c;
            }
            at += 1u;
        }
    }
    return at;
}

@compute @workgroup_size(64)
fn count_incidence(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, n, l, 64u);
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
    for (var part = body_part[b]; part < body_part[b + 1u]; part++) {
        at = of_part(params.body_count + part, at, writing);
    }
    if (!writing) {
        body_contact_count[b] = at - first;
    }
}
