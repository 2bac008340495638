// A polygon in the making: corners around a normal, each with its gap and the name of its features. Each invocation has
// its own in workgroup memory, 15 KiB of 16: private arrays that are read by number would lie in the device's memory.

const OUTLINE_MAX: u32 = 24u;
const OUTLINE_LANES: u32 = 32u;

struct OutlineCorner {
    position: vec3<f32>,
    gap: f32,
}

// By corner and invocation.
var<workgroup> outline_corners: array<OutlineCorner, 768>;
var<workgroup> outline_labels: array<u32, 768>;
var<private> outline_count: u32;
var<private> outline_lane: u32;

fn outline_row(k: u32) -> u32 {
    return k * OUTLINE_LANES + outline_lane;
}

fn outline_position(k: u32) -> vec3<f32> {
    return outline_corners[outline_row(k)].position;
}

fn outline_gap(k: u32) -> f32 {
    return outline_corners[outline_row(k)].gap;
}

fn outline_name(k: u32) -> u32 {
    return outline_labels[outline_row(k)];
}

fn outline_put(k: u32, position: vec3<f32>, gap: f32, name: u32) {
    outline_corners[outline_row(k)] = OutlineCorner(position, gap);
    outline_labels[outline_row(k)] = name;
}

fn outline_remove(k: u32) {
    outline_count -= 1u;
    for (var m = k; m < min(outline_count, OUTLINE_MAX); m++) {
        outline_put(m, outline_position(m + 1u), outline_gap(m + 1u), outline_name(m + 1u));
    }
}

// Twice the area that a corner adds to its neighbours' chord, seen along the normal.
fn outline_ear(k: u32, normal: vec3<f32>) -> f32 {
    let n = outline_count;
    let here = outline_position(k);
    let before = outline_position((k + n - 1u) % n) - here;
    let after = outline_position((k + 1u) % n) - here;
    return abs(dot(cross(before, after), normal));
}

fn outline_area(normal: vec3<f32>) -> f32 {
    var sum = 0.0;
    for (var k = 2u; k < min(outline_count, OUTLINE_MAX); k++) {
        sum += dot(cross(outline_position(k - 1u) - outline_position(0), outline_position(k) - outline_position(0)), normal);
    }
    return 0.5 * abs(sum);
}

// Drops corners that are too high: a gap beyond reach, or beyond the slope to the lowest; and doubles.
fn outline_within(normal: vec3<f32>, reach: f32, slope: f32, double: f32) {
    var low = 0u;
    for (var k = 1u; k < min(outline_count, OUTLINE_MAX); k++) {
        if (outline_gap(k) < outline_gap(low)) {
            low = k;
        }
    }
    let foot = outline_position(low);
    let gap = outline_gap(low);
    var kept = 0u;
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        let position = outline_position(k);
        let apart = position - foot;
        let across = apart - dot(apart, normal) * normal;
        var keep = outline_gap(k) <= reach && outline_gap(k) - gap <= slope * length(across);
        for (var m = 0u; m < min(kept, OUTLINE_MAX); m++) {
            let d = outline_position(m) - position;
            keep = keep && dot(d, d) > double * double;
        }
        if (keep) {
            outline_put(kept, position, outline_gap(k), outline_name(k));
            kept += 1u;
        }
    }
    outline_count = kept;
}

// Leaves `limit` corners: the one that adds least area goes, again and again; of equal ones the one of the lowest name,
// so that the choice stays while nothing moves. The lowest corner stays, unless another is as low to within `slack`.
fn outline_thin(normal: vec3<f32>, slack: f32, limit: u32) {
    for (var turn = 0u; turn < OUTLINE_MAX && outline_count > limit; turn++) {
        var level = 3.0e38;
        for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
            level = min(level, outline_gap(k) + slack);
        }
        var low = 0u;
        for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
            low += select(0u, 1u, outline_gap(k) <= level);
        }
        var least = 0u;
        var smallest = 3.0e38;
        for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
            let ear = outline_ear(k, normal);
            let free = low > 1u || outline_gap(k) > level;
            let lower = ear < 0.999 * smallest || (ear < 1.001 * smallest && outline_name(k) < outline_name(least));
            if (free && lower) {
                least = k;
                smallest = ear;
            }
        }
        outline_remove(least);
    }
}

// Two corners that are farthest from each other represent a line of them.
fn outline_ends() {
    var a = 0u;
    var b = 0u;
    var most = -1.0;
    for (var k = 0u; k < min(outline_count, OUTLINE_MAX); k++) {
        for (var m = k + 1u; m < min(outline_count, OUTLINE_MAX); m++) {
            let d = outline_position(m) - outline_position(k);
            if (dot(d, d) > most) {
                most = dot(d, d);
                a = k;
                b = m;
            }
        }
    }
    if (b > a) {
        outline_put(0u, outline_position(a), outline_gap(a), outline_name(a));
        outline_put(1u, outline_position(b), outline_gap(b), outline_name(b));
        outline_count = 2u;
    }
}

// Names of the first four corners; 0 for missing ones.
fn outline_names() -> vec4<u32> {
    let all = vec4<u32>(outline_name(0), outline_name(1), outline_name(2), outline_name(3));
    return select(vec4<u32>(0u), all, vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(outline_count));
}

// What touches what: 1 a point, 2 an edge along a face, 3 face on face; leaves one point, two ends or `limit` corners.
fn outline_reduce(normal: vec3<f32>, slack: f32, limit: u32) -> u32 {
    var longest = 0.0;
    for (var k = 1u; k < min(outline_count, OUTLINE_MAX); k++) {
        longest = max(longest, distance(outline_position(k), outline_position(0)));
    }
    var kind = 1u;
    if (outline_count > 1u) {
        let wide = outline_area(normal) > slack * longest;
        kind = select(2u, 3u, wide);
        if (wide) {
            outline_thin(normal, slack, limit);
        } else {
            outline_ends();
        }
    }
    return kind;
}
