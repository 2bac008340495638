//! `[asteroid] shape` in scenarios: every kind is made, and everything wrong with it is one clear error.

use crate::common::cubes;

use breccia::base::error::Result;
use breccia::geometry::surface::Surface;
use breccia::scenario::parse::parse;

const HEAD: &str = "format = 1
seed = 9
[run]
duration_s = 10.0
[[material]]
density_kg_m3 = 3000.0
speed_max_m_s = 0.1
restitution_normal = 0.5
friction_sliding = 0.4
[[bodies]]
generator = \"list\"
body = [{ position_m = [0, 0, 0], radius_m = 1.0 }]
[asteroid]
density_kg_m3 = 1200
";

/// The surface of an asteroid with this shape, of a scenario that lies in `folder`.
fn surface(folder: &std::path::Path, shape: &str, set: &[&str]) -> Result<Surface> {
    let set: Vec<String> = set.iter().map(|s| (*s).to_owned()).collect();
    let text = format!("{HEAD}shape = {{ {shape} }}\n");
    let scenario = parse(&text, &folder.join("some.toml").display().to_string(), &set)?;
    scenario.asteroid.expect("an asteroid").surface().map(|s| (*s).clone())
}

#[test]
fn every_kind_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let made = |shape: &str, set: &[&str]| surface(folder.path(), shape, set).unwrap_or_else(|e| panic!("{e}"));
    for (name, bytes) in cubes::all() {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let s = made(&format!("kind = \"mesh\", path = \"{name}\", unit_m = \"1 km\""), &[]);
        assert!((s.volume_m3 / 8e9 - 1.0).abs() < 1e-13 && (s.origin_m.x - 5000.0).abs() < 1e-9, "{name}");
        assert!((s.inertia_m5.x_axis.x / (2000f64.powi(5) / 6.0) - 1.0).abs() < 1e-12, "{name}");
    }
    std::fs::copy(folder.path().join("plain.tab"), folder.path().join("wrong.obj")).unwrap();
    assert_eq!(made("kind = \"mesh\", path = \"wrong.obj\", unit_m = 1, format = \"plate\"", &[]).volume_m3, 8.0);
    let ball = made("kind = \"sphere\", radius_m = \"0.25 km\", faces = 5000", &[]);
    assert_eq!((ball.triangles.len(), ball.vertices_m.len()), (5120, 2562));
    let halved = made("kind = \"sphere\", radius_m = 250, faces = 5000", &["asteroid.shape.radius_m=125"]);
    assert!((ball.volume_m3 / halved.volume_m3 - 8.0).abs() < 1e-12);
    made("kind = \"ellipsoid\", semi_axes_m = [300, 200, 100], faces = 500", &[]);
}

/// The scenario's seed counts unless the shape has one.
#[test]
fn relief_hangs_on_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let rough = "kind = \"top\", equatorial_radius_m = 270, polar_radius_m = 240, ridge_exponent = 1.5, faces = 5000, \
                 relief = { boulders = { count = 30, diameter_m = 90, height_ratio = 0.2 } }";
    let made = |set: &[&str]| surface(folder.path(), rough, set).unwrap_or_else(|e| panic!("{e}")).vertices_m;
    assert!(made(&[]) == made(&["asteroid.shape.seed=9"]));
    assert!(made(&[]) == made(&["seed=9"]));
    assert!(made(&[]) != made(&["seed=10"]));
    assert!(made(&["seed=10"]) == made(&["asteroid.shape.seed=10"]));
}

