import package::contact_dynamics::dynamics::{FEATURE};
import package::contact_dynamics::plane_search::{Found};
import package::contact_dynamics::shape::{shape_vector};
import package::contact_dynamics::simplex::{simplex_corners, simplex_weight};
import package::math::turn::{turn_f32, turned};
import package::state::body::{Orientation};
import package::state::shape::{ShapePart};

// The shortest link between two polyhedra, from the simplex that a climb ends with: where it leaves the first, and its name.
var<storage, read> body_turn: array<Orientation>;
var<storage, read> shape_part: array<ShapePart>;

// Names what the link leaves and meets: a corner of i, a corner of j, or two edges.
fn link_feature(own: vec2<u32>, other: vec2<u32>) -> u32 {
    // 2 is of crossings of faces (clip_manifolds)
    var name = (3u << 20u) | (((own.x * 37u + own.y) & 0x3ffu) << 10u) | ((other.x * 37u + other.y) & 0x3ffu);
    if (other.x == other.y) {
        name = (1u << 20u) | other.x;
    }
    if (own.x == own.y) {
        name = own.x << 10u;
    }
    return FEATURE | name;
}

// The link in the making: lowest and highest corner of each body.
struct Link {
    arm: vec3<f32>,
    own: vec2<u32>,
    other: vec2<u32>,
}

fn with_point(before: Link, k: u32, turn: vec4<f32>, first: u32) -> Link {
    var link = before;
    let weight = simplex_weight(k);
    if (weight != 0.0) {
        let own = simplex_corners(k) >> 16u;
        let other = simplex_corners(k) & 0xffffu;
        link.arm += weight * turned(turn, shape_vector(first + own));
        if (weight > 0.0) {
            link.own = vec2<u32>(min(link.own.x, own), max(link.own.y, own));
            link.other = vec2<u32>(min(link.other.x, other), max(link.other.y, other));
        }
    }
    return link;
}

// Takes the link of the simplex.
fn linked(before: Found, i: u32) -> Found {
    let turn = turn_f32(body_turn[i].quaternion);
    let first = shape_part[i].first_point;
    var found = before;
    var link = Link(vec3<f32>(0.0), vec2<u32>(0xffffffffu, 0u), vec2<u32>(0xffffffffu, 0u));
    link = with_point(link, 0u, turn, first);
    link = with_point(link, 1u, turn, first);
    link = with_point(link, 2u, turn, first);
    link = with_point(link, 3u, turn, first);
    if (link.own.x <= link.own.y) {
        found.arm = link.arm;
        found.feature = link_feature(link.own, link.other);
    }
    return found;
}
