import package::state::body::{Field};
import package::state::gravity::{Branch, GravityParams, Source, TreeScale, TreeTarget};
import package::math::dispatch::{linear_id};
import package::gravity::gravity::{vector_of, field_of};
import package::gravity::multipole::{GROUP, LEAF, REACH_MAX, SUMMED};
import package::gravity::lists::{TILE, NODES_MAX, BODIES_MAX, Targets};
import package::gravity::list_sums::{sum_nodes, sum_bodies};
import package::state::control::{FAULT_TREE};
import package::state::control_atomic::{ControlAtomic};

// Acceleration and potential of every sorted body, without G: one workgroup walks the tree for a group of 32 bodies. It
// takes up to 32 pairs of nodes at a time from a stack, a lane tests one node, and a sum over the lanes says where each
// puts what it found: so lists have one order, whatever lane is first. A node acts as a whole, with its quadrupole, if its
// reach is below 0.7 of the distance r of the group's nearer box, and it is far enough:
//   relative:  M reach^3 / r^5 < strictness       (the next multipole against the last acceleration)
//   geometric: size / r < opening angle           (where strictness is 0)
// Both take the series for one that falls fast. Where a node's bodies are as far out as the group, it does not fall at all.
// Nodes of at most 8 bodies that must be opened are summed body by body; the children of others are a pair on the stack.
// Of what is listed each lane takes every eighth entry and adds it to four bodies.
var<uniform> gravity_params: GravityParams;
var<storage, read> tree_scale: array<TreeScale>;
var<storage, read> tree_source: array<Source>;
var<storage, read> tree_branch: array<Branch>;
var<storage, read> tree_target: array<TreeTarget>;
var<storage, read_write> tree_field: array<Field>;
var<storage, read> tree_index: array<u32>;
var<storage, read_write> control: ControlAtomic;
// A walk of several rounds takes in each what begins in a run of the sorted bodies: its first, the one after its last.
var<uniform> walk_round: vec4<u32>;

const RIGHT_LEAF: u32 = LEAF >> 1u;
const STACK: u32 = 352u;  // pairs of nodes
const DEPTH: u32 = 96u;   // of a tree: 63 bits of a key, 31 of an index
const PAIRS: u32 = 32u;   // taken at a time
const STEPS: u32 = 500u;  // with at most 125 turns each: within what software devices grant

var<workgroup> stack: array<u32, STACK>;
var<workgroup> found: array<u32, 64>; // by lane
// Of eight lanes each: how much they found, which of them what, and how many bodies each.
var<workgroup> row_sum: array<u32, 8>;
var<workgroup> row_seen: array<vec2<u32>, 8>;
var<workgroup> heights: vec3<u32>; // of the stack, of listed nodes, of listed bodies

fn accepts(node: u32, group: TreeTarget, unit: f32) -> bool {
    let centre = tree_branch[node].centre;
    let mass = tree_branch[node].mass;
    let reach = tree_branch[node].reach;
    let size = tree_branch[node].size;
    let opening = gravity_params.opening_angle * gravity_params.opening_angle;
    let gap = vec3<f32>(max(max(group.low - centre, centre - group.high), vec3<i32>(0))) * unit;
    let next = vec3<f32>(max(max(group.next_low - centre, centre - group.next_high), vec3<i32>(0))) * unit;
    let r2 = min(dot(gap, gap), dot(next, next));
    let relative = mass * reach * reach * reach < group.strictness * r2 * r2 * sqrt(r2);
    let geometric = size * size < opening * r2;
    return reach * reach < REACH_MAX * REACH_MAX * r2 && select(relative, geometric, group.strictness == 0.0);
}

// Sum of the eight numbers of four bits.
fn sum_of_eight(packed: u32) -> u32 {
    let pairs = (packed & 0x0f0f0f0fu) + ((packed >> 4u) & 0x0f0f0f0fu);
    return (pairs * 0x01010101u) >> 24u;
}

// What four lanes found, from lane k on.
fn found_from(k: u32) -> vec4<u32> {
    return vec4<u32>(found[k], found[k + 1u], found[k + 2u], found[k + 3u]);
}

// Of eight lanes' finds: their sum, the bits of those that opened and listed a node, and numbers of bodies.
fn fold_row(row: u32) {
    let a = found_from(8u * row);
    let b = found_from(8u * row + 4u);
    let sum = a + b;
    row_sum[row] = sum.x + sum.y + sum.z + sum.w;
    let bits = ((a & vec4<u32>(0x101u)) << vec4<u32>(0u, 1u, 2u, 3u)) | ((b & vec4<u32>(0x101u)) << vec4<u32>(4u, 5u, 6u, 7u));
    let counts = ((a >> vec4<u32>(16u)) << vec4<u32>(0u, 4u, 8u, 12u)) | ((b >> vec4<u32>(16u)) << vec4<u32>(16u, 20u, 24u, 28u));
    row_seen[row] = vec2<u32>(bits.x | bits.y | bits.z | bits.w, counts.x | counts.y | counts.z | counts.w);
}

// What lanes before this one found.
fn found_before(l: u32) -> u32 {
    let row = vec4<u32>(l >> 3u);
    let first_four = vec4<u32>(row_sum[0], row_sum[1], row_sum[2], row_sum[3]);
    let last_four = vec4<u32>(row_sum[4], row_sum[5], row_sum[6], row_sum[7]);
    let low = select(vec4<u32>(0u), first_four, vec4<u32>(0u, 1u, 2u, 3u) < row);
    let high = select(vec4<u32>(0u), last_four, vec4<u32>(4u, 5u, 6u, 7u) < row);
    let rows = low + high;
    let seen = row_seen[l >> 3u];
    let below = (1u << (l & 7u)) - 1u;
    let nodes = countOneBits(seen.x & below) | (countOneBits(seen.x & (below << 8u)) << 8u);
    let bodies = sum_of_eight(seen.y & ((1u << (4u * (l & 7u))) - 1u));
    return rows.x + rows.y + rows.z + rows.w + nodes + (bodies << 16u);
}

