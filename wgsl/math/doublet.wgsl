// Two words in one of 64 bits, the first word low. Only forms for software devices have such words.

fn low(word: u64) -> u32 {
    return u32(word & 0xfffffffflu);
}

fn high(word: u64) -> u32 {
    return u32(word >> 32u);
}

fn low_f32(word: u64) -> f32 {
    return bitcast<f32>(low(word));
}

fn high_f32(word: u64) -> f32 {
    return bitcast<f32>(high(word));
}

fn doublet(first: u32, second: u32) -> u64 {
    return u64(first) | (u64(second) << 32u);
}

fn doublet_f32(first: f32, second: f32) -> u64 {
    return doublet(bitcast<u32>(first), bitcast<u32>(second));
}
