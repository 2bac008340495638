// Pairs of bodies that are near each other, and what soft contacts keep and give.

// The lower index first.
struct Pair {
    i: u32,
    j: u32,
}

// What the law keeps of a contact from step to step; what it means, the law says.
struct PairMemory {
    first: vec4<f32>,
    second: vec3<f32>,
    overlap: f32, // of the last step [L]; 0: they did not touch
}

// The same of a body and a wall.
struct WallMemory {
    first: vec4<f32>,
    second: vec3<f32>,
    work: f32, // done by the wall [M L2/T2]
}

// No padding: of all that a step moves, these are the most bytes. All 0 where the bodies do not touch.
struct PairResult {
    force: array<f32, 3>,            // on i [M L/T2]
    torque: array<array<f32, 3>, 2>, // on i, on j [M L2/T2]
}

// What one side of a pair gets.
struct SideLoad {
    force: vec3<f32>,  // on the body [M L/T2]
    torque: vec3<f32>, // on the body [M L2/T2]
}

// Of a body and a wall, or the surface.
struct WallResult {
    force: vec3<f32>,  // on the body [M L/T2]
    overlap: f32,      // [L]; 0: nothing acts
    torque: vec3<f32>, // on the body [M L2/T2]
}

// Energy that contacts have taken [M L2/T2]: normal, sliding, rolling, twisting.
struct Dissipation {
    energy: vec4<f32>,
}
