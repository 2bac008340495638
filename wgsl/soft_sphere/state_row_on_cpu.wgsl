import package::math::doublet::{low, high, doublet};

// `state_row` in words of 64 bits: software devices take as long for one of them as for one of 32.
var<storage, read_write> body_state: array<array<u64, 9>>;

fn state_of(b: u32, number: u32) -> vec2<u32> {
    let value = body_state[b][number];
    return vec2<u32>(low(value), high(value));
}

fn keep_state(b: u32, number: u32, value: vec2<u32>) {
    body_state[b][number] = doublet(value.x, value.y);
}
