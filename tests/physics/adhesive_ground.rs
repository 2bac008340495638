//! Cohesion of grains with fine ground: it counts once in hollows, on rough and on flat facets, by both laws.

use crate::common::*;
use breccia::engine::Engine;
use breccia::geometry::surface::Surface;
use breccia::model::scenario::*;
use breccia::model::snapshot::Snapshot;
use breccia::physics::contacts::Moving;
use breccia::physics::laws::pairs::Laws;
use breccia::physics::surface::ground::Ground;
use breccia::physics::surface::touch::touch_surface;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const RADIUS: f64 = 0.5; // m
const STIFFNESS: f64 = 1e6; // N/m
const PULL: f64 = 500.0; // N, 4 c beta R^2 of `sticky`
const LAWS: [SurfaceLaw; 2] = [SurfaceLaw::AreaWeighted, SurfaceLaw::ClosestFeature];

fn sticky(cohesion_pa: f64) -> Material {
    let base = material().with("stiffness_normal_n_m", STIFFNESS).with("shape_parameter", 0.5);
    let smooth = base.with("friction_sliding", 0.0).with("friction_rolling", 0.0).with("restitution_normal", 0.1);
    smooth.with("cohesion_pa", cohesion_pa)
}

/// A pyramid on its tip, whose base on top is a grid of squares of this width (m), of this height over its middle.
fn with_top(half_m: f64, width_m: f64, mut height: impl FnMut(f64, f64) -> f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let n = (half_m / width_m).round() as i32;
    let side = 2 * n as u32 + 1;
    let at = |i: u32, j: u32| i * side + j;
    let places = (-n..=n).flat_map(|i| (-n..=n).map(move |j| (f64::from(i) * width_m, f64::from(j) * width_m)));
    let mut vertices: Vec<DVec3> = places.map(|(x, y)| DVec3::new(x, y, height(x, y))).collect();
    let tip = vertices.len() as u32;
    vertices.push(DVec3::new(0.0, 0.0, -4.0));
    let mut triangles = vec![];
    for (i, j) in (0..side - 1).flat_map(|i| (0..side - 1).map(move |j| (i, j))) {
        triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
        triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
    }
    for k in 0..side - 1 {
        triangles.push([at(k + 1, 0), at(k, 0), tip]);
        triangles.push([at(k, side - 1), at(k + 1, side - 1), tip]);
        triangles.push([at(0, k), at(0, k + 1), tip]);
        triangles.push([at(side - 1, k + 1), at(side - 1, k), tip]);
    }
    (vertices, triangles)
}

/// A hollow whose sphere has this radius (m).
fn hollow(of_m: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    with_top(0.4, RADIUS / 80.0, |x, y| of_m - (of_m * of_m - x * x - y * y).sqrt())
}

/// Elastic force over k times the depth, and how often cohesion counts, for a grain a fiftieth of its radius deep over (x, y).
fn counted((ground, origin): &(Ground, DVec3), [x, y]: [f64; 2]) -> [f64; 2] {
    let depth = 0.02 * RADIUS;
    let position = DVec3::new(x, y, RADIUS - depth) - *origin;
    let force = |cohesion_pa: f64| {
        let s = scenario(vec![sticky(cohesion_pa)]);
        let bodies = bodies(&[(position, RADIUS)], 2000.0);
        let zero = DVec3::ZERO;
        let moving = Moving { position, velocity: zero, spin: zero, velocity_now: zero, spin_now: zero, held: zero };
        let laws = Laws::new(&s, &bodies, 1e-4);
        touch_surface(ground, &laws, &bodies, &[moving], &[], 1e-4).iter().map(|t| t.result.force.z).sum::<f64>()
    };
    let elastic = force(0.0);
    [elastic / (STIFFNESS * depth), (elastic - force(1000.0)) / PULL]
}

fn ground_of((vertices, triangles): (Vec<DVec3>, Vec<[u32; 3]>), law: SurfaceLaw) -> (Ground, DVec3) {
    let surface = Surface::new("ground", vertices, triangles);
    (Ground::new(&surface, 0, law), surface.origin_m)
}

/// In a hollow of a / R radii, both forces exceed those on a plane by no more than the hollow changes the contact: a sphere
/// that lies in it has the effective radius R / (1 - R / a) (Hertz), as eq. 6 of Song et al. (2024) has its stiffness.
#[test]
fn cohesion_counts_once_in_hollows() {
    for (law, ratio) in LAWS.into_iter().flat_map(|l| [(l, 3.0), (l, 10.0), (l, 100.0)]) {
        let [elastic, cohesive] = counted(&ground_of(hollow(ratio * RADIUS), law), [0.0; 2]);
        let most = 1.0 / (1.0 - 1.0 / ratio);
        println!("{law:?}, {ratio} R: elastic {elastic:.3}, cohesion {cohesive:.3}, effective radius {most:.3} R");
        assert!(elastic > 0.99 && elastic < most + 0.01, "{law:?} {ratio}: {elastic}");
        // the shares of eq. 6 add up to more than its stiffness
        let of_shares = if law == SurfaceLaw::AreaWeighted { most * most } else { most };
        assert!(cohesive > 0.99 && cohesive < of_shares + 0.01, "{law:?} {ratio}: {cohesive}");
    }
}

