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
}

/// Where a run pauses.
pub(super) enum Pause {
    /// at its end
    End,
    /// before it: at the step that was asked for, or because the observer stopped it
    Before,
}
