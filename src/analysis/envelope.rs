//! The envelope of bodies: alpha shape of points on their surfaces, and the porosity within it (Ferrari et al. 2017,
//! eq. 16).

use super::alpha_shape::{AlphaShape, alpha_shapes};
use super::surface::points_on;
use crate::base::error::{Error, Result};
use crate::base::readable::percent;
use crate::model::body::Bodies;
use glam::DVec3;
use serde::Serialize;

/// Points that the automatic number a body aims at in all.
const POINTS: usize = 100_000;
/// Most points on all bodies together: their triangulation takes gigabytes.
const POINTS_MAX: usize = 20_000_000;
/// Share of the bodies' own volume that an envelope holds at least. Points on a sphere enclose a little less than it.
const SOLID_LEAST: f64 = 0.5;
/// The automatic number of points a body has these bounds.
const POINTS_PER_BODY: [usize; 2] = [32, 1024];

/// Shape and porosity.
#[derive(Debug, Clone, Serialize)]
pub struct Envelope {
    /// bodies that it is of
    pub bodies: usize,
    /// radius of the ball that rolls over the bodies (m)
    pub alpha_m: f64,
    /// points on each body's surface; of polyhedra the mean, rounded
    pub points_per_body: usize,
    /// enclosed (m3)
    pub volume_m3: f64,
    /// closed voids within it that the ball would fit into (m3)
    pub voids_m3: f64,
    /// of the envelope (m2)
    pub area_m2: f64,
    /// mass over enclosed volume (kg/m3)
    pub bulk_density_kg_m3: f64,
    /// mass over solid volume (kg/m3)
    pub material_density_kg_m3: f64,
    /// 1 - bulk density over material density
    pub porosity: f64,
    /// the same by each ball in their order, the first included, if there are several
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub balls: Vec<Ball>,
    /// corners of the envelope (m)
    #[serde(skip)]
    pub corners_m: Vec<DVec3>,
    /// its triangles, counterclockwise as seen from outside
    #[serde(skip)]
    pub triangles: Vec<[u32; 3]>,
}

/// What one of several balls finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ball {
    /// its radius (m)
    pub alpha_m: f64,
    /// enclosed (m3)
    pub volume_m3: f64,
    /// closed voids within it that the ball would fit into (m3)
    pub voids_m3: f64,
    /// of the envelope (m2)
    pub area_m2: f64,
    /// mass over enclosed volume (kg/m3)
    pub bulk_density_kg_m3: f64,
    /// 1 - bulk density over material density
    pub porosity: f64,
}

/// Twice the mean diameter (m).
pub fn automatic_alpha_m(bodies: &Bodies) -> f64 {
    4.0 * bodies.mean_radius_m()
}

/// Some 100,000 points in all, but at least 32 a body, so that large piles cost what they must, and at most 1,024. Polyhedra
/// have no more than their corners: the automatic ball finds nothing else.
pub fn automatic_points(bodies: &Bodies) -> usize {
    if bodies.polyhedra.is_some() {
        return 0;
    }
    (POINTS / bodies.len().max(1)).clamp(POINTS_PER_BODY[0], POINTS_PER_BODY[1])
}