// The pair of a node's children, whose bodies end before `end`: the index of the left one, and which of them is a body.
fn pair_below(node: u32, end: u32) -> u32 {
    let left = tree_branch[node].down;
    let right = (left & ~LEAF) + 1u;
    return left | select(0u, RIGHT_LEAF, right + 1u == end);
}

// How many pairs to take from a stack of `height`: at most a quarter of the room that is left. So pairs of one level never fill
// it, and most lanes have a node down to the last level, also where all branches are of one length.
fn pairs_to_take(height: u32) -> u32 {
    let room = STACK - DEPTH - min(height, STACK - DEPTH);
    return min(height, clamp(room / 4u, 1u, PAIRS));
}

// Takes pairs of nodes from the stack, and puts what they give on the stack and the lists.
fn step(l: u32, before: vec3<u32>, group: TreeTarget, unit: f32) {
    let taken = pairs_to_take(before.x);
    let base = before.x - taken;
    var pair = 0u;
    if l < 2u * taken {
        pair = stack[base + (l >> 1u)];
    }
    let right_one = l & 1u;
    let leaf = (pair & (LEAF >> right_one)) != 0u;
    let index = (pair & ~(LEAF | RIGHT_LEAF)) + right_one;
    let node = select(index, 0u, leaf);
    let first = select(tree_branch[node].first, index, leaf);
    let count = select(tree_branch[node].count, 1u, leaf);
    let begins = max(first, walk_round.x);
    let ends = min(first + count, walk_round.y);
    let live = l < 2u * taken && begins < ends;
    let whole = live && !leaf && accepts(node, group, unit);
    let opened = live && !whole && count > SUMMED;
    let summed = select(0u, ends - begins, live && !whole && !opened);
    let counted = whole && first >= walk_round.x;
    let own = u32(opened) | (u32(counted) << 8u) | (summed << 16u);
    found[l] = own;
    workgroupBarrier();
    if l < 8u {
        fold_row(l);
    }
    workgroupBarrier();
    let sum = found_before(l);
    if opened {
        stack[base + (sum & 255u)] = pair_below(node, first + count);
    }
    if counted {
        listed_nodes[before.y + ((sum >> 8u) & 255u)] = node;
    }
    let to = before.z + (sum >> 16u);
    for (var k = 0u; k < min(summed, SUMMED); k++) {
        listed_bodies[to + k] = begins + k;
    }
    if l == 63u {
        let all = sum + own;
        heights = vec3<u32>(base + (all & 255u), before.y + ((all >> 8u) & 255u), before.z + (all >> 16u));
    }
}

fn both(a: array<vec4<f32>, 4>, b: array<vec4<f32>, 4>) -> array<vec4<f32>, 4> {
    return array<vec4<f32>, 4>(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]);
}

@compute @workgroup_size(64)
fn walk_tree(@builtin(workgroup_id) w: vec3<u32>, @builtin(local_invocation_index) l: u32) {
    let group = linear_id(w, 0u, 1u);
    let bodies = gravity_params.body_count;
    let unit = tree_scale[0].unit;
    let target_row = tree_target[min(group, (bodies - 1u) / GROUP)];
    let own = GROUP * group + (l & 7u);
    let last = bodies - 1u;
    let here = Targets(
        tree_source[min(own, last)],
        tree_source[min(own + 8u, last)],
        tree_source[min(own + 16u, last)],
        tree_source[min(own + 24u, last)],
    );
    if l == 0u {
        stack[0] = pair_below(0u, bodies);
    }
    var field = array<vec4<f32>, 4>();
    var height = vec3<u32>(select(0u, 1u, GROUP * group < bodies), 0u, 0u);
    workgroupBarrier();
    for (var turn = 0u; turn < STEPS; turn++) {
        if height.x == 0u {
            break;
        }
        step(l, height, target_row, unit);
        height = workgroupUniformLoad(&heights);
        let least = select(TILE, 1u, height.x == 0u);
        for (var t = 0u; t < NODES_MAX / TILE; t++) {
            if height.y < least {
                break;
            }
            let count = min(height.y, TILE);
            height.y -= count;
            field = both(field, sum_nodes(l, height.y, count, here, unit));
        }
        for (var t = 0u; t < BODIES_MAX / TILE; t++) {
            if height.z < least {
                break;
            }
            let count = min(height.z, TILE);
            height.z -= count;
            field = both(field, sum_bodies(l, height.z, count, here, unit));
        }
    }
    workgroupBarrier();
    let to = (l >> 3u) * GROUP + (l & 7u);
    room[to] = bitcast<vec4<u32>>(field[0]);
    room[to + 8u] = bitcast<vec4<u32>>(field[1]);
    room[to + 16u] = bitcast<vec4<u32>>(field[2]);
    room[to + 24u] = bitcast<vec4<u32>>(field[3]);
    workgroupBarrier();
    let k = GROUP * group + l;
    if l < GROUP && k < bodies {
        var total = select(vec4<f32>(0.0), vector_of(tree_field[k]), walk_round.x > 0u);
        for (var s = 0u; s < 8u; s++) {
            total += bitcast<vec4<f32>>(room[s * GROUP + l]);
        }
        tree_field[k] = field_of(total);
        if height.x > 0u {
            atomicOr(&control.fault_body, FAULT_TREE);
            atomicMin(&control.fault_index, tree_index[k]);
        }
    }
}
