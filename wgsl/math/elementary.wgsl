import package::math::root::{quotient};

// Logarithm, exponential, inverse hyperbolic tangent and arc tangent to a few units in the last place, which the
// built-in ones need not be: Vulkan grants log an error of 2^-21 near 1, exp 3 + 2 |x| units, atan2 4,096 units.
// Polynomials of Cephes (Moshier 1992), single precision. Sine and cosine: sine. Where a difference must be taken first
// it is clamped to bounds that it cannot pass: fast math reorders sums, and sees through everything else.

// Natural logarithm for normal x > 0. Error: 2e-7 relative, 1e-7 absolute near 1.
fn ln(x: f32) -> f32 {
    let bits = bitcast<u32>(x) - 0x3f3504f3u; // exponent relative to the root of 1/2
    let e = f32(bitcast<i32>(bits) >> 23u);
    let m = clamp(bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0, -0.5, 0.5);
    let z = m * m;
    var p = 7.0376836292e-2;
    p = p * m - 1.1514610310e-1;
    p = p * m + 1.1676998740e-1;
    p = p * m - 1.2420140846e-1;
    p = p * m + 1.4249322787e-1;
    p = p * m - 1.6668057665e-1;
    p = p * m + 2.0000714765e-1;
    p = p * m - 2.4999993993e-1;
    p = p * m + 3.3333331174e-1;
    return m + (p * m * z - 2.12194440e-4 * e - 0.5 * z) + 0.693359375 * e;
}

// Exponential for |x| < 80. Error: 4e-7 relative.
fn exponential(x: f32) -> f32 {
    let n = round(x * 1.44269504);
    let r = clamp(x - n * 0.693359375, -1.0, 1.0) + n * 2.12194440e-4;
    let p = ((((1.9875691500e-4 * r + 1.3981999507e-3) * r + 8.3334519073e-3) * r + 4.1665795894e-2) * r + 1.6666665459e-1) * r + 0.5;
    return (1.0 + (r + r * r * p)) * bitcast<f32>(u32(i32(n) + 127) << 23u);
}

// Inverse hyperbolic tangent for |x| < 1/2. Error: 3e-7 relative.
fn arctanh(x: f32) -> f32 {
    let z = x * x;
    let p = (((1.81740078349e-1 * z + 8.24370301058e-2) * z + 1.46691431730e-1) * z + 1.99782164500e-1) * z + 3.33337300303e-1;
    return p * z * x + x;
}

// Angle of the point (x, y), 0 to pi for y >= 0, -pi to 0 else. Error: 5e-7 of the angle where x >= 0, of pi elsewhere. The
// larger of |x| and |y| must be 1e-30 to 1e30.
fn arctan2(y: f32, x: f32) -> f32 {
    let high = max(abs(x), abs(y));
    let q = quotient(min(abs(x), abs(y)), max(high, 1.0e-30));
    let large = q > 0.41421357; // the tangent of pi/8
    let t = select(q, quotient(q - 1.0, q + 1.0), large);
    let z = t * t;
    let p = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;
    var angle = select(0.0, 0.78539816, large) + (p * z * t + t);
    angle = select(angle, 1.5707964 - angle, abs(y) > abs(x));
    angle = select(angle, 3.1415927 - angle, x < 0.0);
    return select(angle, -angle, y < 0.0);
}
