//! Faces that run through each other, against another method: triangles with whole numbers as coordinates share no
//! point if and only if one of finitely many axes separates them, which integers decide exactly.

use crate::common::cubes;

use breccia::geometry::mesh::Mesh;
use breccia::geometry::mesh::crossing::crossings;
use glam::{DVec3, I64Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Whether two convex sets of corners, each a segment or a triangle, have a common point.
fn touch(s: &[I64Vec3], t: &[I64Vec3]) -> bool {
    let edges = |s: &[I64Vec3]| (0..s.len()).map(|k| s[(k + 1) % s.len()] - s[k]).collect::<Vec<_>>();
    let (es, et) = (edges(s), edges(t));
    let mut axes: Vec<I64Vec3> = es.iter().flat_map(|a| et.iter().map(move |b| a.cross(*b))).collect();
    let normals: Vec<I64Vec3> = [&es, &et].iter().filter(|e| e.len() == 3).map(|e| e[0].cross(e[1])).collect();
    // within the plane of one, across its edges
    axes.extend(normals.iter().flat_map(|n| es.iter().chain(&et).map(move |e| n.cross(*e))));
    axes.extend(normals);
    let separates = |axis: &I64Vec3| {
        let range = |s: &[I64Vec3]| {
            let along = s.iter().map(|p| p.dot(*axis));
            (along.clone().min().unwrap(), along.max().unwrap())
        };
        let ((a, b), (c, d)) = (range(s), range(t));
        b < c || d < a
    };
    !axes.iter().any(separates)
}

/// The same question as [`crossings`] of two faces.
fn truth(vertices: &[I64Vec3], s: [u32; 3], t: [u32; 3]) -> bool {
    let corner = |k: u32| vertices[k as usize];
    let shared: Vec<u32> = s.into_iter().filter(|k| t.contains(k)).collect();
    let others = |t: [u32; 3]| t.into_iter().filter(|k| !shared.contains(k)).map(corner).collect::<Vec<_>>();
    match shared.len() {
        0 => touch(&s.map(corner), &t.map(corner)),
        1 => touch(&others(s), &t.map(corner)) || touch(&others(t), &s.map(corner)),
        2 => {
            let [a, b] = [corner(shared[0]), corner(shared[1])];
            let [m, n] = [others(s)[0], others(t)[0]].map(|p| (b - a).cross(p - a));
            m.cross(n) == I64Vec3::ZERO && m.dot(n) > 0
        }
        _ => false,
    }
}

fn flat(vertices: &[I64Vec3], t: [u32; 3]) -> bool {
    let [a, b, c] = t.map(|k| vertices[k as usize]);
    (b - a).cross(c - a) == I64Vec3::ZERO
}

/// Compares all pairs; how many of them cross.
fn compare(vertices: &[I64Vec3], triangles: &[[u32; 3]]) -> usize {
    let mut wanted = vec![];
    for f in 0..triangles.len() {
        for g in f + 1..triangles.len() {
            let [s, t] = [triangles[f], triangles[g]];
            if !flat(vertices, s) && !flat(vertices, t) && truth(vertices, s, t) {
                wanted.push([f, g]);
            }
        }
    }
    let mut mesh = Mesh { vertices_m: vertices.iter().map(|v| v.as_dvec3()).collect(), ..Mesh::default() };
    triangles.iter().for_each(|t| mesh.faces.push(t));
    assert_eq!(crossings(&mesh).pairs, wanted, "{vertices:?} {triangles:?}");
    wanted.len()
}

#[test]
fn pairs_of_triangles() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut met = [0; 3];
    for (shared, met) in met.iter_mut().enumerate() {
        for _ in 0..20_000 {
            // few values, so that much touches
            let side = if rng.random() { 4 } else { 9 };
            let mut vertices: Vec<I64Vec3> = vec![];
            while vertices.len() < 6 - shared {
                let p = I64Vec3::from_array([0; 3].map(|_| rng.random_range(0..side)));
                if !vertices.contains(&p) {
                    vertices.push(p);
                }
            }
            let second: Vec<u32> = (0..3).map(|k| if k < shared { k } else { k + 3 - shared } as u32).collect();
            *met += compare(&vertices, &[[0, 1, 2], [second[0], second[1], second[2]]]);
        }
    }
    println!("pairs that met: {met:?} of 20000 with none, one and two common corners");
    assert!(met.iter().all(|n| (100..19_900).contains(n)), "{met:?}");
}

#[test]
fn closed_surfaces() {
    let cube: Vec<I64Vec3> =
        cubes::VERTICES.iter().map(|v| I64Vec3::new(2 * v[0] as i64, 2 * v[1] as i64, 2 * v[2] as i64)).collect();
    assert_eq!(compare(&cube, &cubes::TRIANGLES), 0);
    // the one of tests/shapes/mesh_command.rs
    let mut pulled = cube.clone();
    pulled[7] = I64Vec3::new(10, -3, -1);
    assert_eq!(compare(&pulled, &cubes::TRIANGLES), 6);
    let mut rng = Pcg64Mcg::seed_from_u64(6);
    let mut torn = 0;
    for _ in 0..2000 {
        let mut moved = cube.clone();
        for _ in 0..2 {
            moved[rng.random_range(0..8)] += I64Vec3::from_array([0; 3].map(|_| rng.random_range(-5..6)));
        }
        let positions: std::collections::HashSet<I64Vec3> = moved.iter().copied().collect();
        if positions.len() == 8 {
            torn += usize::from(compare(&moved, &cubes::TRIANGLES) > 0);
        }
    }
    assert!((200..1800).contains(&torn), "{torn}");
}

/// Two spheres of many faces: pairs are found wherever they are, and the tree misses none of them.
#[test]
fn spheres_that_overlap() {
    let words: Vec<String> = ["kind=sphere", "radius_m=10", "faces=700"].map(String::from).into();
    let one = breccia::scenario::made::from_words(&words).unwrap().make("sphere").unwrap();
    let whole = |v: &DVec3| (*v * 1000.0).round().as_i64vec3();
    let count = one.vertices_m.len() as u32;
    let mut vertices: Vec<I64Vec3> = one.vertices_m.iter().map(whole).collect();
    let mut triangles: Vec<[u32; 3]> = one.faces.triangles().map(|(_, t)| t).collect();
    assert_eq!(compare(&vertices, &triangles), 0);
    for k in 0..count as usize {
        vertices.push(vertices[k] + I64Vec3::new(12_345, 3_210, -1_234));
    }
    triangles.extend_from_within(..);
    let half = triangles.len() / 2;
    triangles[half..].iter_mut().flatten().for_each(|v| *v += count);
    let met = compare(&vertices, &triangles);
    println!("{met} pairs");
    assert!(met > 100);
}
