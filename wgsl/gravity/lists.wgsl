import package::state::gravity::{Source};
import package::gravity::gravity::{apart, fine_pull};

// What a group of 32 bodies has found on its walk and not summed yet, and the bodies that a lane sums for.
const TILE: u32 = 64u;    // entries of a list that are summed at a time
const NODES_MAX: u32 = 128u;  // listed
const BODIES_MAX: u32 = 576u; // listed

var<workgroup> listed_nodes: array<u32, NODES_MAX>;
var<workgroup> listed_bodies: array<u32, BODIES_MAX>;
// Tiles of entries, and in the end the sums of all lanes. Bits: a whole number kept as f32 might come back as another NaN.
var<workgroup> room: array<vec4<u32>, 256>;

// Each lane adds its entries to four bodies: one load serves four.
alias Targets = array<Source, 4>;

// A node as it acts on bodies.
struct Whole {
    place: vec4<i32>,        // centre, and the mass
    rest: vec3<f32>,         // of the centre
    diagonal: vec3<f32>,     // traceless quadrupole: xx, yy, zz
    cross: vec3<f32>,        // xy, xz, yz
}

// Field of a mass with a quadrupole at the distance d from the target to it. Powers of the distance are taken one by
// one: its fifth does not fit into f32.
fn multipole(d: vec3<f32>, mass: f32, diagonal: vec3<f32>, cross: vec3<f32>) -> vec4<f32> {
    let inverse = inverseSqrt(dot(d, d));
    let u = d * inverse;
    let q = vec3<f32>(
        diagonal.x * u.x + cross.x * u.y + cross.y * u.z,
        cross.x * u.x + diagonal.y * u.y + cross.z * u.z,
        cross.y * u.x + cross.z * u.y + diagonal.z * u.z,
    );
    let quu = dot(q, u);
    let square = inverse * inverse;
    let pull = square * (mass * u + square * (2.5 * quu * u - q));
    return vec4<f32>(pull, -inverse * (mass + 0.5 * square * quu));
}

// Field of a node at one body.
fn node_pull(here: Source, node: Whole, unit: f32) -> vec4<f32> {
    let d = apart(here, node.place.xyz, node.rest, unit);
    return multipole(d, bitcast<f32>(node.place.w), node.diagonal, node.cross);
}

// Adds a node's field to that of four bodies.
fn add_node(field: array<vec4<f32>, 4>, here: Targets, node: Whole, unit: f32) -> array<vec4<f32>, 4> {
    return array<vec4<f32>, 4>(
        field[0] + node_pull(here[0], node, unit),
        field[1] + node_pull(here[1], node, unit),
        field[2] + node_pull(here[2], node, unit),
        field[3] + node_pull(here[3], node, unit),
    );
}

// The same of a listed body.
fn add_body(field: array<vec4<f32>, 4>, here: Targets, place: vec4<i32>, rest: vec3<f32>, unit: f32) -> array<vec4<f32>, 4> {
    return array<vec4<f32>, 4>(
        field[0] + fine_pull(here[0], place, rest, unit),
        field[1] + fine_pull(here[1], place, rest, unit),
        field[2] + fine_pull(here[2], place, rest, unit),
        field[3] + fine_pull(here[3], place, rest, unit),
    );
}
