import package::math::wide3::{Wide3};

// Elements of the buffers that hold one a body; mirrored by `gpu::elements::body`.

// Where a body is and how it moves, in 64-bit integers an axis. Spin has as many bits as velocity: what weak friction takes
// from a fast spin in a step is far below the last place of an f32. Who is where, the host knows.
struct BodyState {
    position: Wide3, // [2^-38 L]
    velocity: Wide3, // displacement per step [2^-58 L/T]
    spin: Wide3,     // [2^-58 /T]
}

// The same as nine numbers: where those of a member begin.
const STATE_POSITION: u32 = 0u;
const STATE_VELOCITY: u32 = 3u;
const STATE_SPIN: u32 = 6u;

// What contacts read of a body.
struct BodyView {
    position: vec3<u32>, // window of the position, bits 8 to 39 [2^-30 L]
    radius: f32,         // [L], a multiple of 2^-24
    velocity: vec3<u32>, // window of the velocity, bits 21 to 52 [2^-37 L/T]
    inverse_mass: f32,   // [1/M]
    spin: vec3<f32>,     // [1/T]
    material_and_tail: u32, // material, and bits 0 to 7 of the position: of x from bit 8 on, y, z (math/position)
    anchor: vec3<u32>,   // `position` when the list of neighbours was made
    clump_or_room: u32,  // of a clump's part its body and one, else 0; of a soft sphere its room, bits of an f32 [L]
}

// How a body is turned: a unit quaternion, vector part first.
struct Orientation {
    quaternion: vec4<i32>, // [2^-30]
}

// Attraction at a body.
struct Field {
    acceleration: vec3<f32>, // [L/T2]
    potential: f32,          // [L2/T2]
}

// What acts on a body in a step of a turning frame.
struct BodyLoad {
    kick: vec3<f32>,    // acceleration [L/T2]
    turning: vec3<f32>, // change of spin [1/T2]
}

// Inertia of a body as whole numbers: `mass` 2^-mass_shift [M], `moment` 2^-moment_shift [M L2].
struct BodyWeight {
    mass: u32,
    mass_shift: u32,
    moment: u32,
    moment_shift: u32,
}

// Inverse inertia of a body or a wall: 1/mass, and the root of the inverse tensor of inertia.
struct BodyInertia {
    inverse_mass: f32, // [1/M]
    xx: f32,
    yy: f32,
    zz: f32,
    mixed: vec3<f32>,  // xy, xz, yz
    wall: f32,         // 1 of a wall, which moves along its normal alone, else 0
}

// Principal moments of inertia of a body.
struct BodyMoment {
    relative: vec3<f32>, // over the largest
    largest: f32,        // [M L2]
}

// What impulses have given a body or a wall.
struct BodyPush {
    velocity: vec3<f32>, // [L/T]
    along: f32,          // of a wall: length of `velocity` along its normal
    spin: vec3<f32>,     // [1/T]
}

// Highest proposals of a body's contacts for a colour, of even rounds and of odd ones.
struct BodyLeader {
    proposal: array<u32, 2>,
}

// The same for passes that change it with atomics.
struct BodyLeaderAtomic {
    proposal: array<atomic<u32>, 2>,
}
