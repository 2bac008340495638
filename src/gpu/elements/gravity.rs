//! Self-gravity: bodies as sources, and the tree over them.

crate::element! {
    "state/gravity";

    /// A body as a source: position in whole units of TreeScale about body 0, and the rest below one unit. However far
    /// the farthest body is, the distance of neighbours keeps f32's precision.
    struct Source {
        /// whole units of the scale, 0 to 2^31
        position: [i32; 3],
        /// mass (M)
        mass: f32,
        /// the part below one unit, 0 to 1
        rest: [f32; 3],
        /// to 16 bytes
        pad0: u32,
    }

    /// Scale of the positions of sources.
    struct TreeScale {
        /// length of one unit of a position (L)
        unit: f32,
        /// binary logarithm of the unit over 2^-38 L
        shift: u32,
        /// to 16 bytes
        pad0: u32,
        /// to 16 bytes
        pad1: u32,
    }

    /// An inner node of the radix tree over sorted keys. A child with the highest bit set is a sorted body.
    struct TreeNode {
        /// left child
        left: u32,
        /// right child
        right: u32,
        /// first body that it covers
        first: u32,
        /// last body that it covers
        last: u32,
    }

    /// A set of sources: an aligned block of the sorted bodies, or what a node covers.
    struct SourceMoments {
        /// centre of mass, in whole units
        centre: [i32; 3],
        /// mass (M)
        mass: f32,
        /// sum of m d d about the centre (M L2): xx, yy, zz
        diagonal: [f32; 3],
        /// rest of the centre, packed
        rest: u32,
        /// xy, xz, yz of the same
        cross: [f32; 3],
        /// to 16 bytes
        pad0: u32,
        /// least coordinates of the box
        low: [i32; 3],
        /// to 16 bytes
        pad1: u32,
        /// largest coordinates of the box
        high: [i32; 3],
        /// to 16 bytes
        pad2: u32,
    }

    /// An inner node as the walk needs it.
    struct Branch {
        /// centre of mass, in whole units
        centre: [i32; 3],
        /// mass (M)
        mass: f32,
        /// left child; the right one has the next number
        down: u32,
        /// first sorted body that it covers
        first: u32,
        /// rest of the centre, packed
        rest: u32,
        /// bodies
        count: u32,
        /// traceless quadrupole, sum of m (3 d d - d^2) (M L2): xx, yy, zz
        diagonal: [f32; 3],
        /// distance from the centre that holds every body (L)
        reach: f32,
        /// xy, xz, yz of the same
        cross: [f32; 3],
        /// longest side of the box (L)
        size: f32,
    }

    /// A group of sorted bodies that walk the tree together, in two boxes: before and after its widest jump.
    struct TreeTarget {
        /// least coordinates of the first box
        low: [i32; 3],
        /// accuracy times the group's self-gravity over G; 0: the criterion is geometric
        strictness: f32,
        /// largest coordinates of the first box
        high: [i32; 3],
        /// to 16 bytes
        pad0: u32,
        /// least coordinates of the second box
        next_low: [i32; 3],
        /// to 16 bytes
        pad1: u32,
        /// largest coordinates of the second box
        next_high: [i32; 3],
        /// to 16 bytes
        pad2: u32,
    }

    /// Sums over bodies of the tree's field, and of the weights by which what is wrong with it is shared out.
    struct Imbalance {
        /// net force, sum of sizes; net torque; of weighted arms the squares, and the products xy, xz, yz; middle of the
        /// weights, weight
        sums: [[f32; 4]; 5],
    }

    /// What is taken out of the tree's field a: |a|^2 (shift + turn x arm), arms about the middle of the weights.
    struct Balance {
        /// acceleration that is taken out over |a|^2
        shift: [f32; 3],
        /// |net force| over the sum of |forces|
        share: f32,
        /// rotation that is taken out
        turn: [f32; 3],
        /// to 16 bytes
        pad0: u32,
        /// middle of the weights about the centre of mass (L)
        middle: [f32; 3],
        /// to 16 bytes
        pad1: u32,
    }
}
