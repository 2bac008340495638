//! Numbers of 64 bits as pairs of words.

pub(crate) fn split(x: i64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}
