// Self-gravity: parameters, bodies as sources, and the tree over them; mirrored by `gpu::elements::gravity`.

// Parameters of the gravity passes.
struct GravityParams {
    gravity_constant: f32,   // [L3/(M T2)]
    predict_steps: u32,      // steps of the holding interval less one; the field is taken at its middle
    body_count: u32,
    central_gm: f32,         // [L3/T2]; 0: no central body
    central_low: vec3<u32>,  // its position [2^-38 L], low and high words
    accuracy: f32,           // of the relative opening criterion; 0: geometric
    central_high: vec3<u32>,
    opening_angle: f32,      // of the geometric criterion
    central_radius: f32,     // of a uniform central body [L]; 0: a point
    carry: vec3<i32>,        // rotation of the axes in a step [2^-30] where velocities are those of inertial space, else 0
}

// A body as a source: position in whole units of TreeScale about body 0, and the rest below one unit. However far the
// farthest body is, the distance of neighbours keeps f32's precision.
struct Source {
    position: vec3<i32>,     // 0 to 2^31
    mass: f32,               // [M]
    rest: vec3<f32>,         // 0 to 1
}

struct TreeScale {
    unit: f32,               // length of one unit of a position [L]
    shift: u32,
    pad0: u32,
    pad1: u32,
}

// An inner node of the radix tree over sorted keys. A child with the highest bit set is a sorted body.
struct TreeNode {
    left: u32,
    right: u32,
    first: u32,              // bodies that it covers
    last: u32,
}

// A set of sources: an aligned block of the sorted bodies, or what a node covers.
struct SourceMoments {
    centre: vec3<i32>,       // of mass
    mass: f32,               // [M]
    diagonal: vec3<f32>,     // sum of m d d about the centre [M L2]: xx, yy, zz
    rest: u32,               // of the centre, packed
    cross: vec3<f32>,        // xy, xz, yz
    low: vec3<i32>,          // box
    high: vec3<i32>,
}

// An inner node as the walk needs it.
struct Branch {
    centre: vec3<i32>,
    mass: f32,
    down: u32,               // left child; the right one has the next number
    first: u32,              // sorted body
    rest: u32,               // of the centre, packed
    count: u32,              // bodies
    diagonal: vec3<f32>,     // traceless quadrupole, sum of m (3 d d - d^2) [M L2]: xx, yy, zz
    reach: f32,              // distance from the centre that holds every body [L]
    cross: vec3<f32>,        // xy, xz, yz
    size: f32,               // longest side of the box [L]
}

// A group of sorted bodies that walk the tree together, in two boxes: before and after its widest jump.
struct TreeTarget {
    low: vec3<i32>,          // first box
    strictness: f32,         // accuracy times the group's self-gravity over G; 0: the criterion is geometric
    high: vec3<i32>,
    pad0: u32,
    next_low: vec3<i32>,     // second box
    pad1: u32,
    next_high: vec3<i32>,
    pad2: u32,
}

// Sums over bodies of the tree's field, and of the weights by which what is wrong with it is shared out.
struct Imbalance {
    // net force, sum of sizes; net torque; of weighted arms the squares, and the products xy, xz, yz; middle of the weights, weight
    sums: array<vec4<f32>, 5>,
}

// What is taken out of the tree's field a: |a|^2 (shift + turn x arm), arms about the middle of the weights.
struct Balance {
    shift: vec3<f32>,
    share: f32,              // |net force| over the sum of |forces|
    turn: vec3<f32>,
    pad0: u32,
    middle: vec3<f32>,       // about the centre of mass [L]
    pad1: u32,
}
