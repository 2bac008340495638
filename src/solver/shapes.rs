//! Polyhedra as the passes read them (`wgsl/shared/shape.wgsl`): two rows a body, and points, faces and sides of all
//! shapes in one array.

use crate::body::Polyhedra;
use crate::error::{Error, Result};
use crate::shape::polyhedron::ConvexPolyhedron;
use crate::units::Units;

/// Sides of a face at most: a face clipped by another has at most twice as many corners, and the pass holds 24.
const SIDES_MAX: usize = 12;
/// Corner points and edges of a shape at most: names of features have 10 bits for each.
const FEATURES_MAX: usize = 1024;

/// Contents of `shape_row` and `shape_data`.
#[derive(Debug, Default)]
pub struct ShapeTables {
    /// two a body, in memory order
    pub row: Vec<[u32; 4]>,
    /// of all shapes
    pub data: Vec<[u32; 4]>,
}

/// Rows that the shapes take.
pub(crate) fn data_rows(p: &Polyhedra) -> u64 {
    let of = |s: &ConvexPolyhedron| {
        s.vertices_m.len() + 2 * s.faces.len() + s.faces.iter().map(|f| f.vertices.len()).sum::<usize>()
    };
    p.shapes.iter().map(of).sum::<usize>() as u64
}

/// Refuses shapes that the passes cannot hold.
pub(super) fn refuse(name: &str, p: &Polyhedra) -> Result<()> {
    for (k, s) in p.shapes.iter().enumerate() {
        let sides = s.faces.iter().map(|f| f.vertices.len()).max().unwrap_or(0);
        let features = s.vertices_m.len().max(s.edges.len());
        if sides > SIDES_MAX {
            return Err(Error::Usage(format!(
                "{name}: bodies.shape: shape {k} has a face of {sides} sides, at most {SIDES_MAX} are taken; use fewer points around it"
            )));
        }
        if features >= FEATURES_MAX {
            return Err(Error::Usage(format!(
                "{name}: bodies.shape: shape {k} has {} points and {} edges, fewer than {FEATURES_MAX} are taken; thin it out",
                s.vertices_m.len(),
                s.edges.len()
            )));
        }
    }
    Ok(())
}

impl ShapeTables {
    /// Tables of the bodies in memory order.
    pub(crate) fn new(p: &Polyhedra, order: &[u32], units: &Units) -> ShapeTables {
        let mut tables = ShapeTables::default();
        let starts: Vec<[u32; 4]> = p.shapes.iter().map(|s| tables.add(s, units)).collect();
        for &k in order {
            let shape = p.shape[k as usize] as usize;
            // on the grid of radii, which heights above planes are exact in
            let radius = units.radius(p.shapes[shape].radius_m);
            tables.row.extend([starts[shape], [radius.to_bits(), 0, 0, 0]]);
        }
        tables
    }

    /// Appends a shape; first point, how many, first face, how many.
    fn add(&mut self, s: &ConvexPolyhedron, units: &Units) -> [u32; 4] {
        let length = |m: f64| ((m / units.length_m) as f32).to_bits();
        let points = self.data.len() as u32;
        self.data.extend(s.vertices_m.iter().map(|v| {
            let [x, y, z] = v.to_array().map(length);
            [x, y, z, 0]
        }));
        let faces = self.data.len() as u32;
        let mut side = faces + 2 * s.faces.len() as u32;
        for f in &s.faces {
            let [x, y, z] = f.normal.as_vec3().to_array().map(f32::to_bits);
            let count = f.vertices.len() as u32;
            self.data.extend([[x, y, z, length(f.offset_m)], [side, count, 0, 0]]);
            side += count;
        }
        for f in &s.faces {
            let sides = f.vertices.iter().zip(&f.edges);
            self.data.extend(sides.map(|(v, e)| [*v, *e, 0, 0]));
        }
        [points, s.vertices_m.len() as u32, faces, s.faces.len() as u32]
    }
}
