import package::state::face::{FaceCorner, FaceSide};
import package::gravity::faces::{face_pull};

// Tiles of 64 faces go through workgroup memory: all invocations of a workgroup read them there. `face_tile_on_cpu` has the
// other form.
var<storage, read> face_corner: array<FaceCorner>;
var<storage, read> face_side: array<FaceSide>;

var<workgroup> tile_corner: array<FaceCorner, 64>;
var<workgroup> tile_side: array<FaceSide, 64>;

// Sum of n_f I_f over the faces from `first` to before `end`, at most 64, of `count` faces in all.
fn sum_face_tile(l: u32, first: u32, end: u32, count: u32, at: vec3<f32>, remote: f32) -> vec3<f32> {
    let f = min(first + l, count - 1u);
    workgroupBarrier();
    tile_corner[l] = face_corner[f];
    tile_side[l] = face_side[f];
    workgroupBarrier();
    var part = vec3<f32>(0.0);
    for (var k = 0u; k < min(end - first, 64u); k++) {
        part += face_pull(tile_corner[k], tile_side[k], at, remote);
    }
    return part;
}
