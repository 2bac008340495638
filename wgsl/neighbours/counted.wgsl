import package::state::control::{Control};
import package::state::work::{WorkSlot};

// How many items a gated dispatch has that the GPU itself counts.
var<storage, read> control: Control;
var<storage, read> work_slot: array<WorkSlot>;

fn items_of(slot: u32) -> u32 {
    let live = work_slot[slot].counted;
    return select(control.contact_count, control.colour_size[max(live, 2u) - 2u], live > 1u);
}
