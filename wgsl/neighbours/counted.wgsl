import package::state::control::{Control};

// How many items a gated dispatch has that the GPU itself counts. The last word of a slot: 0 always the same workgroups, 1 all
// contacts of the step, from 2 on those of colour 0 and so on.
var<storage, read> control: Control;
var<storage, read> work_slot: array<vec4<u32>>;

fn items_of(slot: u32) -> u32 {
    let live = work_slot[slot].w;
    return select(control.contact_count, control.colour_size[max(live, 2u) - 2u], live > 1u);
}
