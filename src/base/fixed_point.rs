//! Whole numbers of 2^-bits and the f64 they stand for.

use glam::DVec3;

/// round(x 2^bits), halves away from zero.
pub fn fixed(x: f64, bits: i32) -> i64 {
    (x * f64::from(bits).exp2()).round() as i64
}

/// The nearest counts of 2^-30, for components of unit vectors and quaternions.
pub fn in_q30<const N: usize>(components: [f64; N]) -> [i32; N] {
    components.map(|c| (c * f64::from(1u32 << 30)).round() as i32)
}

/// What `count` units of 2^-bits are, rounded once.
pub fn value(count: i64, bits: i32) -> f64 {
    wide_value(count.into(), bits)
}

/// [`value`] of a count that may need more than 64 bits, as a sum of products does.
pub fn wide_value(count: i128, bits: i32) -> f64 {
    count as f64 * (-f64::from(bits)).exp2()
}

/// [`value`] of each component.
pub fn vector(counts: [i64; 3], bits: i32) -> DVec3 {
    DVec3::from_array(counts.map(|c| value(c, bits)))
}
