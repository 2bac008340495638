//! Contacts as lines between what touches, with force by its parts and status: the force chains of a frame.

use crate::base::error::Result;
use crate::base::steps::steps_until;
use crate::model::snapshot::{Contact, FrameState, Snapshot};
use crate::model::stored::resolved::{Resolved, Surface};
use crate::physics::contacts::effective_radius;
use crate::physics::laws::keys::adhesion_n;
use crate::physics::scales::cohesion_range_least_m;
use glam::DVec3;
use std::collections::BTreeMap;

/// Share of the friction limit from which a contact counts as sliding.
const SLIDING: f64 = 0.999;
/// Forces in f32 are exact to so much of themselves.
const EXACT: f64 = 1e-6;

/// A contact between two bodies, or a body and a wall.
#[derive(Debug, Clone, Copy)]
pub struct Link {
    /// from the centre of body i to that of j, or to the point on the wall (m)
    pub ends_m: [DVec3; 2],
    /// id of body i
    pub id_i: i64,
    /// id of body j; of wall w it is -1 - w
    pub id_j: i64,
    /// point of contact (m)
    pub point_m: DVec3,
    /// unit, from i to j
    pub normal: DVec3,
    /// on i (N)
    pub force_n: DVec3,
    /// compression positive (N)
    pub normal_force_n: f64,
    /// size of the tangential force (N)
    pub tangential_force_n: f64,
    /// between the surfaces; below zero they overlap (m)
    pub gap_m: f64,
    /// tangential force over its limit by Coulomb's law; `None` if the run's materials are not known, or the limit is zero
    pub mobilised: Option<f64>,
}

impl Link {
    /// The normal force pulls.
    pub fn tensile(&self) -> bool {
        self.normal_force_n < 0.0
    }

    /// Slides; `None` where friction is not known or has no limit.
    pub fn sliding(&self) -> Option<bool> {
        self.mobilised.map(|m| m >= SLIDING)
    }

    fn new(s: &Snapshot, c: &Contact, id_j: i64, far_end: DVec3) -> Link {
        let i = c.i as usize;
        Link {
            ends_m: [s.bodies.position_m[i], far_end],
            id_i: s.bodies.id[i].into(),
            id_j,
            point_m: c.point_m(&s.bodies),
            normal: c.normal,
            force_n: c.force_n,
            normal_force_n: c.normal_force_n(),
            tangential_force_n: c.tangential_force_n().length(),
            gap_m: -c.overlap_m,
            mobilised: None,
        }
    }

    /// The contact as it is in inertial space; `pose`: of the axes that it was found in.
    fn turned(self, pose: &FrameState) -> Link {
        Link {
            ends_m: self.ends_m.map(|p| pose.outside_m(p)),
            point_m: pose.outside_m(self.point_m),
            normal: pose.orientation * self.normal,
            force_n: pose.orientation * self.force_n,
            ..self
        }
    }

    /// Share of the limit mu (N + cohesion) that the tangential force takes up. `radius_m`: effective; `coheres`: the
    /// shortest range of the force of cohesion of contact dynamics (m), once it acts.
    fn mobilise(&mut self, pair: &Surface, radius_m: f64, coheres: Option<f64>) {
        let of_area_n = adhesion_n(pair.cohesion_pa, pair.shape_parameter, radius_m);
        let acts = coheres.is_some_and(|least_m| self.gap_m <= pair.cohesion_range_m.max(least_m));
        let cohesion_n = of_area_n + if acts { pair.cohesion_force_n } else { 0.0 };
        // All of the pull that cohesion has: what is left to press is rounding.
        let push_n = Some(self.normal_force_n + cohesion_n).filter(|push_n| *push_n > EXACT * cohesion_n);
        let limit_n = push_n.map(|push_n| pair.friction_sliding * push_n).filter(|limit_n| *limit_n > 0.0);
        self.mobilised = limit_n.map(|limit_n| self.tangential_force_n / limit_n);
    }
}

/// Mean size of the forces of chains (N); 0 without any.
pub fn mean_force_n(chains: &[Chain]) -> f64 {
    chains.iter().map(|chain| chain.normal_force_n.abs()).sum::<f64>() / chains.len().max(1) as f64
}

