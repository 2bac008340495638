// A body's words in `body_state`: position [2^-38 L], velocity [2^-58 L/T] and spin [2^-58 /T], each a 64-bit integer an
// axis, then its id; mirrored by `gpu::layout`. Spin has as many bits as velocity: what weak friction takes from a fast
// spin in a step is far below the last place of an f32.
const STATE_WORDS: u32 = 20u;
const STATE_VELOCITY: u32 = 6u;
const STATE_SPIN: u32 = 12u;
