// Each function errs by what Vulkan allows (sections "Precision of individual operations" of the SPIR-V environment), in
// units in the last place of the result, from a result in f64. `edge_sign` says which way: away from zero or towards it.
// Zeros, infinities and what is smaller than 2^-120 stay as they are.

fn edge_hash(bits: u32) -> i32 {
    let h = (bits ^ (bits >> 16u)) * 0x45d9f3bu;
    let k = (h ^ (h >> 16u)) * 0x45d9f3bu;
    return select(-1, 1, ((k >> 16u) & 1u) == 1u);
}

fn edge_moved(x: f32, units: i32) -> f32 {
    let bits = bitcast<i32>(x);
    let size = bits & 0x7fffffff;
    return select(x, bitcast<f32>(bits + units), size > 0x03800000 && size < 0x7f000000);
}

// The f32 that is farthest from `exact` on the side `sign`, but not farther than `units` units.
fn edge_farthest(exact: f64, units: i32, sign: i32) -> f32 {
    let near = f32(exact);
    let beyond = select(f64(abs(near)) < abs(exact), f64(abs(near)) > abs(exact), sign > 0);
    return edge_moved(near, sign * select(units, units - 1, beyond));
}

// 2.5 units
fn edge_quotient(a: f32, b: f32, sign: i32) -> f32 {
    let near = f32(f64(a) / f64(b));
    return edge_moved(near, 2 * sign);
}

fn edge_divide(a: f32, b: f32) -> f32 {
    return edge_quotient(a, b, edge_sign(bitcast<u32>(a) ^ (bitcast<u32>(b) * 0x9e3779b1u)));
}

// 2 units
fn edge_inverse_root(x: f32, sign: i32) -> f32 {
    return edge_farthest(1.0lf / sqrt(f64(x)), 2, sign);
}

fn edge_inverse_sqrt(x: f32) -> f32 {
    return edge_inverse_root(x, edge_sign(bitcast<u32>(x)));
}

// Inherited from 1.0 / inversesqrt(x): both errors add.
fn edge_sqrt(x: f32) -> f32 {
    let sign = edge_sign(bitcast<u32>(x));
    return edge_quotient(1.0, edge_inverse_root(x, -sign), sign);
}

// 2^-11, absolute
fn edge_sin(x: f32) -> f32 {
    return sin(x) + 4.8828125e-4 * f32(edge_sign(bitcast<u32>(x)));
}

fn edge_cos(x: f32) -> f32 {
    return cos(x) + 4.8828125e-4 * f32(edge_sign(bitcast<u32>(x) ^ 0x55555555u));
}
