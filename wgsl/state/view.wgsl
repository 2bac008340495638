// A camera over a square picture, and the ray of each of its pixels; mirrored by `render::camera::View`.
// View coordinates: x right, y up, z away from the eye; lengths in units of the scene's radius.
struct View {
    right: vec3<f32>,
    half_width: f32,  // of the picture: tangent of half its angle, or half its length if not in perspective
    up: vec3<f32>,
    perspective: f32, // 1: rays leave the eye; 0: parallel rays along `forward`
    forward: vec3<f32>,
    grain: f32,       // reach of the ambient occlusion: a mean body's radius
    eye: vec3<f32>,
    blur: f32,        // half-width of the shadow's edge
    size: u32,        // pixels a side
    patch_count: u32,
    facet_patch_count: u32,
    body_count: u32,  // owners from here on are facets
}

struct Ray {
    origin: vec3<f32>,
    direction: vec3<f32>,
}

// Nobody's pixel; as a depth it is +infinity, so that every hit is nearer.
const NOBODY: u32 = 0x7f800000u;

fn to_view(view: View, p: vec3<f32>) -> vec3<f32> {
    let d = p - view.eye;
    return vec3<f32>(dot(d, view.right), dot(d, view.up), dot(d, view.forward));
}

fn from_view(view: View, v: vec3<f32>) -> vec3<f32> {
    return v.x * view.right + v.y * view.up + v.z * view.forward;
}

fn pixel_ray(view: View, pixel: vec2<u32>) -> Ray {
    let s = ((vec2<f32>(pixel) + 0.5) * (2.0 / f32(view.size)) - 1.0) * view.half_width;
    let flat = view.perspective < 0.5;
    let origin = select(vec3<f32>(0.0), vec3<f32>(s.x, -s.y, 0.0), flat);
    let direction = select(normalize(vec3<f32>(s.x, -s.y, 1.0)), vec3<f32>(0.0, 0.0, 1.0), flat);
    return Ray(origin, direction);
}

// Distance along the ray to the sphere, -1 if it is missed. The distance of centre and ray is taken from the vector
// between them: |c|^2 - b^2 would lose every digit of a body a thousand times smaller than the scene.
fn sphere_hit(ray: Ray, centre: vec3<f32>, radius: f32) -> f32 {
    let c = centre - ray.origin;
    let b = dot(c, ray.direction);
    let aside = c - b * ray.direction;
    let h = radius * radius - dot(aside, aside);
    return select(-1.0, b - sqrt(max(h, 0.0)), h >= 0.0);
}
