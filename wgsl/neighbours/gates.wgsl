// Gated dispatches: what is due is decided on the GPU, by whoever calls write_gate. work_slot: gate, workgroups x, y,
// 1: as many workgroups as `items` need (0: the workgroups as they stand).
var<storage, read> work_slot: array<vec4<u32>>;
var<storage, read_write> work_args: array<u32>;

const GATE_REBUILD: u32 = 1u;
const GATE_GRAVITY: u32 = 2u;
const GATE_DETECT: u32 = 4u;
const GATE_SOLVE: u32 = 8u;
const GATE_ITERATE: u32 = 16u;
const GATE_CLOSE: u32 = 32u;
const GATE_COLOUR: u32 = 64u;
const GATE_LIST: u32 = 128u;
const GATE_KICK: u32 = 256u;

const SLOTS_MAX: u32 = 256u; // `slot` in src/gpu/counts.rs

fn write_gate(slot: u32, gate: u32, items: u32) {
    let row = work_slot[slot];
    let groups = (items + 63u) / 64u;
    let wide = min(groups, 65535u);
    let open = (row.x & gate) != 0u && (row.w == 0u || groups > 0u);
    let x = select(wide, row.y, row.w == 0u);
    let y = select((groups + 65534u) / 65535u, row.z, row.w == 0u);
    work_args[3u * slot] = select(0u, x, open);
    work_args[3u * slot + 1u] = select(0u, y, open);
    work_args[3u * slot + 2u] = select(0u, 1u, open);
}
