// Sine and cosine of our own: Vulkan and WGSL grant the built-in ones an absolute error of 2^-11, and GPUs use it. The
// polynomials interpolate sin(x)/x and (1 - cos x)/x^2 at the Chebyshev points of [0, (pi/2)^2]; they are off by 7e-9 and 1e-9.

// Largest square that they are for: (pi/2)^2.
const SINE_SQUARE_MAX: f32 = 2.4674011;

// sin(x)/x by the square of x, to 2e-7 of it.
fn sine_ratio(z: f32) -> f32 {
    return 1.0 + z * (-0.166666582 + z * (0.00833304971 + z * (-1.98090114e-4 + z * 2.60509296e-6)));
}

// (1 - cos x)/x^2 by the square of x, to 2e-7 of it.
fn cosine_drop(z: f32) -> f32 {
    return 0.5 + z * (-0.0416666605 + z * (0.00138886517 + z * (-2.47745738e-5 + z * 2.62973941e-7)));
}

// (cos x, sin x) of |x| < 1,000, to 3e-7 + 1e-7 |x|. Parts of pi/2: the first has 8 bits, so that its multiples are exact. The
// clamps keep the order of the differences, which fast math would change.
fn circle_point(x: f32) -> vec2<f32> {
    let quarters = round(x * 0.63661977);
    let first = clamp(x - quarters * 1.5703125, -2.0, 2.0);
    let r = clamp(first - quarters * 4.837512969970703125e-4, -1.0, 1.0) - quarters * 7.54978995489188216e-8;
    let z = r * r;
    let near = vec2<f32>(1.0 - z * cosine_drop(z), r * sine_ratio(z));
    let quarter = i32(quarters);
    let turned = select(near, vec2<f32>(-near.y, near.x), (quarter & 1) == 1);
    return select(turned, -turned, (quarter & 2) == 2);
}
