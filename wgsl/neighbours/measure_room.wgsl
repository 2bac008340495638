import package::state::body::{BodyView};
import package::state::facet::{SurfaceNode};
import package::state::params::{Params};
import package::neighbours::cells::{level_radius};
import package::neighbours::coarse::{body_coarse, box_near};
import package::neighbours::room::{ROOM_LEVELS, ROOM_SHARED, room_shift, room_size, room_hash, room_key};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::math::dispatch::{linear_id};

// How far a body may go beyond its anchor before the list must be made anew: half the gap to the nearest other body, as
// far as empty coarse cells show it, and no farther than the surface. 0 in company.
var<uniform> params: Params;
var<storage, read> room_cell: array<u32>;
var<storage, read> surface_node: array<SurfaceNode>;
var<storage, read_write> body_view: array<BodyView>;

// The word of a cell, 0 if it holds no body.
fn word_of(cell: vec3<i32>, level: u32) -> u32 {
    let hash = room_hash(cell, level);
    let key = room_key(hash);
    let mask = arrayLength(&room_cell) - 1u;
    var slot = hash & mask;
    var word = room_cell[slot];
    while (word != 0u && (word & ~ROOM_SHARED) != key && turns < TURNS_MAX) {
        turns += 1u;
        slot = (slot + 1u) & mask;
        word = room_cell[slot];
    }
    return word;
}

fn alone(cell: vec3<i32>, level: u32) -> bool {
    var others = (word_of(cell, level) & ROOM_SHARED) != 0u;
    for (var k = 0u; k < 27u && !others; k++) {
        let to = vec3<i32>(i32(k % 3u) - 1, i32(k / 3u % 3u) - 1, i32(k / 9u) - 1);
        others = k != 13u && word_of(cell + to, level) != 0u;
    }
    return !others;
}

// No box with facets is nearer than this [L].
fn clear_of_surface(b: u32, way: f32) -> bool {
    let here = body_coarse(b);
    let nodes = arrayLength(&surface_node);
    var node = 0u;
    var found = false;
    while (node < nodes && !found && turns < TURNS_MAX) {
        turns += 1u;
        let box = surface_node[node];
        let enter = box_near(box.low, box.high, here, way);
        found = enter && (box.faces & 7u) != 0u;
        node = select(box.next, node + 1u, enter);
    }
    return !found;
}

@compute @workgroup_size(64)
fn measure_room(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    if (b >= params.body_count) {
        return;
    }
    let coarse = body_coarse(b);
    let radii = body_view[b].radius + level_radius(params, 0u);
    var room = 0.0;
    var free = true;
    for (var level = 0u; level < ROOM_LEVELS && free; level++) {
        let size = room_size(level);
        free = alone(coarse >> vec3<u32>(room_shift(level)), level) && clear_of_surface(b, size);
        // A search that ran out of turns proves nothing.
        free = free && turns < TURNS_MAX;
        // A coarse position is rounded down, by up to 1/64 L.
        room = select(room, 0.5 * (size - 0.015625 - radii) - params.skin_half, free);
    }
    // The first bit of a radius is 0.
    room = select(room, 0.0, cut_short(bitcast<u32>(body_view[b].radius) >> 31u, TURNS_MAX));
    body_view[b].clump_or_room = bitcast<u32>(room);
}
