//! The walls that stand in a frame, as polygons about its bodies.

use super::vtp::{Array, Cells, PolyData};
use crate::base::error::Result;
use crate::model::stored::resolved::Resolved;
use crate::render::scene::{Frame, Quantity};
use crate::render::walls::{polygons, standing};
use std::path::Path;

/// Walls of a run in a frame, in its own axes or as they are in inertial space; none without bodies, or without walls.
pub(super) fn walls(resolved: &Resolved, frame: &Path, inertial: bool) -> Result<Option<PolyData>> {
    if resolved.walls.is_empty() {
        return Ok(None);
    }
    let frame = Frame::read_any(frame, &Quantity::None, inertial)?;
    if frame.bodies.is_empty() {
        return Ok(None);
    }
    let standing = standing(&resolved.walls, &frame);
    let (mut points, mut faces, mut of_wall, mut of_material) = (vec![], vec![], vec![], vec![]);
    for polygon in polygons(&standing, &frame, frame.field()?) {
        let (wall, first) = (polygon.wall, points.len() as u32);
        faces.push((first..first + polygon.corners_m.len() as u32).collect());
        points.extend(polygon.corners_m);
        of_wall.extend(resolved.walls.iter().position(|w| w.name == wall.name).map(|k| k as u32));
        of_material.push(wall.material);
    }
    let names = resolved.walls.iter().map(|w| w.name.clone()).collect();
    Ok(Some(PolyData {
        time_s: frame.time_s,
        names: vec![("wall_names", names), ("material_names", resolved.material_names())],
        points,
        cells: Cells::Polys(faces),
        point_data: vec![],
        cell_data: vec![Array::counts("wall", of_wall.into_iter()), Array::counts("material", of_material.into_iter())],
    }))
}
