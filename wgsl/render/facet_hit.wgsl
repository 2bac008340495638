import package::state::picture::{Facet, PixelPatch, Vertex};
import package::state::view::{Ray, View, to_view};

// Where a ray meets a facet of a picture.
var<uniform> view: View;
var<storage, read> vertex: array<Vertex>;
var<storage, read> facet: array<Facet>;

const PATCH_MAX: u32 = 1024u; // pixels of a patch: 32 a side

// Corners as the camera sees them, and their numbers.
struct Seen {
    corner: array<vec3<f32>, 3>,
    number: vec3<u32>,
}

fn seen_facet(f: u32) -> Seen {
    let c = facet[f].corners;
    let corners = array<vec3<f32>, 3>(
        to_view(view, vertex[c.x].position), to_view(view, vertex[c.y].position), to_view(view, vertex[c.z].position));
    return Seen(corners, c);
}

// Pixels of a picture in which a facet may be seen.
struct Patch {
    facet: u32,
    first: vec2<u32>,
    width: u32,
    pixels: u32,
}

fn patch_of(p: PixelPatch) -> Patch {
    let width = p.sides & 0xffffu;
    return Patch(p.shown, vec2<u32>(p.corner & 0xffffu, p.corner >> 16u), width, width * (p.sides >> 16u));
}

fn patch_pixel(patch_seen: Patch, k: u32) -> vec2<u32> {
    return patch_seen.first + vec2<u32>(k % patch_seen.width, k / patch_seen.width);
}

// Twice the area of ray, a and b, seen along the ray. Sides are taken from their lower to their higher corner: both facets
// of a side get the same number, and no ray slips between them.
fn side_area(direction: vec3<f32>, a: vec3<f32>, b: vec3<f32>, swap: bool) -> f32 {
    let area = dot(direction, cross(select(a, b, swap), select(b, a, swap)));
    return select(area, -area, swap);
}

// Distance along the ray, -1 if the facet is missed. What of the corners is aside of the ray decides whether it is met,
// what is along it how far: this holds for corners behind the eye too.
fn facet_hit(ray: Ray, f: Seen) -> f32 {
    let d = ray.direction;
    let a = f.corner[0] - ray.origin;
    let b = f.corner[1] - ray.origin;
    let c = f.corner[2] - ray.origin;
    let along = vec3<f32>(dot(a, d), dot(b, d), dot(c, d));
    let u = a - along.x * d;
    let v = b - along.y * d;
    let w = c - along.z * d;
    let n = f.number;
    let part = vec3<f32>(side_area(d, v, w, n.y > n.z), side_area(d, w, u, n.z > n.x), side_area(d, u, v, n.x > n.y));
    let whole = part.x + part.y + part.z;
    let met = (all(part >= vec3<f32>(0.0)) || all(part <= vec3<f32>(0.0))) && whole != 0.0;
    let further = (part.y * (along.y - along.x) + part.z * (along.z - along.x)) / select(1.0, whole, met);
    return select(-1.0, along.x + further, met);
}
