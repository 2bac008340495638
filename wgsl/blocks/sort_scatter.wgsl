import package::math::dispatch::{linear_id};
import package::blocks::sort_tile::{begin_tile, place};

// Moves every key of one word and its payload to where its digit goes, keeping the order of equal digits.
// pass_constants: number of keys, shift, tiles.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> keys_in: array<u32>;
var<storage, read> payload_in: array<u32>;
var<storage, read_write> keys_out: array<u32>;
var<storage, read_write> payload_out: array<u32>;

fn move_key(tile: u32, round: u32, l: u32) {
    let i = tile * 1024u + round * 64u + l;
    let at = min(i, pass_constants.x - 1u);
    let key = keys_in[at];
    let payload = payload_in[at];
    let to = place(round, l, (key >> pass_constants.y) & 255u);
    if (i < pass_constants.x) {
        keys_out[to] = key;
        payload_out[to] = payload;
    }
}

// The rounds stand one by one: software devices take a third less time for them than for a loop.
@compute @workgroup_size(64)
fn sort_scatter(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let tile = linear_id(w, 0u, 1u);
    begin_tile(min(tile, pass_constants.z - 1u), l);
    move_key(tile, 0u, l);
    move_key(tile, 1u, l);
    move_key(tile, 2u, l);
    move_key(tile, 3u, l);
    move_key(tile, 4u, l);
    move_key(tile, 5u, l);
    move_key(tile, 6u, l);
    move_key(tile, 7u, l);
    move_key(tile, 8u, l);
    move_key(tile, 9u, l);
    move_key(tile, 10u, l);
    move_key(tile, 11u, l);
    move_key(tile, 12u, l);
    move_key(tile, 13u, l);
    move_key(tile, 14u, l);
    move_key(tile, 15u, l);
}