/// The envelope that a ball of the first of these radii (m) feels on all bodies, each with `points_per_body` points,
/// polyhedra with their corners at least, and what the other balls find.
pub fn envelope(bodies: &Bodies, alphas_m: &[f64], points_per_body: usize) -> Result<Envelope> {
    if points_per_body < 4 && bodies.polyhedra.is_none() {
        return Err(Error::Usage(format!("--points {points_per_body}: a body needs at least 4 points")));
    }
    if points_per_body.saturating_mul(bodies.len()) > POINTS_MAX {
        return Err(Error::Usage(format!(
            "--points {points_per_body}: on {} bodies these are more than {POINTS_MAX}; give fewer",
            bodies.len()
        )));
    }
    if let Some(alpha_m) = alphas_m.iter().find(|a| !a.is_finite()) {
        return Err(Error::Usage(format!("--alpha {alpha_m}: the radius of the ball must be a finite number of m")));
    }
    let middle = bodies.position_m.iter().sum::<DVec3>() / bodies.len().max(1) as f64;
    let points: Vec<DVec3> = points_on(bodies, points_per_body).into_iter().map(|p| p - middle).collect();
    let shapes = alpha_shapes(&points, alphas_m)?;
    let mass = bodies.total_mass_kg();
    let solid = bodies.total_volume_m3();
    let found = alphas_m.iter().zip(&shapes).map(|(alpha_m, shape)| ball(*alpha_m, shape, mass, solid));
    let balls = found.collect::<Result<Vec<Ball>>>().or_else(|small| {
        enough_points(&points, points_per_body, solid)?;
        Err(small)
    })?;
    let (Some(first), Some(shape)) = (balls.first().cloned(), shapes.into_iter().next()) else {
        return Err(Error::Usage("--alpha: give the radius of a ball".into()));
    };
    let (corners, triangles) = used(&points, shape.triangles);
    Ok(Envelope {
        bodies: bodies.len(),
        alpha_m: first.alpha_m,
        points_per_body: (points.len() as f64 / bodies.len().max(1) as f64).round() as usize,
        volume_m3: first.volume_m3,
        voids_m3: first.voids_m3,
        area_m2: first.area_m2,
        bulk_density_kg_m3: first.bulk_density_kg_m3,
        material_density_kg_m3: mass / solid,
        porosity: first.porosity,
        balls: if balls.len() > 1 { balls } else { vec![] },
        corners_m: corners.into_iter().map(|p| p + middle).collect(),
        triangles,
    })
}

/// Refuses so few points that their hull, which no ball goes beyond, misses most of the bodies' own volume `solid` (m3).
fn enough_points(points: &[DVec3], points_per_body: usize, solid: f64) -> Result<()> {
    let hull_m3 = alpha_shapes(points, &[f64::INFINITY])?.first().map_or(0.0, |shape| shape.volume_m3);
    if hull_m3 >= SOLID_LEAST * solid {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "--points {points_per_body}: so few enclose {} of the volume of the bodies at most, whatever the ball; give more",
        percent(hull_m3 / solid)
    )))
}

/// What a ball finds; `mass` (kg) and own volume `solid` (m3) are those of all bodies.
fn ball(alpha_m: f64, shape: &AlphaShape, mass: f64, solid: f64) -> Result<Ball> {
    if shape.volume_m3 < SOLID_LEAST * solid {
        return Err(Error::Usage(format!(
            "--alpha {alpha_m}: so small a ball slips between the points on a body, and encloses {} of the volume of the bodies; raise it, or give more --points",
            percent(shape.volume_m3 / solid)
        )));
    }
    let bulk = mass / shape.volume_m3;
    Ok(Ball {
        alpha_m,
        volume_m3: shape.volume_m3,
        voids_m3: shape.voids_m3,
        area_m2: shape.area_m2,
        bulk_density_kg_m3: bulk,
        porosity: 1.0 - bulk / (mass / solid),
    })
}

/// The points that triangles use, and the triangles by their indices.
fn used(points: &[DVec3], mut triangles: Vec<[u32; 3]>) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut kept: Vec<u32> = triangles.iter().flatten().copied().collect();
    kept.sort_unstable();
    kept.dedup();
    let new_index = |v: u32| kept.partition_point(|k| *k < v) as u32;
    triangles.iter_mut().for_each(|t| *t = t.map(new_index));
    (kept.iter().map(|k| points[*k as usize]).collect(), triangles)
}

impl Envelope {
    /// As Wavefront OBJ, lengths in m.
    pub fn obj(&self) -> String {
        let corner = |p: &DVec3| format!("v {} {} {}\n", p.x, p.y, p.z);
        let triangle = |t: &[u32; 3]| format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
        let head = format!("# envelope of {} triangles, alpha {} m; m\n", self.triangles.len(), self.alpha_m);
        std::iter::once(head)
            .chain(self.corners_m.iter().map(corner))
            .chain(self.triangles.iter().map(triangle))
            .collect()
    }
}
