//! Faces of an asteroid as sources of gravity, and the tree over them. Lengths are in radii of the asteroid.

crate::element! {
    "state/face";

    /// A face: its first corner and the way to the next.
    struct FaceCorner {
        /// first corner, a
        corner: [f32; 3],
        /// distance from a to b
        ab_length: f32,
        /// from a to b
        ab: [f32; 3],
        /// distance from b to c
        bc_length: f32,
    }

    /// A face: the way from its first corner to the last, and its plane.
    struct FaceSide {
        /// from a to c
        ac: [f32; 3],
        /// distance from c to a
        ca_length: f32,
        /// outward normal
        normal: [f32; 3],
        /// twice the area
        twice_area: f32,
    }

    /// A node of the tree, with the charge of its faces.
    struct FaceNode {
        /// mean of the faces, weighted by area
        centre: [f32; 3],
        /// distance from the centre that holds every face
        reach: f32,
        /// sum of n A
        charge: [f32; 3],
        /// integral of the cubed distance from the centre
        third: f32,
        /// what follows when the node is not opened
        next: u32,
        /// first face of a leaf
        first: u32,
        /// faces of a leaf; 0: its first child follows it
        count: u32,
        /// to 16 bytes
        pad0: u32,
    }

    /// Moments of a node's charges, by the components of the normals: first moments and xx of the second; or yy, xy,
    /// xz, yz.
    struct FaceMoments {
        /// of the x components
        x: [f32; 4],
        /// of the y components
        y: [f32; 4],
        /// of the z components
        z: [f32; 4],
    }

    /// Sum of n I over a slice of the faces, I: integral of 1 / distance over a face.
    struct FacePart {
        /// sum of n I
        pull: [f32; 3],
        /// to 16 bytes
        pad0: u32,
    }
}
