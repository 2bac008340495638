import package::state::gravity::{Source};
import package::gravity::gravity::{coarse_pull, fine_pull};

// Tiles of 64 bodies go through workgroup memory: all invocations of a workgroup read them there. `tile_on_cpu` has the
// other form.
var<storage, read> tree_position: array<Source>;

var<workgroup> tile_position: array<vec4<i32>, 64>; // and the mass
var<workgroup> tile_rest: array<vec4<f32>, 64>;

fn coarse(here: Source, k: u32, unit: f32) -> vec4<f32> {
    return coarse_pull(here, tile_position[k], unit);
}

fn fine(here: Source, k: u32, unit: f32) -> vec4<f32> {
    return fine_pull(here, tile_position[k], tile_rest[k].xyz, unit);
}

// Field at `here` of the 64 bodies from `start` on, without G; of `count` bodies in all. `is_fine`: with the rests of positions.
fn sum_tile(l: u32, start: u32, count: u32, here: Source, unit: f32, is_fine: bool) -> vec4<f32> {
    let source = start + l;
    workgroupBarrier();
    let body = tree_position[min(source, count - 1u)];
    let mass = select(0.0, body.mass, source < count); // past the end: a massless body
    tile_position[l] = vec4<i32>(body.position, bitcast<i32>(mass));
    tile_rest[l] = vec4<f32>(body.rest, 0.0);
    workgroupBarrier();
    // One of the two loops below is empty: software devices load what both sides of a branch need.
    let split = select(64u, 0u, is_fine);
    var part = vec4<f32>(0.0);
    for (var k = 0u; k < min(split, 64u); k += 8u) {
        part += coarse(here, k, unit) + coarse(here, k + 1u, unit);
        part += coarse(here, k + 2u, unit) + coarse(here, k + 3u, unit);
        part += coarse(here, k + 4u, unit) + coarse(here, k + 5u, unit);
        part += coarse(here, k + 6u, unit) + coarse(here, k + 7u, unit);
    }
    for (var k = split; k < 64u; k += 8u) {
        part += fine(here, k, unit) + fine(here, k + 1u, unit);
        part += fine(here, k + 2u, unit) + fine(here, k + 3u, unit);
        part += fine(here, k + 4u, unit) + fine(here, k + 5u, unit);
        part += fine(here, k + 6u, unit) + fine(here, k + 7u, unit);
    }
    return part;
}
