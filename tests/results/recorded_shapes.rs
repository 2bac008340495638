//! Shapes of polyhedra in a run directory: kept bit by bit, refused where damaged, and the levers of their contacts.

use crate::common::{read_frame, write_frame};
use breccia::base::checksums;
use breccia::geometry::clump::Clump;
use breccia::geometry::generate::{Grains, grain};
use breccia::geometry::solids::cuboid;
use breccia::model::body::{Bodies, Polyhedra};
use breccia::model::snapshot::Snapshot;
use breccia::model::stored::frames::read_f64;
use breccia::model::stored::shapes;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::{DQuat, DVec3};
use rand::SeedableRng;
use std::path::Path;
use std::sync::Arc;

/// Two bodies of one shape, which has two parts, and a grain, each turned otherwise.
fn polyhedra() -> Bodies {
    let mut rng = rand_pcg::Pcg64Mcg::seed_from_u64(3);
    let beside = cuboid(DVec3::ONE).unwrap().moved(DQuat::IDENTITY, DVec3::new(1.0, 0.5, 0.0));
    let angle = Clump::join(vec![cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap(), beside]).unwrap();
    let shapes = vec![angle, grain(&Grains::default(), 2.0, &mut rng).unwrap().body.into()];
    let spheres: Vec<(DVec3, f64)> = (0..3).map(|k| (4.0 * f64::from(k) * DVec3::X, 1.0)).collect();
    let turn = |k: u32| DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.5) * f64::from(k));
    let shape = vec![0, 1, 0];
    Bodies {
        radius_m: shape.iter().map(|s: &u32| shapes[*s as usize].radius_m).collect(),
        polyhedra: Some(Polyhedra { shapes: Arc::new(shapes), shape, orientation: (0..3).map(turn).collect() }),
        ..crate::common::bodies(&spheres, 1000.0)
    }
}

fn write(run: &Path) -> Bodies {
    let bodies = polyhedra();
    shapes::write(run, bodies.polyhedra.as_ref().unwrap()).unwrap();
    write_frame(run, 0, &Snapshot { bodies: bodies.clone(), ..Snapshot::default() }, true).unwrap();
    bodies
}

#[test]
fn shapes_read_back_bit_by_bit() {
    let run = tempfile::tempdir().unwrap();
    let bodies = write(run.path());
    let back = read_frame(&run.path().join("frames/000000")).unwrap();
    for k in 0..3 {
        assert_eq!(back.volume_m3(k), bodies.volume_m3(k));
        assert_eq!(back.moments_kg_m2(k), bodies.moments_kg_m2(k));
    }
    let (wrote, read) = (bodies.polyhedra.unwrap(), back.polyhedra.unwrap());
    assert_eq!((&read.shape, &read.orientation), (&wrote.shape, &wrote.orientation));
    for (a, b) in read.shapes.iter().zip(wrote.shapes.iter()) {
        assert_eq!((a.parts.len(), a.radius_m), (b.parts.len(), b.radius_m));
        for (a, b) in a.parts.iter().zip(&b.parts) {
            assert_eq!((&a.vertices_m, &a.edges, a.radius_m), (&b.vertices_m, &b.edges, b.radius_m));
            assert_eq!((a.volume_m3, a.inertia_m5), (b.volume_m3, b.inertia_m5));
            assert_eq!(format!("{:?}", a.faces), format!("{:?}", b.faces));
        }
    }
    // the shape of two bodies is stored once
    let corners = read_f64(&run.path().join("shapes/corner.npy")).unwrap().1[0];
    assert_eq!(corners, 16 + wrote.shapes[1].corners_m().count());
}

#[test]
fn every_array_is_documented() {
    let run = tempfile::tempdir().unwrap();
    write(run.path());
    let text = std::fs::read_to_string("docs/user/output.md").unwrap();
    for folder in ["shapes", "frames/000000"] {
        for entry in std::fs::read_dir(run.path().join(folder)).unwrap().flatten() {
            let name = entry.file_name().into_string().unwrap();
            let Some(name) = name.strip_suffix(".npy") else { continue };
            assert!(text.contains(&format!("`{name}`")), "docs/user/output.md does not tell of {folder}/{name}");
        }
    }
}

