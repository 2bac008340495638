import package::state::work::{WorkArgs, WorkSlot};
import package::math::dispatch::{GROUPS_MAX};

// Gated dispatches: what is due is decided on the GPU, by whoever calls write_gate.
var<storage, read> work_slot: array<WorkSlot>;
var<storage, read_write> work_args: array<WorkArgs>;

const GATE_REBUILD: u32 = 1u;
const GATE_GRAVITY: u32 = 2u;
const GATE_DETECT: u32 = 4u;
const GATE_SOLVE: u32 = 8u;
const GATE_ITERATE: u32 = 16u;
const GATE_CLOSE: u32 = 32u;
const GATE_COLOUR: u32 = 64u;
const GATE_LIST: u32 = 128u;
const GATE_KICK: u32 = 256u;

const SLOTS_MAX: u32 = 256u;

fn write_gate(slot: u32, gate: u32, items: u32) {
    let row = work_slot[slot];
    let groups = (items + 63u) / 64u;
    let wide = min(groups, GROUPS_MAX);
    let open = (row.gate & gate) != 0u && (row.counted == 0u || groups > 0u);
    let x = select(wide, row.groups_x, row.counted == 0u);
    let y = select((groups + GROUPS_MAX - 1u) / GROUPS_MAX, row.groups_y, row.counted == 0u);
    work_args[slot] = WorkArgs(select(0u, x, open), select(0u, y, open), select(0u, 1u, open));
}
