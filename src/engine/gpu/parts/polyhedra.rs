//! Polyhedra as the passes read them (`wgsl/contact_dynamics/shape.wgsl`): an element a part, and points, faces and sides of
//! all shapes in one array.

use super::{Fill, Part};
use crate::base::error::Result;
use crate::base::units::Units;
use crate::geometry::direction_cells::{DirectionCells, LISTED_MAX};
use crate::geometry::polyhedron::ConvexPolyhedron;
use crate::gpu::buffer_table::Counts;
use crate::gpu::constants::SIDES_MAX;
use crate::gpu::elements::body::{BodyState, BodyView, Orientation};
use crate::gpu::elements::shape::ShapePart;
use crate::model::body::{Bodies, Polyhedra};
use crate::model::scenario::Scenario;

/// Corner points and edges of a shape at most: names of features have 10 bits for each.
const FEATURES_MAX: usize = 1024;

/// Contents of `shape_part`, `shape_data` and `body_part`. Rows are bodies in memory order, each with its first part, and
/// behind them the further parts of clumps, body by body.
#[derive(Debug, Default)]
pub struct ShapeTables {
    /// a part each
    pub part: Vec<ShapePart>,
    /// of all shapes
    pub data: Vec<[u32; 4]>,
    /// index of the body of every row behind the bodies
    pub leader: Vec<u32>,
    /// of every row (L)
    pub radius: Vec<f32>,
}

/// Makes room for the parts of all bodies and the data of their shapes.
pub(crate) fn counts(bodies: &Bodies, counts: Counts) -> Counts {
    let Some(p) = &bodies.polyhedra else { return counts };
    let rows = |s: &ConvexPolyhedron| {
        let corners = s.vertices_m.len();
        let sides = s.faces.iter().map(|f| f.vertices.len()).sum::<usize>();
        corners + 2 * s.faces.len() + sides + DirectionCells::for_corners(corners).count()
    };
    let data = p.shapes.iter().flat_map(|s| &s.parts).map(rows).sum::<usize>();
    counts.with_polyhedra(part_count(bodies), data as u64)
}

/// Convex parts of all bodies; a sphere is one.
pub(crate) fn part_count(bodies: &Bodies) -> u64 {
    let parts = |p: &Polyhedra| p.shape.iter().map(|s| p.shapes[*s as usize].parts.len() as u64).sum();
    bodies.polyhedra.as_ref().map_or(bodies.len() as u64, parts)
}

/// The key of the group whose bodies have a shape; of all groups where they hold other numbers of bodies than typed.
fn key_of(scenario: &Scenario, p: &Polyhedra, shape: usize) -> String {
    let body = p.shape.iter().position(|s| *s as usize == shape);
    let counts = scenario.bodies.iter().map(|group| group.generator.count());
    let ends = counts.scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    let ends: Vec<usize> = ends.collect();
    let whole = ends.last() == Some(&p.shape.len());
    let group = body.filter(|_| whole).and_then(|body| ends.iter().position(|end| body < *end));
    group.map_or("bodies".to_owned(), |group| format!("bodies.{group}.shape"))
}

/// Refuses shapes that the passes cannot hold.
pub(crate) fn refuse(scenario: &Scenario, p: &Polyhedra) -> Result<()> {
    for (k, s) in p.shapes.iter().enumerate().flat_map(|(k, s)| s.parts.iter().map(move |part| (k, part))) {
        let sides = s.faces.iter().map(|f| f.vertices.len()).max().unwrap_or(0);
        let features = s.vertices_m.len().max(s.edges.len());
        if sides > SIDES_MAX as usize {
            let what = format!("has a face of {sides} sides, more than {SIDES_MAX}");
            return Err(scenario.fault(&key_of(scenario, p, k), what, "use fewer points around it").into());
        }
        if features >= FEATURES_MAX {
            let (points, edges) = (s.vertices_m.len(), s.edges.len());
            let what = format!("has {points} points and {edges} edges; fewer than {FEATURES_MAX} are possible");
            return Err(scenario.fault(&key_of(scenario, p, k), what, "remove points").into());
        }
    }
    Ok(())
}

impl ShapeTables {
    /// Tables of polyhedra in memory order; empty for spheres.
    pub(crate) fn of(bodies: &Bodies, order: &[u32], units: &Units) -> ShapeTables {
        bodies.polyhedra.as_ref().map_or_else(ShapeTables::default, |p| ShapeTables::new(p, order, units))
    }

