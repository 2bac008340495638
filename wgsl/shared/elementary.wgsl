// Logarithm, inverse hyperbolic tangent and arc tangent to a few units in the last place, which WGSL's own need not be: on
// lavapipe log is 1.2e-6 off near 1 and atan2 3.5e-6. Polynomials of Cephes (Moshier 1992), single precision.

// Of x > 0, a normal number.
fn ln(x: f32) -> f32 {
    let bits = bitcast<u32>(x) - 0x3f3504f3u; // exponent relative to the root of 1/2
    let e = f32(bitcast<i32>(bits) >> 23u);
    let m = bitcast<f32>((bits & 0x007fffffu) + 0x3f3504f3u) - 1.0;
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

// Of |x| < 1/2.
fn arctanh(x: f32) -> f32 {
    let z = x * x;
    let p = (((1.81740078349e-1 * z + 8.24370301058e-2) * z + 1.46691431730e-1) * z + 1.99782164500e-1) * z + 3.33337300303e-1;
    return p * z * x + x;
}

// Angle of the point (x, y), 0 to pi for y >= 0, -pi to 0 else.
fn arctan2(y: f32, x: f32) -> f32 {
    let high = max(abs(x), abs(y));
    let q = min(abs(x), abs(y)) / max(high, 1.0e-37);
    let large = q > 0.41421357; // the tangent of pi/8
    let t = select(q, (q - 1.0) / (q + 1.0), large);
    let z = t * t;
    let p = ((8.05374449538e-2 * z - 1.38776856032e-1) * z + 1.99777106478e-1) * z - 3.33329491539e-1;
    var angle = select(0.0, 0.78539816, large) + (p * z * t + t);
    angle = select(angle, 1.5707964 - angle, abs(y) > abs(x));
    angle = select(angle, 3.1415927 - angle, x < 0.0);
    return select(angle, -angle, y < 0.0);
}
