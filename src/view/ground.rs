//! What the page draws besides bodies: the asteroid and the walls.

use super::blocks::Blocks;
use super::run::{At, Run};
use crate::base::error::{Error, Result};
use crate::render::scene::Quantity;
use crate::render::walls;
use serde_json::json;

/// The surface of the asteroid in its own axes; an error if the run has none.
pub fn surface(run: &Run) -> Result<Vec<u8>> {
    let given = run.given()?;
    let asteroid = given.asteroid.as_ref().ok_or_else(|| Error::Usage("the run has no asteroid".into()))?;
    let surface = &asteroid.surface;
    Blocks::about(json!({ "name": surface.name, "radius_m": surface.radius_m() }))
        .floats("corner", surface.vertices_m.iter().flat_map(|v| v.as_vec3().to_array()))
        .whole("triangle", surface.triangles.iter().flatten().copied())
        .into_bytes()
}

/// The walls that stand in a frame, as polygons about the bodies (m); none without bodies.
pub fn plates(run: &Run, at: At) -> Result<String> {
    let frame = run.read(at, &Quantity::None)?;
    if frame.bodies.is_empty() {
        return Ok("[]".to_owned());
    }
    let given = run.given()?;
    let standing = walls::standing(given.walls(), &frame);
    let plates = walls::polygons(&standing, &frame, frame.field()?);
    let corners = |list: &[glam::DVec3]| list.iter().map(|p| p.to_array()).collect::<Vec<_>>();
    let list: Vec<_> =
        plates.iter().map(|p| json!({ "name": p.wall.name, "corners": corners(&p.corners_m) })).collect();
    Ok(json!(list).to_string())
}
