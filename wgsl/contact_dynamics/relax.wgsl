import package::contact_dynamics::dynamics::{DynamicsParams, project_impulse};
import package::state::contact::{Residual};

// What contact dynamics' iterations have in common: a contact at the relative velocity u that the guesses y give, with
// step lengths `scale` along its normal and across.
struct Relaxed {
    impulse: vec3<f32>,
    guess: vec3<f32>,
}

// The cone that holds a contact's impulse.
struct Cone {
    normal: vec3<f32>,
    friction: f32,
    cohesion: f32, // [M L/T]
}

fn stepped(y: vec3<f32>, u: vec3<f32>, normal: vec3<f32>, scale: vec2<f32>) -> vec3<f32> {
    let u_n = dot(u, normal) * normal;
    return y - scale.x * u_n - scale.y * (u - u_n);
}

// q = P(y - s u), and the next guess q + beta (q - p), but q alone where that momentum points uphill: short memory, and a
// restart contact by contact, so that nothing is reduced over all of them.
fn relaxed(p: vec3<f32>, y: vec3<f32>, u: vec3<f32>, cone: Cone, scale: vec2<f32>, momentum: f32) -> Relaxed {
    let normal = cone.normal;
    let q = project_impulse(stepped(y, u, normal, scale), normal, cone.friction, cone.cohesion);
    let ahead = q - p;
    // as velocities: products of small grains' impulses vanish
    let back = (y - q) / scale.x;
    let way = ahead / scale.x;
    let normal_part = dot(back, normal) * dot(way, normal);
    let uphill = normal_part + scale.x / scale.y * (dot(back, way) - normal_part);
    return Relaxed(q, q + select(momentum, 0.0, uphill > 0.0) * ahead);
}

// |D (P(y - u/D) - y)|^2 and |D y|^2 for the diagonal D of the Delassus operator. Velocities are squared, and not impulses, whose
// squares vanish in f32 if a grain has a millionth of the largest mass.
fn residual(y: vec3<f32>, u: vec3<f32>, cone: Cone, diagonal: vec2<f32>) -> Residual {
    let normal = cone.normal;
    let off = project_impulse(stepped(y, u, normal, 1.0 / diagonal), normal, cone.friction, cone.cohesion) - y;
    let off_n = dot(off, normal);
    let y_n = dot(y, normal);
    let error_n = diagonal.x * off_n;
    let size_n = diagonal.x * y_n;
    let error_t = diagonal.y * (off - off_n * normal);
    let size_t = diagonal.y * (y - y_n * normal);
    return Residual(error_n * error_n + dot(error_t, error_t), size_n * size_n + dot(size_t, size_t));
}

// Momentum that is long to the end can circle for ever where friction is high: it fades after the first iterations.
fn momentum_at(dynamics: DynamicsParams, iteration: u32) -> f32 {
    return dynamics.momentum * sqrt(min(1.0, f32(dynamics.momentum_first) / f32(max(iteration, 1u))));
}
