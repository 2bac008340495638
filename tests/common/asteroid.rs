//! A small asteroid and grains about it.

use super::{bodies, material, scenario};
use breccia::model::body::Bodies;
use breccia::model::scenario::*;
use glam::DVec3;

/// Density of asteroid and grains (kg/m3).
const DENSITY: f64 = 1500.0;
/// G m of the field about the asteroid's centre (m3/s2): ten times too strong for its mass, so that bounces are frequent.
pub const GM: f64 = 1.0;

/// A closed box of these edges (m) as an OBJ file, kept until the process ends.
fn box_file(size: DVec3) -> String {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let path = folder.join("box.obj");
    let mut text = String::new();
    for k in 0..8 {
        let side = |bit: u32| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
        let v = size * DVec3::new(side(0), side(1), side(2));
        text += &format!("v {} {} {}\n", v.x, v.y, v.z);
    }
    text += "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

/// A box of 30 x 22 x 16 m that moves so.
pub fn asteroid(motion: Motion, rotation_rad_s: DVec3) -> AsteroidSpec {
    let path = box_file(DVec3::new(30.0, 22.0, 16.0));
    let mut spec = AsteroidSpec::new(SurfaceKind::Mesh { path, unit_m: 1.0, format: None }, DENSITY);
    (spec.rotation_rad_s, spec.motion) = (rotation_rad_s, motion);
    spec
}

/// Three boulders that fall on a tumbling asteroid, bounce, slide and touch, and one in orbit.
pub fn tumbling(coupling_interval: u32) -> (Scenario, Bodies) {
    let rock = material()
        .with_density(DENSITY)
        .with("stiffness_normal_n_m", 1e6)
        .with("friction_rolling", 0.3)
        .with("friction_twisting", 0.3);
    let mut s = scenario(vec![rock]);
    s.asteroid = Some(asteroid(Motion::Free { coupling_interval }, DVec3::new(4e-3, -6e-3, 9e-3)));
    s.gravity.push(GravitySource::Central { gm_m3_s2: GM, position_m: DVec3::ZERO });
    let spheres = [
        (DVec3::new(1.0, -2.0, 10.5), 1.5),
        (DVec3::new(4.5, -1.0, 11.0), 1.25),
        (DVec3::new(1.5, 1.5, 13.5), 1.0),
        (DVec3::new(10.0, 20.0, 60.0), 2.0),
    ];
    let mut b = bodies(&spheres, DENSITY);
    b.velocity_m_s[0] = DVec3::new(0.02, 0.01, 0.0);
    // at rest there it would go round backwards: of inertial space half of what a circle takes
    let spin = DVec3::new(4e-3, -6e-3, 9e-3);
    b.velocity_m_s[3] = DVec3::new(0.0, 0.1, 0.03) - spin.cross(b.position_m[3]);
    b.spin_rad_s[3] = DVec3::new(1e-3, 2e-3, -1e-3);
    (s, b)
}
