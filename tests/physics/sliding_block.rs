//! What `landslide_small` expects of its grains, found without them: points with friction slide down the slopes of its asteroid.

use crate::landslide::{at, latitude_longitude};
use breccia::analysis::surface_field::{SurfaceField, surface_field};
use breccia::scenario::load;
use glam::DVec3;

/// Radius (m) over which gravity and slope are averaged, about that of the patch of grains.
const REACH: f64 = 5.0;
/// Time step (s).
const STEP: f64 = 1.0;

/// Effective gravity and the normal near a point, means over the area there.
fn near(field: &SurfaceField, x: DVec3) -> (DVec3, DVec3) {
    let of = |k: &usize| field.centre_m[*k].distance(x) < REACH;
    let faces: Vec<usize> = (0..field.centre_m.len()).filter(of).collect();
    let sum = |list: &[DVec3]| faces.iter().map(|k| field.area_m2[*k] * list[*k]).sum::<DVec3>();
    let area: f64 = faces.iter().map(|k| field.area_m2[*k]).sum();
    (sum(&field.effective_m_s2) / area, sum(&field.normal).normalize())
}

/// The point of the plane of the nearest face that lies in this direction.
fn on_surface(field: &SurfaceField, direction: DVec3) -> DVec3 {
    let along = |k: &usize| direction.dot(field.centre_m[*k].normalize());
    let nearest = (0..field.centre_m.len()).max_by(|a, b| along(a).total_cmp(&along(b))).expect("faces");
    let normal = field.normal[nearest];
    direction * (field.centre_m[nearest].dot(normal) / direction.dot(normal))
}

/// Change of latitude and longitude (degrees) of a point that starts at rest: effective gravity and Coriolis' force, the
/// friction that they press out of the surface, against the velocity.
fn way(field: &SurfaceField, spin: DVec3, friction: f64, start: DVec3, seconds: f64) -> [f64; 2] {
    let (mut x, mut v) = (on_surface(field, start), DVec3::ZERO);
    let first = latitude_longitude(x);
    for _ in 0..(seconds / STEP) as usize {
        let (pull, normal) = near(field, x);
        let a = pull - 2.0 * spin.cross(v);
        let push = -a.dot(normal).min(0.0);
        let along = a.reject_from_normalized(normal);
        v = v.reject_from_normalized(normal);
        let way = v.try_normalize().unwrap_or_else(|| along.normalize());
        v += STEP * (along - friction * push * way);
        x = on_surface(field, (x + STEP * v).normalize());
    }
    let last = latitude_longitude(x);
    [last[0] - first[0], last[1] - first[1]]
}

#[test]
fn points_with_friction_go_where_landslide_small_expects_its_grains() {
    let scenario = load("landslide_small", &[]).expect("parses");
    let asteroid = scenario.asteroid.as_ref().expect("asteroid");
    let surface = asteroid.surface().expect("a surface");
    let field = surface_field(&surface, asteroid.density_kg_m3, asteroid.rotation_rad_s);
    let friction = scenario.materials[0].number("friction_sliding").expect("typed");
    // the middle of the patch, and a degree, 4.6 m, to each side
    let starts = [[30.0, 0.0], [29.0, 0.0], [31.0, 0.0], [30.0, -1.0], [30.0, 1.0]];
    let ways = starts.map(|[latitude, longitude]: [f64; 2]| {
        way(&field, asteroid.rotation_rad_s, friction, at(latitude, longitude), scenario.run.duration_s)
    });
    println!("from {starts:?}: {ways:.2?} degrees");
    for (axis, quantity) in ["latitude_change_deg", "longitude_change_deg"].into_iter().enumerate() {
        let mean = ways.iter().map(|way| way[axis]).sum::<f64>() / ways.len() as f64;
        let expected = scenario.expect.iter().find(|e| e.quantity == quantity).expect("expected");
        println!("{quantity}: mean {mean:.2}, expected {}", expected.wanted.value);
        assert!((mean - expected.wanted.value).abs() < 0.1, "{quantity}: {mean}");
    }
}
