//! What a run will leave on the disk, by the keys of `[output]`, and what of these keys does not fit its bodies.

use crate::base::fault::Fault;
use crate::base::readable::{number, quantity};
use crate::model::body::Bodies;
use crate::model::scenario::{Compression, FrameTimes, Precision, Scenario};
use crate::model::stored::size::frame_size;
use crate::physics::measure::columns::columns;
use serde::Serialize;

/// Contacts a body that are reckoned with: a dense pile of spheres has six neighbours a body, each contact shared by two.
const CONTACTS: u64 = 3;
/// Bytes of a number of the series with its comma: mean of the series of built-in scenarios.
const SERIES_NUMBER: u64 = 16;
/// Bytes of a checkpoint besides the engine's state: names, sums, events.
const CHECKPOINT_HEAD: u64 = 2000;
/// Half of the last of 24 bits.
const ROUNDING: f64 = 1.0 / (1 << 24) as f64;
/// Rounding of positions over the smallest radius that `check` warns of: a tenth of the gap at which bodies touch.
const ROUNDING_MAX: f64 = 1e-5;

/// Bytes of the parts of a run.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DiskUse {
    /// frames, the first one included, those of events not
    pub frames: u64,
    /// one frame without contacts; with compression it is smaller
    pub frame_bytes: u64,
    /// contacts of one frame, at three a body
    pub contact_bytes: u64,
    /// frames are compressed, so that their bytes are an upper bound
    pub compressed: bool,
    /// the series
    pub series_bytes: u64,
    /// two checkpoints
    pub checkpoint_bytes: u64,
    /// what never changes of the bodies
    pub once_bytes: u64,
}

impl DiskUse {
    /// All of them together.
    pub fn all(&self) -> u64 {
        let frames = self.frames * (self.frame_bytes + self.contact_bytes);
        frames + self.series_bytes + self.checkpoint_bytes + self.once_bytes
    }
}

/// Of a run of so many steps of `dt_s` (s); `state_bytes`: what an engine keeps in a checkpoint.
pub(super) fn of(scenario: &Scenario, bodies: &Bodies, steps: u64, dt_s: f64, state_bytes: u64) -> DiskUse {
    let output = &scenario.output;
    let size = frame_size(&output.form, bodies, if output.contacts { CONTACTS } else { 0 });
    // frames and rows that fall on one step are written once
    let frames = output.frames_in(steps, dt_s) as u64 + 1;
    let rows = (output.series_rows as u64).min(steps) + 2;
    DiskUse {
        frames,
        frame_bytes: size.bodies,
        contact_bytes: size.contacts,
        compressed: output.form.compression == Compression::Deflate,
        series_bytes: rows * SERIES_NUMBER * columns(scenario).len() as u64,
        checkpoint_bytes: 2 * (state_bytes + CHECKPOINT_HEAD),
        once_bytes: size.once,
    }
}

/// Keys of `[output]` that do not fit the bodies or the time step.
pub(super) fn faults(scenario: &Scenario, bodies: &Bodies, dt_s: f64) -> Vec<Fault> {
    let output = &scenario.output;
    let mut faults = vec![];
    let turns = output.form.columns.as_ref().is_some_and(|list| list.iter().any(|c| c == "orientation"));
    if turns && bodies.polyhedra.is_none() {
        let what = "\"orientation\" is of polyhedra, and the bodies are spheres";
        faults.push(scenario.fault("output.columns", what, "remove it"));
    }
    if bodies.polyhedra.is_some() && !output.form.has("orientation") {
        let what = "lacks \"orientation\", without which no frame of polyhedra can be read";
        faults.push(scenario.fault("output.columns", what, "add it"));
    }
    if let FrameTimes::Logarithmic { first_s } = output.frame_times
        && first_s < dt_s
    {
        let what = format!("{} s is below the time step of {} s", number(first_s), number(dt_s));
        faults.push(scenario.fault("output.first_frame_s", what, "raise it"));
    }
    faults
}

/// Positions with 32 bits that are rounded so far that contacts cannot be told from them.
pub(super) fn rounding_warning(scenario: &Scenario, bodies: &Bodies) -> Option<String> {
    if scenario.output.form.precision != Precision::F32 {
        return None;
    }
    let centre_m = bodies.mean_by_mass(&bodies.position_m);
    let reach_m = bodies.position_m.iter().map(|p| (*p - centre_m).abs().max_element()).fold(0.0, f64::max);
    let least_m = bodies.smallest_radius_m();
    let error_m = ROUNDING * reach_m;
    (error_m > ROUNDING_MAX * least_m).then(|| {
        format!(
            "output.precision: \"f32\" rounds positions {} from the mass centre by up to {}, more than {ROUNDING_MAX:e} of the smallest radius of {}; take \"f64\" where contacts are found from positions",
            quantity(reach_m, "m"),
            quantity(error_m, "m"),
            quantity(least_m, "m")
        )
    })
}
