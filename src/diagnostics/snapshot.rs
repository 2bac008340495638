//! The state of a run at one instant as an engine hands it out: SI, f64, in order of body id.

use crate::body::Bodies;
use glam::DVec3;

/// One instant. All arrays that run over bodies are in order of id and as long as `bodies`.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    /// steps done
    pub step: u64,
    /// simulated time (s)
    pub time_s: f64,
    /// velocities are those of this instant, not of the half step
    pub bodies: Bodies,
    /// self-gravity potential at each body (J/kg); empty without self-gravity
    pub self_potential_j_kg: Vec<f64>,
    /// self-gravity acceleration at each body (m/s2); empty without self-gravity
    pub self_acceleration_m_s2: Vec<DVec3>,
    /// net force of the tree's field over the sum of the forces, before it was taken out; 0 without a tree
    pub tree_net_force: f64,
    /// G m of the central source as the engine holds it (f32 on a GPU, 6e-8 from the typed one) (m3/s2)
    pub central_gm_m3_s2: Option<f64>,
    /// touching pairs, sorted by (i, j), i < j: indices into the arrays
    pub contacts: Vec<Contact>,
    /// bodies touching walls, sorted by (body, wall)
    pub wall_contacts: Vec<WallContact>,
    /// energy lost since the start, by channel
    pub dissipated: Dissipated,
    /// work done on the bodies by moving walls since the start (J)
    pub wall_work_j: f64,
    /// how the contacts of the steps since the last snapshot were solved; `None` for soft spheres
    pub solved: Option<Solved>,
}

/// How contact dynamics solved its steps.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Solved {
    /// steps with contacts
    pub steps: u32,
    /// iterations of all of them
    pub iterations: u32,
    /// iterations of the worst
    pub iterations_worst: u32,
    /// residual of the last step
    pub residual: f64,
    /// residual of the worst step
    pub residual_worst: f64,
    /// steps that ended at the limit of iterations, above the tolerance
    pub over_budget: u32,
}

/// A touching pair.
#[derive(Debug, Clone, Copy, Default)]
pub struct Contact {
    /// index of the first body
    pub i: u32,
    /// index of the second body
    pub j: u32,
    /// (m); of contact dynamics minus the gap, which attraction may bridge
    pub overlap_m: f64,
    /// from i to j
    pub normal: DVec3,
    /// force on i; on j it is the opposite (N)
    pub force_n: DVec3,
    /// torque on i about its centre (N m)
    pub torque_i_n_m: DVec3,
    /// torque on j about its centre (N m)
    pub torque_j_n_m: DVec3,
    /// energy stored in the normal, sliding, rolling and twisting springs, less that of cohesion (J)
    pub elastic_j: f64,
}

/// A body touching a wall.
#[derive(Debug, Clone, Copy, Default)]
pub struct WallContact {
    /// index of the body
    pub body: u32,
    /// index of the wall in the scenario
    pub wall: u32,
    /// (m), positive
    pub overlap_m: f64,
    /// force on the body (N)
    pub force_n: DVec3,
    /// torque on the body about its centre (N m)
    pub torque_n_m: DVec3,
    /// energy stored in the springs (J)
    pub elastic_j: f64,
}

/// Energy lost since the start (J).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Dissipated {
    /// normal dashpot
    pub normal_j: f64,
    /// sliding
    pub sliding_j: f64,
    /// rolling
    pub rolling_j: f64,
    /// twisting
    pub twisting_j: f64,
}
