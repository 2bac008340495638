import package::contact_dynamics::dynamics::{FEATURE};
import package::contact_dynamics::shape::{SLOPE};

// A polygon in the making, seen along a normal: corners in order, each with its place across the normal and the name of
// its features. The gap is the difference of two planes, so it follows from the place. Each invocation has its own in
// workgroup memory, 3 KiB in all: private arrays that are read by number would lie in the device's memory. It holds eight
// corners. Where a ninth comes, the one that adds least area goes.
const OUTLINE_MAX: u32 = 8u;
// A gap counts as lower only if it is lower by this part of the distance of doubles.
const LEVEL: f32 = 0.1;
const OUTLINE_LANES: u32 = 32u;

// By corner and invocation.
var<workgroup> outline_places: array<vec2<f32>, 256>;
var<workgroup> outline_labels: array<u32, 256>;
var<private> outline_count: u32;
var<private> outline_lane: u32;
var<private> outline_gaps: vec3<f32>; // along the two directions, and where both are 0

fn outline_row(k: u32) -> u32 {
    return (k & (OUTLINE_MAX - 1u)) * OUTLINE_LANES + outline_lane;
}

fn outline_start(lane: u32, gaps: vec3<f32>) {
    outline_lane = lane;
    outline_count = 0u;
    outline_gaps = gaps;
}

fn outline_place(k: u32) -> vec2<f32> {
    return outline_places[outline_row(k)];
}

fn outline_name(k: u32) -> u32 {
    return outline_labels[outline_row(k)];
}

fn outline_gap(place: vec2<f32>) -> f32 {
    return outline_gaps.z + dot(outline_gaps.xy, place);
}

fn outline_put(k: u32, place: vec2<f32>, name: u32) {
    outline_places[outline_row(k)] = place;
    outline_labels[outline_row(k)] = name;
}

fn outline_remove(k: u32) {
    outline_count -= 1u;
    for (var m = k; m < min(outline_count, OUTLINE_MAX); m++) {
        outline_put(m, outline_place(m + 1u), outline_name(m + 1u));
    }
}

// The least gap, and where.
fn outline_lowest() -> vec3<f32> {
    var lowest = vec3<f32>(0.0, 0.0, 3.0e38);
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        let place = outline_place(k);
        let gap = outline_gap(place);
        lowest = select(lowest, vec3<f32>(place, gap), vec3<bool>(gap < lowest.z));
    }
    return lowest;
}

// The lowest corner: of those that are as low to within a slack the first.
struct Low {
    corner: u32,
    gap: f32,
}

fn lower_of(low: Low, k: u32, gap: f32, slack: f32) -> Low {
    let lower = gap < low.gap - slack;
    return Low(select(low.corner, k, lower), select(low.gap, gap, lower));
}

// The corner that adds least area to its neighbours' chord, the first of equal ones; never corner `low`.
fn outline_idle(low: u32) -> u32 {
    var least = 0u;
    var smallest = 3.0e38;
    var before = outline_place(outline_count - 1u);
    var here = outline_place(0u);
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        let after = outline_place(select(k + 1u, 0u, k + 1u == outline_count));
        let ear = abs((before.x - here.x) * (after.y - here.y) - (before.y - here.y) * (after.x - here.x));
        if (k != low && ear < 0.999 * smallest) {
            least = k;
            smallest = ear;
        }
        before = here;
        here = after;
    }
    return least;
}

// Adds a corner that is within reach. Of two within `double` of each other the first stays, unless the second is lower.
fn outline_add(place: vec2<f32>, name: u32, reach: f32, double: f32) {
    let gap = outline_gap(place);
    var at = OUTLINE_MAX;
    var low = Low(0u, 3.0e38);
    // the lowest is found on the way: only a full outline asks for it, but a loop of its own takes turns
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        let there = outline_place(k);
        let d = there - place;
        at = select(at, k, dot(d, d) <= double * double);
        low = lower_of(low, k, outline_gap(there), LEVEL * double);
    }
    var keep = gap <= reach;
    if (at < OUTLINE_MAX) {
        keep = keep && gap < outline_gap(outline_place(at)) - LEVEL * double;
    }
    if (keep) {
        if (at == OUTLINE_MAX) {
            if (outline_count == OUTLINE_MAX) {
                outline_remove(outline_idle(low.corner));
            }
            at = outline_count;
            outline_count += 1u;
        }
        outline_put(at, place, name);
    }
}

// Drops corners that are too high, beyond the slope to the lowest.
fn outline_level() {
    let lowest = outline_lowest();
    var kept = 0u;
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        let place = outline_place(k);
        if (outline_gap(place) - lowest.z <= SLOPE * distance(place, lowest.xy)) {
            outline_put(kept, place, outline_name(k));
            kept += 1u;
        }
    }
    outline_count = kept;
}

// The corner that is farthest from a place.
fn outline_far(from_place: vec2<f32>) -> u32 {
    var far = 0u;
    var most = -1.0;
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        let d = outline_place(k) - from_place;
        far = select(far, k, dot(d, d) > most);
        most = max(most, dot(d, d));
    }
    return far;
}

fn outline_area() -> f32 {
    let first = outline_place(0u);
    var before = vec2<f32>(0.0);
    var sum = 0.0;
    for (var k = 1u; k < min(outline_count, OUTLINE_MAX); k++) {
        let here = outline_place(k) - first;
        sum += before.x * here.y - before.y * here.x;
        before = here;
    }
    return 0.5 * abs(sum);
}

// Names of the first four corners; 0 for missing ones.
fn outline_names() -> vec4<u32> {
    let all = vec4<u32>(outline_name(0u), outline_name(1u), outline_name(2u), outline_name(3u));
    return select(vec4<u32>(0u), vec4<u32>(FEATURE) | all, vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(outline_count));
}

// Leaves `limit` corners: the one that adds least area goes, again and again.
fn outline_thin(slack: f32, limit: u32) {
    for (var turn = 0u; turn < OUTLINE_MAX && outline_count > limit; turn++) {
        var low = Low(0u, 3.0e38);
        for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
            low = lower_of(low, k, outline_gap(outline_place(k)), slack);
        }
        outline_remove(outline_idle(low.corner));
    }
}

// What touches what: 1 a point, 2 an edge along a face, 3 face on face; leaves one point, two ends or `limit` corners.
fn outline_reduce(slack: f32, limit: u32) -> u32 {
    var kind = 1u;
    if (outline_count > 1u) {
        let first = outline_place(0u);
        let one = outline_far(first);
        let place = outline_place(one);
        if (outline_area() > slack * distance(place, first)) {
            kind = 3u;
            outline_thin(slack, limit);
        } else {
            // two corners that are farthest from each other represent a line of them
            kind = 2u;
            let other = outline_far(place);
            let name = outline_name(one);
            outline_put(0u, outline_place(other), outline_name(other));
            outline_put(1u, place, name);
            outline_count = 2u;
        }
    }
    return kind;
}
