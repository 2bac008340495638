//! Bodies as the host sees them: structure of arrays in SI, f64.

use crate::geometry::clump::Clump;
use crate::geometry::mass::{ball_m3, ball_radius_m};
use crate::geometry::polyhedron::ConvexPolyhedron;
use glam::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// All bodies of a run, one entry per body in every array. `id` is the order of generation and never changes.
#[derive(Debug, Clone, Default)]
pub struct Bodies {
    /// stable identity
    pub id: Vec<u32>,
    /// of the mass centre (m)
    pub position_m: Vec<DVec3>,
    /// (m/s)
    pub velocity_m_s: Vec<DVec3>,
    /// (rad/s)
    pub spin_rad_s: Vec<DVec3>,
    /// of the sphere, or of the sphere about the mass centre that holds the body (m)
    pub radius_m: Vec<f64>,
    /// (kg)
    pub mass_kg: Vec<f64>,
    /// index into the scenario's materials
    pub material: Vec<u32>,
    /// convex polyhedra or clumps of them; `None`: all bodies are spheres
    pub polyhedra: Option<Polyhedra>,
}

/// Shapes of bodies that are polyhedra, all of them.
#[derive(Debug, Clone)]
pub struct Polyhedra {
    /// the shapes, each in its principal frame
    pub shapes: Arc<Vec<Clump>>,
    /// index into `shapes`, one a body
    pub shape: Vec<u32>,
    /// turns the shape's frame into the world's, one a body
    pub orientation: Vec<DQuat>,
}

impl Polyhedra {
    /// The shape of body `k`.
    pub fn of(&self, k: usize) -> &Clump {
        &self.shapes[self.shape[k] as usize]
    }

    /// The convex parts that body `k` is made of, in its principal frame about its mass centre.
    pub fn parts(&self, k: usize) -> &[ConvexPolyhedron] {
        &self.of(k).parts
    }

    /// Corners of all parts of body `k` in the world, its mass centre at `position_m` (m).
    pub fn corners_m(&self, k: usize, position_m: DVec3) -> impl Iterator<Item = DVec3> + '_ {
        let turn = self.orientation[k];
        self.of(k).corners_m().map(move |v| position_m + turn * v)
    }
}

impl Bodies {
    /// Spheres of material 0 at rest, numbered in order.
    pub fn at_rest(position_m: Vec<DVec3>, radius_m: Vec<f64>, mass_kg: Vec<f64>) -> Bodies {
        let n = position_m.len();
        Bodies {
            id: (0..n as u32).collect(),
            position_m,
            velocity_m_s: vec![DVec3::ZERO; n],
            spin_rad_s: vec![DVec3::ZERO; n],
            radius_m,
            mass_kg,
            material: vec![0; n],
            polyhedra: None,
        }
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        self.id.reserve(more);
        self.position_m.reserve(more);
        self.velocity_m_s.reserve(more);
        self.spin_rad_s.reserve(more);
        self.radius_m.reserve(more);
        self.mass_kg.reserve(more);
        self.material.reserve(more);
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// No body at all.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The largest radius (m); 0 without bodies.
    pub fn largest_radius_m(&self) -> f64 {
        self.radius_m.iter().copied().fold(0.0, f64::max)
    }

    /// The smallest radius (m); infinite without bodies.
    pub fn smallest_radius_m(&self) -> f64 {
        self.radius_m.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The mean of the radii (m); 0 without bodies.
    pub fn mean_radius_m(&self) -> f64 {
        self.radius_m.iter().sum::<f64>() / self.len().max(1) as f64
    }

    /// Radius of a ball of the solid volume of all bodies (m).
    pub fn merged_radius_m(&self) -> f64 {
        ball_radius_m(self.total_volume_m3())
    }

    /// Of all bodies (kg).
    pub fn total_mass_kg(&self) -> f64 {
        self.mass_kg.iter().sum()
    }

    /// Of all bodies (m3).
    pub fn total_volume_m3(&self) -> f64 {
        (0..self.len()).map(|k| self.volume_m3(k)).sum()
    }

    /// The mean of a vector of each body, weighted by mass.
    pub fn mean_by_mass(&self, of: &[DVec3]) -> DVec3 {
        let sum: DVec3 = of.iter().zip(&self.mass_kg).map(|(v, m)| *v * *m).sum();
        sum / self.total_mass_kg()
    }

    /// Volume of body `k` (m3).
    pub fn volume_m3(&self, k: usize) -> f64 {
        match &self.polyhedra {
            Some(p) => p.of(k).volume_m3,
            None => ball_m3(self.radius_m[k]),
        }
    }

    /// Principal moments of inertia of body `k` (kg m2).
    pub fn moments_kg_m2(&self, k: usize) -> DVec3 {
        match &self.polyhedra {
            Some(p) => p.of(k).inertia_m5 * (self.mass_kg[k] / p.of(k).volume_m3),
            None => DVec3::splat(self.sphere_moment_kg_m2(k)),
        }
    }

    /// Moment of inertia of body `k` as a homogeneous sphere (kg m2).
    pub fn sphere_moment_kg_m2(&self, k: usize) -> f64 {
        0.4 * self.mass_kg[k] * self.radius_m[k].powi(2)
    }

    /// Inertia tensor of body `k` about its mass centre in the world's frame (kg m2).
    pub fn inertia_kg_m2(&self, k: usize) -> DMat3 {
        let moments = DMat3::from_diagonal(self.moments_kg_m2(k));
        match &self.polyhedra {
            Some(p) => {
                let axes = DMat3::from_quat(p.orientation[k]);
                axes * moments * axes.transpose()
            }
            None => moments,
        }
    }

    /// Speed by which the spin of body `k` moves its farthest corner (m/s); 0 for spheres, whose surface stays where it is.
    pub fn turning_speed_m_s(&self, k: usize) -> f64 {
        if self.polyhedra.is_some() { self.spin_rad_s[k].length() * self.radius_m[k] } else { 0.0 }
    }

    /// Distance of the farthest point of body `k` from `from` (m).
    pub fn reach_m(&self, k: usize, from: DVec3) -> f64 {
        let position_m = self.position_m[k];
        match &self.polyhedra {
            Some(p) => p.corners_m(k, position_m).map(|c| c.distance(from)).fold(0.0, f64::max),
            None => position_m.distance(from) + self.radius_m[k],
        }
    }

    /// How far the lowest point of body `k` is along a unit vector that points up (m).
    pub fn lowest_m(&self, k: usize, up: DVec3) -> f64 {
        let position_m = self.position_m[k];
        match &self.polyhedra {
            Some(p) => p.corners_m(k, position_m).map(|c| c.dot(up)).fold(f64::INFINITY, f64::min),
            None => position_m.dot(up) - self.radius_m[k],
        }
    }

    /// The bodies of these indices, in this order.
    pub fn select(&self, indices: &[usize]) -> Bodies {
        fn pick<T: Copy>(list: &[T], indices: &[usize]) -> Vec<T> {
            indices.iter().map(|k| list[*k]).collect()
        }
        Bodies {
            id: pick(&self.id, indices),
            position_m: pick(&self.position_m, indices),
            velocity_m_s: pick(&self.velocity_m_s, indices),
            spin_rad_s: pick(&self.spin_rad_s, indices),
            radius_m: pick(&self.radius_m, indices),
            mass_kg: pick(&self.mass_kg, indices),
            material: pick(&self.material, indices),
            polyhedra: self.polyhedra.as_ref().map(|p| Polyhedra {
                shapes: p.shapes.clone(),
                shape: pick(&p.shape, indices),
                orientation: pick(&p.orientation, indices),
            }),
        }
    }
}
