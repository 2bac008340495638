//! What every engine can do: engines on the GPU ([`mod@gpu`]) and in f64 on the CPU ([`mod@reference`]) answer to the same calls.
//!
//! This floor imports from [`crate::gpu`] and below.

pub mod gpu;
pub mod open;
pub mod reference;
pub mod resolved;
mod saved;

use crate::base::error::Result;
use crate::model::body::Bodies;
use crate::model::scenario::{Method, NO_BODIES, Scenario};
use crate::model::snapshot::{Added, Snapshot};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Wall time after which `advance` returns to its caller (s).
pub const ADVANCE_S: f64 = 0.25;

/// Names of the phases that steps are made of; soft spheres compute contacts and motion in one.
pub const PHASES: [&str; 5] = ["detection", "gravity", "solver", "contacts and motion", "motion"];

/// Where the time of steps went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// "timestamps" of the device, or "wall": of submissions one by one
    pub clock: String,
    /// in the order of a step; rows, frames and checkpoints are not phases
    pub phases: Vec<Phase>,
}

/// A part of a step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// detection, gravity, solver ...
    pub name: String,
    /// in all steps (s)
    pub seconds: f64,
    /// of all phases together
    pub share: f64,
}

/// Refuses bodies that no engine of the method steps.
pub(crate) fn refuse(scenario: &Scenario, bodies: &Bodies) -> Result<()> {
    if bodies.is_empty() {
        let [what, remedy] = NO_BODIES;
        return Err(scenario.fault("bodies", what, remedy).into());
    }
    if scenario.method == Method::SoftSphere && bodies.polyhedra.is_some() {
        let what = "polyhedra need run.method = \"contact_dynamics\"";
        return Err(scenario.fault("bodies", what, "choose that method, or remove the shapes").into());
    }
    Ok(())
}

/// Which of `bodies` a rotation of `only` these turns, and their mass centre, of masses (kg) at positions (m).
pub(crate) fn spun(bodies: usize, only: Option<&[usize]>, at: impl Fn(usize) -> (f64, DVec3)) -> (Vec<bool>, DVec3) {
    let mut turns = vec![only.is_none(); bodies];
    only.into_iter().flatten().for_each(|k| turns[*k] = true);
    let (mut mass_kg, mut sum) = (0.0, DVec3::ZERO);
    for (kg, position_m) in (0..bodies).filter(|k| turns[*k]).map(at) {
        (mass_kg, sum) = (mass_kg + kg, sum + position_m * kg);
    }
    (turns, sum / mass_kg)
}

/// A simulation that can be driven to a step and looked at.
pub trait Engine: Send {
    /// Time step (s).
    fn time_step_s(&self) -> f64;
    /// Steps done.
    fn step(&self) -> u64;
    /// Runs until `target` steps are done, or returns earlier after a bounded piece of work (call again).
    fn advance(&mut self, target: u64) -> Result<()>;
    /// Runs until `target` steps are done.
    fn run_to(&mut self, target: u64) -> Result<()> {
        while self.step() < target {
            self.advance(target)?;
        }
        Ok(())
    }
    /// The present instant.
    fn snapshot(&mut self) -> Result<Snapshot>;
    /// Starts the counts of `Snapshot::solved` anew: a row has taken them. Nothing to do where there are none.
    fn restart_counts(&mut self) -> Result<()> {
        Ok(())
    }
    /// The residual of the last step, evaluated in f64 from the contacts and impulses alone; `None` where nothing is solved.
    fn judge(&mut self) -> Result<Option<f64>> {
        Ok(None)
    }
    /// Adds a rigid rotation (rad/s) to the velocities and spins of `only` these bodies, by their indices in order of id, about
    /// their common mass centre; `None`: all bodies.
    fn spin(&mut self, rad_s: DVec3, only: Option<&[usize]>) -> Result<Added>;
    /// The complete state as named byte arrays, enough to go on bit by bit.
    fn save(&mut self) -> Result<Vec<(String, Vec<u8>)>>;
    /// Takes a state that `save` gave.
    fn restore(&mut self, state: &[(String, Vec<u8>)]) -> Result<()>;
    /// Measures from now on where time goes, if the engine can measure it.
    fn time_phases(&mut self) {}
    /// What was measured since `time_phases`; `None` without it.
    fn timing(&self) -> Option<Timing> {
        None
    }
    /// One line on device, law and time step, for headers and manifests.
    fn describe(&self) -> String;
}