/// On ground whose vertices are a thousandth of a radius up or down, on facets from a 25th of the radius to a half.
#[test]
fn cohesion_counts_once_on_rough_ground() {
    for (law, parts) in LAWS.into_iter().flat_map(|l| [(l, 25.0), (l, 10.0), (l, 5.0), (l, 2.0)]) {
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let width = RADIUS / parts;
        let up_to = 0.01 * width; // slopes of half a degree
        let ground = ground_of(with_top(0.8, width, |_, _| random.random_range(-up_to..up_to)), law);
        let all: Vec<f64> =
            (0..20).map(|_| counted(&ground, [0; 2].map(|_: i32| random.random_range(-0.3..0.3)))[1]).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let most = all.iter().copied().fold(0.0, f64::max);
        println!("{law:?}, facets of R/{parts}: mean {mean:.3}, most {most:.3}");
        assert!(mean > 0.9 && mean < 1.15 && most < 1.3, "{law:?} {parts}: {all:?}");
    }
}

/// A scenario on such a body, which is written as an OBJ file.
fn on(
    law: SurfaceLaw,
    cohesion_pa: f64,
    (vertices, triangles): &(Vec<DVec3>, Vec<[u32; 3]>),
    folder: &std::path::Path,
) -> Scenario {
    let mut text: String = vertices.iter().map(|v| format!("v {} {} {}\n", v.x, v.y, v.z)).collect();
    triangles.iter().for_each(|[a, b, c]| text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1));
    let path = folder.join("ground.obj");
    std::fs::write(&path, text).expect("mesh");
    let mut s = scenario(vec![sticky(cohesion_pa)]);
    let shape = SurfaceKind::Mesh { path: path.display().to_string(), unit_m: 1.0, format: None };
    let mut spec = AsteroidSpec::new(shape, 1000.0);
    spec.contact = law;
    s.asteroid = Some(spec);
    s
}

fn after(engine: &mut dyn Engine, seconds: f64) -> Snapshot {
    let steps = (seconds / engine.time_step_s()).ceil() as u64;
    while engine.step() < steps {
        engine.advance(steps).expect("advance");
    }
    engine.snapshot().expect("snapshot")
}

fn up(a: f64) -> Vec<GravitySource> {
    vec![GravitySource::Uniform { acceleration_m_s2: DVec3::new(0.0, 0.0, a) }]
}

/// A grain at the bottom of a hollow of ten radii stays where less than its cohesion pulls, and leaves where more does.
#[test]
fn a_grain_leaves_a_hollow() {
    let folder = tempfile::tempdir().expect("folder");
    let mesh = hollow(10.0 * RADIUS);
    let origin = Surface::new("hollow", mesh.0.clone(), mesh.1.clone()).origin_m;
    for (law, share, leaves) in LAWS.into_iter().flat_map(|l| [(l, 0.9, false), (l, 1.3, true)]) {
        let mut s = on(law, 1000.0, &mesh, folder.path());
        let b = bodies(&[(DVec3::new(0.0, 0.0, RADIUS - 5e-4) - origin, RADIUS)], 2000.0);
        s.gravity = up(share * PULL / b.mass_kg[0]);
        let ends = [after(&mut engine(&s, &b), 1.0), after(&mut reference(&s, &b), 1.0)];
        for end in ends {
            let way = end.bodies.position_m[0].z - b.position_m[0].z;
            println!("{law:?}, {share} of the cohesion: {way:.4} m");
            assert_eq!(way > 0.01, leaves, "{law:?} {share}: {way} m");
        }
    }
}

/// A grain that cohesion holds on flat facets of a hundredth of its radius slides without friction: rounding makes no contacts
/// that take or give energy.
#[test]
fn a_grain_slides_on_fine_facets() {
    let folder = tempfile::tempdir().expect("folder");
    let mesh = with_top(0.35, RADIUS / 100.0, |_, _| 0.0);
    let origin = Surface::new("flat", mesh.0.clone(), mesh.1.clone()).origin_m;
    for law in LAWS {
        let mut s = on(law, 2000.0, &mesh, folder.path());
        let soft = 2e4; // N/m
        s.materials[0] = s.materials[0].clone().with("stiffness_normal_n_m", soft);
        let depth = 2.0 * PULL / soft; // where cohesion and stiffness balance: a tenth of the radius
        let mut b = bodies(&[(DVec3::new(-0.05, 0.0, RADIUS - depth) - origin, RADIUS)], 2000.0);
        b.velocity_m_s[0] = DVec3::new(0.05, 0.013, 0.0);
        s.gravity = up(0.0);
        let end = after(&mut engine(&s, &b), 2.0);
        let kinetic = 0.5 * b.mass_kg[0] * b.velocity_m_s[0].length_squared();
        let now = end.bodies.velocity_m_s[0].length_squared() / b.velocity_m_s[0].length_squared();
        let lost = end.dissipated.normal_j / kinetic;
        println!("{law:?}: kinetic energy {:.2e} more, normal loss {lost:.2e} of it", now - 1.0);
        assert!((now - 1.0).abs() < 1e-4 && lost.abs() < 1e-3, "{law:?}: {now} {lost}");
    }
}
