//! All that was asked about one frame: numbers for people and programs, arrays and pictures for files.

use super::envelope::{Envelope, automatic_alpha_m, automatic_points, envelope};
use super::fabric::fabric;
use super::orbit::{Orbit, orbit};
use super::rotation::{Rotation, rotation};
use super::stress::{Region, Stress, members, moments_n_m, stress};
use super::velocity::Plane;
use crate::base::disk;
use crate::base::eigen::principal;
use crate::base::error::{Error, Result};
use crate::base::fault::Fault;
use crate::model::snapshot::{Snapshot, WallContact};
use crate::model::stored::arrays::save;
use crate::model::stored::frames::analysis_of;
use crate::model::stored::resolved::Resolved;
use crate::physics::measure::aggregates::{Aggregate, aggregates, alone, ranks};
use crate::physics::measure::links::TOLERANCE;
use crate::record::files::recorded::Recorded;
use glam::{DMat3, DVec3};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What to measure, and how; `None` where a value follows from the bodies.
#[derive(Debug, Clone)]
pub struct Options {
    /// largest gap of touching bodies (mean radius); `None`: contacts that carry force, or 0.01 without contacts
    pub tolerance: Option<f64>,
    /// smallest number of bodies of an aggregate that is listed
    pub minimum: usize,
    /// smallest number of bodies of a cluster
    pub cluster_minimum: usize,
    /// the aggregate that shape, stress and velocity are of, 0 for the heaviest; `None`: all bodies
    pub aggregate: Option<usize>,
    /// radii of the balls of the alpha shape (m), `None` for the automatic one, which there is without any
    pub alpha_m: Vec<Option<f64>>,
    /// points on each body
    pub points: Option<usize>,
    /// share of the most strained bodies (percent)
    pub top_percent: f64,
    /// share of the tensile strength that counts as pressure
    pub strength_share: f64,
    /// where stress is averaged
    pub region: Region,
    /// plane of the velocity field
    pub plane: Plane,
    /// reach of the kernel of the velocity field (m)
    pub reach_m: Option<f64>,
}

/// A frame, its aggregates, and the bodies to measure.
pub struct Subject<'a> {
    pub(super) recorded: &'a Recorded,
    pub(super) run: &'a Path,
    pub(crate) options: &'a Options,
    pub(super) linked_by: String,
    pub(super) links: Vec<[u32; 2]>,
    /// all bodies in inertial space, without their contacts: the frame may turn
    pub(super) inertial: Snapshot,
    aggregates: Vec<Aggregate>,
    pub(crate) part: Snapshot,
    indices: Vec<usize>,
}

/// Aggregates of a frame, in inertial space.
#[derive(Debug, Clone, Serialize)]
pub struct Aggregates {
    /// what counts as touching
    pub linked_by: String,
    /// aggregates of two bodies and more
    pub count: usize,
    /// bodies that touch no other
    pub single_bodies: usize,
    /// mass of the second heaviest over that of all bodies; 0 if there is one alone
    pub second_mass_share: f64,
    /// bodies outside the heaviest that are bound to it, as if each were alone with it
    pub bound_bodies: usize,
    /// their mass over that of all bodies
    pub bound_mass_share: f64,
    /// those that are not
    pub escaping_bodies: usize,
    /// their mass over that of all bodies
    pub escaping_mass_share: f64,
    /// listed aggregates that are bound to the heaviest
    pub companions: usize,
    /// orbit of the heaviest of these about it
    #[serde(skip_serializing_if = "Option::is_none")]
    pub companion: Option<Orbit>,
    /// those large enough to be listed, heaviest first
    pub list: Vec<Row>,
    /// the heaviest, be it large enough or not: for tables over time
    #[serde(skip)]
    pub heaviest: Option<Row>,
}

/// An aggregate and how it turns.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// 0 for the heaviest
    pub rank: usize,
    /// what it is
    #[serde(flatten)]
    pub aggregate: Aggregate,
    /// how it turns
    #[serde(flatten)]
    pub rotation: Rotation,
}

