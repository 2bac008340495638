import package::math::wide::{add64};
import package::math::wide96::{mul96_count, round96};

// Parameters of the gravity passes; mirrored by `gpu::layout::GravityParams`.
struct GravityParams {
    gravity_constant: f32,   // [L3/(M T2)]
    predict_steps: u32,      // steps of the holding interval less one; the field is taken at its middle
    body_count: u32,
    central_gm: f32,         // [L3/T2]; 0: no central body
    central_low: vec3<u32>,
    accuracy: f32,           // of the relative opening criterion; 0: geometric
    central_high: vec3<u32>,
    opening_angle: f32,      // of the geometric criterion
    central_radius: f32,     // of a uniform central body [L]; 0: a point
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

// A body as a source: place in whole units of TreeScale about body 0, and the rest below one unit. However far the
// farthest body is, the distance of neighbours keeps f32's precision.
struct Source {
    place: vec3<i32>,        // 0 to 2^31
    mass: f32,               // [M]
    rest: vec3<f32>,         // 0 to 1
    pad: f32,
}

struct TreeScale {
    unit: f32,               // length of one unit of a place [L]
    shift: u32,
    pad0: u32,
    pad1: u32,
}

// Coordinate at the middle of the holding interval: x + v (k - 1) / 2. In 96 bits: 64 hold a way of 32 L alone.
fn predicted(position: vec2<u32>, velocity: vec2<u32>, steps: u32) -> vec2<u32> {
    return add64(position, round96(mul96_count(velocity, steps), 21u));
}

// Acceleration (xyz) and potential (w) by a mass at the distance d, without G; nothing from a body in the same place.
fn pull(d: vec3<f32>, mass: f32) -> vec4<f32> {
    let square = dot(d, d);
    let inverse = select(0.0, inverseSqrt(max(square, 1.0e-30)), square > 0.0);
    let m = mass * inverse;
    return vec4<f32>(d * (m * inverse * inverse), -m);
}

fn attraction(here: Source, source: Source, unit: f32) -> vec4<f32> {
    return pull((vec3<f32>(source.place - here.place) + (source.rest - here.rest)) * unit, source.mass);
}
