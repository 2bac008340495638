//! Contacts of bodies that are not spheres, and impulses that are kept from step to step.

crate::element! {
    "state/manifold";

    /// The common plane of a pair.
    struct PairPlane {
        /// from j to i
        normal: [f32; 3],
        /// (L)
        gap: f32,
        /// of the shortest link, from the centre of i (L)
        middle: [f32; 3],
        /// name of the link
        feature: u32,
        /// gap up to which a point counts (L)
        reach: f32,
        /// entry of the list of pairs that come near
        near: u32,
        /// entry of the list of pairs within reach, plus 1; 0: none
        within: u32,
        /// to 16 bytes
        pad: u32,
    }

    /// A contact point.
    struct ManifoldPoint {
        /// from the centre of the first body, half-way across the gap (L)
        arm: [f32; 3],
        /// (L)
        gap: f32,
    }

    /// Contact points of a pair.
    struct Manifold {
        /// towards the first body
        normal: [f32; 3],
        /// 1: a point, 2: an edge along a face, 3: face on face
        kind: u32,
        /// at most four
        points: [ManifoldPoint; 4],
        /// of the points' features, 0: there is none
        names: [u32; 4],
    }

    /// Impulse of a contact in the step before.
    struct PointImpulse {
        /// on the first body (M L/T)
        impulse: [f32; 3],
        /// name of what touches, with the contact's colour; 0: no contact
        feature: u32,
    }

    /// Impulses of a pair's contacts in the step before.
    struct PairImpulses {
        /// at most four
        points: [PointImpulse; 4],
        /// of the common plane, from j to i
        normal: [f32; 3],
        /// to 16 bytes
        pad: u32,
    }

    /// The same of a body and a wall.
    struct WallImpulses {
        /// at most four
        points: [PointImpulse; 4],
        /// nothing
        unused: [f32; 3],
        /// done by the wall (M L2/T2)
        work: f32,
    }
}
