// Colours of contacts: contacts of one colour share no body that moves, so that Gauss-Seidel may take them at once. A
// contact keeps its colour, 1 to 63, with the name of its feature in `contact_body`, and so in its history from step to
// step; 0: none yet. Its index in lists and in masks of a body's colours is the colour less one.
const COLOURS: u32 = 63u;
const COLOUR_SHIFT: u32 = 23u;
const COLOUR_BITS: u32 = 0x1f800000u;

fn colour_of(word: u32) -> u32 {
    return (word & COLOUR_BITS) >> COLOUR_SHIFT;
}

fn coloured(word: u32, colour: u32) -> u32 {
    return (word & ~COLOUR_BITS) | (colour << COLOUR_SHIFT);
}

// The bit of a colour, low word first; none for colour 0.
fn colour_bit(colour: u32) -> vec2<u32> {
    let index = (colour + 63u) & 63u;
    let bit = select(0u, 1u << (index & 31u), colour > 0u);
    return select(vec2<u32>(bit, 0u), vec2<u32>(0u, bit), index >= 32u);
}

// The lowest colour that a mask does not hold; 64 if it holds all.
fn free_colour(used: vec2<u32>) -> u32 {
    let high = 32u + select(32u, firstTrailingBit(~used.y), ~used.y != 0u);
    return 1u + select(high, firstTrailingBit(~used.x), ~used.x != 0u);
}
