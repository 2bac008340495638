//! What a run carries from event to event.

use crate::physics::measure::events::Events;
use crate::physics::measure::frame_events::Watch;
use crate::physics::measure::series::Baseline;
use serde::{Deserialize, Serialize};

/// What the host carries from row to row; part of every checkpoint.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Carried {
    pub baseline: Baseline,
    pub events: Events,
    /// frames of events
    #[serde(default)]
    pub watch: Watch,
    /// rotations added so far
    pub spins: u32,
    /// warnings so far, in their order
    pub told: Vec<String>,
    /// one is of the guard on the energy ledger
    pub drift: bool,
    /// one is of the judge of steps
    pub judged: bool,
    /// one is of rotations of a pile that has come apart
    pub shed: bool,
    /// of contact dynamics
    #[serde(default)]
    pub unsolved: Unsolved,
}

/// Steps that ended above the solver's tolerance.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Unsolved {
    /// steps with contacts
    pub solved: u64,
    /// those of them that ended above the tolerance
    pub over: u64,
    /// largest residual at the end of a step
    pub worst: f64,
    /// a warning is of them
    pub said: bool,
}

/// Where a run pauses.
pub(super) enum Pause {
    /// at its end
    End,
    /// before it: at the step that was asked for, or because the observer stopped it
    Before,
}
