import package::state::pair::{PairResult};

var<storage, read_write> pair_result: array<PairResult>;

fn words(v: vec3<f32>) -> array<f32, 3> {
    return array<f32, 3>(v.x, v.y, v.z);
}

// Leaves the force on i and the torques on i and j of pair `p`.
fn keep_result(p: u32, force: vec3<f32>, torque_i: vec3<f32>, torque_j: vec3<f32>) {
    pair_result[p].force = words(force);
    pair_result[p].torque[0] = words(torque_i);
    pair_result[p].torque[1] = words(torque_j);
}

// All invocations of the workgroup call it at the end; software devices then write what was kept.
fn end_results(p: u32, l: u32) {
}
