//! Contacts with a surface as a snapshot shows them: forces of the last step, all else of the instant.

use super::footprint::footprints;
use super::ground::Ground;
use super::touch::{SurfaceTouch, normals, of_body};
use crate::model::body::Bodies;
use crate::model::snapshot::WallContact;
use crate::physics::laws::pairs::Laws;
use glam::DVec3;

/// Those of `touches`, sorted by (i, slot), that still touch; the surface is the wall of this number.
pub fn shown(
    ground: &Ground,
    laws: &Laws,
    bodies: &Bodies,
    position_m: &[DVec3],
    touches: &[SurfaceTouch],
    wall: u32,
) -> Vec<WallContact> {
    let mut list = vec![];
    for old in touches.chunk_by(|a, b| a.i == b.i) {
        let k = old[0].i as usize;
        let (radius, centre) = (bodies.radius_m[k], position_m[k]);
        let law = laws.of(bodies.material[k] as usize, ground.material);
        let now = footprints(ground.law, &ground.met(centre, radius), radius, &normals(of_body(touches, old[0].i)));
        for t in old {
            let print = now[t.slot as usize];
            if print.weight > 0.0 {
                list.push(WallContact {
                    body: t.i,
                    wall,
                    overlap_m: print.overlap,
                    force_n: t.result.force,
                    at_m: Some(centre - print.normal * (radius - print.overlap)),
                    torque_n_m: t.result.torque_i,
                    elastic_j: print.weight * law.energy(radius, print.overlap, t.overlap, &t.result.springs),
                });
            }
        }
    }
    list
}
