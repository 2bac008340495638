//! Sources of gravity.

use glam::DVec3;
use serde::Serialize;

/// Opening angle of the geometric criterion if none is typed, and of the first evaluation of the relative one.
pub const TREE_OPENING_ANGLE: f64 = 0.6;
/// Accuracy of the relative criterion if none is typed: an rms error below 1e-3 (docs/method/gravity.md).
pub const TREE_ACCURACY: f64 = 2.5e-3;

/// A gravity source.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum GravitySource {
    /// the same acceleration everywhere
    Uniform {
        /// (m/s2)
        acceleration_m_s2: DVec3,
    },
    /// inside a fixed uniform sphere, -(4/3) pi G rho r; outside it, the point mass of the whole
    UniformSphere {
        /// (kg/m3)
        density_kg_m3: f64,
        /// (m)
        radius_m: f64,
        /// (m)
        position_m: DVec3,
    },
    /// the frame turns uniformly about the origin: centrifugal and Coriolis acceleration (Ferrari et al. 2017, eq. 2)
    RotatingFrame {
        /// (rad/s)
        rotation_rad_s: DVec3,
    },
    /// a fixed point mass
    Central {
        /// (m3/s2)
        gm_m3_s2: f64,
        /// (m)
        position_m: DVec3,
    },
    /// the asteroid of the scenario, a homogeneous polyhedron (Werner and Scheeres 1997)
    Asteroid {
        /// how its faces are summed
        sum: FaceSum,
        /// steps between evaluations; `None`: 50, and 1 for contact dynamics
        update_every: Option<u32>,
    },
    /// the bodies attract each other
    SelfGravity {
        /// how it is summed
        method: SelfGravityMethod,
        /// steps between evaluations; `None`: 50, and 1 for contact dynamics
        update_every: Option<u32>,
    },
}

impl GravitySource {
    /// Steps between evaluations as typed, of a source that may say so.
    pub fn update_every(&self) -> Option<Option<u32>> {
        match self {
            GravitySource::SelfGravity { update_every, .. } | GravitySource::Asteroid { update_every, .. } => {
                Some(*update_every)
            }
            _ => None,
        }
    }

    /// The word that names it.
    pub fn kind(&self) -> &'static str {
        match self {
            GravitySource::Uniform { .. } => "uniform",
            GravitySource::UniformSphere { .. } => "uniform_sphere",
            GravitySource::RotatingFrame { .. } => "rotating_frame",
            GravitySource::Central { .. } => "central",
            GravitySource::Asteroid { .. } => "asteroid",
            GravitySource::SelfGravity { .. } => "self",
        }
    }
}

/// How self-gravity is summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum SelfGravityMethod {
    /// direct below a measured number of bodies, tree with the relative criterion above
    Auto,
    /// all pairs
    Direct,
    /// LBVH tree, geometric criterion: size / distance below the opening angle
    TreeGeometric {
        /// opening angle
        opening_angle: f64,
    },
    /// LBVH tree, relative criterion: G M b^3 / r^5 below `accuracy` times the last acceleration
    TreeRelative {
        /// accuracy
        accuracy: f64,
    },
}

/// How the faces of the asteroid are summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub enum FaceSum {
    /// exact below a measured number of faces, tree above
    Auto,
    /// every face
    Exact,
    /// tree over the faces
    Tree {
        /// error of a node over the asteroid's attraction
        accuracy: f64,
    },
}
