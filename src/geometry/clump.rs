//! The shape of a rigid body: one convex polyhedron, or several that are fixed to each other, for bodies that are concave.

use super::narrow::{Placed, truth};
use super::polyhedron::{ConvexPolyhedron, principal};
use crate::base::eigen::outer;
use crate::base::readable::quantity;
use glam::{DMat3, DQuat, DVec3};

/// Parts may overlap by, or be apart by, this part of the smaller radius and still touch: coordinates have few decimals.
pub const CONTACT_TOLERANCE: f64 = 1e-4;

/// A homogeneous rigid body in its own frame: origin in the mass centre, principal axes along x, y, z with rising moments
/// of inertia.
#[derive(Debug, Clone)]
pub struct Clump {
    /// in the body's frame, every one with its own volume; at least one
    pub parts: Vec<ConvexPolyhedron>,
    /// radius of the sphere about the mass centre that holds the body (m)
    pub radius_m: f64,
    /// (m3)
    pub volume_m3: f64,
    /// principal moments of inertia per unit of density (m5)
    pub inertia_m5: DVec3,
    /// mass centre in the frame in which the parts were given (m)
    pub origin_m: DVec3,
    /// turns the body's frame into the frame in which the parts were given
    pub axes: DQuat,
}

impl From<ConvexPolyhedron> for Clump {
    fn from(part: ConvexPolyhedron) -> Self {
        let (radius_m, volume_m3, inertia_m5) = (part.radius_m, part.volume_m3, part.inertia_m5);
        let (origin_m, axes) = (part.origin_m, part.axes);
        Self { parts: vec![part], radius_m, volume_m3, inertia_m5, origin_m, axes }
    }
}

impl Clump {
    /// Joins `parts`, each where the points that it was made of are. They must touch and not overlap, so that volumes add
    /// up; else the text of what is wrong.
    pub fn join(parts: Vec<ConvexPolyhedron>) -> Result<Self, String> {
        must_touch(&parts)?;
        let volume_m3: f64 = parts.iter().map(|p| p.volume_m3).sum();
        let origin_m = parts.iter().map(|p| p.volume_m3 * p.origin_m).sum::<DVec3>() / volume_m3;
        let tensor = parts.iter().map(|p| tensor_m5(p, origin_m)).fold(DMat3::ZERO, |sum, t| sum + t);
        let (inertia_m5, columns) = principal(tensor);
        let axes = DQuat::from_mat3(&columns);
        let parts: Vec<_> = parts.into_iter().map(|p| p.seen_from(origin_m, axes)).collect();
        let radius_m = parts.iter().map(|p| p.radius_m).fold(0.0, f64::max);
        Ok(Self { parts, radius_m, volume_m3, inertia_m5, origin_m, axes })
    }

    /// A body as it was kept: its parts in its frame, its volume (m3) and its moments per unit of density (m5).
    pub fn kept(parts: Vec<ConvexPolyhedron>, volume_m3: f64, inertia_m5: DVec3) -> Self {
        let radius_m = parts.iter().map(|p| p.radius_m).fold(0.0, f64::max);
        Self { parts, radius_m, volume_m3, inertia_m5, origin_m: DVec3::ZERO, axes: DQuat::IDENTITY }
    }

    /// Returns this shape, `factor` times as large.
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            parts: self.parts.iter().map(|p| p.scaled(factor)).collect(),
            radius_m: self.radius_m * factor,
            volume_m3: self.volume_m3 * factor.powi(3),
            inertia_m5: self.inertia_m5 * factor.powi(5),
            origin_m: self.origin_m * factor,
            axes: self.axes,
        }
    }

    /// Corners of all parts in the body's frame (m).
    pub fn corners_m(&self) -> impl Iterator<Item = DVec3> {
        self.parts.iter().flat_map(|p| p.vertices_m.iter().copied())
    }
}

/// Inertia per unit of density of a part about `centre_m`, in the frame of its points (m5): the parallel-axis theorem.
fn tensor_m5(p: &ConvexPolyhedron, centre_m: DVec3) -> DMat3 {
    let (axes, arm) = (DMat3::from_quat(p.axes), p.origin_m - centre_m);
    let shift = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer(arm, arm);
    axes * DMat3::from_diagonal(p.inertia_m5) * axes.transpose() + p.volume_m3 * shift
}

/// Numbers in the messages count from 1.
fn must_touch(parts: &[ConvexPolyhedron]) -> Result<(), String> {
    let placed: Vec<_> = parts.iter().map(|p| Placed::new(p, p.origin_m, p.axes)).collect();
    let mut joined = vec![false; parts.len()];
    let mut waiting = vec![0];
    while let Some(i) = waiting.pop() {
        joined[i] = true;
        for j in (0..parts.len()).filter(|j| *j != i) {
            let size_m = parts[i].radius_m.min(parts[j].radius_m);
            let apart_m = placed[i].position_m.distance(placed[j].position_m) - parts[i].radius_m - parts[j].radius_m;
            let gap_m = if apart_m > size_m { apart_m } else { truth::common_plane(&placed[i], &placed[j]).gap_m };
            if gap_m < -CONTACT_TOLERANCE * size_m {
                let (a, b) = (i.min(j) + 1, i.max(j) + 1);
                return Err(format!(
                    "parts {a} and {b} overlap by {}: volume would count twice; let them touch only",
                    quantity(-gap_m, "m")
                ));
            }
            if gap_m <= CONTACT_TOLERANCE * size_m && !joined[j] && !waiting.contains(&j) {
                waiting.push(j);
            }
        }
    }
    match joined.iter().position(|j| !j) {
        Some(alone) => Err(format!("part {} does not touch those before it: a body is one piece", alone + 1)),
        None => Ok(()),
    }
}
