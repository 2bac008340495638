// The state of a body as its nine 64-bit numbers; STATE_POSITION and its like name the first along x.
var<storage, read_write> body_state: array<array<vec2<u32>, 9>>;

fn state_of(b: u32, number: u32) -> vec2<u32> {
    return body_state[b][number];
}

fn keep_state(b: u32, number: u32, value: vec2<u32>) {
    body_state[b][number] = value;
}