#[test]
fn what_is_wrong_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let cube = cubes::obj();
    let stl = cubes::stl_binary();
    let ply = String::from_utf8(cubes::ply_text().into_bytes()).unwrap();
    let files: [(&str, Vec<u8>); 9] = [
        ("good.obj", cube.clone().into_bytes()),
        ("open.obj", cube.replace("f 5 6 7\n", "").into_bytes()),
        ("flipped.obj", cube.replace("f 5 6 7\n", "f 7 6 5\n").into_bytes()),
        ("torn.obj", cube.replace("v 4 1 1\n", "v 5 -1.5 -0.5\n").into_bytes()),
        ("loose.obj", (cube.replace("f 5 6 7\n", "v 4 -1 1\nv 6 -1 1\nv 6 1 1\nf 9 10 11\n")).into_bytes()),
        (
            "two.obj",
            [cube.as_bytes(), b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 9 11 10\nf 9 10 12\nf 10 11 12\nf 11 9 12\n"]
                .concat(),
        ),
        ("short.stl", stl[..stl.len() - 20].to_vec()),
        ("huge.ply", ply.replace("element face 12", "element face 12000000000").into_bytes()),
        ("void.dat", b"nothing of use\n".to_vec()),
    ];
    for (name, bytes) in &files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let mesh = |name: &str| format!("kind = \"mesh\", path = \"{name}\", unit_m = 1000");
    let cases = [
        (mesh("open.obj"), 7, "open.obj:13: edge 5-6 belongs to one face only (the first of 3); the surface is open"),
        (mesh("flipped.obj"), 7, "flipped.obj:11: the face is the wrong way round; reverse"),
        (mesh("torn.obj"), 7, "the face runs through or touches another, lines [12, 13] (the first of 6); a surface must not"),
        (mesh("loose.obj"), 7, "belongs to one face only (the first of 6); the surface is open: join the 3 repeated vertices"),
        (mesh("two.obj"), 7, "two.obj:25: a further part begins here; the surface has 2 parts"),
        (mesh("short.stl"), 7, "short.stl: has 664 bytes and 12 triangles"),
        (mesh("huge.ply"), 7, "12000000000 rows of `face`, but only "),
        (mesh("void.dat"), 7, "give the format: obj, ply, stl, plate, icq"),
        (mesh("absent.obj"), 7, "absent.obj"),
        ("kind = \"mesh\", path = \"good.obj\"".into(), 2, "some.toml:15: asteroid.shape.unit_m: is missing"),
        ("kind = \"mesh\", path = \"good.obj\", unit_m = 0".into(), 2, "asteroid.shape.unit_m: 0 is not positive"),
        ("kind = \"mesh\", unit_m = 1".into(), 2, "asteroid.shape.path: is missing"),
        (mesh("good.obj") + ", format = \"off\"", 2, "asteroid.shape.format: unknown word \"off\"; choose one of: obj, ply"),
        (mesh("good.obj") + ", faces = 100", 2, "asteroid.shape.faces: belongs to kind"),
        ("kind = \"sphere\", radius_m = 1, faces = 100, path = \"good.obj\"".into(), 2, "asteroid.shape.path: belongs to kind"),
        ("kind = \"sphere\", radius_m = 1, faces = 9000000000".into(), 2, "asteroid.shape.faces: 9000000000 is more than"),
        (
            "kind = \"sphere\", radius_m = 9, faces = 90, relief = { fractal = { rms_m = 1, hurst = 0.5, wavelength_min_m = 30 } }".into(),
            2,
            "asteroid.shape.relief.fractal.wavelength_max_m: is missing",
        ),
        ("kind = \"spere\", radius_m = 1, faces = 90".into(), 2, "did you mean `sphere`"),
        ("kind = \"sphere\", radius_m = 1, faces = 90, relief = { crater = [] }".into(), 2, "did you mean `craters`"),
        (
            "kind = \"sphere\", radius_m = 9, faces = 90, relief = { boulders = { count = 1, diameter_m = 1, height_ratio = 0.5 } }".into(),
            2,
            "some.toml: asteroid.shape: a boulder of 1 m is less than 4 edges",
        ),
    ];
    for (shape, code, wanted) in cases {
        let error = surface(folder.path(), &shape, &[]).map(|s| s.volume_m3).expect_err(&shape);
        let said = error.to_string();
        assert_eq!((error.exit_code(), said.lines().count()), (code, 1), "{said}");
        assert!(said.contains(wanted), "{said}\n  does not say\n{wanted}");
    }
}
