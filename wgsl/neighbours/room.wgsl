import package::neighbours::cells::{hash_cell};

// Coarse cells of 4, 32, 256 and 2048 L that hold bodies, in one table with open addressing: a word is 0, or the key of
// a cell, with the highest bit set if two bodies are in it. Two cells of one key count as one: a body has then less room
// than it could.

const ROOM_LEVELS: u32 = 4u;
const ROOM_SHARED: u32 = 0x80000000u;

fn room_shift(level: u32) -> u32 {
    return 8u + 3u * level; // of a coarse position [L/64]
}

fn room_size(level: u32) -> f32 {
    return f32(1u << (2u + 3u * level)); // [L]
}

fn room_hash(cell: vec3<i32>, level: u32) -> u32 {
    return hash_cell(cell, level + 8u);
}

fn room_key(hash: u32) -> u32 {
    return max(hash & ~ROOM_SHARED, 1u);
}
