import package::state::params::{Params};
import package::state::control::{FAULT_CROWD};
import package::state::control_atomic::{ControlAtomic};
import package::neighbours::coarse::{body_coarse};
import package::neighbours::room::{ROOM_LEVELS, ROOM_SHARED, room_shift, room_hash, room_key};
import package::math::dispatch::{linear_id};

// Enters the coarse cells of every body, on all levels: the word that a body finds may be that of another cell with the same
// key, so nobody else may have entered its larger cells.
var<uniform> params: Params;
var<storage, read_write> room_cell: array<atomic<u32>>;
var<storage, read_write> control: ControlAtomic;

const PROBES_MAX: u32 = 4096u; // slots in use that follow each other, of a table half empty

// The table has twice as many slots as keys, so a free one comes soon. In company a look is enough: who finds the word of two
// bodies changes nothing.
fn enter(b: u32, hash: u32) {
    let key = room_key(hash);
    let mask = arrayLength(&room_cell) - 1u;
    var slot = hash & mask;
    var searching = atomicLoad(&room_cell[slot]) != (key | ROOM_SHARED);
    for (var k = 0u; k < PROBES_MAX && searching; k++) {
        let old = atomicCompareExchangeWeak(&room_cell[slot], 0u, key);
        let same = (old.old_value & ~ROOM_SHARED) == key;
        if (!old.exchanged && same) {
            atomicOr(&room_cell[slot], ROOM_SHARED);
        }
        searching = !old.exchanged && !same;
        // A weak exchange may fail at a free slot.
        slot = select(slot, (slot + 1u) & mask, searching && old.old_value != 0u);
    }
    if (searching) {
        atomicOr(&control.fault_body, FAULT_CROWD);
        atomicMin(&control.fault_index, b);
    }
}

@compute @workgroup_size(64)
fn mark_room(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let coarse = body_coarse(b);
    for (var level = 0u; level < ROOM_LEVELS; level++) {
        enter(b, room_hash(coarse >> vec3<u32>(room_shift(level)), level));
    }
}
