//! Every format of surfaces: the same cube from each, the message about a damaged file, and that damage never brings a
//! wrong body, a panic or endless memory.

use crate::common::cubes;

use breccia::base::error::Result;
use breccia::geometry::mass::moments;
use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::format::Format;
use breccia::geometry::surface::Surface;
use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn read(name: &str, bytes: &[u8]) -> Result<Mesh> {
    Mesh::of_bytes(bytes, name, 1.0, None)?.whole()
}

fn volume(mesh: &Mesh) -> f64 {
    moments(&mesh.vertices_m, mesh.faces.iter()).volume_m3
}

fn fault(name: &str, bytes: &[u8]) -> String {
    let fault = read(name, bytes).map(|m| volume(&m)).expect_err(name);
    assert_eq!(fault.exit_code(), 7, "{fault}");
    assert!(fault.to_string().starts_with(name), "{fault}");
    fault.to_string()
}

#[test]
fn the_cube_of_every_format() {
    for (name, bytes) in cubes::all() {
        let mesh = read(name, &bytes).unwrap_or_else(|e| panic!("{e}"));
        let whole = moments(&mesh.vertices_m, mesh.faces.iter());
        assert!((whole.volume_m3 - 8.0).abs() < 1e-13, "{name}: {}", whole.volume_m3);
        assert!((whole.centre_m - DVec3::X * 5.0).length() < 1e-14, "{name}: {}", whole.centre_m);
        // text has lines, binary has none
        let lines = !["little.ply", "big.ply", "binary.stl"].contains(&name);
        assert_eq!(mesh.face_lines.len(), if lines { mesh.faces.len() } else { 0 }, "{name}");
        let (v, f, joined) = match name {
            "quads.txt" => (56, 108, 40),
            "named.icq" => (26, 48, 28),
            "text.stl" | "binary.stl" => (8, 12, 28),
            _ => (8, 12, 0),
        };
        assert_eq!((mesh.vertices_m.len(), mesh.faces.len(), mesh.joined), (v, f, joined), "{name}");
        let km = Mesh::of_bytes(&bytes, name, 1000.0, None).unwrap();
        assert!((volume(&km) / 8e9 - 1.0).abs() < 1e-13, "{name}");
    }
}

#[test]
fn a_format_that_nothing_tells_must_be_given() {
    let text = cubes::plate("", false, false);
    let said = Mesh::of_bytes(b"\nwords of no meaning\n", "some.dat", 1.0, None).unwrap_err();
    assert!(said.to_string().contains("give the format: obj, ply, stl, plate, icq"), "{said}");
    assert!(Mesh::of_bytes(text.as_bytes(), "some.obj", 1.0, None).is_err());
    let given = Mesh::of_bytes(text.as_bytes(), "some.obj", 1.0, Some(Format::Plate)).unwrap();
    assert_eq!(volume(&given), 8.0);
}

