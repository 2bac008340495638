//! Bodies from OBJ files: what is read, and every way in which a file is refused, with its line and the remedy.

use breccia::base::error::Result;
use breccia::geometry::convex;
use breccia::geometry::convex::body;
use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::measure::Measures;
use breccia::geometry::polyhedron::ConvexPolyhedron;
use breccia::geometry::surface::Surface;
use glam::DVec3;
use std::path::Path;

/// A cube of edge 2 about (5, 0, 0), with what exporters write around it; vertices on lines 3 to 10, faces from line 14.
const CUBE: &str = "# cube
mtllib some.mtl
v 4 -1 -1
v 6 -1 -1
v 6  1 -1
v 4  1 -1
v 4 -1  1 1.0
v 6 -1  1
v 6  1  1
v 4  1  1
vn 0 0 1
vt 0 0
o Cube
f 4 3 2 1
f 5/1/1 6/2/1 7//1 8
f -8 -7 -3 -4
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
";

fn made(text: &str) -> Result<ConvexPolyhedron> {
    body(&Mesh::parse(text, "some.obj", 1.0)?)
}

fn fault(text: &str) -> String {
    let fault = made(text).map(|b| b.volume_m3).expect_err(text);
    assert_eq!(fault.exit_code(), 7, "{fault}");
    fault.to_string()
}

#[test]
fn a_cube_is_read() {
    let b = made(CUBE).unwrap();
    assert_eq!([b.vertices_m.len(), b.edges.len(), b.faces.len()], [8, 12, 6]);
    assert!((b.volume_m3 - 8.0).abs() < 1e-14 && (b.origin_m - DVec3::X * 5.0).length() < 1e-15);
    // kilometres, a byte-order mark and the ends of lines of another system
    let other = format!("\u{feff}{}", CUBE.replace('\n', "\r\n"));
    let b = body(&Mesh::parse(&other, "some.obj", 1000.0).unwrap()).unwrap();
    assert!((b.volume_m3 / 8e9 - 1.0).abs() < 1e-14 && (b.origin_m - DVec3::X * 5000.0).length() < 1e-10);
    // triangles instead of squares, some corners rounded
    let triangles = CUBE.replace("f 4 3 2 1", "f 4 3 2\nf 4 2 1").replace("v 6  1  1", "v 6.00002 1 1");
    assert!((made(&triangles).unwrap().volume_m3 - 8.0).abs() < 1e-4);
}

/// A vertex that no face names changes nothing: not the size, nor the mass centre, nor a digit of volume and inertia.
#[test]
fn vertices_that_no_face_names_do_not_count() {
    let without = Mesh::parse(CUBE, "some.obj", 1.0).unwrap();
    let surface = Surface::of_mesh(&without);
    let inside_out = |mesh: &Mesh| Audit::of(mesh).flipped.len();
    for far in ["-99999", "-1e8"] {
        let text = format!("{CUBE}v {far} {far} {far}\n");
        let mesh = Mesh::parse(&text, "some.obj", 1.0).unwrap();
        let audit = Audit::of(&mesh).with_crossings(&mesh);
        assert_eq!((audit.vertices, audit.unused_vertices, audit.defects.len()), (8, 1, 0), "{far}");
        let [of_file, wanted] = [&mesh, &without].map(Measures::of);
        assert_eq!(of_file.volume_m3, wanted.volume_m3);
        assert_eq!((of_file.centre_m, of_file.inertia_m5), (wanted.centre_m, wanted.inertia_m5));
        let made = Surface::of_mesh(&mesh);
        assert_eq!((made.radius_m(), made.volume_m3), (surface.radius_m(), surface.volume_m3), "{far}");
        assert_eq!((made.origin_m, made.inertia_m5), (surface.origin_m, surface.inertia_m5), "{far}");
        assert_eq!((made.vertices_m, made.triangles), (surface.vertices_m.clone(), surface.triangles.clone()), "{far}");
        let turned: String =
            text.lines().map(|l| if l.starts_with("f ") { reversed(l) } else { l.into() } + "\n").collect();
        let turned = Mesh::of_bytes(turned.as_bytes(), "some.obj", 1.0, None).unwrap();
        assert_eq!((inside_out(&turned), inside_out(&mesh)), (6, 0), "{far}");
    }
}