impl<'a> Subject<'a> {
    /// Finds the aggregates of a frame and picks the bodies to measure.
    pub fn new(recorded: &'a Recorded, run: &'a Path, options: &'a Options) -> Result<Subject<'a>> {
        let s = &recorded.instant;
        if s.bodies.is_empty() {
            return Err(Fault::new(format!("frame {} has no bodies", recorded.number)).path(run).data());
        }
        let (links, linked_by) = recorded.links(options.tolerance);
        let inertial = Snapshot { bodies: s.inertial().into_owned(), ..Snapshot::default() };
        let list = aggregates(&inertial, &links);
        let indices = match options.aggregate {
            None => (0..s.bodies.len()).collect(),
            Some(rank) => {
                let chosen = list.get(rank).ok_or_else(|| {
                    Error::Usage(format!("--aggregate {rank}: frame {} has 0 to {}", recorded.number, list.len() - 1))
                })?;
                chosen.indices.clone()
            }
        };
        let part = s.part(&indices);
        Ok(Subject { recorded, run, options, linked_by, links, inertial, aggregates: list, part, indices })
    }

    /// Warns of a pile whose bodies rattle: it falls apart by contacts that carry force, though it stays together.
    pub fn warn_of_loose_contacts(&self) {
        let heaviest = |list: &[Aggregate]| list.first().map_or(0, |a| a.bodies);
        let (all, found) = (self.recorded.instant.bodies.len(), heaviest(&self.aggregates));
        if self.options.tolerance.is_some() || 2 * found > all {
            return;
        }
        let near = heaviest(&aggregates(&self.inertial, &self.recorded.links(Some(TOLERANCE)).0));
        if near > 2 * found {
            tracing::warn!(
                "frame {}: the heaviest aggregate has {found} of {all} bodies by contacts that carry force at this instant, and {near} by gaps; give --tolerance {TOLERANCE}, or --aggregate all",
                self.recorded.number
            );
        }
    }

    /// Bodies measured.
    pub fn bodies(&self) -> usize {
        self.part.bodies.len()
    }

    /// Aggregates; `aggregate.npy` has the rank of each body's.
    pub fn aggregates(&self, folder: &Path) -> Result<Aggregates> {
        let n = self.recorded.instant.bodies.len();
        save(folder, "aggregate", &[n as u64], ranks(&self.aggregates, n))?;
        let row = |(rank, a): (usize, &Aggregate)| Row {
            rank,
            aggregate: a.clone(),
            rotation: rotation(&alone(&self.inertial, &a.indices)),
        };
        let listed = |a: &Aggregate| a.bodies >= self.options.minimum;
        let mut ranked = self.aggregates.iter().enumerate();
        let heaviest = ranked.next().map(row);
        let first = heaviest.clone().filter(|row| listed(&row.aggregate));
        let single = self.aggregates.iter().filter(|a| a.bodies == 1).count();
        let around = self.around();
        let bound = || around.iter().filter(|(_, o)| o.is_some()).map(|(a, _)| a);
        let bound_bodies = bound().map(|a| a.bodies).sum();
        // the sum of none is -0
        let bound_mass_share = bound().map(|a| a.mass_share).sum::<f64>() + 0.0;
        let outside = around.iter().map(|(a, _)| a.mass_share).sum::<f64>();
        let mut companions =
            around.iter().filter(|(a, _)| a.bodies >= self.options.minimum).filter_map(|(_, o)| o.as_ref());
        let companion = companions.next().cloned();
        Ok(Aggregates {
            linked_by: self.linked_by.clone(),
            count: self.aggregates.len() - single,
            single_bodies: single,
            second_mass_share: self.aggregates.get(1).map_or(0.0, |a| a.mass_share),
            bound_bodies,
            bound_mass_share,
            escaping_mass_share: (outside - bound_mass_share).max(0.0),
            escaping_bodies: around.iter().map(|(a, _)| a.bodies).sum::<usize>() - bound_bodies,
            companions: usize::from(companion.is_some()) + companions.count(),
            companion,
            list: first.into_iter().chain(ranked.filter(|(_, a)| listed(a)).map(row)).collect(),
            heaviest,
        })
    }

    /// All aggregates but the heaviest, each with its orbit about that one if it is bound to it.
    fn around(&self) -> Vec<(&Aggregate, Option<Orbit>)> {
        let Some((first, others)) = self.aggregates.split_first() else { return vec![] };
        let about = |a: &Aggregate| {
            let (at, velocity) = (a.centre_m - first.centre_m, a.velocity_m_s - first.velocity_m_s);
            orbit([first.mass_kg, a.mass_kg], at, velocity)
        };
        others.iter().map(|a| (a, about(a))).collect()
    }

    /// Shape; `envelope.obj` has the surface.
    pub fn shape(&self, folder: &Path) -> Result<Envelope> {
        let b = &self.part.bodies;
        let given = if self.options.alpha_m.is_empty() { &[None][..] } else { &self.options.alpha_m };
        let alphas_m: Vec<f64> = given.iter().map(|a| a.unwrap_or_else(|| automatic_alpha_m(b))).collect();
        let found = envelope(b, &alphas_m, self.options.points.unwrap_or_else(|| automatic_points(b)))?;
        let path = folder.join("envelope.obj");
        disk::write_new(&path, found.obj().as_bytes(), true)?;
        Ok(found)
    }

    /// Stress; `body_stress.npy` (n, 3, 3) and `body_principal_stress.npy` (n, 3), largest first, have that of each body of
    /// the frame over its own volume (Pa).
    pub fn stress(&self, folder: &Path) -> Result<Stress> {
        self.recorded.need_contacts("stress")?;
        let s = &self.recorded.instant;
        let resolved = if s.wall_contacts.is_empty() { Resolved::default() } else { Resolved::read(self.run)? };
        let normal = |c: &WallContact| Ok(resolved.touched(c, &s.bodies)?.0);
        let moments = moments_n_m(s, normal)?;
        let of_body = |(k, m): (usize, &DMat3)| *m * (1.0 / s.bodies.volume_m3(k));
        let tensors: Vec<DMat3> = moments.iter().enumerate().map(of_body).collect();
        let n = tensors.len() as u64;
        save(folder, "body_stress", &[n, 3, 3], tensors.iter().flat_map(|t| t.transpose().to_cols_array()).collect())?;
        save(folder, "body_principal_stress", &[n, 3], tensors.iter().flat_map(|t| principal(*t).0).collect())?;
        let chosen: Vec<DMat3> = self.indices.iter().map(|k| moments[*k]).collect();
        let normals: Vec<DVec3> = s.wall_contacts.iter().map(normal).collect::<Result<_>>()?;
        let (bodies, _) = members(&self.part, self.options.region);
        if bodies.is_empty() {
            let part = if self.indices.len() < s.bodies.len() { " of the aggregate" } else { "" };
            let what = format!("--region: no body{part} has its centre there; name a larger one");
            return Err(Error::Usage(what));
        }
        // contacts that lead out of the part bear stress too
        let bodies: Vec<usize> = bodies.iter().map(|k| self.indices[*k]).collect();
        let fabric = Some(fabric(s, &bodies, &normals));
        Ok(Stress { fabric, ..stress(&self.part, &chosen, self.options.region) })
    }

    /// `analysis/NNNNNN` of the run, made if it is missing.
    pub fn folder(&self) -> Result<PathBuf> {
        let folder = analysis_of(self.run, self.recorded.number);
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, e))?;
        Ok(folder)
    }
}