/// (file, what to replace, with what, what is said)
const DAMAGED: &[(&str, &str, &str, &str)] = &[
    ("text.ply", "format ascii 1.0", "format ascii", "text.ply:2: not the header of a PLY file"),
    (
        "text.ply",
        "end_header\n",
        "end of the header\n",
        "text.ply:15: not the header of a PLY file: Couldn't parse line",
    ),
    ("text.ply", "ply\n", "pyl\n", "text.ply:1: not the header of a PLY file"),
    ("text.ply", "end_header\n", "", "not the header of a PLY file"),
    ("text.ply", "element vertex 8", "element vertex 9", "text.ply:24: row 9 of `vertex`"),
    ("text.ply", "element vertex 8", "element vertex 4000000000", "announces 4000000000 rows of `vertex`, but only "),
    ("text.ply", "element edge 1\n", "element none 9999999999999\nelement edge 1\n", "rows of `none`, but only "),
    ("text.ply", "element edge 1", "element edge 0", "bytes follow the last row: the counts of the header"),
    ("text.ply", "3 3 2 1 0.5", "3 3 2 9 0.5", "text.ply:24: unknown vertex 9: there are 8"),
    ("text.ply", "3 3 2 1 0.5", "3 3 2 -1 0.5", "text.ply:24: row 1 of `face`: a face needs a list"),
    ("text.ply", "3 3 2 1 0.5", "2 3 2 0.5", "text.ply:24: row 1 of `face`: 2 vertices do not make a face"),
    ("text.ply", "6 1 -1 7", "6 nan -1 7", "text.ply:18: row 3 of `vertex`"),
    ("text.ply", "6 1 -1 7", "6 1 -1", "text.ply:18: row 3 of `vertex`"),
    ("text.ply", "property double y", "property double yy", "text.ply:16: row 1 of `vertex`: a vertex needs finite"),
    ("text.ply", "int vertex_indices", "float vertex_indices", "text.ply:24: row 1 of `face`: a face needs a list"),
    ("text.stl", "vertex 6 1 -1\n", "vertex 6 1\n", "text.stl:5: a vertex needs three finite numbers"),
    ("text.stl", "vertex 6 1 -1\n", "vertex 6 inf 1\n", "text.stl:5: a vertex needs three finite numbers"),
    ("text.stl", "      vertex 6 1 -1\n", "", "text.stl:7: the face has 2 vertices, and must have three"),
    ("text.stl", "facet normal", "facette normal", "text.stl:2: unknown word `facette` in an STL file"),
    ("text.stl", "endsolid cube\n", "", "text.stl: the file is cut off: it does not end with `endsolid`"),
    ("text.stl", "solid cube\n", "body cube\n", "bytes and"),
    ("plain.tab", "8 12\n", "8 13\n", "plain.tab:1: announces 13 plates, but only 12 rows follow"),
    ("plain.tab", "8 12\n", "8 11\n", "plain.tab:21: this row follows the last plate"),
    (
        "plain.tab",
        "8 12\n",
        "99999999999999999 12\n",
        "plain.tab:1: announces 99999999999999999 vertices, but only 20 rows",
    ),
    ("plain.tab", "6 1 -1\n", "6 1 nan\n", "plain.tab:4: a vertex needs three finite numbers"),
    ("plain.tab", "6 1 -1\n", "6 1\n", "plain.tab:4: `6 1` must have 3 numbers"),
    ("plain.tab", "\n4 3 2\n", "\n4 3 9\n", "plain.tab:10: unknown vertex `9`: there are 8, counted from 1"),
    ("plain.tab", "\n4 3 2\n", "\n4 3 0\n", "plain.tab:10: unknown vertex `0`"),
    (
        "headed.tab",
        "     3 6 1 -1",
        "     4 6 1 -1",
        "headed.tab:7: `4 6 1 -1` must begin with the number of its row, 3",
    ),
    ("apart.tab", "\n12\n", "\n12 1 1\n", "apart.tab:9: the number of plates must follow this last vertex"),
    ("named.icq", "2\n", "3\n", "named.icq:1: Q = 3 needs 96 vertices, 6 (Q + 1)^2, and 54 follow"),
    ("named.icq", "2\n", "0\n", "named.icq:1: Q = 0"),
    ("named.icq", "2\n", "18446744073709551615\n", "named.icq:1: Q = 18446744073709551615"),
    ("named.icq", "2\n", "two\n", "named.icq: the first row must be one whole number, Q"),
    ("named.icq", "6 -1 0\n", "6 -1 x\n", "named.icq:5: a vertex needs three finite numbers"),
    ("named.icq", "6 -1 0\n", "6 -1.001 0\n", "named.icq: has 27 different vertices, and Q = 2 needs 26"),
];

