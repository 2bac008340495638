import package::state::cell::{CellEntry, CellRange};
import package::state::params::{Params};
import package::state::control::{FAULT_CROWD};
import package::state::control_atomic::{ControlAtomic};
import package::state::body::{BodyView};
import package::math::position::{window_difference, WINDOW_UNIT};
import package::neighbours::cells::{level_cell, level_radius, entry_body, entry_level, floor_divide, hash_cell};
import package::math::turns::{turns, cut_short};
import package::neighbours::entries::{entry_bits, entry_words};
import package::math::dispatch::{linear_id};

// Neighbours of every body within the sum of the radii and the skin. Runs twice over the same predicate: first it
// counts (pass_constants.x = 0), then it writes (1). It writes a list, ascending (pass_constants.y = 0); or, where
// bodies have more neighbours than one invocation sorts, entries that are sorted afterwards (1): both of a pair are
// found by the smaller body if the sizes differ much, so that no body looks at very many.
var<uniform> params: Params;
var<uniform> pass_constants: vec4<u32>;
var<storage, read_write> control: ControlAtomic;
var<storage, read> body_view: array<BodyView>;
var<storage, read> cell_entry: array<CellEntry>;
var<storage, read> cell_range: array<CellRange>;
var<storage, read_write> neighbour_count: array<u32>;
var<storage, read_write> upper_count: array<u32>;
var<storage, read> incident_offset: array<u32>;
var<storage, read_write> incident_body: array<u32>; // or words of entries

const SORTED_MAX: u32 = 128u;    // neighbours that one invocation sorts
const SORT_TURNS: u32 = 6000u;   // more than a shell sort of as many takes
const FINER: u32 = 2u;           // levels below its own that a body searches for entries
const CELLS_MAX: u32 = 10000u;   // cells
const CROWD_MAX: u32 = 28000u;  // bodies in them

fn is_neighbour(coarse: vec3<i32>, position: vec3<u32>, radius: f32, other_coarse: vec3<i32>, other: u32) -> bool {
    let apart = abs(coarse - other_coarse);
    let d = vec3<f32>(window_difference(body_view[other].position, position)) * WINDOW_UNIT;
    let reach = radius + body_view[other].radius + 2.0 * params.skin_half;
    // Far apart in whole units the window wraps.
    return max(apart.x, max(apart.y, apart.z)) <= 70 && dot(d, d) < reach * reach;
}

// Parts of one body do not touch each other. Where there are none the word has another meaning.
fn same_clump(a: u32, b: u32) -> bool {
    let clump = body_view[a].clump_or_room;
    return params.part_count > params.body_count && clump != 0u && clump == body_view[b].clump_or_room;
}

// Shell sort of a body's neighbours: insertion for the few that a packing has.
fn sort_neighbours(first: u32, count: u32) {
    for (var stride = 13u; stride > 0u; stride /= 3u) {
        for (var k = stride; k < min(count, SORTED_MAX); k++) {
            let value = incident_body[first + k];
            var at = k;
            while (turns < SORT_TURNS && at >= stride && incident_body[first + at - stride] > value) {
                turns += 1u;
                incident_body[first + at] = incident_body[first + at - stride];
                at -= stride;
            }
            incident_body[first + at] = value;
        }
    }
}

// Notes a neighbour at its index in the list, or among the entries.
fn note(index: u32, body: u32, other: u32, entries: bool) {
    if (entries) {
        let words = entry_words(body, other, entry_bits(params.part_count));
        incident_body[2u * index] = words.x;
        incident_body[2u * index + 1u] = words.y;
    } else {
        incident_body[index] = other;
    }
}

// More than one invocation may look at: in a list the host asks for entries, in entries nothing more can be done.
fn crowded(body: u32, entries: bool) {
    if (entries) {
        atomicOr(&control.fault_body, FAULT_CROWD);
        atomicMin(&control.fault_index, body);
    } else {
        atomicStore(&control.crowded, 1u);
    }
}

@compute @workgroup_size(64)
fn find_neighbours(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let entry = linear_id(w, n, l, 64u);
    let writing = pass_constants.x == 1u;
    let entries = pass_constants.y == 1u;
    if (entry >= params.part_count || (writing && atomicLoad(&control.overflow) != 0u)) {
        return;
    }
    let me = cell_entry[entry]; // in cell order: neighbouring invocations read the same cells
    let body = entry_body(me);
    let own_level = entry_level(me);
    let position = body_view[body].position;
    let radius = body_view[body].radius;
    let first = select(0u, incident_offset[body], writing);
    let levels = select(params.level_count, min(params.level_count, own_level + FINER + 1u), entries);
    var count = 0u;
    var upper = 0u;
    var cells_left = CELLS_MAX;
    var left = CROWD_MAX;
    for (var level = 0u; level < min(levels, 8u); level++) {
        let size = level_cell(params, level);
        let reach = i32(ceil((radius + level_radius(params, level) + 2.0 * params.skin_half) * 64.0)) + 1;
        let low = vec3<i32>(floor_divide(me.coarse.x - reach, size), floor_divide(me.coarse.y - reach, size), floor_divide(me.coarse.z - reach, size));
        let high = vec3<i32>(floor_divide(me.coarse.x + reach, size), floor_divide(me.coarse.y + reach, size), floor_divide(me.coarse.z + reach, size));
        let span = vec3<u32>(high - low) + vec3<u32>(1u);
        // No product of three that would wrap: 2^10 is beyond what is looked at.
        let cells = min(select(span.x * span.y * span.z, CELLS_MAX, max(span.x, max(span.y, span.z)) > 1024u), cells_left);
        cells_left -= cells;
        var cell = low;
        for (var k = 0u; k < cells; k++) {
            let corner = cell * size;
            let range = cell_range[hash_cell(cell, level) & params.hash_mask];
            let look = min(range.end - range.first, left);
            left -= look;
            for (var e = 0u; e < look; e++) {
                let other = cell_entry[range.first + e];
                // The quotient check: another cell, or another level, may share the key.
                let elsewhere = any(bitcast<vec3<u32>>(other.coarse - corner) >= vec3<u32>(u32(size)));
                if (elsewhere || entry_level(other) != level || range.first + e == entry) {
                    continue;
                }
                let j = entry_body(other);
                if (is_neighbour(me.coarse, position, radius, other.coarse, j) && !same_clump(body, j)) {
                    if (writing) {
                        note(first + count, body, j, entries);
                    }
                    count += 1u;
                    upper += select(0u, 1u, j > body);
                    // A body this much larger does not look for small ones: they enter the pair.
                    if (entries && level + FINER < own_level) {
                        if (writing) {
                            note(first + count, j, body, entries);
                        }
                        count += 1u;
                    }
                }
            }
            // The next cell, x first: every turn of a loop in a loop counts.
            cell.x += 1;
            cell.y += select(0, 1, cell.x > high.x);
            cell.x = select(cell.x, low.x, cell.x > high.x);
            cell.z += select(0, 1, cell.y > high.y);
            cell.y = select(cell.y, low.y, cell.y > high.y);
        }
    }
    if (cells_left == 0u || left == 0u || cut_short(atomicLoad(&control.zero), CELLS_MAX - cells_left + CROWD_MAX - left) || (!entries && count > SORTED_MAX)) {
        crowded(body, entries);
    }
    if (!writing) {
        neighbour_count[body] = count;
        upper_count[body] = upper;
    } else if (!entries) {
        sort_neighbours(first, count);
    }
}
