import package::state::face::{FaceCorner, FaceSide};
import package::gravity::faces::{face_pull};

// `face_tile` for subgroups of eight lanes: each lane loads one of eight faces and hands it to the others. Sums have the same
// order, so they have the same bits.
var<storage, read> face_corner: array<FaceCorner>;
var<storage, read> face_side: array<FaceSide>;

fn corner_of(own: FaceCorner, lane: u32) -> FaceCorner {
    let corner = subgroupShuffle(vec4<f32>(own.corner, own.ab_length), lane);
    let ab = subgroupShuffle(vec4<f32>(own.ab, own.bc_length), lane);
    return FaceCorner(corner.xyz, corner.w, ab.xyz, ab.w);
}

fn side_of(own: FaceSide, lane: u32) -> FaceSide {
    let ac = subgroupShuffle(vec4<f32>(own.ac, own.ca_length), lane);
    let normal = subgroupShuffle(vec4<f32>(own.normal, own.twice_area), lane);
    return FaceSide(ac.xyz, ac.w, normal.xyz, normal.w);
}

// Sum of n_f I_f over the faces from `first` to before `end`, at most 64, of `count` faces in all.
fn sum_face_tile(l: u32, first: u32, end: u32, count: u32, at: vec3<f32>, remote: f32) -> vec3<f32> {
    var part = vec3<f32>(0.0);
    for (var start = first; start < min(end, first + 64u); start += 8u) {
        let f = min(start + (l & 7u), count - 1u);
        let corner = face_corner[f];
        let side = face_side[f];
        for (var lane = 0u; lane < min(end - start, 8u); lane++) {
            part += face_pull(corner_of(corner, lane), side_of(side, lane), at, remote);
        }
    }
    return part;
}
