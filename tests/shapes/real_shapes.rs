//! Shape models of real asteroids, which are next to the repository and no part of it: each is read, bounds one body, and has the
//! volume that the head of its file states; written in other formats it comes back the same.

use breccia::geometry::mesh::audit::Audit;
use breccia::geometry::mesh::measure::Measures;
use breccia::geometry::mesh::{Mesh, write};
use breccia::geometry::surface::Surface;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The models, sorted: OBJ files in kilometres, with `volume V km^3` in a comment.
fn models() -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/shapes"));
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut found: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    found.retain(|p| p.extension().is_some_and(|e| e == "obj"));
    found.sort();
    assert!(!found.is_empty(), "no shape models in {}", folder.display());
    found
}

/// From the comment `# unit: km; vertices 24578; facets 49152; volume 0.06163329 km^3`.
fn stated(path: &Path) -> Option<(usize, usize, f64)> {
    let text = std::fs::read_to_string(path).expect("readable");
    let line = text.lines().take_while(|l| l.starts_with('#')).find(|l| l.contains("volume"))?.to_owned();
    let after = |word: &str| line.split(word).nth(1)?.trim_start().split([';', ' ']).next().map(str::to_owned);
    Some((after("vertices")?.parse().ok()?, after("facets")?.parse().ok()?, after("volume")?.parse().ok()?))
}

#[test]
#[ignore = "needs shape models beside the repository"]
fn on_record_shapes_bound_one_body() {
    println!(
        "model                    faces  volume m3      centre m                    I2/I1  I3/I1   hidden  seconds"
    );
    for path in models() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let began = Instant::now();
        let mesh = Mesh::load(&path, 1000.0, None).unwrap_or_else(|e| panic!("{e}"));
        let (audit, m) = (Audit::of(&mesh).with_crossings(&mesh), Measures::of(&mesh));
        let seconds = began.elapsed().as_secs_f64();
        let ([a, b, c], at) = (m.inertia_m5, m.centre_m);
        println!(
            "{name:22} {:7}  {:.6e}  {:8.3} {:8.3} {:8.3}  {:.4} {:.4}  {:5}  {seconds:.2}",
            audit.faces,
            m.volume_m3,
            at.x,
            at.y,
            at.z,
            b / a,
            c / a,
            m.hidden_faces
        );
        assert!(audit.defects.is_empty(), "{name}: {:?}", audit.defects);
        assert!(a <= b + c && at.length() < 0.2 * m.volume_m3.cbrt(), "{name}");
        if let Some((vertices, faces, volume_km3)) = stated(&path) {
            assert_eq!((audit.vertices, audit.faces), (vertices, faces), "{name}");
            // the head has 7 digits or more
            assert!((m.volume_m3 / (1e9 * volume_km3) - 1.0).abs() < 1e-6, "{name}: {} {volume_km3}", m.volume_m3);
        }
        let surface = Surface::of_mesh(&mesh);
        assert!((surface.volume_m3 / m.volume_m3 - 1.0).abs() < 1e-12 && (surface.origin_m - at).length() < 1e-9);
    }
}

#[test]
#[ignore = "needs shape models beside the repository"]
fn on_record_shapes_come_back_from_other_formats() {
    let folder = tempfile::tempdir().unwrap();
    for path in models().into_iter().filter(|p| p.metadata().is_ok_and(|m| m.len() < 400_000)) {
        let mesh = Mesh::load(&path, 1000.0, None).unwrap_or_else(|e| panic!("{e}"));
        let volume = Measures::of(&mesh).volume_m3;
        for (end, bound) in [("obj", 0.0), ("ply", 0.0), ("stl", 1e-6)] {
            let copy = folder.path().join(format!("copy.{end}"));
            write::write(&copy, &mesh.vertices_m, &mesh.faces, "a copy", true).unwrap();
            let back = Mesh::read(&copy, 1.0).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!((back.vertices_m.len(), back.faces.len()), (mesh.vertices_m.len(), mesh.faces.len()));
            assert!((Measures::of(&back).volume_m3 / volume - 1.0).abs() <= bound, "{end}: {}", path.display());
        }
    }
}
