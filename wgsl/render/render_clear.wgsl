import package::math::dispatch::{linear_id};
import package::state::view::{NOBODY};

// Empties a picture of depths or owners.
var<storage, read_write> word: array<u32>;

@compute @workgroup_size(64)
fn render_clear(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let i = linear_id(w, l, 64u);
    if (i < arrayLength(&word)) {
        word[i] = NOBODY;
    }
}
