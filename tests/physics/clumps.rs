//! Concave bodies as clumps of convex parts: mass properties, what is refused, and how they rest, slide, collide, resume.

use crate::common::rigid::{FLOOR, opened, text};
use breccia::engine::Engine;
use breccia::engine::gpu::contact_dynamics::ContactDynamics;
use breccia::engine::gpu::prepare::prepare;
use breccia::geometry::clump::Clump;
use breccia::geometry::convex::read_objects;
use breccia::geometry::narrow::Placed;
use breccia::geometry::polyhedron::ConvexPolyhedron;
use breccia::geometry::solids::cuboid;
use breccia::record::check::check;
use breccia::scenario::generate::generate;
use breccia::scenario::parse::parse;
use glam::{DQuat, DVec3};

fn block(size: [f64; 3], at: [f64; 3]) -> ConvexPolyhedron {
    cuboid(size.into()).expect("a box").moved(DQuat::IDENTITY, at.into())
}

/// A box in three pieces, one of them turned by a quarter, is the box.
#[test]
fn pieces_of_a_box_are_the_box() {
    let whole = cuboid(DVec3::new(1.0, 2.0, 3.0)).expect("a box");
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let turned = cuboid(DVec3::new(2.0, 1.0, 1.0)).expect("a box").moved(quarter, DVec3::new(5.0, 0.0, 1.0));
    let parts = vec![block([1.0, 2.0, 1.0], [5.0, 0.0, -1.0]), block([1.0, 2.0, 1.0], [5.0, 0.0, 0.0]), turned];
    let clump = Clump::join(parts).expect("touching boxes");
    assert!((clump.volume_m3 - whole.volume_m3).abs() < 1e-12);
    assert!(clump.origin_m.distance(DVec3::new(5.0, 0.0, 0.0)) < 1e-12);
    assert!((clump.inertia_m5 - whole.inertia_m5).abs().max_element() < 1e-12, "{}", clump.inertia_m5);
    assert!((clump.radius_m - whole.radius_m).abs() < 1e-12);
    // every corner is where it was given
    let corners: Vec<DVec3> = clump.corners_m().map(|v| clump.axes * v + clump.origin_m).collect();
    assert!(corners.iter().any(|p| p.distance(DVec3::new(5.5, 1.0, 1.5)) < 1e-12), "{corners:?}");
    for part in &clump.parts {
        let placed = Placed::new(part, clump.origin_m, clump.axes);
        let outside = |v: &DVec3| part.faces.iter().map(|f| f.normal.dot(*v) - f.offset_m).fold(f64::MIN, f64::max);
        assert!(part.vertices_m.iter().all(|v| outside(v).abs() < 1e-12), "corners lie on faces");
        assert!(placed.vertices_m.iter().all(|p| (p.x - 5.0).abs() < 0.5 + 1e-12));
    }
}