#[test]
fn damage_is_told_with_its_line() {
    let (files, mut missing) = (cubes::all(), vec![]);
    for (name, from, to, wanted) in DAMAGED {
        let bytes = &files.iter().find(|f| f.0 == *name).expect("a file").1;
        let text = String::from_utf8(bytes.clone()).expect("text");
        assert!(text.contains(from), "{name} has no `{from}`");
        let said = fault(name, text.replacen(from, to, 1).as_bytes());
        if !said.contains(wanted) {
            missing.push(format!("{said}\n  does not say\n{wanted}"));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn damage_of_binary_files_is_told_with_its_number() {
    let end_of = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).position(|w| w == text).unwrap() + text.len();
    for (name, big) in [("little.ply", false), ("big.ply", true)] {
        let good = cubes::ply_binary(big);
        let vertices = end_of(&good, b"end_header\n");
        let faces = vertices + 8 * 15;
        let changed = |at: usize, to: &[u8]| {
            let mut bytes = good.clone();
            bytes[at..at + to.len()].copy_from_slice(to);
            fault(name, &bytes)
        };
        let nan = changed(vertices + 15, &[255; 4]);
        assert!(nan.contains("row 2 of `vertex`: a vertex needs finite numbers"), "{nan}");
        let far = changed(faces + 1, &[1; 4]);
        assert!(far.contains(": face 1: unknown vertex 16843009: there are 8"), "{far}");
        let long = changed(faces, &[255]);
        assert!(long.contains("row 1 of `face`: the file ends within it"), "{long}");
        let more = [good.clone(), vec![0; 9]].concat();
        assert!(fault(name, &more).contains("9 bytes follow the last row"));
    }
    // a list that claims 4e9 corners
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uint uint vertex_indices\nend_header\n";
    let long = [head.as_bytes(), &[0; 12], &[255; 4]].concat();
    assert!(
        fault("long.ply", &long).contains("row 1 of `face`: the file ends within it"),
        "{}",
        fault("long.ply", &long)
    );
    let mut stl = cubes::stl_binary();
    stl[84 + 12..84 + 16].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(fault("binary.stl", &stl).contains("face 1: the position of a corner is not finite"));
    stl[..5].copy_from_slice(b"head ");
    stl[80..84].copy_from_slice(&[255; 4]);
    assert!(fault("binary.stl", &stl).contains("684 bytes and 4294967295 triangles"), "{}", fault("binary.stl", &stl));
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    for (name, bytes) in cubes::all() {
        let mut whole = 0;
        for cut in 0..bytes.len() {
            match read(name, &bytes[..cut]) {
                Err(e) => assert!(e.exit_code() == 7 && e.to_string().starts_with(name), "{name}, {cut} bytes: {e}"),
                // without the last end of a line, or a name behind `endsolid`, nothing is missing
                Ok(mesh) => {
                    assert!((volume(&mesh) - 8.0).abs() < 1e-13, "{name}, {cut} of {} bytes", bytes.len());
                    whole += 1;
                }
            }
        }
        assert!(whole <= 6, "{name}: {whole}");
    }
}

#[test]
fn random_damage_does_no_harm() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    for (name, bytes) in cubes::all() {
        for _ in 0..1500 {
            let mut bytes = bytes.clone();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..bytes.len());
                match rng.random_range(0..4) {
                    0 => bytes[at] = rng.random(),
                    1 => bytes[at] = b"0123456789-.e \n"[rng.random_range(0..15)],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"0123456789-.e \n"[rng.random_range(0..15)]),
                }
            }
            if let Ok(mesh) = read(name, &bytes) {
                assert!(volume(&mesh) > 0.0, "{name}");
            }
        }
    }
}

#[test]
fn a_unit_that_makes_it_endless_is_refused() {
    let said = Mesh::of_bytes(cubes::obj().as_bytes(), "cube.obj", 1e15, None).map(|m| volume(&m)).unwrap_err();
    assert!(said.to_string().contains("cube.obj:1: vertex 1 is farther out than 1e15 m"), "{said}");
}

