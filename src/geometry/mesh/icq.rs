//! Implicitly connected quadrilaterals (Gaskell): Q, then 6 (Q + 1)^2 vertices, which are the nodes of the six faces of a
//! cube, each a square of Q by Q. Vertices on edges of the cube are repeated and become one. Squares are cut along their
//! shorter diagonal; each face of the cube is wound so that it looks away from the middle.

use super::Mesh;
use super::rows::{counts, point, rows, words};
use crate::base::error::Result;
use glam::DVec3;

/// Takes the vertices and makes the faces.
pub(super) fn read(text: &str, mesh: &mut Mesh) -> Result<()> {
    let mut rows = rows(text);
    let first = rows.next().and_then(|(line, row)| Some((line, counts(row).filter(|c| c.len() == 1)?[0])));
    let Some((line, q)) = first else {
        return Err(mesh.fault("the first row must be one whole number, Q").data());
    };
    for (line, row) in rows {
        let position = point(words(row)).filter(|_| words(row).count() == 3);
        mesh.vertices_m.push(position.ok_or_else(|| mesh.line_error(line, "a vertex needs three finite numbers"))?);
        mesh.vertex_lines.push(line as u32);
    }
    let wanted = q.saturating_add(1).saturating_pow(2).saturating_mul(6);
    if q == 0 || wanted != mesh.vertices_m.len() as u64 {
        let what = format!("Q = {q} needs {wanted} vertices, 6 (Q + 1)^2, and {} follow", mesh.vertices_m.len());
        return Err(mesh.line_error(line, what));
    }
    let q = q as u32;
    let middle = mesh.vertices_m.iter().sum::<DVec3>() / mesh.vertices_m.len() as f64;
    (0..6).for_each(|side| squares(mesh, side, q, middle));
    mesh.join();
    let (unique, wanted) = (mesh.vertices_m.len(), 6 * q as usize * q as usize + 2);
    if unique != wanted {
        let what = format!("has {unique} different vertices, and Q = {q} needs {wanted}");
        let remedy = "repeat the vertices on the edges of the cube with the very same numbers";
        return Err(mesh.fault(what).remedy(remedy).data());
    }
    Ok(())
}

/// The triangles of one face of the cube.
fn squares(mesh: &mut Mesh, side: u32, q: u32, middle: DVec3) {
    let node = |i: u32, j: u32| side * (q + 1) * (q + 1) + j * (q + 1) + i;
    let from_middle = |mesh: &Mesh, k: u32| mesh.vertices_m[k as usize] - middle;
    let mut triangles = Vec::with_capacity(2 * (q as usize).pow(2));
    for (j, i) in (0..q).flat_map(|j| (0..q).map(move |i| (j, i))) {
        let [a, b, c, d] = [node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)];
        let size = |k: u32, l: u32| from_middle(mesh, k).distance_squared(from_middle(mesh, l));
        let cut = if size(a, c) <= size(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        triangles.extend(cut);
    }
    let volume6 = |t: &[u32; 3]| from_middle(mesh, t[0]).dot(from_middle(mesh, t[1]).cross(from_middle(mesh, t[2])));
    let inwards = triangles.iter().map(volume6).sum::<f64>() < 0.0;
    for mut triangle in triangles {
        if inwards {
            triangle.reverse();
        }
        mesh.face_lines.push(mesh.vertex_lines[triangle[0] as usize]);
        mesh.faces.push(&triangle);
    }
}