/// What slides over coplanar parts is stopped at their seam, and a ring pulls to its empty middle: `check` says so, and of no other.
#[test]
fn seams_and_hollow_clumps_are_told() {
    let boxes = |list: &[[f64; 6]]| {
        let part = |b: &[f64; 6]| {
            format!(
                "{{ kind = \"box\", size_m = [{}, {}, {}], position_m = [{}, {}, {}] }}",
                b[0], b[1], b[2], b[3], b[4], b[5]
            )
        };
        format!("shape = {{ kind = \"clump\", parts = [{}] }}", list.iter().map(part).collect::<Vec<_>>().join(", "))
    };
    let flat = boxes(&[[2.0, 1.0, 1.0, 0.0, 0.0, 0.0], [2.0, 1.0, 1.0, 2.0, 0.0, 0.0]]);
    let stepped = boxes(&[[2.0, 1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 0.5, 0.5, 0.0, 0.0, 0.75]]);
    let ring = boxes(&[
        [3.0, 0.5, 0.6, 0.0, 1.25, 0.0],
        [3.0, 0.5, 0.6, 0.0, -1.25, 0.0],
        [0.5, 2.0, 0.5, 1.25, 0.0, 0.0],
        [0.5, 2.0, 0.5, -1.25, 0.0, 0.0],
    ]);
    let cube = "shape = { kind = \"regular\", solid = \"cube\" }".to_owned();
    for (shape, is_seamed, is_hollow) in
        [(flat, true, false), (stepped, false, false), (ring, true, true), (cube, false, false)]
    {
        let radius = if shape.contains("regular") { ", radius_m = 1" } else { "" };
        let text = format!(
            "format = 1\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 1\ntime_step_s = 0.01\n[[material]]\nname = \"rock\"\n\
             density_kg_m3 = 3000\nrestitution_normal = 0\nfriction_sliding = 0.5\n[[bodies]]\ngenerator = \"list\"\n\
             body = [{{ position_m = [0, 0, 0]{radius} }}, {{ position_m = [10, 0, 0]{radius} }}]\n{shape}\n[[gravity]]\nkind = \"self\"\n"
        );
        let s = parse(&text, "clump.toml", &[]).expect("parses");
        let told = check(&s, &generate(&s).expect("bodies")).expect("accepted").warnings.join("\n");
        assert_eq!(told.contains("slides over the seam"), is_seamed, "{shape}: {told}");
        assert_eq!(told.contains("outside its parts"), is_hollow, "{shape}: {told}");
    }
}

/// A shape that the passes cannot hold is named by its group and line.
#[test]
fn a_face_of_too_many_sides_names_its_group() {
    let group = |x: u32, shape: &str| {
        format!("[[bodies]]\ngenerator = \"list\"\nbody = [{{ position_m = [{x}, 0, 0] }}]\nshape = {shape}\n")
    };
    let around = (0..13).flat_map(|k| {
        let (y, x) = (std::f64::consts::TAU * f64::from(k) / 13.0).sin_cos();
        [0, 1].map(|z| format!("[{x}, {y}, {z}]"))
    });
    let prism = format!("{{ kind = \"points\", points_m = [{}] }}", around.collect::<Vec<_>>().join(", "));
    let cube = "{ kind = \"box\", size_m = [1, 1, 1] }";
    let text = "format = 1\n[run]\nmethod = \"contact_dynamics\"\nduration_s = 1\ntime_step_s = 0.01\n[[material]]\nname = \"rock\"\n\
                density_kg_m3 = 3000\nrestitution_normal = 0\nfriction_sliding = 0.5\n"
        .to_owned()
        + &group(0, cube)
        + &group(5, cube)
        + &group(10, &prism);
    let s = parse(&text, "prism.toml", &[]).expect("parses");
    let told = prepare(&s, &generate(&s).expect("bodies"), 0.01, false).err().expect("refused").to_string();
    assert!(told.contains("prism.toml:22: bodies.2.shape: has a face of 13 sides"), "{told}");
}

/// Two equal cubes side by side, a third on the first: an L, whose moments follow from six squares of distances.
#[test]
fn moments_of_an_l_by_hand() {
    let cubes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let clump = Clump::join(cubes.map(|at| block([1.0; 3], at)).into()).expect("an L");
    // in the plane of the L, along and across its diagonal: 3/6 + sum x2, sum y2 about the centroid (1/3, 1/3)
    let moments = [0.5 + 1.0 / 3.0, 0.5 + 1.0, 0.5 + 4.0 / 3.0];
    assert!((clump.inertia_m5 - DVec3::from_array(moments)).abs().max_element() < 1e-12, "{}", clump.inertia_m5);
    let twice = clump.scaled(2.0);
    assert!((twice.inertia_m5 / clump.inertia_m5 - 32.0).abs().max_element() < 1e-12);
}

