//! Faces and nodes of the asteroid as the GPU reads them.

use crate::gpu::elements::face::{FaceCorner, FaceMoments, FaceNode, FaceSide};
use crate::physics::gravity::face_tree::{FaceTree, MomentRows, NodeRow};

impl FaceTree {
    /// Rows of `face_corner` and `face_side`, in the order of the tree.
    pub fn face_rows(&self) -> (Vec<FaceCorner>, Vec<FaceSide>) {
        let row = |k: usize| {
            let face = self.face(k);
            let [a, b, c] = face.corners;
            let f32s = |v: glam::DVec3| v.as_vec3().to_array();
            let lengths = [a.distance(b), b.distance(c), c.distance(a)].map(|l| l as f32);
            let corner = FaceCorner { corner: f32s(a), ab_length: lengths[0], ab: f32s(b - a), bc_length: lengths[1] };
            let (normal, twice_area) = (f32s(face.normal), (2.0 * face.area) as f32);
            (corner, FaceSide { ac: f32s(c - a), ca_length: lengths[2], normal, twice_area })
        };
        (0..self.len()).map(row).unzip()
    }

    /// Rows of `face_node`.
    pub fn node_rows(&self) -> Vec<FaceNode> {
        let row = |n: &NodeRow| {
            let NodeRow { centre, reach, charge, third, next, first, count } = *n;
            FaceNode { centre, reach, charge, third, next, first, count, pad0: 0 }
        };
        self.nodes.iter().map(row).collect()
    }

    /// Rows of `face_first` or `face_second`, which are one buffer too few for a device that binds 128 MiB.
    pub fn moment_rows(&self, part: fn(&MomentRows) -> [[f32; 4]; 3]) -> Vec<FaceMoments> {
        let row = |moments: &MomentRows| {
            let [x, y, z] = part(moments);
            FaceMoments { x, y, z }
        };
        self.moments.iter().map(row).collect()
    }
}
