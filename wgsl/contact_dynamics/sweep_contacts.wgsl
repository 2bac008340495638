import package::state::control::{Control};
import package::contact_dynamics::dynamics::{DynamicsParams};
import package::contact_dynamics::relax::{momentum_at};
import package::contact_dynamics::sweep::{sweep};
import package::state::contact::{ColourEntry};
import package::math::dispatch::{linear_id};

// Projected Gauss-Seidel, one colour of it. pass_constants.x: colour.
var<uniform> pass_constants: vec4<u32>;
var<uniform> dynamics: DynamicsParams;
var<storage, read> control: Control;
var<storage, read> colour_list: array<ColourEntry>;

@compute @workgroup_size(64)
fn sweep_contacts(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let index = linear_id(w, l, 64u);
    let colour = pass_constants.x;
    if (index < control.colour_size[colour]) {
        sweep(colour_list[control.colour_first[colour] + index], control.zero, momentum_at(dynamics, control.iteration));
    }
}
