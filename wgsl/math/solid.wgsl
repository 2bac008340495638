import package::state::view::{Ray, sphere_hit};
import package::math::turns::{turns, TURNS_MAX};

// Where a ray enters a body of a picture: a sphere, or a convex part that its planes bound within that sphere. The pass
// that imports this binds `face` (first plane and how many of each body, none of a sphere) and `plane` (outward normal in
// view coordinates, distance from the sphere's centre).

struct Hit {
    depth: f32,        // -1 if the body is missed
    normal: vec3<f32>, // of the plane entered, in view coordinates; of a sphere none
}

// `centre` in view coordinates. Distances are counted from the point of the ray nearest to the centre, as in `sphere_hit`,
// so that small bodies keep their digits.
fn body_hit(body: u32, ray: Ray, centre: vec3<f32>, radius: f32) -> Hit {
    var hit = Hit(sphere_hit(ray, centre, radius), vec3<f32>(0.0));
    let planes = face[body];
    if (planes.y > 0u && hit.depth > 0.0) {
        let c = centre - ray.origin;
        let nearest = dot(c, ray.direction);
        let foot = nearest * ray.direction - c;
        var enter = -3.0e38;
        var leave = 3.0e38;
        for (var k = planes.x; k < planes.x + planes.y && turns < TURNS_MAX; k++) {
            turns += 1u;
            let p = plane[k];
            let slope = dot(p.xyz, ray.direction);
            // a ray along a plane meets it far behind, or far ahead if it runs outside
            let at = (p.w - dot(p.xyz, foot)) / select(slope, -1.0e-20, abs(slope) < 1.0e-20);
            if (slope < 1.0e-20) {
                hit.normal = select(hit.normal, p.xyz, at > enter);
                enter = max(enter, at);
            } else {
                leave = min(leave, at);
            }
        }
        hit.depth = select(-1.0, nearest + enter, enter <= leave);
    }
    return hit;
}
