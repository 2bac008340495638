//! Alpha shape of points in space (Edelsbrunner and Muecke 1994): what a ball of radius alpha cannot reach from outside
//! without holding a point.

use super::delaunay::{INFINITE, Tetrahedron, delaunay};
use crate::base::error::{Error, Result};
use glam::DVec3;

/// The solid within the envelope, closed voids included.
#[derive(Debug, Clone, Default)]
pub struct AlphaShape {
    /// enclosed volume (m3)
    pub volume_m3: f64,
    /// part of it that the ball would fit into, could it get there (m3)
    pub voids_m3: f64,
    /// of the envelope (m2)
    pub area_m2: f64,
    /// the envelope: indices of points, counterclockwise as seen from outside
    pub triangles: Vec<[u32; 3]>,
}

/// The alpha shapes of `points`, one for each ball, from their Delaunay tetrahedra, which are found once: those whose
/// circumscribed sphere is no larger than the ball are solid; the others are outside if a path leads from them to infinity over
/// faces that let the ball through.
pub fn alpha_shapes(points: &[DVec3], alphas_m: &[f64]) -> Result<Vec<AlphaShape>> {
    if let Some(alpha_m) = alphas_m.iter().find(|a| a.is_nan() || **a <= 0.0) {
        return Err(Error::Usage(format!("--alpha {alpha_m}: the radius of the ball must be above 0 m")));
    }
    let cells = delaunay(points)?;
    let radius = |c: &Tetrahedron| match c.is_infinite() {
        true => f64::INFINITY,
        false => circumradius(c.vertex.map(|v| points[v as usize])),
    };
    let radii: Vec<f64> = cells.iter().map(radius).collect();
    Ok(alphas_m.iter().map(|alpha_m| shape_of(points, &cells, &radii, *alpha_m)).collect())
}

/// The alpha shape of one ball; `radii`: of the circumscribed spheres, infinite outside the hull.
fn shape_of(points: &[DVec3], cells: &[Tetrahedron], radii: &[f64], alpha_m: f64) -> AlphaShape {
    // a ball of infinite radius finds the hull
    let solid: Vec<bool> = radii.iter().zip(cells).map(|(r, c)| !c.is_infinite() && *r <= alpha_m).collect();
    let outside = reached(points, cells, &solid, alpha_m);
    let mut shape = AlphaShape::default();
    for (k, cell) in cells.iter().enumerate().filter(|(k, _)| !outside[*k]) {
        let volume = volume(cell.vertex.map(|v| points[v as usize]));
        shape.volume_m3 += volume;
        shape.voids_m3 += if solid[k] { 0.0 } else { volume };
        for face in (0..4).filter(|face| outside[cell.neighbour[*face] as usize]) {
            let [a, b, c] = cell.face(face).map(|v| points[v as usize]);
            shape.area_m2 += 0.5 * (b - a).cross(c - a).length();
            shape.triangles.push(cell.face(face));
        }
    }
    shape
}

/// Tetrahedra that are not solid and that a ball reaches from infinity over others.
fn reached(points: &[DVec3], cells: &[Tetrahedron], solid: &[bool], alpha_m: f64) -> Vec<bool> {
    let mut outside: Vec<bool> = cells.iter().map(Tetrahedron::is_infinite).collect();
    let mut front: Vec<u32> = (0..cells.len() as u32).filter(|k| outside[*k as usize]).collect();
    while let Some(k) = front.pop() {
        for (face, next) in cells[k as usize].neighbour.into_iter().enumerate() {
            let at = next as usize;
            if !solid[at] && !outside[at] && lets_through(points, cells, [k, next], face, alpha_m) {
                outside[at] = true;
                front.push(next);
            }
        }
    }
    outside
}

/// True if a ball gets from a tetrahedron through its `face` to the neighbour. It cannot if its centre would come nearer to the
/// corners than its radius: halfway between two spheres larger than it, at the middle of the face's own sphere, which then
/// holds neither of the other corners.
fn lets_through(points: &[DVec3], cells: &[Tetrahedron], ends: [u32; 2], face: usize, alpha_m: f64) -> bool {
    let corners = cells[ends[0] as usize].face(face);
    if corners.contains(&INFINITE) {
        return true;
    }
    let [a, b, c] = corners.map(|v| points[v as usize]);
    let (u, v) = (b - a, c - a);
    let across = u.cross(v);
    let middle = (u.length_squared() * v.cross(across) + v.length_squared() * across.cross(u))
        / (2.0 * across.length_squared()).max(f64::MIN_POSITIVE);
    if middle.length_squared() > alpha_m * alpha_m {
        return true;
    }
    let others = ends.into_iter().flat_map(|end| cells[end as usize].vertex);
    let mut others = others.filter(|v| *v != INFINITE && !corners.contains(v)).map(|v| points[v as usize]);
    others.any(|p| p.distance_squared(a + middle) < middle.length_squared())
}

fn volume([a, b, c, d]: [DVec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a).abs() / 6.0
}

/// Radius of the sphere through four points (m); infinite if they are flat.
fn circumradius([a, b, c, d]: [DVec3; 4]) -> f64 {
    let [u, v, w] = [b, c, d].map(|p| p - a);
    let across = u.length_squared() * v.cross(w) + v.length_squared() * w.cross(u) + w.length_squared() * u.cross(v);
    let six_volumes = u.cross(v).dot(w).abs();
    if six_volumes > 0.0 { across.length() / (2.0 * six_volumes) } else { f64::INFINITY }
}