/// What two bodies, or a body and a wall, exert on each other through all of their contacts: polyhedra meet at several points.
#[derive(Debug, Clone, Copy)]
pub struct Chain {
    /// from the centre of a body to that of the other, or to the point on the wall, the mean by force (m)
    pub ends_m: [DVec3; 2],
    /// sum of the normal forces, compression positive (N)
    pub normal_force_n: f64,
    /// sum of their sizes (N)
    size_n: f64,
}

impl Chain {
    /// It pulls.
    pub fn tensile(&self) -> bool {
        self.normal_force_n < 0.0
    }

    fn add(&mut self, link: &Link) {
        let size_n = link.normal_force_n.abs();
        self.normal_force_n += link.normal_force_n;
        self.size_n += size_n;
        if size_n > 0.0 {
            self.ends_m[1] += size_n / self.size_n * (link.ends_m[1] - self.ends_m[1]);
        }
    }
}

/// One line between what touches, however many points it touches at, in the order of the first.
pub fn chains(links: &[Link]) -> Vec<Chain> {
    let (mut number, mut chains) = (BTreeMap::new(), vec![]);
    for link in links {
        let k = *number.entry((link.id_i, link.id_j)).or_insert(chains.len());
        if k == chains.len() {
            chains.push(Chain { ends_m: link.ends_m, normal_force_n: 0.0, size_n: 0.0 });
        }
        chains[k].add(link);
    }
    chains
}

/// True if the force of cohesion acted in the last step before the instant `s`: from the first step at `from_s` or after it on.
fn coheres(s: &Snapshot, from_s: f64) -> bool {
    from_s == 0.0 || steps_until(from_s, s.time_s / s.step as f64) < s.step
}

/// All contacts of a frame that carry force, in its own axes or as they are in inertial space. `s`: in its own axes, in which
/// the normals of walls are given. `resolved`: materials and walls of the run; without it contacts with walls, whose planes are
/// not in frames, are left out.
pub fn force_chains(s: &Snapshot, resolved: Option<&Resolved>, inertial: bool) -> Result<Vec<Link>> {
    let links = in_own_axes(s, resolved)?;
    Ok(match s.frame.filter(|_| inertial) {
        Some(pose) => links.into_iter().map(|link| link.turned(&pose)).collect(),
        None => links,
    })
}

fn in_own_axes(s: &Snapshot, resolved: Option<&Resolved>) -> Result<Vec<Link>> {
    let mut links = vec![];
    let acts = resolved.is_some_and(|run| coheres(s, run.method.cohesion_from_s));
    let coheres = acts.then(|| cohesion_range_least_m(&s.bodies));
    for c in s.contacts.iter().filter(|c| c.force_n != DVec3::ZERO) {
        let [i, j] = [c.i, c.j].map(|k| k as usize);
        let mut link = Link::new(s, c, s.bodies.id[j].into(), s.bodies.position_m[j]);
        if let Some(run) = resolved {
            let radius = effective_radius(s.bodies.radius_m[i], s.bodies.radius_m[j]);
            let [a, b] = [s.bodies.material[i], s.bodies.material[j]];
            let pair = run.pair(run.material(a)?, run.material(b)?);
            link.mobilise(&pair, radius, coheres);
        }
        links.push(link);
    }
    let Some(run) = resolved else { return Ok(links) };
    for c in s.wall_contacts.iter().filter(|c| c.force_n != DVec3::ZERO) {
        let (k, (normal, material)) = (c.body as usize, run.touched(c, &s.bodies)?);
        // As a contact with a body j beyond the wall.
        let as_pair =
            Contact { i: c.body, overlap_m: c.overlap_m, normal: -normal, force_n: c.force_n, ..Contact::default() };
        let point = c.point_m(&s.bodies, normal);
        let mut link = Link { point_m: point, ..Link::new(s, &as_pair, -1 - i64::from(c.wall), point) };
        let pair = run.pair(run.material(s.bodies.material[k])?, run.material(material)?);
        link.mobilise(&pair, s.bodies.radius_m[k], coheres);
        links.push(link);
    }
    Ok(links)
}
