//! `breccia export`: files for ParaView and OVITO that say what the frame says.

use crate::common::command::{directory, pair, path, text};
use crate::common::vtp::{floats, head, integers};
use crate::common::write_frame;
use breccia::geometry::solids::{Regular, cuboid, regular};
use breccia::model::body::{Bodies, Polyhedra};
use breccia::model::snapshot::Snapshot;
use glam::DVec3;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn exported_bodies_and_force_chains_are_those_of_the_frame() {
    let dir = directory(true);
    text(&["export", path(&dir), "--frame", "all", "--format", "vtp,xyz"]);
    let read = |name: &str| std::fs::read(dir.path().join("export").join(name)).unwrap();
    let file = read("bodies_000001.vtp");
    let b = pair(60.0).bodies;
    assert_eq!(floats(&file, "Points"), [-1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 9.0, 1.0]);
    assert_eq!((floats(&file, "mass"), floats(&file, "radius")), (b.mass_kg.clone(), b.radius_m.clone()));
    assert_eq!(floats(&file, "velocity")[..3], b.velocity_m_s[0].to_array());
    assert_eq!((integers(&file, "id"), integers(&file, "offsets")), (vec![0, 1, 2], vec![1, 2, 3]));
    assert_eq!(integers(&file, "coordination"), [1, 2, 0]);
    assert!(head(&file).contains("<Verts>\n<DataArray") && head(&file).contains("NumberOfVerts=\"3\""));
    let file = read("contacts_000001.vtp");
    assert_eq!(floats(&file, "Points"), [-1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert_eq!((integers(&file, "connectivity"), integers(&file, "offsets")), (vec![0, 1, 2, 3], vec![2, 4]));
    assert_eq!((integers(&file, "id_i"), integers(&file, "id_j")), (vec![0, 1], vec![1, -1])); // -1: wall 0
    assert_eq!((floats(&file, "tangential_force"), floats(&file, "gap")), (vec![3.0, 0.0], vec![0.0, 0.0]));
    assert_eq!((integers(&file, "tensile"), integers(&file, "sliding")), (vec![0, 0], vec![1, 0]));
    assert_eq!(floats(&file, "mobilised_friction"), [1.0, 0.0]); // 3 N of 0.5 x 6 N
    assert_eq!(floats(&file, "point"), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    assert!(head(&file).contains("<Lines>\n<DataArray") && head(&file).contains("NumberOfLines=\"2\""));
    let index = String::from_utf8(read("contacts.pvd")).unwrap();
    assert!(index.contains("timestep=\"60\" part=\"0\" file=\"contacts_000001.vtp\""), "{index}");
    let xyz = String::from_utf8(read("bodies.xyz")).unwrap();
    let lines: Vec<&str> = xyz.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[5]), (10, "3", "3"));
    assert!(lines[6].contains("Time=60 "), "{}", lines[6]);
    assert!(lines[8].starts_with("rock 1 0 1 1 1 "), "{}", lines[8]);
    let columns = |line: &str| line.split_whitespace().count();
    assert_eq!(columns(lines[8]), 1 + 3 + 1 + 1 + 1 + 3 + 3 + 1 + 1);
}

/// The directory of a run of this scenario in a folder.
fn ran(folder: &Path, scenario: &str) -> PathBuf {
    let [file, run] = ["scenario.toml", "run"].map(|name| folder.join(name));
    std::fs::write(&file, scenario).unwrap();
    text(&["run", file.to_str().unwrap(), "--out", run.to_str().unwrap(), "--engine", "reference"]);
    run
}

#[test]
fn exported_walls_stand_where_they_are_in_the_frame() {
    let dir = tempfile::tempdir().unwrap();
    let out = ran(dir.path(), MOVING);
    let run = out.to_str().unwrap();
    text(&["export", run, "--frame", "all"]);
    let read = |name: &str| std::fs::read(out.join("export").join(name)).unwrap();
    let corners = |file: &[u8]| floats(file, "Points").chunks(3).map(DVec3::from_slice).collect::<Vec<_>>();
    let first = read("walls_000000.vtp");
    assert!(head(&first).contains("NumberOfPolys=\"7\""), "a plane and six faces of a block");
    assert_eq!((integers(&first, "wall"), integers(&first, "material")), (vec![0, 1, 1, 1, 1, 1, 1], vec![0; 7]));
    // the lid moves by 0.5 m/s times 2 s and less than a step; the block is gone after 1 s
    let last = read("walls_000002.vtp");
    let (before, after) = (corners(&first), corners(&last));
    assert!(before[..4].iter().all(|p| p.z == 3.25), "{before:?}");
    assert!(after.len() == 4 && after.iter().all(|p| (p.z - 2.25).abs() < 1e-3), "{after:?}");
    let middle = before[4..].iter().sum::<DVec3>() / 24.0;
    assert!(middle.distance(DVec3::new(3.25, 0.0, 0.5)) < 1e-12, "{middle}");
    // counterclockwise from outside: the block's volume by the divergence theorem
    let volume =
        before[4..].chunks(4).map(|c| (c[0] - middle).dot((c[1] - c[0]).cross(c[2] - c[0])) / 3.0).sum::<f64>();
    assert!((volume - 2.0 * 4.0 * 1.0).abs() < 1e-12, "{volume}");
    let index = String::from_utf8(read("walls.pvd")).unwrap();
    assert!(index.lines().count() == 8 && index.contains("file=\"walls_000002.vtp\""), "{index}");
}

const MOVING: &str = r#"format = 1
[run]
duration_s = 2
[[material]]
name = "rock"
density_kg_m3 = 3000.0
speed_max_m_s = 1.0
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "lattice"
count = 8
grid_spacing_m = 2.1
radius_m = 1.0
[[wall]]
name = "lid"
kind = "plate"
material = "rock"
point_m = [0, 0, 3.25]
normal = [0, 0, -1]
velocity_m_s = [0, 0, -0.5]
[[wall]]
name = "block"
kind = "block"
material = "rock"
min_m = [2.25, -2, 0]
max_m = [4.25, 2, 1]
removed_at_s = 1
[output]
frames = 2
"#;

/// What a call before left is neither listed nor kept where it would tell of these frames.
#[test]
fn an_index_lists_what_its_call_wrote() {
    let (with, without) = (directory(true), directory(false));
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let export = |run: &tempfile::TempDir| text(&["export", path(run), "--frame", "all", "--out", folder]);
    export(&with);
    std::fs::write(out.path().join("contacts_000007.vtp"), "of another call").unwrap();
    let listed = export(&without);
    assert!(!listed.contains("contacts.pvd"), "{listed}");
    let there = |name: &str| out.path().join(name).exists();
    assert!(there("bodies.pvd") && !there("contacts.pvd") && !there("contacts_000001.vtp"));
    assert!(there("contacts_000007.vtp"), "files of other frames are not of this call");
}

#[test]
fn units_are_listed_once_and_constants_keep_64_bits() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("run");
    let set = ["--set", "output.precision=\"f32\"", "--set", "output.contacts=true", "--engine", "reference"];
    text(&[&["run", "oblique_impact", "--out", out.to_str().unwrap()][..], &set].concat());
    text(&["export", out.to_str().unwrap()]);
    let file = |kind: &str| {
        let list = std::fs::read_dir(out.join("export")).unwrap().map(|e| e.unwrap().path());
        let found =
            list.filter(|p| p.extension().is_some_and(|e| e == "vtp")).find(|p| p.to_string_lossy().contains(kind));
        std::fs::read(found.unwrap()).unwrap()
    };
    let (bodies, contacts) = (file("bodies_"), file("contacts_"));
    let kinds = ["radius", "mass", "spin"].map(|name| crate::common::vtp::array(&bodies, name).0);
    assert_eq!(kinds, ["Float64", "Float64", "Float32"]);
    let head = head(&contacts);
    let line = head.lines().find(|l| l.contains("Name=\"units\"")).unwrap();
    let codes = line.split(['>', '<']).nth(2).unwrap();
    let units: String = codes.split_whitespace().map(|c| c.parse::<u8>().unwrap() as char).collect();
    assert_eq!(units.matches("normal_force: N\0").count(), 1, "{units:?}");
}

