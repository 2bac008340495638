// Scenes of pictures. Lengths are in units of the scene's radius.

struct Sphere {
    centre: vec3<f32>,
    radius: f32,
}

// Planes of a body: the first, how many. A sphere has none.
struct BodyPlanes {
    first: u32,
    count: u32,
}

// A plane that bounds a body, in view coordinates.
struct Plane {
    normal: vec3<f32>, // outward
    distance: f32,     // from the body's centre
}

struct Vertex {
    position: vec3<f32>,
}

struct Facet {
    corners: vec3<u32>,
    tint: u32, // square roots of red, green, blue
}

// Pixels of a picture in which a body or a facet may be seen.
struct PixelPatch {
    shown: u32,              // body or facet
    corner: u32,             // first x and y, 16 bits each
    @size(8) sides: u32,     // width and height, 16 bits each
}
