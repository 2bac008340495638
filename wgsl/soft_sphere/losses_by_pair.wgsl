import package::state::pair::{Dissipation};

// Losses of contacts on a software device, where a barrier costs as much as ten contacts: every pair has a slot of its own.
var<storage, read_write> pair_dissipated: array<Dissipation>;

// Adds what pair `p` has lost in this step. All invocations of the workgroup call it, with 0 where nothing was lost.
fn keep_losses(p: u32, l: u32, lost: vec4<f32>) {
    if (any(lost != vec4<f32>(0.0))) {
        pair_dissipated[p].energy += lost;
    }
}
