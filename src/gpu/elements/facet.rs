//! The surface of an asteroid, and what bodies feel of it.

crate::element! {
    "state/facet";

    /// A triangle. Directions are in 2^-30; low and high words of 64-bit lengths (2^-38 L) are apart.
    struct SurfaceFace {
        /// the first corner
        corner_low: [u32; 3],
        /// what the height over the second side has more than the first corner tells
        over_low: u32,
        /// its high words
        corner_high: [u32; 3],
        /// its high word
        over_high: u32,
        /// outward
        normal: [i32; 3],
        /// of the angle at the first corner
        cotangent_x: f32,
        /// what is left of the normal
        rest: [f32; 3],
        /// of the angle at the second corner
        cotangent_y: f32,
        /// normal of the first side
        inward_x: [i32; 3],
        /// of the angle at the third corner
        cotangent_z: f32,
        /// normal of the second side
        inward_y: [i32; 3],
        /// to 16 bytes
        pad0: u32,
        /// normal of the third side
        inward_z: [i32; 3],
        /// to 16 bytes
        pad1: u32,
    }

    /// A box of faces (L/64).
    struct SurfaceNode {
        /// least coordinates
        low: [i32; 3],
        /// box behind all that this one holds
        next: u32,
        /// largest coordinates
        high: [i32; 3],
        /// of a leaf: eight times the first face, plus how many; of others 0
        faces: u32,
    }

    /// Entry of a list of facets near bodies: rows first, then the facets.
    struct Listed {
        /// the body
        body: u32,
        /// of a row the entry of its first facet; of a facet its index
        at: u32,
    }

    /// What a body meets at a facet.
    struct FacetMeeting {
        /// normal of the facet; by closest feature the unit vector from its closest point to the centre
        towards: [f32; 3],
        /// radius less the distance of the closest point (L)
        overlap: f32,
        /// radius less the centre's height over the plane (L)
        above: f32,
        /// of the circle in the plane, by area; -1: the facet does not count
        share: f32,
        /// to 16 bytes
        pad0: u32,
        /// to 16 bytes
        pad1: u32,
    }

    /// A contact of a body with the surface.
    struct SurfaceTouch {
        /// memory of the contact law
        first: [f32; 4],
        /// memory of the contact law
        second: [f32; 3],
        /// 0: no contact
        weight: f32,
        /// towards the body
        normal: [f32; 3],
        /// (L)
        overlap: f32,
        /// on the body (M L/T2)
        force: [f32; 3],
        /// to 16 bytes
        pad0: u32,
        /// on the body (M L2/T2)
        torque: [f32; 3],
        /// to 16 bytes
        pad1: u32,
        /// that it has taken: normal, sliding, rolling, twisting (M L2/T2)
        energy: [f32; 4],
    }
}
