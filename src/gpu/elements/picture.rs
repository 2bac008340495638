//! Scenes of pictures; lengths in units of the scene's radius.

crate::element! {
    "state/picture";

    /// A body, or what holds it.
    struct Sphere {
        /// its centre
        centre: [f32; 3],
        /// its radius
        radius: f32,
    }

    /// Planes of a body; a sphere has none.
    struct BodyPlanes {
        /// the first
        first: u32,
        /// how many
        count: u32,
    }

    /// A plane that bounds a body.
    struct Plane {
        /// outward
        normal: [f32; 3],
        /// from the body's centre
        distance: f32,
    }

    /// A corner of facets.
    struct Vertex {
        /// where it is
        position: [f32; 3],
        /// to 16 bytes
        pad: u32,
    }

    /// A triangle.
    struct Facet {
        /// numbers of its corners
        corners: [u32; 3],
        /// square roots of red, green, blue
        tint: u32,
    }

    /// Pixels of a picture in which a body or a facet may be seen.
    struct PixelPatch {
        /// body or facet
        shown: u32,
        /// first x and y, 16 bits each
        corner: u32,
        /// width and height, 16 bits each
        sides: u32,
        /// to 16 bytes
        pad: u32,
    }
}

impl Sphere {
    /// Of this centre and radius.
    pub fn new([x, y, z, radius]: [f32; 4]) -> Sphere {
        Sphere { centre: [x, y, z], radius }
    }
}

impl PixelPatch {
    /// Pixels from `corner` (x, y) on, of these sides (width, height).
    pub fn new(shown: u32, corner: [u32; 2], sides: [u32; 2]) -> PixelPatch {
        let [corner, sides] = [corner, sides].map(|[x, y]| x | y << 16);
        PixelPatch { shown, corner, sides, pad: 0 }
    }

    /// Columns and rows that it covers.
    pub fn covered(&self) -> [std::ops::Range<u32>; 2] {
        let [x, y] = [self.corner & 0xffff, self.corner >> 16];
        [x..x + (self.sides & 0xffff), y..y + (self.sides >> 16)]
    }
}
