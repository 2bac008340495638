import package::state::cell::{CellEntry};
import package::state::params::{Params};

// The hierarchical hash grid: a body of radius r lives at the finest level whose largest radius holds r; cells of a
// level are integers of L/64. A cell is named by its true coordinates; the hash only finds it.

// A level by constant places: for a place that is not constant NVIDIA copies the uniform to the memory of each invocation.
fn level_cell(params: Params, level: u32) -> i32 {
    let four = select(params.level_cell[0], params.level_cell[1], level >= 4u);
    let two = select(four.xy, four.zw, (level & 2u) != 0u);
    return i32(select(two.x, two.y, (level & 1u) != 0u));
}

fn level_radius(params: Params, level: u32) -> f32 {
    let four = select(params.level_radius[0], params.level_radius[1], level >= 4u);
    let two = select(four.xy, four.zw, (level & 2u) != 0u);
    return select(two.x, two.y, (level & 1u) != 0u);
}

fn level_of(params: Params, radius: f32) -> u32 {
    var level = 0u;
    for (var l = 1u; l < min(params.level_count, 8u); l++) {
        if (radius <= level_radius(params, l)) {
            level = l;
        }
    }
    return level;
}

// A sorted body as a search reads it: coarse position, body and level in one word (2^29 bodies, 8 levels).
fn cell_entry_of(coarse: vec3<i32>, body: u32, level: u32) -> CellEntry {
    return CellEntry(coarse, body | (level << 29u));
}

fn entry_body(entry: CellEntry) -> u32 {
    return entry.body_level & 0x1fffffffu;
}

fn entry_level(entry: CellEntry) -> u32 {
    return entry.body_level >> 29u;
}

fn floor_divide(a: i32, b: i32) -> i32 {
    let q = a / b;
    return select(q, q - 1, q * b > a);
}

fn cell_of(params: Params, coarse: vec3<i32>, level: u32) -> vec3<i32> {
    let size = level_cell(params, level);
    return vec3<i32>(floor_divide(coarse.x, size), floor_divide(coarse.y, size), floor_divide(coarse.z, size));
}

fn hash_cell(cell: vec3<i32>, level: u32) -> u32 {
    let c = bitcast<vec3<u32>>(cell);
    // A sum: exclusive or would give cells (1, 1, z) and (-1, -1, z) one key.
    var h = c.x * 0x9e3779b1u + c.y * 0x85ebca77u + c.z * 0xc2b2ae3du + level * 0x27d4eb2fu;
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return h ^ (h >> 15u);
}