    /// Tables of the bodies in memory order.
    pub(crate) fn new(p: &Polyhedra, order: &[u32], units: &Units) -> ShapeTables {
        let mut tables = ShapeTables::default();
        let starts: Vec<Vec<ShapePart>> =
            p.shapes.iter().map(|s| s.parts.iter().map(|part| tables.add(part, units)).collect()).collect();
        let shape = |index: usize| p.shape[order[index] as usize] as usize;
        let firsts = (0..order.len()).map(|index| (index, 0));
        let further = (0..order.len()).flat_map(|index| (1..starts[shape(index)].len()).map(move |part| (index, part)));
        tables.leader = further.clone().map(|(index, _)| index as u32).collect();
        for (index, part) in firsts.chain(further) {
            // on the grid of radii, which heights above planes are exact in
            let radius = units.radius(p.shapes[shape(index)].parts[part].radius_m);
            tables.radius.push(radius);
            tables.part.push(ShapePart { radius, ..starts[shape(index)][part] });
        }
        tables
    }

    /// First of the further parts of each body, and their number.
    pub(crate) fn part_offsets(&self) -> Vec<u32> {
        let bodies = self.part.len() - self.leader.len();
        (0..=bodies as u32).map(|b| self.leader.partition_point(|l| *l < b) as u32).collect()
    }

    /// Appends the rows behind the bodies to what the bodies have, and marks the parts of clumps.
    pub(crate) fn extend(&self, state: &mut Vec<BodyState>, view: &mut Vec<BodyView>, turn: &mut Vec<Orientation>) {
        view.iter_mut().zip(&self.radius).for_each(|(view, radius)| view.radius = *radius);
        let bodies = self.part.len() - self.leader.len();
        for (k, &leader) in self.leader.iter().enumerate() {
            let l = leader as usize;
            view[l].clump_or_room = leader + 1;
            view.push(BodyView { radius: self.radius[bodies + k], ..view[l] });
            state.push(state[l]);
            turn.push(turn[l]);
        }
    }

    /// Appends a shape; where it is, but for its radius.
    fn add(&mut self, s: &ConvexPolyhedron, units: &Units) -> ShapePart {
        let length = |m: f64| ((m / units.length_m) as f32).to_bits();
        let points = self.data.len() as u32;
        let faces = points + s.vertices_m.len() as u32;
        let sides = faces + 2 * s.faces.len() as u32;
        let around = faces_around(s);
        let mut first = sides;
        self.data.extend(s.vertices_m.iter().zip(&around).map(|(v, around)| {
            let [x, y, z] = v.to_array().map(length);
            first += around.len() as u32;
            [x, y, z, first - around.len() as u32]
        }));
        let mut side = sides;
        for f in &s.faces {
            let [x, y, z] = f.normal.as_vec3().to_array().map(f32::to_bits);
            let count = f.vertices.len() as u32;
            self.data.extend([[x, y, z, length(f.offset_m)], [side, count, 0, 0]]);
            side += count;
        }
        let named = around
            .iter()
            .flat_map(|a| a.iter().enumerate().map(|(k, f)| (faces + 2 * f, if k == 0 { a.len() } else { 0 })));
        let edges = s.faces.iter().flat_map(|f| f.vertices.iter().zip(&f.edges));
        self.data.extend(edges.zip(named).map(|((v, e), (face, count))| [*v, *e, face, count as u32]));
        let first_cell = self.data.len() as u32;
        let cells = DirectionCells::for_corners(s.vertices_m.len());
        self.data.extend((0..cells.count()).map(|cell| listed(&cells.farthest(cell, &s.vertices_m))));
        ShapePart {
            first_cell,
            cells_across: cells.across,
            first_point: points,
            point_count: s.vertices_m.len() as u32,
            first_face: faces,
            face_count: s.faces.len() as u32,
            ..ShapePart::default()
        }
    }
}

/// The row of a cell of directions: its corners, the last of them repeated; all bits where they are too many.
fn listed(corners: &[u32]) -> [u32; 4] {
    if corners.len() > LISTED_MAX {
        return [u32::MAX; 4];
    }
    let at = |k: usize| corners[k.min(corners.len() - 1)];
    std::array::from_fn(|word| at(2 * word) | at(2 * word + 1) << 16)
}

/// Faces around each corner of a shape.
fn faces_around(s: &ConvexPolyhedron) -> Vec<Vec<u32>> {
    let mut around = vec![vec![]; s.vertices_m.len()];
    for (k, face) in s.faces.iter().enumerate() {
        face.vertices.iter().for_each(|v| around[*v as usize].push(k as u32));
    }
    around
}

impl Part for ShapeTables {
    fn fill(&self, to: &Fill) -> Result<()> {
        to.write("shape_part", &self.part)?;
        to.write("shape_data", &self.data)?;
        if self.part.is_empty() { Ok(()) } else { to.write("body_part", &self.part_offsets()) }
    }
}
