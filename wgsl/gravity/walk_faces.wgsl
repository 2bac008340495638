import package::state::gravity::{GravityParams};
import package::state::face::{AsteroidParams, FaceCorner, FaceMoments, FaceNode, FaceSide, FacePart};
import package::math::root::{inverse_root};
import package::gravity::faces::{face_pull, less_centre, remote_of};
import package::gravity::field_point::{field_point};
import package::gravity::multipole::{REACH_MAX};
import package::math::turns::{turns, TURNS_MAX, cut_short};
import package::math::dispatch::{linear_id};
import package::state::control::{FAULT_TREE};
import package::state::control_atomic::{ControlAtomic};

// Sum of n_f I_f by a walk of the tree over faces. A node acts as a whole, with its moments up to the second, if what they
// leave out is small against the body's whole attraction and the node is small for its distance R:
//   third / R^4 < strictness / r^2,  reach < 0.7 R
// Leaves that must be opened are summed face by face.
var<uniform> gravity_params: GravityParams;
var<uniform> asteroid_params: AsteroidParams;
var<storage, read> face_corner: array<FaceCorner>;
var<storage, read> face_side: array<FaceSide>;
var<storage, read> face_node: array<FaceNode>;
var<storage, read> face_first: array<FaceMoments>;
var<storage, read> face_second: array<FaceMoments>;
var<storage, read_write> face_partial: array<FacePart>;
var<storage, read_write> control: ControlAtomic;

// Sum of q / distance over the charges of a node at u / inverse from the point, by their moments beyond the charge.
fn multipole(first: vec4<f32>, second: vec4<f32>, u: vec3<f32>, inverse: f32) -> f32 {
    let squares = first.w * (u.x * u.x - u.z * u.z) + second.x * (u.y * u.y - u.z * u.z);
    let cross = dot(second.yzw, u.xxy * u.yzz);
    return inverse * inverse * (inverse * (squares + cross) - dot(first.xyz, u));
}

// Of all axes. As with a single face, the charge counts from the mass centre where that is far.
fn whole(node: u32, at: vec3<f32>, d: vec3<f32>, remote: f32) -> vec3<f32> {
    let inverse = inverse_root(dot(d, d));
    let u = d * inverse;
    return face_node[node].charge * less_centre(face_node[node].centre, at, remote) + vec3<f32>(
        multipole(face_first[node].x, face_second[node].x, u, inverse),
        multipole(face_first[node].y, face_second[node].y, u, inverse),
        multipole(face_first[node].z, face_second[node].z, u, inverse),
    );
}

@compute @workgroup_size(64)
fn walk_faces(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let b = linear_id(w, l, 64u);
    let inside = b < gravity_params.body_count;
    let at = field_point(select(0u, b, inside));
    let strictness = asteroid_params.strictness / max(dot(at, at), asteroid_params.round_square);
    let remote = remote_of(at);
    let end = asteroid_params.node_count + atomicLoad(&control.zero);
    var total = vec3<f32>(0.0);
    var node = select(end, 0u, inside);
    while node < end && turns < TURNS_MAX {
        turns += 2u;
        let d = face_node[node].centre - at;
        let square = dot(d, d);
        let far = face_node[node].third < strictness * square * square;
        let small = face_node[node].reach < REACH_MAX * sqrt(square);
        let count = face_node[node].count;
        let first = face_node[node].first;
        var near = 0u;
        if far && small {
            total += whole(node, at, d, remote);
            node = face_node[node].next;
        } else {
            near = count; // 0 of a node with children
            node++;
        }
        for (var f = first; f < first + near && turns < TURNS_MAX + 64u; f++) {
            turns += 1u;
            total += face_pull(face_corner[f], face_side[f], at, remote);
        }
    }
    if inside {
        face_partial[b] = FacePart(total);
        if node < end || cut_short(atomicLoad(&control.zero), turns) {
            atomicOr(&control.fault_body, FAULT_TREE);
            atomicMin(&control.fault_index, b);
        }
    }
}
