import package::state::params::{Params};
import package::state::control::{Control};
import package::neighbours::entries::{entry_bits, entry_other};
import package::math::dispatch::{linear_id};

// The neighbours of all bodies from the sorted entries.
var<uniform> params: Params;
var<storage, read> control: Control;
var<storage, read> entry_offset: array<u32>;
var<storage, read> entry_key: array<u32>;
var<storage, read_write> incident_body: array<u32>;

@compute @workgroup_size(64)
fn list_entries(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, l, 64u);
    if (k < entry_offset[params.part_count] && control.overflow == 0u) {
        incident_body[k] = entry_other(entry_key[2u * k], entry_bits(params.part_count));
    }
}
