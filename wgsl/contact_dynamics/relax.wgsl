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
    // as of velocities: products of small grains' impulses vanish
    let back = (y - q) / (scale.x * scale.x);
    let normal_part = dot(back, normal) * dot(ahead, normal);
    let uphill = normal_part + scale.x / scale.y * (dot(back, ahead) - normal_part);
    return Relaxed(q, q + select(momentum, 0.0, uphill > 0.0) * ahead);
}

// |D (P(y - u/D) - y)|^2 and |D y|^2 for the diagonal D of the Delassus operator. Velocities are squared, and not impulses, whose
// squares vanish in f32 if a grain has a millionth of the largest mass.
fn residual(y: vec3<f32>, u: vec3<f32>, cone: Cone, diagonal: vec2<f32>) -> Residual {
    let normal = cone.normal;
    let solved = project_impulse(stepped(y, u, normal, 1.0 / diagonal), normal, cone.friction, cone.cohesion);
    let off = diagonal.y * (solved - y);
    let size = diagonal.y * y;
    let along = vec2<f32>(dot(off, normal), dot(size, normal));
    let normal_part = diagonal.x / diagonal.y * along;
    let rest = max(vec2<f32>(dot(off, off), dot(size, size)) - along * along, vec2<f32>(0.0));
    let squares = normal_part * normal_part + rest;
    return Residual(squares.x, squares.y);
}

// Momentum that is long to the end can circle for ever where friction is high: it fades after the first iterations.
fn momentum_at(dynamics: DynamicsParams, iteration: u32) -> f32 {
    return dynamics.momentum * sqrt(min(1.0, f32(dynamics.momentum_first) / f32(max(iteration, 1u))));
}
