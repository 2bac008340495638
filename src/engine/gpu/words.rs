//! Numbers of 64 bits as pairs of words, and vectors of f32.

use glam::DVec3;

pub(crate) fn split(x: i64) -> [u32; 2] {
    [x as u32, (x >> 32) as u32]
}

pub(crate) fn vec3(v: &[f32; 4]) -> DVec3 {
    DVec3::new(v[0].into(), v[1].into(), v[2].into())
}
