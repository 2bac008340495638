import package::state::body::{BodyInertia};
import package::contact_dynamics::dynamics::{root_times, tangents};

// What bodies oppose to an impulse at a contact: the parts of the Delassus operator's diagonal.
var<storage, read> body_inertia: array<BodyInertia>;

// Root of the inverse inertia times the torque that a unit impulse along the normal and both tangents gives.
fn turns(body: u32, arm: vec3<f32>, normal: vec3<f32>) -> mat3x3<f32> {
    let inertia = body_inertia[body];
    let across = tangents(normal);
    return mat3x3<f32>(
        root_times(inertia, cross(arm, normal)),
        root_times(inertia, cross(arm, across[0])),
        root_times(inertia, cross(arm, across[1])),
    );
}

// A body's block of the operator, normal first: 1/mass, but across the normal none of a wall, and how the directions turn
// it.
fn opposes(body: u32, turn: mat3x3<f32>) -> mat3x3<f32> {
    let moving = body_inertia[body].inverse_mass;
    let aside = moving * (1.0 - body_inertia[body].wall);
    let straight = mat3x3<f32>(vec3<f32>(moving, 0.0, 0.0), vec3<f32>(0.0, aside, 0.0), vec3<f32>(0.0, 0.0, aside));
    return straight + transpose(turn) * turn;
}

// Its diagonal: normal, mean of the tangential.
fn diagonal_of(block: mat3x3<f32>) -> vec2<f32> {
    return vec2<f32>(block[0].x, 0.5 * (block[1].y + block[2].z));
}
