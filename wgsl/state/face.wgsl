// Faces of an asteroid as sources of gravity, and the tree over them; mirrored by `gpu::elements::face`. Lengths are in radii
// of the asteroid.

// Parameters of the passes over faces.
struct AsteroidParams {
    pull: f32,           // G rho times the radius [L/T2]
    per_length: f32,     // radii in one L
    strictness: f32,     // accuracy of the tree times the volume
    round_square: f32,   // squared radius of the sphere of equal volume
    face_count: u32,
    node_count: u32,
    slice_faces: u32,    // faces that one invocation sums
    slice_count: u32,
}

struct FaceCorner {
    corner: vec3<f32>,   // a
    ab_length: f32,
    ab: vec3<f32>,       // from it to the next
    bc_length: f32,
}

struct FaceSide {
    ac: vec3<f32>,       // from it to the last
    ca_length: f32,
    normal: vec3<f32>,   // outward
    twice_area: f32,
}

struct FaceNode {
    centre: vec3<f32>,
    reach: f32,
    charge: vec3<f32>,   // sum of n A
    third: f32,          // integral of the cubed distance from the centre
    next: u32,           // what follows when the node is not opened
    first: u32,
    count: u32,          // faces of a leaf; 0: its first child follows it
}

// Moments of a node's charges, by the components of the normals: first moments and xx of the second; or yy, xy, xz, yz.
struct FaceMoments {
    x: vec4<f32>,
    y: vec4<f32>,
    z: vec4<f32>,
}

// Sum of n I over a slice of the faces, I: integral of 1 / distance over a face.
struct FacePart {
    pull: vec3<f32>,
}