#[test]
fn parts_that_overlap_or_are_apart_are_refused() {
    let said = |other: [f64; 3]| Clump::join(vec![block([1.0; 3], [0.0; 3]), block([1.0; 3], other)]).err();
    assert!(said([1.0, 0.3, 0.2]).is_none(), "faces touch");
    assert!(said([0.9, 0.0, 0.0]).is_some_and(|e| e.contains("parts 1 and 2 overlap by 0.1 m")));
    assert!(said([1.1, 0.0, 0.0]).is_some_and(|e| e.contains("part 2 does not touch")));
    assert!(said([20.0, 0.0, 0.0]).is_some_and(|e| e.contains("part 2 does not touch")));
}

/// Two cubes, one above the other, as the objects of a file; then the second is flipped.
#[test]
fn objects_of_a_file_are_parts() {
    let corners = |z: f64| {
        (0..8).map(move |k| format!("v {} {} {}\n", k & 1, k >> 1 & 1, z + f64::from(k >> 2))).collect::<String>()
    };
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let faces = |first: usize, flip: bool| {
        let face = |q: [usize; 4]| if flip { [q[3], q[2], q[1], q[0]] } else { q }.map(|v| (first + v).to_string());
        quads.map(|q| format!("f {}\n", face(q).join(" "))).concat()
    };
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("two.obj");
    let text = |flip| format!("o low\n{}{}o high\n{}{}", corners(0.0), faces(1, false), corners(1.0), faces(9, flip));
    std::fs::write(&path, text(false)).expect("writes");
    let clump = Clump::join(read_objects(&path, 2.0).expect("two bodies")).expect("they touch");
    assert_eq!(clump.parts.len(), 2);
    assert!((clump.volume_m3 - 16.0).abs() < 1e-12 && clump.origin_m.distance(DVec3::new(1.0, 1.0, 2.0)) < 1e-12);
    std::fs::write(&path, text(true)).expect("writes");
    let error = read_objects(&path, 2.0).expect_err("inside out").to_string();
    assert!(error.contains("two.obj") && error.contains("inside out"), "{error}");
}

const WEIGHT: &str = "[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [0.0, 0.0, -1e-2]\n";

/// A cube falls into a trough and comes to rest on its bottom: the hull of the trough would carry it a metre higher.
#[test]
fn a_cube_rests_in_a_trough() {
    // bottom 3 x 2 x 1, sides 0.5 x 2 x 1.5; mass centre of the body from that of its bottom: 0.5 x 1.25
    let trough = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0.0, 0.0, 0.917] }]\n[bodies.shape]\nkind = \"clump\"\n\
         parts = [{ kind = \"box\", size_m = [3.0, 2.0, 1.0] }, \
         { kind = \"box\", size_m = [0.5, 2.0, 1.5], position_m = [-1.25, 0.0, 1.25] }, \
         { kind = \"box\", size_m = [0.5, 2.0, 1.5], position_m = [1.25, 0.0, 1.25] }]\n";
    let cube = "[[bodies]]\ngenerator = \"list\"\nshape = { kind = \"box\", size_m = [1.0, 1.0, 1.0] }\n\
         body = [{ position_m = [0.2, 0.1, 2.2] }]\n";
    let material = "restitution_normal = 0.0\nfriction_sliding = 0.5";
    let mut engine = opened(&text(
        0.1,
        "tolerance = 1e-5\niterations_max = 2000",
        material,
        &format!("{trough}{cube}{WEIGHT}{FLOOR}"),
    ));
    engine.run_to(600).expect("runs");
    let bodies = engine.snapshot().expect("snapshot").bodies;
    let [trough, cube] = [0, 1].map(|k| bodies.position_m[k]);
    assert!((trough.z - (0.5 + 1.25 / 3.0)).abs() < 1e-3, "trough at {trough}");
    assert!(cube.distance(DVec3::new(0.2, 0.1, 1.5)) < 2e-3, "cube at {cube}");
    assert!(bodies.velocity_m_s.iter().all(|v| v.length() < 1e-4), "{:?}", bodies.velocity_m_s);
}

