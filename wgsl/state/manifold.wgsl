// Contacts of bodies that are not spheres: where they touch, and the impulses there from step to step.

// Contact points of a pair of bodies, or of a body and a wall, at most.
const POINTS: u32 = 4u;

// The common plane of a pair. Two lists have their entries here too, of any pairs: so that those that have work to do are
// next to each other, whatever lies between them in the list of neighbours.
struct PairPlane {
    normal: vec3<f32>, // from j to i
    gap: f32,          // [L]; out of reach: NOTHING of contact_dynamics/dynamics
    middle: vec3<f32>, // of the shortest link, from the centre of i [L]
    feature: u32,      // name of the link
    reach: f32,        // gap up to which a point counts [L]
    near: u32,         // entry of the list of pairs that come near
    within: u32,       // entry of the list of pairs within reach, plus 1; 0: none
}

struct ManifoldPoint {
    arm: vec3<f32>, // from the centre of the first body, half-way across the gap [L]
    gap: f32,       // [L]
}

struct Manifold {
    normal: vec3<f32>, // towards the first body
    kind: u32,         // 1: a point, 2: an edge along a face, 3: face on face
    points: array<ManifoldPoint, 4>,
    names: vec4<u32>,  // of the points' features, 0: there is none
}

struct PointImpulse {
    impulse: vec3<f32>, // on the first body [M L/T]
    feature: u32,       // name of what touches, with the contact's colour; 0: no contact
}

// Impulses of a pair's contacts in the step before. Spheres have one.
struct PairImpulses {
    points: array<PointImpulse, 4>,
    normal: vec3<f32>, // of the common plane, from j to i
}

// The same of a body and a wall.
struct WallImpulses {
    points: array<PointImpulse, 4>,
    unused: vec3<f32>,
    work: f32, // done by the wall [M L2/T2]
}
