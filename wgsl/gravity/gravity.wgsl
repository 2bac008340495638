import package::state::body::{Field};
import package::state::gravity::{Source};
import package::math::wide::{add64};
import package::math::wide3::{Wide3};
import package::math::wide96::{mul96_count, round96};

// Coordinate at the middle of the holding interval: x + v (k - 1) / 2. In 96 bits: 64 hold a displacement of 32 L alone.
fn predicted(position: vec2<u32>, velocity: vec2<u32>, steps: u32) -> vec2<u32> {
    return add64(position, round96(mul96_count(velocity, steps), 21u));
}

// All three coordinates.
fn predicted3(position: Wide3, velocity: Wide3, steps: u32) -> Wide3 {
    return Wide3(
        predicted(position.x, velocity.x, steps),
        predicted(position.y, velocity.y, steps),
        predicted(position.z, velocity.z, steps),
    );
}

// Acceleration (xyz) and potential (w) by a mass at the distance d, without G; nothing from a body at the same position.
fn pull(d: vec3<f32>, mass: f32) -> vec4<f32> {
    let square = dot(d, d);
    let inverse = select(0.0, inverseSqrt(max(square, 1.0e-30)), square > 0.0);
    let m = mass * inverse;
    return vec4<f32>(d * (m * inverse * inverse), -m);
}

// The same of a source in whole units, with its mass, at `here` in whole units.
fn coarse_pull(here: Source, source: vec4<i32>, unit: f32) -> vec4<f32> {
    return pull(vec3<f32>(source.xyz - here.position) * unit, bitcast<f32>(source.w));
}

// Distance from `here` to a place in whole units and its rest.
fn apart(here: Source, place: vec3<i32>, rest: vec3<f32>, unit: f32) -> vec3<f32> {
    return (vec3<f32>(place - here.position) + (rest - here.rest)) * unit;
}

// The pull with the rests of both positions.
fn fine_pull(here: Source, source: vec4<i32>, rest: vec3<f32>, unit: f32) -> vec4<f32> {
    return pull(apart(here, source.xyz, rest, unit), bitcast<f32>(source.w));
}

// Acceleration and potential as one vector, and back.
fn vector_of(field: Field) -> vec4<f32> {
    return vec4<f32>(field.acceleration, field.potential);
}

fn field_of(v: vec4<f32>) -> Field {
    return Field(v.xyz, v.w);
}