/// A prism over a polygon (m), 1 m high, whose end faces begin at the given corner.
fn prism(outline: &[[i32; 2]], first: usize) -> String {
    let n = outline.len();
    let corner = |k: usize| outline[(first + k) % n];
    let vertices =
        [0, 1].map(|z| (0..n).map(|k| format!("v {} {} {z}\n", corner(k)[0], corner(k)[1])).collect::<String>());
    let bottom: String = (1..=n).rev().map(|k| format!(" {k}")).collect();
    let top: String = (n + 1..=2 * n).map(|k| format!(" {k}")).collect();
    let sides: String =
        (0..n).map(|k| (k + 1, (k + 1) % n + 1)).map(|(a, b)| format!("f {a} {b} {} {}\n", b + n, a + n)).collect();
    format!("{}f{bottom}\nf{top}\n{sides}", vertices.concat())
}

/// A corner of a face that is not convex may not see the others; one of them at least does not here.
#[test]
fn faces_that_are_not_convex_bound_what_they_should() {
    let corner: &[_] = &[[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
    let comb: &[_] = &[[0, 0], [5, 0], [5, 2], [4, 2], [4, 1], [3, 1], [3, 2], [2, 2], [2, 1], [1, 1], [1, 2], [0, 2]];
    for (outline, volume_m3) in [(corner, 3.0), (comb, 8.0)] {
        let mut cut = 0;
        for first in 0..outline.len() {
            let text = prism(outline, first);
            let mesh = Mesh::of_bytes(text.as_bytes(), "prism.obj", 1.0, None).and_then(Mesh::sound).expect("is sound");
            assert!((volume(&mesh) - volume_m3).abs() < 1e-13, "{first}: {}", volume(&mesh));
            let triangles = mesh.cut * (outline.len() - 3);
            assert_eq!((mesh.faces.len(), mesh.face_lines.len()), (outline.len() + 2 + triangles, mesh.faces.len()));
            cut += mesh.cut;
        }
        assert!(cut >= 2, "{cut}");
    }
    // an outline that runs through itself is no face
    let crossed = prism(&[[0, 0], [2, 2], [2, 0], [0, 2]], 0);
    let refused = Mesh::of_bytes(crossed.as_bytes(), "crossed.obj", 1.0, None).and_then(Mesh::sound);
    refused.map(|m| volume(&m)).expect_err("it crosses itself");
}

/// A corner amid a straight side, as two faces have it that share an edge with a vertex on it: from whichever corner a face begins, its
/// triangles have areas, and the surface bounds what it should.
#[test]
fn corners_amid_a_straight_side_leave_no_face_without_area() {
    let vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv .5 0 1\nv .25 0 1\n";
    let top = [5, 10, 9, 6, 7, 8];
    let front = [6, 9, 10, 5, 1, 2];
    let from = |face: [u32; 6], first: usize| {
        let corners: Vec<String> = (0..6).map(|k| face[(first + k) % 6].to_string()).collect();
        format!("f {}\n", corners.join(" "))
    };
    for (a, b) in (0..36).map(|k| (k / 6, k % 6)) {
        let faces = format!("f 1 4 3 2\n{}{}f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n", from(top, a), from(front, b));
        let mesh =
            read("cube.obj", (vertices.to_owned() + &faces).as_bytes()).unwrap_or_else(|e| panic!("{a} {b}: {e}"));
        assert!((volume(&mesh) - 1.0).abs() < 1e-12, "{a} {b}");
        let audit = Audit::of(&mesh).with_crossings(&mesh);
        assert!(audit.defects.is_empty(), "{a} {b}: {:?}", audit.defects);
        let surface = Surface::of_mesh(&mesh);
        let least = (0..surface.triangles.len()).map(|t| {
            let [p, q, r] = surface.corners_m(t);
            0.5 * (q - p).cross(r - p).length()
        });
        assert!(least.fold(f64::INFINITY, f64::min) > 0.1, "{a} {b}: a triangle has no area");
    }
}

/// A comment may follow a face, and the reader refuses a line that goes on in the next.
#[test]
fn comments_and_continued_lines_of_faces() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2 # base\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    assert_eq!(read("t.obj", text.as_bytes()).expect("reads").faces.len(), 4);
    let told = fault("t.obj", text.replace("# base", "\\").as_bytes());
    assert!(told.contains("t.obj:5") && told.contains("write each face in one line"), "{told}");
}