/// On a slope of tan = 0.5 at mu = 0.4 a body of two halves slides as one piece does: by g cos(a) (tan(a) - mu).
#[test]
fn halves_slide_as_one() {
    let halves = "[[bodies]]\ngenerator = \"list\"\nbody = [{ position_m = [0.0, 0.0, 0.5] }]\n[bodies.shape]\nkind = \"clump\"\n\
         parts = [{ kind = \"box\", size_m = [1.0, 2.0, 1.0] }, \
         { kind = \"box\", size_m = [2.0, 1.0, 1.0], position_m = [1.0, 0.0, 0.0], turn_deg = [0.0, 0.0, 90.0] }]\n";
    let (sine, cosine) = (0.2f64.sqrt(), 0.8f64.sqrt());
    let slope =
        format!("[[gravity]]\nkind = \"uniform\"\nacceleration_m_s2 = [{}, 0.0, {}]\n", 1e-2 * sine, -1e-2 * cosine);
    let material = "restitution_normal = 0.0\nfriction_sliding = 0.4";
    let mut engine =
        opened(&text(0.1, "tolerance = 1e-6\niterations_max = 2000", material, &format!("{halves}{slope}{FLOOR}")));
    engine.run_to(1000).expect("runs");
    let bodies = engine.snapshot().expect("snapshot").bodies;
    let wanted = 1e-2 * (sine - 0.4 * cosine) * 100.0;
    let found = bodies.velocity_m_s[0];
    assert!((found.x - wanted).abs() < 1e-3 * wanted, "{found} m/s, not {wanted}");
    assert!(bodies.spin_rad_s[0].length() < 1e-5, "turns by {} rad/s", bodies.spin_rad_s[0]);
}

/// Crosses and angles meet without loss under their own gravity: sums stay, and a resumed run repeats every byte.
#[test]
fn clumps_collide_conserve_and_resume() {
    let rest = "[[bodies]]\ngenerator = \"lattice\"\ncount = 12\ngrid_spacing_m = 10.0\nradius_m = { min_m = 3.75, max_m = 5.0 }\n\
         [bodies.shape]\nkind = \"clump\"\nfit_radius = true\n\
         parts = [{ kind = \"box\", size_m = [3.0, 1.0, 1.0] }, { kind = \"box\", size_m = [1.0, 2.0, 1.0], position_m = [1.0, 1.5, 0.0] }]\n\
         [[gravity]]\nkind = \"self\"\n";
    let open = || opened(&text(10.0, "", "restitution_normal = 0.0\nfriction_sliding = 0.5", rest));
    let mut engine = open();
    let start = sums(&mut engine);
    engine.run_to(800).expect("runs");
    let saved = engine.save().expect("saves");
    engine.run_to(1200).expect("runs");
    assert!(engine.contacts() > 12, "they have met: {} contacts", engine.contacts());
    let end = sums(&mut engine);
    let scale = engine.snapshot().expect("snapshot").bodies.mass_kg.iter().sum::<f64>();
    assert!((end.0 - start.0).length() < 1e-6 * scale * 1e-2, "momentum {} to {}", start.0, end.0);
    assert!((end.1 - start.1).length() < 1e-5 * scale * 10.0 * 1e-2, "angular momentum {} to {}", start.1, end.1);
    let mut other = open();
    other.restore(&saved).expect("restores");
    other.run_to(1200).expect("runs");
    other.snapshot().expect("measures as the first did");
    engine.snapshot().expect("snapshot");
    for ((name, one), (_, two)) in engine.save().expect("saves").iter().zip(&other.save().expect("saves")) {
        assert!(one == two, "`{name}` differs after a restart");
    }
}

/// Momentum (kg m/s) and angular momentum (kg m2/s).
fn sums(engine: &mut ContactDynamics) -> (DVec3, DVec3) {
    let bodies = engine.snapshot().expect("snapshot").bodies;
    (0..bodies.len()).fold((DVec3::ZERO, DVec3::ZERO), |(p, l), k| {
        let momentum = bodies.mass_kg[k] * bodies.velocity_m_s[k];
        let spin = bodies.inertia_kg_m2(k) * bodies.spin_rad_s[k];
        (p + momentum, l + bodies.position_m[k].cross(momentum) + spin)
    })
}
