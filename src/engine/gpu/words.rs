//! Numbers of 64 bits as pairs of words, and vectors of f32.

use glam::DVec3;

pub(crate) fn split(x: i64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

pub(crate) fn wide(words: &[u32]) -> i64 {
    i64::from(words[0]) | (i64::from(words[1]) << 32)
}

/// Writes one into two words.
pub(crate) fn put_wide(words: &mut [u32], x: i64) {
    (words[0], words[1]) = (x as u32, (x >> 32) as u32);
}

/// Three of them, one behind the other.
pub(crate) fn wide3(words: &[u32]) -> [i64; 3] {
    [0, 2, 4].map(|c| wide(&words[c..]))
}

pub(crate) fn vec3(v: &[f32; 4]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}
