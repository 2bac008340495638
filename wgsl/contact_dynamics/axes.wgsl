import package::contact_dynamics::dynamics::{DynamicsParams};
import package::math::turning::{row_times};
import package::math::wide::{add64, neg64, fixed_from_f32};
import package::math::wide3::{Wide3, next_axis3, plus3, rounded3};

// Contact dynamics in a frame that turns steadily. State is kept in the frame's axes at the detection, with velocities
// and spins of inertial space: between two turns of the axes a step is one of inertial space, and only walls, which are
// at rest in the frame, know of it. E is the frame's rotation in a step; `dynamics` holds E^T - 1 as whole numbers and
// what is left of it, so that turning small angles costs no digits.

// What a point that the frame carries does [2^-58 L/T].
struct Carried {
    ahead: Wide3,  // in the coming step, (E - 1) p
    behind: Wide3, // in the last one, (1 - E^T) p
}

fn rest_of(d: DynamicsParams, v: vec3<f32>) -> Wide3 {
    let rest = d.back_rest * v;
    return Wide3(fixed_from_f32(rest.x, 0), fixed_from_f32(rest.y, 0), fixed_from_f32(rest.z, 0));
}

// E^T v: a vector of inertial space, in whatever unit, after the axes have turned. `axes` is 3: where compilers do not
// know it, they do not hold all axes at once.
fn turn_back(d: DynamicsParams, v: Wide3, axes: u32) -> Wide3 {
    var turned = plus3(v, rest_of(d, rounded3(v)));
    for (var a = 0u; a < min(axes, 16u); a++) {
        let row = select(select(d.back_x, d.back_y, a == 1u), d.back_z, a == 2u);
        turned = next_axis3(Wide3(add64(turned.x, row_times(v, row, d.back_shift)), turned.y, turned.z));
    }
    return turned;
}

// How the frame carries the point at `p` [2^-38 L].
fn carried(d: DynamicsParams, p: Wide3) -> Carried {
    let shift = d.back_shift - 20u; // from positions to displacements
    let around = rounded3(p) * 1048576.0;
    let rest = d.back_rest * around;
    let rest_ahead = around * d.back_rest; // transposed
    let behind = Wide3(
        neg64(add64(row_times(p, d.back_x, shift), fixed_from_f32(rest.x, 0))),
        neg64(add64(row_times(p, d.back_y, shift), fixed_from_f32(rest.y, 0))),
        neg64(add64(row_times(p, d.back_z, shift), fixed_from_f32(rest.z, 0))),
    );
    let ahead = Wide3(
        add64(row_times(p, vec3<i32>(d.back_x.x, d.back_y.x, d.back_z.x), shift), fixed_from_f32(rest_ahead.x, 0)),
        add64(row_times(p, vec3<i32>(d.back_x.y, d.back_y.y, d.back_z.y), shift), fixed_from_f32(rest_ahead.y, 0)),
        add64(row_times(p, vec3<i32>(d.back_x.z, d.back_y.z, d.back_z.z), shift), fixed_from_f32(rest_ahead.z, 0)),
    );
    return Carried(ahead, behind);
}
