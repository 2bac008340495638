// Elements of the buffers that hold one row a body; mirrored by `gpu::elements::body`.

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
