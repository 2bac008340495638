//! Bodies above a site of an asteroid: on its real surface, apart, as fast as asked; and what is refused.

use breccia::base::error::Result;
use breccia::geometry::facet_tree::FacetTree;
use breccia::geometry::ray::first_facet;
use breccia::model::body::Bodies;
use breccia::model::scenario::{Scenario, SurfaceKind, SurfaceLaw};
use breccia::physics::surface::ground::Ground;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::DVec3;

const HEAD: &str = r#"format = 1
seed = 5
[run]
duration_s = 10.0
[[material]]
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.4
"#;

/// A top with boulders and craters that are large compared with the grains.
const TOP: &str = "shape = { kind = \"top\", equatorial_radius_m = 40, polar_radius_m = 35, ridge_exponent = 1.5, faces = \
    30000, relief = { random_craters = { count = 20, diameter_m = 12, depth_ratio = 0.2 }, boulders = { count = 60, \
    diameter_m = 5, height_ratio = 0.8 } } }";
const BOX: &str = "shape = { kind = \"box\", size_m = [4.0, 4.0, 2.0], subdivisions = 3 }";

fn scenario(shape: &str, site: &str) -> Result<Scenario> {
    let asteroid = format!("[asteroid]\n{shape}\ndensity_kg_m3 = 2000\n");
    parse(&format!("{HEAD}{asteroid}[[bodies]]\ngenerator = \"site\"\n{site}\n"), "site.toml", &[])
}

fn made(shape: &str, site: &str) -> (Scenario, Bodies) {
    let s = scenario(shape, site).unwrap_or_else(|e| panic!("{site}: {e}"));
    let bodies = generate(&s).unwrap_or_else(|e| panic!("{site}: {e}"));
    (s, bodies)
}

/// Height of a point over the surface along `up`, by all facets one after the other (m).
fn height(s: &Scenario, p: DVec3, up: DVec3) -> f64 {
    let surface = s.asteroid.as_ref().unwrap().surface().unwrap();
    let facet = |k: usize| {
        let [a, b, c] = surface.corners_m(k);
        let normal = (b - a).cross(c - a);
        let far = (a - p).dot(normal) / -up.dot(normal);
        let foot = p - far * up;
        let sides = [(a, b), (b, c), (c, a)];
        let within = sides.iter().all(|(from, to)| (*to - *from).cross(foot - *from).dot(normal) >= 0.0);
        (far > 0.0 && within).then_some(far)
    };
    (0..surface.triangles.len()).filter_map(facet).fold(f64::INFINITY, f64::min)
}

#[test]
fn grains_hang_over_the_real_surface_apart_and_slow() {
    let site = "latitude_deg = 35\nlongitude_deg = -50\ncount = 400\nradius_m = { min_m = 0.15, max_m = 0.3 }\n\
                footprint_radius_m = 6\nheight_m = { min_m = 1, max_m = 5 }\nspeed_max_m_s = \"1 cm/s\"";
    let (s, b) = made(TOP, site);
    let (latitude, longitude) = (35f64.to_radians(), -50f64.to_radians());
    let flat = DVec3::new(longitude.cos(), longitude.sin(), 0.0);
    let up = latitude.cos() * flat + latitude.sin() * DVec3::Z;
    let ground = Ground::of(&s).unwrap().unwrap();
    assert_eq!(b.len(), 400);
    let (mut lowest, mut highest, mut levels) = (f64::INFINITY, 0.0f64, vec![]);
    for k in 0..b.len() {
        let (p, r) = (b.position_m[k], b.radius_m[k]);
        assert!(!ground.holds(p) && ground.met(p, r).is_empty(), "body {k} is in the surface");
        assert!(p.reject_from(up).length() <= 6.0, "body {k} is beyond the footprint");
        let gap = height(&s, p, up) - r;
        (lowest, highest) = (lowest.min(gap), highest.max(gap));
        levels.push((p - up * gap).dot(up));
        for j in 0..k {
            assert!(p.distance(b.position_m[j]) > r + b.radius_m[j], "{j} and {k} overlap");
        }
    }
    assert!((1.0..1.1).contains(&lowest) && (4.9..=5.0).contains(&highest), "{lowest} to {highest} m");
    // Over boulders and hollows one level for all would be metres off.
    let relief = levels.iter().copied().fold(0.0, f64::max) - levels.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(relief > 2.0, "only {relief} m between the lowest and the highest ground");
    let speeds: Vec<f64> = b.velocity_m_s.iter().map(|v| v.length()).collect();
    let mean = speeds.iter().sum::<f64>() / 400.0;
    // Even from 0 to 0.01: standard error of the mean 1.4e-4.
    assert!(speeds.iter().all(|v| *v <= 0.01) && (mean - 0.005).abs() < 6e-4, "{mean}");
    let drift = b.velocity_m_s.iter().sum::<DVec3>().length() / 400.0;
    assert!(drift < 1e-3, "one direction in all: {drift}");
}