#[test]
fn what_is_no_mesh_is_refused_with_its_line() {
    let cases = [
        (CUBE.replace("v 6  1  1", "v 6 one 1"), "some.obj:9: a vertex needs three finite numbers"),
        (CUBE.replace("v 6  1  1", "v 6 1"), "some.obj:9: a vertex needs three finite numbers"),
        (CUBE.replace("v 6  1  1", "v 6 nan 1"), "some.obj:9: a vertex needs three finite numbers"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 9 6"), "some.obj:17: unknown vertex `9`: there are 8 above"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 0 6"), "some.obj:17: unknown vertex `0`"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 -9 6"), "some.obj:17: unknown vertex `-9`"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 x 6"), "some.obj:17: unknown vertex `x`"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 9223372036854775807 6"), "unknown vertex"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 -9223372036854775808 6"), "unknown vertex"),
        (CUBE.replace("f 2 3 7 6", "f 2 3"), "some.obj:17: `f 2 3` is not a face, which needs three"),
        (CUBE.replace("f 2 3 7 6", "curv 0 1 2"), "some.obj:17: unknown keyword `curv`"),
        (CUBE.replace("\nf ", "\n# "), "some.obj: has 8 vertices and no faces"),
        (String::new(), "some.obj: has 0 vertices and no faces"),
    ];
    for (text, wanted) in cases {
        let fault = fault(&text);
        assert!(fault.contains(wanted), "{fault}\n  does not say\n{wanted}");
    }
}

#[test]
fn what_bounds_no_body_is_refused() {
    let own = "v 4 -1 1\nv 6 -1 1\nv 6 1 1\nv 4 1 1\nf 9 10 11 12\n";
    let loose = CUBE.replace("f -8 -7 -3 -4", "f 1 2 6 5").replace("f 5/1/1 6/2/1 7//1 8\n", own);
    let inside_out: String =
        CUBE.lines().map(|l| if l.starts_with('f') { reversed(l) } else { l.into() } + "\n").collect();
    let second: String = CUBE.lines().filter(|l| l.starts_with("v ")).map(|l| l.replace("v ", "v 1") + "\n").collect();
    let two = format!(
        "{CUBE}{second}f 12 11 10 9\nf 13 14 15 16\nf 9 10 14 13\nf 10 11 15 14\nf 11 12 16 15\nf 12 9 13 16\n"
    );
    let cases = [
        (
            CUBE.replace("f 2 3 7 6\n", ""),
            "some.obj:14: edge 2-3 belongs to one face only (the first of 4); the surface is open: fill",
        ),
        (loose.clone(), "belongs to one face only (the first of 8); the surface is open"),
        (loose, "join the 4 repeated vertices"),
        (CUBE.replace("f 2 3 7 6", "f 6 7 3 2"), "some.obj:17: the face is the wrong way round; reverse"),
        (CUBE.to_owned() + "v 5 0 0\nf 2 3 9\n", "some.obj:14: edge 2-3 belongs to 3 faces (lines [14, 17, 21])"),
        (CUBE.replace("f 2 3 7 6", "f 2 3 7 3"), "some.obj:17: the face has no area"),
        (CUBE.to_owned() + "f 3 7 6 2\n", "some.obj:20: the face has the vertices of an earlier one"),
        (inside_out, "some.obj: the faces are inside out (volume -8"),
        (two, "some.obj:28: a further part begins here; the surface has 2 parts that share no edge"),
        (
            CUBE.replace("f -8 -7 -3 -4", "f 1 2 6 5")
                .replace("f 4 3 2 1", "v 5 1 -1\nf 4 9 3\nf 4 3 2 1")
                .replace("f 3 4 8 7", "f 3 9 4 8 7"),
            "the face has no area",
        ),
    ];
    for (text, wanted) in cases {
        let fault = fault(&text);
        assert!(fault.contains(wanted), "{fault}\n  does not say\n{wanted}");
    }
}

