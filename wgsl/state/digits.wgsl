// What a radix sort knows of digits.

// Tiles of keys, or chunks of tiles, that one invocation takes at most: within what software devices grant.
const CHUNK_MAX: u32 = 30000u;

// Numbers of four digits that follow one another.
struct Digits {
    four: vec4<u32>,
}
