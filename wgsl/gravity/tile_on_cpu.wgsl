import package::state::gravity::{Source};
import package::gravity::gravity::{coarse_pull, fine_pull};

// `tile` for subgroups of eight lanes: each lane loads one of eight bodies and hands it to the others. Sums have the same order,
// so they have the same bits.
var<storage, read> tree_position: array<Source>;

// Field at `here` of the 64 bodies from `start` on, without G; of `count` bodies in all. `is_fine`: with the rests of positions.
fn sum_tile(l: u32, start: u32, count: u32, here: Source, unit: f32, is_fine: bool) -> vec4<f32> {
    var part = vec4<f32>(0.0);
    for (var first = start; first < start + 64u; first += 8u) {
        let source = first + (l & 7u);
        let body = tree_position[min(source, count - 1u)];
        let mass = select(0.0, body.mass, source < count); // past the end: a massless body
        let own = vec4<i32>(body.position, bitcast<i32>(mass));
        let rest = body.rest;
        let a = subgroupBroadcast(own, 0u);
        let b = subgroupBroadcast(own, 1u);
        let c = subgroupBroadcast(own, 2u);
        let d = subgroupBroadcast(own, 3u);
        let e = subgroupBroadcast(own, 4u);
        let f = subgroupBroadcast(own, 5u);
        let g = subgroupBroadcast(own, 6u);
        let h = subgroupBroadcast(own, 7u);
        if is_fine {
            part += fine_pull(here, a, subgroupBroadcast(rest, 0u), unit) + fine_pull(here, b, subgroupBroadcast(rest, 1u), unit);
            part += fine_pull(here, c, subgroupBroadcast(rest, 2u), unit) + fine_pull(here, d, subgroupBroadcast(rest, 3u), unit);
            part += fine_pull(here, e, subgroupBroadcast(rest, 4u), unit) + fine_pull(here, f, subgroupBroadcast(rest, 5u), unit);
            part += fine_pull(here, g, subgroupBroadcast(rest, 6u), unit) + fine_pull(here, h, subgroupBroadcast(rest, 7u), unit);
        } else {
            part += coarse_pull(here, a, unit) + coarse_pull(here, b, unit);
            part += coarse_pull(here, c, unit) + coarse_pull(here, d, unit);
            part += coarse_pull(here, e, unit) + coarse_pull(here, f, unit);
            part += coarse_pull(here, g, unit) + coarse_pull(here, h, unit);
        }
    }
    return part;
}
