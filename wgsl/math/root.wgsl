// Roots and quotients to about 1.2e-7, for sums that cancel. Vulkan allows errors of 7e-7 and 3e-7. Each result is corrected
// once by its own residual. A compiler that contracts makes them better; fast arithmetic may drop the correction, which
// leaves the built-in ones.

// a / b for b of 1e-30 to 1e30.
fn quotient(a: f32, b: f32) -> f32 {
    let q = a / b;
    return q + (a - q * b) / b;
}

// 1 / sqrt(x) for x of 1e-36 to 1e36.
fn inverse_root(x: f32) -> f32 {
    let y = inverseSqrt(x);
    return y + 0.5 * y * (1.0 - (x * y) * y);
}

// Length of a vector; 0 below 1e-18.
fn size_of(v: vec3<f32>) -> f32 {
    let square = dot(v, v);
    return square * inverse_root(max(square, 1.0e-36));
}

// sqrt(x) for x of 1e-36 to 1e36.
fn root_of(x: f32) -> f32 {
    let s = sqrt(x);
    return s + 0.5 * (x - s * s) / s;
}