/// Along the axes rays lie in the planes of boxes and along edges; a face of the box is 1 or 2 m from the centre.
#[test]
fn directions_along_axes_work_and_angles_name_the_same() {
    let rest = "count = 30\nradius_m = 0.1\nfootprint_radius_m = 0.8\nheight_m = { min_m = 0.05, max_m = 1 }";
    for (direction, angles, level) in [
        (DVec3::Z, [90.0, 0.0], 1.0),
        (-DVec3::Z, [-90.0, 0.0], 1.0),
        (DVec3::X, [0.0, 0.0], 2.0),
        (-DVec3::Y, [0.0, -90.0], 2.0),
    ] {
        let (_, b) = made(BOX, &format!("direction = {:?}\n{rest}", (2.5 * direction).to_array()));
        for p in &b.position_m {
            let gap = p.dot(direction) - level - 0.1;
            assert!((0.05..=1.0).contains(&gap) && p.reject_from(direction).length() <= 0.8, "{direction}: {p}");
        }
        let angles = format!("latitude_deg = {:?}\nlongitude_deg = {:?}\n{rest}", angles[0], angles[1]);
        let (s, same) = made(BOX, &angles);
        for (p, q) in b.position_m.iter().zip(&same.position_m) {
            // another pair of axes across the ray may turn the disc
            assert!((p.dot(direction) - q.dot(direction)).abs() < 1e-12, "{direction}: {p} {q}");
        }
        // the first facet, and none on the way out
        let tree = FacetTree::new(&s.asteroid.as_ref().unwrap().surface().unwrap());
        let far = first_facet(&tree, 9.0 * direction, -direction).expect("a facet");
        assert!((far - (9.0 - level)).abs() < 1e-12, "{far}");
        assert_eq!(first_facet(&tree, 9.0 * direction, direction), None);
    }
}

#[test]
fn what_cannot_be_is_refused_with_a_way_out() {
    let good = "direction = [0, 0, 1]\ncount = 30\nradius_m = 0.1\nfootprint_radius_m = 0.8\nheight_m = { min_m = 0.1, \
                max_m = 1 }";
    made(BOX, good);
    let told = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        let made = scenario(BOX, &good.replace(from, to)).and_then(|s| generate(&s).map(|_| ()));
        made.expect_err(to).to_string()
    };
    for (from, to, words) in [
        ("[0, 0, 1]", "[0, 0, 0]", ["bodies.0.direction", "not all 0"]),
        ("direction = [0, 0, 1]", "", ["bodies.0.latitude_deg", "direction = [x, y, z]"]),
        ("direction", "longitude_deg = 4\ndirection", ["bodies.0.direction", "conflicts with"]),
        ("direction = [0, 0, 1]", "latitude_deg = 91\nlongitude_deg = 0", ["bodies.0.latitude_deg", "[-90, 90]"]),
        ("direction = [0, 0, 1]", "latitude_deg = 3", ["bodies.0.longitude_deg", "missing"]),
        ("count = 30", "count = 3000", ["bodies.0.count", "raise footprint_radius_m"]),
        ("= 0.8", "= 80", ["bodies.0.footprint_radius_m", "beyond the asteroid"]),
        ("= 0.8", "= 0.8\nspeed_max_m_s = -1", ["bodies.0.speed_max_m_s", "negative"]),
        ("min_m = 0.1", "min_m = 2", ["bodies.0.height_m", "above max_m"]),
    ] {
        let text = told(from, to);
        words.iter().for_each(|w| assert!(text.contains(w), "`{w}` is not in: {text}"));
    }
    let alone = parse(&format!("{HEAD}[[bodies]]\ngenerator = \"site\"\n{good}\n"), "site.toml", &[]);
    let text = alone.expect_err("accepted").to_string();
    assert!(text.contains("[asteroid]") && text.contains("choose another generator"), "{text}");
}

/// Another `kind` by `--set` leaves the keys of the old one behind; a slip of the pen is refused as ever.
#[test]
fn a_made_shape_is_exchanged_for_a_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cube.obj");
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nf 4 3 2 1\nf 5 6 7 8\n\
                f 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    std::fs::write(&path, cube).unwrap();
    let site = "direction = [0, 0, 1]\ncount = 9\nradius_m = 0.1\nfootprint_radius_m = 2\nheight_m = { min_m = 0.1, \
                max_m = 1 }";
    let text = format!("{HEAD}[asteroid]\n{TOP}\ndensity_kg_m3 = 2000\n[[bodies]]\ngenerator = \"site\"\n{site}\n");
    let set = |list: &[&str]| parse(&text, "site.toml", &list.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
    let file = format!("asteroid.shape.path={}", path.display());
    let mesh = ["asteroid.shape.kind=mesh", &file, "asteroid.shape.unit_m=10"];
    let s = set(&mesh).expect("parses");
    assert!(matches!(s.asteroid.as_ref().unwrap().shape(), SurfaceKind::Mesh { unit_m: 10.0, .. }));
    assert_eq!(s.asteroid.as_ref().unwrap().contact, SurfaceLaw::AreaWeighted);
    assert!(generate(&s).unwrap().position_m.iter().all(|p| (5.2..=6.1).contains(&p.z)));
    let told = set(&["asteroid.shape.kind=mesh"]).expect_err("accepted").to_string();
    assert!(told.contains("asteroid.shape.path") && told.contains("asteroid.shape.unit_m"), "{told}");
    let told = set(&[mesh[0], mesh[1], mesh[2], "asteroid.shape.faces=80"]).expect_err("accepted").to_string();
    assert!(told.contains("--set asteroid.shape.faces: belongs to kind"), "{told}");
    let slip = text.replace("ridge_exponent", "ridge_exponnt");
    let told = parse(&slip, "site.toml", &["asteroid.shape.kind=top".into()]).expect_err("accepted").to_string();
    assert!(told.contains("unknown key") && told.contains("ridge_exponent"), "{told}");
}
