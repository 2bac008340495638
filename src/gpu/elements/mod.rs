//! Elements of GPU buffers as the host fills them in and reads them: a file for each of `wgsl/state`.

pub mod body;
pub mod cell;
pub mod contact;
pub mod control;
pub mod digits;
pub mod face;
pub mod facet;
pub mod frame;
pub mod gravity;
pub mod manifold;
pub mod pair;
pub mod picture;
pub mod shape;
pub mod wall;
pub mod work;

use super::element::Layout;
use glam::{DVec3, Vec3};

/// All of them, file by file.
pub const LAYOUTS: &[&[Layout]] = &[
    body::LAYOUTS,
    cell::LAYOUTS,
    contact::LAYOUTS,
    control::LAYOUTS,
    digits::LAYOUTS,
    face::LAYOUTS,
    facet::LAYOUTS,
    frame::LAYOUTS,
    gravity::LAYOUTS,
    manifold::LAYOUTS,
    pair::LAYOUTS,
    picture::LAYOUTS,
    shape::LAYOUTS,
    wall::LAYOUTS,
    work::LAYOUTS,
];

/// A vector of an element in f64.
pub fn in_f64(v: [f32; 3]) -> DVec3 {
    Vec3::from_array(v).as_dvec3()
}
