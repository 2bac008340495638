import package::contact_dynamics::plane_search::{Bodies, CORNERS, DONE, PART, Search};
import package::contact_dynamics::simplex::{closest_part, closest_point, simplex_count, simplex_position, simplex_put, simplex_reduce};

// A step of the climb to the common plane, of Gilbert, Johnson and Keerthi (1988) with one body lifted clear of the other.

const STEPS_MAX: u32 = 40u;
// Heights that count as equal, as a part of both radii: some times rounding.
const EQUAL: f32 = 3.0e-7;

// A step of a climb, with the difference of corners that its normal has met.
fn climb_step(before: Search, b: Bodies, difference: vec3<f32>, corners: u32) -> Search {
    var s = before;
    let n = s.normal;
    let level = dot(n, difference) + EQUAL * b.size;
    let lower = vec2<f32>(dot(n, simplex_position(0u)), dot(n, simplex_position(1u)));
    let heights = vec4<f32>(lower, dot(n, simplex_position(2u)), dot(n, simplex_position(3u)));
    let there = vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(simplex_count);
    let shortest = any((heights <= vec4<f32>(level)) & there);
    let lifting = s.task != PART && (shortest || s.lifts == 0u);
    var going = !(lifting && s.lifts > 1u && s.found.gap <= s.before + EQUAL * b.size);
    s.next += 1u;
    if (going) {
        if (lifting) {
            s.before = s.found.gap;
            s.held = max(max(b.clearance, -s.before) - s.before, 0.0) * s.found.normal;
            s.lifts += 1u;
        }
        if (!shortest) {
            simplex_put(difference, corners);
        }
        let link = closest_part(s.held);
        going = !(link.inside || link.square < EQUAL * EQUAL * b.size * b.size);
        if (going) {
            // only the part around the closest point is kept
            s.normal = closest_point(link, s.held) * inverseSqrt(link.square);
            simplex_reduce(link);
            let turned_by = s.normal - n;
            going = s.next < STEPS_MAX && !(shortest && dot(turned_by, turned_by) < 1.0e-12);
        }
    }
    if (s.found.gap > b.far) {
        s.task = DONE;
    } else if (!going) {
        // The link's direction is as good as the root of rounding. Three corners of the differences name their face: a
        // corner on a face, or an edge across an edge, whose normal is exact. The difference met last is often the
        // third: it was dropped if rounding made it seem no nearer.
        s.task |= CORNERS;
        s.lifts = select(select(0u, 1u, simplex_count == 2u), 4u, simplex_count == 3u);
        s.next = 0u;
        simplex_put(difference, corners);
    }
    return s;
}
