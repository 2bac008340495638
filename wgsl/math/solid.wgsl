import package::state::view::{Ray, sphere_hit};
import package::math::turns::{turns, TURNS_MAX};
import package::state::picture::{BodyPlanes, Plane};

// Where a ray enters a body of a picture: a sphere, or a convex part that its planes bound within that sphere.
var<storage, read> face: array<BodyPlanes>;
var<storage, read> plane: array<Plane>;

struct Hit {
    depth: f32,        // -1 if the body is missed
    normal: vec3<f32>, // of the plane entered, in view coordinates; of a sphere none
}

// `centre` in view coordinates. Distances are counted from the point of the ray nearest to the centre, as in `sphere_hit`,
// so that small bodies keep their digits.
fn body_hit(body: u32, ray: Ray, centre: vec3<f32>, radius: f32) -> Hit {
    var hit = Hit(sphere_hit(ray, centre, radius), vec3<f32>(0.0));
    let planes = face[body];
    if (planes.count > 0u && hit.depth > 0.0) {
        let c = centre - ray.origin;
        let nearest = dot(c, ray.direction);
        let foot = nearest * ray.direction - c;
        var enter = -3.0e38;
        var leave = 3.0e38;
        for (var k = planes.first; k < planes.first + planes.count && turns < TURNS_MAX; k++) {
            turns += 1u;
            let p = plane[k];
            let slope = dot(p.normal, ray.direction);
            // a ray along a plane meets it far behind, or far ahead if it runs outside
            let at = (p.distance - dot(p.normal, foot)) / select(slope, -1.0e-20, abs(slope) < 1.0e-20);
            if (slope < 1.0e-20) {
                hit.normal = select(hit.normal, p.normal, at > enter);
                enter = max(enter, at);
            } else {
                leave = min(leave, at);
            }
        }
        hit.depth = select(-1.0, nearest + enter, enter <= leave);
    }
    return hit;
}
