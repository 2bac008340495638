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
    /// what the guard on the energy ledger said, once
    #[serde(default)]
    pub drift: Option<String>,
    /// what the judge of steps said, once
    #[serde(default)]
    pub judged: Option<String>,
    /// what was said of rotations of a pile that has come apart, once
    #[serde(default)]
    pub shed: Option<String>,
    /// of contact dynamics
    #[serde(default)]
    pub unsolved: Unsolved,
}

impl Carried {
    /// What the run said so far.
    pub(super) fn said(&self) -> impl Iterator<Item = String> + use<'_> {
        self.drift.iter().chain(&self.judged).chain(&self.shed).chain(&self.unsolved.said).cloned()
    }
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
    /// what was said of them, once
    pub said: Option<String>,
}

/// Where a run pauses.
pub(super) enum Pause {
    /// at its end
    End,
    /// before it: at the step that was asked for, or because the observer stopped it
    Before,
}
