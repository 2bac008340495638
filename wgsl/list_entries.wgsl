import package::shared::params::{Params};
import package::shared::control::{OVERFLOW};
import package::shared::entries::{entry_bits, entry_other};
import package::shared::dispatch::{linear_id};

// The neighbours of all bodies from the sorted entries.
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> control: array<u32>;
@group(0) @binding(2) var<storage, read> entry_offset: array<u32>;
@group(0) @binding(3) var<storage, read> entry_key: array<u32>;
@group(0) @binding(4) var<storage, read_write> incident_body: array<u32>;

@compute @workgroup_size(64)
fn list_entries(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let k = linear_id(w, n, l, 64u);
    if (k < entry_offset[params.part_count] && control[OVERFLOW] == 0u) {
        incident_body[k] = entry_other(entry_key[2u * k], entry_bits(params.part_count));
    }
}
