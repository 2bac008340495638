import package::state::gravity::{GravityParams};
import package::state::face::{AsteroidParams, FacePart};
import package::gravity::faces::{remote_of};
import package::gravity::face_tile::{sum_face_tile};
import package::gravity::field_point::{field_point};
import package::math::dispatch::{linear_id};
import package::state::control::{Control};

// Sums of n_f I_f over slices of the faces, exact: tiles of 64 faces, and runs of 32 tiles, are summed on their
// own. A row of 64 bodies takes a workgroup a slice. At most 2^15 faces a slice: software devices end
// loops at 65,535 turns.
var<uniform> gravity_params: GravityParams;
var<uniform> asteroid_params: AsteroidParams;
var<storage, read_write> face_partial: array<FacePart>;
var<storage, read> control: Control;

const RUN: u32 = 2048u;        // faces of a run
const SLICE_MAX: u32 = 32768u; // of a slice

@compute @workgroup_size(64)
fn sum_faces(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let group = linear_id(w, 0u, 1u);
    let slice = group % asteroid_params.slice_count;
    let b = group / asteroid_params.slice_count * 64u + l;
    let at = field_point(min(b, gravity_params.body_count - 1u));
    let remote = remote_of(at);
    let first = slice * asteroid_params.slice_faces;
    let end = min(first + asteroid_params.slice_faces, asteroid_params.face_count) + control.zero;
    var total = vec3<f32>(0.0);
    for (var start = first; start < min(end, first + SLICE_MAX); start += RUN) {
        var run = vec3<f32>(0.0);
        for (var tile = start; tile < min(start + RUN, end); tile += 64u) {
            run += sum_face_tile(l, tile, end, asteroid_params.face_count, at, remote);
        }
        total += run;
    }
    if b < gravity_params.body_count {
        face_partial[slice * gravity_params.body_count + b] = FacePart(total);
    }
}
