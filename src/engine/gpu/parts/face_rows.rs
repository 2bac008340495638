//! Faces and nodes of the asteroid as the GPU reads them.

use crate::physics::gravity::face_tree::{FaceTree, MomentRows};
use bytemuck::{Pod, Zeroable};

/// `FaceCorner` of `wgsl/gravity/faces.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct CornerRow {
    /// a, in radii
    pub corner: [f32; 3],
    /// from a to b
    pub ab_length: f32,
    /// the same
    pub ab: [f32; 3],
    /// from b to c
    pub bc_length: f32,
}

/// `FaceSide` of `wgsl/gravity/faces.wgsl`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct SideRow {
    /// from a to c
    pub ac: [f32; 3],
    /// the same
    pub ca_length: f32,
    /// outward
    pub normal: [f32; 3],
    /// (squared radii)
    pub twice_area: f32,
}

impl FaceTree {
    /// Rows of `face_corner` and `face_side`, in the order of the tree.
    pub fn face_rows(&self) -> (Vec<CornerRow>, Vec<SideRow>) {
        let row = |k: usize| {
            let face = self.face(k);
            let [a, b, c] = face.corners;
            let f32s = |v: glam::DVec3| v.as_vec3().to_array();
            let lengths = [a.distance(b), b.distance(c), c.distance(a)].map(|l| l as f32);
            let corner = CornerRow { corner: f32s(a), ab_length: lengths[0], ab: f32s(b - a), bc_length: lengths[1] };
            let (normal, twice_area) = (f32s(face.normal), (2.0 * face.area) as f32);
            (corner, SideRow { ac: f32s(c - a), ca_length: lengths[2], normal, twice_area })
        };
        (0..self.len()).map(row).unzip()
    }

    /// Rows of `face_first` or `face_second`, which are one buffer too few for a device that binds 128 MiB.
    pub fn moment_rows(&self, part: fn(&MomentRows) -> [[f32; 4]; 3]) -> Vec<[[f32; 4]; 3]> {
        self.moments.iter().map(part).collect()
    }
}
