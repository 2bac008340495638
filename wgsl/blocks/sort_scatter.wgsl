import package::math::dispatch::{linear_id};

// Moves every key and its payload to the index that the scanned histogram gives its digit, keeping the order of equal
// digits. Keys go in batches of four rounds of one key an invocation: all say in a bit mask which digits they hold, and
// the rank of a key is the number of bits before its own. pass_constants as in sort_count.
var<uniform> pass_constants: vec4<u32>;
var<storage, read> keys_in: array<u32>;
var<storage, read> payload_in: array<u32>;
var<storage, read> offsets: array<u32>;
var<storage, read_write> keys_out: array<u32>;
var<storage, read_write> payload_out: array<u32>;

const ROUNDS: u32 = 4u;
const BATCH: u32 = 128u;    // keys
const MASKS: u32 = 1024u;   // of a batch: a word a round and digit

// Index at which the next key of a digit goes.
var<workgroup> place: array<u32, 256>;
// The masks of two batches, one being cleared as the other is filled.
var<workgroup> holders: array<atomic<u32>, 2048>;

// Keys of a batch with this digit: before that of invocation `l` in round `round`, and all.
fn count_holders(masks: u32, digit: u32, round: u32, l: u32) -> vec2<u32> {
    var count = vec2<u32>(0u);
    for (var r = 0u; r < ROUNDS; r++) {
        let mask = atomicLoad(&holders[masks + r * 256u + digit]);
        let before = select(select(0u, (1u << l) - 1u, r == round), 0xffffffffu, r < round);
        count += vec2<u32>(countOneBits(mask & before), countOneBits(mask));
    }
    return count;
}

@compute @workgroup_size(32)
fn sort_scatter(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let tile = linear_id(w, n, 0u, 1u);
    let words = pass_constants.w;
    let word = pass_constants.y >> 5u;
    let shift = pass_constants.y & 31u;
    for (var d = l; d < 256u; d += 32u) {
        place[d] = offsets[min(d * pass_constants.z + tile, 256u * pass_constants.z - 1u)];
    }
    for (var d = l; d < 2u * MASKS; d += 32u) {
        atomicStore(&holders[d], 0u);
    }
    workgroupBarrier();
    for (var batch = 0u; batch < 8u; batch++) {
        let first = tile * 1024u + batch * BATCH + l;
        let masks = (batch & 1u) * MASKS;
        var digits = 0u; // a byte a round
        for (var r = 0u; r < ROUNDS; r++) {
            let i = first + 32u * r;
            if (i < pass_constants.x) {
                let digit = (keys_in[i * words + word] >> shift) & 255u;
                digits |= digit << (8u * r);
                atomicOr(&holders[masks + r * 256u + digit], 1u << l);
            }
        }
        workgroupBarrier();
        var moves = 0u; // a byte a round: by how many keys the last holder of a digit moves its place on
        for (var r = 0u; r < ROUNDS; r++) {
            let i = first + 32u * r;
            if (i < pass_constants.x) {
                let digit = (digits >> (8u * r)) & 255u;
                let count = count_holders(masks, digit, r, l);
                let to = place[digit] + count.x;
                for (var c = 0u; c < min(words, 2u); c++) {
                    keys_out[to * words + c] = keys_in[i * words + c];
                }
                payload_out[to] = payload_in[i];
                moves |= select(0u, count.y, count.x + 1u == count.y) << (8u * r);
            }
        }
        workgroupBarrier();
        for (var r = 0u; r < ROUNDS; r++) {
            let digit = (digits >> (8u * r)) & 255u;
            atomicStore(&holders[masks + r * 256u + digit], 0u);
            let moved = (moves >> (8u * r)) & 255u;
            if (moved != 0u) {
                place[digit] += moved;
            }
        }
    }
}