/// The first name in PATH that knows VTK, if there is one, is the judge.
#[test]
fn vtk_reads_an_export() {
    let python = |code: &str| std::process::Command::new("python3").args(["-c", code]).output();
    if !python("import vtk").is_ok_and(|o| o.status.success()) {
        eprintln!("SKIPPED: vtk_reads_an_export: python3 with vtk is not installed (pip install vtk)");
        return;
    }
    let dir = directory(true);
    text(&["export", path(&dir)]);
    let code = format!(
        r#"
import vtk
def load(kind):
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(r"{}/" + kind + "_000001.vtp")
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()
bodies, contacts = load("bodies"), load("contacts")
assert (bodies.GetNumberOfPoints(), bodies.GetNumberOfVerts()) == (3, 3)
assert bodies.GetPoint(2) == (0, 9, 1) and bodies.GetPointData().GetArray("radius").GetValue(2) == 1
assert bodies.GetFieldData().GetArray("TimeValue").GetValue(0) == 60
assert (contacts.GetNumberOfPoints(), contacts.GetNumberOfLines()) == (4, 2)
data = contacts.GetCellData()
assert [data.GetArray("normal_force").GetValue(k) for k in (0, 1)] == [6, 2]
assert data.GetArray("force").GetTuple(0) == (-6, 0, 3)
assert [data.GetArray("id_j").GetValue(k) for k in (0, 1)] == [1, -1]
"#,
        dir.path().join("export").display()
    );
    let output = python(&code).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A box and a tetrahedron: faces as polygons, each with the quantities of its body.
#[test]
fn polyhedra_are_exported_as_polygons() {
    let shapes = vec![cuboid(DVec3::ONE).unwrap(), regular(Regular::Tetrahedron, 1.0).unwrap()];
    let spheres = [(DVec3::ZERO, shapes[0].radius_m), (4.0 * DVec3::X, 1.0)];
    let orientation = shapes.iter().map(|s| s.axes).collect();
    let polyhedra =
        Polyhedra { shapes: Arc::new(shapes.into_iter().map(Into::into).collect()), shape: vec![0, 1], orientation };
    let bodies = Bodies { polyhedra: Some(polyhedra), ..crate::common::bodies(&spheres, 1000.0) };
    let dir = crate::common::run_directory(&crate::common::scenario(vec![crate::common::material()]), &[], false);
    breccia::model::stored::shapes::write(dir.path(), bodies.polyhedra.as_ref().unwrap()).unwrap();
    write_frame(dir.path(), 0, &Snapshot { bodies, ..Snapshot::default() }, false).unwrap();
    text(&["export", path(&dir), "--format", "vtp,xyz"]);
    let file = std::fs::read(dir.path().join("export/bodies_000000.vtp")).unwrap();
    assert!(head(&file).contains("<Polys>\n<DataArray") && head(&file).contains("NumberOfPolys=\"10\""));
    let ends = integers(&file, "offsets");
    assert_eq!(ends, [4, 8, 12, 16, 20, 24, 27, 30, 33, 36]);
    assert_eq!(integers(&file, "id"), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    let points: Vec<DVec3> = floats(&file, "Points").chunks(3).map(DVec3::from_slice).collect();
    assert_eq!(points.len(), 12);
    let around = integers(&file, "connectivity");
    // outward: volume by the divergence theorem
    let mut volume = 0.0;
    for (face, end) in ends.iter().enumerate() {
        let start = if face == 0 { 0 } else { ends[face - 1] };
        let c: Vec<DVec3> = around[start as usize..*end as usize].iter().map(|k| points[*k as usize]).collect();
        volume += (2..c.len()).map(|k| c[0].dot(c[k - 1].cross(c[k])) / 6.0).sum::<f64>();
    }
    let tetrahedron = 8.0 / 27.0 * 3f64.sqrt(); // of radius 1
    assert!((volume - 1.0 - tetrahedron).abs() < 1e-12, "{volume}");
    let xyz = std::fs::read_to_string(dir.path().join("export/bodies.xyz")).unwrap();
    assert!(xyz.lines().nth(3).unwrap().starts_with("rock 4 0 0 1 1 "), "{xyz}");
}

/// In inertial axes the contacts with walls are those of the frame's own axes, turned: the same numbers, on the turned wall.
#[test]
fn contacts_with_walls_turn_with_their_frame() {
    let dir = tempfile::tempdir().unwrap();
    let run = ran(dir.path(), TURNING);
    let read = |axes: &str, kind: &str| {
        let out = dir.path().join(axes);
        text(&["export", run.to_str().unwrap(), "--axes", axes, "--out", out.to_str().unwrap()]);
        std::fs::read(out.join(format!("{kind}_000002.vtp"))).unwrap()
    };
    let [own, turned] = ["body", "inertial"].map(|axes| read(axes, "contacts"));
    assert_eq!(integers(&own, "id_j"), [-1], "the grain presses on the wall alone");
    for name in ["normal_force", "tangential_force", "mobilised_friction", "gap"] {
        let [a, b] = [&own, &turned].map(|file| floats(file, name)[0]);
        assert!((a - b).abs() <= 1e-12 * a.abs(), "{name}: {a} N in own axes, {b} N in inertial ones");
    }
    assert!(floats(&own, "mobilised_friction")[0] > 0.0, "friction acts");
    let vectors = |file: &[u8], name: &str| floats(file, name).chunks(3).map(DVec3::from_slice).collect::<Vec<_>>();
    let wall = vectors(&read("inertial", "walls"), "Points");
    let normal = (wall[1] - wall[0]).cross(wall[2] - wall[0]).normalize();
    let above = |p: DVec3| (p - wall[0]).dot(normal).abs();
    let ends = vectors(&turned, "Points");
    assert!(above(ends[1]) < 1e-9 && (above(ends[0]) - 0.1).abs() < 1e-3, "{ends:?}, {wall:?}");
    assert!((vectors(&turned, "normal")[0].dot(normal).abs() - 1.0).abs() < 1e-9);
    assert!(normal.cross(DVec3::X).length() > 0.5, "the wall has turned: {normal}");
}

const TURNING: &str = r#"format = 1
[run]
duration_s = 2
[[material]]
name = "rock"
density_kg_m3 = 2000.0
stiffness_normal_n_m = 1e6
restitution_normal = 0.5
friction_sliding = 0.5
[[bodies]]
generator = "list"
body = [{ position_m = [1, 0.2, 0.1], radius_m = 0.1 }]
[[gravity]]
kind = "rotating_frame"
rotation_rad_s = [0, 0, 0.6]
[[wall]]
name = "w"
kind = "plane"
point_m = [1.1, 0, 0]
normal = [-1, 0, 0]
[output]
contacts = true
frames = 2
"#;