#[test]
fn damaged_or_missing_shapes_are_refused_by_name() {
    let run = tempfile::tempdir().unwrap();
    let fault = || {
        let error = read_frame(&run.path().join("frames/000000")).unwrap_err();
        assert_eq!(error.exit_code(), 7, "{error}");
        error.to_string()
    };
    for (name, index, value, hint) in [
        ("face_corner", 0, 99u32, "part 0: a face names corners of another part"),
        ("face_corner", 1, 0, "part 0:"),
        ("face_start", 1, 0, "face_start.npy: does not rise"),
        ("part_start", 2, 900, "part 0: names corners or faces that are not there"),
        ("shape_start", 0, 1, "shape_start.npy: does not rise"),
        ("body_shape", 2, 7, "body_shape.npy: 3 bodies of 2 shapes"),
    ] {
        write(run.path());
        let path = run.path().join(format!("shapes/{name}.npy"));
        let (mut bytes, count) = (std::fs::read(&path).unwrap(), read_f64(&path).unwrap().0.len());
        let at = bytes.len() - 4 * (count - index);
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        std::fs::write(&path, bytes).unwrap();
        assert!(fault().contains("its checksum differs"), "{name}: {}", fault());
        checksums::write(path.parent().unwrap()).unwrap();
        assert!(fault().contains(hint), "{name}: {}", fault());
    }
    write(run.path());
    std::fs::remove_file(run.path().join("shapes/volume.npy")).unwrap();
    assert!(fault().contains("volume.npy"));
    std::fs::remove_dir_all(run.path().join("shapes")).unwrap();
    assert!(fault().contains("shapes: is missing"), "{}", fault());
}

/// A scenario that starts from a frame of polyhedra has the same bodies, shared shapes once.
#[test]
fn polyhedra_of_a_frame_come_back() {
    let run = tempfile::tempdir().unwrap();
    let mut bodies = polyhedra();
    for k in 0..3 {
        bodies.velocity_m_s[k] = DVec3::new(0.1, 0.2, 0.3) * k as f64;
        bodies.spin_rad_s[k] = DVec3::new(-1e-3, 2e-3, 0.0) * k as f64;
        bodies.mass_kg[k] = 2000.0 * bodies.volume_m3(k);
    }
    let wrote = bodies.polyhedra.clone().unwrap();
    shapes::write(run.path(), &wrote).unwrap();
    write_frame(run.path(), 4, &Snapshot { bodies: bodies.clone(), ..Snapshot::default() }, false).unwrap();
    let text = format!(
        "format = 1\ntitle = \"again\"\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 1.0\ntime_step_s = 0.1\n\
         [[material]]\nname = \"rock\"\ndensity_kg_m3 = 2000.0\nrestitution_normal = 0.0\nfriction_sliding = 0.5\n\
         [[bodies]]\ngenerator = \"frame\"\npath = '{0}'\n[[bodies]]\ngenerator = \"frame\"\npath = '{0}'\noffset_m = [0.0, 50.0, 0.0]\n",
        run.path().display()
    );
    let again = generate(&parse(&text, "again.toml", &[]).unwrap()).unwrap();
    assert_eq!(again.len(), 6);
    let made = again.polyhedra.as_ref().unwrap();
    assert_eq!(made.shapes.len(), 4);
    for k in 0..6 {
        let (from, aside) = (k % 3, 50.0 * (k / 3) as f64 * DVec3::Y);
        assert_eq!(again.position_m[k], bodies.position_m[from] + aside);
        assert_eq!(again.velocity_m_s[k], bodies.velocity_m_s[from]);
        assert_eq!(again.spin_rad_s[k], bodies.spin_rad_s[from]);
        assert_eq!((again.mass_kg[k], again.radius_m[k]), (bodies.mass_kg[from], bodies.radius_m[from]));
        assert_eq!(made.orientation[k], wrote.orientation[from]);
        assert!(made.of(k).corners_m().eq(wrote.of(from).corners_m()));
    }
}
