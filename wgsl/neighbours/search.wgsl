import package::state::cell::{CellEntry};
import package::state::params::{Params};
import package::state::body::{BodyView};
import package::math::position::{window_difference, RADIUS_UNITS};
import package::neighbours::cells::{level_cell, level_radius, entry_body, entry_level, floor_divide};

// What a search looks at: the cells of a level around a body, and the bodies in them.
var<uniform> params: Params;
var<storage, read> body_view: array<BodyView>;

const CELLS_MAX: u32 = 10000u; // cells
const CROWD_MAX: u32 = 28000u; // bodies in them

// Who searches.
struct Seeker {
    coarse: vec3<i32>,   // [L/64]
    body: u32,
    position: vec3<u32>,
    radius: f32,         // [L]
}

// Cells of a level that may hold neighbours, from `low` to `high`, and the one that its middle is in.
struct CellBox {
    low: vec3<i32>,
    size: i32,       // of a cell [L/64]
    high: vec3<i32>,
    far: u32,        // square of a distance of coarse positions, beyond which there is no neighbour [L2/64^2]
    home: vec3<i32>,
}

const REACH_SHIFT: u32 = 6u; // from window units to those of radii

fn cells_around(me: Seeker, level: u32) -> CellBox {
    let size = level_cell(params, level);
    let reach = u32(ceil((me.radius + level_radius(params, level) + 2.0 * params.skin_half) * 64.0)) + 1u;
    let home = vec3<i32>(floor_divide(me.coarse.x, size), floor_divide(me.coarse.y, size), floor_divide(me.coarse.z, size));
    let rest = vec3<u32>(me.coarse - home * size);
    let side = u32(size);
    // No farther than the next cells, unless these hold smaller bodies: divisions are expensive.
    var back = select(vec3<u32>(0u), vec3<u32>(1u), rest < vec3<u32>(reach));
    var ahead = select(vec3<u32>(0u), vec3<u32>(1u), rest + vec3<u32>(reach) >= vec3<u32>(side));
    if (reach > side) {
        back = (vec3<u32>(reach + side - 1u) - rest) / side;
        ahead = (rest + vec3<u32>(reach)) / side;
    }
    // A coarse position is rounded down, by less than a unit an axis.
    let far = reach + 1u;
    return CellBox(home - vec3<i32>(back), size, home + vec3<i32>(ahead), far * far, home);
}

// How many cells. No product of three that would wrap: 2^10 is beyond what is looked at.
fn cells_in(near: CellBox) -> u32 {
    let span = vec3<u32>(near.high - near.low) + vec3<u32>(1u);
    return select(span.x * span.y * span.z, CELLS_MAX, max(span.x, max(span.y, span.z)) > 1024u);
}

// How many of them come before `home` where they are gone through one by one.
fn cells_before_home(near: CellBox) -> u32 {
    let span = vec3<u32>(near.high - near.low) + vec3<u32>(1u);
    let back = vec3<u32>(near.home - near.low);
    return back.x + span.x * (back.y + span.y * back.z);
}

// The next cell, x first: every turn of a loop in a loop counts.
fn cell_after(near: CellBox, cell: vec3<i32>) -> vec3<i32> {
    var next = cell + vec3<i32>(1, 0, 0);
    next.y += select(0, 1, next.x > near.high.x);
    next.x = select(next.x, near.low.x, next.x > near.high.x);
    next.z += select(0, 1, next.y > near.high.y);
    next.y = select(next.y, near.low.y, next.y > near.high.y);
    return next;
}

// Parts of one body do not touch each other. Where there are none the word has another meaning.
fn same_clump(a: u32, b: u32) -> bool {
    let clump = body_view[a].clump_or_room;
    return params.part_count > params.body_count && clump != 0u && clump == body_view[b].clump_or_room;
}

// Nearer than the sum of the radii and the skin, or farther by less than two units in the 15 bits of that reach. In integers, so
// that it is the same from either end and in every pass. The coarse positions of most show that they are not, and where they do
// not the window does not wrap.
fn is_neighbour(me: Seeker, other: CellEntry, far: u32) -> bool {
    let apart = other.coarse - me.coarse; // in cells around: no product wraps
    if (u32(apart.x * apart.x + apart.y * apart.y + apart.z * apart.z) > far) {
        return false;
    }
    let j = entry_body(other);
    let d = window_difference(body_view[j].position, me.position);
    let reach = u32((me.radius + body_view[j].radius) * RADIUS_UNITS) + u32(ceil(2.0 * params.skin_half * RADIUS_UNITS));
    let shift = max(firstLeadingBit(reach), 14u) - 14u;
    let most = (reach >> shift) + 1u;
    let sides = min(vec3<u32>(abs(d)) >> vec3<u32>(shift + REACH_SHIFT), vec3<u32>(32768u));
    return dot(sides, sides) < most * most && !same_clump(me.body, j);
}

// Whether an entry found by the key of `cell` is in it: another cell, or another level, may share the key.
fn is_inside(other: CellEntry, cell: vec3<i32>, size: i32, level: u32) -> bool {
    let elsewhere = any(bitcast<vec3<u32>>(other.coarse - cell * size) >= vec3<u32>(u32(size)));
    return !(elsewhere || entry_level(other) != level);
}