fn reversed(face: &str) -> String {
    let corners: Vec<&str> = face.split_whitespace().skip(1).map(|c| c.split('/').next().unwrap()).collect();
    // counted back from the last vertex in the file, which reversing the face does not change
    format!("f {}", corners.into_iter().rev().collect::<Vec<_>>().join(" "))
}

#[test]
fn what_is_not_convex_is_refused_with_its_worst_vertex() {
    // a pyramid pushed into the top
    let dent = CUBE
        .replace("f 5/1/1 6/2/1 7//1 8", "v 5 0 0.5\nf 5 6 9\nf 6 7 9\nf 7 8 9\nf 8 5 9")
        .replace("f -8 -7 -3 -4", "f 1 2 6 5");
    assert!(
        fault(&dent).contains("some.obj:15: not convex: vertex 9 lies 25 % of the size inside the hull"),
        "{}",
        fault(&dent)
    );
    // all vertices on the hull, but a side folds inwards: the top is turned and the sides are cut the wrong way
    let text = |way: bool| {
        let mut text = String::new();
        for (z, turn) in [(0.0, 0.0f64), (2.0, 0.5)] {
            for k in 0..3 {
                let angle = turn + std::f64::consts::TAU * f64::from(k) / 3.0;
                text += &format!("v {} {} {z}\n", angle.cos(), angle.sin());
            }
        }
        text += "f 3 2 1\nf 4 5 6\n";
        for (a, b) in [(1, 2), (2, 3), (3, 1)] {
            let (c, d) = (a + 3, b + 3);
            text += &if way {
                format!("f {a} {b} {d}\nf {a} {d} {c}\n")
            } else {
                format!("f {a} {b} {c}\nf {b} {d} {c}\n")
            };
        }
        text
    };
    let results = [true, false].map(|way| made(&text(way)));
    assert_eq!(results.iter().filter(|r| r.is_ok()).count(), 1);
    let said = results.into_iter().find_map(Result::err).unwrap().to_string();
    assert!(said.contains("not convex: vertex") && said.contains("above this neighbouring face"), "{said}");
}

#[test]
fn units_must_be_lengths() {
    for unit in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Mesh::parse(CUBE, "some.obj", unit).unwrap_err().exit_code(), 2);
    }
    let missing = convex::read(Path::new("no/such.obj"), 1.0).map(|b| b.volume_m3).unwrap_err();
    assert!(missing.to_string().contains("no/such.obj"), "{missing}");
}

/// Shape models of asteroids, if they are next to the repository: closed meshes with known volumes, and not convex.
#[test]
fn asteroids_are_sound_and_not_convex() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/shapes"));
    if !folder.exists() {
        eprintln!("NOT TESTED: {} is absent", folder.display());
        return;
    }
    for (name, volume_km3) in
        [("bennu_49152", 0.06163329), ("kw4_beta_2292", 0.048034511), ("itokawa_768", 0.017288683)]
    {
        let mesh = Mesh::read(&folder.join(format!("{name}.obj")), 1000.0).unwrap();
        let volume = breccia::geometry::mass::moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3;
        assert!((volume / (1e9 * volume_km3) - 1.0).abs() < 1e-6, "{name}: {volume}");
        if mesh.faces.len() < 5000 {
            let said = body(&mesh).map(|b| b.volume_m3).unwrap_err().to_string();
            println!("{said}");
            assert!(said.contains("not convex: vertex"), "{said}");
            // its hull is a body
            let hull = ConvexPolyhedron::from_points(&mesh.vertices_m).unwrap();
            assert!(hull.volume_m3 > volume && hull.volume_m3 < 1.5 * volume);
        }
    }
}
