//! A surface over a grid of latitudes and longitudes (Song et al. 2024, eq. 5 and Fig. 6b): the radius of a star-shaped body
//! along the directions of the grid. It is not the body that it was: what changes is measured.

use super::Mesh;
use super::measure::Measures;
use crate::base::error::{Error, Result};
use crate::geometry::facet_tree::FacetTree;
use crate::geometry::loops::Loops;
use crate::geometry::mass::moments;
use crate::geometry::surface::Surface;
use glam::DVec3;
use serde::Serialize;
use std::f64::consts::PI;

/// Rows of latitude at most: 2 n (n - 1) faces twice, within what counts of 32 bits hold.
const ROWS_MAX: f64 = 4096.0;

/// How far the new surface is from the old one.
#[derive(Debug, Clone, Serialize)]
pub struct Change {
    /// new over old volume, less 1
    pub volume: f64,
    /// way of the mass centre, in units of the file
    pub centre: f64,
    /// new over old principal moments of inertia, largest first, less 1
    pub inertia: [f64; 3],
    /// largest difference of radius, at vertices of the old and faces of the new, in units of the file
    pub radius: f64,
}

/// The radius of a surface by direction, from its mass centre.
struct Radii {
    tree: FacetTree,
    centre: DVec3,
}

impl Radii {
    fn new(mesh: &Mesh) -> Radii {
        let surface = Surface::of_mesh(mesh);
        Radii { tree: FacetTree::new(&surface), centre: surface.origin_m }
    }

    /// Along a unit vector; the face that it passes most clearly, since a ray through a side may miss both by rounding.
    fn along(&self, d: DVec3) -> f64 {
        let (mut best, mut radius) = (f64::NEG_INFINITY, f64::NAN);
        self.tree.boxes.walk(
            |n| meets(n.low, n.high, d),
            |k| {
                let [a, b, c] = self.tree.corners_m[k];
                let across = (b - a).cross(c - a);
                let [u, v, w] = [b.cross(c).dot(d), c.cross(a).dot(d), a.cross(b).dot(d)];
                let clear = u.min(v).min(w) / (u + v + w).abs();
                if u + v + w > 0.0 && clear > best {
                    (best, radius) = (clear, a.dot(across) / d.dot(across));
                }
            },
        );
        radius
    }
}

/// The half line from the origin meets a box, widened by what rounding may hide.
fn meets(low: DVec3, high: DVec3, d: DVec3) -> bool {
    let slack = 1e-9 * low.abs().max(high.abs()).max_element();
    let (mut enter, mut leave) = (0.0f64, f64::INFINITY);
    for k in 0..3 {
        let ends = [(low[k] - slack) / d[k], (high[k] + slack) / d[k]];
        if d[k] != 0.0 {
            enter = enter.max(ends[0].min(ends[1]));
            leave = leave.min(ends[0].max(ends[1]));
        } else if low[k] > slack || high[k] < -slack {
            return false;
        }
    }
    enter <= leave
}

/// The surface with a vertex at each pole and every `step_deg` of latitude and longitude about the mass centre; refuses a body
/// that its mass centre does not see from inside.
pub fn lat_lon(mesh: &Mesh, step_deg: f64) -> Result<Mesh> {
    let rows = (180.0 / step_deg).round();
    if !(2.0..=ROWS_MAX).contains(&rows) || (rows * step_deg - 180.0).abs() > 1e-9 * 180.0 {
        return Err(Error::Usage(format!(
            "--lat-lon {step_deg}: 180 degrees must be 2 to {ROWS_MAX} whole steps, as with 1 or 0.5"
        )));
    }
    let centre = moments(&mesh.vertices_m, mesh.faces.iter()).centre_m;
    let turned_away = mesh.faces.triangles().find(|(_, t)| {
        let [a, b, c] = t.map(|v| mesh.vertices_m[v as usize] - centre);
        a.dot(b.cross(c)) <= 0.0
    });
    if let Some((face, _)) = turned_away {
        let what = "the face turns away from the mass centre: a ray meets the surface twice, so latitude and longitude do \
                    not name one point";
        return Err(mesh.face_fault(face, what).remedy("take the surface as it is").data());
    }
    let radii = Radii::new(mesh);
    let (directions, faces) = grid(rows as u32);
    let vertices_m: Vec<DVec3> = directions.into_iter().map(|d| radii.centre + radii.along(d) * d).collect();
    if let Some(lost) = vertices_m.iter().position(|v| !v.is_finite()) {
        let what = format!("has no face in direction {} of the grid", lost + 1);
        return Err(mesh.fault(what).remedy("`breccia mesh check` lists the defects of the surface").data());
    }
    Ok(Mesh { name: mesh.name.clone(), vertices_m, faces, ..Mesh::default() })
}

/// Directions every 180/n degrees, poles first and last, and the triangles between them.
fn grid(rows: u32) -> (Vec<DVec3>, Loops) {
    let round = 2 * rows;
    let mut points = vec![DVec3::Z];
    for (row, k) in (1..rows).flat_map(|row| (0..round).map(move |k| (row, k))) {
        let [down, east] = [row, k].map(|n| PI * f64::from(n) / f64::from(rows));
        points.push(DVec3::new(down.sin() * east.cos(), down.sin() * east.sin(), down.cos()));
    }
    points.push(-DVec3::Z);
    let last = points.len() as u32 - 1;
    let at = |row: u32, k: u32| match row {
        0 => 0,
        row if row == rows => last,
        row => 1 + (row - 1) * round + k % round,
    };
    let mut faces = Loops::default();
    for (row, k) in (0..rows).flat_map(|row| (0..round).map(move |k| (row, k))) {
        let [a, b, c, d] = [at(row, k), at(row + 1, k), at(row + 1, k + 1), at(row, k + 1)];
        if b != c {
            faces.push(&[a, b, c]);
        }
        if a != d {
            faces.push(&[a, c, d]);
        }
    }
    (points, faces)
}

/// What became of a surface.
pub fn change(old: &Mesh, new: &Mesh) -> Change {
    let [a, b] = [old, new].map(Measures::of);
    let [before, after] = [old, new].map(Radii::new);
    // radii of both from the old mass centre
    let of_new = |p: DVec3| {
        let d = (p - before.centre).normalize();
        (before.along(d) - p.distance(before.centre)).abs()
    };
    let of_old = |p: DVec3| {
        let d = (p - after.centre).normalize();
        (after.along(d) - p.distance(after.centre)).abs()
    };
    let middles =
        new.faces.triangles().map(|(_, t)| t.iter().map(|v| new.vertices_m[*v as usize]).sum::<DVec3>() / 3.0);
    let corners = old.faces.corners().iter().map(|v| old.vertices_m[*v as usize]);
    Change {
        volume: b.volume_m3 / a.volume_m3 - 1.0,
        centre: a.centre_m.distance(b.centre_m),
        inertia: std::array::from_fn(|k| b.inertia_m5[k] / a.inertia_m5[k] - 1.0),
        radius: middles.map(of_new).chain(corners.map(of_old)).fold(0.0, f64::max),
    }
}
