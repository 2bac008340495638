//! Walls as a scenario gives them.

use super::body::Bodies;
use crate::base::steps::steps_until;
use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// An infinite plane with bodies on the side of the normal, or a solid block with bodies all around.
#[derive(Debug, Clone, Serialize)]
pub struct Wall {
    /// name in the series
    pub name: String,
    /// index into [`super::scenario::Scenario::materials`]
    pub material: usize,
    /// a point of the plane at time 0, or the middle of the block (m)
    pub point_m: DVec3,
    /// true if the plane starts where it touches the first of the bodies; [`Wall::touch`] finds the point
    pub touching: bool,
    /// unit normal, towards the bodies; of a block its own z axis
    pub normal: DVec3,
    /// constant velocity (m/s)
    pub velocity_m_s: DVec3,
    /// what moves it instead
    pub servo: Option<Servo>,
    /// the block, if it is not a plane
    pub block: Option<Block>,
    /// instant from which on it is gone (s)
    pub removed_at_s: Option<f64>,
}

/// A wall with mass, which a constant force pushes along its normal and contacts push back; it never turns nor moves aside.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Servo {
    /// along the wall's normal, towards the bodies if positive (N)
    pub force_n: f64,
    /// (kg)
    pub mass_kg: f64,
    /// the force brings it to this speed at most (m/s); `None`: to any
    pub speed_max_m_s: Option<f64>,
}

/// A box whose outside bodies touch, about the wall's point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// half of its edges (m)
    pub half_size_m: DVec3,
    /// turns its axes into the world's
    pub orientation: DQuat,
}

impl Wall {
    /// A plane of material 0 that is always at rest.
    pub fn plane(name: &str, point_m: DVec3, normal: DVec3) -> Wall {
        Wall {
            name: name.into(),
            material: 0,
            point_m,
            touching: false,
            normal,
            velocity_m_s: DVec3::ZERO,
            servo: None,
            block: None,
            removed_at_s: None,
        }
    }

    /// Moves a plane that is to start at the bodies along its normal, until the nearest of them touches it.
    pub fn touch(&mut self, bodies: &Bodies) {
        if !self.touching || bodies.is_empty() {
            return;
        }
        let normal = self.normal.normalize();
        let lowest = (0..bodies.len()).map(|k| bodies.lowest_m(k, normal)).fold(f64::INFINITY, f64::min);
        self.point_m = lowest * normal;
    }

    /// True if it moves.
    pub fn moves(&self) -> bool {
        self.servo.is_some() || self.velocity_m_s != DVec3::ZERO
    }

    /// The first step of `dt_s` in which it is gone; `None`: it stays.
    pub fn removal_step(&self, dt_s: f64) -> Option<u64> {
        self.removed_at_s.map(|time_s| steps_until(time_s, dt_s))
    }

    /// True if it is there in a step of `dt_s`.
    pub fn stands(&self, step: u64, dt_s: f64) -> bool {
        self.removal_step(dt_s).is_none_or(|removed| step < removed)
    }

    /// Unit normal towards a point at time `t_s`, and height of the point above the surface (m), below zero inside. Of a
    /// wall that no force moves.
    pub fn facing(&self, position_m: DVec3, t_s: f64) -> (DVec3, f64) {
        let offset = position_m - self.point_m - self.velocity_m_s * t_s;
        match &self.block {
            None => {
                let normal = self.normal.normalize();
                (normal, offset.dot(normal))
            }
            Some(block) => {
                let (normal, height) = block.facing(block.orientation.inverse() * offset);
                (block.orientation * normal, height)
            }
        }
    }

    /// Height of a point above it, unless it answers to force, at time `t_s` (m).
    pub fn height_m(&self, position_m: DVec3, t_s: f64) -> f64 {
        self.facing(position_m, t_s).1
    }
}

impl Block {
    /// Normal of the closest point of its surface and height above it, for a point in its own axes (m).
    pub fn facing(&self, point_m: DVec3) -> (DVec3, f64) {
        let beyond = point_m.abs() - self.half_size_m;
        let outside = beyond.max(DVec3::ZERO);
        let side = |v: DVec3| v * DVec3::ONE.copysign(point_m);
        if outside != DVec3::ZERO {
            let height = outside.length();
            return (side(outside / height), height);
        }
        // Inside: out through the nearest face.
        let deepest = beyond.max_element();
        let axis = (0..3).find(|a| beyond[*a] == deepest).unwrap_or(2);
        (side(DVec3::AXES[axis]), deepest)
    }
}
