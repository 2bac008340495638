// A neighbour of a body as an entry of two words, low and high: body x 2^bits + neighbour. Sorted, they are the lists of
// all bodies, each ascending.

// Bits of an index: fewer than all ones, which mark an entry that holds nothing.
fn entry_bits(parts: u32) -> u32 {
    return 32u - countLeadingZeros(parts);
}

fn entry_words(body: u32, other: u32, bits: u32) -> vec2<u32> {
    return vec2<u32>((body << bits) | other, body >> (32u - bits));
}

fn entry_other(low: u32, bits: u32) -> u32 {
    return low & ((1u << bits) - 1u);
}
