import package::shared::gravity::{Source};

// Mass, centre and second moments of sets of sources. Places are integers in units of tree_scale: differences are
// exact however large the box is.

// A set of sources: an aligned block of the sorted bodies, or what a node covers.
struct Moments {
    centre: vec3<i32>,     // of mass
    mass: f32,             // [M]
    diagonal: vec3<f32>,   // sum of m d d about the centre [M L2]: xx, yy, zz
    pad0: f32,
    cross: vec3<f32>,      // xy, xz, yz
    pad1: f32,
    low: vec3<i32>,        // box
    pad2: i32,
    high: vec3<i32>,
    pad3: i32,
}

// Sums about `origin`, some place among the sources: sums stay as small as the set is.
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

fn gather_moments(g: Gathering, part: Moments, unit: f32) -> Gathering {
    let d = vec3<f32>(part.centre - g.origin) * unit;
    let m = part.mass * d;
    return Gathering(
        g.origin,
        g.mass + part.mass,
        g.first + m,
        g.diagonal + part.diagonal + m * d,
        g.cross + part.cross + vec3<f32>(m.x * d.y, m.x * d.z, m.y * d.z),
        min(g.low, part.low),
        max(g.high, part.high),
    );
}

fn gather_body(g: Gathering, source: Source, unit: f32) -> Gathering {
    let zero = vec3<f32>(0.0);
    let body = Moments(source.place, source.mass, zero, 0.0, zero, 0.0, source.place, 0, source.place, 0);
    return gather_moments(g, body, unit);
}

// Moves the sums to the centre of mass, which is rounded to a whole unit: a dipole of at most half a unit is left out.
fn finish_gathering(g: Gathering, unit: f32) -> Moments {
    let offset = g.first / g.mass;
    let centre = g.origin + vec3<i32>(round(offset / unit));
    let d = vec3<f32>(centre - g.origin) * unit;
    let diagonal = g.diagonal - 2.0 * d * g.first + g.mass * d * d;
    let a = g.first.xxy * d.yzz + g.first.yzz * d.xxy;
    let cross = g.cross - a + g.mass * d.xxy * d.yzz;
    return Moments(centre, g.mass, diagonal, 0.0, cross, 0.0, g.low, 0, g.high, 0);
}

// An inner node as the walk needs it.
struct Branch {
    centre: vec3<i32>,
    mass: f32,
    left: u32,             // first child
    next: u32,             // what follows when the node is not opened
    first: u32,            // sorted body
    count: u32,
    diagonal: vec3<f32>,   // traceless quadrupole, sum of m (3 d d - d^2) [M L2]: xx, yy, zz
    reach: f32,            // distance from the centre that holds every body [L]
    cross: vec3<f32>,      // xy, xz, yz
    size: f32,             // longest side of the box [L]
}

const LEAF: u32 = 0x80000000u; // a child with this bit is a single sorted body
const END: u32 = 0xffffffffu;  // after the last
const BLOCK: u32 = 8u;         // bodies of a block, blocks of the next larger block
