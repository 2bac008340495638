//! Contacts of a state that has not taken a step, which every engine shows at step 0: what a pile that starts in contact
//! rests on, and what its springs hold.

use super::contacts::{Moving, Touch, effective_radius, touch_listed, touch_walls};
use super::laws::contact::Springs;
use super::laws::pairs::Laws;
use super::surface::ground::Ground;
use super::surface::shown::shown;
use super::surface::touch::touch_surface;
use crate::geometry::narrow::common_plane::Link;
use crate::geometry::narrow::contact::contact;
use crate::geometry::narrow::manifold::POINTS;
use crate::geometry::touching::{TOUCH_TOLERANCE, touching_pairs};
use crate::model::body::{Bodies, Polyhedra};
use crate::model::placed::placed;
use crate::model::scenario::Wall;
use crate::model::snapshot::{Contact, WallContact};
use glam::DVec3;

/// Contacts between bodies, and with walls.
pub(crate) type Contacts = (Vec<Contact>, Vec<WallContact>);

/// Contacts of soft spheres at the start: forces as the first step will use them, and energies of springs that are
/// still relaxed except for the overlap. The surface of an asteroid is the wall after all others.
pub(crate) fn soft(laws: &Laws, bodies: &Bodies, walls: &[Wall], ground: Option<&Ground>, dt_s: f64) -> Contacts {
    let moving: Vec<Moving> = (0..bodies.len()).map(|k| Moving::at_start(bodies, k)).collect();
    let near = touching_pairs(&bodies.position_m, &bodies.radius_m, 0.0);
    let pairs = touch_listed(near, laws, bodies, &moving, &[], dt_s);
    let at_walls = touch_walls(laws, bodies, walls, &moving, &[], (0, dt_s));
    let contacts = pairs.iter().filter(|t| t.overlap > 0.0).map(|t| of_pair(laws, bodies, t)).collect();
    let mut wall_contacts: Vec<_> = at_walls.iter().map(|t| of_wall(laws, bodies, walls, t)).collect();
    if let Some(ground) = ground {
        let mut touches = touch_surface(ground, laws, bodies, &moving, &[], dt_s);
        touches.iter_mut().for_each(|t| t.result.springs = Springs::default());
        wall_contacts.extend(shown(ground, laws, bodies, &bodies.position_m, &touches, walls.len() as u32));
    }
    wall_contacts.sort_by_key(|c| (c.body, c.wall));
    (contacts, wall_contacts)
}

fn of_pair(laws: &Laws, bodies: &Bodies, t: &Touch) -> Contact {
    let (a, b) = (t.i as usize, t.j as usize);
    let law = laws.of(bodies.material[a] as usize, bodies.material[b] as usize);
    let radius = effective_radius(bodies.radius_m[a], bodies.radius_m[b]);
    Contact {
        i: t.i,
        j: t.j,
        overlap_m: t.overlap,
        normal: (bodies.position_m[b] - bodies.position_m[a]).normalize(),
        force_n: t.result.force,
        torque_i_n_m: t.result.torque_i,
        torque_j_n_m: t.result.torque_j,
        elastic_j: law.energy(radius, t.overlap, t.overlap, &Springs::default()),
        ..Contact::default()
    }
}

fn of_wall(laws: &Laws, bodies: &Bodies, walls: &[Wall], t: &Touch) -> WallContact {
    let (k, wall) = (t.i as usize, &walls[t.j as usize]);
    let law = laws.of(bodies.material[k] as usize, wall.material);
    let (normal, height) = wall.facing(bodies.position_m[k], 0.0);
    WallContact {
        body: t.i,
        wall: t.j,
        overlap_m: t.overlap,
        force_n: t.result.force,
        at_m: wall.block.map(|_| bodies.position_m[k] - height * normal),
        torque_n_m: t.result.torque_i,
        elastic_j: law.energy(bodies.radius_m[k], t.overlap, t.overlap, &Springs::default()),
    }
}

/// Contacts of rigid bodies at the start: what touches, without forces, since these are impulses of steps and none has
/// been taken.
pub(crate) fn rigid(bodies: &Bodies, walls: &[Wall]) -> Contacts {
    let near = touching_pairs(&bodies.position_m, &bodies.radius_m, TOUCH_TOLERANCE);
    let contacts = match &bodies.polyhedra {
        None => near.into_iter().map(|(i, j)| of_spheres(bodies, i, j)).collect(),
        Some(p) => near.into_iter().flat_map(|(i, j)| of_polyhedra(bodies, p, i, j)).collect(),
    };
    let all = (0..bodies.len()).flat_map(|k| (0..walls.len()).map(move |w| (k, w)));
    (contacts, all.flat_map(|(k, w)| at_wall(bodies, k, w, &walls[w])).collect())
}

fn of_spheres(bodies: &Bodies, i: u32, j: u32) -> Contact {
    let (a, b) = (i as usize, j as usize);
    let d = bodies.position_m[b] - bodies.position_m[a];
    let overlap_m = bodies.radius_m[a] + bodies.radius_m[b] - d.length();
    Contact { i, j, overlap_m, normal: d.try_normalize().unwrap_or(DVec3::X), ..Contact::default() }
}

fn of_polyhedra(bodies: &Bodies, p: &Polyhedra, i: u32, j: u32) -> Vec<Contact> {
    let (a, b) = (i as usize, j as usize);
    let reach_m = TOUCH_TOLERANCE * bodies.radius_m[a].min(bodies.radius_m[b]);
    let normal = (bodies.position_m[a] - bodies.position_m[b]).try_normalize().unwrap_or(DVec3::X);
    let [own, others] = [a, b].map(|k| placed(p, k, bodies.position_m[k]));
    let parts = own.iter().flat_map(|x| others.iter().map(move |y| (x, y)));
    let found = parts.filter_map(|(x, y)| contact(x, y, Link { normal, corners: vec![] }, reach_m, POINTS as usize).0);
    found
        .flat_map(|m| {
            let point = move |q: &crate::geometry::narrow::points::Point| Contact {
                i,
                j,
                overlap_m: -q.gap_m,
                normal: -m.normal,
                at_m: Some(q.position_m),
                kind: m.kind,
                ..Contact::default()
            };
            m.points.iter().filter(|q| q.gap_m <= reach_m).map(point).collect::<Vec<_>>()
        })
        .collect()
}

/// A sphere where it is closest, a polyhedron at its lowest corners.
fn at_wall(bodies: &Bodies, k: usize, number: usize, wall: &Wall) -> Vec<WallContact> {
    let (position, radius) = (bodies.position_m[k], bodies.radius_m[k]);
    let touch = |overlap_m: f64, at_m: Option<DVec3>| WallContact {
        body: k as u32,
        wall: number as u32,
        overlap_m,
        at_m,
        ..WallContact::default()
    };
    let (normal, height) = wall.facing(position, 0.0);
    let mut list = match &bodies.polyhedra {
        None => vec![touch(radius - height, wall.block.map(|_| position - height * normal))],
        Some(p) => p.corners_m(k, position).map(|c| touch(-wall.height_m(c, 0.0), Some(c))).collect(),
    };
    list.retain(|c| c.overlap_m >= -TOUCH_TOLERANCE * radius);
    list.sort_by(|a, b| b.overlap_m.total_cmp(&a.overlap_m));
    list.truncate(POINTS as usize);
    list
}
