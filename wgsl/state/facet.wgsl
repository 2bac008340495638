// The surface of an asteroid, and what bodies feel of it.

// A triangle. Directions are in 2^-30; lengths are 64-bit numbers of 2^-38 L, low and high words apart.
struct SurfaceFace {
    corner_low: vec3<u32>,
    over_low: u32,      // what the height over the second side has more than the first corner tells
    corner_high: vec3<u32>,
    over_high: u32,
    normal: vec3<i32>,
    cotangent_x: f32,   // of the angles at the corners
    rest: vec3<f32>,    // what is left of the normal
    cotangent_y: f32,
    inward_x: vec3<i32>, // normals of the sides
    cotangent_z: f32,
    inward_y: vec3<i32>,
    inward_z: vec3<i32>,
}

// A box of faces [L/64]. Boxes follow each other as a walk meets them: a box, then what it holds.
struct SurfaceNode {
    low: vec3<i32>,
    next: u32,  // box behind all that this one holds
    high: vec3<i32>,
    faces: u32, // of a leaf: eight times the first face, plus how many; of others 0
}

// Entry of a list of facets near bodies. The first entries are rows: a body, and where in the list its facets begin. What
// follows are the facets, with the body that they are near to.
struct Listed {
    body: u32,
    at: u32, // entry, or facet
}

// What a body meets at a facet.
struct FacetMeeting {
    towards: vec3<f32>, // normal of the facet; by closest feature the unit vector from its closest point to the centre
    overlap: f32,       // radius less the distance of the closest point [L]
    above: f32,         // radius less the centre's height over the plane [L]
    share: f32,         // of the circle in the plane, by area; -1: the facet does not count
}

// A contact of a body with the surface.
struct SurfaceTouch {
    first: vec4<f32>,   // memory of the contact law
    second: vec3<f32>,
    weight: f32,        // 0: no contact
    normal: vec3<f32>,  // towards the body
    overlap: f32,       // [L]
    force: vec3<f32>,   // on the body [M L/T2]
    torque: vec3<f32>,  // on the body [M L2/T2]
    energy: vec4<f32>,  // that it has taken: normal, sliding, rolling, twisting [M L2/T2]
}
