import package::state::gravity::{SourceMoments, Source};

// Mass, centre and second moments of sets of sources. Positions are integers in units of tree_scale: differences are
// exact however large the box is.

// Reach over distance of a node that acts as a whole, at most: closer by, its series does not fall.
const REACH_MAX: f32 = 0.7;

// What a centre has below one unit, in 1,024ths: without it a node would pull with a dipole.
fn pack_rest(rest: vec3<f32>) -> u32 {
    let r = vec3<u32>(clamp(rest * 1024.0, vec3<f32>(0.0), vec3<f32>(1023.0)));
    return r.x | (r.y << 10u) | (r.z << 20u);
}

fn unpack_rest(packed: u32) -> vec3<f32> {
    return vec3<f32>(vec3<u32>(packed, packed >> 10u, packed >> 20u) & vec3<u32>(1023u)) * 9.765625e-4;
}

// Sums about `origin`, a position among the sources: sums stay as small as the set is.
struct Gathering {
    origin: vec3<i32>,
    mass: f32,
    first: vec3<f32>,      // sum of m d
    diagonal: vec3<f32>,
    cross: vec3<f32>,
    low: vec3<i32>,
    high: vec3<i32>,
}

fn gather_nothing(origin: vec3<i32>) -> Gathering {
    let zero = vec3<f32>(0.0);
    return Gathering(origin, 0.0, zero, zero, zero, vec3<i32>(2147483647), vec3<i32>(-2147483647));
}

// Adds a part whose centre of mass is `d` from the origin.
fn gather(g: Gathering, part: SourceMoments, d: vec3<f32>) -> Gathering {
    let m = part.mass * d;
    return Gathering(
        g.origin,
        g.mass + part.mass,
        g.first + m,
        g.diagonal + part.diagonal + m * d,
        g.cross + part.cross + m.xxy * d.yzz,
        min(g.low, part.low),
        max(g.high, part.high),
    );
}

fn gather_moments(g: Gathering, part: SourceMoments, unit: f32) -> Gathering {
    return gather(g, part, (vec3<f32>(part.centre - g.origin) + unpack_rest(part.rest)) * unit);
}

fn gather_body(g: Gathering, source: Source, unit: f32) -> Gathering {
    let zero = vec3<f32>(0.0);
    let body = SourceMoments(source.position, source.mass, zero, 0u, zero, source.position, source.position);
    return gather(g, body, (vec3<f32>(source.position - g.origin) + source.rest) * unit);
}

// Moves the sums to the centre of mass.
fn finish_gathering(g: Gathering, unit: f32) -> SourceMoments {
    let offset = g.first / (g.mass * unit);
    let whole = floor(offset);
    let rest = pack_rest(offset - whole);
    let d = (whole + unpack_rest(rest)) * unit;
    let diagonal = g.diagonal - 2.0 * d * g.first + g.mass * d * d;
    let both = g.first.xxy * d.yzz + g.first.yzz * d.xxy;
    let cross = g.cross - both + g.mass * d.xxy * d.yzz;
    return SourceMoments(g.origin + vec3<i32>(whole), g.mass, diagonal, rest, cross, g.low, g.high);
}

const LEAF: u32 = 0x80000000u; // a child with this bit is a single sorted body
const SUMMED: u32 = 8u;        // nodes of at most so many bodies are summed body by body
const GROUP: u32 = 32u;        // sorted bodies that walk the tree together
const BLOCK: u32 = 8u;         // bodies of a block, blocks of the next larger block
